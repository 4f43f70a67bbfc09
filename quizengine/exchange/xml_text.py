"""XML as text: elements on lines of their own. Markup in a text stands as it is, in CDATA, which is half as
long as escaped, or escaped where a platform writes it so itself."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Collection, Iterator
from xml.sax.saxutils import escape, quoteattr

INDENT = "  "
_NOT_IN_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_safe(text: str) -> str:
    """The text without what no XML can hold: a control character is shown as one that cannot be shown.

    >>> xml_safe("a\\x07b")
    'a�b'
    """
    return _NOT_IN_XML.sub("\ufffd", text)


def xml_document(root: ET.Element, mixed: Collection[str] = ()) -> bytes:
    """A whole document with all text escaped, indented, but for elements with these tags, in which words and
    elements are mixed, so that a blank shows.

    >>> root = ET.Element("a")
    >>> ET.SubElement(root, "p").text = "<&>"
    >>> print(xml_document(root).decode(), end="")
    <?xml version="1.0" encoding="UTF-8"?>
    <a>
      <p>&lt;&amp;&gt;</p>
    </a>
    """
    _indent(root, "\n", frozenset(mixed))
    text = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{xml_safe(text)}\n'.encode()


def _indent(element: ET.Element, margin: str, mixed: Collection[str]) -> None:
    if element.tag in mixed or not len(element):
        return
    element.text = margin + INDENT
    for child in element:
        _indent(child, margin + INDENT, mixed)
        child.tail = margin + INDENT
    element[-1].tail = margin


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
    attributes = "".join(f" {name}={quoteattr(xml_safe(value))}" for name, value in element.attrib.items())
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
    text = xml_safe(text)
    if "<" not in text:
        return escape(text)
    return "<![CDATA[" + text.replace("]]>", "]]]]><![CDATA[>") + "]]>"
