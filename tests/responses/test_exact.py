"""Exact forms as learners type them: roots, logarithms, powers, mixed numbers, LaTeX."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizengine.lang.messages import say
from quizengine.marking.judge import judge
from quizengine.problems.pose import pose
from quizengine.responses.numbers import read_number
from quizengine.responses.read import read
from quizengine.responses.response import CannotRead

RATIONAL = [
    ("3²", "9"),
    ("2^3", "8"),
    ("2**3", "8"),
    ("2^-1", "1/2"),
    ("2^(-2)", "1/4"),
    ("2^{-2}", "1/4"),
    ("2⁻³", "1/8"),
    ("-2^2", "-4"),
    ("(-2)^2", "4"),
    ("4^(1/2)", "2"),
    ("2^3^1", "8"),
    ("3×10^-2", "3/100"),
    ("3 x 10^-2", "3/100"),
    ("3*10**-2", "3/100"),
    ("3·10⁻²", "3/100"),
    ("1.5 × 10²", "150"),
    ("10^-3", "1/1000"),
    ("½", "1/2"),
    ("1½", "3/2"),
    ("-1½", "-3/2"),
    ("１½", "3/2"),
    ("¾", "3/4"),
    ("⅓", "1/3"),
    ("2⅝", "21/8"),
    ("½%", "1/200"),
    ("1 1/2", "3/2"),
    ("-2 3/4", "-11/4"),
    ("0.35/2", "7/40"),
    ("2*3", "6"),
    ("(1/2)", "1/2"),
    ("3/(2*4)", "3/8"),
    ("2(3)", "6"),
    ("1/2/2", "1/4"),
    ("-(1/3)", "-1/3"),
    ("√4", "2"),
    ("√(9/16)", "3/4"),
    ("sqrt(16)", "4"),
    ("sqrt(0.25)", "1/2"),
    ("exp(0)", "1"),
    ("ln(1)", "0"),
    ("log2(8)", "3"),
    ("log2 8", "3"),
    ("log_2(1/4)", "-2"),
    ("log₂ 8", "3"),
    (r"\frac{1}{3}", "1/3"),
    (r"-\frac{1}{3}", "-1/3"),
    (r"\dfrac{2}{5}", "2/5"),
    (r"\frac12", "1/2"),
    (r"1\frac{1}{2}", "3/2"),
    (r"$\frac{1}{3}$", "1/3"),
    (r"\(\frac{1}{3}\)", "1/3"),
    (r"\sqrt{9}", "3"),
    (r"\frac{\sqrt{4}}{3}", "2/3"),
    (r"\left(\frac{1}{2}\right)", "1/2"),
    (r"3 \times 10^{-2}", "3/100"),
    (r"3 \cdot 10^{-2}", "3/100"),
    ("$0.25$", "1/4"),
]
IRRATIONAL = [
    ("√2", math.sqrt(2)),
    ("√2/2", math.sqrt(2) / 2),
    ("1/√2", 1 / math.sqrt(2)),
    ("-√3", -math.sqrt(3)),
    ("2√3", 2 * math.sqrt(3)),
    ("sqrt(2)/2", math.sqrt(2) / 2),
    ("sqrt 2", math.sqrt(2)),
    ("SQRT(2)", math.sqrt(2)),
    ("ln 2", math.log(2)),
    ("ln2", math.log(2)),
    ("ln(2)", math.log(2)),
    ("-ln 2", -math.log(2)),
    ("2 ln 2", 2 * math.log(2)),
    ("2ln2", 2 * math.log(2)),
    ("2*ln(2)", 2 * math.log(2)),
    ("ln 2 / 2", math.log(2) / 2),
    ("1.5 ln 2", 1.5 * math.log(2)),
    ("-3/2·ln 2", -1.5 * math.log(2)),
    ("(3/2) ln 2", 1.5 * math.log(2)),
    ("½ ln 2", 0.5 * math.log(2)),
    ("log2(3)", math.log2(3)),
    ("exp(1)", math.e),
    ("exp(-0.5)", math.exp(-0.5)),
    ("e", math.e),
    ("e^2", math.e**2),
    ("e^-1", 1 / math.e),
    ("e^(-1/2)", math.exp(-0.5)),
    ("e^{-0.5}", math.exp(-0.5)),
    ("e²", math.e**2),
    ("2e^3", 2 * math.e**3),
    ("1/e", 1 / math.e),
    ("π", math.pi),
    ("pi", math.pi),
    ("2π", 2 * math.pi),
    ("π/4", math.pi / 4),
    ("2^0.5", math.sqrt(2)),
    ("2^(1/2)", math.sqrt(2)),
    (r"\sqrt{2}", math.sqrt(2)),
    (r"\frac{\sqrt{2}}{2}", math.sqrt(2) / 2),
    (r"\frac{1}{\sqrt{2}}", 1 / math.sqrt(2)),
    (r"\frac{1}{2}\ln 2", 0.5 * math.log(2)),
    (r"2\pi", 2 * math.pi),
    (r"e^{-1}", 1 / math.e),
    ("ー√２", -math.sqrt(2)),
]
TYPED_DECIMALS = [
    ("3×10^-2", 2),
    ("1.5 × 10^-3", 4),
    ("1.5×10²", 0),
    ("3*10**-2", 2),
    ("$0.25$", 2),
    ("½", None),
]
REFUSED = [
    ("1/2 ln 2", "ambiguous", 4),
    ("1/2√2", "ambiguous", 3),
    ("1/2π", "ambiguous", 3),
    ("ln 1/2", "ambiguous", 4),
    ("ln 2^2", "ambiguous", 4),
    ("ln 2·3", "ambiguous", 4),
    ("√2π", "ambiguous", 2),
    ("2^1/2", "ambiguous", 3),
    ("e^-1/2", "ambiguous", 4),
    ("0.25 (1/4)", "number", 5),
    ("√-1", "number", 1),
    ("sqrt(-2)", "root", 0),
    ("(-1)^0.5", "root", 4),
    ("ln 0", "logarithm", 0),
    ("ln(-1)", "logarithm", 0),
    ("log 2", "log-base", 0),
    ("log(2)", "log-base", 0),
    ("1/(1-1)", "number", 4),
    ("0^-1", "zero-denominator", 1),
    ("1/ln 1", "zero-denominator", 1),
    (r"\frac{1}{0}", "zero-denominator", 0),
    ("9**9**9", "too-large", 1),
    ("2^1000", "too-large", 1),
    ("exp(500)", "too-large", 0),
    ("10^31", "too-large", 2),
    ("e^e^e^e", "too-large", 1),
    ("2e", "number", 1),
    ("√", "number", 0),
    ("ln", "number", 1),
    ("2^", "number", 1),
    ("2**", "number", 2),
    ("*2", "number", 0),
    ("2//3", "number", 2),
    ("(1/2", "unclosed", 0),
    ("3×10^(-2", "unclosed", 5),
    ("3×10^{-2)", "number", 8),
    ("1/2)", "number", 3),
    ("()", "number", 1),
    (r"\frac{1}", "number", 7),
    (r"\frac{1}{2", "unclosed", 8),
    (r"\sum 2", "number", 0),
    ("sin(1)", "number", 0),
    ("max(1)", "number", 0),
    ("ln 2 3", "number", 5),
    ("3 1 2", "number", 2),
    ("1 3/2", "number", 2),
    ("1½½", "number", 2),
    ("2 + 3", "number", 2),
    ("1 - 2", "number", 2),
    ("((((((((((1))))))))))", "too-nested", 8),
    ("5!", "number", 1),
    ("0.5x", "number", 3),
    ("0x10", "number", 1),
    ("3x", "number", 1),
    ("1.2.3^2", "number", 3),
    ("1,234^2", "number", 1),
]


@pytest.mark.parametrize(("text", "value"), RATIONAL)
def test_rational_forms_are_exact(text: str, value: str) -> None:
    assert read_number(text).value == Fraction(value)


@pytest.mark.parametrize(("text", "value"), IRRATIONAL)
def test_irrational_forms_are_read_beyond_doubt(text: str, value: float) -> None:
    """To 30 digits: no rounding of ours can reach a mark. (The double agrees to its own precision.)"""
    number = read_number(text)
    assert number.decimals is None
    assert float(number.value) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(("text", "decimals"), TYPED_DECIMALS)
def test_powers_of_ten_keep_their_decimals(text: str, decimals: int | None) -> None:
    assert read_number(text).decimals == decimals


@pytest.mark.parametrize(("text", "code", "at"), REFUSED)
def test_refused_forms_name_the_character(text: str, code: str, at: int) -> None:
    with pytest.raises(CannotRead) as caught:
        read_number(text)
    reading = caught.value.reading
    assert (reading.code, reading.at) == (code, at)
    for lang in ("en", "ja"):
        assert str(at + 1) in say(lang, f"unreadable.{code}", **{**reading.values, "at": at + 1})


PIECES = [
    "1", "2", "12", "0.5", "9999", "10", "１", "½", ".", ",", "_", "-", "ー", "+", "*", "×", "x", "/", "^",
    "**", "²", "⁻", "(", ")", "{", "}", "√", "ln", "exp", "e", "e^", "π", "pi", "log", "log2", "%", "!", "$",
    " ", r"\frac", r"\sqrt", r"\(", r"\left",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=16).map("".join))
def test_any_pieces_are_a_number_or_refused_with_a_place(text: str) -> None:
    try:
        assert abs(read_number(text).value) <= 10**30
    except CannotRead as cannot:
        at = cannot.reading.at
    else:
        return
    assert 0 <= at <= len(text)


def test_an_exact_form_is_marked_as_its_value(bank) -> None:
    """ln 2 where a multiple of ln 2 is the key: full marks, and the echo is a number one can read."""
    problem = pose(bank.item("head.three-positions"), 3, "en", bank.catalogue)
    part = problem.part("scaled")
    response = read(part, "[-3/2·ln(2), -5/2·ln(2), -½ln(2)]")
    assert judge(problem, {"scaled": response}).parts[0].credit == part.points
    assert response.reading.echo == "1×3 [[-1.039720771, -1.732867951, -0.34657359]]"
