"""Marks in words: what is right, what a mistake is, and what to do instead."""

from __future__ import annotations

from quizengine.items.catalogue import Catalogue
from quizengine.lang.characters import visible
from quizengine.lang.messages import t
from quizengine.lang.quotation import Quoted, Sentence, in_a_row, shown, tell
from quizengine.lang.text import Lang
from quizengine.marking.mark import Mark, PartMark, Reason, rounded
from quizengine.problems.problem import Problem
from quizengine.responses.response import Unreadable


def reason_text(reason: Reason, lang: Lang) -> Sentence:
    """One reason as a sentence."""
    known = reason.code if reason.code.startswith("unreadable.") else f"reason.{reason.code}"
    values: dict[str, str | int | Quoted] = {}
    for key, value in reason.values.items():
        if isinstance(value, str | int | Quoted):
            values[key] = value
        else:
            cells = [t(lang, "cell", row=row, column=column) for row, column in value]
            values[key] = t(lang, "cell.between").join(cells)
    return tell(lang, known, **values)


def unreadable_text(reading: Unreadable, lang: Lang) -> Sentence:
    """What cannot be read, and at which character."""
    return reason_text(Reason(f"unreadable.{reading.code}", {**reading.values, "at": reading.at + 1}), lang)


def part_feedback(mark: PartMark, catalogue: Catalogue, lang: Lang) -> list[Sentence]:
    """Sentences about one part: the verdict, the reasons, the mistake and its remedy."""
    out = [tell(lang, f"verdict.{mark.verdict}")]
    out += [reason_text(reason, lang) for reason in mark.reasons]
    known = [catalogue[id_] for id_ in mark.misconceptions if id_ in catalogue]
    if mark.verdict != "right" and known:
        names = [m.name[lang] for m in known]
        if not mark.entries:  # chosen, not worked out
            out += [tell(lang, "named.choice", name=name) for name in names]
        elif len(known) == 1:
            out.append(tell(lang, "named.exact", name=names[0]))
        else:
            out.append(tell(lang, "named.one-of", names=" / ".join(names)))
        out += [(m.remedy[lang],) for m in known]
    return out


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
            "feedback": shown(in_a_row(part_feedback(part, catalogue, lang))),
        }
        parts.append(entry)
    diagnosis = [
        {"misconception": id_, "stage": found.stage, "certainty": found.certainty}
        for found in mark.diagnosis
        for id_ in found.misconceptions
    ]
    return {
        "item": mark.item,
        "seed": mark.seed,
        "points": mark.points,
        "credit": rounded(mark.credit),
        "parts": parts,
        "diagnosis": diagnosis,
    }
