"""Views: what is written shows everything on record, whatever files and calls it came from."""

from __future__ import annotations

import csv
import json
from itertools import permutations
from pathlib import Path
from zipfile import ZipFile

import pytest

from quizengine.sheets.manifest import load_manifest

SOURCES = {
    "a.csv": "student,1,2\ns02,B,A\n",
    "b.csv": "student,1,2\ns01,C,B\ns03,A,\n",
    "c.csv": "student,1\ns04,A\n",
}
SAVED = {"s01": {"1": "C", "2": "B"}, "s03": {"1": "A", "2": ""}}
WRITTEN = ("gradebook.csv", "report.json", "report.html", "feedback/s02.md", "feedback/s02.html")


@pytest.fixture
def exam(run, tmp_path: Path):
    """Makes an exam of five students in a folder; the same one each time."""

    def call(folder: str) -> Path:
        roster = tmp_path / "roster.csv"
        roster.write_text("id,name\n" + "".join(f"s0{n},Name {n}\n" for n in range(1, 6)), "utf-8")
        words = ("--item", "masking.where", "--item", "roles.in-your-words", "--seed", 1, "--format", "html")
        run("sheet", "--roster", roster, *words, "--out", tmp_path / folder / "exam")
        for name, text in SOURCES.items():
            (tmp_path / folder / name).write_text(text, "utf-8")
        return tmp_path / folder / "exam" / "manifest.json"

    return call


def book(path: Path) -> dict[str, list[str]]:
    header, *rows = csv.reader(path.read_text("utf-8").splitlines())
    return {row[header.index("student")]: row for row in rows}


def put_zip(folder: Path, code: dict[str, str]) -> None:
    """What pages saved, as a platform packs it."""
    with ZipFile(folder / "saved.zip", "w") as archive:
        for student, answers in SAVED.items():
            saved = json.dumps({"code": code[student], "student": student, "answers": answers})
            archive.writestr(f"answers-{code[student]}.json", saved)


def test_three_sources_in_three_calls_make_one_gradebook_whatever_their_order(exam, run, tmp_path) -> None:
    """A table, a zip of saved files, and sheets typed in from paper."""
    made = []
    for number, order in enumerate(permutations(("a.csv", "saved.zip", "paper.csv"))):
        manifest = exam(f"o{number}")
        folder, code = manifest.parents[1], {who.student: who.code for who in load_manifest(manifest).who}
        put_zip(folder, code)
        run("marks", "enter", manifest, "--into", folder / "paper.csv", input=f"{code['s04']}\nA\n\n:q\n")
        for name in order:
            run("grade", manifest, folder / name, "--out", folder / "m")
        made.append([(folder / "m" / name).read_bytes() for name in WRITTEN])
    assert all(one == made[0] for one in made)
    assert list(book(tmp_path / "o0" / "m" / "gradebook.csv")) == ["s01", "s02", "s03", "s04"]


def test_a_late_comers_file_adds_and_never_empties(exam, run, tmp_path) -> None:
    manifest = exam("e")
    for name in ("b.csv", "c.csv"):
        said = run("grade", manifest, tmp_path / "e" / name, "--out", tmp_path / "m").stdout
    assert "on record from earlier calls, and in the gradebook and the report as well: 2" in said
    assert "no answers came from s02, s05" in said
    assert {who: row[5:] for who, row in book(tmp_path / "m" / "gradebook.csv").items()} == {
        "s01": ["1", "open"],
        "s03": ["1", "0"],
        "s04": ["0", "0"],
    }


@pytest.mark.parametrize(
    ("words", "row"),
    [
        (("override", "s01", "2", "--credit", "1", "--why", "well said"), ["1", "1"]),
        (("discount", "roles.in-your-words", "--full", "--why", "a misprint"), ["1", "1"]),
        (("regrade", "--policy", "coarse=1", "--why", "a policy", "--apply"), ["1", "open"]),
    ],
    ids=lambda value: value[0],
)
def test_what_was_written_is_written_anew_after_every_decision(exam, run, tmp_path, words, row) -> None:
    manifest = exam("e")
    run("grade", manifest, tmp_path / "e" / "b.csv", "--out", tmp_path / "m", "--excel", "--no-html")
    for name in ("gradebook.csv", "report.json", "feedback/s01.md"):
        (tmp_path / "m" / name).unlink()
    said = run("marks", words[0], manifest, *words[1:])
    assert f"Written anew, with everything on record: {tmp_path / 'm'}" in said.stdout
    text = (tmp_path / "m" / "gradebook.csv").read_text("utf-8-sig")
    assert [line.split(";")[5:] for line in text.splitlines() if line.startswith("s01")] == [row]
    assert sorted(path.name for path in (tmp_path / "m" / "feedback").iterdir()) == ["s01.md", "s03.md"]


def test_views_are_written_at_any_time_by_name_as_well_as_id(exam, run, tmp_path) -> None:
    manifest, out = exam("e"), tmp_path / "v"
    run("grade", manifest, tmp_path / "e" / "b.csv", "--out", tmp_path / "m")
    run("marks", "gradebook", manifest, "--names", "--out", out / "g.csv")
    assert [row[1] for row in book(out / "g.csv").values()] == ["Name 1", "Name 3"]
    run("marks", "gradebook", manifest, "--out", out / "g.csv")
    assert (out / "g.csv").read_bytes() == (tmp_path / "m" / "gradebook.csv").read_bytes()
    for name in ("report.html", "report.json"):
        run("marks", "report", manifest, "--out", out / name)
        assert (out / name).read_bytes() == (tmp_path / "m" / name).read_bytes()
    for who in ("Name 3", "s03"):
        run("marks", "feedback", manifest, who, "--out", out / who)
        assert sorted(path.name for path in (out / who).iterdir()) == ["s03.html", "s03.md"]
        assert (out / who / "s03.html").read_bytes() == (
            tmp_path / "m" / "feedback" / "s03.html"
        ).read_bytes()


def test_nothing_open_leaves_for_a_gradebook_of_a_platform(exam, run, tmp_path) -> None:
    manifest = exam("e")
    run("grade", manifest, tmp_path / "e" / "b.csv", "--out", tmp_path / "m")
    refused = run("marks", "moodle", manifest, "--out", tmp_path / "moodle.csv", exit=3)
    assert (
        "answers of 1 students wait to be read (s01): quizengine marks read, or --open-as-blank"
        in refused.stderr
    )
    assert not (tmp_path / "moodle.csv").exists()
    run("marks", "moodle", manifest, "--out", tmp_path / "moodle.csv", "--open-as-blank")
    assert (tmp_path / "moodle.csv").read_text("utf-8").splitlines()[1].startswith("s01,1,")
