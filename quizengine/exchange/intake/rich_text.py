"""Rich text: HTML and what else others write texts in, as bank text, or why that cannot be."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Literal, NamedTuple, TypeAlias

from quizengine.exchange.intake.formula import plain_tex, tex, tex_of_plain
from quizengine.exchange.intake.question import NotCarried, seen
from quizengine.items.markup import TextFault, parse

Form: TypeAlias = Literal["html", "auto", "plain", "markdown"]
MOST = 20_000  # characters of one text
MOST_CODE = 1000
_BOLD = frozenset(("b", "strong", "h1", "h2", "h3", "h4", "h5", "h6", "dt", "th"))
_BLOCKS = frozenset(
    ("p", "div", "ul", "ol", "li", "dl", "dt", "dd", "blockquote", "section", "article", "header", "hr")
) | frozenset(("footer", "center", "h1", "h2", "h3", "h4", "h5", "h6"))
_CODE = frozenset(("code", "tt", "kbd", "samp"))
_PLAIN = frozenset(  # what they say of a text's look is left out
    ("span", "font", "small", "big", "i", "em", "u", "mark", "abbr", "cite", "q", "label", "bdi", "bdo")
) | frozenset(("nobr", "wbr", "html", "body"))
_FILES = frozenset(
    ("img", "picture", "image", "svg", "video", "audio", "object", "embed", "iframe", "canvas", "map")
) | frozenset(("source", "track", "area"))
_TEX = re.compile(r"\\\((.+?)\\\)|\\\[(.+?)\\\]|\$\$(.+?)\$\$", re.DOTALL)
_SPACE = re.compile(r"[ \t\r\n\f\v\x85\xa0\u2028\u2029]+")
_UNCLOSED = re.compile(r"<[A-Za-z/!?][^>]*$")
_BASE = re.compile(r"(?:[A-Za-z]+|\d+(?:\.\d+)?)$")
_MARKDOWN = re.compile(
    r"!\[|\]\(|^\s*(#|>|[-*+] |\d+\. |\||```)|<[A-Za-z/!]|(?<!\w)_\S|(?<!\*)\*(?![*\s])", re.M
)


class Paragraph(NamedTuple):
    """Bank text without an empty line, or a program."""

    text: str
    program: bool = False


def paragraphs(text: str, form: Form) -> list[Paragraph]:
    """The paragraphs of a text, each with what a bank can say. Raises NotCarried."""
    if len(text) > MOST:
        raise NotCarried("long", most=MOST)
    seen(text)
    text = text.replace("\ufeff", "")
    if form == "markdown":
        out = _markdown(text)
    else:
        reader = _Html(breaks=form != "html")
        if form != "plain" and _UNCLOSED.search(text):
            raise NotCarried("markup")
        try:
            if form == "plain":
                reader.handle_data(text)
            else:
                reader.feed(text)
                reader.close()
        except AssertionError:  # how the standard library's reader says that it cannot go on
            raise NotCarried("markup") from None
        out = reader.done()
    for paragraph in out:
        if not paragraph.program:
            _parsed(paragraph.text)
    return out


def _parsed(text: str) -> None:
    try:
        parse(text)
    except TextFault as fault:
        raise NotCarried("text", what=str(fault)) from None


def line(text: str, form: Form) -> str:
    """A text in which no program stands. Raises NotCarried."""
    return joined(paragraphs(text, form))


def joined(found: Sequence[Paragraph]) -> str:
    """Paragraphs as one text. Raises NotCarried for a program among them."""
    if any(paragraph.program for paragraph in found):
        raise NotCarried("program")
    return "\n\n".join(paragraph.text for paragraph in found)


def prompt(found: Sequence[Paragraph]) -> tuple[list[str], str]:
    """The paragraphs of a prompt, and the program that stands after them, if one does. Raises NotCarried."""
    programs = [paragraph.text for paragraph in found if paragraph.program]
    if len(programs) > 1 or (programs and len(programs[0]) > MOST_CODE):
        raise NotCarried("program")
    return [paragraph.text for paragraph in found if not paragraph.program], "".join(programs)


def program_is_last(found: Sequence[Paragraph], kept: Sequence[str]) -> bool:
    """Does nothing that is `kept` of the prompt stand after its program?"""
    before = next((i for i, paragraph in enumerate(found) if paragraph.program), len(found))
    return len(kept) <= before


def _markdown(text: str) -> list[Paragraph]:
    """Markdown of which only bold, code and paragraphs are used, which are those of a bank."""
    if _MARKDOWN.search(text) or "&" in text:
        raise NotCarried("markdown")
    if "$" in text:
        raise NotCarried("sign", sign="$")
    blocks = re.split(r"\n\s*\n", text.replace("\r", ""))
    return [Paragraph(_SPACE.sub(" ", block).strip()) for block in blocks if block.strip()]


class _Piece(NamedTuple):
    style: str  # "", bold, code, math, program, and break between paragraphs
    text: str


_BREAK = _Piece("break", "")


class _Html(HTMLParser):
    """Collects pieces; a tag that a bank has no words for ends the reading."""

    def __init__(self, *, breaks: bool) -> None:
        super().__init__(convert_charrefs=True)
        self.breaks = breaks  # does a new line in the text begin a new one on the page?
        self.pieces: list[_Piece] = []
        self.bold = self.code = self.hidden = 0
        self.program: list[str] | None = None
        self.script = ""  # sub or sup, while its text is read
        self.lists: list[int] = []  # of each list the number of its next line; 0 without numbers
        self.links: list[str] = []
        self.math: ET.TreeBuilder | None = None
        self.depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if self.math is not None or tag == "math":
            self._math_begins(tag, given)
        elif tag in ("style", "script"):
            self.hidden += 1
        elif self.program is not None:
            if tag == "br":
                self.program.append("\n")
            elif tag not in _CODE | _PLAIN | _BOLD:
                raise NotCarried("tag", tag=tag)
        elif tag == "img" and given.get("data-equation-content"):
            self._tex(given["data-equation-content"])
        elif tag in _FILES:
            raise NotCarried("picture")
        elif tag in ("sub", "sup"):
            if self.script or self.code:
                raise NotCarried("script")
            self.script = tag
            self.pieces.append(_Piece("script", ""))
        else:
            self._words_begin(tag, given)

    def _words_begin(self, tag: str, given: dict[str, str]) -> None:
        if tag in _BLOCKS or tag == "br":
            self.pieces.append(_BREAK)
        self.bold += tag in _BOLD
        self.code += tag in _CODE
        if tag in ("ul", "ol"):
            self.lists.append(int(tag == "ol"))
        elif tag == "li":
            number = self.lists[-1] if self.lists else 0
            self._put(f"{number}. " if number else "– ")
            if number:
                self.lists[-1] += 1
        elif tag == "pre":
            self.program = []
        elif tag == "a":
            self.links.append(given.get("href", ""))
        elif tag not in _BLOCKS | _PLAIN | _BOLD | _CODE | {"br"}:
            raise NotCarried("table" if tag == "table" else "tag", tag=tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in ("br", "hr", "img", "wbr"):
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.math is not None:
            self._math_ends(tag)
        elif tag in ("style", "script"):
            self.hidden = max(0, self.hidden - 1)
        elif tag == "pre" and self.program is not None:
            text = "".join(self.program).replace("\r", "").strip("\n").expandtabs(4).replace("\xa0", " ")
            self.pieces += [_BREAK, _Piece("program", text.rstrip()), _BREAK] if text.strip() else []
            self.program = None
        elif tag in ("sub", "sup") and self.script == tag:
            self._scripted()
        elif tag == "a" and self.links:
            if (link := self.links.pop()) and not link.startswith("#"):
                self._put(f" ({link})")
        else:
            if tag in ("ul", "ol") and self.lists:
                self.lists.pop()
            self.bold -= tag in _BOLD and self.bold > 0
            self.code -= tag in _CODE and self.code > 0
            if tag in _BLOCKS:
                self.pieces.append(_BREAK)

    def handle_data(self, data: str) -> None:
        if self.hidden:
            return
        if self.math is not None:
            self.math.data(data)
        elif self.program is not None:
            self.program.append(data)
        elif self.script:
            self.pieces[-1] = _Piece("script", self.pieces[-1].text + data)
        elif self.code:
            self._put(data)
        else:
            at = 0
            for found in _TEX.finditer(data):
                self._lines(data[at : found.start()])
                self._tex(next(filter(None, found.groups())))
                at = found.end()
            self._lines(data[at:])

    def unknown_decl(self, _data: str) -> None:
        raise NotCarried("markup")

    def _lines(self, data: str) -> None:
        for n, part in enumerate(re.split(r"\r\n|\r|\n", data) if self.breaks else [data]):
            if n:
                self.pieces.append(_BREAK)
            if found := re.search(r"\\[()\[\]]", part):
                raise NotCarried("formula", sign=found[0])
            self._put(part)

    def _put(self, text: str) -> None:
        style = "code" if self.code else "bold" if self.bold else ""
        for sign in ("`",) if style == "code" else ("$", "`", "**"):
            if sign in text:
                raise NotCarried("sign", sign=sign)
        self.pieces.append(_Piece(style, text))

    def _tex(self, text: str) -> None:
        written = plain_tex(_SPACE.sub(" ", text))
        if not written or "$" in written:
            raise NotCarried("formula", sign="$" if written else "\\(\\)")
        _parsed(f"${written}$")
        self.pieces.append(_Piece("math", written))

    def _scripted(self) -> None:
        """What stands lower or higher belongs to the word before it."""
        sign = "_" if self.script == "sub" else "^"
        self.script, raised = "", tex_of_plain(self.pieces.pop().text)
        if not self.pieces or self.pieces[-1].style not in ("", "bold", "math"):
            raise NotCarried("script")
        style, before = self.pieces.pop()
        if style == "math":
            made = before
        else:
            base = _BASE.search(before)
            if not base:
                raise NotCarried("script")
            self.pieces.append(_Piece(style, before[: base.start()]))
            made = tex_of_plain(base[0])
        self._tex(f"{made}{sign}{{{raised}}}")

    def _math_begins(self, tag: str, given: dict[str, str]) -> None:
        if self.math is None:
            self.math, self.depth = ET.TreeBuilder(), 0
        self.depth += 1
        if self.depth > 60:
            raise NotCarried("mathml")
        self.math.start(tag, dict(given))

    def _math_ends(self, tag: str) -> None:
        assert self.math is not None
        self.depth -= 1
        try:
            self.math.end(tag)
        except (AssertionError, IndexError):
            raise NotCarried("markup") from None
        if self.depth == 0:
            root, self.math = self.math.close(), None
            self._tex(tex(root))

    def done(self) -> list[Paragraph]:
        """The paragraphs."""
        if self.math is not None or self.script or self.program is not None:
            raise NotCarried("markup")
        out: list[Paragraph] = []
        pending: list[_Piece] = []
        for piece in (*self.pieces, _BREAK):
            if piece.style not in ("break", "program"):
                pending.append(piece)
                continue
            if text := _paragraph(pending):
                out.append(Paragraph(text))
            pending = []
            if piece.style == "program":
                out.append(Paragraph(piece.text, program=True))
        return out


def _paragraph(pieces: Sequence[_Piece]) -> str:
    merged: list[_Piece] = []
    for style, text in pieces:
        if merged and merged[-1].style == style and style != "math":
            merged[-1] = _Piece(style, merged[-1].text + text)
        elif text:
            merged.append(_Piece(style, text))
    written = "".join(map(_marked, merged))
    return _SPACE.sub(" ", written).strip()


def _marked(piece: _Piece) -> str:
    """A piece between its marks, the spaces at its ends outside of them."""
    style, text = piece
    mark = {"bold": "**", "code": "`", "math": "$"}.get(style, "")
    inside = text.strip()
    if not mark or not inside:
        return text
    if style == "bold" and (inside.startswith("*") or inside.endswith("*")):
        raise NotCarried("sign", sign="*")
    before, after = (" " if text[0].isspace() else ""), (" " if text[-1].isspace() else "")
    return f"{before}{mark}{inside}{mark}{after}"
