"""A sheet to be filled in and a key, as pages for a browser: problems without numbers are laid out once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from quizengine.items.policy import Policy
from quizengine.lang.text import Lang
from quizengine.problems.memory import once
from quizengine.problems.problem import Problem
from quizengine.render.html import key_html, key_problem_html, problem_html, sheet_html
from quizengine.render.page import problem_page
from quizengine.sheets.manifest import Manifest, Sheet
from quizengine.sheets.overview import entry, overview_data
from quizengine.sheets.paper import Labels, about, asked, frame, key_problem, named, sections, total, who_data

if TYPE_CHECKING:
    from markupsafe import Markup


def sheet_page(manifest: Manifest, sheet: Sheet, languages: Sequence[Lang]) -> str:
    """The sheet of one student, to be filled in, in these languages."""
    return sheet_html({lang: _in_language(manifest, sheet, lang) for lang in languages})


def _in_language(manifest: Manifest, sheet: Sheet, lang: Lang) -> Mapping[str, object]:
    problems, policy = asked(sheet, lang), manifest.policy
    shown = [
        {
            "title": title[lang],
            "problems": [
                _problem(problems[i], i + 1, named(sheet.labels[i]), policy, titled=bool(title[lang]))
                for i in places
            ],
        }
        for title, places in sections(manifest, len(problems))
    ]
    return frame(manifest, "sheet", lang) | about(manifest, sheet, problems, lang) | {"sections": shown}


@once
def _problem(problem: Problem, number: int, labels: Labels, policy: Policy, *, titled: bool) -> Markup:
    return problem_html(problem_page(problem, number, dict(labels), policy), problem.lang, titled=titled)


def keys_page(manifest: Manifest, sheets: Iterable[Sheet]) -> str:
    """The key of these sheets, under a table of all their answers."""
    lang = manifest.heading.languages[0]
    page = frame(manifest, "key", lang)

    @once
    def shown(problem: Problem, number: int, labels: Labels) -> Markup:
        return key_problem_html(key_problem(manifest, problem, number, dict(labels)), page["words"])

    entries, keys = [], []
    for sheet in sheets:  # one at a time is in memory
        entries.append(entry(sheet, lang))
        problems = sheet.in_language(lang)
        placed = zip(problems, sheet.labels, strict=True)
        own = [shown(problem, number, named(labels)) for number, (problem, labels) in enumerate(placed, 1)]
        keys.append({**who_data(sheet), "total": total(problems, lang), "problems": own})
    return key_html({**page, **overview_data(entries), "sheets": keys})
