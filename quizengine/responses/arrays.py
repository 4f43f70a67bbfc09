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
from quizengine.responses.numbers import PLAIN, plain_number, read_number
from quizengine.responses.response import CannotRead, Cells, Number

MAX_TEXT, MAX_CELLS = 20_000, 1024
_PRINTED = re.compile(
    r"\s*(?:(?:np|numpy|jnp|torch)\.)?(?:[aA]rray|tensor|[mM]atrix)\s*\((.*)\)\s*", re.DOTALL
)
_TAIL = re.compile(
    r"(?:,\s*(?:dtype|device|grad_fn|requires_grad|weak_type)\s*=\s*"
    r"(?:<[^<>]*>|'[^']*'|\"[^\"]*\"|[\w.]+)\s*)+"
)
_SCALAR = re.compile(r"((?:(?:np|numpy|jnp)\.)?(?:float|u?int)\d\d?\(|tensor\()([^()\[\],]*)\)")
_LATEX = re.compile(
    r"[\s$]*(?:\\\[\s*)?(?:\\left\s*[\[(|.]\s*)?\\begin\{([pbvBV]?matrix)\}(.*)\\end\{\1\}(?:\s*\\right\s*[\])|.])?(?:\s*\\\])?[\s$]*",
    re.DOTALL,
)
_HEADED = re.compile(
    r"\s*(?:(?:[A-Za-z]\w*+\s*+)?(?:=(?!=)|[≈≒≃≅~約])|[A-Za-z]\w*+\s*+:|\d+(?:\*\d+|-element)\s[\w.]+\{[^}\n]*\}:)"
)
_ENDED = re.compile(r"([\])])\s*[;,.]\s*$")  # the sign that ends a statement
_RULE = re.compile(r"^[ \t]*+(?:\|[ \t]*+)?(?::?-+:?[ \t]*+\|[ \t]*+)+(?::?-+:?[ \t]*+)?$", re.MULTILINE)
_EDGE = re.compile(r"^[ \t]*\||\|[ \t]*$", re.MULTILINE)
_THOUSANDS = re.compile(r"-?[1-9]\d{0,2},\d{3}")  # or a number below a thousand
_COMMA_CELLS = re.compile(
    r"\s*+(?=.*\d,\d)-?\d+(?:,\d+)?(?:[eE][-+]?\d+)?(?:[ \t]+-?\d+(?:,\d+)?(?:[eE][-+]?\d+)?)+\s*"
)
_BESIDE = re.compile(r",[ ]*+\t|\t[ ]*+,")
_INSIDE = r"\((?:[^][(),;\n]|\((?:[^][(),;\n]|\([^][(),;\n]*\))*\))*\)"  # brackets that part no cells
_OF_CELL = re.compile(rf"(?<=[\w√^*/)}}]){_INSIDE}|{_INSIDE}(?=[\w√^*/(])|\((?:[^][(),;\s])*\)")
_BY_BLANKS = rf"(?:{_INSIDE}|\S)+"
_BRACKETS = re.compile(r"[\[\]()]")
_BLANKS = ("", "_")
_PLAIN = r"-?[0-9]{1,12}(?:\.[0-9]{0,9})?"  # PLAIN without its groups
_ROW = rf"\[(?:{_PLAIN}, ?)*+{_PLAIN}\]"
_NESTED = re.compile(rf"\[(?:{_ROW}, ?)*+{_ROW}\]")


