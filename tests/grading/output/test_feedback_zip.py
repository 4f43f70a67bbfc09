"""The zip that Moodle takes: read back by Moodle's own rule."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from quizengine.sheets.manifest import load_manifest


@pytest.fixture
def marked(tmp_path: Path, run, sheets_for) -> Path:
    """Three students, two of whom have feedback, one of them under a name with an underscore."""
    manifest = sheets_for("id,name\nk1,One_A Learner\nk2,Two\nk3,三番 学生\n", "masking.where")
    (tmp_path / "a.csv").write_text("student,1\nk1,A\nk3,B\n", "utf-8")
    run("grade", manifest, tmp_path / "a.csv", "--out", tmp_path / "marks")
    return manifest


def unpacked(path: Path) -> dict[str, bytes]:
    """By the number of the submission: Moodle splits at the first four underscores and looks up the second
    piece; the third and fourth name the plugin, the rest the file."""
    out = {}
    with ZipFile(path) as archive:
        for name in archive.namelist():
            _, number, subtype, plugin, file = name.split("_", 4)
            assert (subtype, plugin, file) == ("assignfeedback", "file", "feedback.html")
            assert "/" not in name
            out[number] = archive.read(name)
    return out


def submissions(path: Path, manifest: Path) -> Path:
    codes = {who.student: who.code for who in load_manifest(manifest).who}
    saved = json.dumps({"code": codes["k3"], "answers": {}})
    with ZipFile(path, "w") as archive:
        archive.writestr("One A Learner_17_assignsubmission_file/photo.jpg", "")
        archive.writestr("Somebody_18_assignsubmission_file/answers.json", saved)
        archive.writestr("Two_19_assignsubmission_onlinetext/onlinetext.html", "")
        archive.writestr("readme.txt", "")
    return path


def test_the_numbers_come_from_the_submissions(marked: Path, tmp_path: Path, run) -> None:
    zipped = submissions(tmp_path / "s.zip", marked)
    words = ("marks", "feedback-zip", marked, zipped, "--marks", tmp_path / "marks")
    said = run(*words, "--out", tmp_path / "f.zip").stdout
    pages = {
        student: (tmp_path / "marks" / "feedback" / f"{student}.html").read_bytes()
        for student in ("k1", "k3")
    }
    assert unpacked(tmp_path / "f.zip") == {"17": pages["k1"], "18": pages["k3"]}
    assert "feedback for 2" in said
    assert "have no feedback: k2" in said
    assert "is there already" in run(*words, "--out", tmp_path / "f.zip", exit=3).stderr
    run(*words, "--out", tmp_path / "g.zip")
    assert (tmp_path / "g.zip").read_bytes() == (tmp_path / "f.zip").read_bytes()


def test_or_from_the_worksheet(marked: Path, tmp_path: Path, run) -> None:
    sheet = "識別子,フルネーム,ID ナンバー,評定\n"
    sheet += "参加者 31,Other Name,k1,\n参加者 32,三番 学生,,\n参加者 33,Nobody,zz,\n"
    (tmp_path / "w.csv").write_text(sheet, "utf-8-sig")
    words = ("marks", "feedback-zip", marked, tmp_path / "w.csv", "--marks", tmp_path / "marks")
    run(*words, "--out", tmp_path / "f.zip")
    assert set(unpacked(tmp_path / "f.zip")) == {"31", "32"}


def test_who_is_not_known_to_moodle_is_told(marked: Path, tmp_path: Path, run) -> None:
    (tmp_path / "w.csv").write_text("Identifier,Full name\nParticipant 5,三番 学生\n", "utf-8")
    words = ("marks", "feedback-zip", marked, tmp_path / "w.csv", "--marks", tmp_path / "marks")
    assert "Moodle's file does not know them: k1" in run(*words, "--out", tmp_path / "f.zip").stdout
    (tmp_path / "w.csv").write_text("a,b\n1,2\n", "utf-8")
    assert "no column with ids or full names" in run(*words, "--out", tmp_path / "g.zip", exit=3).stderr
    (tmp_path / "w.csv").write_text("Identifier,Full name\nParticipant 5,Nobody\n", "utf-8")
    assert (
        "no student of this exam was found in it" in run(*words, "--out", tmp_path / "g.zip", exit=3).stderr
    )
    assert not (tmp_path / "g.zip").exists()


def test_the_worksheet_may_know_an_address_alone(tmp_path: Path, run, sheets_for) -> None:
    manifest = sheets_for("id,name,email\nk1,One,one@example.edu\nk2,Two,two@example.edu\n", "masking.where")
    (tmp_path / "a.csv").write_text("student,1\nk1,A\nk2,B\n", "utf-8")
    run("grade", manifest, tmp_path / "a.csv", "--out", tmp_path / "marks")
    sheet = "Identifier,Email address\nParticipant 5,TWO@example.edu\nParticipant 6,else@example.edu\n"
    (tmp_path / "w.csv").write_text(sheet, "utf-8")
    words = ("marks", "feedback-zip", manifest, tmp_path / "w.csv", "--marks", tmp_path / "marks")
    run(*words, "--out", tmp_path / "f.zip")
    page = (tmp_path / "marks" / "feedback" / "k2.html").read_bytes()
    assert unpacked(tmp_path / "f.zip") == {"5": page}
