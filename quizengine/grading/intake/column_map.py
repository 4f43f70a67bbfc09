"""Mapping: which column of a form's export is what. `marks map` proposes one, an instructor confirms it by
giving it to `grade`; nothing is matched by place."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import field_validator

from quizengine.errors import FaultyFile, InputError
from quizengine.files.document import check, read_file
from quizengine.files.failure import failed
from quizengine.items.fields import Strict
from quizengine.items.form import this_format
from quizengine.lang.characters import plain

FORMAT = 1
WHO = ("student", "code")
EMAIL = "email"
TIME = "time"
OWNER = "(owner)"  # whose folder a file came in
_SAME = {
    **{name: "student" for name in ("student", "id", "学籍番号", "受験者")},
    **{name: "code" for name in ("code", "sheet", "用紙コード")},
    **{name: EMAIL for name in ("email", "e-mail", "email address", "e-mail address", "メールアドレス")},
    **{name: TIME for name in ("time", "timestamp", "submitted", "提出日時")},
    **{name: "label" for name in ("label", "question", "問")},
    **{name: "answer" for name in ("answer", "response", "解答")},
}
_GUESSES = {
    "student": ("student id", "student", "id number", "sid", "学籍番号", "受験者"),
    "code": ("sheet code", "sheet", "code", "用紙コード", "用紙"),
    EMAIL: ("email address", "email", "e-mail", "username", "メールアドレス", "メール", "ユーザー名"),
    "time": ("timestamp", "completion time", "submission time", "タイムスタンプ", "完了時刻"),
}


class _File(Strict):
    """The file of a mapping: headers by what they are."""

    format: int
    student: str | None = None
    code: str | None = None
    email: str | None = None
    time: str | None = None
    columns: dict[str, str]

    _known = field_validator("format")(this_format)


class ColumnMap(NamedTuple):
    """Headers by what they are: student, code, email, time, and labels."""

    meaning: dict[str, str]

    def fits(self, cells: Iterable[str]) -> bool:
        """Does a header with these cells hold every column that is mapped?"""
        return {*self.meaning} <= {*distinct_names(cells)}

    def renamed(self, path: Path, header: Iterable[str]) -> list[str]:
        """The header in our names; a column that is not mapped is called nothing and so not used. Raises
        InputError for one that is mapped and not there."""
        names = distinct_names(header)
        if lacking := [name for name in self.meaning if name not in names]:
            there = ", ".join(names[:8])
            message = f"{path}:1: the mapping names a column “{lacking[0]}”, which is not there: {there}"
            raise InputError(message, code="column")
        return [self.meaning.get(name, "") for name in names]


def standard_names(header: Iterable[str]) -> list[str]:
    """The header in our names, where no mapping is needed."""
    names = (unicodedata.normalize("NFC", cell).strip() for cell in header)
    return [_SAME.get(name.lower(), name) for name in names]


def distinct_names(header: Iterable[str]) -> list[str]:
    """Headers on one line each, those that stand twice told apart: Q, Q #2."""
    seen: Counter[str] = Counter()
    out = []
    for cell in header:
        name = " ".join(cell.split())
        seen[name] += 1
        out.append(name if seen[name] == 1 else f"{name} #{seen[name]}")
    return out


def load_column_map(path: Path) -> ColumnMap:
    """A mapping that an instructor confirmed. Raises FaultyFile, InputError."""
    try:
        document = read_file(str(path), str(path))
    except OSError as error:
        raise failed(path, error) from None
    form = check(document, _File, {}) if document.data is not None else None
    if form is not None:
        named = [form.student, form.code, form.email, form.time, *form.columns]
        if not (form.student or form.code or form.email):
            message = "say which column is the student or the code of the sheet, or else the e-mail address"
            document.fault((), "who", message)
        if twice := [name for name, n in Counter(filter(None, named)).items() if n > 1]:
            document.fault((), "twice", f"the column “{twice[0]}” is mapped twice")
        if twice := [label for label, n in Counter(form.columns.values()).items() if n > 1]:
            document.fault(("columns",), "twice", f"{twice[0]} is given by two columns")
        if not form.columns:
            document.fault(
                ("columns",), "empty", "no column is mapped: write such as columns: {'TITLE': '1a'}"
            )
    if document.faults:
        document.drop_echoes()
        raise FaultyFile(document.faults)
    assert form is not None
    own = {"student": form.student, "code": form.code, EMAIL: form.email, "time": form.time}
    return ColumnMap({**{name: what for what, name in own.items() if name}, **form.columns})


def is_form(cells: Iterable[str]) -> bool:
    """Is this the header of a form, with a column of ids or codes?"""
    known = {*_GUESSES["student"], *_GUESSES["code"]}
    return any(name.casefold() in known for name in distinct_names(cells))


def proposed_map(path: Path, header: Sequence[str], labels: Sequence[str]) -> str:
    """A mapping as YAML to be looked through: a label is found at the beginning of a title or nowhere. Raises
    InputError where no title has one."""
    names = distinct_names(header)
    lines = [
        "# Which column is what. Look through it, mend it, then: grade … --map FILE",
        f"format: {FORMAT}",
    ]
    taken = set[str]()
    for what, guesses in _GUESSES.items():
        if what == EMAIL and taken:  # a form that asks who it is knows it better
            continue
        for guess in guesses:
            found = [name for name in names if name.casefold() == guess and name not in taken]
            if found:
                lines.append(f"{what}: {_quoted(found[0])}")
                taken.add(found[0])
                break
    lines.append("columns:")
    rest = []
    for name in names:
        if name in taken:
            continue
        label = _label(name, labels)
        if label and not any(line.endswith(f": '{label}'") for line in lines):
            lines.append(f"  {_quoted(name)}: '{label}'")
        else:
            rest.append(name)
    if lines[-1] == "columns:":
        message = (
            f"{path}: no title begins with a label of these sheets ({', '.join(labels[:8])}); "
            f"the header has: {', '.join(names[:8])}. "
            "Write the mapping by hand: {format: 1, student: TITLE, columns: {TITLE: LABEL}}"
        )
        raise InputError(message, code="empty-map")
    lines += ["# Not used:", *(f"#   {name}" for name in rest)] if rest else []
    return "\n".join(lines) + "\n"


def _label(name: str, labels: Sequence[str]) -> str:
    found = re.match(
        r"\W*+(?:(?:question|q|問|第)\s*+\.?\s*+)?(\d+[a-z]?)(?!\w|\.\d)", plain(name).casefold()
    )
    return found[1] if found and found[1] in labels else ""


def _quoted(name: str) -> str:
    return "'" + name.replace("'", "''") + "'"
