"""Exports made for the tests."""

from __future__ import annotations

from dataclasses import replace

import pytest

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
