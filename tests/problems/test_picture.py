"""Pictures of weights: of what is seen exactly one choice is true, and every page shows the same cells."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from quizengine.errors import UnknownName, UsageError
from quizengine.items.answer import Ask, Numeric
from quizengine.lang.messages import t
from quizengine.problems.families.picture import MASKS, PATTERNS, TARGETS, Size, is_true, weights_of
from quizengine.problems.pose import pose
from quizengine.render.blocks import Picture, stem
from quizengine.render.heat import heat_lines, table
from quizengine.render.svg import heat_svg

SEEDS = range(60)
ITEMS = [
    "masking.picture-by-condition",
    "masking.picture-by-purpose",
    "masking.picture-of-a-fault",
    "multi-head.picture-of-heads",
    "position.picture-of-a-repeat",
    "averaging.picture-of-an-average",
]


def asking(bank, stage: str, *of: str):
    item = bank.item("masking.picture-by-purpose")
    return item._replace(answer=Numeric("picture", {}, (Ask(stage),), of))


def seen(problem) -> np.ndarray:
    return np.array(problem.given["weights"])


@pytest.mark.parametrize("id_", ITEMS)
def test_every_choice_is_the_key_about_as_often(bank, id_: str) -> None:
    problems = [pose(bank.item(id_), seed, "en", bank.catalogue) for seed in range(200)]
    keys = Counter(problem.parts[0].key for problem in problems)
    assert set(keys) == {choice.label for problem in problems for choice in problem.parts[0].choices}
    assert max(keys.values()) <= 2 * min(keys.values())


@pytest.mark.parametrize(
    ("name", "filled"),
    [
        ("causal", "1000 1100 1110 1111"),
        ("leak", "1100 1110 1111 1111"),
        ("past", "1111 0111 0011 0001"),
        ("inverted", "0111 0011 0001 0000"),
        ("padding", "1100 1100 1100 1100"),
        ("window", "1000 1100 0110 0011"),
        ("prefix", "1100 1100 1110 1111"),
        ("packing", "1000 1100 0010 0011"),
        ("full", "1111 1111 1111 1111"),
    ],
)
def test_a_mask_fills_these_cells_and_only_it_is_true(name: str, filled: str) -> None:
    size, cells = Size(4, 2), [[c == "1" for c in row] for row in filled.split()]
    weights = weights_of(np.array(cells), np.zeros((4, 4)))
    assert [[x > 0 for x in row] for row in weights] == cells
    assert [other for other in MASKS if is_true(other, weights, size)] == [name]


@pytest.mark.parametrize("name", TARGETS)
def test_a_head_is_told_by_where_it_looks_most(bank, name: str) -> None:
    """The picture of a head is of no other head, nor of an even one."""
    for seed in SEEDS:
        problem = pose(asking(bank, "pattern", *TARGETS, "even"), seed, "en", bank.catalogue)
        weights = [[round(100 * x) for x in row] for row in seen(problem)]
        true = [other for other in (*TARGETS, "even") if is_true(other, weights, Size(8, 4))]
        assert len(true) == 1
        if true == [name]:
            return
    pytest.fail(f"{name} is never drawn")


def test_a_softmax_down_the_columns_is_seen_by_its_sums() -> None:
    exponents, keep = np.arange(16).reshape(4, 4) % 3, np.tri(4, dtype=bool)
    wrong, right = weights_of(keep, exponents, "softmax-columns"), weights_of(keep, exponents)
    assert is_true("columns", wrong, Size(4, 2))
    assert not is_true("causal", wrong, Size(4, 2))
    assert is_true("causal", right, Size(4, 2))
    assert not is_true("columns", right, Size(4, 2))


@pytest.mark.parametrize("rule", ["causal", "padding", "window", "prefix", "packing"])
def test_one_row_breaks_the_rule(bank, rule: str) -> None:
    for seed in SEEDS:
        problem = pose(asking(bank, "row", rule), seed, "en", bank.catalogue)
        weights, [part] = seen(problem), problem.parts
        n = len(weights)
        found = [
            p
            for p in range(3, n - 2)
            for rows in [
                [
                    i
                    for i in range(n)
                    if any(weights[i, j] and not MASKS[rule](i + 1, j + 1, Size(n, p)) for j in range(n))
                ]
            ]
            if ["ABCDEFGH"[i] for i in rows] == [part.key]
            and part.choices[rows[0]].text == f"row {rows[0] + 1}"
        ]
        assert found, (seed, rule)


def test_who_believes_in_the_fault_takes_it_for_sound(bank) -> None:
    named = Counter()
    for seed in SEEDS:
        problem = pose(bank.item("masking.picture-of-a-fault"), seed, "en", bank.catalogue)
        named.update(rival.misconception for rival in problem.rivals)
    assert set(named) == {"mask-one-late", "mask-past"}


@pytest.mark.parametrize("id_", ["masking.picture-by-condition", "head.picture-without-a-mask"])
def test_of_conditions_only_rows_taken_for_columns_are_named(bank, id_: str) -> None:
    problems = [pose(bank.item(id_), seed, "en", bank.catalogue) for seed in SEEDS]
    assert {rival.misconception for problem in problems for rival in problem.rivals} == {"mask-past"}


def test_who_takes_columns_for_rows_is_not_told_what_was_answered(bank) -> None:
    """The choice says that the softmax runs along the rows: only the sums were overlooked."""
    met = 0
    for seed in SEEDS:
        problem = pose(bank.item("order.picture-of-an-axis"), seed, "en", bank.catalogue)
        right, causal = (
            next((c for c in problem.parts[0].choices if c.text.endswith(end)), None)
            for end in ("down the columns", "along the rows")
        )
        if right and causal and right.label == problem.parts[0].key:
            met += 1
            assert not problem.rivals
            assert causal.why == t("en", "looks.not-rows")
    assert met


@pytest.mark.parametrize("id_", [*ITEMS, "order.picture-of-an-axis"])
def test_a_wrong_choice_is_told_what_another_picture_would_show(bank, id_: str) -> None:
    for seed in SEEDS:
        [part] = pose(bank.item(id_), seed, "en", bank.catalogue).parts
        whys = {choice.why for choice in part.choices if choice.label != part.key}
        assert all(
            why.startswith("That would give another picture: ") for why in whys - {t("en", "looks.not-rows")}
        )


@pytest.mark.parametrize(
    ("stage", "of", "says"),
    [
        ("weights", (), "pattern, row, mask"),
        ("pattern", ("causal", "sun", "leak"), "sun"),
        ("pattern", ("causal", "leak"), "three"),
        ("row", ("full",), "full"),
    ],
)
def test_what_cannot_be_drawn_is_said(bank, stage: str, of: tuple[str, ...], says: str) -> None:
    with pytest.raises((UsageError, UnknownName), match=says):
        pose(asking(bank, stage, *of), 1, "en", bank.catalogue)


def test_the_bank_draws_every_pattern(bank) -> None:
    drawn = {name for item in bank if item.family == "picture" for name in item.answer.of}
    assert drawn == {*PATTERNS}


def test_terminal_page_and_voice_show_the_same_cells(bank) -> None:
    for seed in SEEDS:
        problem = pose(bank.item(ITEMS[0]), seed, "ja", bank.catalogue)
        [picture] = [block for block in stem(problem) if isinstance(block, Picture)]
        weights = seen(problem)
        drawn = [line[4:].ljust(2 * len(weights)) for line in heat_lines(picture)[1:-1]]
        assert [[row[2 * j] != "·" for j in range(len(weights))] for row in drawn] == (weights > 0).tolist()
        assert heat_svg(picture).count("<circle") == (weights == 0).sum()
        spoken = heat_lines(picture, spoken=True)
        assert [line.count(".") for line in spoken] == (weights > 0).sum(axis=1).tolist()
        assert [row[1:] for row in table(picture)[1:]] == [line.split(": ")[1].split(", ") for line in spoken]
