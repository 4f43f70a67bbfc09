"""Guessers: what each would earn of questions whose figures are worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from quizengine.authoring.strategies import numbers, strategies
from quizengine.authoring.style import style_faults
from quizengine.items.bank import Bank, load

HEAD = "format: 1\ntopic: t\nlanguages: [en]\n"
HEAD += "defaults: {level: recall, difficulty: 1, objectives: [A1]}\nitems:\n"


def bank_of(folder: Path, *bodies: str) -> Bank:
    items = "".join(f"- id: i{n}\n  prompt: {{en: 'What is {n}?'}}\n{body}" for n, body in enumerate(bodies))
    (folder / "t.yaml").write_text(HEAD + items, "utf-8")
    return load(folder / "t.yaml")


def choice(key: str, *others: str, type_: str = "single_choice") -> str:
    wrong = ", ".join(f"w{n}: {{en: '{text}', why: {{en: 'No.'}}}}" for n, text in enumerate(others))
    return f"  type: {type_}\n  right: {{a: {{en: '{key}'}}}}\n  wrong: {{{wrong}}}\n"


def statement(right: str, reasons: str = "") -> str:
    kind = "answer_and_reason" if reasons else "true_false"
    return f"  type: {kind}\n  right: {right}\n{reasons}"


REASONS = (
    "  reasons: {right: {a: {en: 'short'}}, wrong: {b: {en: 'not so short', why: {en: 'No.'}},"
    " c: {en: 'not so short, either', why: {en: 'No.'}}, d: {en: 'nor this one', why: {en: 'No.'}}}}\n"
)
STEPS = "  type: ordering\n  steps: {a: {en: 'aaaa'}, b: {en: 'bbb'}, c: {en: 'cc'}, d: {en: 'd'}}\n"
PAIRS = (
    "  type: matching\n  pairs: {a: [{en: 'x'}, {en: '1'}], b: [{en: 'xx'}, {en: '22'}]}\n"
    "  spare: {c: {en: '333', why: {en: 'No.'}}}\n"
)


@pytest.mark.parametrize(
    ("body", "name", "share", "chance"),
    [
        pytest.param(choice("1", "2", "3", "4"), "smallest", 1, 1 / 4, id="smallest"),
        pytest.param(choice("4", "2", "3", "1"), "largest", 1, 1 / 4, id="largest"),
        pytest.param(choice("2", "1", "3"), "middle", 1, 1 / 3, id="middle"),
        pytest.param(choice("2/3 of it", "1/2 of it", "1 of it"), "middle", 1, 1 / 3, id="fractions"),
        pytest.param(choice("quite long", "short", "tiny"), "longest", 1, 1 / 3, id="longest"),
        pytest.param(choice("quite long", "short", "tiny"), "shortest", 0, 1 / 3, id="shortest"),
        pytest.param(choice("a", "b", type_="multiple_choice"), "all", 0, 1 / 2, id="all"),
        pytest.param(statement("true"), "true", 1, 1 / 2, id="true"),
        pytest.param(statement("true"), "false", 0, 1 / 2, id="false"),
        pytest.param(statement("false", REASONS), "false", 1 / 4, 1 / 8, id="false-any-reason"),
        pytest.param(statement("false", REASONS), "shortest", 1 / 2, 1 / 8, id="any-truth-short-reason"),
        pytest.param(STEPS, "longest", 1, 1 / 4, id="steps-by-length"),
        pytest.param(STEPS, "first", 0, 1 / 4, id="steps-as-shown"),
        pytest.param(PAIRS, "shortest", 1, 1 / 3, id="pairs-by-length"),
    ],
)
def test_what_a_guesser_earns(tmp_path: Path, body: str, name: str, share: float, chance: float) -> None:
    bank = bank_of(tmp_path, body)
    [found] = [one for one in strategies(bank, bank) if one.name == name]
    assert (found.share, found.chance, found.items) == (pytest.approx(share), pytest.approx(chance), 1)


def test_steps_shown_backwards_are_nearly_never_right(tmp_path: Path) -> None:
    """Of three pairs at most one: more would be a cue, as the order shown shares none."""
    bank = bank_of(tmp_path, STEPS)
    [found] = [one for one in strategies(bank, bank) if one.name == "last"]
    assert 0 < found.share <= 1 / 3


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (["16 384", "8,192"], [16384, 8192]),
        (["(2, 4)", "(4, 2)"], []),
        (["1 kB", "1 MB"], []),
        (["3", "none"], []),
    ],
)
def test_what_is_a_number_among_numbers(texts: list[str], found: list[float]) -> None:
    assert numbers(texts) == found


@pytest.mark.parametrize(
    ("falsehoods", "caught"), [pytest.param(30, True, id="always"), pytest.param(15, False, id="balanced")]
)
def test_a_bank_that_a_guesser_passes_is_caught(tmp_path: Path, falsehoods: int, caught: bool) -> None:
    bank = bank_of(tmp_path, *(statement(str(n >= falsehoods).lower()) for n in range(30)))
    said = [fault.message for fault in style_faults(bank, list(bank)) if fault.code == "blind"]
    told = "true_false: “false” earns 100% of 30 questions without reading them; chance would earn 50%"
    assert said == [told] * caught
