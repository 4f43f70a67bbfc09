"""What travels between judge and child arrives as it was sent, or is refused whole."""

from __future__ import annotations

import io
import json
from struct import Struct

import numpy as np
import pytest

from quizengine.checking.call import Broken, Call, Outcome, Raised, Returned
from quizengine.checking.wire import (
    Frame,
    WireError,
    call_frame,
    call_in,
    outcome_frame,
    outcome_in,
    receive,
    send,
)

START = Struct("<4sIQ")


def through(frame: Frame) -> Frame:
    file = io.BytesIO()
    send(file, frame)
    file.seek(0)
    return receive(file)


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6.0).reshape(2, 3),
        np.array(7),
        np.zeros((0, 3), np.float16),
        np.array([[True, False]]),
        np.arange(3, dtype=">i4"),
        np.array([1.5], np.longdouble),
        np.asfortranarray(np.arange(6).reshape(2, 3)),
        np.array([np.nan, -np.inf], np.float32),
    ],
    ids=lambda array: f"{array.dtype}{array.shape}",
)
def test_an_array_arrives_as_it_was_sent(array) -> None:
    arrived = through(Frame("call", {}, {"Q": array})).arrays["Q"]
    np.testing.assert_array_equal(arrived, array)
    assert arrived.flags.writeable
    assert arrived.dtype.itemsize == min(8, array.dtype.itemsize)


def test_a_call_arrives_in_order() -> None:
    call = Call({"Q": np.eye(2), "mask": None, "K": np.ones(1), "heads": 2}, seed=5)
    arrived = call_in(through(call_frame(call)))
    assert list(arrived.arguments) == ["Q", "mask", "K", "heads"]
    assert (arrived.arguments["mask"], arrived.arguments["heads"], arrived.seed) == (None, 2, 5)


@pytest.mark.parametrize(
    "outcome",
    [
        Raised("ValueError", "why", 3, "x = 1"),
        Broken("check.which", {"names": "a b"}),
        Returned({}, frozenset({"Q"}), "printed", 0.5, 7),
    ],
    ids=lambda outcome: type(outcome).__name__,
)
def test_an_outcome_arrives_as_it_was_sent(outcome: Outcome) -> None:
    assert outcome_in(through(outcome_frame(outcome))) == outcome


def raw(head: object, content: bytes = b"", *, size: int | None = None, mark: bytes = b"QZE1") -> bytes:
    text = head if isinstance(head, bytes) else json.dumps(head).encode()
    return START.pack(mark, len(text), len(content) if size is None else size) + text + content


NO_FRAMES = {
    "words": b"all is right, and more than enough of it",
    "a piece": b"QZE1",
    "another mark": raw(["call", {}, []], mark=b"QZE0"),
    "no JSON": raw(b"{"),
    "deep JSON": raw(b"[" * 100_000),
    "a huge number": raw(b'["call", {"a": ' + b"9" * 5000 + b"}, []]"),
    "no list": raw({"kind": "call"}),
    "no kind": raw([1, {}, []]),
    "cut short": raw(["call", {}, []], size=9),
    "left over": raw(["call", {}, []], b"12345678"),
    "objects": raw(["call", {}, [["Q", "|O8", [1]]]], b"12345678"),
    "text": raw(["call", {}, [["Q", "<U2", [1]]]], b"12345678"),
    "more than there is": raw(["call", {}, [["Q", "<f8", [2]]]], b"12345678"),
    "less than nothing": raw(["call", {}, [["Q", "<f8", [-1]]]], b"12345678"),
    "true as a length": raw(["call", {}, [["Q", "<f8", [True]]]], b"12345678"),
    "too many axes": raw(["call", {}, [["Q", "<f8", [1] * 9]]], b"12345678"),
    "twice": raw(["call", {}, [["Q", "|u1", [4]], ["Q", "|u1", [4]]]], b"12345678"),
    "a huge size": START.pack(b"QZE1", 2, 2**40) + b"[]",
    "a huge head": START.pack(b"QZE1", 2**30, 0) + b"[]",
}


@pytest.mark.parametrize("name", NO_FRAMES)
def test_what_is_no_frame_is_refused(name: str) -> None:
    with pytest.raises(WireError):
        receive(io.BytesIO(NO_FRAMES[name]))


def test_the_end_is_no_fault() -> None:
    with pytest.raises(EOFError):
        receive(io.BytesIO())


@pytest.mark.parametrize(
    "frame",
    [
        Frame("verdict", {"verdict": "right"}),
        Frame("returned", {"changed": "Q", "printed": "", "seconds": 0.0, "bytes": 0}),
        Frame("returned", {"changed": [], "printed": "", "seconds": float("nan"), "bytes": 0}),
        Frame("returned", {"changed": [], "printed": "", "seconds": 0.0, "bytes": -1}),
        Frame("raised", {"kind": "E", "message": "", "line": "3", "text": ""}),
        Frame("raised", {"kind": "E", "message": None, "line": 3, "text": ""}),
        Frame("broken", {"message": "verdict.right", "values": {}}),
        Frame("broken", {"message": "check.which", "values": {}}),
    ],
    ids=str,
)
def test_what_is_no_outcome_is_refused(frame: Frame) -> None:
    with pytest.raises(WireError):
        outcome_in(frame)


def test_what_is_too_large_is_not_sent() -> None:
    with pytest.raises(WireError):
        send(io.BytesIO(), Frame("returned", {}, {"output": np.zeros(2**24 + 1)}))


def test_half_a_character_arrives_as_a_whole_one() -> None:
    assert outcome_in(through(outcome_frame(Raised("E", "\ud800")))) == Raised("E", "?")
