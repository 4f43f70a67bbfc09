"""Programs with gaps: every accepted spelling gives the same numbers, and what is called wrong does not."""

from __future__ import annotations

import ast
from itertools import chain
from typing import Any

import numpy as np
import pytest

from quizengine.items.answer import Gap
from quizengine.items.bank import load
from quizengine.items.item import Item
from quizengine.lang.quotation import Quoted
from quizengine.marking.judge import judge
from quizengine.problems.pose import pose
from quizengine.responses.read import read

ITEMS = [item for item in load() if item.type == "gaps"]
NUMPY = [item for item in ITEMS if "np." in item.code or "swapaxes" in item.code]
rng = np.random.default_rng(3)
GIVEN = {
    "np": np, "n": 5, "h": 2, "d": 3, "d_k": 3, "Q": rng.normal(size=(5, 6)), "X": rng.normal(size=(5, 4)),
    "scores": rng.normal(size=(5, 5)), "past_K": rng.normal(size=(4, 3)), "new_K": rng.normal(size=(1, 3)),
    "q": rng.normal(size=(1, 3)),
}  # fmt: skip


def filled(item: Item, **texts: str) -> str:
    """The program, each gap with the text that is given for it or with its first spelling."""
    code = item.code
    for number, gap in enumerate(item.answer.gaps, 1):
        text = texts.get(gap.id, gap.accept[0])
        for name in ("axis", "keepdims", "dim", "is_causal", "attn_mask"):
            code = (
                code.replace(f"{name}=__{number}__", f"__{number}__") if text.startswith(f"{name}=") else code
            )
        code = code.replace(f"__{number}__", text)
    return code


def results(code: str) -> list[Any] | None:
    """What each line assigns, in order; None where the program stops."""
    space = dict(GIVEN)
    try:
        with np.errstate(all="ignore"):
            exec(code, space)
    except (ValueError, IndexError, TypeError):
        return None
    return [space[line.split(" = ")[0]] for line in code.strip().splitlines()]


def same(found: list[Any] | None, wanted: list[Any]) -> bool:
    return found is not None and all(
        np.shape(a) == np.shape(b) and np.allclose(a, b) for a, b in zip(found, wanted, strict=True)
    )


def spellings(gap: Gap, *, right: bool) -> list[str]:
    return list(gap.accept if right else chain(*(texts for _, texts in gap.wrong)))


@pytest.mark.parametrize(
    ("id_", "gap", "text", "repeated"),
    [
        ("averaging.gaps-running-mean", "triangle", "np.tril", "np."),
        ("averaging.gaps-running-mean", "triangle", "np.triu", ""),
        ("averaging.gaps-running-mean", "product", "A", ""),
        ("multi-head.gaps-split-and-join", "cut", "n, h, d", "n,"),
        ("multi-head.gaps-split-and-join", "shape", "reshape(n, -1)", "reshape("),
        ("order.gaps-scores-to-output", "axes", "K.transpose(-2, -1)", "K.transpose("),
        ("order.gaps-scores-to-output", "width", "math.sqrt(d_k)", "math.sqrt("),
    ],
)
def test_what_is_written_there_already_is_said(bank, id_: str, gap: str, text: str, repeated: str) -> None:
    problem = pose(bank.item(id_), 1, "en", bank.catalogue)
    part = judge(problem, {gap: read(problem.part(gap), text)}).part(gap)
    assert part.verdict == "wrong"
    assert [reason.values["text"] for reason in part.reasons] == ([Quoted(repeated)] if repeated else [])


@pytest.mark.parametrize(
    ("id_", "gap", "text"),
    [
        ("averaging.gaps-running-mean", "product", "np.einsum('ij,jk->ik', A, X)"),
        ("averaging.gaps-running-mean", "product", 'np.einsum("ab, bc -> ac", A, X)'),
        ("multi-head.gaps-split-and-join", "shape", "Q.shape[0], -1"),
        ("multi-head.gaps-split-and-join", "shape", "len(Q), -1"),
        ("order.gaps-scores-to-output", "width", "V.shape[-1]"),
    ],
)
def test_what_a_programmer_may_write_is_right(bank, id_: str, gap: str, text: str) -> None:
    problem = pose(bank.item(id_), 1, "en", bank.catalogue)
    assert judge(problem, {gap: read(problem.part(gap), text)}).part(gap).verdict == "right"


def test_letters_of_an_einsum_still_say_what_is_summed(bank) -> None:
    problem = pose(bank.item("averaging.gaps-running-mean"), 1, "en", bank.catalogue)
    typed = read(problem.part("product"), "np.einsum('ji,jk->ik', A, X)")
    assert judge(problem, {"product": typed}).part("product").verdict == "wrong"


CASES = [(item, gap) for item in ITEMS for gap in item.answer.gaps]


@pytest.mark.parametrize(("item", "gap"), CASES, ids=[f"{item.id}-{gap.id}" for item, gap in CASES])
def test_every_spelling_makes_a_program(item: Item, gap: Gap) -> None:
    for right in (True, False):
        for text in spellings(gap, right=right):
            ast.parse(filled(item, **{gap.id: text}))


@pytest.mark.parametrize("item", NUMPY, ids=[item.id for item in NUMPY])
def test_right_ones_agree_and_wrong_ones_differ(item: Item) -> None:
    wanted = results(filled(item))
    assert wanted is not None
    for gap in item.answer.gaps:
        for text in spellings(gap, right=True):
            found = results(filled(item, **{gap.id: text}))
            assert same(found and found[-1:], wanted[-1:]), text
        for text in spellings(gap, right=False):
            assert not same(results(filled(item, **{gap.id: text})), wanted), text
