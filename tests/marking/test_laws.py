"""Laws of marking: how the key is written, in what order parts are judged, on which machine."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizengine.items.bank import load
from quizengine.items.close import SEAL, rounded_text, sealed_text
from quizengine.items.policy import Policy
from quizengine.marking.entries import window
from quizengine.marking.judge import judge
from quizengine.problems.families import FAMILIES
from quizengine.problems.part import Part, key_text
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem
from quizengine.responses.read import read

BANK = load()
NUMERIC = [item.id for item in BANK if item.family in FAMILIES]
ALL = [item.id for item in BANK]


def marked(problem: Problem, texts: dict[str, str]):
    return judge(problem, {id_: read(problem.part(id_), text) for id_, text in texts.items()})


def array(part: Part, write) -> str:
    rows = [[write(k) for k in row] for row in part.key]
    return rows[0][0] if part.kind == "number" else "; ".join(" ".join(row) for row in rows)


def exponential(k: int) -> str:
    return f"{Decimal(k) / SEAL:.18e}"


def scientific(k: int) -> str:
    mantissa, exponent = exponential(k).split("e")
    return f"{mantissa}×10^{int(exponent)}"


WRITTEN = {
    "as sealed": lambda part: lambda k: sealed_text(k),
    "at D": lambda part: lambda k: rounded_text(k, part.decimals or 0),
    "at D + 1": lambda part: lambda k: rounded_text(k, (part.decimals or 0) + 1),
    "at D + 4": lambda part: lambda k: rounded_text(k, (part.decimals or 0) + 4),
    "fraction": lambda part: lambda k: f"{k}/{SEAL}",
    "scientific": lambda part: exponential,
    "times ten": lambda part: scientific,
    "percent": lambda part: lambda k: sealed_text(k * 100) + "%",
    "decimal comma": lambda part: lambda k: rounded_text(k, (part.decimals or 0) + 4).replace(".", ","),
    "latex": lambda part: lambda k: rf"\frac{{{k}}}{{{SEAL}}}",
}


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("id_", NUMERIC)
def test_the_key_is_full_however_it_is_written(id_: str, written: str) -> None:
    for seed in range(3):
        problem = pose(BANK.item(id_), seed, "en", BANK.catalogue)
        mark = marked(problem, {p.id: array(p, WRITTEN[written](p)) for p in problem.parts})
        assert mark.credit == mark.points, (seed, mark)


@st.composite
def answered(draw) -> tuple[Problem, dict[str, str]]:
    """A problem with any mixture of right, wrong, stock and missing parts."""
    item = BANK.item(draw(st.sampled_from(NUMERIC)))
    problem = pose(item, draw(st.integers(0, 30)), "en", BANK.catalogue)
    texts = {}
    for part in problem.parts:
        rival = draw(st.sampled_from(problem.rivals)) if problem.rivals else None
        slip = array(part, lambda k: sealed_text(k))
        texts[part.id] = draw(
            st.sampled_from(
                [
                    key_text(part, part.key),
                    key_text(part, rival.values[part.id]) if rival else "",
                    slip.replace("1", "2", 1),
                    array(part, lambda k: "0"),
                    array(part, lambda k: sealed_text(-k)),
                    "",
                    "what?",
                ]
            )
        )
    return problem, texts


@given(answered())
def test_marking_is_independent_of_the_order_of_responses(case) -> None:
    problem, texts = case
    assert marked(problem, texts) == marked(problem, dict(reversed(texts.items())))
    assert marked(problem, texts) == marked(
        Problem.from_json(json.loads(json.dumps(problem.to_json()))), texts
    )


@given(answered(), st.data())
def test_adding_a_right_part_never_lowers_the_total(case, data) -> None:
    problem, texts = case
    part = data.draw(st.sampled_from(problem.parts))
    without = marked(problem, {id_: text for id_, text in texts.items() if id_ != part.id})
    assert marked(problem, texts | {part.id: key_text(part, part.key)}).credit >= without.credit


@given(answered())
def test_no_part_earns_more_than_it_has(case) -> None:
    problem, texts = case
    mark = marked(problem, texts)
    assert all(0 <= part.share <= 1 for part in mark.parts)
    assert 0 <= mark.credit <= mark.points


def typed(problem: Problem, seed: int) -> dict[str, str]:
    """In every part something else: the key, what a mistake gives, all or one of its entries changed, a lot
    or by little, few decimals, the wrong sign, nothing."""
    dice, texts = random.Random(f"{problem.item} {problem.seed} {seed}"), {}
    for part in problem.numeric:
        at = dice.randrange(len(part.key)), dice.randrange(len(part.key[0]))
        coarse, off = 10 ** dice.randint(6, 9), dice.randint(3, 40) * 10**8
        changed = (
            lambda i, j, k, off=off: k + off * (i + 1) + j * 10**7,
            lambda i, j, k, at=at: k + SEAL * ((i, j) == at),
            lambda i, j, k, coarse=coarse: round(k / coarse) * coarse,
            lambda i, j, k: -k,
            lambda i, j, k: k + dice.randint(-3, 3) * 10**6,
        )
        change = dice.choice(changed)
        other = tuple(tuple(change(i, j, k) for j, k in enumerate(row)) for i, row in enumerate(part.key))
        rivals = [rival.values[part.id] for rival in problem.rivals]
        key = dice.choice([part.key, dice.choice([part.key, *rivals]), other, other])
        texts[part.id] = key_text(part, key) if dice.random() > 0.05 else dice.choice(["", "?", "-inf"])
    return texts


@pytest.mark.parametrize("seeds", [6, pytest.param(60, marks=pytest.mark.slow)])
@pytest.mark.parametrize("id_", NUMERIC)
def test_whatever_is_typed_is_marked(id_: str, seeds: int) -> None:
    for seed in range(seeds):
        problem = pose(BANK.item(id_), seed, "en", BANK.catalogue)
        for other in range(8):
            texts = typed(problem, other)
            mark = marked(problem, texts)
            for part, own in zip(problem.parts, mark.parts, strict=True):
                assert own.share == 1 or texts[part.id] != key_text(part, part.key), texts


@pytest.mark.parametrize("id_", NUMERIC)
def test_the_sign_always_matters(id_: str) -> None:
    for seed in range(5):
        problem = pose(BANK.item(id_), seed, "en", BANK.catalogue)
        for part in problem.parts:
            plain = window(part, Policy())
            places = [(i, j) for i, row in enumerate(part.key) for j, k in enumerate(row) if abs(k) > plain]
            for place in places[:3]:
                turned = tuple(
                    tuple(-k if (i, j) == place else k for j, k in enumerate(row))
                    for i, row in enumerate(part.key)
                )
                assert marked(problem, {part.id: key_text(part, turned)}).part(part.id).verdict != "right"


def credits() -> str:
    """The credit of the key and of every rival, item by item: what every machine must agree on."""
    lines = []
    for id_ in ALL:
        for seed in range(2):
            problem = pose(BANK.item(id_), seed, "en", BANK.catalogue)
            for rival in problem.rivals:
                texts = {p: key_text(problem.part(p), v) for p, v in rival.values.items()}
                mark = marked(problem, texts)
                named = "; ".join(" or ".join(d.misconceptions) for d in mark.diagnosis)
                lines.append(f"{id_} {seed} {rival.misconception}: {mark.credit}/{mark.points} {named}")
    return "\n".join(lines) + "\n"


def test_marks_are_the_same_on_every_machine(assert_golden) -> None:
    """Whatever NumPy is installed here: the same marks and names as in the golden file."""
    assert_golden("credits.txt", credits())


@pytest.mark.slow
def test_marks_are_the_same_with_processor_features_masked() -> None:
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

    masked = " ".join(feature for feature in __cpu_dispatch__ if __cpu_features__.get(feature))
    if not masked:
        pytest.skip("this processor has no features that NumPy can be told to leave out")
    folder = os.path.dirname(__file__)
    script = (
        f"import sys; sys.path.insert(0, {folder!r}); import test_laws; print(test_laws.credits(), end='')"
    )
    environment = os.environ | {"NPY_DISABLE_CPU_FEATURES": masked, "OPENBLAS_CORETYPE": "Nehalem"}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == credits()
