"""Variants that tell misconceptions apart."""

from __future__ import annotations

from quizengine.problems.dice import SEED_BITS
from quizengine.problems.pose import pose
from quizengine.problems.separate import separating_variant, tells_apart


def test_the_next_variant_on_which_both_show_and_differ(bank) -> None:
    ids = ("mask-ignored", "mask-on-values")
    item = bank.item("masking.one-row")
    found = separating_variant([item], ids, 3, "en", bank.catalogue)
    assert found is not None
    posed = pose(bank.item(found[0]), found[1], "en", bank.catalogue)
    one, other = (next(r for r in posed.rivals if r.misconception == id_) for id_ in ids)
    assert found[1] > 3
    assert one.values != other.values
    assert tells_apart(posed, ids)


def test_another_item_where_the_same_cannot(bank) -> None:
    """Four heads are 4 wide each, and with d_v = 2 √d_v and the fourth root of d_k are one number."""
    ids = ("scale-by-dv", "scale-fourth-root")
    assert separating_variant([bank.item("multi-head.shared-keys")], ids, 3, "en", bank.catalogue) is None
    found = separating_variant(bank, ids, 3, "en", bank.catalogue)
    assert found is not None
    assert found[0] != "multi-head.shared-keys"


def test_none_where_no_item_can(bank) -> None:
    assert (
        separating_variant(
            [bank.item("masking.where")], ("mask-ignored", "mask-on-values"), 0, "en", bank.catalogue
        )
        is None
    )
    assert not tells_apart(
        pose(bank.item("masking.one-row"), 1, "en", bank.catalogue), ("mask-ignored", "no-such")
    )


def test_seeds_begin_again_at_the_end(bank) -> None:
    last = 2**SEED_BITS - 1
    found = separating_variant(
        [bank.item("masking.one-row")], ("mask-ignored", "scale-by-dk"), last, "en", bank.catalogue
    )
    assert found == ("masking.one-row", 0)
