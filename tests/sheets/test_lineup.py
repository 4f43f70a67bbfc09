"""Line-ups: what is previewed is what is printed, and nothing else is."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from quizengine.errors import FaultyFile, UnknownName, UsageError
from quizengine.sheets.blueprint import load_blueprint
from quizengine.sheets.lineup import beside, drawn, load_lineup, renumbered, save_lineup, slots, swapped

SECRET = b"a line-up and its secret ......."
EXAM = """format: 1
title: {en: Midterm, ja: 中間試験}
languages: [en, ja]
formats: [md]
minutes: 40
sections:
- {title: {en: Concepts, ja: 概念}, topic: [masking, order], type: [single_choice], count: 4}
- {title: {en: By hand, ja: 手計算}, items: [masking.one-row, complexity.cache]}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "midterm.yaml"
    path.write_text(EXAM, "utf-8")
    (tmp_path / "roster.csv").write_text("id,name\ns01,Learner 1\ns02,Learner 2\ns03,Learner 3\n", "utf-8")
    return path


@pytest.fixture
def plan(bank, file: Path):
    return load_blueprint(file, bank)


def items(lineup) -> list[str]:
    return [question.item for question in lineup.questions]


def test_what_is_written_is_read_again(bank, plan, tmp_path: Path) -> None:
    made = renumbered(drawn(plan, SECRET), 5)
    path = tmp_path / "x.drawn.yaml"
    save_lineup(path, plan, bank, made)
    assert load_lineup(path, plan, bank) == made
    assert path.stat().st_mode & 0o077 == 0
    text = path.read_text("utf-8")
    assert "# Concepts\n" in text
    assert re.search(r"- item: masking\.one-row  # 5: numeric, apply\n  numbers: 2\n", text)


def test_swap_goes_through_every_item_before_any_comes_again(bank, plan) -> None:
    lineup, seen = drawn(plan, SECRET), []
    others = {*items(lineup)} - {items(lineup)[2]}
    pool = {metadata.id for metadata in plan.sections[0].pool}
    for _ in range(len(pool) - 3):
        seen.append(items(lineup)[2])
        lineup = swapped(plan, bank, lineup, 3)
    assert sorted(seen) == sorted(pool - others)
    assert items(lineup)[2] == seen[0]


@pytest.mark.parametrize(
    ("number", "item", "message"),
    [
        (7, None, "there is no question 7: the exam has 6"),
        (0, None, "there is no question 0: the exam has 6"),
        (5, None, "question 5 has no other item that fits its section: name one"),
        (1, "complexity.cache", "complexity.cache is question 6 already"),
    ],
)
def test_what_cannot_be_swapped(bank, plan, number: int, item: str | None, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        swapped(plan, bank, drawn(plan, SECRET), number, item)


def test_an_unknown_item_is_named(bank, plan) -> None:
    with pytest.raises(UnknownName, match=r"did you mean masking\.where"):
        swapped(plan, bank, drawn(plan, SECRET), 1, "masking.wher")


def test_an_item_of_another_section_may_be_named(bank, plan) -> None:
    made = swapped(plan, bank, drawn(plan, SECRET), 1, "head.square")
    assert items(made)[0] == "head.square"
    assert [metadata.id for _, metadata in slots(plan, bank, made.questions)] == items(made)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s: s.replace("masking.one-row", "masking.one-ro"), "did you mean masking.one-row"),
        (lambda s: s.replace("complexity.cache", "masking.one-row"), "masking.one-row is asked twice"),
        (
            lambda s: s.replace("- item: complexity.cache", "# "),
            "5 questions stand here, and the blueprint asks 6",
        ),
        (lambda s: re.sub("secret: '.", "secret: 'x", s), "x.drawn.yaml:4:9: "),
        (lambda s: s.replace("format: 1", "format: 9"), "format 9 is newer than this engine reads"),
    ],
    ids=["unknown", "twice", "count", "secret", "format"],
)
def test_faults_of_a_line_up_are_named_with_their_place(bank, plan, tmp_path: Path, change, message) -> None:
    path = tmp_path / "x.drawn.yaml"
    save_lineup(path, plan, bank, drawn(plan, SECRET))
    path.write_text(change(path.read_text("utf-8")), "utf-8")
    with pytest.raises(FaultyFile, match=re.escape(message)):
        load_lineup(path, plan, bank)


def sheet_of(folder: Path, student: str):
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    return next(sheet for sheet in manifest["sheets"] if sheet["student"] == student)


def test_what_is_previewed_is_the_exam(run, file: Path, tmp_path: Path) -> None:
    roster, out = tmp_path / "roster.csv", tmp_path / "exam"
    first = run("blueprint", "preview", file)
    assert "written down in" in first.stderr
    assert run("blueprint", "preview", file).stdout == first.stdout
    seen = run("blueprint", "preview", file, "--roster", roster, "--student", "s03").stdout
    run("sheet", file, "--roster", roster, "--out", out)
    sheet = sheet_of(out, "s03")
    assert sheet["code"] in seen
    printed = [item["item"] for item in sheet["items"]]
    assert re.findall(r"^\d+   .* point.*   (\S+)$", seen, re.M) == printed
    assert re.findall(r"^\d+   .* point.*   (\S+)$", first.stdout, re.M) == printed
    numbers = [cell for row in sheet["items"][4]["given"]["V"] for cell in row]
    assert all(re.search(rf"(?<!\d){cell:g}(?!\d)", seen) for cell in numbers)
    again = tmp_path / "again"
    run("sheet", file, "--roster", roster, "--out", again)
    assert sheet_of(again, "s03") == sheet


