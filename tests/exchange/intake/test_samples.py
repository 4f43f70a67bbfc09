"""The files of others: each question is taken in or refused in a sentence, and as many are seen as Moodle's
own reader saw."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from quizengine.errors import InputError
from quizengine.exchange.intake.question import Left, Outcome, Question
from quizengine.exchange.intake.source_file import read_source
from quizengine.lang.messages import t
from quizengine.lang.text import LANGUAGES

SAMPLES = Path(__file__).parents[4] / "shared/samples"
pytestmark = pytest.mark.skipif(
    not SAMPLES.exists(), reason="the samples of others (../shared/samples) are not here"
)
FILES = sorted(
    path
    for pattern in ("aiken/*.txt", "moodlexml/*/*.xml", "gift/*/*.gift", "gift/moodle/*.txt")
    for path in (SAMPLES.glob(pattern) if SAMPLES.exists() else ())
    if path.name != "COPYING.txt"
)
KINDS = {
    "multichoice": ("choice", "choices"),
    "truefalse": ("truth",),
    "match": ("pairs",),
    "shortanswer": ("words",),
    "numerical": ("number",),
}
LIKE_MOODLE = {  # what Moodle takes for another kind than it was meant to be, or at all: here it is left out
    *("arrow_in_short", "one_pair", "latex_raw", "two_blocks"),
}


def name_of(path: Path) -> str:
    return path.name


def read(path: Path) -> tuple[list[Outcome], str]:
    """What came of each question, or why the file is refused."""
    try:
        [source] = read_source(path)
    except InputError as error:
        return [], error.message
    return source.outcomes, ""


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_every_question_comes_in_or_is_refused_in_a_sentence(path: Path) -> None:
    outcomes, refused = read(path)
    assert bool(outcomes) != bool(refused) or path.name == "category1.gift"
    assert not refused or (str(path) in refused and "\n" not in refused)
    for one in outcomes:
        for lang in LANGUAGES if isinstance(one, Left) else ():
            assert t(lang, f"intake.{one.code}", **one.values).endswith((".", "。"))
        for remark in one.remarks if isinstance(one, Question) else ():
            assert t("ja", f"intake.{remark.code}", **remark.values).endswith("。")


def counted(path: Path) -> dict[str, Counter[str]]:
    """What Moodle's reader took of each file, by type."""
    lines = re.findall(r"^\s*(\S+) n=\d+ (\{.*?\}|\[\])", path.read_text("utf-8"), re.MULTILINE)
    return {name: Counter(json.loads(types) or {}) for name, types in lines}


def wanted(path: Path) -> list[tuple[Path, Counter[str]]]:
    folders = {"moodlexml": "moodlexml", "probes": "gift/probes"}
    out = []
    for folder in folders.values():
        listed = SAMPLES / folder / "moodle-4.5.6-reader.txt"
        for name, types in (counted(listed) if listed.exists() else {}).items():
            [file] = (SAMPLES / folder).rglob(name)
            out.append((file, types))
    return out


@pytest.mark.parametrize(("path", "types"), wanted(SAMPLES), ids=lambda one: getattr(one, "name", ""))
def test_as_many_are_seen_as_moodle_sees(path: Path, types: Counter[str]) -> None:
    types.pop("category", None)
    try:
        [source] = read_source(path)
    except InputError:
        assert not types, f"Moodle read {types}"
        return
    if path.stem not in LIKE_MOODLE:
        assert len(source.outcomes) == sum(types.values())
    came = Counter(one.kind for one in source.outcomes if isinstance(one, Question))
    for kind, number in came.items():
        [of] = [name for name, kinds in KINDS.items() if kind in kinds]
        assert number <= types[of], f"{number} of {kind}, where Moodle sees {types}"
    uncarried = sum(number for name, number in types.items() if name not in KINDS)
    left = [one for one in source.outcomes if isinstance(one, Left)]
    assert sum(one.code == "kind" for one in left) == uncarried


PEGJS = {"MC": ("choice", "choices"), "TF": ("truth",), "Matching": ("pairs",), "Short": ("words",)}


@pytest.mark.parametrize("path", [p for p in FILES if p.parent.name == "gift-pegjs"], ids=name_of)
def test_gift_is_what_its_other_reader_says(path: Path) -> None:
    questions = [
        one for one in json.loads(path.with_suffix(".json").read_text("utf-8")) if one["type"] != "Category"
    ]
    if not questions:
        return
    [source] = read_source(path)
    assert len(source.outcomes) == len(questions)
    for one, there in zip(source.outcomes, questions, strict=True):
        if isinstance(one, Left):
            continue
        assert one.kind in (PEGJS | {"Numerical": ("number",)})[there["type"]]
        if there["type"] == "TF":
            assert (one.answers[0].share == 1) == bool(there["isTrue"])
        if there["type"] == "MC":
            right = [choice["isCorrect"] or (choice["weight"] or 0) > 0 for choice in there["choices"]]
            assert [answer.share > 0 for answer in one.answers] == right
