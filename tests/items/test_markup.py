"""Bank text: what is parsed, and where a fault is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizengine.items.markup import TextFault, parse
from quizengine.render.terminal import plain_text


@pytest.mark.parametrize(
    ("tex", "shown"),
    [
        (r"$QK^T/\sqrt{d_k}$", "QKᵀ/√dₖ"),
        (r"$\mathrm{softmax}(QK^T/\sqrt{d_k})V$", "softmax(QKᵀ/√dₖ)V"),
        (r"$\frac{QK^T}{\sqrt{d_k}}$", "QKᵀ/√dₖ"),
        (r"$\frac{a+b}{2}$", "(a + b)/2"),
        (r"$\sqrt{a+b}$", "√(a + b)"),
        (r"$\exp(-\infty)=0$", "exp(−∞) = 0"),
        (r"$d_{model}=512$", "d_model = 512"),
        (r"$W_Q$", "W_Q"),
        (r"$8nd^2+4n^2d$", "8nd² + 4n²d"),
        (r"$n\times n$", "n × n"),
        (r"$w(1-w)$", "w(1 − w)"),
        (r"$10^{10}$", "10¹⁰"),
        (r"$\exp(s_j)/\sum\exp(s)$", "exp(sⱼ)/∑exp(s)"),
        ("**bold** and `code`", "bold and code"),
        ("one\n\ntwo", "one\n\ntwo"),
    ],
)
def test_formulae_on_one_line(tex: str, shown: str) -> None:
    assert plain_text(tex) == shown


@pytest.mark.parametrize(
    ("text", "at", "message"),
    [
        ("a $x", 2, "“$” is opened and never closed"),
        ("a $\\foo$", 3, "“\\foo” is not in the TeX subset"),
        ("$x^2^3$", 4, "a second “^”"),
        ("$^2$", 1, "“^” follows nothing"),
        ("$x}$", 2, "“}” closes nothing"),
        ("${x$", 1, "“{” is never closed"),
        ("$\\sqrt$", 6, "the formula ends where something must follow"),
        ("ok\n\n**b", 4, "“**” is opened and never closed"),
    ],
)
def test_faults_say_where(text: str, at: int, message: str) -> None:
    with pytest.raises(TextFault) as caught:
        parse(text)
    assert (caught.value.at, str(caught.value)) == (at, message)


@given(st.text(alphabet="ab$\\^_{}*` \n1+-√", max_size=30))
def test_any_text_parses_or_is_a_fault_within_it(text: str) -> None:
    try:
        parse(text)
        at = 0
    except TextFault as fault:
        at = fault.at
    assert 0 <= at <= len(text)
