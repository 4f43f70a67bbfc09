"""Variants: unlike each other in numbers, alike in all else."""

from __future__ import annotations

import json
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizengine.errors import FaultyFile, UsageError
from quizengine.items.item import Metadata
from quizengine.problems.dice import Dice
from quizengine.problems.pose import pose
from quizengine.sheets.apart import apart, chance_copies, copies, parity
from quizengine.sheets.blueprint import load_blueprint
from quizengine.sheets.compose import compose
from quizengine.sheets.draw import draw
from quizengine.sheets.lineup import drawn
from quizengine.sheets.manifest import load_manifest
from quizengine.sheets.plan import Section
from quizengine.sheets.roster import Student

SECRET = b"another secret, 32 bytes long ...."
CLASS = [Student(f"s{i:02}") for i in range(1, 21)]


def composed(bank, tmp_path: Path, sections: str, more: str = ""):
    path = tmp_path / "b.yaml"
    path.write_text(f"format: 1\ntitle: x\n{more}sections:\n{sections}", "utf-8")
    plan = load_blueprint(path, bank)
    return compose(bank, plan, CLASS, drawn(plan, SECRET))


def test_the_same_items_with_other_numbers(bank, tmp_path: Path) -> None:
    manifest = composed(bank, tmp_path, "- {topic: [masking, scaling], count: 6}\n")
    assert len({tuple(p.item for p in sheet.problems) for sheet in manifest.sheets}) == 1
    for one, other in pairwise(manifest.sheets):
        for mine, theirs in zip(one.problems, other.problems, strict=True):
            assert mine.type != "numeric" or mine.given != theirs.given


def test_drawn_for_each_student_and_yet_equally_hard(bank, tmp_path: Path) -> None:
    manifest = composed(bank, tmp_path, "- {topic: [masking, order], count: 8}\n", "same_items: false\n")
    profiles = {
        tuple(
            (h.topic, h.type, h.level, h.difficulty)
            for p in sheet.problems
            for h in [bank.item(p.item).metadata]
        )
        for sheet in manifest.sheets
    }
    assert len(profiles) == 1
    assert len({tuple(p.item for p in sheet.problems) for sheet in manifest.sheets}) > 5
    assert all(len({p.item for p in sheet.problems}) == 8 for sheet in manifest.sheets)
    equal = parity(manifest, bank)["equal"]
    assert equal["points"]
    assert equal["difficulty"]
    assert equal["topics"]


def test_parity_tells_what_differs(bank, tmp_path: Path) -> None:
    same = parity(composed(bank, tmp_path, "- {topic: [masking], count: 6}\n"), bank)
    assert all(same["equal"].values())
    other = composed(bank, tmp_path, "- {topic: [masking, order], count: 8}\n", "same_items: false\n")
    assert not parity(other, bank)["equal"]["misconceptions"]


def test_sections_share_no_item_and_say_when_too_little_is_left(bank, tmp_path: Path) -> None:
    manifest = composed(bank, tmp_path, "- {topic: [masking], count: 5}\n- {level: [recall], count: 20}\n")
    assert all(len({p.item for p in sheet.problems}) == 25 for sheet in manifest.sheets)
    with pytest.raises(FaultyFile, match=r"section \d asks \d+ items, and the other sections leave \d+"):
        composed(bank, tmp_path, "- {topic: [masking], count: 20}\n- {topic: [masking], count: 25}\n")


@given(st.lists(st.tuples(st.sets(st.integers(0, 8), min_size=1), st.integers(1, 3)), min_size=1, max_size=5))
def test_what_can_be_drawn_is_drawn(asked: list[tuple[set[int], int]]) -> None:
    """Whatever the sections have in common: as Hall says, and never an item twice."""
    items = [Metadata(f"t.{i}", "single_choice", "t", "recall", 1, (), ("en",), "", ()) for i in range(9)]
    sections = [Section(tuple(items[i] for i in pool), size) for pool, size in asked]
    possible = all(
        len(set().union(*(pool for pool, _ in some))) >= sum(size for _, size in some)
        for count in range(1, len(asked) + 1)
        for some in combinations(asked, count)
    )
    try:
        slots = draw(sections, Dice("draw", 1))
    except UsageError:
        assert not possible
        return
    assert possible
    assert len({metadata for _, metadata in slots}) == len(slots) == sum(size for _, size in asked)
    assert all(metadata in section.pool for section, metadata in slots)


OVERLAPPING = """\
- {items: [masking.where], points: 2}
- {topic: [masking], type: [single_choice], count: 3, points: 5}
- {topic: [masking], type: [single_choice], level: [transfer], count: 1, points: 1}
"""


def test_points_are_those_of_the_section_and_nothing_is_asked_twice(bank, tmp_path: Path) -> None:
    manifest = composed(bank, tmp_path, OVERLAPPING, "same_items: false\n")
    for sheet in manifest.sheets:
        assert [problem.points for problem in sheet.problems] == [2, 5, 5, 5, 1]
        assert len({problem.item for problem in sheet.problems}) == 5


def test_copying_from_a_neighbour_is_found_out(bank) -> None:
    item = bank.item("complexity.cache")
    one, other = (pose(item, seed, "en", bank.catalogue) for seed in (1, 2))
    assert copies(one, one) == [part.id for part in one.parts]
    assert not apart(one, one)
    near = one._replace(given={}, parts=tuple(p._replace(key=((p.key[0][0] + 1,),)) for p in one.parts))
    assert copies(one, near) == []
    rounded = pose(bank.item("masking.one-row"), 1, "en", bank.catalogue)
    by_a_hair = rounded._replace(
        parts=tuple(
            p._replace(key=tuple(tuple(x + 900_000 for x in row) for row in p.key)) for p in rounded.parts
        )
    )
    assert copies(rounded, by_a_hair) == [part.id for part in rounded.parts]
    assert apart(one, other) == (not copies(one, other))


def test_neighbours_share_no_numeric_answer_but_by_listed_chance(bank, tmp_path: Path) -> None:
    manifest = composed(bank, tmp_path, "- {type: [numeric], count: 12}\n")
    listed = list(chance_copies(manifest.sheets))
    assert len(listed) < len(CLASS)
    for copy in listed:
        sheets = {sheet.student: sheet for sheet in manifest.sheets}
        assert copy.label in {label for label, _, _ in sheets[copy.student].labelled()}


def test_spare_sheets_and_the_parity_report(tmp_path: Path, run) -> None:
    (tmp_path / "r.csv").write_text("id,name\ns01,Learner\n", "utf-8")
    words = (
        "--roster",
        tmp_path / "r.csv",
        "--spare",
        2,
        "--count",
        3,
        "--seed",
        1,
        "--out",
        tmp_path / "exam",
    )
    run("sheet", *words)
    manifest = load_manifest(tmp_path / "exam" / "manifest.json")
    assert [sheet.student for sheet in manifest.sheets] == ["s01", "spare-1", "spare-2"]
    report = json.loads((tmp_path / "exam" / "parity.json").read_text("utf-8"))
    assert set(report["sheets"]) == {sheet.code for sheet in manifest.sheets}
    assert report["equal"]["points"]


def test_both_languages_ask_the_same(made: Path) -> None:
    for sheet in load_manifest(made / "manifest.json").sheets:
        for english, japanese in zip(sheet.problems, sheet.in_language("ja"), strict=True):
            assert (english.lang, japanese.lang) == ("en", "ja")
            assert english.given == japanese.given
            assert [part.key for part in english.parts if part.kind != "words"] == [
                part.key for part in japanese.parts if part.kind != "words"
            ]
