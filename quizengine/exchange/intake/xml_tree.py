"""XML as a tree in which every element knows its line. No file of questions needs a DOCTYPE, and with one
come entities: it is refused, and nothing is ever fetched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from quizengine.errors import Fault, InputError

DEEP, MANY = 100, 1_000_000  # elements within one another, and in all


@dataclass
class Node:
    """An element by its local name; `text` is all that stands directly in it."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Node] = field(default_factory=list)
    text: str = ""

    def get(self, name: str, default: str = "") -> str:
        """An attribute."""
        return self.attributes.get(name, default)

    def all(self, tag: str) -> list[Node]:
        """The children of this name."""
        return [child for child in self.children if child.tag == tag]

    def first(self, path: str) -> Node | None:
        """The first descendant at a path of names, child by child."""
        node: Node | None = self
        for tag in path.split("/"):
            node = next((child for child in node.children if child.tag == tag), None) if node else None
        return node

    def said(self, path: str, default: str = "") -> str:
        """The text at a path."""
        node = self.first(path)
        return node.text if node else default

    def every(self, tag: str) -> Iterator[Node]:
        """All descendants of this name, in order."""
        for child in self.children:
            if child.tag == tag:
                yield child
            yield from child.every(tag)


def xml_tree(text: str, name: str) -> Node:
    """The root of what messages call `name`. Raises InputError with the place of what is wrong."""
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    root = Node("", {}, 0)
    open_ = [root]
    count = 0

    def fault(code: str, message: str) -> InputError:
        said = Fault(name, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1, code, message)
        return InputError(str(said), code=code, fault=said)

    def begin(tag: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if len(open_) > DEEP or count > MANY:
            raise fault("size", f"more than {MANY} elements, or more than {DEEP} within one another")
        node = Node(tag.rpartition(":")[2], attributes, parser.CurrentLineNumber)
        open_[-1].children.append(node)
        open_.append(node)

    def end(_tag: str) -> None:
        open_.pop()

    def data(text: str) -> None:
        open_[-1].text += text

    def doctype(*_: object) -> None:
        raise fault("doctype", "a DOCTYPE stands here, which questions do not need: take it out")

    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = data, doctype
    try:
        parser.Parse(text.encode(), True)
    except expat.ExpatError as error:
        said = Fault(name, error.lineno, error.offset + 1, "xml", f"not XML: {expat.ErrorString(error.code)}")
        raise InputError(str(said), code="xml", fault=said) from None
    return root.children[0]
