"""A sheet and a key in Markdown, which needs nothing else installed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.render.blocks import Words, ask, marker_key, points, stem
from quizengine.render.markdown import escaped, markdown
from quizengine.sheets.manifest import Manifest, Sheet
from quizengine.sheets.overview import tables
from quizengine.sheets.paper import asked, extra_time, plain, sections, total


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
            blocks = stem(problems[i])
            for part in problems[i].parts:
                blocks += ask(problems[i], part, manifest.policy)
            title_line = f"### {i + 1}  ({points(problems[i].points, lang)})"
            out += [title_line, markdown(blocks, lang, sheet.labels[i])]
    return "\n\n".join(filter(None, out)) + "\n"


def key_page(sheets: Sequence[Sheet], lang: Lang) -> str:
    """The key of these sheets: answers, worked solutions, what mistakes would give."""
    out = [f"# {t(lang, 'sheet.key-title')}"]
    for table in tables(sheets, lang):
        heads = [t(lang, "sheet.code-label"), t(lang, "sheet.id"), t(lang, "sheet.name"), *table.labels]
        rows = ([row.code, escaped(row.student), escaped(row.name), *row.keys] for row in table.rows)
        lines = ["| " + " | ".join(cells) + " |" for cells in (heads, ["--"] * len(heads), *rows)]
        out.append("\n".join(lines))
    for sheet in sheets:
        out.append(f"## {sheet.code}  {escaped(sheet.student)}")
        for problem, labels in zip(sheet.in_language(lang), sheet.labels, strict=True):
            lines = [f"- **{labels[part.id]}**  {marker_key(part, lang)}" for part in problem.parts]
            out.append("\n".join(lines))
            out.append(markdown([Words(line) for line in problem.worked], lang, labels))
    text = "\n\n".join(filter(None, out)) + "\n"
    return re.sub(r"\n{3,}", "\n\n", text)
