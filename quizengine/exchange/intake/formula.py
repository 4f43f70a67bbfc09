"""A formula in MathML as TeX of a bank, where that has the signs for it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable

from quizengine.exchange.intake.question import NotCarried
from quizengine.items.markup import LETTERS, NAMES, SIGNS

_COMMANDS = {sign: f"\\{name}" for name, sign in reversed((SIGNS | LETTERS).items()) if sign.strip()}
_COMMANDS |= {
    "−": "-",
    "–": "-",
    "′": "'",
    "∗": "*",
    "{": "\\{",
    "}": "\\}",
    "%": "\\%",
    "\xa0": "\\,",
    " ": "\\,",
}
_COMMAND = re.compile(r"\\([A-Za-z]+|[ !:])")
_SYNONYMS = {
    **{
        "neq": "\\ne",
        "leq": "\\le",
        "geq": "\\ge",
        "rightarrow": "\\to",
        "dfrac": "\\frac",
        "tfrac": "\\frac",
    },
    **dict.fromkeys(("left", "right", "big", "bigl", "bigr", "Big", "Bigl", "Bigr", "displaystyle", "!"), ""),
    **dict.fromkeys((" ", ":"), "\\,"),
}
_INVISIBLE = str.maketrans("", "", "\u2061\u2062\u2063\u2064")
_ASIS = re.compile(r"[-+*/=<>()\[\]|,.;:!'?]+")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9 ]*")
_WIDE = 0.3  # em: a narrower space stands between a name and what it is applied to


def tex(element: ET.Element) -> str:
    """The TeX of an element, and of all in it. Raises NotCarried.

    >>> tex(ET.fromstring("<math><msub><mi>d</mi><mi>k</mi></msub></math>"))
    'd_k'
    """
    children = list(element)
    match element.tag.rpartition(":")[2]:
        case "math" | "mrow" | "mstyle" | "mpadded":
            return _row(map(tex, children))
        case "semantics" if children:
            return tex(children[0])
        case "mi" | "mn" | "mo" | "mtext" if not children:
            return _token(element.tag.rpartition(":")[2], "".join(element.itertext()))
        case "mspace":
            return "\\," if _width(element.get("width", "")) > _WIDE else ""
        case "msup" | "msub" if len(children) == 2:
            base, raised = map(tex, children)
            return f"{_base(base)}{'^' if element.tag.endswith('p') else '_'}{_group(raised)}"
        case "msubsup" if len(children) == 3:
            base, lower, upper = map(tex, children)
            return f"{_base(base)}_{_group(lower)}^{_group(upper)}"
        case "mfrac" if len(children) == 2:
            top, bottom = map(tex, children)
            return f"\\frac{{{top}}}{{{bottom}}}"
        case "msqrt":
            return f"\\sqrt{{{_row(map(tex, children))}}}"
    raise NotCarried("mathml")


def _width(text: str) -> float:
    found = re.match(r"(\d*\.?\d+)em", text)
    return float(found[1]) if found else 1


def _row(parts: Iterable[str]) -> str:
    """Parts in a row; a command ends where no letter follows it."""
    out = ""
    for part in parts:
        out += f" {part}" if re.search(r"\\[A-Za-z]+$", out) and part[:1].isalpha() else part
    return out


def _group(inside: str) -> str:
    return inside if len(inside) == 1 or re.fullmatch(r"\\[A-Za-z]+", inside) else f"{{{inside}}}"


def _base(inside: str) -> str:
    """What a script stands at: a letter, a number, a command, or a group of them."""
    if re.fullmatch(r"[^\\{}^_ ]|\d+(\.\d+)?|\\[A-Za-z]+(\{[^{}]*\})?", inside):
        return inside
    return f"{{{inside}}}"


def _token(tag: str, text: str) -> str:
    text = text.translate(_INVISIBLE).strip() if tag != "mtext" else text.strip()
    if not text:
        return ""
    if text in _COMMANDS:
        return _COMMANDS[text]
    if text in NAMES:
        return f"\\{text}"
    if tag == "mn" and re.fullmatch(r"\d+(\.\d+)?", text, re.ASCII):
        return text
    if len(text) == 1 and text.isascii() and text.isalpha():
        return text if tag != "mtext" else f"\\mathrm{{{text}}}"
    if _WORD.fullmatch(text):
        return f"\\mathrm{{{text}}}"
    if _ASIS.fullmatch(text) or (len(text) == 1 and text.isprintable() and not text.isascii()):
        return text
    raise NotCarried("mathml")


def plain_tex(text: str) -> str:
    """TeX as others write it, in the words of a bank's, as far as they mean the same.

    >>> plain_tex(r"\\left( a \\neq b \\right)"), plain_tex(r"\\nequal")
    ('( a \\\\ne b )', '\\\\nequal')
    """
    return _COMMAND.sub(lambda found: _SYNONYMS.get(found[1], found[0]), text).strip()


def tex_of_plain(text: str) -> str:
    """A word, number or sign as it stands in a formula: of several letters it is upright. Raises NotCarried.

    >>> tex_of_plain("model"), tex_of_plain("i−1")
    ('\\\\mathrm{model}', 'i-1')
    """
    parts = re.findall(r"[A-Za-z]+|\d+(?:\.\d+)?|[-+−,=()']|\s+|.", text.strip())
    if not parts:
        raise NotCarried("script")
    out = []
    for part in parts:
        if part.isspace():
            continue
        if part.isascii() and part.isalpha():
            out.append(part if len(part) == 1 else f"\\mathrm{{{part}}}")
        elif part[0].isdecimal() or part in "-+,=()'":
            out.append(part)
        elif part in _COMMANDS:
            out.append(_COMMANDS[part])
        else:
            raise NotCarried("script")
    return _row(out)
