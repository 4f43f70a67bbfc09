"""Fragments: our HTML as elements that a content package can carry. A picture is a file beside it, with its
numbers below; nothing folds, and nothing is styled. Roots and fractions are signs, which are still there
where a platform drops MathML and keeps its text: dₖ is not √dₖ."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable, MutableMapping
from hashlib import sha256
from html import escape

from quizengine.exchange.xml_text import xml_safe

_SVG = "http://www.w3.org/2000/svg"
_PLAIN = {"details": "div", "summary": "p"}


class Pictures:
    """The pictures of a package: the files, and how a text in it points to them."""

    def __init__(self, files: MutableMapping[str, bytes], folder: str, pointer: str):
        self.files, self.folder, self.pointer = files, folder, pointer

    def keep(self, svg: ET.Element) -> ET.Element:
        """Put a picture into the package: the element that shows it."""
        for node in svg.iter():
            node.tag = node.tag.removeprefix(f"{{{_SVG}}}")
        svg.set("xmlns", _SVG)
        content = ET.tostring(svg, encoding="UTF-8", xml_declaration=True)
        name = f"{sha256(content).hexdigest()[:16]}.svg"
        self.files[self.folder + name] = content
        return ET.Element("img", src=self.pointer + name, alt=svg.get("aria-label", ""))


def fragment(tag: str, html: str, pictures: Pictures) -> ET.Element:
    """An element that holds a piece of our HTML, which is well-formed XML."""
    root = ET.fromstring(f"<{tag}>{xml_safe(html)}</{tag}>")
    _adapt(root, pictures)
    return root


def fragment_html(html: str, pictures: Pictures) -> str:
    """The same as text, for a platform that takes HTML in a text."""
    root = fragment("div", html, pictures)
    return escape(root.text or "", quote=False) + "".join(
        ET.tostring(element, encoding="unicode", method="html") for element in root
    )


def _signed(element: ET.Element) -> None:
    """A root, or a fraction, as a row of what it holds and its sign."""
    if element.tag == "msqrt":
        element[:] = [_operator("√"), _bracketed(_row(element))]
    else:
        top, bottom = element
        summed = any(node.text in ("+", "−") for node in top)
        element[:] = [_bracketed(top) if summed else top, _operator("/"), _bracketed(bottom)]
    element.tag = "mrow"


def _bracketed(part: ET.Element) -> ET.Element:
    whole = part.tag != "mrow" or len(part) == 1 or part[0].text == "√"
    return part if whole else _row([_operator("("), part, _operator(")")])


def _row(parts: Iterable[ET.Element]) -> ET.Element:
    out = ET.Element("mrow")
    out.extend(parts)
    return out


def _operator(sign: str) -> ET.Element:
    out = ET.Element("mo")
    out.text = sign
    return out


def _adapt(element: ET.Element, pictures: Pictures) -> None:
    element.attrib.pop("border", None)
    element.tag = _PLAIN.get(element.tag, element.tag)
    for place, child in enumerate(element):
        if child.tag == f"{{{_SVG}}}svg":
            after, child.tail = child.tail, None
            element[place] = pictures.keep(child)
            element[place].tail = after
        else:
            _adapt(child, pictures)
    if element.tag in ("msqrt", "mfrac"):
        _signed(element)
