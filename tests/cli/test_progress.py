"""`progress`: taken along, brought back, erased."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from quizengine.sessions.store import FILE, data_folder


def test_a_log_is_taken_along_and_brought_back(run, run_json, tmp_path: Path) -> None:
    run("take", "--topic", "masking", "--count", 3, "--seed", 1, input="A\n" * 30)
    before = run_json("progress")
    log = tmp_path / "progress.jsonl"
    log.write_text(run("progress", "export").stdout, "utf-8")
    assert all(json.loads(line)["session"] == 1 for line in log.read_text("utf-8").splitlines())
    assert "here already: 1" in run("progress", "import", log).stdout
    run("progress", "forget", "--yes")
    assert run_json("progress")["answered"] == 0
    assert "Sessions added: 1" in run("progress", "import", log).stdout
    assert run_json("progress") == before


def test_an_exam_leaves_with_its_keys_only_when_it_is_handed_in(run, run_json, tmp_path: Path) -> None:
    run("take", "--item", "masking.times-zero", "--seed", 1, input="A\n")
    finished = run("progress", "export").stdout
    exam = ("--item", "masking.where", "--item", "masking.one-row", "--mode", "exam")
    run("take", *exam, "--seed", 2, input="A\n", exit=130)
    during = run("progress", "export")
    assert during.stdout == finished
    assert not any(sealed in during.stdout for sealed in ("masking.where", "masking.one-row"))
    assert "not handed in" in during.stderr
    log = tmp_path / "log.jsonl"
    log.write_text(during.stdout, "utf-8")
    assert "added: 1" in run("progress", "import", log, "--data-dir", tmp_path / "there").stdout
    run("take", input=":e\n:e\n")
    after = run("progress", "export")
    assert "masking.one-row" in after.stdout
    assert after.stderr == ""


def test_nothing_is_forgotten_unasked(run, run_json) -> None:
    run("take", "--item", "masking.where", "--seed", 1, input="A\n")
    assert "progress forget --yes" in run("progress", "forget", exit=2).stderr
    assert run_json("progress")["answered"] == 1


def test_show_may_be_left_out(run) -> None:
    run("take", "--item", "masking.where", "--seed", 1, input="A\n")
    assert run("progress", "--lang", "ja").stdout == run("progress", "show", "--lang", "ja").stdout
    assert "export" in run("progress", "--help").stdout


BEGUN = (
    '{"session": 1, "kind": "begun", "at": "2026-01-01T00:00:00+00:00", "data": {"plan": [], "lang": "en"}}'
)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["nonsense"], ":1: this is no line that progress export wrote"),
        ([BEGUN, "[1]"], ":2: this is no line"),
        ([BEGUN, '{"session": 1}'], ":2: this is no line"),
        (
            [BEGUN, '{"session": 1, "kind": "won", "at": "2026-01-01T00:00:00+00:00", "data": {}}'],
            ":2: this is no line that progress export wrote (kind",
        ),
        (
            ['{"session": 1, "kind": "ended", "at": "2026-01-01T00:00:00+00:00", "data": {}}'],
            ":1: “ended” cannot stand here",
        ),
        ([BEGUN, BEGUN], ":2: “begun” cannot stand here"),
        (
            [
                BEGUN,
                '{"session": 1, "kind": "undone", "at": "2026-01-01T00:00:00+00:00", "data": {"index": 7}}',
            ],
            ":2: “undone” cannot",
        ),
        (
            ['{"session": 1, "kind": "begun", "at": "2026-01-01T00:00:00+00:00", "data": {}}'],
            ":1: this is no line that progress export wrote (plan",
        ),
    ],
)
def test_a_file_that_is_no_log_is_one_sentence_and_adds_nothing(
    run, run_json, tmp_path: Path, lines: list[str], message: str
) -> None:
    file = tmp_path / "log.jsonl"
    file.write_text("\n".join(lines), "utf-8")
    assert message in run("progress", "import", file, exit=3).stderr
    assert run_json("progress")["sessions"] == 0


def test_a_damaged_store_is_said_and_a_new_one_begun(run) -> None:
    folder = Path(data_folder(None))
    folder.mkdir(parents=True)
    (folder / FILE).write_bytes(b"no database at all")
    result = run("take", "--item", "masking.where", "--seed", 1, input="A\n")
    assert "was damaged. It is kept as" in result.stderr
    assert (folder / f"{FILE}.damaged-1").read_bytes() == b"no database at all"
    assert "Questions answered: 1" in run("progress").stdout


@pytest.mark.parametrize("words", [("take",), ("progress", "export"), ("review",)], ids=" ".join)
def test_bad_utf_8_in_a_store_is_said_once_and_stops_nobody(run, words: tuple[str, ...]) -> None:
    run("take", "--item", "masking.where", "--seed", 1, input="A\n")
    run("take", "--item", "masking.where", "--item", "masking.times-zero", "--seed", 1, input="A\n", exit=130)
    db = sqlite3.connect(Path(data_folder(None)) / FILE)
    db.execute("pragma ignore_check_constraints = on")
    db.execute("update event set data = cast(x'7bff7d' as text) where kind in ('typed', 'ended')")
    db.commit()
    db.close()
    told = [run("progress", "export", exit=3).stderr]
    assert told[0].count("\n") == 1
    assert "was damaged" in told[0]
    assert "a fault of ours" not in told[0]
    run("progress", "export")
    assert "2" in run("progress").stdout
    run(*words, input="A\n" * 30, exit=0)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"at": "2', '"at": "x2'),
        ("+00:00", ""),
        ('"lang": "en"', '"lang": "fr"'),
        ('"raw": "A"', '"raw": 5'),
        ('"index": 0', '"index": 9'),
        ('"credit": "', '"credit": "x'),
        ('"key"', '"clef"'),
        ('"deadline": ""', '"deadline": "soon"'),
        ('"mode": "exam"', '"mode": "test"'),
    ],
)
def test_a_spoilt_field_is_not_let_in(run, tmp_path: Path, old: str, new: str) -> None:
    run("take", "--item", "masking.where", "--mode", "exam", "--seed", 1, input="A\n:e\n")
    log = run("progress", "export").stdout
    assert old in log
    path = tmp_path / "log.jsonl"
    path.write_text(log.replace(old, new), "utf-8")
    run("progress", "forget", "--yes")
    assert "log.jsonl:" in run("progress", "import", path, exit=3).stderr
    path.write_text(log, "utf-8")
    run("progress", "import", path)
    assert "0 of 1" in run("progress").stdout
