"""Platforms: which columns of an export say who a student is."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from quizengine.errors import UsageError, nearest

_CANVAS_ROWS = ("Student, Test", "Points Possible", "Points Possible, ")
WISHES = ("room", "seat", "large", "language", "extra")
FIELDS = ("id", "name", "given", "family", "email", "group", *WISHES)
_WORD = re.compile(rf",(?=(?:{'|'.join(FIELDS)})=)")


class Platform(NamedTuple):
    """A table of students: under which headers each thing may stand, the first that says anything counting.
    A table without one of `also` is another one."""

    id: Sequence[str]
    name: Sequence[str] = ()
    filed: Sequence[str] = ()  # a name as “Family, Given”
    given: Sequence[str] = ()
    family: Sequence[str] = ()
    email: Sequence[str] = ()
    group: Sequence[str] = ()
    room: Sequence[str] = ()
    seat: Sequence[str] = ()
    large: Sequence[str] = ()
    language: Sequence[str] = ()
    extra: Sequence[str] = ()
    role: Sequence[str] = ()
    also: Sequence[str] = ()

    def fits(self, header: Iterable[str]) -> bool:
        """Is this header one of its tables'?"""
        there = {folded(name) for name in header}
        named = there & {*self.name, *self.filed} or (there & {*self.given} and there & {*self.family})
        return bool(there & {*self.id} and named and there >= {*self.also})

    def nobody(self, cells: Mapping[str, str]) -> bool:
        """Is this row of an export one of the platform's own, or of somebody who teaches?"""
        if self.filed and (cells["filed"] or f"{cells['family']}, {cells['given']}") in _CANVAS_ROWS:
            return True
        role = cells["role"]
        return role.casefold() != "student" if role else not any(cells.values())


OWN = Platform(
    id=("id", "学籍番号"),
    name=("name", "氏名"),
    email=("email", "メールアドレス"),
    group=("group", "グループ"),
    room=("room", "教室"),
    seat=("seat", "座席"),
    large=("large", "拡大"),
    language=("language", "言語"),
    extra=("extra", "延長"),
)
PLATFORMS = (
    OWN,
    Platform(  # Canvas, the gradebook
        id=("sis user id", "sis login id", "id"),
        filed=("student",),
        given=("firstname",),
        family=("lastname",),
        email=("sis login id",),
        group=("section",),
        also=("id", "section"),
    ),
    Platform(  # Gradescope, roster and grades
        id=("sid",),
        name=("name",),
        given=("first name",),
        family=("last name",),
        email=("email",),
        group=("section", "sections", "section_name"),
        role=("role",),
        also=("email",),
    ),
    Platform(  # Moodle, participants and grades; where nobody has an ID number, the address tells them apart
        id=("id number", "username", "email address"),
        given=("first name",),
        family=("last name", "surname"),
        email=("email address",),
        group=("groups", "group"),
        also=("email address",),
    ),
    Platform(
        id=("idナンバー", "ユーザ名", "ユーザー名", "メールアドレス"),
        given=("名",),
        family=("姓",),
        email=("メールアドレス",),
        group=("グループ",),
        also=("メールアドレス",),
    ),
)


def folded(header: str) -> str:
    """A header as it is compared: the size of letters, their width and line breaks tell none apart."""
    return " ".join(unicodedata.normalize("NFKC", header).casefold().split())


def platform_by(words: str, header: Sequence[str]) -> Platform:
    """What an instructor says of a header: “id=Number,name=Full name”; in place of name there may be given
    and family. Raises UsageError."""
    found: dict[str, str] = {}
    known = {folded(name): name for name in header}
    for word in _WORD.split(words):
        field, sign, column = word.partition("=")
        if field not in FIELDS or not sign or field in found:
            raise UsageError(f"--columns: “{word}” is not understood: write such as id=Number,name=Full name")
        if folded(column) not in known:
            where = nearest(column, header)
            raise UsageError(f"--columns: the roster has no column “{column}”{where}")
        found[field] = folded(column)
    if "id" not in found or not ("name" in found or {"given", "family"} <= found.keys()):
        raise UsageError("--columns: say where the id and the name stand: id=…,name=… (or given=…,family=…)")
    return Platform(**{field: (column,) for field, column in found.items()})


def full_name(cells: Mapping[str, str]) -> str:
    """A name as people write it: the family name comes first where it is in wide characters.

    >>> full_name({"filed": "One, Learner"}), full_name({"given": "一", "family": "学習者"})
    ('Learner One', '学習者 一')
    """
    if name := cells.get("name") or cells.get("filed"):
        family, comma, given = name.partition(", ")
        if cells.get("name") or not comma or "," in given:
            return name
    else:
        given, family = cells.get("given", ""), cells.get("family", "")
    wide = any(unicodedata.east_asian_width(sign) in "WF" for sign in family + given)
    return " ".join(filter(None, (family, given) if wide else (given, family)))
