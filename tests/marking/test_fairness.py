"""Is it fair? Planted mistakes are named and fined once; answers that need no work earn nothing.

The quick lane plants a few per item, the slow lane 50 seeds an item (200 for invented answers).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from quizengine.attention.patches import PATCHES, stages_struck
from quizengine.attention.solver import World, solve, solve_worlds
from quizengine.feedback.comparison import own_trace
from quizengine.items.bank import load
from quizengine.items.policy import Policy
from quizengine.marking.entries import eases, needs_no_work, window
from quizengine.marking.judge import judge
from quizengine.marking.mark import Mark
from quizengine.problems.families import FAMILIES
from quizengine.problems.families.family import at_rows, inputs_of, table_of
from quizengine.problems.part import Part
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem
from quizengine.responses.read import read

NUMERIC = [item.id for item in load() if item.family in FAMILIES]
BANK = load()
STAGED = [id_ for id_ in NUMERIC if len(load().item(id_).answer.ask) >= 3]
FEW_AND_MANY = [2, pytest.param(50, marks=pytest.mark.slow)]
Array = np.ndarray


def printed(part: Part, value: Array, decimals: int) -> str:
    value = np.asarray(value, float)
    if part.kind == "number":
        return f"{value.flat[0]:.{decimals}f}"
    return "[" + ", ".join("[" + ", ".join(f"{x:.{decimals}f}" for x in row) + "]" for row in value) + "]"


class Learner:
    """Works out a problem part by part, each from what was written before, to `extra` more places."""

    def __init__(self, problem: Problem, extra: int = 2):
        self.problem, self.extra = problem, extra
        self.inputs, self.table = inputs_of(problem), table_of(problem)
        self.right = solve(self.inputs, self.table)
        self.written: dict[str, Array] = {}
        self.texts: dict[str, str] = {}

    def write(self, part: Part, value: Array) -> None:
        decimals = part.decimals + self.extra if part.decimals else 0
        value = np.round(np.asarray(value, float), decimals) if part.decimals else np.asarray(value, float)
        laid = np.full(self.right[part.stage].shape, np.nan)
        if part.rows:
            laid[[row - 1 for row in part.rows]] = value
        else:
            laid[...] = value.flat[0]
        self.written[part.stage] = laid
        self.texts[part.id] = printed(part, value, decimals)

    def work(self, part: Part, id_: str = "") -> None:
        """The step that follows, rightly or by a misconception."""
        world = World(PATCHES[id_] if id_ else {}, dict(self.written))
        self.write(part, at_rows(solve_worlds(self.inputs, [world], self.table)[0][part.stage], part.rows))

    def mark(self) -> Mark | None:
        """None where a part came out as an answer that needs no work, or makes the rest easier: nothing is
        carried from that, by rule."""
        responses = {part.id: read(part, self.texts[part.id]) for part in self.problem.parts}
        for part in self.problem.parts:
            own = float(window(part, Policy()))
            cells = responses[part.id].reading.content
            if needs_no_work(self.problem, part, cells, own) or eases(self.problem, part, cells):
                return None
        return judge(self.problem, responses)


def key(part: Part) -> Array:
    return np.array(part.key, dtype=float) / 1e9


def planted(problem: Problem, at: Part, value: Array) -> Mark | None:
    """Right up to `at`, this value there, and rightly on from it."""
    learner = Learner(problem)
    for part in problem.parts:
        if part is at:
            learner.write(part, value)
        elif part.stage in (p.stage for p in problem.parts[: problem.parts.index(at)]):
            learner.write(part, key(part))
        else:
            learner.work(part)
    return learner.mark()


def later_full(mark: Mark, at: Part) -> bool:
    ids = [part.id for part in mark.parts]
    return all(part.share == 1 for part in mark.parts[ids.index(at.id) + 1 :])


Case = tuple[str, bool]


def mistakes(problem: Problem) -> Iterator[Case]:
    """A misconception of one step: later points kept, named exactly (or as its class), where it shows."""
    for rival in problem.rivals:
        at = next((p for p in problem.parts if rival.values[p.id] != p.key), None)
        if at is None or len(stages_struck(PATCHES[rival.misconception], table_of(problem))) > 1:
            continue
        if mark := planted(problem, at, np.array(rival.values[at.id], float) / 1e9):
            alike = {r.misconception for r in problem.rivals if r.values[at.id] == rival.values[at.id]}
            named = [set(found.misconceptions) for found in mark.diagnosis]
            exact = len(named) == 1 and rival.misconception in named[0] and named[0] <= alike
            yield rival.misconception, exact and mark.diagnosis[0].stage == at.stage and later_full(mark, at)


def whole_mistakes(problem: Problem) -> Iterator[Case]:
    """A misconception that strikes several steps, answered as its believer does throughout."""
    for rival in problem.rivals:
        learner = Learner(problem)
        if len(stages_struck(PATCHES[rival.misconception], table_of(problem))) < 2:
            continue
        for part in problem.parts:
            learner.write(part, np.array(rival.values[part.id], float) / 1e9)
        if mark := learner.mark():
            alike = {r.misconception for r in problem.rivals if r.values == rival.values}
            named = [set(found.misconceptions) for found in mark.diagnosis]
            yield rival.misconception, len(named) == 1 and rival.misconception in named[0] <= alike


def slips(problem: Problem) -> Iterator[Case]:
    """One entry wrong: no misconception is named, the part says that it is a slip, later points kept."""
    for at, value, _ in slipped(problem):
        if mark := planted(problem, at, value):
            told = [r.code for r in mark.part(at.id).reasons if r.code != "entries"]
            yield at.id, bool(told) and not mark.diagnosis and later_full(mark, at)


def signs(problem: Problem) -> Iterator[Case]:
    """Every sign of a part reversed: named, and later points kept."""
    for at in problem.parts:
        signed = at.kind == "array" and at.stage not in ("weights", "sharpened") and at.decimals
        if signed and (mark := planted(problem, at, -key(at))):
            told = any(r.code == "slip.sign" for r in mark.part(at.id).reasons) or mark.diagnosis
            yield at.id, bool(told) and later_full(mark, at)


def slipped(problem: Problem) -> Iterator[tuple[Part, Array, float]]:
    for at in problem.parts:
        if at.kind != "array":
            continue
        for n, by in enumerate((0.5, -1.0, 2.0) if at.decimals else (1.0, -1.0)):
            value = key(at)
            row, column = (problem.seed + n) % value.shape[0], (problem.seed // 2 + n) % value.shape[1]
            if not at.free or at.free[row][column]:
                value[row, column] += by * (0.2 if at.stage == "weights" else 1.0)
                yield at, value, by


def slips_then_mistakes(problem: Problem) -> Iterator[Case]:
    """One entry wrong, then a misconception in the very next part: that one is named too."""
    table = list(table_of(problem))
    for at, value, by in slipped(problem):
        after = problem.parts[problem.parts.index(at) + 1 :][:1]
        for rival in problem.rivals if after and by == 0.5 else ():
            [part] = after
            struck = stages_struck(PATCHES[rival.misconception], table_of(problem))
            between = table[table.index(at.stage) + 1 : table.index(part.stage) + 1]
            if len(struck) == 1 and set(struck) <= set(between):
                learner = Learner(problem)
                for p in problem.parts:
                    if p is at:
                        learner.write(p, value)
                    else:
                        learner.work(p, rival.misconception if p is part else "")
                if mark := learner.mark():
                    named = {id_ for found in mark.diagnosis for id_ in found.misconceptions}
                    yield rival.misconception, rival.misconception in named


def asked_decimals(problem: Problem) -> Iterator[Case]:
    """Full precision kept in the head, only the asked decimals typed: nothing is lost, with a
    misconception or without."""
    for id_ in ("", *(rival.misconception for rival in problem.rivals)):
        if id_ and len(stages_struck(PATCHES[id_], table_of(problem))) > 1:
            continue
        learner = Learner(problem, extra=0)
        patch = World(PATCHES[id_]) if id_ else World()
        trace = solve_worlds(learner.inputs, [patch], learner.table)[0]
        for part in problem.parts:
            learner.write(part, at_rows(trace[part.stage], part.rows))
        if mark := learner.mark():
            wrong = [p for p, m in zip(problem.parts, mark.parts, strict=True) if m.share < 1]
            yield id_, later_full(mark, wrong[0]) if wrong else True


@pytest.mark.parametrize("seeds", FEW_AND_MANY)
@pytest.mark.parametrize(
    ("plant", "share"),
    [(mistakes, 0.98), (whole_mistakes, 0.98), (slips, 0.98), (signs, 0.98), (slips_then_mistakes, 0.85),
     (asked_decimals, 0.98)],
)  # fmt: skip
def test_planted_mistakes(bank, plant: Callable[[Problem], Iterator[Case]], share: float, seeds: int) -> None:
    cases = [
        (id_, seed, *case)
        for id_ in NUMERIC
        for seed in range(seeds)
        for case in plant(pose(bank.item(id_), seed, "en", bank.catalogue))
    ]
    missed = [case[:3] for case in cases if not case[3]]
    assert len(cases) >= 20 * seeds
    assert len(missed) <= (1 - share) * len(cases), missed[:20]


@pytest.mark.parametrize("seeds", FEW_AND_MANY)
def test_one_slip_leaves_three_quarters(bank, seeds: int) -> None:
    """On average over where it happens, in every staged item."""
    means = {}
    for id_ in STAGED:
        shares = []
        for seed in range(seeds):
            problem = pose(bank.item(id_), seed, "en", bank.catalogue)
            marks = [planted(problem, at, value) for at, value, _ in slipped(problem)]
            shares += [mark.credit / mark.points for mark in marks if mark]
        if shares:
            means[id_] = sum(shares) / len(shares)
    assert sum(means.values()) / len(means) >= Fraction(3, 4)
    assert min(means.values()) >= Fraction(7, 10), means


def rows_like(part: Part, row: Callable[[int, int, int], Any]) -> list[list[Any]]:
    """`row(number of the row, column, columns)` for every cell; a number is one cell."""
    rows, columns = part.shape or (1, 1)
    return [[row(number, j, columns) for j in range(columns)] for number in (part.rows or (1,))[:rows]]


def copied(name: str, which: int) -> Callable[[Problem, Part], Any]:
    def copy(problem: Problem, part: Part) -> Any:
        given = problem.given.get(name)
        if not isinstance(given, list) or not isinstance(given[0], list):
            return rows_like(part, lambda *_: 0)
        return rows_like(part, lambda _, j, __: given[which % len(given)][j % len(given[0])])

    return copy


def filled(value: Callable[[int, int, int], Any]) -> Callable[[Problem, Part], Any]:
    return lambda _, part: rows_like(part, value)


def visible(problem: Problem, part: Part) -> Any:
    free = part.free or [[True] * (part.shape or (1, 1))[1]] * (part.shape or (1, 1))[0]
    return [[f"1/{sum(row)}" if keep else 0 for keep in row] for row in free]


STOCK: dict[str, Callable[[Problem, Part], Any]] = {
    **{f"all {v}": filled(lambda *_, v=v: v) for v in
       ("0", "1", "-1", "0.5", "0.25", "0.1", "1/3", "2", "10", "100", "ln 2", "√2/2", "1e20", "-1e20",
        "1e-9", "nan", "inf", "-inf", "?")},
    "uniform": filled(lambda _, __, n: f"1/{n}"),
    "uniform where visible": visible,
    "identity": filled(lambda row, j, _: int(j == row - 1)),
    "first alone": filled(lambda _, j, __: int(j == 0)),
    "last alone": filled(lambda _, j, n: int(j == n - 1)),
    "counting": filled(lambda _, j, __: j + 1),
    "halving": filled(lambda _, j, __: f"1/{2 ** (j + 1)}"),
    "signs in turn": filled(lambda _, j, __: (-1) ** j),
    **{f"row {n} of {name}": copied(name, n) for name in ("Q", "K", "V", "X") for n in (0, 1)},
    "the mask": copied("mask", 2),
}  # fmt: skip


@pytest.mark.parametrize("seeds", FEW_AND_MANY)
@pytest.mark.parametrize("stock", STOCK)
def test_stock_answers_earn_nothing(bank, stock: str, seeds: int) -> None:
    """On every staged item, at every part whose key is not just that."""
    assert len(STOCK) >= 30
    for id_ in STAGED:
        for seed in range(seeds):
            problem = pose(bank.item(id_), seed, "en", bank.catalogue)
            texts = {}
            for part in problem.parts:
                rows = STOCK[stock](problem, part)
                cells = "], [".join(", ".join(map(str, row)) for row in rows)
                texts[part.id] = str(rows[0][0]) if part.kind == "number" else f"[[{cells}]]"
            mark = judge(problem, {part.id: read(part, texts[part.id]) for part in problem.parts})
            earned = {part.id: part.verdict for part in mark.parts if part.credit and part.verdict != "right"}
            assert earned == {}, (id_, seed, texts)


def invented(problem: Problem) -> dict[str, str]:
    """Scores out of the air, and an honest chain from them."""
    learner = Learner(problem)
    first = problem.parts[0]
    shape = key(first).shape
    learner.write(
        first,
        np.array([(7 * (j + problem.seed) % 5 - 2) * 0.4 for j in range(np.prod(shape))]).reshape(shape),
    )
    for part in problem.parts[1:]:
        learner.work(part)
    return learner.texts


def rounded(problem: Problem) -> dict[str, str]:
    """Everything worked out, and rounded to whole numbers."""
    return {part.id: printed(part, key(part), 0) for part in problem.parts if part.decimals}


def permuted(problem: Problem) -> dict[str, str]:
    """The right weights in the wrong places, and the output that follows."""
    learner = Learner(problem)
    for part in problem.parts:
        if part.stage == "weights":
            value = key(part)
            seen = np.array(part.free[0] if part.free else [True] * value.shape[1])
            value[:, seen] = np.roll(value[:, seen], 1, axis=-1)
            learner.write(part, value)
        elif part.stage == "output":
            learner.work(part)
    return learner.texts


def last_row(problem: Problem) -> dict[str, str]:
    """The numbers of the last row, which sees everything, wherever another is asked."""
    trace = solve(inputs_of(problem), table_of(problem))
    texts = {}
    for part in problem.parts:
        stage = trace[part.stage]
        if "mask" in problem.given and part.rows and stage.ndim == 2 and len(stage) not in part.rows:
            texts[part.id] = printed(part, np.repeat(stage[-1:], len(part.rows), axis=0), 5)
    return texts


@pytest.mark.parametrize("seeds", [20, pytest.param(200, marks=pytest.mark.slow)])
@pytest.mark.parametrize("trick", [invented, rounded, permuted])
def test_tricks_earn_a_tenth_at_most(bank, trick: Callable[[Problem], dict[str, str]], seeds: int) -> None:
    """Where an instructor fears invented chains: nothing is carried that nothing explains."""
    policy = Policy(carry_unexplained=Fraction(0))
    for id_ in STAGED:
        shares = []
        for seed in range(seeds):
            problem = pose(bank.item(id_), seed, "en", bank.catalogue)
            if problem.parts[0].kind != "array" or not problem.parts[0].decimals:
                continue
            texts = trick(problem)
            mark = judge(problem, {p.id: read(p, texts.get(p.id, "")) for p in problem.parts}, policy)
            shares.append(mark.credit / mark.points)
        mean = float(sum(shares) / max(len(shares), 1))
        assert mean <= 0.1, (id_, mean)


@pytest.mark.parametrize("seeds", FEW_AND_MANY)
def test_another_row_is_told_and_fined_once(bank, seeds: int) -> None:
    """The numbers of the last row, throughout: the first part says so, the rest is carried."""
    told = 0
    for id_ in STAGED:
        for seed in range(seeds):
            problem = pose(bank.item(id_), seed, "en", bank.catalogue)
            texts = last_row(problem)
            if len(texts) < len(problem.parts):
                continue
            mark = judge(problem, {p.id: read(p, texts[p.id]) for p in problem.parts})
            assert mark.parts[0].share < 1
            assert later_full(mark, problem.parts[0]), (id_, seed)
            assert [r.code for r in mark.parts[0].reasons][-1] == "slip.other-row"
            assert not mark.diagnosis
            told += 1
    assert told


def _units(part, units: float) -> str:
    """The key, its first entry off by so many units of the asked decimal."""
    off = [[k / 1e9 for k in row] for row in part.key]
    off[0][0] += units * 10.0**-part.decimals
    return str([[round(x, 9) for x in row] for row in off])


@pytest.mark.parametrize("units", [20, 40])
def test_after_right_steps_a_value_is_right_within_what_is_printed_and_no_further(units: float) -> None:
    """Of the key, or of what follows from the numbers as typed, or kept to no fewer than the asked places."""
    for id_ in ("masking.one-row", "head.three-positions", "order.whole-row"):
        for seed in range(12):
            problem = pose(BANK.item(id_), seed, "en", BANK.catalogue)
            texts = {part.id: _units(part, 0) for part in problem.parts}
            texts["output"] = _units(problem.part("output"), units)
            responses = {part.id: read(part, texts[part.id]) for part in problem.parts}
            mark = judge(problem, responses)
            assert mark.part("output").verdict != "right", (id_, seed)


def test_what_counts_as_right_is_not_crossed_out() -> None:
    """Weights to three places and the output of just these: right, and shown so."""
    for seed in range(12):
        problem = pose(BANK.item("masking.one-row"), seed, "en", BANK.catalogue)
        weights = [[round(k / 1e9, 3) for k in row] for row in problem.part("weights").key]
        output = (np.array(weights) @ np.array(problem.given["V"])).round(3)
        texts = {"weights": str(weights), "output": str(output.tolist()), "scaled": "0"}
        responses = {part.id: read(part, texts[part.id]) for part in problem.parts}
        mark = judge(problem, responses)
        for step in own_trace(problem, responses, mark):
            right = mark.part(step.part.id).verdict == "right"
            assert all(all(row) for row in step.entries) or not right


@pytest.mark.parametrize("text", ["-1e9", "-inf", "-1e30"])
def test_a_very_low_score_stands_for_infinity_only_where_the_mask_hides(text: str) -> None:
    """At a visible key it is wrong, and nothing that follows from it is right."""
    for seed in range(12):
        problem = pose(BANK.item("masking.one-row"), seed, "en", BANK.catalogue)
        scaled = problem.parts[0]
        row = problem.given["mask"][scaled.rows[0] - 1]
        seen = [j for j, keep in enumerate(row) if keep]
        cells = [text] * len(row)
        cells[seen[0]] = str(scaled.key[0][seen[0]] / 1e9)
        one = [1 if j == seen[0] else 0 for j in range(len(row))]
        texts = {"scaled": f"[[{', '.join(cells)}]]", "weights": str([one])}
        texts["output"] = str([problem.given["V"][seen[0]]])
        responses = {part.id: read(part, texts[part.id]) for part in problem.parts}
        mark = judge(problem, responses)
        assert [part.verdict for part in mark.parts if part.verdict == "right"] == [], seed
        assert not any(part.carried for part in mark.parts)
