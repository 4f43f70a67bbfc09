"""Reading: forms accepted, forms refused with the character named, and never an exception."""

from __future__ import annotations

import gc
import random
import tracemalloc
from fractions import Fraction
from time import process_time
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizengine.lang.quotation import tell
from quizengine.problems.part import (
    ConstructPart,
    EstimatePart,
    GapPart,
    Kind,
    Label,
    LabelledPart,
    NumericPart,
    Part,
    ShapePart,
    WordsPart,
)
from quizengine.responses.arrays import read_array
from quizengine.responses.numbers import read_number
from quizengine.responses.read import read
from quizengine.responses.response import Blank, Unreadable, Value
from quizengine.responses.samples import UNREADABLE

ALPHABET = "0123456789.,;:()[]{}|+-*/^%$\\√π∞½²⁻−ー×・、。AaBbEeXxlnsqrtfc \t\n１２［］"
PIECES = [
    *(
        "[",
        "]",
        "[[",
        "(",
        ")",
        "1",
        "0.5",
        "1/3",
        ",",
        ";",
        " ",
        "\n",
        "\t",
        "|",
        "...",
        "sqrt(",
        "ln ",
        "e^",
    ),
    *("array(", "tensor(", "dtype=", "\\begin{pmatrix}", "\\end{pmatrix}", "&", "\\\\", "\\frac{", "}{", "}"),
    *("-inf", "nan", "1e9", "9" * 40, "A", "B-2", "→"),
]


KINDS = get_args(Kind)


def part(kind: str, labels: str = "ABCD", shape: tuple[int, ...] = (2, 2)) -> Part:
    choices = tuple(Label(label, label.lower()) for label in labels)
    match kind:
        case "number" | "array":
            return NumericPart("answer", "", 1, (), shape if kind == "array" else ())
        case "construct":
            return ConstructPart("answer", "", 1, (), shape, "Q")
        case "words":
            return WordsPart("answer", "", 1, "A")
        case "estimate":
            return EstimatePart("answer", "", 1, ((10**9,),), factor=Fraction(2))
        case "shape":
            return ShapePart("answer", "", 1, "(2, 3)")
        case "gap":
            return GapPart("answer", "", 1, "tril")
        case _:
            [labelled] = [cls for cls in get_args(LabelledPart) if cls._field_defaults["kind"] == kind]
            return labelled("answer", "", 1, ("A",), choices)


@pytest.mark.parametrize(
    ("kind", "text", "content"),
    [
        ("choice", "b", "B"),
        ("choice", "Ｂ", "B"),
        ("choice", " B. ", "B"),
        ("choice", "(B)", "B"),
        ("choices", "A, C", ("A", "C")),
        ("choices", "ca", ("A", "C")),
        ("choices", "C、A", ("A", "C")),
        ("order", "B A D C", tuple("BADC")),
        ("order", "badc", tuple("BADC")),
        ("order", "B→A→D→C", tuple("BADC")),
        ("order", "B > A > D > C", tuple("BADC")),
        ("order", "B -> A -> D -> C", tuple("BADC")),
        ("order", "B ⇒ A ⇒ D ⇒ C", tuple("BADC")),
        ("order", "2 1 4 3", tuple("BADC")),
        ("order", "2143", tuple("BADC")),
        ("order", "②①④③", tuple("BADC")),
        ("order", "イアエウ", tuple("BADC")),
        ("choice", "ア", "A"),
        ("choice", "ｲ", "B"),
        ("choice", "3", "C"),
        ("choice", "b)", "B"),
        ("choices", "ア、ウ", ("A", "C")),
        ("choices", "アウ", ("A", "C")),
        ("choices", "a c", ("A", "C")),
        ("choices", "AとC", ("A", "C")),
        ("choices", "Ａ・Ｃ", ("A", "C")),
        ("choices", "A & C", ("A", "C")),
        ("choices", "A C A", ("A", "C")),
        ("choices", "['A', 'C']", ("A", "C")),
        ("choices", "1,3", ("A", "C")),
        ("order", "B => A => D => C", tuple("BADC")),
        ("order", "B | A | D | C", tuple("BADC")),
        ("order", "B-A-D-C", tuple("BADC")),
        ("order", "1. B\n2. A\n3. D\n4. C", tuple("BADC")),
        ("words", "  two   words ", "two words"),
    ],
)
def test_choices_read(kind: str, text: str, content: object) -> None:
    reading = read(part(kind), text).reading
    assert isinstance(reading, Value)
    assert reading.content == content


@pytest.mark.parametrize(
    "text",
    [
        "A-2, B-1",
        "A2 B1",
        "a→2 b→1",
        "B=1;A=2",
        "Ａ－２、Ｂ－１",
        "A:2 B:1",
        "A->2, B->1",
        "ア→２　イ→１",
        "[[A, 2], [B, 1]]",
        "(A,2) (B,1)",
        "A 2 B 1",
        "A② B①",
        "{'A': '2', 'B': '1'}",
    ],
)
def test_pairs_read(text: str) -> None:
    reading = read(part("pairs", "AB12"), text).reading
    assert isinstance(reading, Value)
    assert reading.content == (("A", "2"), ("B", "1"))


