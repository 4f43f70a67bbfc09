"""Charset: what bytes say that are text, as UTF-8 or, where its mark says so, as UTF-16."""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE

from quizengine.errors import Fault, InputError
from quizengine.files.failure import failed

UTF16 = (BOM_UTF16_LE, BOM_UTF16_BE)


def decode(raw: bytes) -> str:
    """The text, without the mark that may stand before it. Raises UnicodeDecodeError.

    >>> decode("√".encode("utf-8-sig")), decode("√".encode("utf-16"))
    ('√', '√')
    """
    return raw.decode("utf-16" if raw.startswith(UTF16) else "utf-8-sig")


def decode_named(raw: bytes, name: str) -> str:
    """The text of what messages call `name`. Raises InputError with the place of what is none."""
    try:
        return decode(raw)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        column = error.start - (raw.rfind(b"\n", 0, error.start) + 1) + 1
        if error.encoding.startswith("utf-16"):
            line, column, why = 1, 1, "it begins as UTF-16 and is not: save it as UTF-8"
        else:
            why = "this is not UTF-8 text: save it as UTF-8"
        fault = Fault(name, line, column, "encoding", why)
        raise InputError(str(fault), code="encoding", fault=fault) from None


def read(name: str) -> str:
    """The text of a file. Raises InputError."""
    try:
        with open(name, "rb") as file:  # pathlib would delay the first question
            return decode_named(file.read(), name)
    except OSError as error:
        raise failed(name, error) from None
