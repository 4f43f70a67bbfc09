"""Functions that the students of an exam handed in: what `check` found of them, kept beside the manifest for
the report. They give no marks."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from quizengine.errors import InputError
from quizengine.files.failure import failed
from quizengine.files.whole import write_whole
from quizengine.grading.record.results import record_lock
from quizengine.lang.characters import harmless
from quizengine.lang.text import LANGUAGES, Text
from quizengine.reports.report import FunctionReport

FILE, FORMAT = "functions.json", 1
_VERDICTS = ("right", "wrong", "broken", "ungraded")


class Checked(NamedTuple):
    """A student's file, the verdict on it, and the misconceptions that it shows."""

    student: str
    file: str
    verdict: str
    misconceptions: Sequence[str]


def put_functions(manifest: Path, task: str, checked: Sequence[Checked], names: Mapping[str, Text]) -> None:
    """Keep what was found for a task, in place of what was found for it before; `names` are those of the
    misconceptions. Raises InputError."""
    with record_lock(manifest):
        kept = _kept(manifest.parent / FILE)
        tasks = kept["tasks"] | {task: [one._asdict() for one in checked]}
        told = kept["names"] | {id_: {lang: name[lang] for lang in LANGUAGES} for id_, name in names.items()}
        whole = {"format": FORMAT, "tasks": tasks, "names": told}
        text = harmless(json.dumps(whole, ensure_ascii=False, indent=1)) + "\n"
        try:
            write_whole(manifest.parent / FILE, text.encode())
        except OSError as error:
            raise failed(manifest.parent / FILE, error, code="not-written") from None


def functions_of(manifest: Path) -> tuple[FunctionReport, ...]:
    """What was found, task by task; nothing where nothing was checked. Raises InputError."""
    path = manifest.parent / FILE
    kept = _kept(path)
    try:
        return tuple(
            _report(task, [Checked(**one) for one in rows], kept["names"])
            for task, rows in kept["tasks"].items()
        )
    except (LookupError, TypeError, ValueError, AttributeError):
        raise _damaged(path) from None


def _report(task: str, checked: Sequence[Checked], names: Mapping[str, Mapping[str, str]]) -> FunctionReport:
    """What the files of a task add up to. Raises LookupError, TypeError, ValueError."""
    who: dict[str, dict[str, None]] = {}
    for one in checked:
        for id_ in one.misconceptions:
            who.setdefault(id_, {})[one.student] = None
    counts = {verdict: sum(one.verdict == verdict for one in checked) for verdict in _VERDICTS}
    texts = [one.student for one in checked] + [text for id_ in who for text in names[id_].values()]
    if sum(counts.values()) != len(checked) or not all(isinstance(text, str) for text in texts):
        raise ValueError("a verdict that there is none of, or a number for a text")
    order = sorted(who, key=lambda id_: (-len(who[id_]), id_))
    shown = tuple((id_, Text(**names[id_]), tuple(sorted(who[id_]))) for id_ in order)
    return FunctionReport(task, counts, shown)


def _kept(path: Path) -> dict[str, Any]:
    """What the file holds. Raises InputError."""
    try:
        kept: Any = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {"tasks": {}, "names": {}}
    except OSError as error:
        raise failed(path, error) from None
    except (ValueError, RecursionError):
        raise _damaged(path) from None
    if not (isinstance(kept, dict) and kept.get("format") == FORMAT):
        raise _damaged(path)
    if not all(isinstance(kept.get(part), dict) for part in ("tasks", "names")):
        raise _damaged(path)
    return kept


def _damaged(path: Path) -> InputError:
    return InputError(
        f"{path} is not as quizengine check --manifest wrote it: put it aside, and check the class again"
    )
