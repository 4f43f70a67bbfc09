"""What goes out: the gradebook, and one page of feedback a learner."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from quizengine.errors import InputError
from quizengine.grading.standing import DROPPED, Standing
from quizengine.items.catalogue import Catalogue
from quizengine.lang.messages import say
from quizengine.marking.mark import rounded
from quizengine.problems.problem import Part
from quizengine.render.blocks import Words, printed_key, stem, told_key
from quizengine.render.markdown import code, escaped, markdown
from quizengine.reports.feedback import part_feedback
from quizengine.reports.tally import Total

GRADEBOOK, FEEDBACK, LOG = "gradebook.csv", "feedback", "grading.txt"
_FORMULA = tuple("=+-@\t\r\n＝＋－＠")
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_EMPTY = ("ungraded", DROPPED)
_SAFE = re.compile(r"[\w.-]{1,80}", re.ASCII)


def number(value: Fraction) -> str:
    """A mark to two decimals, without trailing zeros.

    >>> number(Fraction(2, 3)), number(Fraction(5))
    ('0.67', '5')
    """
    return f"{rounded(value):.2f}".rstrip("0").rstrip(".")


def gradebook(standing: Sequence[Standing]) -> str:
    """CSV: student, code, credit, points, percent, then the credit of every label. A part that
    the engine failed on is empty, never 0. Cells that a spreadsheet would run are quoted."""
    labels = list(dict.fromkeys(label for s in standing for label in s.results))
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["student", "code", "credit", "points", "percent", *labels])
    for s in standing:
        cells = [
            number(s.results[x].credit) if x in s.results and s.results[x].verdict not in _EMPTY else ""
            for x in labels
        ]
        percent = number(Total(s.credit, s.points).percent)
        sheet = s.graded.sheet
        row = [sheet.student, sheet.code, number(s.credit), str(s.points), percent, *cells]
        writer.writerow([guarded(cell) for cell in row])
    return out.getvalue()


def guarded(cell: str) -> str:
    """A text cell that a spreadsheet would take for a formula gets an apostrophe; numbers none.

    >>> guarded("=1+1"), guarded("-0.5")
    ("'=1+1", '-0.5')
    """
    return f"'{cell}" if cell.lstrip().startswith(_FORMULA) and not _NUMBER.fullmatch(cell) else cell


def feedback_page(standing: Standing, catalogue: Catalogue, answers: Mapping[str, str]) -> str:
    """One learner's marks in Markdown, in the language of the sheet: per part the verdict, the
    reasons, the key, the remedy; where an instructor has decided, that and why."""
    graded = standing.graded
    lang = graded.sheet.problems[0].lang
    total = Total(standing.credit, standing.points)
    sums = {
        "credit": number(standing.credit),
        "points": standing.points,
        "percent": number(total.percent),
    }
    out = [
        f"# {say(lang, 'feedback.title', student=escaped(graded.sheet.student))}",
        f"{say(lang, 'sheet.code', code=graded.sheet.code)}  \n{say(lang, 'feedback.total', **sums)}",
    ]
    for index, (problem, mark) in enumerate(zip(graded.sheet.problems, graded.marks, strict=True)):
        labels = graded.sheet.labels[index]
        own = [standing.results[label] for label in labels.values()]
        sums = {
            "number": index + 1,
            "credit": number(sum((result.credit for result in own), Fraction(0))),
            "points": sum(result.points for result in own),
        }
        out.append(f"## {say(lang, 'feedback.item', **sums)}")
        out.append(markdown(stem(problem), lang, labels))
        for part in mark.parts:
            verdict, *why = part_feedback(part, catalogue, lang)
            label = labels[part.id]
            result = standing.results[label]
            earned = {
                "label": label,
                "verdict": verdict,
                "credit": number(result.credit),
                "points": result.points,
            }
            lines = [f"**{say(lang, 'feedback.part', **earned)}**"]
            if result.kind in ("override", "discount"):
                lines.append(say(lang, "feedback.decided", why=escaped(result.why)))
            if typed := answers.get(label, "").strip():
                lines.append(say(lang, "your-answer") + _typed(problem.part(part.id), typed))
            lines.append(say(lang, "key") + _key(problem.part(part.id)))
            out.append("  \n".join([*lines, *why]))
        if problem.worked:
            title = say(lang, "worked" if problem.type == "numeric" else "explanation")
            out.append(f"*{title}*\n\n" + markdown([Words(line) for line in problem.worked], lang, labels))
    return "\n\n".join(out) + "\n"


def _typed(part: Part, typed: str) -> str:
    """What was typed, with the words of the choice that it names."""
    words = [
        choice.text for choice in part.choices if choice.label == typed.upper() and part.kind == "choice"
    ]
    return "  ".join([code(typed), *words])


def _key(part: Part) -> str:
    return code(printed_key(part)) if part.is_number else told_key(part)


class Page(NamedTuple):
    """A learner's feedback: in Markdown, and in HTML where that is installed."""

    student: str
    code: str
    text: str
    html: str = ""


def write(out: Path, book: str, pages: Sequence[Page], log: Sequence[str]) -> None:
    """Write the gradebook, every learner's feedback, and the log. Raises InputError."""
    try:
        (out / FEEDBACK).mkdir(parents=True, exist_ok=True)
        for old in [*(out / FEEDBACK).glob("*.md"), *(out / FEEDBACK).glob("*.html")]:
            old.unlink()  # pages of an earlier run must not pass for this one's
        _put(out / GRADEBOOK, book)
        _put(out / LOG, "\n".join(log) + "\n")
        for student, code, text, html in pages:
            name = student if _SAFE.fullmatch(student) and not student.startswith(".") else code
            _put(out / FEEDBACK / f"{name}.md", text)
            if html:
                _put(out / FEEDBACK / f"{name}.html", html)
    except OSError as error:
        raise InputError(f"{out}: {error.strerror}", code="not-written") from None


def _put(path: Path, text: str) -> None:
    """Write whole or not at all: a full disk never costs the file that was there."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(text, "utf-8")
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
