"""The patches against the catalogue, and where each first differs."""

from __future__ import annotations

import numpy as np
import pytest

from quizengine.attention.cost import COST, SPREAD
from quizengine.attention.patches import PATCHES, stages_struck
from quizengine.attention.solver import World, solve_worlds
from quizengine.attention.stage import ONE_HEAD
from quizengine.problems.distinct import candidates
from quizengine.problems.families import FAMILIES


def first_difference(table, inputs, patch) -> str:
    worlds = solve_worlds(inputs, [World(), World(patch)], table)
    for stage in worlds.stages:
        right, wrong = worlds[0][stage], worlds[1][stage]
        if not np.array_equal(right, wrong):
            return stage
    return ""


@pytest.mark.parametrize("id_", sorted(PATCHES))
def test_a_patch_first_differs_at_the_first_stage_it_strikes(bank, id_: str) -> None:
    """In a family at least; in the others a stage that it strikes may give the right numbers (no scale of
    dₖ = 1, square matrices), but nowhere do they differ at a stage that it does not strike."""
    firsts = []
    for family, ranges in ((f, r) for f in FAMILIES.values() for r in ({}, *f.also)):
        sizes = family.sized(ranges)
        if id_ in candidates(bank.catalogue, family, sizes):
            struck = stages_struck(PATCHES[id_], family.table)
            first = first_difference(family.table, family.generic(sizes), PATCHES[id_])
            assert first in ("", *struck), family.name
            firsts.append(first == struck[0])
    assert any(firsts)


def test_every_table_has_patches() -> None:
    for table, least in ((ONE_HEAD, 20), (SPREAD, 8), (COST, 10)):
        assert sum(bool(stages_struck(patch, table)) for patch in PATCHES.values()) >= least
