"""Bad input is answered with a sentence and its exit code, never with a fault of ours."""

from __future__ import annotations

import io
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from time import process_time

import pytest
from click.testing import CliRunner

from quizengine.cli.house import house
from quizengine.files import whole

BEGUN = {"plan": [{"item": "order.steps", "seed": 1}], "lang": "en"}
MARKED = {"index": 0, "item": "order.steps", "topic": "order", "points": 1, "misconceptions": []}


def line(kind: str, data: dict) -> str:
    return json.dumps({"session": 1, "kind": kind, "at": "2026-01-01T00:00:00+00:00", "data": data})


@pytest.fixture
def plainly(monkeypatch):
    """A command as a user calls it: faults are sentences."""
    monkeypatch.delenv("QUIZENGINE_DEBUG", raising=False)

    def call(*words: object) -> tuple[int, str]:
        result = CliRunner().invoke(house, [str(word) for word in words])
        assert "fault of ours" not in result.output, result.output
        assert "Traceback" not in result.output, result.output
        assert result.exception is None or isinstance(result.exception, SystemExit)
        return result.exit_code, result.output

    return call


@pytest.mark.parametrize(
    "wrong",
    [
        *({"credit": credit} for credit in ("1e99999999", "1/0", "9" * 5000, "-1", "1_0", "1/" + "9" * 5000)),
        *({"credit": "1", "points": points} for points in (0, 10**30)),
    ],
    ids=lambda wrong: str(wrong)[:30],
)
def test_a_credit_that_is_none_is_refused_at_once(tmp_path: Path, plainly, wrong: dict) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(line("begun", BEGUN) + "\n" + line("marked", MARKED | wrong) + "\n", "utf-8")
    began = process_time()
    status, said = plainly("progress", "import", path)
    assert process_time() - began < 2
    assert status == 3
    assert "log.jsonl:2" in said
    assert len(said) < 1000


@pytest.mark.parametrize(
    "share", ["1/0", "1e99999999", "1e-99999999", "nan", "inf", "9" * 5000, "-1", "1/-2"]
)
def test_a_share_that_is_none_is_refused(sheets_for, tmp_path: Path, plainly, share: str) -> None:
    path = sheets_for("id,name\ns1,One\n", "masking.one-row")
    data = json.loads(path.read_text("utf-8"))
    data["policy"]["late"] = share
    path.write_text(json.dumps(data), "utf-8")
    (tmp_path / "a.csv").write_text("student,1\ns1,1\n", "utf-8")
    began = process_time()
    status, said = plainly("grade", path, tmp_path / "a.csv", "--out", tmp_path / "m")
    assert process_time() - began < 2
    assert status == 3
    assert "not a whole manifest" in said


def fuzzed(path: Path, tmp_path: Path, plainly, rounds: int) -> None:
    """Grade by the manifest with one byte flipped, some cut, or a value of another kind."""
    (tmp_path / "a.csv").write_text("student,1,2\ns1,[[1 2]],A\ns2,0.5,B\n", "utf-8")
    right, dice = path.read_bytes(), random.Random(7)
    code = json.loads(right)["sheets"][0]["code"]
    values = [
        b"null",
        b"1",
        b'""',
        b"[]",
        b"{}",
        b"-1",
        b"1e999",
        b"NaN",
        b"true",
        b"[[]]",
        b'"x"',
        b"[[NaN]]",
    ]
    signs = [place for place, sign in enumerate(right) if sign in b'":,[]{}']
    for round_ in range(rounds):
        place = dice.randrange(len(right))
        changed = bytearray(right)
        match round_ % 4:
            case 0:
                changed[place] ^= 1 << dice.randrange(8)
            case 1:
                del changed[place : place + dice.choice((1, 10, 1000, len(right)))]
            case 2:  # the value of a key
                place = right.rindex(b":", 0, max(place, 20)) + 1
                changed[place : next(s for s in signs if s > place + 1)] = dice.choice(values)
            case _:
                changed[dice.choice(signs)] = dice.choice(b'":,[]{}0')
        path.write_bytes(changed)
        for words in (
            ("grade", path, tmp_path / "a.csv", "--out", tmp_path / f"m{round_}"),
            ("manifest", "verify", path),
            ("manifest", "reprint", path, code, "--out", tmp_path / f"o{round_}", "--format", "html"),
        ):
            status, said = plainly(*words)
            assert status in (0, 1 if words[1] == "verify" else 0, 2, 3), f"{round_}: {status} {said}"


def test_a_manifest_that_is_damaged_anywhere(sheets_for, tmp_path: Path, plainly) -> None:
    fuzzed(sheets_for("id,name\ns1,One\ns2,Two\n", "masking.one-row", "order.steps"), tmp_path, plainly, 40)


@pytest.mark.slow
@pytest.mark.parametrize("item", ["masking.one-row", "order.steps", "averaging.which-row"])
def test_a_manifest_that_is_damaged_in_many_places(sheets_for, tmp_path: Path, plainly, item: str) -> None:
    fuzzed(sheets_for("id,name\ns1,One\ns2,Two\n", item), tmp_path, plainly, 400)


@pytest.mark.parametrize(
    "words", ["misconceptions --json", "bank list", "--help", "--version", "bank show nothing"]
)
def test_an_output_that_is_closed(words: str) -> None:
    call = [sys.executable, "-m", "quizengine", *words.split()]
    environ = {k: v for k, v in os.environ.items() if k != "QUIZENGINE_DEBUG"}
    wrong = words.endswith("nothing")
    for shell in ('"$@" | head -c 1; exit ${PIPESTATUS[0]}', '"$@" >&-', '"$@" >&- 2>&-', '"$@" >/dev/full'):
        done = subprocess.run(
            ["bash", "-c", shell, "bash", *call], check=False, capture_output=True, text=True, env=environ
        )
        assert "Traceback" not in done.stderr
        assert "fault of ours" not in done.stderr
        assert "Exception ignored" not in done.stderr
        full = shell.endswith("full") and not wrong
        assert done.returncode == (3 if full else 2 if wrong else 0), shell


def test_half_a_file_is_removed_when_the_disk_is_full(tmp_path: Path, monkeypatch, plainly) -> None:
    class Full(io.FileIO):
        def write(self, content: bytes) -> int:
            super().write(content[:10])
            raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(whole, "open", lambda file, mode: Full(file, mode), raising=False)
    path = tmp_path / "new.yaml"
    for there in (False, True):
        status, said = plainly("bank", "new", "tides", "single_choice", "--file", path)
        assert status == 3, said
        assert "No space left" in said
        assert [(p.name, p.read_text("utf-8")) for p in tmp_path.glob("new*")] == [
            ("new.yaml", "a: b\n")
        ] * there
        path.write_bytes(b"a: b\n")
