"""Bug hunt: the programs compute what the patches do, and of what is asked exactly one choice is true."""

from __future__ import annotations

import ast
from collections import Counter
from typing import Any, get_args

import numpy as np
import pytest

from quizengine.attention.inputs import prepare
from quizengine.attention.patches import PATCHES
from quizengine.attention.program import BUGS, LINES, Spelling, planted, program
from quizengine.attention.solver import World, solve_worlds
from quizengine.attention.stage import ONE_HEAD
from quizengine.errors import UnknownName, UsageError
from quizengine.items.answer import Ask, Numeric
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.problems.families.bug import TRAITS, traits
from quizengine.problems.part import ChoicePart
from quizengine.problems.pose import pose

RENAMES = {"q", "k", "v"}
SEEDS = range(60)
rng = np.random.default_rng(5)
GIVEN = {"X": rng.normal(size=(5, 4)), **{f"W_{x}": rng.normal(size=(4, 4)) for x in "QKV"}}


def softmax(x: np.ndarray, axis: int | None = None) -> np.ndarray:
    """As SciPy has it: over all entries, unless an axis is named."""
    parts = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return parts / parts.sum(axis=axis, keepdims=True)


def test_a_line_for_every_stage_of_the_table_in_its_order() -> None:
    assert list(LINES) == [stage for stage in ONE_HEAD if stage not in RENAMES]


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("bug", ["", *BUGS])
def test_the_program_computes_what_the_patch_does(bug: str) -> None:
    space: dict[str, Any] = {"np": np, "softmax": softmax}
    exec(program("numpy", bug).partition("\n\n")[2], space)
    patch = PATCHES[bug] if bug else {}
    trace = solve_worlds(prepare(GIVEN | {"causal": True}), [World(patch)], ONE_HEAD)[0]
    assert np.allclose(np.nan_to_num(space["head"](**GIVEN)), trace["output"])


@pytest.mark.parametrize("spelling", get_args(Spelling))
@pytest.mark.parametrize("bug", BUGS)
def test_one_line_is_wrong_and_it_is_the_one_that_is_asked(bug: str, spelling: Spelling) -> None:
    right, wrong = (program(spelling, name).splitlines() for name in ("", bug))
    ast.parse("\n".join(wrong))
    assert 13 <= len(wrong) <= 15
    [line] = [line for line in wrong if line not in right]
    assert line.strip() == getattr(BUGS[bug][planted(bug)], spelling)


def test_a_right_head_has_every_trait() -> None:
    assert traits("") == dict.fromkeys(TRAITS, True)


@pytest.mark.parametrize(
    ("bug", "fails"),
    [
        ("mask-after-softmax", {"rows", "future", "first"}),
        ("mask-on-values", {"later", "future", "first"}),
        ("scale-by-dk", {"spread"}),
        ("queries-are-keys", {"query", "symmetric"}),
        ("keys-mixed", {"first", "value"}),
        ("mask-inverted", {"finite"}),
    ],
)
def test_what_a_mistake_shows(bug: str, fails: set[str]) -> None:
    assert {trait for trait, holds in traits(bug).items() if not holds} == fails


def test_every_patch_of_one_head_that_fits_a_line_bears_one() -> None:
    """A new patch that strikes one stage of the program is to bring its line, or to be listed here."""
    without = {
        "softmax-sums-across", "softmax-twice", "softmax-base-two", "softmax-negated", "softmax-plus-one",
        "softmax-left-out", "exponential-left-out", "winner-takes-all", "factor-left-out", "scores-added",
        "scores-are-cosines", "scores-are-distances", "keys-not-transposed", "keys-are-queries",
        "scale-forgotten", "scale-fourth-root", "scale-by-queries", "scale-by-half-width", "scale-by-dv",
        "scale-by-model", "softmax-over-heads",
        "mask-ignored",  # a line is missing: none that is there must be wrong
    }  # fmt: skip
    others = ("additive-", "average-", "heads-", "cross-")  # of other tables
    single = {id_ for id_, patch in PATCHES.items() if len(set(patch) & set(ONE_HEAD)) == 1}
    assert {id_ for id_ in single - set(BUGS) if not id_.startswith(others)} == without


@pytest.mark.parametrize("id_", ["head.bug-in-numpy", "head.bug-in-pytorch"])
def test_no_letter_is_right_more_often_than_the_others(bank, id_: str) -> None:
    problems = [pose(bank.item(id_), seed, "en", bank.catalogue) for seed in range(200)]
    for place, part in enumerate(problems[0].parts):
        keys = Counter(problem.parts[place].key for problem in problems)
        assert max(keys.values()) <= 2 * 200 / len(part.choices), (part.id, keys)


def test_both_languages_show_one_program(bank) -> None:
    for seed in SEEDS:
        one, other = (
            pose(bank.item("head.bug-in-numpy"), seed, lang, bank.catalogue) for lang in ("en", "ja")
        )
        assert one.code == other.code
        assert [part.key for part in one.parts] == [part.key for part in other.parts]


@pytest.mark.parametrize(
    ("stage", "of", "says"),
    [("mask", (), "line, symptom, test"), ("line", ("mask-passt",), "mask-past")],
)
def test_what_cannot_be_planted_is_said(bank, stage: str, of: tuple[str, ...], says: str) -> None:
    item = bank.item("head.bug-in-numpy")._replace(answer=Numeric("numpy-bug", {}, (Ask(stage),), of))
    with pytest.raises((UsageError, UnknownName), match=says):
        pose(item, 1, "en", bank.catalogue)


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("id_", ["head.bug-in-numpy", "head.bug-in-pytorch"])
def test_a_wrong_choice_is_told_why_it_is_wrong(bank, id_: str, lang: Lang) -> None:
    """A line is right, and the test passes that a symptom would fail; of the key no such thing is said."""
    problem = pose(bank.item(id_), 3, lang, bank.catalogue)
    for part in problem.parts:
        assert isinstance(part, ChoicePart)
        assert [choice.label for choice in part.choices if not choice.why] == [part.key]
        if part.id == "symptom":
            tests = {t(lang, f"symptom.{trait}"): t(lang, f"test.{trait}") for trait in TRAITS}
            assert all(tests[choice.text] in choice.why for choice in part.choices if choice.why)
