"""Saved answers: the JSON that an HTML sheet hands in, as rows of a table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from quizengine.errors import InputError

Cell = str | int | float | None


class _Saved(BaseModel):
    """One sheet's answers by label: a text, a number, or rows of them."""

    model_config = ConfigDict(extra="ignore")
    code: str
    student: str = ""
    answers: dict[str, Cell | list[Cell] | list[list[Cell]]]


_FILE: TypeAdapter[_Saved | list[_Saved]] = TypeAdapter(_Saved | list[_Saved])


def read_saved(path: Path) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Header and (number, cells), a row a sheet: of one file, or of every .json file in a folder by name.
    Raises InputError with the file."""
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    if not files:
        raise InputError(f"there is no .json file in {path}", code="no-file")
    found = [saved for file in files for saved in _read(file)]
    labels = list(dict.fromkeys(label for saved in found for label in saved.answers))
    rows = [[s.student, s.code, *(_text(s.answers.get(label)) for label in labels)] for s in found]
    return ["student", "code", *labels], list(enumerate(rows, 1))


def _read(file: Path) -> list[_Saved]:
    try:
        data = json.loads(file.read_bytes().decode("utf-8-sig"))
        saved = _FILE.validate_python(data)
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}", code="no-file") from None
    except (ValueError, RecursionError) as error:
        first = error.errors()[0]["msg"] if isinstance(error, ValidationError) else error
        message = f"{file} holds no answers that a sheet saved ({first})"
        raise InputError(message, code="answers") from None
    return saved if isinstance(saved, list) else [saved]


def _text(answer: Any) -> str:
    """As a learner would type it."""
    if isinstance(answer, list):
        rows = answer if answer and isinstance(answer[0], list) else [answer]
        return (
            "[" + ", ".join("[" + ", ".join(_text(cell) or "_" for cell in row) + "]" for row in rows) + "]"
        )
    return "" if answer is None else str(answer)
