"""Sheets: one variant a student in Markdown, an answer key, and the manifest that grades them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from quizengine.errors import InputError
from quizengine.items.bank import Bank
from quizengine.items.item import Item
from quizengine.items.policy import Policy
from quizengine.lang.messages import say
from quizengine.lang.text import Lang
from quizengine.problems.dice import exam_seed
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem
from quizengine.render.blocks import Words, ask, points, printed_key, stem
from quizengine.render.markdown import escaped, markdown
from quizengine.sheets.manifest import Manifest, Sheet, code_of
from quizengine.sheets.roster import Student

MANIFEST, KEY, SHEETS = "manifest.json", "key.md", "sheets"


def compose(
    bank: Bank, items: Sequence[Item], students: Sequence[Student], secret: bytes, lang: Lang
) -> Manifest:
    """A sheet for every student: the same items, each posed by a seed of their own."""
    sheets: dict[str, Sheet] = {}
    for student in students:
        problems = tuple(
            pose(item, exam_seed(secret, student.id, item.id), lang, bank.catalogue) for item in items
        )
        code = code_of(secret, student.id, sheets)
        sheets[code] = Sheet(
            code, student.id, problems, tuple(map(_labels, range(1, len(items) + 1), problems))
        )
    shown = {r.misconception for s in sheets.values() for p in s.problems for r in p.rivals}
    used = {id_: m for id_, m in bank.catalogue.items() if id_ in shown}
    return Manifest(secret.hex(), Policy(), tuple(sheets.values()), used, bank.digest)


def _labels(number: int, problem: Problem) -> dict[str, str]:
    """1 for a problem of one part; 2a, 2b, … for several."""
    if len(problem.parts) == 1:
        return {problem.parts[0].id: str(number)}
    return {part.id: f"{number}{chr(97 + i)}" for i, part in enumerate(problem.parts)}


def write(manifest: Manifest, students: Sequence[Student], lang: Lang, out: Path) -> list[Path]:
    """Write sheets, key and manifest into `out`, all or nothing. Raises InputError when the
    folder already holds something."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{out} is not an empty folder: name another one", code="not-empty")
    shown, out = out, out.resolve()
    part = out.with_name(out.name + ".part")
    names = {student.id: student.name for student in students}
    try:
        (part / SHEETS).mkdir(parents=True)
        for sheet in manifest.sheets:
            text = sheet_text(sheet, names.get(sheet.student, ""), lang)
            (part / SHEETS / f"{sheet.code}.md").write_text(text, "utf-8")
        (part / KEY).write_text(key_page(manifest, lang), "utf-8")
        manifest.save(part / MANIFEST)
        if out.exists():
            out.rmdir()
        part.rename(out)
    except OSError as error:
        shutil.rmtree(part, ignore_errors=True)
        raise InputError(f"{out}: {error.strerror}", code="not-written") from None
    return sorted(shown / path.relative_to(out) for path in out.rglob("*") if path.is_file())


def sheet_text(sheet: Sheet, name: str, lang: Lang) -> str:
    """One student's sheet. It is made from the problems without their keys."""
    student = " ".join(filter(None, [escaped(sheet.student), escaped(name)]))
    out = [
        f"# {say(lang, 'sheet.title')}",
        f"{say(lang, 'sheet.student', student=student)}  \n{say(lang, 'sheet.code', code=sheet.code)}",
        f"{say(lang, 'sheet.total', points=sum(p.points for p in sheet.problems))} {say(lang, 'sheet.how')}",
    ]
    for number, (problem, labels) in enumerate(zip(sheet.problems, sheet.labels, strict=True), 1):
        blocks = stem(problem)
        for part in problem.parts:
            blocks += ask(problem, part)
        out += [f"## {number}  ({points(problem.points, lang)})", markdown(blocks, lang, labels)]
    return "\n\n".join(out) + "\n"


def key_page(manifest: Manifest, lang: Lang) -> str:
    """The key of every sheet: answers, worked solutions, what mistakes would give."""
    out = [f"# {say(lang, 'sheet.key-title')}"]
    for sheet in manifest.sheets:
        out.append(f"## {sheet.code}  {escaped(sheet.student)}")
        for problem, labels in zip(sheet.problems, sheet.labels, strict=True):
            lines = [f"- **{labels[part.id]}**  {printed_key(part)}" for part in problem.parts]
            out.append("\n".join(lines))
            out.append(markdown([Words(line) for line in problem.worked], lang, labels))
    text = "\n\n".join(filter(None, out)) + "\n"
    return re.sub(r"\n{3,}", "\n\n", text)
