"""The tasks: what a learner's function is to compute, and from what."""

from __future__ import annotations

from typing import NamedTuple

from quizengine.errors import UnknownName
from quizengine.lang.messages import t
from quizengine.lang.text import Lang


class Task(NamedTuple):
    """What is to be written: the function's name, and its arguments in order (the mask may be left out)."""

    id: str
    function: str
    arguments: tuple[str, ...]


TASKS = {task.id: task for task in (Task("single", "attention", ("Q", "K", "V", "mask")),)}


def task_of(name: str) -> Task:
    """The task of this name. Raises UnknownName."""
    if name not in TASKS:
        raise UnknownName("task", name, TASKS)
    return TASKS[name]


def contract(task: Task, lang: Lang) -> list[str]:
    """What the function is given and what it is to return, a sentence a line."""
    return [t(lang, f"stage.{task.arguments[-1]}" if task.id not in TASKS else "stage.output")]