@pytest.mark.parametrize(
    ("text", "label"),
    [*((t, "A") for t in ("A", "a", "○", "正", "t", "True", "はい", "ｔ", "o")),
     *((t, "B") for t in ("B", "×", "誤", "f", "FALSE", "いいえ", "Ｆ", "✗")),
     *((t, "B") for t in ("❌", "偽", "バツ", "False.", "誤り。")),
     *((t, "A") for t in ("⭕", "マル", "真", " True. ", "○。"))],
)  # fmt: skip
def test_true_or_false_in_many_words(text: str, label: str) -> None:
    reading = read(part("choice", "AB"), text).reading
    assert isinstance(reading, Value)
    assert reading.content == label


@pytest.mark.parametrize(
    ("kind", "text", "code"),
    [
        ("choice", "E", "label"),
        ("choice", "A B", "one-only"),
        ("choice-of-two", "x", "cross"),
        ("choice-of-two", "X", "cross"),
        ("choice-of-two", "Ｘ。", "cross"),
        ("choice", "X", "label"),
        ("choices", "A, E", "label"),
        ("order", "A B C", "order-missing"),
        ("order", "A B C C", "order-twice"),
        ("pairs", "A-2, A-1", "order-twice"),
        ("pairs", "A-2, B-2", "order-twice"),
        ("pairs", "A" + " " * 19_990, "too-long"),
        ("order", "ABCD" * 5000, "too-long"),
        ("choices", "A-C", "label"),
        ("choice", "0", "label"),
        ("choice", "8²)", "label"),
        ("choice", "5", "label"),
        ("choice", "A or B", "label"),
        ("order", "1 2 3", "order-missing"),
        ("pairs", "2-A", "pair"),
        ("pairs", "A-B", "pair"),
        ("choices", ".", "label"),
        ("array", "1,5\n2,5\n3,5", "shape"),
        ("pairs", "A-9", "label"),
        ("pairs", "A-2 and B-1", "pair"),
        ("pairs", ",", "no-pairs"),
        ("number", "[1, 2]", "one-number"),
        ("array", " ".join("1" * 100), "too-long"),
        ("array", "1 2 3", "shape"),
        ("array-2x3", "1 2; 3 4; 5 6", "shape-turned"),
        ("array", "[[1, 2, 3], [4, 5, 6]]", "shape"),
    ],
)
def test_what_does_not_fit_the_part(kind: str, text: str, code: str) -> None:
    kind, _, wide = kind.partition("-")
    labels = "AB" if wide == "of-two" else "AB12" if kind == "pairs" else "ABCD"
    asked = part(kind, labels, shape=(2, 3) if wide else (2, 2))
    reading = read(asked, text).reading
    assert isinstance(reading, Unreadable)
    assert reading.code == code


@pytest.mark.parametrize(
    "text", ["tensor(0.25, grad_fn=<M>)", "np.float64(0.25)", "[[0.25]]", "array(0.25)", "tensor(0.25)"]
)
def test_a_printed_number_is_a_number(text: str) -> None:
    assert read(NumericPart("answer", "", 1, ""), text).reading.echo == "0.25"


@pytest.mark.parametrize(
    "text",
    [
        "(4, 16)",
        "4x16",
        "4 × 16",
        "４×１６",
        "4X16",
        "[4, 16]",
        "4 16",
        "4*16",
        "(4 × 16)",
        "torch.Size([4, 16])",
        "4·16",
        r"4 \times 16",
        r"$4 \times 16$",
        "Q = 4x16",
        "shape: (4, 16)",
    ],
)
def test_shapes_in_many_ways(text: str) -> None:
    asked = NumericPart("answer", "", 1, "", shape=(1, 2), decimals=0, stage="scores_shape")
    reading = read(asked, text).reading
    assert isinstance(reading, Value)
    assert [cell.value for cell in reading.content[0]] == [4, 16]


@pytest.mark.parametrize("text", ["-inf", "−∞", "-np.inf", "-Infinity", r"-\infty", "－∞"])
def test_minus_infinity_where_scores_are_asked(text: str) -> None:
    for stage, kind in (
        ("scaled", Value),
        ("scores", Value),
        ("weights", Unreadable),
        ("output", Unreadable),
    ):
        asked = NumericPart("answer", "", 1, "", shape=(1, 2), decimals=3, stage=stage)
        reading = read(asked, f"[0.5, {text}]").reading
        assert isinstance(reading, kind)
    assert read(asked._replace(stage="scaled"), f"0.5 {text}").reading.echo == "1×2 [[0.5, −∞]]"


