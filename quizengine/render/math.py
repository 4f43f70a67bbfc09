"""Formulae in Unicode, every character one cell wide: on one line, or with fractions in two storeys."""

from __future__ import annotations

from typing import NamedTuple

from quizengine.items.markup import Formula, Fraction, Node, Root, Script, Symbol

_UP = dict(zip("0123456789+−=()nTih", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿᵀⁱʰ", strict=True))
_DOWN = dict(zip("0123456789+−=()aeijklmnoprtuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑᵢⱼₖₗₘₙₒₚᵣₜᵤᵥₓ", strict=True))
_SPACED = "=≈<>≤≥≠→∈∝∼⇒+·×±"


def unicode_math(formula: Formula) -> str:
    """The formula on one line.

    >>> from quizengine.items.markup import parse
    >>> unicode_math(parse(r"$\\frac{QK^T}{\\sqrt{d_k}} + M$")[0][0].formula)
    'QKᵀ/√dₖ + M'
    """
    out = ""
    for index, node in enumerate(formula):
        text = _node(node)
        if isinstance(node, Symbol) and node.kind == "sign" and text in _SPACED and index:
            out = out.rstrip() + f" {text} "
        elif isinstance(node, Symbol) and node.kind == "sign" and text == "−" and _binary(formula, index):
            out = out.rstrip() + " − "
        elif _is_name(node):
            out += (" " if out and (out[-1].isalnum() or out[-1] in ")ᵀ") else "") + text
            follows = formula[index + 1 : index + 2]
            if follows and not (isinstance(follows[0], Symbol) and follows[0].kind == "sign"):
                out += " "
        elif isinstance(node, Symbol) and text == ",":
            out += ", "
        else:
            out += text
    return " ".join(out.split())


def _is_name(node: Node) -> bool:
    base = node.base[0] if isinstance(node, Script) and node.base else node
    return isinstance(base, Symbol) and base.kind == "name"


def _binary(formula: Formula, index: int) -> bool:
    if index == 0:
        return False
    before = formula[index - 1]
    return not (isinstance(before, Symbol) and before.kind == "sign" and before.text not in ")]")


def _node(node: Node) -> str:
    match node:
        case Symbol(text=text):
            return text
        case Root(inside=inside):
            return "√" + _grouped(inside)
        case Fraction(top=top, bottom=bottom):
            return _grouped(top, product=True) + "/" + _grouped(bottom)
        case Script(base=base, upper=upper, lower=lower):
            return _grouped(base) + _script(lower, _DOWN, "_") + _script(upper, _UP, "^")


def _script(formula: Formula, table: dict[str, str], sign: str) -> str:
    if not formula:
        return ""
    text = unicode_math(formula).replace(" ", "")
    if all(c in table for c in text):
        return "".join(table[c] for c in text)
    return sign + (text if text.isalnum() else f"({text})")


def _grouped(formula: Formula, *, product: bool = False) -> str:
    """In round brackets, unless it holds together without them."""
    text = unicode_math(formula)
    single = len(formula) == 1 and not isinstance(formula[0], Fraction)
    return text if single or (product and not any(c in text for c in " +−=")) else f"({text})"


class _Box(NamedTuple):
    """Lines of equal width, and which of them stands on the line of the text."""

    lines: tuple[str, ...]
    base: int


def stacked(formula: Formula) -> list[str]:
    """The formula with its outer fractions as two storeys; one line where there are none.

    >>> from quizengine.items.markup import parse
    >>> print("\\n".join(stacked(parse(r"$w=\\frac{a}{b+c}+1$")[0][0].formula)))
          a
    w = ───── + 1
        b + c
    """
    boxes: list[_Box] = []
    run: list[Node] = []
    for node in (*formula, None):
        if node is not None and not isinstance(node, Fraction):
            run.append(node)
            continue
        if run:
            before, after = " " * bool(boxes), " " * (node is not None)
            boxes.append(_Box((before + _run(run, bool(boxes)) + after,), 0))
            run = []
        if node is not None:
            boxes.append(_storeys(unicode_math(node.top), unicode_math(node.bottom)))
    return [line.rstrip() for line in _beside(boxes).lines]


def _run(nodes: list[Node], follows: bool) -> str:
    """A piece of a formula between two fractions: a sign at its beginning is one between two values."""
    if follows and isinstance(nodes[0], Symbol) and nodes[0].kind == "sign":
        return f"{_node(nodes[0])} {unicode_math(tuple(nodes[1:]))}".rstrip()
    return unicode_math(tuple(nodes))


def _storeys(top: str, bottom: str) -> _Box:
    width = max(len(top), len(bottom))
    return _Box((top.center(width), "─" * width, bottom.center(width)), 1)


def _beside(boxes: list[_Box]) -> _Box:
    above = max(box.base for box in boxes)
    below = max(len(box.lines) - box.base for box in boxes)
    lines = [""] * (above + below)
    for box in boxes:
        blank = " " * len(box.lines[0])
        for i in range(above + below):
            inside = 0 <= i - above + box.base < len(box.lines)
            lines[i] += box.lines[i - above + box.base] if inside else blank
    return _Box(tuple(lines), above)
