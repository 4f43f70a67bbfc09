"""A sheet and a key in Markdown, which needs nothing else installed."""

from __future__ import annotations

import re
from collections.abc import Iterable

from quizengine.items.policy import Policy
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.problems.memory import once
from quizengine.problems.problem import Problem
from quizengine.render.blocks import Words, ask, marker_key, points, stem
from quizengine.render.markdown import escaped, markdown
from quizengine.sheets.manifest import Manifest, Sheet
from quizengine.sheets.overview import entry, tables
from quizengine.sheets.paper import Labels, asked, extra_time, named, plain, sections, total


def sheet_text(manifest: Manifest, sheet: Sheet, lang: Lang) -> str:
    """The sheet of one student, in Markdown."""
    heading = manifest.heading
    problems = asked(sheet, lang)
    student = " ".join(filter(None, [escaped(sheet.student), escaped(sheet.name)]))
    about = map(escaped, filter(None, [heading.course[lang], heading.date]))
    time = t(lang, "sheet.minutes", minutes=heading.minutes) if heading.minutes else ""
    out = [
        f"# {escaped(heading.title[lang]) or t(lang, 'sheet.title')}",
        "  ".join(about),
        f"{t(lang, 'sheet.student', student=student)}  \n{t(lang, 'sheet.code', code=sheet.code)}",
        *map(escaped, plain(heading.instructions[lang])),
        " ".join(
            filter(
                None, [total(problems, lang), time, extra_time(manifest, sheet, lang), t(lang, "sheet.how")]
            )
        ),
    ]
    for title, places in sections(manifest, len(problems)):
        out.append(f"## {escaped(title[lang])}" if title[lang] else "")
        for i in places:
            out.append(_problem(problems[i], i + 1, named(sheet.labels[i]), manifest.policy))
    return "\n\n".join(filter(None, out)) + "\n"


@once
def _problem(problem: Problem, number: int, labels: Labels, policy: Policy) -> str:
    blocks = stem(problem)
    for part in problem.parts:
        blocks += ask(problem, part, policy)
    title = f"### {number}  ({points(problem.points, problem.lang)})"
    return f"{title}\n\n{markdown(blocks, problem.lang, dict(labels))}"


def key_page(sheets: Iterable[Sheet], lang: Lang) -> str:
    """The key of these sheets: answers, worked solutions, what mistakes would give."""
    entries, keys = [], []
    for sheet in sheets:  # one at a time is in memory
        entries.append(entry(sheet, lang))
        keys.append(f"## {sheet.code}  {escaped(sheet.student)}")
        for problem, labels in zip(sheet.in_language(lang), sheet.labels, strict=True):
            lines = [f"- **{labels[part.id]}**  {marker_key(part, lang)}" for part in problem.parts]
            keys.append("\n".join(lines))
            keys.append(markdown([Words(line) for line in problem.worked], lang, labels))
    out = [f"# {t(lang, 'sheet.key-title')}"]
    for table in tables(entries):
        heads = [t(lang, "sheet.code-label"), t(lang, "sheet.id"), t(lang, "sheet.name"), *table.labels]
        rows = ([who.code, escaped(who.student), escaped(who.name), *row] for who, row in table.rows)
        lines = ["| " + " | ".join(cells) + " |" for cells in (heads, ["--"] * len(heads), *rows)]
        out.append("\n".join(lines))
    text = "\n\n".join(filter(None, [*out, *keys])) + "\n"
    return re.sub(r"\n{3,}", "\n\n", text)
