"""Arrays as learners type or paste them: nested lists, `1 2; 3 4`, rows on lines, prints of NumPy,
PyTorch and JAX, LaTeX matrices, tables with bars.

First the rows are found, then the cells of each; a piece of text keeps its place throughout.
Separators are never guessed across tokens: [[1 2],[3 4]] is 2×2, never [[12],[34]].
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from quizengine.lang.characters import plain
from quizengine.responses.numbers import read_number
from quizengine.responses.response import CannotRead, Cells, Number

MAX_TEXT, MAX_CELLS = 20_000, 4096
_PRINTED = re.compile(r"\s*(?:(?:np|numpy|jnp|torch)\.)?(?:[aA]rray|tensor|matrix)\s*\((.*)\)\s*", re.DOTALL)
_TAIL = re.compile(
    r"(?:,\s*(?:dtype|device|grad_fn|requires_grad|weak_type)\s*=\s*"
    r"(?:<[^<>]*>|'[^']*'|\"[^\"]*\"|[\w.]+)\s*)+"
)
_SCALAR = re.compile(r"((?:(?:np|numpy|jnp)\.)?float\d\d?\()([^()]*)\)")
_LATEX = re.compile(
    r"[\s$]*(?:\\\[\s*)?\\begin\{([pbvBV]?matrix)\}(.*)\\end\{\1\}(?:\s*\\\])?[\s$]*", re.DOTALL
)
_RULE = re.compile(r"^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?)?[ \t]*$", re.MULTILINE)
_EDGE = re.compile(r"^[ \t]*\||\|[ \t]*$", re.MULTILINE)
_COMMA_CELLS = re.compile(r"\s*(?=.*\d,\d)-?\d+(?:,\d+)?(?:[ \t]+-?\d+(?:,\d+)?)+\s*")
_BRACKETS = re.compile(r"(?<=[\w√^*/])\([^][()\s,;]*\)|[\[\]()]")  # sqrt(2) belongs to its cell
_BLANKS = ("", "_")


def read_array(text: str) -> Cells:
    """The rows of cells that `text` writes; a row alone is one row, a cell left empty is None.

    Raises CannotRead, which names the character.

    >>> [[str(cell.value) for cell in row] for row in read_array("1 0.5; 1/3 −2")]
    [['1', '1/2'], ['1/3', '-2']]
    """
    if len(text) > MAX_TEXT:
        raise CannotRead("too-long", MAX_TEXT, limit=MAX_TEXT)
    typed = _unframed(plain(text.replace("×", "*")))
    rows: list[tuple[Number | None, ...]] = []
    for piece, at in _rows(typed):
        found = islice(_cells(piece), MAX_CELLS + 1)
        cells = tuple(_cell(cell, at + shift) for cell, shift in found)
        if (len(rows) + 1) * len(cells) > MAX_CELLS:
            raise CannotRead("too-long", at, limit=MAX_CELLS)
        if rows and len(cells) != len(rows[0]):
            raise CannotRead("ragged", at, row=len(rows) + 1, count=len(cells), first=len(rows[0]))
        rows.append(cells)
    if not rows:
        raise CannotRead("no-numbers")
    return tuple(rows)


def is_print(text: str) -> bool:
    """Is this what a library prints, rather than a number?"""
    typed = plain(text)
    return bool(_PRINTED.fullmatch(typed) or _SCALAR.search(typed))


def _unframed(typed: str) -> str:
    """What stands inside a print, a LaTeX matrix or a table; every character keeps its place."""
    typed = _SCALAR.sub(lambda match: " " * len(match[1]) + match[2] + " ", typed)
    if match := _PRINTED.fullmatch(typed):
        body = match[1]
        end = body.rfind("]") + 1 or body.find(",")
        return " " * match.start(1) + (body[:end] if _TAIL.fullmatch(body, max(end, 0)) else body)
    if match := _LATEX.fullmatch(typed):
        return " " * match.start(2) + match[2].replace(r"\\", "; ").replace("&", "\t")
    if "|" in typed:
        for frame in (_RULE, _EDGE):
            typed = frame.sub(lambda match: " " * len(match.group()), typed)
        typed = typed.replace("|", "\t")
    return typed


def _rows(typed: str) -> Iterator[tuple[str, int]]:
    """The text of every row, with its place."""
    groups = _innermost(typed)
    if len(groups) == 1:
        (piece, at), separator = groups[0], r"[^;]+"
    elif groups:
        yield from groups
        return
    else:
        piece, at, separator = typed, 0, r"[^;\n]+"
    for match in re.finditer(separator, piece):
        if match.group().strip():
            yield match.group(), at + match.start()


def _innermost(typed: str) -> list[tuple[str, int]]:
    """What stands in the innermost brackets; outside them only separators may stand."""
    groups: list[tuple[str, int]] = []
    opened: list[int] = []
    end, deepest = 0, 0
    brackets = [match for match in _BRACKETS.finditer(typed) if len(match.group()) == 1]
    for match in brackets:
        at = match.start()
        if match.group() in "[(":
            if outside := re.search(r"[^\s,;]", typed[end:at]):
                raise CannotRead("outside", end + outside.start(), character=outside.group())
            opened.append(at)
            deepest = len(opened)
            if len(opened) > 2:
                raise CannotRead("too-deep", at)
        else:
            if not opened:
                raise CannotRead("closes-nothing", at, character=match.group())
            if len(opened) == deepest:
                groups.append((typed[opened[-1] + 1 : at], opened[-1] + 1))
            elif outside := re.search(r"[^\s,;]", typed[end:at]):
                raise CannotRead("outside", end + outside.start(), character=outside.group())
            opened.pop()
        end = at + 1
    if opened:
        raise CannotRead("unclosed", opened[-1], character=typed[opened[-1]])
    if groups and (outside := re.search(r"\S", typed[end:])):
        raise CannotRead("outside", end + outside.start(), character=outside.group())
    return groups


def _cells(piece: str) -> Iterator[tuple[str, int]]:
    """The text of every cell of a row: by commas, else by tabs, else by blanks."""
    if _COMMA_CELLS.fullmatch(piece):  # the commas are decimal ones: blanks part the cells
        piece, pattern = piece.replace(",", "."), r"\S+"
    elif "," in piece:
        pattern = r"[^,]+|(?<=,)(?=,)|^(?=,)"
    elif "\t" in piece.strip(" \n"):
        pattern = r"[^\t]+|(?<=\t)(?=\t)|^(?=\t)"
    else:
        pattern = r"\S+"
    for match in re.finditer(pattern, piece):
        cell = match.group()
        if cell.strip() or (pattern[0] == "[" and match.end() < len(piece)):
            yield cell.strip(), match.start() + len(cell) - len(cell.lstrip())


def _cell(cell: str, at: int) -> Number | None:
    if cell in _BLANKS:
        return None
    if not cell.strip(".…"):
        raise CannotRead("left-out", at, text=cell)
    return read_number(cell, at, mixed=False)
