"""Formulae as one line of Unicode, every character one cell wide."""

from __future__ import annotations

from quizengine.items.text import Formula, Fraction, Node, Root, Script, Symbol

_UP = dict(zip("0123456789+−=()nTih", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿᵀⁱʰ", strict=True))
_DOWN = dict(zip("0123456789+−=()aeijklmnoprtuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑᵢⱼₖₗₘₙₒₚᵣₜᵤᵥₓ", strict=True))
_SPACED = "=≈<>≤≥≠→∈∝∼⇒+·×±"


def unicode_math(formula: Formula) -> str:
    """The formula on one line.

    >>> from quizengine.items.text import parse
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
