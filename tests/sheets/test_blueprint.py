"""Blueprints: what they ask, and what is wrong with them, by line and column."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizengine.errors import FaultyFile, UsageError
from quizengine.problems.pose import pose
from quizengine.sheets.blueprint import load_blueprint
from quizengine.sheets.plan import Blueprint, Section, _shared

HEAD = "format: 1\ntitle: Midterm\nsections:\n"


def blueprint(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "b.yaml"
    path.write_text(text, "utf-8")
    return path


def test_what_a_blueprint_says(bank, blueprint: Path) -> None:
    plan = load_blueprint(blueprint, bank)
    assert plan.heading.title == ("Midterm", "中間試験")
    assert plan.heading.course == ("Course 101", "Course 101")
    assert (plan.heading.date, plan.heading.minutes) == ("2030-02-01", 40)
    assert plan.heading.languages == ("en", "ja")
    assert plan.formats == ("pdf", "html", "md")
    assert [section.size for section in plan.sections] == [6, 3]
    assert plan.same_items


def test_a_new_blueprint_is_fine_as_it_is(bank, tmp_path: Path, run) -> None:
    path = tmp_path / "new.yaml"
    run("blueprint", "new", path)
    assert "Nothing is wrong with it." in run("blueprint", "check", path).stdout
    assert "is there already: name another file" in run("blueprint", "new", path, exit=2).stderr
    text = path.read_text("utf-8")
    uncommented = text.replace("# course", "course").replace("# date", "date").replace("# instr", "instr")
    path.write_text(uncommented.replace("# policy", "policy"), "utf-8")
    assert load_blueprint(path, bank).policy == Blueprint(load_blueprint(path, bank).heading, ()).policy


def test_points_decimals_and_policy(bank, tmp_path: Path) -> None:
    text = HEAD + "- {items: [masking.one-row, masking.where], points: 9, decimals: 4}\n"
    text += "policy: {window: 1, coarse: 0.25, carry: 0.5, carry_unexplained: 0}\n"
    plan = load_blueprint(blueprint(tmp_path, text), bank)
    [section] = plan.sections
    problem = pose(section.of(bank.item("masking.one-row")), 1, "en", bank.catalogue)
    assert problem.points == 9
    assert [part.points for part in problem.parts] == [3, 2, 4]
    assert [part.decimals for part in problem.parts] == [4, 4, 4]
    assert section.of(bank.item("masking.where")).points == 9
    assert plan.policy == (1, Fraction(1, 4), Fraction(1, 2), 0, 0)


@given(st.lists(st.integers(1, 5), min_size=1, max_size=6), st.integers(0, 60))
def test_points_are_shared_out_wholly(weights: list[int], more: int) -> None:
    points = len(weights) + more
    shares = _shared(points, weights, "x")
    assert sum(shares) == points
    assert min(shares) >= 1
    pairs = sorted(zip(weights, shares, strict=True))
    assert all(a <= b for (v, a), (w, b) in pairwise(pairs) if v < w)


def test_too_few_points_for_the_parts_are_refused(bank) -> None:
    with pytest.raises(UsageError, match=r"masking\.one-row has 3 parts: give it 3 points at least"):
        Section((), 1, points=2).of(bank.item("masking.one-row"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("format: 1\nsections: []\n", ":1:1: “title” is missing"),
        ("format: 2\ntitle: x\nsections: [{count: 1}]\n", ":1:9: format 2 is newer than this engine reads"),
        (
            HEAD + "- {topic: [maskin], count: 2}\n",
            ":4:12: there is no topic “maskin”; did you mean masking?",
        ),
        (
            HEAD + "- {count: 2, items: [masking.where]}\n",
            ":4:3: a section names its items, or says how many",
        ),
        (HEAD + "- {topic: [masking]}\n", ":4:3: a section names its “items”, or says how many are drawn"),
        (HEAD + "- {items: [masking.wher]}\n", ":4:12: there is no item “masking.wher”; did you mean"),
        (
            HEAD + "- {topic: [masking], level: [transfer], count: 40}\n",
            ":4:48: 40 items of topic masking, level transfer asked, ",
        ),
        (HEAD + "- {count: 999}\n", ":4:11: Input should be less than or equal to 200"),
        (HEAD + "- {count: 2, point: 3}\n", ":4:14: unknown field “point”; did you mean points?"),
        (HEAD + "- {items: [masking.one-row], points: 2}\n", ":4:38: masking.one-row has 3 parts"),
        (
            HEAD + "- {items: [masking.one-row], decimals: 1}\n",
            ":4:40: with decimals: 1, wrong answers are too close to right ones",
        ),
        (
            HEAD + "- {items: [masking.where, masking.where]}\n",
            ":4:27: masking.where is asked twice: name it once",
        ),
        (
            HEAD + "- {items: [masking.where]}\n- {items: [masking.where]}\n",
            ":5:12: masking.where is asked twice: name it once",
        ),
        (
            HEAD + "- {family: [causal], count: 1}\n- {items: [masking.one-row, order.whole-row]}\n",
            ":4:1: section 1 asks 1 items, and the other sections leave 0",
        ),
        (HEAD + "- {count: 1}\nroom: 99 cm\n", ":5:7: Input should be less than or equal to 22"),
        (HEAD + "- {count: 1}\ndate: 2030-02-01\n", ":5:7: “2030-02-01” is a date to some readers"),
        (HEAD + "- {count: 1}\npolicy: {window: 2}\n", ":5:18: Input should be less than or equal to 1.01"),
        (HEAD + "- {count: 1}\nlanguages: [fr]\n", ":5:13: "),
        (HEAD + "- {count: 1}\nformats: [docx]\n", ":5:11: "),
    ],
)
def test_faults_with_their_place(bank, tmp_path: Path, text: str, message: str, run) -> None:
    path = blueprint(tmp_path, text)
    with pytest.raises(FaultyFile) as caught:
        load_blueprint(path, bank)
    assert str(path) + message in caught.value.message
    assert message in run("blueprint", "check", path, exit=1).stderr
    assert message in run("sheet", path, "--variants", 1, "--out", tmp_path / "x", exit=3).stderr
    assert not (tmp_path / "x").exists()


def test_all_faults_are_told_at_once(bank, tmp_path: Path) -> None:
    text = (
        HEAD + "- {topic: [maskin], count: 2}\n- {items: [masking.wher]}\n- {level: [recall], count: 200}\n"
    )
    with pytest.raises(FaultyFile) as caught:
        load_blueprint(blueprint(tmp_path, text), bank)
    assert [fault.line for fault in caught.value.faults] == [4, 5, 6]


def test_a_fault_of_form_hides_none_of_the_sections(bank, tmp_path: Path) -> None:
    text = HEAD + "- {topic: [maskin], count: 2}\n- {count: 0}\n- {items: [masking.wher]}\nspace: 99\n"
    with pytest.raises(FaultyFile) as caught:
        load_blueprint(blueprint(tmp_path, text), bank)
    assert [fault.line for fault in caught.value.faults] == [4, 5, 6, 7]


def test_languages_of_a_faulty_blueprint_are_those_it_names(bank, tmp_path: Path) -> None:
    text = HEAD + "- {items: [masking.where]}\nlanguages: [ja]\nspace: 99\n"
    with pytest.raises(FaultyFile) as caught:
        load_blueprint(blueprint(tmp_path, text), bank)
    assert [fault.line for fault in caught.value.faults] == [6]


def test_a_preview_is_what_a_student_sees(run, blueprint: Path) -> None:
    seen = run("blueprint", "preview", blueprint).stdout
    assert "Midterm" in seen
    assert "Key:" not in seen
    assert "Key:" in run("blueprint", "preview", blueprint, "--key").stdout
    assert seen != run("blueprint", "preview", blueprint, "--variant", 2).stdout
    assert "中間試験" in run("blueprint", "preview", blueprint, "--lang", "ja").stdout


def test_a_blueprint_leaves_no_room_for_filters(run, blueprint: Path, tmp_path: Path) -> None:
    words = ("sheet", blueprint, "--topic", "masking", "--variants", 1, "--out", tmp_path / "x")
    assert "the blueprint says what is asked" in run(*words, exit=2).stderr
