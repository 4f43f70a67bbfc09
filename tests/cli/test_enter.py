"""Answers from paper: typed in by code, kept sheet by sheet."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from quizengine.problems.part import key_text
from quizengine.sheets.manifest import load_manifest


@pytest.fixture
def exam(tmp_path: Path, run) -> Path:
    run(
        "sheet",
        "--variants",
        2,
        "--item",
        "masking.one-row",
        "--item",
        "masking.where",
        "--seed",
        1,
        "--out",
        tmp_path / "e",
    )
    return tmp_path / "e" / "manifest.json"


def right(exam: Path, place: int) -> tuple[str, list[str]]:
    sheet = load_manifest(exam).sheets[place]
    return sheet.code, [
        key_text(sheet.problems[i].part(id_), sheet.problems[i].part(id_).key)
        for _, i, id_ in sheet.labelled()
    ]


def table(path: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO(path.read_text("utf-8"))))


def test_two_sheets_typed_in_are_graded(exam: Path, run, tmp_path: Path) -> None:
    into = tmp_path / "a.csv"
    (one, first), (two, second) = right(exam, 0), right(exam, 1)
    typed = [one.lower(), *first, two, second[0], "", ":b", "", second[2], "!smudge", ":q"]
    said = run("marks", "enter", exam, "--into", into, input="\n".join(typed) + "\n").stdout
    assert "v01: kept (1)." in said
    assert "Sheets typed in: 2." in said
    assert table(into) == [
        ["student", "code", "1a", "1b", "1c", "2"],
        ["v01", one, *first],
        ["v02", two, second[0], "", second[2], "smudge"],
    ]
    run("grade", exam, into, "--out", tmp_path / "m")
    assert [row[2] for row in table(tmp_path / "m" / "gradebook.csv")] == ["credit", "5", "3"]


def test_a_slip_in_a_code_or_an_answer_is_caught(exam: Path, run, tmp_path: Path) -> None:
    code, answers = right(exam, 0)
    other = code[:-1] + ("2" if code[-1] != "2" else "3")
    typed = [other, "", code, "0.1 0.2 x", *answers, ":q"]
    said = run("marks", "enter", exam, "--into", tmp_path / "a.csv", input="\n".join(typed) + "\n").stdout
    assert f"{other} is mistyped: its check character does not fit." in said
    assert "“x” is not a number" in said
    assert "type it again with ! before it" in said
    assert table(tmp_path / "a.csv")[1][2:] == answers


def test_what_is_not_whole_is_not_kept_and_one_may_go_on_later(exam: Path, run, tmp_path: Path) -> None:
    into = tmp_path / "a.csv"
    (one, first), (two, second) = right(exam, 0), right(exam, 1)
    said = run(
        "marks", "enter", exam, "--into", into, input="\n".join([one, first[0], ":q", ":q"]) + "\n"
    ).stdout
    assert f"{one} is dropped: nothing of it is kept." in said
    assert len(table(into)) == 1
    run("marks", "enter", exam, "--into", into, input="\n".join([two, *second]) + "\n")
    run("marks", "enter", exam, "--into", into, input="\n".join([one, *first]) + "\n")
    assert [row[0] for row in table(into)] == ["student", "v02", "v01"]


def test_another_table_is_left_alone(exam: Path, run, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("mine\n")
    said = run("marks", "enter", exam, "--into", tmp_path / "a.csv", exit=3).stderr
    assert "is another table: name a new file" in said
    assert (tmp_path / "a.csv").read_text() == "mine\n"


def test_of_a_large_class_only_the_sheets_that_are_typed_are_built(
    exam: Path, run, tmp_path: Path, monkeypatch
) -> None:
    from quizengine.sheets import manifest as module

    (one, first), (two, second) = right(exam, 0), right(exam, 1)
    built, real = [], module.build
    monkeypatch.setattr(module, "build", lambda data: built.append(data["code"]) or real(data))
    typed = [two, *second, "XXXXX", one, *first, ":q"]
    run("marks", "enter", exam, "--into", tmp_path / "a.csv", input="\n".join(typed) + "\n")
    assert built == [two, one]


def test_in_japanese(exam: Path, run, tmp_path: Path) -> None:
    said = run("marks", "enter", exam, "--into", tmp_path / "a.csv", "--lang", "ja", input=":q\n").stdout
    assert "用紙コード" in said


def copied(exam: Path, place: int, **more: object) -> str:
    """What the page of a sheet gives by “Copy answers”."""
    sheet = load_manifest(exam).sheets[place]
    code, answers = right(exam, place)
    labels = [label for label, *_ in sheet.labelled()]
    said = {
        "code": code,
        "student": sheet.student,
        "answers": dict(zip(labels, answers, strict=True)),
        **more,
    }
    return json.dumps(said, indent=1, ensure_ascii=False) + "\n"


PASTED = {
    "one after the other": lambda one, two: one + two,
    "with empty lines and :q": lambda one, two: f"\n{one}\n\n{two}\n:q\n",
    "in one line each": lambda one, two: "".join(json.dumps(json.loads(x)) + "\n" for x in (one, two)),
    "as a list": lambda one, two: f"[{one},{two}]",
    "with a mark": lambda one, two: "\ufeff" + one + two,
    "again, which counts": lambda one, two: one.replace('"2": "', '"2": "x') + two + one,
}


@pytest.mark.parametrize("text", PASTED.values(), ids=PASTED)
def test_what_a_page_gave_to_copy_is_pasted_and_graded(exam: Path, run, tmp_path: Path, text) -> None:
    into = tmp_path / "a.csv"
    run("marks", "enter", exam, "--into", into, "--paste", input=text(copied(exam, 0), copied(exam, 1)))
    run("grade", exam, into, "--out", tmp_path / "m")
    assert [row[2] for row in table(tmp_path / "m" / "gradebook.csv")] == ["credit", "5", "5"]


REFUSED = {
    "cut off": (lambda one: one[: len(one) // 2], "This is no whole text of “Copy answers” ("),
    "no JSON": (lambda one: "hello\n\n", "(it is neither JSON nor YAML): copy it anew"),
    "a mistyped code": (
        lambda one: one.replace('"code": "', '"code": "2'),
        "its check character does not fit",
    ),
    "another student": (lambda one: one.replace("v01", "v02"), "belongs to v01"),
    "a number in place of answers": (lambda one: '{"answers": 1}', "This is no whole text"),
    "nobody's": (lambda one: '{"answers": {"2": "A"}}', "neither a student nor a code"),
}


@pytest.mark.parametrize(("change", "why"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_taken_is_said_and_the_rest_is(
    exam: Path, run, tmp_path: Path, change, why: str
) -> None:
    text = change(copied(exam, 0)) + "\n\n" + copied(exam, 1)
    done = run("marks", "enter", exam, "--into", tmp_path / "a.csv", "--paste", input=text, exit=1)
    assert why in done.stderr
    assert "Sheets typed in: 1." in done.stdout
    assert [row[0] for row in table(tmp_path / "a.csv")] == ["student", "v02"]


def test_an_answer_without_a_place_is_said(exam: Path, run, tmp_path: Path) -> None:
    text = copied(exam, 0, answers={"2": "A", "9": "B"})
    done = run("marks", "enter", exam, "--into", tmp_path / "a.csv", "--paste", input=text)
    assert "column “9” is no label of these sheets" in done.stderr
    assert table(tmp_path / "a.csv")[1][2:] == ["", "", "", "A"]


def test_a_spare_sheet_is_typed_in_under_the_id_of_whoever_got_it(run, tmp_path: Path) -> None:
    words = ("--item", "masking.where", "--variants", 1, "--spare", 2, "--seed", 1, "--out", tmp_path / "e")
    run("sheet", *words)
    exam, into = tmp_path / "e" / "manifest.json", tmp_path / "a.csv"
    (_, own), (one, first), (two, second) = (right(exam, place) for place in range(3))
    typed = [one, "s99", *first, two, "", *second, right(exam, 0)[0], *own, ":q"]
    said = run("marks", "enter", exam, "--into", into, input="\n".join(typed) + "\n").stdout
    assert said.count("A spare sheet: whose is it?") == 2
    assert [row[0] for row in table(into)[1:]] == ["s99", "spare-2", "v01"]
    run("grade", exam, into, "--out", tmp_path / "m")
    book = table(tmp_path / "m" / "gradebook.csv")[1:]
    assert [(row[0], row[2]) for row in book] == [("v01", "1"), ("s99", "1"), ("spare-2", "1")]
