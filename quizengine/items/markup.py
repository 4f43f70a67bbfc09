"""Bank text: paragraphs, **bold**, `code`, and $…$ in a whitelisted TeX subset, parsed once.

Writers (terminal, and later MathML and Typst) walk the nodes; none of them sees TeX.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple, TypeAlias


class Span(NamedTuple):
    """Words as they stand; `style` is "", "bold" or "code"."""

    text: str
    style: str = ""


class Symbol(NamedTuple):
    """A letter, number, sign or upright name of a formula."""

    text: str
    kind: str  # letter, number, sign, name


class Script(NamedTuple):
    """A base with an upper and a lower row."""

    base: Formula
    upper: Formula = ()
    lower: Formula = ()


class Fraction(NamedTuple):
    """One formula over another."""

    top: Formula
    bottom: Formula


class Root(NamedTuple):
    """A square root."""

    inside: Formula


Node: TypeAlias = Symbol | Script | Fraction | Root
Formula: TypeAlias = tuple[Node, ...]


class Math(NamedTuple):
    """A formula within a line."""

    formula: Formula


Inline: TypeAlias = Span | Math
Paragraph: TypeAlias = tuple[Inline, ...]

SIGNS = {
    "cdot": "·", "times": "×", "le": "≤", "ge": "≥", "ne": "≠", "approx": "≈", "infty": "∞",
    "to": "→", "in": "∈", "ldots": "…", "dots": "…", "cdots": "⋯", "sum": "∑", "propto": "∝",
    "pm": "±", "sim": "∼", "Rightarrow": "⇒", "quad": " ", "odot": "⊙", "partial": "∂",
}  # fmt: skip
LETTERS = {
    "alpha": "α", "beta": "β", "sigma": "σ", "mu": "μ", "pi": "π", "tau": "τ", "theta": "θ", "phi": "φ",
    "delta": "δ", "epsilon": "ε",
    "ell": "ℓ", "top": "⊤",
}  # fmt: skip
NAMES = ("exp", "ln", "log", "max", "min", "tanh", "softmax", "Var", "Concat")
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|[A-Za-z]|[{}^_]|\s+|.")


class TextFault(ValueError):
    """A text that cannot be parsed; `at` is the place of the fault in it, from 0."""

    def __init__(self, message: str, at: int):
        super().__init__(message)
        self.at = at


@lru_cache(maxsize=1024)
def parse(text: str) -> tuple[Paragraph, ...]:
    """The paragraphs of a bank text. Raises TextFault with the place.

    >>> parse("**Scores**: $q$")[0][2]
    Math(formula=(Symbol(text='q', kind='letter'),))
    """
    paragraphs, at = [], 0
    for block in re.split(r"(\n\s*\n)", text.strip("\n")):
        if block.strip():
            paragraphs.append(_paragraph(block, at))
        at += len(block)
    return tuple(paragraphs)


def _paragraph(block: str, start: int) -> Paragraph:
    nodes: list[Inline] = []
    at = 0
    while at < len(block):
        mark = next((m for m in ("**", "$", "`") if block.startswith(m, at)), "")
        if not mark:
            end = min((i for m in ("**", "$", "`") if (i := block.find(m, at)) >= 0), default=len(block))
            nodes.append(Span(block[at:end]))
            at = end
            continue
        end = block.find(mark, at + len(mark))
        if end < 0:
            raise TextFault(f"“{mark}” is opened and never closed", start + at)
        inside = block[at + len(mark) : end]
        if mark == "$":
            nodes.append(Math(_Parser(inside, start + at + 1).all()))
        else:
            nodes.append(Span(inside, "bold" if mark == "**" else "code"))
        at = end + len(mark)
    return tuple(nodes)


class _Parser:
    """Recursive descent over one formula."""

    def __init__(self, source: str, start: int):
        self.tokens = [(m.group(), start + m.start()) for m in _TOKEN.finditer(source) if m.group().strip()]
        self.end = start + len(source)
        self.i = 0

    def all(self) -> Formula:
        formula = self.row()
        if self.i < len(self.tokens):
            raise TextFault("“}” closes nothing", self.tokens[self.i][1])
        return formula

    def row(self) -> Formula:
        nodes: list[Node] = []
        while self.i < len(self.tokens) and self.tokens[self.i][0] != "}":
            token, at = self.tokens[self.i]
            if token in "^_":
                if not nodes:
                    raise TextFault(f"“{token}” follows nothing", at)
                nodes.append(self.scripts(nodes.pop()))
            else:
                nodes.extend(self.atom())
        return tuple(nodes)

    def scripts(self, base: Node) -> Script:
        rows: dict[str, Formula] = {}
        while self.i < len(self.tokens) and (token := self.tokens[self.i][0]) in "^_":
            if token in rows:
                raise TextFault(f"a second “{token}”", self.tokens[self.i][1])
            self.i += 1
            rows[token] = self.atom()
        return Script((base,), rows.get("^", ()), rows.get("_", ()))

    def atom(self) -> Formula:
        if self.i >= len(self.tokens):
            raise TextFault("the formula ends where something must follow", self.end)
        token, at = self.tokens[self.i]
        self.i += 1
        if token == "{":
            inside = self.row()
            if self.i >= len(self.tokens):
                raise TextFault("“{” is never closed", at)
            self.i += 1
            return inside
        if token.startswith("\\"):
            return (self.command(token[1:], at),)
        if token in "}^_":
            raise TextFault(f"“{token}” stands where something else must", at)
        kind = "number" if token[0].isdigit() else "letter" if token.isalpha() else "sign"
        return (Symbol("′" if token == "'" else "−" if token == "-" else token, kind),)

    def command(self, name: str, at: int) -> Node:
        if name == "sqrt":
            return Root(self.atom())
        if name == "frac":
            return Fraction(self.atom(), self.atom())
        if name in ("mathrm", "text", "operatorname"):
            return Symbol("".join(n.text for n in self.atom() if isinstance(n, Symbol)), "name")
        if name in NAMES:
            return Symbol(name, "name")
        if name in SIGNS:
            return Symbol(SIGNS[name], "sign")
        if name in LETTERS:
            return Symbol(LETTERS[name], "letter")
        if name in "{}%,;$":
            return Symbol(" " if name in ",;" else name, "sign")
        raise TextFault(f"“\\{name}” is not in the TeX subset", at)
