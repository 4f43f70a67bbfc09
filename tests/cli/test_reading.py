"""Commands that only read need no write access."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from quizengine.sessions.store import Store, data_folder


@pytest.fixture
def seal(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], Callable[[], bool]]:
    """Make a folder one that cannot be written, also for root, as far as one asks; what is returned tells
    whether nothing came into it or went."""

    def call(folder: Path) -> Callable[[], bool]:
        access = os.access
        os.chmod(folder, 0o555)
        before = {path: path.stat().st_mtime_ns for path in [folder, *folder.rglob("*")]}

        def allowed(path: os.PathLike[str], mode: int) -> bool:
            inside = folder in (Path(path), *Path(path).parents)
            return not (inside and mode & os.W_OK) and access(path, mode)

        monkeypatch.setattr(os, "access", allowed)
        return lambda: before == {path: path.stat().st_mtime_ns for path in [folder, *folder.rglob("*")]}

    return call


@pytest.fixture
def answered(run) -> Path:
    run("take", "--item", "masking.where", "--seed", 1, input="A\n")
    return Path(data_folder(None))


@pytest.mark.parametrize("words", [(), ("show", "--json"), ("export",)], ids=" ".join)
def test_progress_is_read_where_nothing_can_be_written(run, answered: Path, seal, words) -> None:
    wanted = run("progress", *words).stdout
    untouched = seal(answered)
    assert run("progress", *words).stdout == wanted
    assert untouched()


def test_what_a_kill_left_in_the_journal_is_read_too(run, answered: Path, tmp_path: Path, seal) -> None:
    held = Store(str(answered))
    held.begin(next(held.log())[1])
    (tmp_path / "copy").mkdir()
    for name in ("learner.sqlite", "learner.sqlite-wal"):
        (tmp_path / "copy" / name).write_bytes((answered / name).read_bytes())
    held.close()
    untouched = seal(tmp_path / "copy")
    assert "sessions: 2" in run("progress", "--data-dir", tmp_path / "copy").stdout
    assert untouched()


def test_a_damaged_store_that_cannot_be_mended_is_said(run, answered: Path, seal) -> None:
    (answered / "learner.sqlite").write_bytes(b"no database" * 1000)
    untouched = seal(answered)
    said = run("progress", exit=3).stderr
    assert f"{answered}/learner.sqlite is damaged, and cannot be mended where it is" in said
    assert untouched()


def test_a_learner_without_a_folder_has_answered_nothing(run, tmp_path: Path, seal) -> None:
    (tmp_path / "home").mkdir()
    untouched = seal(tmp_path / "home")
    assert "Nothing answered yet" in run("progress", "--data-dir", tmp_path / "home" / "data").stdout
    assert untouched()


@pytest.fixture
def exam(run, tmp_path: Path) -> Path:
    run("sheet", "--item", "masking.where", "--variants", 2, "--seed", 1, "--out", tmp_path / "exam")
    (tmp_path / "answers.csv").write_text("student,1\nv01,A\nv02,B\n")
    run("grade", tmp_path / "exam" / "manifest.json", tmp_path / "answers.csv", "--out", tmp_path / "marks")
    return tmp_path / "exam"


@pytest.mark.parametrize(
    "words",
    [
        ("marks", "history", "MANIFEST", "v01"),
        ("marks", "regrade", "MANIFEST", "--policy", "coarse=0", "--why", "x"),
        ("marks", "moodle", "MANIFEST", "--out", "OUT"),
        ("manifest", "verify", "MANIFEST"),
        ("marks", "map", "MANIFEST", "ANSWERS", "--out", "OUT"),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_a_record_is_read_where_nothing_can_be_written(run, exam: Path, tmp_path: Path, seal, words) -> None:
    def told(out: str) -> str:
        names = {
            "MANIFEST": exam / "manifest.json",
            "ANSWERS": tmp_path / "answers.csv",
            "OUT": tmp_path / out,
        }
        said = run(*(names.get(word, word) for word in words)).stdout
        return said.replace(out, "") + ((tmp_path / out).read_text() if (tmp_path / out).exists() else "")

    wanted = told("before")
    untouched = seal(exam)
    assert told("after") == wanted
    assert untouched()


def test_a_bank_is_read_where_no_cache_can_be_kept(run, tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert "masking.where" in run("bank", "list", "--topic", "masking").stdout
