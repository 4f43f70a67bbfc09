"""Every reader takes time in proportion to the text: one piece of the grammar repeated to the limit, after
and before whatever may lead a pattern astray. What is quadratic takes seconds, what is not some milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from itertools import product
from pathlib import Path
from time import process_time

import pytest

from quizengine.errors import InputError
from quizengine.grading.intake.column_map import proposed_map
from quizengine.lang.characters import MINUS
from quizengine.problems.part import (
    ChoicePart,
    ChoicesPart,
    Label,
    NumericPart,
    OrderPart,
    PairsPart,
    Part,
    WordsPart,
)
from quizengine.responses.numbers import read_number
from quizengine.responses.read import MAX_LABELS, MAX_TEXT, read
from quizengine.responses.response import CannotRead

SOON, SLACK = 0.05, 8  # seconds; a machine may be as much slower, or busy
SIGNS = sorted(
    {*map(chr, range(0x20, 0x7F)), *"\t\n\r\f\v\u3000\u00a0\u200b", *MINUS}
    | {*"、。・，．：；＝［］（）｜×✕·⋅ｘＸ√π∞½²⁻⁺→⇒アあと一①１…"}
)
LATEX = (
    r"\times \cdot \left \right \left[ \right] \\ \, \[ \] \( \) \frac \frac12 \sqrt "
    r"\begin{pmatrix} \end{pmatrix}"
)
PRINTS = (
    "array( array([ np.array( tensor( tensor([ torch.Size( torch.Size([ float32( np.float64( f32[1]{0}: "
    "dtype= 1-element 2*3 ,dtype=x ,dtype=<a> ,dtype='x' ,device="
)
NUMBERS = "1 12 1.5 1/2 -1 1,2 1,5 1,000 1.000 1e- 1e5 10^ x10 *10 50% ½ ln exp sqrt log2 pi e^ inf -inf np."
ROWS = (
    "[1] [1], [[1]] (1) (a) () (() ()) a( a(b) ((a) 1; 1, ,1 |- |-| :-: |:-:| -| _ _, ... a= a== x= 1x x1 "
    "A-2 A→ 1)"
)
PIECES = [
    *dict.fromkeys(f"{LATEX} {PRINTS} {NUMBERS} {ROWS}".split()),
    *(
        "1 ",
        " 1",
        "1 2",
        "1, ",
        "] ",
        ") ",
        "- ",
        "| ",
        "x ",
        "* ",
        "$ ",
        "1,5 ",
        "1.\n",
        "A,\n",
        "\n|",
        "|\n",
    ),
]
HEADS = ["", "[", "[[", "(", "|", "$", "1", "1,2 ", "a =", "a(", "array(", "array([1], dtype=", "torch.Size("]
HEADS += [r"\begin{pmatrix}", r"\left(", r"\[", "np.float32(", "[(", "[1],", "x", "A", "-", "\t", "|-|"]
ENDS = [
    "",
    "!",
    "|",
    "|!",
    "]",
    "]]",
    ")",
    "])",
    "$",
    "x",
    "1",
    "x1",
    ",",
    ";",
    "-",
    ":",
    "\n",
    "\n!",
    "{",
    "A",
]
ENDS += ["1,2", r"\end{pmatrix}"]
BLANK = ((0, 0), (0, 0))
PARTS = {
    "array": NumericPart("a", "", 1, BLANK, (2, 2), 2),
    "row": NumericPart("a", "", 1, BLANK[:1], (1, 2), 2, "scores"),
    "shape": NumericPart("a", "", 1, BLANK[:1], (1, 2), 0, "Q_shape"),
    "words": WordsPart("a", "", 1, "x"),
}
CHOICES = tuple(Label(label, label) for label in "ABCD")
LABELLED = {
    "number": NumericPart("a", "", 1, ((0,),), (), 2),
    "choice": ChoicePart("a", "", 1, "A", choices=CHOICES[:2]),
    "choices": ChoicesPart("a", "", 1, ("A",), choices=CHOICES),
    "order": OrderPart("a", "", 1, tuple("ABCD"), choices=CHOICES),
    "pairs": PairsPart("a", "", 1, (), choices=(*CHOICES, Label("1", "1"), Label("2", "2"))),
}


def filled(piece: str, head: str, end: str, size: int) -> str:
    return head + piece * ((size - len(head) - len(end)) // len(piece)) + end


def slow_ones(part: Part, size: int, texts: Iterable[tuple[str, str, str]]) -> str:
    """The first text that takes too long; empty when none does."""
    for piece, head, end in texts:
        text = filled(piece, head, end, size)
        began = process_time()
        read(part, text)
        if (took := process_time() - began) > SOON * SLACK:
            return f"{head!r} + {piece!r} * n + {end!r}: {took:.2f} s"
    return ""


@pytest.mark.parametrize("kind", PARTS)
def test_a_sign_repeated_to_the_limit_is_read_soon(kind: str) -> None:
    assert not slow_ones(PARTS[kind], MAX_TEXT, product(SIGNS, [""], ["!", "|"]))


@pytest.mark.parametrize(
    ("kind", "piece", "head", "end"),
    [
        ("array", "\t", "", "|"),
        ("array", "・", "a =", "|!"),
        ("shape", "x", "", "!"),
        ("shape", "1x", "A", "|"),
        ("shape", "Ｘ", "[", ","),
        ("shape", " ", "torch.Size(", "!"),
        ("shape", "\t", "x = torch.Size(", "!"),
        ("shape", "\v", "torch.Size(", ")!"),
    ],
)
def test_what_once_took_seconds_is_read_soon(kind: str, piece: str, head: str, end: str) -> None:
    assert not slow_ones(PARTS[kind], MAX_TEXT, [(piece, head, end)])


@pytest.mark.parametrize("kind", LABELLED)
def test_short_answers_are_read_soon(kind: str) -> None:
    for piece in (*SIGNS, *PIECES):
        assert not slow_ones(LABELLED[kind], MAX_LABELS, [(piece, "", "!"), (piece, "A", "|")])


@pytest.mark.parametrize("piece", ["$", "\u200b", " ", "1,", "1 ", "\\", "(", "{"])
def test_a_number_and_a_title_are_read_soon(piece: str) -> None:
    text, began = filled(piece, "", "!", MAX_TEXT), process_time()
    for _ in range(100):
        with pytest.raises(CannotRead):
            read_number(filled(piece, "-", "!", 120))
    with suppress(InputError):
        proposed_map(Path("f.csv"), [text, "q" + text, "q." + text, "." + text], ["1"])
    assert process_time() - began < SOON * SLACK * 5


@pytest.mark.slow
@pytest.mark.parametrize("kind", PARTS)
def test_a_piece_repeated_between_hostile_ends_is_read_soon(kind: str) -> None:
    assert not slow_ones(PARTS[kind], MAX_TEXT, product([*SIGNS, *PIECES], HEADS, ENDS))
