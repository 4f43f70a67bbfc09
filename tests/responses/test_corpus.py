"""The corpus: what learners type and paste for numbers and arrays, with what it means or why it is refused.

`corpus.jsonl` is one case a line: what is asked (`asked_for` in conftest), the text, or rows of cells of a
page, and what it is: exact values as text, irrational ones as doubles, the decimals as typed; or why it is
refused, at which character (from 0), and between which two readings. The page's reader passes it, too
(tests/sheets).
"""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from time import process_time

import pytest

from quizengine.grading.intake.submissions import read_submissions
from quizengine.lang.quotation import Quoted, tell
from quizengine.responses.arrays import read_array
from quizengine.responses.numbers import read_number
from quizengine.responses.read import read
from quizengine.responses.response import MINUS_INFINITY, Blank, CannotRead, Number, NumericValue, Unreadable

CORPUS = Path(__file__).parent / "corpus.jsonl"
LINES = [json.loads(line) for line in CORPUS.read_text("utf-8").splitlines()]


def said(number: Number | None, expected: object) -> object:
    """The number as the corpus writes it."""
    if number is None or number == MINUS_INFINITY:
        return number and "-inf"
    if isinstance(expected, float):
        assert float(number.value) == pytest.approx(expected, rel=1e-15)  # a double holds no more
        return expected
    return str(number.value)


@pytest.mark.parametrize("line", LINES, ids=[f"{n}-{line['asked']}" for n, line in enumerate(LINES, 1)])
def test_every_line_is_read_or_refused_as_it_says(asked_for, tmp_path: Path, line: dict) -> None:
    part = asked_for[line["asked"]]
    text = line["text"]
    if isinstance(text, list):  # cells of a page, by the file that it saves
        (tmp_path / "a.json").write_text(json.dumps({"code": "2345A", "answers": {"1": text}}), "utf-8")
        [(_, [*_, text])] = read_submissions(tmp_path / "a.json").rows
    match read(part, text).reading:
        case Blank():
            assert line["blank"]
        case Unreadable(code, at, values):
            assert (code, at) == (line["refused"], line["at"])
            either = [values[name] for name in ("point", "none") if name in values]
            assert either == [Quoted(reading) for reading in line.get("either", [])]
            assert all(tell(lang, f"unreadable.{code}", **values, at=at + 1) for lang in ("en", "ja"))
        case NumericValue(content, told):
            assert [one.code for one in told] == line.get("told", [])
            if not part.shape:
                assert content[0][0].decimals == line.get("decimals")
            rows = line["is"] if part.shape else [[line["is"]]]
            assert [len(row) for row in content] == [len(row) for row in rows]
            pairs = zip(content, rows, strict=True)
            assert [[said(*pair) for pair in zip(*both, strict=True)] for both in pairs] == rows


def test_the_corpus_is_large_and_refuses_much() -> None:
    assert len(LINES) >= 400
    assert sum("refused" in line for line in LINES) >= 130


def test_more_than_can_be_an_array_is_refused() -> None:
    with pytest.raises(CannotRead) as caught:
        read_array("1" * 20_001)
    assert caught.value.reading[:2] == ("too-long", 20_000)


def fastest(read_text, text: str) -> float:
    """Seconds of processor time, the best of three."""
    times = []
    for _ in range(3):
        start = process_time()
        with contextlib.suppress(CannotRead):
            read_text(text)
        times.append(process_time() - start)
    return min(times)


@pytest.mark.slow
def test_every_text_is_read_within_10_ms() -> None:
    texts = [line["text"] for line in LINES if isinstance(line["text"], str)]
    assert [text for text in texts for each in (read_number, read_array) if fastest(each, text) > 0.01] == []
