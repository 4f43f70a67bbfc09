"""History: every result on record of a sheet, oldest first, for a person and for a program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from quizengine.errors import UnknownName, UsageError
from quizengine.grading.record.effective import Result
from quizengine.lang.messages import name, t
from quizengine.lang.text import Lang
from quizengine.marking.mark import credit_text
from quizengine.sheets.manifest import Manifest, Sheet


def sheet_of(manifest: Manifest, who: str) -> Sheet:
    """The sheet of this code, in letters of any size, or of this student, by id or name. Raises UnknownName,
    and UsageError for a name that two bear."""
    return manifest.sheets[place_of(manifest, who)]


def place_of(manifest: Manifest, who: str) -> int:
    """The place of that sheet. Raises UnknownName, UsageError."""
    places = list(enumerate(manifest.who))
    names = Counter(one.name for one in manifest.who)
    found = {one.name: i for i, one in places if names[one.name] == 1}
    found |= {one.student: i for i, one in places} | {one.code: i for i, one in places}
    if who not in found and names[who] > 1:
        ids = ", ".join(one.student for one in manifest.who if one.name == who)
        raise UsageError(f"{names[who]} students are called {who}: name one by id ({ids})")
    if who not in found and who.upper() not in found:
        raise UnknownName("sheet or student", who, filter(None, found))
    return found[who if who in found else who.upper()]


def history_lines(history: Iterable[Result], lang: Lang) -> Iterator[str]:
    """A line a result: when, what, how many points, and why."""
    for result in history:
        why = result.why or ("late" if result.late else "")
        values = result._asdict() | {
            "credit": credit_text(result.credit),
            "why": f" ({why})" if why else "",
            "kind": name("kind", result.kind, lang),
            "verdict": name("state", result.verdict, lang),
            "raw": " ".join(result.raw.split()),
        }
        yield t(lang, "marks.line", **values)


def history_json(history: Iterable[Result]) -> list[dict[str, object]]:
    """Every field of every result; credits are exact, as text."""
    return [{**result._asdict(), "credit": str(result.credit)} for result in history]
