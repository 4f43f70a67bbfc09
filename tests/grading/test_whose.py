"""Whose answers are these? Who handed a file in and what the file claims must agree."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZipFile, ZipInfo

import pytest

from quizengine.sheets.manifest import load_manifest

ROSTER = "id,name\ns01,Ann Lee\ns02,Bo Ray Fox\ns03,\n"


@pytest.fixture
def handed_in(tmp_path: Path, run, sheets_for):
    """Grade files by their names, each (who the file says it is of, is it right?); what is said, and the
    points of every student who is in the gradebook."""
    manifest = sheets_for(ROSTER, "masking.where")
    sheets = {sheet.student: sheet for sheet in load_manifest(manifest).sheets}

    def call(
        files: dict[str, tuple[dict[str, str], bool]], years: dict[str, int] | None = None
    ) -> tuple[str, dict[str, str]]:
        with ZipFile(tmp_path / "in.zip", "w") as archive:
            for name, (claim, right) in files.items():
                who = {k: sheets[v].code if k == "code" else v for k, v in claim.items()}
                student = next(iter(claim.values()), "s01")
                key = sheets[student].problems[0].parts[0].key
                text = key if right else next(x for x in "ABCD" if x != key)
                member = ZipInfo(name, ((years or {}).get(name, 2030), 2, 1, 12, 0, 0))
                archive.writestr(member, json.dumps({**who, "answers": {"1": text}}))
        said = run("grade", manifest, tmp_path / "in.zip", "--no-feedback", "--out", tmp_path / "m").stdout
        rows = (tmp_path / "m" / "gradebook.csv").read_text("utf-8").splitlines()[1:]
        return said, {row.split(",")[0]: row.split(",")[2] for row in rows}

    return call


OWN = "Ann Lee_17_assignsubmission_file/a.json"
FOREIGN = {
    "moodle": "Bo Ray Fox_18_assignsubmission_file/a.json",
    "moodle, a name not on the roster": "Cy Else_19_assignsubmission_file/a.json",
    "canvas, last name first": "foxboray_4711_99_a.json",
    "canvas, late": "borayfox_LATE_4711_99_a.json",
    "canvas, a name not on the roster": "elsecy_4712_99_a.json",
    "a folder that is an id": "s02/a.json",
    "a folder within one": "in/s02/a.json",
}


@pytest.mark.parametrize("claim", ["student", "code"])
@pytest.mark.parametrize("name", FOREIGN.values(), ids=FOREIGN)
def test_what_another_hands_in_is_listed_and_changes_nothing(handed_in, name: str, claim: str) -> None:
    said, points = handed_in({OWN: ({"student": "s01"}, True), name: ({claim: "s01"}, False)})
    assert points == {"s01": "1"}
    assert "Rows read: 2; graded: 1; not graded: 1." in said


AGREEING = {
    "moodle": OWN,
    "canvas, first name first": "annlee_4711_99_a.json",
    "canvas, last name first": "leeann_LATE_4711_99_a.json",
    "a folder that is an id": "s01/a.json",
    "no folder": "a.json",
    "a folder of any name": "inbox/a.json",
}


@pytest.mark.parametrize("claim", ["student", "code"])
@pytest.mark.parametrize("name", AGREEING.values(), ids=AGREEING)
def test_what_agrees_is_graded(handed_in, name: str, claim: str) -> None:
    assert handed_in({name: ({claim: "s01"}, True)})[1] == {"s01": "1"}


def test_two_submitters_of_one_sheet_are_listed_and_neither_counts(handed_in) -> None:
    said, points = handed_in(
        {OWN: ({"student": "s01"}, True), "Ann Lee_18_assignsubmission_file/a.json": ({"code": "s01"}, False)}
    )
    assert points == {}
    assert "Rows read: 2; graded: 0; not graded: 2." in said


@pytest.mark.parametrize(("first", "points"), [(2030, {}), (2029, {"s01": "1"}), (2031, {"s01": "0"})])
def test_two_files_of_one_submission_are_one_submitters(handed_in, first: int, points: dict) -> None:
    """Of which the newer one counts, and neither where they are of one time."""
    files = {OWN: ({"student": "s01"}, False), OWN.replace("a.json", "b.json"): ({"student": "s01"}, True)}
    assert handed_in(files, {OWN: first})[1] == points
