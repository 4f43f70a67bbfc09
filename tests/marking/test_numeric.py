"""Marks of numeric items: the window, coarse values, entries, stock answers, follow-through,
diagnosis by local steps."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from quizengine.attention.inputs import prepare
from quizengine.attention.patches import PATCHES, applies
from quizengine.attention.solver import World, solve, solve_worlds
from quizengine.attention.stage import ONE_HEAD
from quizengine.errors import ArrayError
from quizengine.items.close import SEAL, rounded_text
from quizengine.items.policy import Policy
from quizengine.marking.entries import earned
from quizengine.marking.judge import judge
from quizengine.problems.families.family import at_rows, inputs_of
from quizengine.problems.part import NumericPart, key_text
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem
from quizengine.responses.read import read


@pytest.fixture
def row(bank) -> Problem:
    """A staged problem: scaled, weights, output of row 4, 1 + 1 + 2 points."""
    return pose(bank.item("masking.one-row"), 4, "en", bank.catalogue)


def text_of(array) -> str:
    return str([[round(float(x), 9) for x in r] for r in np.atleast_2d(array)])


def marked(problem: Problem, policy: Policy | None = None, **texts: str):
    full = {part.id: key_text(part, part.key) for part in problem.parts} | texts
    return judge(problem, {id_: read(problem.part(id_), text) for id_, text in full.items()}, policy)


def named(mark) -> list[tuple[str, ...]]:
    return [d.misconceptions for d in mark.diagnosis]


def shifted(problem: Problem, part_id: str, *entries: tuple[int, float]) -> str:
    values = np.array(problem.part(part_id).key, float) / 1e9
    for column, by in entries:
        values[0, column] += by
    return text_of(values)


def test_the_key_is_full_however_it_is_written(row) -> None:
    printed = [[rounded_text(k, 3) for k in r] for r in row.part("output").key]
    for text in (
        str(printed).replace("'", ""),
        " ".join(printed[0]),
        "; ".join([" ".join(r) for r in printed]),
    ):
        assert marked(row, output=text).credit == 4


@pytest.mark.parametrize(("off", "verdict"), [(0.00101, "right"), (-0.00101, "right"), (0.00102, "partial")])
def test_the_window_is_1_01_units_and_its_edge_counts(row, off: float, verdict: str) -> None:
    typed = read(row.part("output"), shifted(row, "output", (0, off)))
    assert judge(row, {"output": typed}).part("output").verdict == verdict


def test_coarse_values_earn_a_share_and_say_so(row) -> None:
    key = row.part("output").key
    assert any(k % 10**7 > 1_010_000 for r in key for k in r)  # two decimals are not enough
    coarse = str([[rounded_text(k, 2) for k in r] for r in key]).replace("'", "")
    mark = marked(row, output=coarse).part("output")
    assert (mark.verdict, mark.share, mark.reasons[0].code) == ("partial", Fraction(1, 2), "slip.coarse")
    none = marked(row, Policy(coarse=Fraction(0)), output=coarse).part("output")
    assert (none.verdict, none.share) == ("wrong", 0)


@pytest.mark.parametrize("places", [1, 2, 3], ids="{}-fewer".format)
def test_a_part_that_is_short_is_never_full_after_right_parts(bank, places: int) -> None:
    """However it might have come about: no number on the way is rounded so that what is short would be right,
    and what is nearer to the key earns as much at least."""
    tried = 0
    for item in bank:
        for seed in range(4) if item.family else ():
            problem = pose(item, seed, "en", bank.catalogue)
            for part in problem.numeric:
                kept, unit = (part.decimals or 0) - places, Fraction(101, 100) * SEAL
                if kept < 0 or part.kind != "array":
                    continue
                window = unit / 10**part.decimals
                cut = [[rounded_text(k, kept) for k in row] for row in part.key]
                off = [
                    abs(Fraction(x) * SEAL - k)
                    for r, key in zip(cut, part.key, strict=True)
                    for x, k in zip(r, key, strict=True)
                ]
                if max(off) <= window:
                    continue
                tried += 1
                mark = marked(problem, **{part.id: str(cut).replace("'", "")}).part(part.id)
                assert mark.share <= (Policy().coarse if places == 1 else Fraction(1, 2)), (
                    item.id,
                    seed,
                    cut,
                )
    assert tried > 100 or places == 3


def test_a_short_part_tells_what_is_true_of_it(bank) -> None:
    """6.180 has as many decimals as are asked, and is right to two; nothing is off by the same amount."""
    problem = pose(bank.item("masking.padded-keys"), 3, "en", bank.catalogue)
    for text in ("6.18 5.09", "6.180 5.091", "6.18 5.091"):
        mark = marked(problem, output=text).part("output")
        assert (mark.share, [reason.code for reason in mark.reasons]) == (Fraction(1, 2), ["slip.coarse"])


def test_two_decimals_that_are_exact_are_not_coarse(bank) -> None:
    """Three decimals are asked, and the key needs no third one."""
    found = 0
    for seed in (0, 20, 22):
        problem = pose(bank.item("masking.padded-keys"), seed, "en", bank.catalogue)
        key = problem.part("output").key
        if all(k % 10**7 == 0 for r in key for k in r):
            found += 1
            two = str([[rounded_text(k, 2) for k in r] for r in key]).replace("'", "")
            assert marked(problem, output=two).part("output").verdict == "right"
    assert found


def test_entries_earn_above_the_best_constant(row) -> None:
    mark = marked(row, output=shifted(row, "output", (0, 5.0))).part("output")
    assert (mark.verdict, mark.share, mark.entries) == ("partial", Fraction(1, 2), ((False, True, True),))
    mark = marked(row, output=shifted(row, "output", (0, 5.0), (1, -3.0))).part("output")
    assert (mark.verdict, mark.share) == ("wrong", 0)


def test_weights_earn_by_the_row_and_hidden_weight_is_told(row) -> None:
    mark = marked(row, weights=shifted(row, "weights", (5, 0.1))).part("weights")
    assert (mark.verdict, mark.share) == ("wrong", 0)
    assert [r.code for r in mark.reasons] == ["entries", "cells", "hidden-weight", "slip.one"]


def test_a_row_that_does_not_sum_to_one_is_told(row) -> None:
    mark = marked(row, weights=shifted(row, "weights", (0, 0.3))).part("weights")
    assert "row-sum" in [r.code for r in mark.reasons]


def test_an_output_outside_the_visible_values_is_told(row) -> None:
    mark = marked(row, output=shifted(row, "output", (0, 40.0), (1, 40.0), (2, 40.0))).part("output")
    assert "outside" in [r.code for r in mark.reasons]


@pytest.mark.parametrize(
    ("part_id", "text"),
    [
        ("output", "0 0 0"),
        ("output", "4.5 4.5 4.5"),
        ("weights", "0 0 0 0 0 0"),
        ("weights", "0 0 0 1 0 0"),
        ("output", "VALUE"),
    ],
)
def test_stock_answers_earn_nothing_and_are_not_carried(row, part_id: str, text: str) -> None:
    text = text.replace("VALUE", text_of(row.given["V"][1]))
    mark = marked(row, **{part_id: text})
    assert mark.part(part_id).share == 0
    if part_id == "weights":
        carried = text_of(np.array([float(x) for x in text.split()]) @ np.array(row.given["V"]))
        assert marked(row, weights=text, output=carried).part("output").share < 1


def test_equal_weights_are_mixed_on_from_where_the_scores_were_worked_out(row) -> None:
    """Without them equal weights are a guess, and their mean another."""
    weights = "0.25 0.25 0.25 0.25 0 0"
    output = text_of(np.array([float(x) for x in weights.split()]) @ np.array(row.given["V"]))
    mark = marked(row, weights=weights, output=output)
    assert [part.share for part in mark.parts] == [1, 0, 1]
    assert named(mark) == [("plain-average",)]
    texts = {"weights": weights, "output": output}
    guessed = judge(row, {id_: read(row.part(id_), text) for id_, text in texts.items()})
    assert [part.share for part in guessed.parts] == [0, 0, 0]


def test_one_unreadable_part_never_stops_the_next(row) -> None:
    mark = marked(row, weights="about a third?")
    assert [p.verdict for p in mark.parts] == ["right", "unreadable", "right"]
    assert mark.credit == 3


def believer(problem: Problem, id_: str, upto: str) -> dict[str, str]:
    """What someone answers who makes this mistake and then goes on rightly from their numbers."""
    world = solve_worlds(inputs_of(problem), [World(PATCHES[id_])])[0]
    return {p.id: text_of(at_rows(world[p.stage], p.rows)) for p in problem.parts if p.id == upto}


@pytest.mark.parametrize(
    ("id_", "at"),
    [
        ("scale-by-dk", "scaled"),
        ("mask-ignored", "weights"),
        ("softmax-columns", "weights"),
        ("scale-multiplied", "scaled"),
    ],
)
def test_an_early_mistake_is_fined_once(bank, id_: str, at: str) -> None:
    for seed in range(12):
        problem = pose(bank.item("masking.one-row"), seed, "en", bank.catalogue)
        first = believer(problem, id_, at)
        stage = np.full(solve(inputs_of(problem))[at].shape, np.nan)
        stage[3] = np.array([float(x) for x in first[at].strip("[]").split(",")])
        after = solve(inputs_of(problem), given={at: stage})
        texts = dict(first)
        for part in problem.parts:
            if part.id not in first and problem.parts.index(part) > [p.id for p in problem.parts].index(at):
                texts[part.id] = text_of(at_rows(after[part.stage], part.rows))
        mark = marked(problem, **texts)
        assert mark.credit == 4 - problem.part(at).points, (seed, mark)
        assert named(mark) == [(id_,)], (seed, mark)
        assert mark.diagnosis[0].stage == at
        assert mark.part("output").carried
        less = marked(problem, Policy(carry=Fraction(1, 2)), **texts)
        assert less.credit < mark.credit


def test_carrying_survives_the_rounding_of_what_was_typed(bank) -> None:
    """Every value typed to three places, each step from the typed one before."""
    for seed in range(20):
        problem = pose(bank.item("masking.one-row"), seed, "en", bank.catalogue)
        given, texts = {}, {}
        for part in problem.parts:
            patch = PATCHES["scale-forgotten"] if part.stage == "scaled" else {}
            value = at_rows(
                solve_worlds(inputs_of(problem), [World(patch, given)])[0][part.stage], part.rows
            ).round(3)
            stage = np.full(solve(inputs_of(problem))[part.stage].shape, np.nan)
            stage[3] = value[0]
            given[part.stage], texts[part.id] = stage, text_of(value)
        mark = marked(problem, **texts)
        assert mark.credit == 3, (seed, mark)
        assert named(mark) == [("scale-forgotten",)], (seed, mark)


def test_an_error_is_carried_whoever_made_it(row) -> None:
    """It costs the part where it was made; or, by policy, all that nothing explains."""
    noise = "9.1 8.2 7.3 6.4 5.5 4.6"
    stage = np.full((6, 6), np.nan)
    stage[3] = [float(x) for x in noise.split()]
    after = solve(inputs_of(row), given={"scaled": stage})
    texts = {p.id: text_of(at_rows(after[p.stage], p.rows)) for p in row.parts if p.id != "scaled"}
    mark = marked(row, scaled=noise, **texts)
    assert [(part.share, part.carried) for part in mark.parts] == [(0, False), (1, True), (1, True)]
    assert named(mark) == []
    assert [r.code for r in mark.part("scaled").reasons][-1] == "slip.step"
    half = marked(row, Policy(carry_unexplained=Fraction(1, 2)), scaled=noise, **texts)
    assert [part.share for part in half.parts] == [0, Fraction(1, 2), Fraction(1, 2)]
    assert marked(row, Policy(carry_unexplained=Fraction(0)), scaled=noise, **texts).credit == 0


def test_a_slip_followed_by_a_misconception_is_seen_through(row) -> None:
    """One scaled score wrong, and then the mask forgotten: the second is named as itself."""
    scaled = shifted(row, "scaled", (1, 0.5))
    stage = np.full((6, 6), np.nan)
    stage[3] = [float(x) for x in scaled.strip("[]").split(",")]
    world = solve_worlds(inputs_of(row), [World(PATCHES["mask-ignored"], {"scaled": stage})])[0]
    mark = marked(row, scaled=scaled, weights=text_of(at_rows(world["weights"], (4,))))
    assert {"mask-ignored"} <= {id_ for d in mark.diagnosis for id_ in d.misconceptions}


def test_later_parts_tell_aliases_apart(row) -> None:
    """Unmasked weights may be the mask forgotten or the mask put on V: the output tells."""
    for id_ in ("mask-ignored", "mask-on-values"):
        world = solve_worlds(inputs_of(row), [World(PATCHES[id_])])[0]
        texts = {p.id: text_of(at_rows(world[p.stage], p.rows)) for p in row.parts}
        assert named(marked(row, **texts)) == [(id_,)]
    world = solve_worlds(inputs_of(row), [World(PATCHES["mask-ignored"])])[0]
    mark = judge(row, {"weights": read(row.part("weights"), text_of(at_rows(world["weights"], (4,))))})
    assert named(mark) == [("mask-ignored", "mask-on-values")]
    assert mark.diagnosis[0].certainty == "one-of"


def test_whole_numbers_must_be_exact_and_are_carried(bank) -> None:
    problem = pose(bank.item("complexity.layer-cost"), 3, "en", bank.catalogue)
    n, h = problem.given["n"], problem.given["h"]
    assert marked(problem, pairs=str(n * n + 1)).part("pairs").verdict == "wrong"
    mark = marked(problem, pairs=str(n * n + n), score_entries=str(h * (n * n + n)))
    assert mark.part("score_entries").carried
    copied = marked(problem, pairs=str(n), score_entries=str(h * n))  # a given: the rest would be easier
    assert not copied.part("score_entries").carried
    assert named(copied) == [("cost-linear",)]


def test_marking_from_json_is_the_same(row) -> None:
    again = Problem.from_json(row.to_json())
    for text in (
        "[[0, 0, 0]]",
        shifted(row, "output", (0, 1.0)),
        key_text(row.part("output"), row.part("output").key),
    ):
        assert marked(again, output=text) == marked(row, output=text)


@pytest.mark.parametrize(
    "id_", ["masking.one-row", "masking.padded-keys", "order.whole-row", "roles.mix-by-hand"]
)
def test_ones_own_right_values_may_be_carried_as_typed(bank, id_: str) -> None:
    """Weights to three places, and the output from just these weights: full marks."""
    for seed in range(25):
        problem = pose(bank.item(id_), seed, "en", bank.catalogue)
        weights = [[round(k / 1e9, 3) for k in row] for row in problem.part("weights").key]
        output = (np.array(weights) @ np.array(problem.given["V"])).round(3)
        mark = marked(problem, weights=str(weights), output=str(output.tolist()))
        assert mark.credit == mark.points, (seed, mark)


def invented(problem: Problem, rules) -> dict[str, str]:
    """A chain from invented numbers, one of its steps done wrongly, each later part from the one before."""
    width = len(problem.given["K"])
    first = problem.parts[0]
    texts = {first.id: text_of([[0.1 * (7 * j % 5) for j in range(width)]])}
    stage = np.full(solve(inputs_of(problem))[first.stage].shape, np.nan)
    stage[first.rows[0] - 1] = [0.1 * (7 * j % 5) for j in range(width)]
    trace = solve_worlds(inputs_of(problem), [World(rules, {first.stage: stage})])[0]
    return texts | {p.id: text_of(at_rows(trace[p.stage], p.rows)) for p in problem.parts[1:]}


@pytest.mark.parametrize(
    "rule", ["", "softmax-not-normalised", "softmax-negated", "mask-ignored", "winner-takes-all"]
)
def test_invented_chains_earn_nothing(bank, rule: str) -> None:
    """Neither with right steps nor with a recognised mistake in one of them, where that is the policy."""
    policy = Policy(carry_unexplained=Fraction(0))
    earned = []
    for seed in range(40):
        problem = pose(bank.item("masking.one-row"), seed, "en", bank.catalogue)
        mark = marked(problem, policy, **invented(problem, PATCHES.get(rule, {})))
        earned.append(mark.credit / mark.points)
    assert sum(earned) / len(earned) <= Fraction(9, 100)


@pytest.mark.parametrize("shake", [0.0, 0.0009, 0.00115, 0.004])
def test_shaken_stock_answers_earn_nothing(bank, shake: float) -> None:
    for seed in range(20):
        problem = pose(bank.item("masking.one-row"), seed, "en", bank.catalogue)
        weights = np.array([[0.25 + shake, 0.25 - shake, 0.25 + shake, 0.25 - shake, 0, 0]])
        texts = {"weights": text_of(weights), "output": text_of(weights @ np.array(problem.given["V"]))}
        mark = judge(problem, {id_: read(problem.part(id_), text) for id_, text in texts.items()})
        assert mark.part("weights").share == 0
        assert mark.part("output").share == 0


def test_a_deliberate_error_never_raises_the_mark(bank) -> None:
    for seed in range(20):
        problem = pose(bank.item("masking.one-row"), seed, "en", bank.catalogue)
        weights = [[round(k / 1e9, 3) for k in row] for row in problem.part("weights").key]
        output = (np.array(weights) @ np.array(problem.given["V"])).round(3)
        honest = {"weights": str(weights), "output": str(output.tolist())}
        spoilt = honest | {"scaled": shifted(problem, "scaled", (5, 5.0))}
        assert marked(problem, **spoilt).credit < marked(problem, **honest).credit


def test_the_factor_left_out_is_named_and_carried(bank) -> None:
    problem = pose(bank.item("order.whole-row"), 5, "en", bank.catalogue)
    world = solve_worlds(inputs_of(problem), [World(PATCHES["factor-left-out"])])[0]
    texts = {p.id: text_of(at_rows(world[p.stage], p.rows).round(4)) for p in problem.parts}
    mark = marked(problem, **texts)
    assert named(mark) == [("factor-left-out",)]
    assert mark.credit == mark.points - problem.part("scores").points


def test_a_learners_published_weights_are_diagnosed_as_keys_not_transposed() -> None:
    """A question once asked in public: K was square, and Q K ran without a message."""
    q = [[1, 0, 1, 1], [0, 1, 1, 1], [1, 0, 0, 1]]
    k = [[1, 1, 0, 1], [1, 0, 1, 1], [0, 1, 1, 0], [0, 0, 0, 1]]
    inputs = prepare({"Q": q, "K": k, "V": np.eye(4)})
    published = [0.18877034, 0.31122968, 0.18877034, 0.31122968]
    known = {*inputs, *solve(inputs)}
    ids = [id_ for id_, patch in PATCHES.items() if applies(patch, ONE_HEAD, known)]
    met = []
    for id_ in ids:
        try:
            weights = solve_worlds(inputs, [World(PATCHES[id_])])[0]["weights"]
        except (ArrayError, IndexError):
            continue
        if np.abs(weights[0] - published).max() < 1e-7:
            met.append(id_)
    assert met == ["keys-not-transposed", "keys-reshaped"]  # of a square K they are one
    assert np.abs(solve(inputs)["weights"][0] - published).max() > 0.05


@pytest.mark.parametrize("seed", range(501, 507))
@pytest.mark.parametrize("at", range(4))
def test_one_weight_of_1_after_right_scores_names_no_mistake_in_the_scores(bank, seed, at) -> None:
    problem = pose(bank.item("head.square"), seed, "en", bank.catalogue)
    scores, weights, _ = problem.parts
    answers = {scores.id: key_text(scores, scores.key), weights.id: str([[int(j == at) for j in range(4)]])}
    mark = judge(problem, {part.id: read(part, answers.get(part.id, "")) for part in problem.parts})
    named = {id_ for found in mark.diagnosis for id_ in found.misconceptions}
    after_scores = {r.misconception for r in problem.rivals if r.values[scores.id] == scores.key}
    assert named <= after_scores


@pytest.mark.parametrize(
    ("values", "share"),
    [
        ([[np.nan, np.nan], [1, 2]], Fraction(1, 3)),
        ([[1, 2, 3], [np.inf] * 3], Fraction(2, 5)),
        ([[1, np.nan, 2, 3]], Fraction(2, 3)),
        ([[5, 5, 5], [1, 2, 3]], Fraction(1)),
    ],
    ids=["no numbers", "infinite", "one of them", "numbers"],
)
def test_what_is_no_number_is_nobodys_constant(values, share: Fraction) -> None:
    """What follows from an answer may be infinite: then no single number would have earned it."""
    part = NumericPart("x", "", 1, ((0,) * len(values[0]),) * len(values), shape=np.shape(values), decimals=3)
    right = tuple(tuple(bool(np.isfinite(x)) for x in row) for row in values)
    free = tuple((True,) * len(row) for row in values)
    assert earned(part, right, free, values, 0) == share