def read_array(text: str, *, infinite: bool = False, most: int = MAX_CELLS) -> Cells:
    """The rows of cells that `text` writes; a row alone is one row, a cell left empty is None, and a cell
    may be −∞ where `infinite` says so. More than `most` cells are refused.

    Raises CannotRead, which names the character.

    >>> [[str(cell.value) for cell in row] for row in read_array("1 0.5; 1/3 −2")]
    [['1', '1/2'], ['1/3', '-2']]
    """
    if len(text) > MAX_TEXT:
        raise CannotRead("too-long", MAX_TEXT, limit=MAX_TEXT)
    if _NESTED.fullmatch(text) and (nested := _nested(text)):
        return nested
    typed = _unframed(plain(text.replace("×", "*").replace("、", "\t")))
    typed = _ENDED.sub(lambda match: match[1] + " ", typed)
    rows: list[tuple[Number | None, ...]] = []
    for piece, at in _rows(typed):
        found = list(islice(_cells(piece), most + 1))
        if (len(rows) + 1) * len(found) > most:
            raise CannotRead("too-long", at, limit=most)
        alone = _by_tabs(piece)
        cells = tuple(_cell(cell, at + shift, alone=alone, infinite=infinite) for cell, shift in found)
        if rows and len(cells) == len(rows[0]) - 1 and piece.rstrip().endswith(","):
            cells = (*cells, None)  # the comma parts off a last cell, which is empty
        if rows and len(cells) != len(rows[0]):
            raise CannotRead("ragged", at, row=len(rows) + 1, count=len(cells), first=len(rows[0]))
        rows.append(cells)
    if not rows:
        raise CannotRead("no-numbers")
    return tuple(rows)


def _nested(text: str) -> Cells | None:
    """Plain decimals in nested lists, by far the commonest text: the same cells, sooner. None where the
    rows differ in length, which is told with its place."""
    rows = tuple(tuple(plain_number(*cell) for cell in PLAIN.findall(row)) for row in text.split("]")[:-2])
    width = len(rows[0])
    return rows if all(len(row) == width for row in rows) and len(rows) * width <= MAX_CELLS else None


def is_print(text: str) -> bool:
    """Is this what a library prints, rather than a number?"""
    typed = plain(text)
    return bool(_PRINTED.fullmatch(typed) or _SCALAR.search(typed))


def _unframed(typed: str) -> str:
    """What stands inside a print, a LaTeX matrix or a table; every character keeps its place."""
    typed = _SCALAR.sub(lambda match: " " * len(match[1]) + match[2] + " ", typed)
    if match := _HEADED.match(typed):
        typed = " " * match.end() + typed[match.end() :]
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
    hidden = _OF_CELL.sub(lambda match: "." * len(match.group()), typed) if "(" in typed else typed
    for match in _BRACKETS.finditer(hidden):
        at = match.start()
        if match.group() in "[(":
            if outside := re.search(r"[^\s,;]", typed[end:at]):
                raise CannotRead("outside", end + outside.start(), character=outside.group())
            opened.append(at)
            deepest = len(opened)
            if len(opened) > 2:
                raise CannotRead("too-deep", at)
        else:
            if not opened or typed[opened[-1]] + typed[at] not in ("[]", "()"):
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
    """The text of every cell of a row: by tabs, else by commas, else by blanks."""
    with_comma = [cell.strip() for cell in piece.split("\t") if "," in cell] if _by_tabs(piece) else []
    sure = not with_comma or not all(map(_THOUSANDS.fullmatch, with_comma))
    if sure and _COMMA_CELLS.fullmatch(piece):  # the commas are decimal ones: blanks part the cells
        piece, pattern = piece.replace(",", "."), _BY_BLANKS
    elif _by_tabs(piece):
        pattern = r"[^\t]+|(?<=\t)(?=\t)|^(?=\t)"
    elif "," in piece:
        pattern = r"[^,]+|(?<=,)(?=,)|^(?=,)"
    else:
        pattern = _BY_BLANKS
    for match in re.finditer(pattern, piece):
        cell = match.group()
        if cell.strip() or (pattern[0] == "[" and match.end() < len(piece)):
            yield cell.strip(), match.start() + len(cell) - len(cell.lstrip())


def _by_tabs(piece: str) -> bool:
    """Do tabs part the cells? Then a comma within one is its own."""
    return "\t" in piece.strip(" \n") and not _BESIDE.search(piece)


def _cell(cell: str, at: int, *, alone: bool, infinite: bool) -> Number | None:
    if match := PLAIN.fullmatch(cell):
        return plain_number(*match.groups(""))
    if cell in _BLANKS:
        return None
    if not cell.strip(".…"):
        raise CannotRead("left-out", at, text=cell)
    return read_number(cell, at, alone=alone, infinite=infinite)
