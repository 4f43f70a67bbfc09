"""Wire: what travels between judge and child: frames of JSON and of bare arrays, each checked before it is
believed. Nothing that arrives is ever executed; what does not fit is refused whole."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from math import prod
from struct import Struct
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quizengine.checking.call import Broken, Call, Outcome, Raised, Returned

_MAGIC = b"QZE1"
_START = Struct("<4sIQ")  # the mark, the bytes of the JSON, the bytes of all arrays
MOST_HEAD, MOST_BYTES = 2**18, 2**27
_MOST_NAMES, _MOST_AXES, _MOST_TEXT = 64, 8, 2000
_DTYPE = re.compile(r"\|[bui]1|<[uif][248]")


class WireError(ValueError):
    """What arrived is no frame of ours."""


class Frame(NamedTuple):
    """What one side says: a kind with values, and arrays by name."""

    kind: str
    values: Mapping[str, Any] = {}
    arrays: Mapping[str, NDArray[np.generic]] = {}


def send(file: BinaryIO, frame: Frame) -> None:
    """Write a frame. Raises WireError where the arrays are too large, and OSError."""
    arrays = {name: _plain(array) for name, array in frame.arrays.items()}
    about = [[name, array.dtype.str, list(array.shape)] for name, array in arrays.items()]
    head = json.dumps([frame.kind, frame.values, about]).encode()
    size = sum(array.nbytes for array in arrays.values())
    if size > MOST_BYTES or len(head) > MOST_HEAD:
        raise WireError("too large")
    file.write(_START.pack(_MAGIC, len(head), size) + head)
    for array in arrays.values():
        file.write(array.tobytes())
    file.flush()


def _plain(array: NDArray[np.generic]) -> NDArray[np.generic]:
    """Of a byte order and a width that every machine has."""
    if array.dtype.kind == "f" and array.dtype.itemsize > 8:
        array = array.astype(np.float64)
    return array.astype(array.dtype.newbyteorder("<"), copy=False)


def receive(file: BinaryIO) -> Frame:
    """Read a frame. Raises WireError, and EOFError where there is no more."""
    start = file.read(_START.size)
    if not start:
        raise EOFError
    if len(start) < _START.size or not start.startswith(_MAGIC):
        raise WireError("no frame")
    _, head_size, size = _START.unpack(start)
    if head_size > MOST_HEAD or size > MOST_BYTES:
        raise WireError("too large")
    try:
        kind, values, about = json.loads(_exactly(file, head_size))
    except (ValueError, TypeError, RecursionError):
        raise WireError("no head") from None
    if not (isinstance(kind, str) and isinstance(values, dict) and isinstance(about, list)):
        raise WireError("no head")
    return Frame(kind, values, _arrays(about, _exactly(file, size)))


def _exactly(file: BinaryIO, size: int) -> bytes:
    content = file.read(size)
    if len(content) < size:
        raise WireError("cut short")
    return content


def _arrays(about: list[object], content: bytes) -> dict[str, NDArray[np.generic]]:
    """Arrays of the dtypes, shapes and sizes that are announced, and nothing left over."""
    if len(about) > _MOST_NAMES:
        raise WireError("too many arrays")
    arrays: dict[str, NDArray[np.generic]] = {}
    at = 0
    for one in about:
        match one:
            case [str(name), str(dtype), list(shape)] if (
                len(name) <= _MOST_NAMES
                and _DTYPE.fullmatch(dtype)
                and len(shape) <= _MOST_AXES
                and all(type(n) is int and 0 <= n <= MOST_BYTES for n in shape)
            ):
                size = prod(shape) * np.dtype(dtype).itemsize
            case _:
                raise WireError("no array")
        if name in arrays or size > len(content) - at:
            raise WireError("no array")
        own = bytearray(content[at : at + size])  # bytes of its own: an array that can be written to
        arrays[name] = np.ndarray(shape, dtype, own)
        at += size
    if at != len(content):
        raise WireError("left over")
    return arrays


def call_frame(call: Call) -> Frame:
    """A call as it travels; what is no array stands among the values."""
    arrays = {name: value for name, value in call.arguments.items() if isinstance(value, np.ndarray)}
    plain = {name: value for name, value in call.arguments.items() if name not in arrays}
    return Frame("call", {"order": list(call.arguments), "plain": plain, "seed": call.seed}, arrays)


def call_in(frame: Frame) -> Call:
    """The call in a frame of the judge's."""
    given = {**frame.values["plain"], **frame.arrays}
    return Call({name: given[name] for name in frame.values["order"]}, frame.values["seed"])


def outcome_frame(outcome: Outcome) -> Frame:
    """What came of a call, as it travels."""
    if isinstance(outcome, Returned):
        told = {**outcome._asdict(), "changed": sorted(outcome.changed)}
        del told["stages"]
        return Frame("returned", told, outcome.stages)
    return Frame("raised" if isinstance(outcome, Raised) else "broken", outcome._asdict())


def outcome_in(frame: Frame) -> Outcome:
    """What came of a call, as a child tells it, of whom nothing is believed. Raises WireError."""
    values = frame.values
    match frame.kind:
        case "returned":
            changed = values.get("changed")
            if not (isinstance(changed, list) and all(isinstance(name, str) for name in changed)):
                raise WireError("no names")
            printed, seconds, size = _text(values, "printed"), values.get("seconds"), values.get("bytes")
            if not (isinstance(seconds, float) and 0 <= seconds < 1e6 and type(size) is int and size >= 0):
                raise WireError("no measure")
            return Returned(frame.arrays, frozenset(changed), printed, seconds, size)
        case "raised":
            line = values.get("line")
            if type(line) is not int or not 0 <= line < 10**7:
                raise WireError("no line")
            return Raised(_text(values, "kind"), _text(values, "message"), line, _text(values, "text"))
        case "broken":
            told, said = values.get("message"), values.get("values")
            if not (isinstance(told, str) and told in BROKEN and isinstance(said, dict)):
                raise WireError("no message")
            if {*said} != {*BROKEN[told]}:
                raise WireError("no values")
            return Broken(told, {name: _text(said, name) for name in said})
    raise WireError("no outcome")


def _text(values: Mapping[str, Any], name: str) -> str:
    text = values.get(name)
    if not isinstance(text, str):
        raise WireError("no text")
    return text[:_MOST_TEXT].encode("utf-8", "replace").decode()  # no half of a character


BROKEN: Mapping[str, tuple[str, ...]] = {  # what a child may say of a file or a call, and with which values
    "check.not-python": ("why",),
    "check.not-notebook": ("why",),
    "check.syntax": ("place", "why", "text"),
    "check.no-module": ("module", "place"),
    "check.nothing": (),
    "check.no-function": ("function", "names"),
    "check.which": ("names",),
    "check.init": ("name", "why"),
    "check.signature": ("takes", "given"),
    "check.input": ("place",),
    "check.returned-nothing": (),
    "check.not-an-array": ("kind",),
    "check.ragged": (),
    "check.too-many": ("count",),
    "check.not-named": ("kind",),
    "check.too-large": (),
}
