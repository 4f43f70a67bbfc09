"""Rules of style: a bank of bad items, each caught by its name, and no good one caught."""

from __future__ import annotations

from pathlib import Path

import pytest

from quizengine.authoring.style import RULES, key_places, key_ranks, longest_keys, misnamed, style_faults
from quizengine.items.bank import load

BAD = Path(__file__).parent.parent / "mini" / "bad-style.yaml"


@pytest.fixture(scope="module")
def caught() -> dict[str, set[str]]:
    bad = load(BAD)
    found: dict[str, set[str]] = {item.id.partition(".")[2]: set() for item in bad}
    for fault in style_faults(bad, list(bad)):
        for id_, codes in found.items():
            if fault.message.startswith(f"bad-style.{id_}"):
                codes.add(fault.code)
    return found


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_catches_the_item_of_its_name_and_nothing_else(caught, rule: str) -> None:
    assert caught[rule] == {rule}


_PHRASES = "  refutations: {mask-past: {en: [sleep], ja: [眠る]}}\n"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param(("", ""), "", id="whole"),
        pytest.param(
            ("    - {en: 'By chance.', ja: 'たまたま。'}\n", ""), "5 right and 4 wrong", id="too-few"
        ),
        pytest.param(("For the nectar.", "To sleep."), "en: a right sample says “sleep”", id="said-rightly"),
        pytest.param(("そこで眠る。", "休む。"), "ja: no wrong sample shows “mask-past”", id="never-shown"),
    ],
)
def test_samples_are_the_evidence_of_ideas_and_phrases(
    tmp_path: Path, change: tuple[str, str], message: str
) -> None:
    head, rest = BAD.read_text("utf-8").split("items:\n")
    item = next(f"- id: {part}" for part in rest.split("- id: ") if part.startswith("idea-in-stem\n"))
    text = item.replace("  samples:\n", f"{_PHRASES}  samples:\n").replace(*change)
    (tmp_path / "b.yaml").write_text(f"{head}items:\n{text}", "utf-8")
    bank = load(tmp_path / "b.yaml")
    said = [fault.message for fault in style_faults(bank, list(bank)) if fault.code == "no-evidence"]
    assert len(said) == bool(message)
    assert all(message in one for one in said)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("多頭アテンション（Multi-Head Attention）", [], id="told"),
        pytest.param("多頭アテンション（マルチヘッドアテンション）の層", [], id="avoided-but-told"),
        pytest.param("マルチヘッドアテンションの層", ["マルチヘッドアテンション"], id="alone"),
        pytest.param(
            "多頭アテンション（マルチヘッドアテンション）とマルチヘッドアテンション",
            ["マルチヘッドアテンション"],
            id="told-and-then-used",
        ),
        pytest.param("層（マルチヘッドアテンション）", ["マルチヘッドアテンション"], id="brackets-elsewhere"),
        pytest.param("A look-ahead mask.", ["look-ahead mask"], id="english"),
    ],
)
def test_what_others_call_a_thing_may_stand_in_brackets_after_the_term(
    bank, text: str, words: list[str]
) -> None:
    assert [word for word, _ in misnamed(bank, text)] == words


def test_alike_items_are_caught_and_good_and_excused_ones_are_not(caught) -> None:
    assert caught["alike-two"] == {"alike"}
    assert caught["good"] == caught["excused"] == caught["alike-one"] == set()


def test_of_many_alike_each_is_told_once_with_the_first(tmp_path: Path) -> None:
    text = BAD.read_text("utf-8")
    head, rest = text.split("items:\n")
    item = next(f"- id: {part}" for part in rest.split("- id: ") if part.startswith("alike-one\n"))
    many = "".join(item.replace("alike-one", f"i{n}") for n in range(50))
    (tmp_path / "b.yaml").write_text(f"{head}items:\n{many}", "utf-8")
    bank = load(tmp_path / "b.yaml")
    said = [fault.message for fault in style_faults(bank, list(bank)) if fault.code == "alike"]
    topic = next(iter(bank)).topic
    assert said == [f"{topic}.i{n} and {topic}.i0 are hardly to be told apart" for n in range(1, 50)]


def test_keys_that_are_mostly_the_longest_choice_are_caught(tmp_path: Path) -> None:
    defaults = "defaults: {level: recall, difficulty: 1, objectives: [A1]}"
    head = f"format: 1\ntopic: t\nlanguages: [en]\n{defaults}\nitems:\n"
    items = "".join(
        f"- id: i{n}\n  type: single_choice\n  prompt: {{en: 'What is {n} and {n * n}?'}}\n"
        f"  right: {{a: {{en: 'the long answer {n}'}}}}\n"
        f"  wrong: {{b: {{en: 'no {n}', why: {{en: 'No.'}}}}, c: {{en: 'nor {n}', why: {{en: 'No.'}}}}}}\n"
        f"  explain: {{en: 'So it is.'}}\n"
        for n in range(24)
    )
    (tmp_path / "t.yaml").write_text(head + items, "utf-8")
    bank = load(tmp_path / "t.yaml")
    assert longest_keys(bank) == (24, pytest.approx(8), 24)
    assert "longest-key" in {fault.code for fault in style_faults(bank, list(bank))}


@pytest.mark.parametrize(
    ("numbers", "inner", "of"),
    [
        pytest.param("2 1 3 4", 24, 24, id="middle"),
        pytest.param("4 1 3 2", 0, 24, id="largest"),
        pytest.param("2/3 1/3 1/2 1", 24, 24, id="fractions"),
        pytest.param("2 1 3 none", 0, 0, id="not-all-numbers"),
        pytest.param("2kB 1MB 3kB 4kB", 0, 0, id="other-units"),
    ],
)
def test_keys_that_are_mostly_middle_numbers_are_caught(
    tmp_path: Path, numbers: str, inner: int, of: int
) -> None:
    key, *others = numbers.split()
    head = (
        "format: 1\ntopic: t\nlanguages: [en]\ndefaults: {level: recall, difficulty: 1, objectives: [A1]}\n"
    )
    wrong = ", ".join(f"w{n}: {{en: '{text}', why: {{en: 'No.'}}}}" for n, text in enumerate(others))
    items = "".join(
        f"- id: i{n}\n  type: single_choice\n  prompt: {{en: 'How many?'}}\n  right: {{a: {{en: '{key}'}}}}\n"
        f"  wrong: {{{wrong}}}\n"
        for n in range(24)
    )
    (tmp_path / "t.yaml").write_text(f"{head}items:\n{items}", "utf-8")
    bank = load(tmp_path / "t.yaml")
    assert key_ranks(bank) == (inner, of)
    assert ("key-ranks" in {fault.code for fault in style_faults(bank, list(bank))}) == (of > 0)


def test_keys_stand_evenly(bank) -> None:
    """Of four choices, over twenty seeds an item: no letter is favoured."""
    places = key_places(bank, bank)
    assert set(places) == set("ABCD")
    assert max(places.values()) < 1.15 * min(places.values())


def test_the_key_is_not_the_longest_choice_more_often_than_by_chance(bank) -> None:
    hits, expected, of = longest_keys(bank)
    assert of >= 300
    assert hits <= expected