def test_what_is_previewed_is_the_exam_in_whatever_order_it_is_printed(
    run, file: Path, tmp_path: Path
) -> None:
    roster, out = tmp_path / "seats.csv", tmp_path / "exam"
    roster.write_text("id,name,seat\n" + "".join(f"s{i:02},Learner,{9 - i}\n" for i in range(9)), "utf-8")
    run("sheet", file, "--roster", roster, "--order", "seat", "--out", out)
    first = next(who["student"] for who in json.loads((out / "manifest.json").read_text("utf-8"))["sheets"])
    assert first == "s08"
    for student in ("s00", "s04"):
        words = ("--roster", roster, "--order", "seat", "--student", student)
        seen = run("blueprint", "preview", file, *words).stdout
        values = [cell for row in sheet_of(out, student)["items"][4]["given"]["V"] for cell in row]
        printed = re.findall(r"\d+", " ".join(re.findall(r"│ ((?:\d )*\d) │ [01]", seen)))
        assert printed == [f"{cell:g}" for cell in values]


def test_swap_and_numbers_change_what_is_printed(run, file: Path, tmp_path: Path) -> None:
    run("blueprint", "draw", file)
    assert "holds the questions already" in run("blueprint", "draw", file, exit=2).stderr
    before = run("blueprint", "preview", file).stdout
    shown = run("blueprint", "swap", file, "3").stdout
    new = re.search(r"^3   .*   (\S+)$", shown, re.M)
    assert new
    assert new[1] not in before
    assert new[1] in run("blueprint", "preview", file).stdout
    run("blueprint", "numbers", file, "5")
    after = run("blueprint", "preview", file).stdout
    assert after.partition("masking.one-row")[2] != before.partition("masking.one-row")[2]
    assert after.partition("complexity.cache")[2] == before.partition("complexity.cache")[2]
    run("blueprint", "numbers", file)
    assert (
        run("blueprint", "preview", file).stdout.partition("complexity.cache")[2]
        != after.partition("complexity.cache")[2]
    )


def test_a_seed_does_not_go_beside_what_is_drawn(run, file: Path, tmp_path: Path) -> None:
    run("sheet", file, "--variants", "1", "--seed", "1", "--out", tmp_path / "a")
    assert not beside(file).exists()
    run("blueprint", "draw", file, "--seed", "1")
    refused = run("sheet", file, "--variants", "1", "--seed", "1", "--out", tmp_path / "b", exit=2)
    assert "says what is drawn: leave out --seed" in refused.stderr
    run("sheet", file, "--variants", "1", "--out", tmp_path / "b")
    assert sheet_of(tmp_path / "a", "v01") == sheet_of(tmp_path / "b", "v01")


def test_a_student_stands_in_a_roster(run, file: Path, tmp_path: Path) -> None:
    assert "--student needs --roster" in run("blueprint", "preview", file, "--student", "s01", exit=2).stderr
    roster = tmp_path / "roster.csv"
    refused = run("blueprint", "preview", file, "--student", "s09", "--roster", roster, exit=2)
    assert "there is no student “s09”" in refused.stderr


def test_the_gradebook_of_what_was_previewed(run, file: Path, tmp_path: Path) -> None:
    """From the drawn exam to marks: the answers are those that the preview with its key told."""
    roster, out = tmp_path / "roster.csv", tmp_path / "exam"
    run("sheet", file, "--roster", roster, "--out", out)
    sheet = sheet_of(out, "s02")
    labels = {label: item["key"][part] for item in sheet["items"] for part, label in item["labels"].items()}
    answers = tmp_path / "answers.csv"
    with answers.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["student", *labels])
        writer.writerow(["s02", *labels.values()])
    run("grade", out / "manifest.json", answers, "--out", tmp_path / "marks")
    with (tmp_path / "marks" / "gradebook.csv").open(encoding="utf-8") as stream:
        [row] = [row for row in csv.DictReader(stream) if row["student"] == "s02"]
    assert float(row["percent"]) == 100


def test_a_preview_is_in_the_students_own_language(run, tmp_path: Path) -> None:
    file, roster = tmp_path / "two.yaml", tmp_path / "roster.csv"
    file.write_text(
        "format: 1\ntitle: {en: Midterm, ja: 中間試験}\nlanguages: [en, ja]\n"
        "sections:\n- {items: [masking.where]}\n",
        "utf-8",
    )
    roster.write_text("id,name,language\ns01,One,\ns02,Two,ja\n", "utf-8")
    for student, title in (("s01", "Midterm"), ("s02", "中間試験")):
        seen = run("blueprint", "preview", file, "--roster", roster, "--student", student).stdout
        assert seen.startswith(title)
    asked = ("blueprint", "preview", file, "--roster", roster, "--student", "s02", "--lang", "en")
    assert run(*asked).stdout.startswith("Midterm")
