"""XML as text: elements on lines of their own, and markup in a text as it is, in CDATA, which is half as long
as escaped."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

INDENT = "  "


def xml_text(element: ET.Element, depth: int = 0) -> str:
    """The element, indented.

    >>> root = ET.Element("a", b="1")
    >>> ET.SubElement(root, "c").text = "<p>]]></p>"
    >>> print(xml_text(root), end="")
    <a b="1">
      <c><![CDATA[<p>]]]]><![CDATA[></p>]]></c>
    </a>
    """
    return "".join(_lines(element, INDENT * depth))


def _lines(element: ET.Element, indent: str) -> Iterator[str]:
    attributes = "".join(f" {name}={quoteattr(value)}" for name, value in element.attrib.items())
    yield f"{indent}<{element.tag}{attributes}>"
    if len(element):
        yield "\n"
        for child in element:
            yield from _lines(child, indent + INDENT)
        yield indent
    else:
        yield _text(element.text or "")
    yield f"</{element.tag}>\n"


def _text(text: str) -> str:
    if "<" not in text:
        return escape(text)
    return "<![CDATA[" + text.replace("]]>", "]]]]><![CDATA[>") + "]]>"
