"""Marks in words: what is right, what a mistake is, and what to do instead."""

from __future__ import annotations

from collections.abc import Sequence

from quizengine.items.catalogue import Catalogue
from quizengine.lang.characters import signed, visible
from quizengine.lang.messages import say_rows, t
from quizengine.lang.quotation import Quoted, Sentence, in_a_row, shown, tell
from quizengine.lang.text import Lang
from quizengine.marking.mark import Mark, PartMark, Reason, rounded
from quizengine.problems.problem import Problem
from quizengine.responses.response import LabelsValue, NumericValue, PairsValue, Unreadable, Value

_BESIDE = {"slip.dot": "named.with-dot", "slip.value": "named.with-value"}  # slips beside a possible mistake


def reason_text(reason: Reason, lang: Lang) -> Sentence:
    """One reason as a sentence."""
    known = reason.code if reason.code.startswith("unreadable.") else f"reason.{reason.code}"
    values: dict[str, str | int | Quoted] = {}
    for key, value in reason.values.items():
        if isinstance(value, str):
            values[key] = signed(value)
        elif isinstance(value, int | Quoted):
            values[key] = value
        else:
            cells = [t(lang, "cell", row=row, column=column) for row, column in value]
            values[key] = t(lang, "cell.between").join(cells)
    return tell(lang, known, **values)


def unreadable_text(reading: Unreadable, lang: Lang) -> Sentence:
    """What cannot be read, and at which character."""
    return reason_text(Reason(f"unreadable.{reading.code}", {**reading.values, "at": reading.at + 1}), lang)


def told_of(reading: Value | None, lang: Lang) -> list[Sentence]:
    """What was read out of more or less than was asked."""
    if not isinstance(reading, NumericValue):
        return []
    return [
        tell(lang, f"told.{told.code}", rows=say_rows(lang, told.rows) if told.rows else "")
        for told in reading.told
    ]


_Several = LabelsValue | PairsValue  # each of which may have a mistake of its own


def part_feedback(mark: Mark, id_: str, catalogue: Catalogue, lang: Lang) -> list[Sentence]:
    """Sentences about one part of a problem: the verdict, the reasons, the mistake and its remedy."""
    part = mark.part(id_)
    known = (
        {} if part.verdict == "right" else {m: catalogue[m] for m in part.misconceptions if m in catalogue}
    )
    found = [one for one in mark.diagnosis if known.keys() & set(one.misconceptions)]
    reasons, names = part.reasons, [misconception.name[lang] for misconception in known.values()]
    named: list[Sentence] = []
    if any(one.possible for one in found):
        groups = [[known[m].name[lang] for m in one.misconceptions if m in known] for one in found]
        named = [_possible(part, [" / ".join(group) for group in groups], lang)]
        reasons = tuple(reason for reason in reasons if reason.code not in _BESIDE)
    elif names and not part.entries and (len(names) == 1 or isinstance(part.reading, _Several)):
        named = [tell(lang, "named.choice", name=name) for name in names]
    elif len(names) == 1:
        named = [tell(lang, "named.exact", name=names[0])]
    elif names:
        named = [tell(lang, "named.one-of", names=" / ".join(names))]
    remedies = [(misconception.remedy[lang],) for misconception in known.values()]
    told = [reason_text(reason, lang) for reason in reasons]
    read = told_of(part.reading, lang)
    return [tell(lang, f"verdict.{part.verdict}"), *read, *told, *named, *remedies]


def _possible(part: PartMark, names: Sequence[str], lang: Lang) -> Sentence:
    """What is only possible: two mistakes at once, or one and a slip."""
    if len(names) > 1:
        return tell(lang, "named.two", first=names[0], second=names[1])
    for reason in part.reasons:
        if message := _BESIDE.get(reason.code):
            values = {name: signed(str(value)) for name, value in reason.values.items()}
            return tell(lang, message, name=names[0], **values)
    return tell(lang, "named.possible", name=names[0])


def mark_json(problem: Problem, mark: Mark, catalogue: Catalogue, lang: Lang) -> dict[str, object]:
    """A mark as the machine interface shows it; credits are points, to two decimals."""
    parts = []
    for part in mark.parts:
        entry: dict[str, object] = {
            "id": part.id,
            "verdict": part.verdict,
            "points": part.points,
            "credit": rounded(part.credit),
        }
        if part.entries and problem.part(part.id).kind == "array":
            entry["entries"] = [list(row) for row in part.entries]
        entry |= {
            "misconceptions": list(part.misconceptions),
            "carried": part.carried,
            "reading": visible(part.reading.echo) if part.reading else "",
            "feedback": shown(in_a_row(part_feedback(mark, part.id, catalogue, lang))),
        }
        parts.append(entry)
    diagnosis = [
        {"misconception": id_, "stage": found.stage, "certainty": found.certainty}
        for found in mark.diagnosis
        for id_ in found.misconceptions
    ]
    out: dict[str, object] = {
        "item": mark.item,
        "seed": mark.seed,
        "points": mark.points,
        "credit": rounded(mark.credit),
        "parts": parts,
        "diagnosis": diagnosis,
    }
    if mark.observations:
        out["observations"] = [_observation_json(part, seen) for part, seen in mark.observations]
    return out


def _observation_json(part: str, seen: Reason) -> dict[str, object]:
    """What is certain of a part, with its values as numbers."""
    values = {k: float(value) if isinstance(value, str) else value for k, value in seen.values.items()}
    return {"id": seen.code.removeprefix("seen."), "part": part, **values}
