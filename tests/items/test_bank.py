"""Loading a bank: the format, every fault at once, the compiled cache."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from quizengine.errors import FaultyFile, InputError, UnknownName
from quizengine.items.bank import load

MINI = Path(__file__).parent.parent / "mini"
HEAD = "format: 1\ntopic: t\nlanguages: [en, ja]\nitems:\n"
TIERS = (
    "- id: a\n  type: answer_and_reason\n  prompt: {en: 'A?', ja: 'え'}\n  right: true\n  reasons:\n"
    "    right: {r: {en: A, ja: あ}}\n    wrong: {w: {en: B, ja: え, why: {en: C, ja: う}}}\n"
)
BUILD = (
    "- id: a\n  type: construct\n  prompt: {en: 'A?', ja: 'え'}\n  array: {name: scores, shape: [1, 2]}\n"
    "  require: [{stage: weights, row: 1, at-least: 1}]\n  sample: [[1, 0]]\n"
)
TF = "- id: a\n  type: true_false\n  prompt: {en: 'A?', ja: 'え'}\n  right: true\n"


GAP = (
    "- id: g\n  type: gaps\n  prompt: {en: A, ja: あ}\n  code: x = f(__1__)\n"
    "  gaps: {a: {accept: [~m], wrong: {mask-inverted: [w]}}}\n"
)
VALUE = "- id: a\n  type: estimate\n  prompt: {en: A, ja: あ}\n  value: -2\n"


def faults_of(tmp_path: Path, text: str) -> list[str]:
    path = tmp_path / "x.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(FaultyFile) as caught:
        load(path)
    return [str(fault).removeprefix(f"{path}:") for fault in caught.value.faults]


def test_the_format_by_example_loads_as_it_stands() -> None:
    bank = load(MINI / "one-of-each.yaml")
    assert {item.type for item in bank} == {
        "single_choice", "multiple_choice", "true_false", "ordering", "matching", "short_answer",
        "gaps", "numeric", "construct", "answer_and_reason", "estimate", "case",
    }  # fmt: skip


def test_every_fault_is_listed_at_once_with_its_place(assert_golden) -> None:
    with pytest.raises(FaultyFile) as caught:
        load(MINI / "many-faults.yaml")
    text = "".join(f"{fault}\n".replace(str(MINI), "mini") for fault in caught.value.faults)
    assert_golden("many-faults.txt", text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (HEAD + TF + TF, "9:7: the id “t.a” is taken at"),
        (HEAD + TF + "  is: mask-pst\n", "there is no misconception “mask-pst”; did you mean mask-past"),
        (HEAD + TF + "  objectives: [Z9]\n", "there is no objective “Z9”"),
        (HEAD + GAP.replace("__1__", "x"), "“code” must hold __1__ once, for “a”"),
        (HEAD + GAP.replace("~m", "~m)"), "“~m)” is no Python that can stand in a gap"),
        (HEAD + GAP.replace("[w]", "[ ~ m ]"), "“~ m” stands twice in “a”"),
        (HEAD + GAP.replace("f(", "f(("), "“code” is no Python: write its gaps as __1__"),
        (HEAD + TF + "  colour: 1\n", "9:3: unknown field “colour”"),
        (HEAD + TF + "  hint: [{en: a, ja: b}]\n", "unknown field “hint”; did you mean hints?"),
        (HEAD + TF + "  difficulty: 9\n", "9:15: Input should be less than or equal to 5"),
        (HEAD + TF.replace("ja: 'え'", "ja: '$\\foo$'"), "character 2: “\\foo” is not in the TeX subset"),
        (HEAD + TF.replace(", ja: 'え'", ""), "7:11: no Japanese text: add “ja”"),
        (HEAD + TF.replace("right: true", "right: 1"), "Input should be a valid boolean"),
        (
            HEAD + TIERS.replace("  right: true\n", ""),
            "the answer is “right: true” or “right: false”, or one of",
        ),
        (HEAD + TIERS.replace("ja: え, why", "ja: え, share: 1, why"), "lies between 0 and 1"),
        (HEAD + TIERS.replace(", why: {en: C, ja: う}", ""), "or “why” it is wrong"),
        (
            HEAD + BUILD.replace("at-least: 1", ""),
            "a requirement says one of “equals”, “at-least”",
        ),
        (
            HEAD + BUILD.replace("at-least: 1", "at-least: 1, within: 0.1"),
            "“within” goes with “equals”",
        ),
        (
            HEAD + BUILD.replace("row: 1", "row: 1, at: [1, 2]"),
            "“at: [row, column]” or of a “row”",
        ),
        (HEAD + BUILD.replace("sample: [[1, 0]]", "sample: [[1], [0]]"), "an array is not 1 × 2 as asked"),
        (HEAD + BUILD.replace("sample: [[1, 0]]", "sample: [[1], [0, 2]]"), "as many numbers as its first"),
        (HEAD + BUILD.replace("  sample: [[1, 0]]\n", ""), "“sample” is missing"),
        (HEAD + BUILD + "  family: {name: aim}\n", "a family draws the whole task: leave prompt, array"),
        (HEAD + BUILD + "  wrong: [{array: [[2, 1]], is: mask-pst}]\n", "did you mean mask-past"),
        (HEAD + VALUE, "a number is right within a “factor” of the value, or “within” so much of it"),
        (HEAD + VALUE + "  factor: 2\n  within: 1\n", "within a “factor” of the value, or “within” so much"),
        (HEAD + VALUE + "  within: -1\n", "“within” is 0 or more"),
        (HEAD + VALUE + "  factor: 2\n", "what is estimated is more than 0"),
        (HEAD + TF + "  is: TODO\n", "9:7: TODO: name the misconception (quizengine misconceptions), or"),
        (HEAD + TF.replace("'え'", "TODO"), ": TODO: write the Japanese text"),
        (HEAD + VALUE + "  within: TODO\n", ": TODO: write what belongs here"),
        (HEAD + TF.replace("true_false", "essay"), "unknown type; there are:"),
        (HEAD.replace("format: 1", "format: 2") + TF, "1:9: format 2 is newer than this engine reads (1)"),
        (HEAD.replace("format: 1", "format: 0") + TF, "format 0 is older"),
        (HEAD.replace("format: 1\n", "") + TF, "“format: 1” is missing at the top"),
        (
            HEAD
            + "- id: a\n  type: single_choice\n  prompt: {en: A, ja: あ}\n  right: {r: {en: A, ja: あ}}\n"
            "  wrong: {w: {en: B, ja: い}}\n",
            "9:14: a wrong choice says which misconception it “is”, or “why” it is wrong",
        ),
        (
            HEAD + "- id: a\n  type: ordering\n  prompt: {en: A, ja: あ}\n  steps: {a: {en: A, ja: あ}, "
            "b: {en: B, ja: い}, c: {en: C, ja: う}}\n  also_right: [[a, b]]\n",
            "an order must name every step once: a, b, c",
        ),
        (
            HEAD + "- id: a\n  type: matching\n  prompt: {en: A, ja: あ}\n  pairs: {a: [{en: A, ja: あ}], "
            "b: [{en: A, ja: あ}, {en: A, ja: あ}]}\n",
            "pair “a” has 1 sides, not 2",
        ),
    ],
)
def test_faults_of_the_format(tmp_path: Path, text: str, expected: str) -> None:
    assert any(expected in fault for fault in faults_of(tmp_path, text)), faults_of(tmp_path, text)


def test_a_bank_in_one_language_needs_only_that(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(HEAD.replace("[en, ja]", "[en]") + TF.replace(", ja: 'え'", ""), "utf-8")
    item = load(path).item("t.a")
    assert (item.prompt["en"], item.prompt["ja"]) == ("A?", "A?")


def test_todo_may_stay_in_a_language_that_the_file_does_not_declare(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    choices = "  right: {r: {en: A, ja: TODO}}\n  wrong: {w: {en: B, ja: TODO, is: mask-past}}\n"
    text = "- id: a\n  type: single_choice\n  prompt: {en: A, ja: TODO}\n" + choices
    path.write_text(HEAD.replace("[en, ja]", "[en]") + text, "utf-8")
    assert len(load(path)) == 1
    faults = faults_of(tmp_path, HEAD + text)
    assert len(faults) == 3
    assert all("TODO: write the Japanese text" in fault for fault in faults)


def test_a_missing_bank_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no bank at"):
        load(tmp_path / "none")
    with pytest.raises(InputError, match=r"no \.yaml file"):
        load(tmp_path)


def test_unknown_names_offer_the_nearest(bank) -> None:
    with pytest.raises(UnknownName, match=r"did you mean masking\.where"):
        bank.item("masking.wher")
    with pytest.raises(UnknownName, match="did you mean masking"):
        bank.select(topic=["maskin"])


def test_the_digest_covers_wording_and_key_only(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"

    def digest(text: str) -> str:
        path.write_text(HEAD + text, "utf-8")
        return load(path).item("t.a").digest

    base = digest(TF)
    assert digest(TF + "  hints: [{en: h, ja: ヒ}]\n  explain: {en: e, ja: 説}\n") == base
    assert digest(TF.replace("'A?'", "'A  ?'")) != base
    assert digest(TF.replace("true\n", "false\n")) != base


def test_a_compiled_bank_needs_neither_yaml_nor_pydantic() -> None:
    load()
    code = (
        "import sys; from quizengine.items.bank import load; bank = load(); assert len(bank) > 30; "
        "print([m for m in ('yaml', 'pydantic', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("content", ["{", "[]", "null", '{"key": "x"}', "FIRST", "FLIPPED", ""])
def test_a_spoilt_cache_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    before = len(load())
    [file] = (tmp_path / "quizengine").glob("bank-*.jsonl")
    whole = file.read_text("utf-8")
    first = whole.partition("\n")[0]
    file.write_text(
        content.replace("FIRST", first).replace("FLIPPED", whole.replace("softmax", "sofTmax")), "utf-8"
    )
    assert len(load()) == before
    assert file.read_text("utf-8") == whole


def test_an_objective_may_only_come_after_one_that_exists(tmp_path: Path) -> None:
    text = "format: 1\nobjectives:\n  Z1: {topic: z, after: [A1, Z9], en: 'One.', ja: '一。'}\n"
    (tmp_path / "objectives.yaml").write_text(text, "utf-8")
    with pytest.raises(FaultyFile) as caught:
        load(tmp_path)
    assert [(f.line, f.column, f.code) for f in caught.value.faults] == [(3, 30, "objective")]


def test_odd_paths_are_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").mkdir()
    with pytest.raises(InputError, match=r"no \.yaml file"):
        load(tmp_path)
    (tmp_path / "y.yaml").symlink_to(tmp_path / "gone.yaml")
    with pytest.raises(InputError, match=r"no \.yaml file"):
        load(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="neither a file nor a folder"):
        load(tmp_path / "pipe")
