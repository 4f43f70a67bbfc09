"""Exports made for the tests."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quizengine.problems.part import ChoicePart
from quizengine.problems.problem import Problem
from quizengine.sheets.compose import compose
from quizengine.sheets.lineup import drawn
from quizengine.sheets.manifest import Manifest
from quizengine.sheets.plan import Blueprint, Heading, Section
from quizengine.sheets.roster import without_names

EVERY_KIND = (
    *("masking.one-row", "masking.where", "averaging.zero-scores", "averaging.shifted-values", "order.steps"),
    *("averaging.which-row", "masking.why-causal", "averaging.mean-with-the-neighbour", "complexity.cache"),
    *("averaging.equal-values-any-weights", "averaging.shape-of-an-average", "averaging.gaps-running-mean"),
    *("complexity.bytes-of-a-score-matrix", "head.padded-batch", "multi-head.weights-ported-wrong"),
    *("averaging.picture-of-an-average", "inference.serving-long-texts"),
)


@pytest.fixture(scope="session")
def exported(bank):
    """The manifest of an export: variants of these items, in these languages."""

    def call(
        *items: str, variants: int = 1, languages=("en",), secret: bytes = b"exported, always alike"
    ) -> Manifest:
        pool = tuple(bank.item(id_).metadata for id_ in items)
        plan = Blueprint(Heading(languages=languages), (Section(pool, len(pool), named=True),))
        made = compose(bank, plan, without_names(variants), drawn(plan, secret.ljust(32, b".")))
        return replace(made, sheets=tuple(replace(sheet, student=sheet.code) for sheet in made.sheets))

    return call


HOSTILE = (
    pytest.param("a ]]> b", id="cdata"),
    pytest.param("a & b < c > d", id="markup"),
    pytest.param("<script>alert(1)</script>", id="script"),
    pytest.param("\"a\" 'b'", id="quotes"),
    pytest.param("注意機構「重み」", id="japanese"),
    pytest.param("bell \x07 and tab\tin it", id="control"),
    pytest.param("𝛼 😀", id="beyond"),
)


def texts_replaced(problem: Problem, text: str) -> Problem:
    """A problem with one choice that is right, all texts of which are this one."""
    [part] = problem.parts
    assert isinstance(part, ChoicePart)
    choices = tuple(choice._replace(text=text, why=text) for choice in part.choices)
    return problem._replace(prompt=text, worked=(text,), parts=(part._replace(choices=choices),))
