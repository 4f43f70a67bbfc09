"""Finder: whose sheet a row of answers belongs to, by id, code, e-mail address, or who handed it in."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from quizengine.errors import near
from quizengine.grading.intake.column_map import EMAIL, OWNER
from quizengine.grading.note import Note
from quizengine.sheets.manifest import Manifest
from quizengine.sheets.roster import SPARE as SPARE_SHEET
from quizengine.sheets.sheet_code import is_code

MANY = 2000  # students; among more, like names are not looked for
LOOKED = 50  # unknown students for whom a like name is looked for
_SUBMISSION = re.compile(r" \(\d+\)$")
_ROUNDED = re.compile(r"\d(\.\d+)?[eE]\+\d+")  # an id that a spreadsheet took for a number


class Finder:
    """Whose sheet a row belongs to; `remarks` are what it had to decide, `claims` whose the spare sheets are,
    by their places: at first what is on record, by their codes."""

    def __init__(self, manifest: Manifest, claims: Mapping[str, str] | None = None):
        self.who = manifest.who
        self.by_student = {who.student: place for place, who in enumerate(self.who)}
        self.by_code = {who.code: place for place, who in enumerate(self.who)}
        self._own = frozenset(self.by_student)  # whose ids stand on the sheets
        self.claims = {
            self.by_code[code]: id_ for code, id_ in (claims or {}).items() if code in self.by_code
        }
        self._on_record = dict(self.claims)
        self._claimants: dict[int, set[str]] = {}
        self.by_student |= {student: place for place, student in self.claims.items()}
        self._addresses: dict[str, list[int]] = {}
        for place, who in enumerate(self.who):
            if who.email:
                self._addresses.setdefault(who.email.casefold(), []).append(place)
        self.remarks: list[Note] = []
        self._looked = 0
        self._names: dict[str, list[int]] = {}
        self._named = any(who.name for who in self.who)
        self._submitters: dict[int, set[str]] = {}

    def place(self, line: int, who: Mapping[str, str]) -> int | Note:
        """The place of the sheet, or why there is none. Who handed it in and what it says must agree."""
        found = self._mailed(line, who.get(EMAIL, ""), self._claimed(line, who))
        owner = who.get(OWNER, "")
        if found is None:
            return self._owned(line, owner)
        if isinstance(found, Note) or not owner:
            return found
        handed = self.by_owner(owner)
        if found not in handed and (handed or (self._named and not owner.endswith("/"))):
            values = {"owner": owner, "code": self.who[found].code}
            return Note(line, self.who[found].student, "handed-in" if handed else "stranger", values)
        self._submitted(found, owner, handed)
        return found

    def _claimed(self, line: int, who: Mapping[str, str]) -> int | Note | None:
        """The sheet that the row itself says it is of; None where it says nothing."""
        student, code = who.get("student", ""), who.get("code", "").upper()
        named = student or code
        if code:
            found = self.by_code.get(code)
            if found is None:
                return Note(line, named, "no-code" if is_code(code) else "mistyped-code", {"code": code})
            return self._of(line, found, student) if student else found
        if student in self.by_student:
            return self.by_student[student]
        if "@" in student and len(mailed := self.by_email(student)) == 1:
            return mailed[0]
        if not student:
            return None
        if _ROUNDED.fullmatch(student):
            return Note(line, named, "rounded-id")
        meant = self._meant(line, student)
        return Note(line, named, "near-student" if meant else "unknown-student", {"names": ", ".join(meant)})

    def _of(self, line: int, place: int, student: str) -> int | Note:
        """The sheet that a row gives by its code, where it may be this student's: one's own, or a spare one
        that a late-comer claims."""
        code, owner = self.who[place].code, self.who[place].student
        if student == owner:
            return place
        if not SPARE_SHEET.fullmatch(owner) or SPARE_SHEET.fullmatch(student):
            return Note(line, student, "other-code", {"code": code, "owner": owner})
        if student in self._own:
            return Note(line, student, "own-sheet", {"code": code})
        claimants = self._claimants.setdefault(place, set())
        if (before := self._on_record.pop(place, student)) != student:
            self.remarks.append(Note(line, student, "reclaimed", {"code": code, "before": before}))
        elif student not in claimants:
            self.remarks.append(Note(line, student, "claimed", {"code": code, "spare": owner}))
        claimants.add(student)
        self.claims[place], self.by_student[student] = student, place
        return place

    def student(self, place: int) -> str:
        """Whose sheet it is."""
        return self.claims.get(place, self.who[place].student)

    def _mailed(self, line: int, address: str, found: int | Note | None) -> int | Note | None:
        """The sheet of whoever has this e-mail address, where the row says nothing else; it must agree with
        what it says, where the roster knows it."""
        if not address:
            return found
        known = self.by_email(address)
        if isinstance(found, int) and known and found not in known:
            values = {"email": address, "owner": self.student(known[0])}
            return Note(line, self.student(found), "other-email", values)
        if found is not None:
            return found
        return known[0] if len(known) == 1 else Note(line, address, "shared-email" if known else "no-email")

    def by_email(self, address: str) -> list[int]:
        """The sheets of whoever has this e-mail address."""
        return self._addresses.get(address.strip().casefold(), [])

    def _meant(self, line: int, student: str) -> list[str]:
        """Names like this one, for the first unknown students; that it goes no further is said once."""
        self._looked += 1
        if self._looked > LOOKED:
            if self._looked == LOOKED + 1:
                self.remarks.append(Note(line, "", "not-looked-for", {"count": LOOKED}))
            return []
        meant = [known for known in self.by_student if _one_sign_off(student, known)][:3]
        return meant or (near(student, self.by_student) if len(self.who) <= MANY else [])

    def _owned(self, line: int, owner: str) -> int | Note:
        """The one sheet of whoever handed this in."""
        found = self.by_owner(owner)
        if len(found) != 1:
            code = "namesakes" if found else "no-owner" if owner and not owner.endswith("/") else "nobody"
            return Note(line, owner, code, {"count": len(found)})
        self.remarks.append(Note(line, self.who[found[0]].student, "by-owner", {"owner": owner}))
        self._submitted(found[0], owner, found)
        return found[0]

    def _submitted(self, place: int, owner: str, handed: Sequence[int]) -> None:
        """Keep who handed this sheet in; folders within one another that bear one id are one submitter."""
        self._submitters.setdefault(place, set()).add(str(handed) if owner.endswith("/") else owner)

    def disputed(self, places: Iterable[int]) -> dict[int, tuple[str, str]]:
        """Which of these sheets count for nobody, whose they are, and why: two handed one in, or claim it,
        or a student claims two."""
        found = {}
        sheets = Counter(self.claims.values())
        for place in places:
            if max(len(of.get(place, ())) for of in (self._submitters, self._claimants)) > 1:
                found[place] = self.who[place].student, "two-folders"
            elif sheets[self.claims.get(place, "")] > 1:
                found[place] = self.claims[place], "two-sheets"
        return found

    def by_owner(self, owner: str) -> list[int]:
        """The sheets of whoever is called so: an id, a full name (the number of a submission may stand after
        it), a name without blanks before “#” and an id, or folders (“in/s01/”) of which one is an id."""
        if owner.endswith("/"):
            return [self.by_student[part] for part in owner.split("/") if part in self.by_student][-1:]
        owner = _SUBMISSION.sub("", owner)
        name, sign, id_ = owner.rpartition(" #")
        if (known := id_ if sign else owner) in self.by_student:
            return [self.by_student[known]]
        if not self._names:
            for place, who in enumerate(self.who):
                for called in {_squeezed(who.name), *_run_together(who.name)}:
                    self._names.setdefault(called, []).append(place)
        return self._names.get(_squeezed(name if sign else owner), []) if owner else []


def _one_sign_off(typed: str, known: str) -> bool:
    return len(typed) == len(known) and sum(a != b for a, b in zip(typed, known, strict=True)) == 1


def _run_together(name: str) -> Iterator[str]:
    """As Canvas writes it: no blanks or signs, and any of the words may be the family name, which comes
    first.

    >>> sorted(_run_together("Bo Ray Fox"))
    ['borayfox', 'foxboray', 'rayfoxbo']
    """
    words = ["".join(filter(str.isalnum, word)) for word in _squeezed(name).split()]
    for first in range(len(words)):
        yield "".join(words[first:] + words[:first])


def _squeezed(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold().replace("_", " ").strip()
