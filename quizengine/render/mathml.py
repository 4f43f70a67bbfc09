"""Formulae of a page as MathML Core: no style attributes, nothing that a browser has to guess."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from html import escape
from itertools import zip_longest

from quizengine.render.page import Piece

_UNSTRETCHED = "()[]{}|"


def mathml(nodes: Sequence[Piece], alt: str) -> str:
    """A formula within a line.

    >>> mathml([["x", [["s", "d", "letter"]], [], [["s", "k", "letter"]]]], "dₖ")
    '<math alttext="dₖ"><msub><mi>d</mi><mi>k</mi></msub></math>'
    """
    return f'<math alttext="{escape(alt)}">{_nodes(nodes)}</math>'


def matrix(name: Sequence[Piece], factor: Sequence[Piece], rows: Sequence[Sequence[str]], alt: str) -> str:
    """A named matrix, its factor before it."""
    head = _nodes(name) + "<mo>=</mo>"
    head += _nodes(factor) + "<mo>×</mo>" if factor else ""
    widths = [_width(column) for column in zip(*rows, strict=True)]
    body = "".join(
        "<mtr>" + "".join(f"<mtd>{_number(x, *w)}</mtd>" for x, w in zip(row, widths, strict=True)) + "</mtr>"
        for row in rows
    )
    return (
        f'<math display="block" alttext="{escape(alt)}"><mrow>{head}'
        f"<mrow><mo>[</mo><mtable>{body}</mtable><mo>]</mo></mrow></mrow></math>"
    )


def _width(column: Sequence[str]) -> tuple[bool, int]:
    """Is there a sign in it; its most digits."""
    return any(x.startswith("−") for x in column), max(len(x.removeprefix("−")) for x in column)


@lru_cache(4096)
def _number(text: str, signed: bool, digits: int) -> str:
    """A number flush right: what it lacks in front is there, and not seen. (Browsers centre a cell.)"""
    number = text.removeprefix("−")
    sign = '<mo form="prefix">−</mo>'
    lacking = f"<mn>{'0' * (digits - len(number))}</mn>" if len(number) < digits else ""
    if number == text and signed:
        lacking = sign + lacking
    unseen = f"<mphantom>{lacking}</mphantom>" if lacking else ""
    return f"<mrow>{unseen}{sign if number != text else ''}<mn>{escape(number)}</mn></mrow>"


def _nodes(nodes: Sequence[Piece]) -> str:
    """Nodes in a row; between a name, such as ln, and what it is applied to stands a thin space."""
    out = ""
    for node, following in zip_longest(nodes, nodes[1:]):
        out += _node(node)
        if (
            node[0] == "s"
            and node[2] == "name"
            and following
            and not (following[0] == "s" and following[2] == "sign")
        ):
            out += '<mspace width="0.17em"></mspace>'
    return out


def _row(nodes: Sequence[Piece]) -> str:
    inside = _nodes(nodes)
    return inside if len(nodes) == 1 else f"<mrow>{inside}</mrow>"


def _node(node: Piece) -> str:
    match node:
        case ["f", list(top), list(bottom)]:
            return f"<mfrac>{_row(top)}{_row(bottom)}</mfrac>"
        case ["r", list(inside)]:
            return f"<msqrt>{_row(inside)}</msqrt>"
        case ["x", list(base), list(upper), []]:
            return f"<msup>{_row(base)}{_row(upper)}</msup>"
        case ["x", list(base), [], list(lower)]:
            return f"<msub>{_row(base)}{_row(lower)}</msub>"
        case ["x", list(base), list(upper), list(lower)]:
            return f"<msubsup>{_row(base)}{_row(lower)}{_row(upper)}</msubsup>"
        case [_, str(text), "number"]:
            return f"<mn>{escape(text)}</mn>"
        case [_, " ", _]:
            return '<mspace width="0.5em"></mspace>'
        case [_, str(text), "sign"]:
            stretchy = ' stretchy="false"' if text in _UNSTRETCHED else ""
            return f"<mo{stretchy}>{escape(text)}</mo>"
        case [_, str(text), _]:
            return f"<mi>{escape(text)}</mi>"
    raise TypeError(f"no formula: {node!r}")
