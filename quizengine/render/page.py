"""A problem as plain data for a page: what Typst and HTML templates walk. Nothing in it tells the key."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from quizengine.items.markup import Formula, Fraction, Inline, Math, Node, Root, Script, Span, Symbol, parse
from quizengine.items.policy import Policy
from quizengine.lang.json import Json
from quizengine.lang.messages import CATALOGUE, name, say_rows, t
from quizengine.lang.quotation import Quoted, Sentence
from quizengine.lang.text import Lang
from quizengine.problems.layout import layout
from quizengine.problems.part import Kind, Label, NumbersPart, NumericPart, Part, labels_of
from quizengine.problems.problem import Problem
from quizengine.render.blocks import (
    Block,
    Code,
    Matrix,
    Picture,
    Table,
    Words,
    joined,
    notes,
    points,
    stem,
)
from quizengine.render.heat import alt, table
from quizengine.render.math import unicode_math
from quizengine.render.svg import heat_svg

Data: TypeAlias = dict[str, Json]
Piece: TypeAlias = "list[str | list[Piece]]"  # of a line or a formula: what it is, then its texts and pieces
_FILLED_IN: Mapping[Kind, Kind] = {
    "construct": "array",
    "estimate": "number",
}  # kinds that are written as another is
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uff00-\uff60々〆]")
_FORMULA = re.compile(r"([A-Za-z])_([A-Za-z])")


def sentence(text: Sentence) -> list[Piece]:
    """A sentence as one line of nodes; what it quotes is words."""
    out: list[Piece] = []
    for piece in text:
        if isinstance(piece, Quoted) or piece.isspace():
            out.append(["t", piece.shown if isinstance(piece, Quoted) else piece])
        else:
            out += [node for line in paragraphs(piece) for node in line]
    return out


@lru_cache(1024)
def paragraphs(text: str) -> Sequence[Sequence[Piece]]:
    """Bank text as paragraphs of nodes: ["t", words], ["b", bold], ["c", code], ["m", formula, alt],
    ["sp"] (a thin space between a wide character and a formula)."""
    return [_line(paragraph) for paragraph in parse(text)]


def _line(nodes: Sequence[Inline]) -> Sequence[Piece]:
    out: list[Piece] = []
    for i, node in enumerate(nodes):
        if isinstance(node, Span):
            text = re.sub(r"(?<=[^\x00-\x7f])\n(?=[^\x00-\x7f])", "", node.text).replace("\n", " ")
            out.append([{"": "t", "bold": "b", "code": "c"}[node.style], text])
            continue
        before, after = nodes[i - 1 : i], nodes[i + 1 : i + 2]
        space_before = before and isinstance(before[0], Span) and _WIDE.match(before[0].text[-1:])
        space_after = after and isinstance(after[0], Span) and _WIDE.match(after[0].text[:1])
        out += [["sp"]] if space_before else []
        out.append(math(node))
        out += [["sp"]] if space_after else []
    return out


def math(node: Math) -> Piece:
    """A formula with the line that says the same."""
    return ["m", formula(node.formula), unicode_math(node.formula)]


def formula(nodes: Formula) -> list[Piece]:
    """A formula as nested lists: ["s", text, kind], ["f", top, bottom], ["r", inside],
    ["x", base, upper, lower]."""
    return [_node(node) for node in nodes]


def _node(node: Node) -> Piece:
    match node:
        case Symbol(text, kind):
            return ["s", text, kind]
        case Fraction(top, bottom):
            return ["f", formula(top), formula(bottom)]
        case Root(inside):
            return ["r", formula(inside)]
        case Script(base, upper, lower):
            return ["x", formula(base), formula(upper), formula(lower)]


def problem_page(
    problem: Problem, number: int, labels: Mapping[str, str], policy: Policy | None = None
) -> Data:
    """A problem as it is printed: stem, then its parts with what they are answered in."""
    return {
        "number": number,
        "item": problem.item,
        "lang": problem.lang,
        "points": points(problem.points, problem.lang),
        "numeric": problem.type == "numeric",
        "prompt": paragraphs(problem.prompt),
        "conventions": _conventions(problem),
        "stem": [_block(block) for block in stem(problem) if not isinstance(block, Words)],
        "parts": [_part(problem, part, labels[part.id], policy) for part in problem.parts],
    }


def matrices(problem: Problem) -> list[Data]:
    """The matrices that a problem gives, as they stand in its stem."""
    return [_block(block) for block in stem(problem) if isinstance(block, Matrix)]


def _conventions(problem: Problem) -> list[Piece]:
    """What is agreed, as one line."""
    out: list[Piece] = []
    for convention in problem.conventions:
        out += [["t", " "]] if out and problem.lang != "ja" else []
        out += _cell(convention)
    return out


def _block(block: Block) -> Data:
    match block:
        case Code(text):
            return {"kind": "code", "text": text}
        case Table(rows):
            return {"kind": "table", "rows": [[_cell(cell) for cell in row] for row in rows]}
        case Picture():
            return {"kind": "picture", "svg": heat_svg(block), "alt": alt(block), "rows": table(block)}
        case Matrix(given, factor, rows):
            called = name("matrix", given, block.lang)
            return {
                "kind": "matrix",
                "name": _name(called),
                "factor": formula(_factor(factor)),
                "rows": [list(row) for row in rows],
                "alt": f"{called} = " + (f"{factor} × " if factor else "") + _spoken(rows),
            }
        case _:
            raise TypeError(f"no page form for {block!r}")


def _cell(text: str) -> Sequence[Piece]:
    [line] = paragraphs(text) or [[]]
    return line


def _name(name: str) -> list[Piece]:
    """A given's name as a formula: W_Q, v_a; a word such as mask stands upright."""
    if found := _FORMULA.fullmatch(name):
        return [["x", [["s", found[1], "letter"]], [], [["s", found[2], "letter"]]]]
    return [["s", name, "letter" if len(name) == 1 else "name"]]


