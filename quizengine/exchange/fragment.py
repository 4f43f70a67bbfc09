"""Fragments: our HTML as elements that a content package can carry. A picture is a file beside it, with its
numbers below; nothing folds, and nothing is styled."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import MutableMapping
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
