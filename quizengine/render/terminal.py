"""Blocks as plain lines for a terminal: linear text, wrapped by cell width."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain, groupby

from quizengine.items.markup import Formula, Fraction, Math, Span, parse
from quizengine.lang.characters import cells
from quizengine.lang.quotation import Quoted, Sentence, pieces_of
from quizengine.problems.part import Label
from quizengine.render.bands import band_lines
from quizengine.render.blocks import Ask, Block, Code, Matrix, Options, Picture, Table, Words, joined
from quizengine.render.heat import heat_lines
from quizengine.render.math import stacked, unicode_math

_NOT_FIRST = "。、，．・：；？！）」』】〕〉》ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ%…,.:;?!)]}"
_NOT_LAST = "（「『【〔〈《([{"


def lines(blocks: Sequence[Block], width: int, *, abreast: bool = True) -> list[str]:
    """The lines of the blocks, no wider than `width` cells where words allow it; matrices that follow each
    other stand side by side, unless they are not to be `abreast`: for a voice, which is told a picture in
    numbers, too."""
    out: list[str] = []
    for matrices, group in groupby(blocks, lambda block: isinstance(block, Matrix)):
        if matrices:
            out += band_lines((b for b in group if isinstance(b, Matrix)), width, abreast=abreast)
        else:
            out += _lines(group, width, spoken=not abreast)
    return out


def _lines(blocks: Iterable[Block], width: int, *, spoken: bool) -> list[str]:
    out: list[str] = []
    for block in blocks:
        match block:
            case Words(text=text):
                out += wrapped(text, width)
            case Code(text=text):
                out += ["", *(f"    {line}".rstrip() for line in text.split("\n"))]
            case Table(rows=rows):
                out += ["", *_table(rows)]
            case Picture():
                *cells_of, last = heat_lines(block, spoken=spoken)
                out += ["", *(chain(*(wrapped(line, width) for line in cells_of)) if spoken else cells_of)]
                out += wrapped(last.lstrip(), width, first="" if spoken else "  ")
            case Options(labels=labels):
                out += ["", *_choices(labels, width)]
            case Ask(part=part, notes=notes, options=options):
                out += ["", *wrapped(part.prompt, width), *_choices(options, width)]
                out += wrapped(joined(notes), width, first="  ") if notes else []
    return out


def _choices(labels: Iterable[Label], width: int) -> list[str]:
    return [line for one in labels for line in wrapped(one.text, width, first=f"  {one.label}  ")]


def plain_text(text: str | Sentence) -> str:
    """Bank text without marks: formulae in Unicode, paragraphs parted by an empty line; what is quoted in
    it as it was typed. Raises TextFault for a text that is not the bank's.

    >>> plain_text("**Divide** by $\\\\sqrt{d_k}$, see `scores`.")
    'Divide by √dₖ, see scores.'
    """
    return "".join(
        piece.shown if isinstance(piece, Quoted) else _without_marks(piece) for piece in pieces_of(text)
    )


def _without_marks(text: str) -> str:
    if text.isspace():  # between two quotations
        return text
    return "\n\n".join("".join(map(_inline, paragraph)) for paragraph in parse(text))


def _inline(node: Span | Math) -> str:
    return unicode_math(node.formula) if isinstance(node, Math) else node.text


def wrapped(text: str | Sentence, width: int, *, first: str = "") -> list[str]:
    """Bank text, and what it quotes, as lines; `first` leads the first line, and its width indents the
    others."""
    indent = " " * cells(first)
    out: list[str] = []
    if (formula := _displayed(text)) and max(map(cells, stacked(formula))) + len(indent) <= width:
        return [(first if not i else indent) + "  " + line for i, line in enumerate(stacked(formula))]
    for paragraph in plain_text(text).split("\n"):
        line = first if not out else indent
        start = line
        for piece in _pieces(paragraph):
            if cells(line + piece.rstrip()) > width and line.strip() and line != start:
                out.append(line.rstrip())
                line, start = indent, indent
                piece = piece.lstrip()  # noqa: PLW2901
            line += piece
        out.append(line.rstrip())
    return out


def _displayed(text: str | Sentence) -> Formula | None:
    """The formula that this text is, if it is nothing else and a fraction is in it."""
    if not isinstance(text, str) or "\\frac" not in text:
        return None
    try:
        [[node]] = parse(text)
    except ValueError:  # more than one formula
        return None
    return node.formula if isinstance(node, Math) and Fraction in map(type, node.formula) else None


def _pieces(text: str) -> list[str]:
    """What must not be broken: words with the blanks before them, and wide characters one by one,
    with the signs that may not begin or end a line."""
    pieces: list[str] = []
    for token in re.findall(r"\s+|[^\s\u3000-\u9fff\uff00-\uffef]+|.", text):
        glued = pieces and (token in _NOT_FIRST or pieces[-1][-1] in _NOT_LAST or pieces[-1].isspace())
        if glued:
            pieces[-1] += token
        else:
            pieces.append(token)
    return pieces


def _table(rows: tuple[tuple[str, ...], ...]) -> list[str]:
    """Columns flush right, a rule under the head."""
    plain = [[plain_text(x) for x in row] for row in rows]
    wide = [max(cells(row[j]) for row in plain) for j in range(len(plain[0]))]
    head, *body = (
        "    " + "  ".join(" " * (w - cells(x)) + x for x, w in zip(row, wide, strict=True)) for row in plain
    )
    return [head, "    " + "  ".join("─" * w for w in wide), *body]