def _factor(factor: str) -> Formula:
    """A factor such as “ln 2” or “1/2”."""
    nodes: list[Node] = []
    for word in factor.split():
        nodes.append(Symbol(word, "sign" if word == "·" else "name" if word.isalpha() else "number"))
    return tuple(nodes)


def _spoken(rows: Sequence[Sequence[str]]) -> str:
    return "; ".join(", ".join(row) for row in rows)


def _part(problem: Problem, part: Part, label: str, policy: Policy | None) -> Data:
    letters = [choice for choice in labels_of(part) if not choice.label.isdecimal()]
    numbers = [choice for choice in labels_of(part) if choice.label.isdecimal()]
    return {
        "label": label,
        "id": part.id,
        "kind": _FILLED_IN.get(part.kind, part.kind),
        "prompt": _cell(part.prompt),
        "points": points(part.points, problem.lang) if len(problem.parts) > 1 else "",
        "notes": joined(notes(problem, part, policy)),
        "choices": list(map(_choice, letters)),
        "others": list(map(_choice, numbers)),
        "shape": list(part.shape) if isinstance(part, NumbersPart) else [],
        "asked": _asked(problem, part) if isinstance(part, NumbersPart) else {},
        "answer": t(problem.lang, "sheet.answer", label=label),
    }


def _asked(problem: Problem, part: NumbersPart) -> Data:
    """What its reader goes by, and what it says of a text that holds more or less than was asked."""
    rows = say_rows(problem.lang, part.rows) if isinstance(part, NumericPart) and part.rows else ""
    said: Data = {code: t(problem.lang, f"told.{code}", rows=rows) for code in ("rows", "hidden")}
    return {**layout(part).to_json(), "said": said}


def _choice(choice: Label) -> Data:
    return {"label": choice.label, "text": _cell(choice.text)}


def words(lang: Lang, *names: str) -> dict[str, str]:
    """Messages of a template, by the last part of their names; their values are filled in on the page."""
    return {name.split(".")[-1].replace("-", "_"): CATALOGUE[lang][name] for name in names}