@pytest.mark.parametrize(
    ("text", "value"), [("8,100", 8100), ("8 100", 8100), ("1,234,567", 1234567), ("40,000", 40000)]
)
def test_thousands_where_a_whole_number_is_asked(text: str, value: int) -> None:
    reading = read(NumericPart("answer", "", 1, "", decimals=0), text).reading
    assert isinstance(reading, Value)
    assert reading.content[0][0].value == value


@pytest.mark.parametrize("text", ["57.600", "1.234"])
def test_a_whole_number_with_a_point_before_three_digits_is_not_guessed(text: str) -> None:
    reading = read(NumericPart("answer", "", 1, "", decimals=0), text).reading
    assert isinstance(reading, Unreadable)
    assert reading.code == "comma"


def test_no_thousands_begin_with_nought() -> None:
    reading = read(NumericPart("answer", "", 1, "", decimals=0), "0,025").reading
    assert isinstance(reading, Value)
    assert reading.content[0][0].value == Fraction(1, 40)


def test_a_list_with_decimal_commas() -> None:
    reading = read(part("array", shape=(1, 3)), "0,25; 0,5; 1").reading
    assert isinstance(reading, Value)
    assert [float(cell.value) for cell in reading.content[0]] == [0.25, 0.5, 1]


def test_a_row_of_blanks_is_a_blank() -> None:
    assert read(part("array", shape=(1, 3)), "_ _ _").reading == Blank()


def test_a_row_may_be_written_for_a_column() -> None:
    reading = read(part("array", shape=(3, 1)), "1 2 3").reading
    assert isinstance(reading, Value)
    assert len(reading.content) == 3


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("text", ["", "  \n", "_", "＿", "\u200b", "\u00ad\n"])
def test_nothing_is_a_blank(kind: str, text: str) -> None:
    assert read(part(kind), text).reading == Blank()


def test_every_kind_has_a_reader_and_an_unreadable_sample() -> None:
    assert set(KINDS) == set(UNREADABLE)
    for kind, text in UNREADABLE.items():
        assert isinstance(read(part(kind), text).reading, Unreadable)


@pytest.mark.slow
@settings(max_examples=20_000)
@given(
    st.sampled_from(KINDS),
    st.one_of(
        st.text(max_size=300), st.text(ALPHABET, max_size=300), st.lists(st.sampled_from(PIECES)).map("".join)
    ),
)
def test_any_text_is_read_in_no_time(kind: str, text: str) -> None:
    """Only a value, a blank or an unreadable comes out, within 50 ms."""
    asked = part(kind, "AB12" if kind == "pairs" else "ABCD")
    times = []
    for _ in range(2):  # the better of two: the machine may have been busy
        start = process_time()
        assert isinstance(read(asked, text).reading, (Value, Blank, Unreadable))
        times.append(process_time() - start)
    assert min(times) < 0.05


@pytest.mark.slow
def test_reading_keeps_no_memory() -> None:
    rng = random.Random(7)
    texts = ["".join(rng.choices(ALPHABET, k=60)) for _ in range(300)]

    def all_of_them() -> None:
        for kind in KINDS:
            for text in texts:
                read(part(kind, "AB12" if kind == "pairs" else "ABCD"), text)

    all_of_them()
    tracemalloc.start()
    all_of_them()
    gc.collect()
    before, _ = tracemalloc.get_traced_memory()
    for _ in range(3):
        all_of_them()
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after - before < 20_000


@given(st.sampled_from(KINDS), st.text(max_size=80))
def test_any_text_is_read_blank_or_unreadable_with_a_message(kind: str, text: str) -> None:
    response = read(part(kind, "AB12" if kind == "pairs" else "ABCD"), text)
    assert response.raw == text
    if isinstance(response.reading, Unreadable):
        for lang in ("en", "ja"):
            said = tell(
                lang,
                f"unreadable.{response.reading.code}",
                **response.reading.values,
                at=response.reading.at + 1,
            )
            assert said
        assert 0 <= response.reading.at <= max(len(text), 1)


@given(st.fractions(min_value=-1000, max_value=1000), st.integers(0, 9))
def test_a_written_number_is_read_back(value: Fraction, decimals: int) -> None:
    text = f"{round(value * 10**decimals) / 10**decimals:.{decimals}f}"
    number = read_number(text)
    assert number.value == Fraction(text)
    assert number.decimals == decimals


@given(st.lists(st.lists(st.integers(-99, 99), min_size=3, max_size=3), min_size=1, max_size=4))
def test_a_written_array_is_read_back_in_every_notation(rows: list[list[int]]) -> None:
    notations = [
        str(rows),
        "; ".join(" ".join(map(str, row)) for row in rows),
        "\n".join("\t".join(map(str, row)) for row in rows),
        "\n".join(", ".join(map(str, row)) for row in rows),
    ]
    for text in notations:
        assert [[cell.value for cell in row] for row in read_array(text)] == rows
