"""The goal of a day: so many questions, and how many of them are answered."""

from __future__ import annotations

import re

from quizengine.errors import UsageError
from quizengine.lang.characters import plain
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.sessions.day import day_start
from quizengine.sessions.store import Store

GOAL = "goal"  # the name of the choice in the store
MOST = 1000


def goal_of(store: Store) -> int | None:
    """How many questions a day the learner has set; None where none are."""
    text = store.choice(GOAL)
    return int(text) if text.isdecimal() else None


def goal_from(typed: str) -> str:
    """The choice that is typed: a number of questions, or empty for “off”. Raises UsageError."""
    text = plain(typed).strip().lower()
    if text == "off":
        return ""
    if not re.fullmatch(r"0*[1-9]\d{0,3}", text) or int(text) > MOST:
        raise UsageError(f"“{typed}” is no daily goal: write a number from 1 to {MOST}, or off")
    return str(int(text))


def answered_today(store: Store, now: str) -> int:
    """How many questions were answered on the learner's day of this moment."""
    start = day_start(now)
    return sum(mark.at >= start for mark in store.marks())


def goal_line(store: Store, now: str, lang: Lang) -> str:
    """The goal and what is reached of it, in words; empty where none is set."""
    goal = goal_of(store)
    if goal is None:
        return ""
    done = answered_today(store, now)
    return t(lang, "goal.reached" if done >= goal else "goal.today", done=done, goal=goal)
