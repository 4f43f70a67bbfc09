"""Formulae as MathML: every formula of the bank is well formed and within the core."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizengine.items.markup import TextFault, parse
from quizengine.render.mathml import mathml, matrix
from quizengine.render.page import formula, paragraphs

CORE = {
    "math",
    "mrow",
    "mi",
    "mn",
    "mo",
    "mspace",
    "mfrac",
    "msqrt",
    "msub",
    "msup",
    "msubsup",
    "mtable",
    "mtr",
    "mtd",
    "mphantom",
}
ATTRIBUTES = {"alttext", "display", "stretchy", "form", "width"}
ARITY = {"mfrac": 2, "msub": 2, "msup": 2, "msubsup": 3}


def check(text: str) -> None:
    root = ElementTree.fromstring(text)  # our own output
    for element in root.iter():
        assert element.tag in CORE
        assert set(element.attrib) <= ATTRIBUTES
        assert len(element) == ARITY.get(element.tag, len(element))


def formulae(bank) -> list[list]:
    from quizengine.problems.pose import pose
    from quizengine.render.page import problem_page

    found: list = []

    def walk(data) -> None:
        if isinstance(data, list) and data[:1] == ["m"]:
            found.append(data)
        elif isinstance(data, (list, dict)):
            for child in data.values() if isinstance(data, dict) else data:
                walk(child)

    for item in bank:
        for lang in item.languages:
            problem = pose(item, 2, lang, bank.catalogue)
            walk(problem_page(problem, 1, {part.id: "1" for part in problem.parts}))
            walk([paragraphs(line) for line in problem.worked])
    return found


def test_every_formula_of_the_bank(bank) -> None:
    found = formulae(bank)
    assert len(found) > 1000
    for _, nodes, alt in found:
        check(mathml(nodes, alt))


@given(st.text("abQK12+-=_^{}\\ fracsqtdk()<&'\"", max_size=40))
def test_whatever_is_parsed_is_well_formed(source: str) -> None:
    try:
        [[node]] = parse(f"${source}$")
    except (TextFault, ValueError):
        return
    if hasattr(node, "formula"):
        check(mathml(formula(node.formula), source))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (r"\frac{a}{b}", "<mfrac><mi>a</mi><mi>b</mi></mfrac>"),
        (r"\sqrt{d_k}", "<msqrt><msub><mi>d</mi><mi>k</mi></msub></msqrt>"),
        ("x^2_i", "<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>"),
        (r"\ln 2", '<mi>ln</mi><mspace width="0.17em"></mspace><mn>2</mn>'),
        (r"\exp(x)", '<mi>exp</mi><mo stretchy="false">(</mo><mi>x</mi><mo stretchy="false">)</mo>'),
        ("a<b", "<mi>a</mi><mo>&lt;</mo><mi>b</mi>"),
    ],
)
def test_forms(source: str, expected: str) -> None:
    [[node]] = parse(f"${source}$")
    assert mathml(formula(node.formula), "") == f'<math alttext="">{expected}</math>'


def test_the_cells_of_a_column_are_equally_wide() -> None:
    text = matrix([], [], [["1", "−2.5"], ["−10", "0"]], "")
    check(text)
    assert '<mtd><mrow><mphantom><mo form="prefix">−</mo><mn>0</mn></mphantom><mn>1</mn></mrow></mtd>' in text
    assert (
        '<mtd><mrow><mphantom><mo form="prefix">−</mo><mn>00</mn></mphantom><mn>0</mn></mrow></mtd>' in text
    )


def test_a_matrix_is_read_out_and_well_formed() -> None:
    text = matrix([["s", "Q", "letter"]], [["s", "ln", "name"], ["s", "2", "number"]], [["1", "−2"]], "Q <")
    check(text)
    assert '<mrow><mo form="prefix">−</mo><mn>2</mn></mrow>' in text
    assert 'alttext="Q &lt;"' in text
