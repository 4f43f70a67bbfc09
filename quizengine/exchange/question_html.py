"""A problem as HTML for another platform: formulae are MathML, nothing needs a style or a script of ours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any

from quizengine.items.policy import Policy
from quizengine.lang.messages import t
from quizengine.problems.part import Label, Part, labels_of
from quizengine.problems.problem import Problem
from quizengine.render.blocks import joined, notes
from quizengine.render.html import inline
from quizengine.render.mathml import mathml, matrix
from quizengine.render.page import Piece, paragraphs, problem_page

_GUIDED = {  # kinds that may have boxes of their own: how they are answered else, and there
    "order": ("ask.ordering", "export.order"),
    "pairs": ("ask.matching", "export.pairs"),
    "tiers": ("ask.answer_and_reason", "export.tiers"),
}
_STOPS = tuple(".?!:。？！：")


def line(text: str) -> str:
    """Bank text as one line of HTML.

    >>> line("**a** < `b`")
    '<strong>a</strong> &lt; <code>b</code>'
    """
    pieces: list[Piece] = []
    for paragraph in paragraphs(text):
        pieces += [["t", " "], *paragraph] if pieces else paragraph
    return inline(pieces)


def stem_html(problem: Problem, *, tables: bool = False) -> str:
    """What is asked, before its parts: prompt, conventions, program, table, pictures and matrices, which are
    formulae or, for readers that take formulae for words in a row, `tables`."""
    page: Mapping[str, Any] = problem_page(problem, 0, {part.id: "" for part in problem.parts})
    out = [f"<p>{inline(paragraph)}</p>" for paragraph in page["prompt"]]
    out += [f"<p>{inline(page['conventions'])}</p>"] if page["conventions"] else []
    for block in page["stem"]:
        out.append(_matrix_table(block) if tables and block["kind"] == "matrix" else _block(block))
    return "".join(out)


def unpromised(problem: Problem) -> Problem:
    """The problem as a platform poses it that marks it itself: without the promise of a share for one
    decimal fewer."""
    promise = t(problem.lang, "convention.decimals")
    return problem._replace(conventions=tuple(said for said in problem.conventions if said != promise))


def _block(block: Mapping[str, Any]) -> str:
    match block["kind"]:
        case "code":
            return f"<pre><code>{escape(block['text'], quote=False)}</code></pre>"
        case "table":
            head, *body = ([inline(cell) for cell in row] for row in block["rows"])
            return _table(head, body)
        case "picture":
            head, *body = block["rows"]
            said = f"<summary>{escape(block['alt'])}</summary>{_table(head, body)}"
            return f"<p>{block['svg']}</p><details>{said}</details>"
        case _:
            return f"<p>{matrix(block['name'], block['factor'], block['rows'], block['alt'])}</p>"


def _matrix_table(block: Mapping[str, Any]) -> str:
    """A named matrix, its factor before it, every number in a cell of its own."""
    called, _, rest = block["alt"].partition(" = ")
    head = f"{mathml(block['name'], called)} ="
    if block["factor"]:
        head += f" {mathml(block['factor'], rest.partition(' × ')[0])} ×"
    return f"<p>{head}</p><table><tbody>{_rows(map(escape, row) for row in block['rows'])}</tbody></table>"


def _table(head: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    """A table of cells that are HTML already."""
    top = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    return f'<table border="1"><thead><tr>{top}</tr></thead><tbody>{_rows(body)}</tbody></table>'


def _rows(body: Iterable[Iterable[str]]) -> str:
    return "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in body)


def ask_html(problem: Problem, part: Part, policy: Policy, *, own: bool) -> str:
    """What one part asks, and what is accepted; `own`, where it has boxes of its own kind, which say how."""
    prompt = part.prompt
    if own and part.kind in _GUIDED:
        typed, there = (t(problem.lang, message) for message in _GUIDED[part.kind])
        prompt = prompt.replace(typed, there)
    asked, accepted = line(prompt), escape(joined(notes(problem, part, policy)))
    if asked and accepted and not prompt.rstrip().endswith(_STOPS):
        asked += t(problem.lang, "export.stop")
    said = joined([*filter(None, [asked, accepted])])
    return f"<p>{said}</p>" if said else ""


def choice_html(choice: Label) -> str:
    """A choice behind its letter, by which a report is read in any language."""
    return f"{choice.label}. {line(choice.text)}"


def listed_choices(part: Part) -> str:
    """The choices, where they are answered by their letters."""
    return "".join(f"<p>{choice_html(choice)}</p>" for choice in labels_of(part))


def bullets(lines: Iterable[str]) -> Iterator[str]:
    """A list, where there is anything in it."""
    items = "".join(f"<li>{one}</li>" for one in lines)
    if items:
        yield f"<ul>{items}</ul>"
