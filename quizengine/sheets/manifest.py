"""A manifest: every sheet's problems, whole, so that grading needs nothing else.

Codes have a check sign: a single wrong sign or two exchanged ones are noticed.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from quizengine import __version__
from quizengine.errors import InputError, UnknownName
from quizengine.items import catalogue
from quizengine.items.catalogue import Catalogue
from quizengine.items.policy import Policy
from quizengine.lang.text import Lang, Text
from quizengine.problems.problem import Kind, Problem
from quizengine.sheets.plan import Heading

FORMAT = 1
ALPHABET = "23456789ABCDEFGHJKLMNPQRTVWXY"  # 29 signs, a prime; none looks like another
_LENGTH = 5
_NO_HEADING = Heading()


@dataclass(frozen=True)
class Sheet:
    """One student's problems, and the label that each part bears on paper; `others` holds the same
    problems in the other languages of the exam."""

    code: str
    student: str
    problems: tuple[Problem, ...]
    labels: tuple[Mapping[str, str], ...]  # per problem: part id → label
    name: str = ""
    group: str = ""
    others: Mapping[Lang, tuple[Problem, ...]] = field(default_factory=dict)

    def labelled(self) -> list[tuple[str, int, str]]:
        """(label, index of the problem, part id), in order."""
        return [(label, i, part) for i, labels in enumerate(self.labels) for part, label in labels.items()]

    def in_language(self, lang: Lang) -> tuple[Problem, ...]:
        """The problems in `lang`."""
        return self.others.get(lang, self.problems)

    def to_json(self) -> dict[str, Any]:
        """As the manifest keeps it."""
        out: dict[str, Any] = {"code": self.code, "student": self.student, "name": self.name}
        out["group"] = self.group
        out["items"] = [
            problem.to_json() | {"labels": dict(labels)}
            for problem, labels in zip(self.problems, self.labels, strict=True)
        ]
        if self.others:
            out["others"] = {lang: [p.to_json() for p in problems] for lang, problems in self.others.items()}
        return out


@dataclass(frozen=True)
class Manifest:
    """All sheets of an exam, what stands at their top, the policy they are marked by, the misconceptions
    they can show, and the files written with their SHA-256."""

    secret: str
    policy: Policy
    sheets: tuple[Sheet, ...]
    misconceptions: Catalogue
    bank: str = ""
    heading: Heading = _NO_HEADING
    sections: tuple[tuple[Text, int], ...] = ()  # title, and how many problems
    files: Mapping[str, str] = field(default_factory=dict)
    engine: str = __version__
    intact: bool = True  # is it, to the letter, what was saved?

    @property
    def labels(self) -> list[str]:
        """Every label that stands on a sheet, in order."""
        return list(dict.fromkeys(label for sheet in self.sheets for label, _, _ in sheet.labelled()))

    def sheet(self, code: str) -> Sheet:
        """The sheet of this code. Raises UnknownName."""
        found = {sheet.code: sheet for sheet in self.sheets}
        if code not in found:
            raise UnknownName("sheet", code, found)
        return found[code]

    def save(self, path: Path) -> None:
        """Write as JSON, for the owner's eyes alone, whole or not at all."""
        data = {
            "format": FORMAT,
            "engine": self.engine,
            "bank": self.bank,
            "secret": self.secret,
            "policy": self.policy.to_json(),
            "heading": self.heading.to_json(),
            "sections": [[title._asdict(), size] for title, size in self.sections],
            "misconceptions": {id_: m.to_json() for id_, m in self.misconceptions.items()},
            "files": dict(self.files),
            "sheets": [sheet.to_json() for sheet in self.sheets],
        }
        data["digest"] = digest(data)
        part = path.with_name(path.name + ".part")
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump(data, file, ensure_ascii=False, indent=1)
            file.write("\n")
        part.replace(path)


class _SheetForm(BaseModel):
    model_config = ConfigDict(extra="forbid")
    code: str
    student: str
    name: str = ""
    group: str = ""
    items: list[dict[str, Any]]
    others: dict[Lang, list[dict[str, Any]]] = {}


class _Form(BaseModel):
    """What a manifest of this format holds."""

    model_config = ConfigDict(extra="forbid")
    format: int
    engine: str
    bank: str = ""
    secret: str
    policy: dict[str, Any]
    heading: dict[str, Any] | None = None
    sections: list[tuple[dict[str, str], int]] = []
    misconceptions: dict[str, Any] = {}
    files: dict[str, str] = {}
    sheets: list[_SheetForm]
    digest: str = ""


def digest(data: Mapping[str, Any]) -> str:
    """Of all that a manifest says."""
    return hashlib.sha256(json.dumps(data, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


def load_manifest(path: Path, *, sheets: bool = True) -> Manifest:
    """What `save` wrote; on demand without its sheets. Raises InputError."""
    try:
        data: dict[str, Any] = json.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}", code="no-file") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not a manifest: {error}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        found = data.get("format", "no") if isinstance(data, dict) else "no"
        raise InputError(f"{path}: format {found} is not one this engine reads ({FORMAT})", code="format")
    try:
        form = _Form.model_validate(data)
        return Manifest(
            secret=form.secret,
            policy=Policy.from_json(form.policy),
            sheets=tuple(map(_sheet, form.sheets)) if sheets else (),
            misconceptions={id_: catalogue.build(id_, m) for id_, m in form.misconceptions.items()},
            bank=form.bank,
            heading=Heading.from_json(form.heading) if form.heading else _NO_HEADING,
            sections=tuple((Text(**title), size) for title, size in form.sections),
            files=form.files,
            engine=form.engine,
            intact=form.digest == digest({name: value for name, value in data.items() if name != "digest"}),
        )
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"{path} is not a whole manifest: {where}: {first['msg']}") from None
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise InputError(f"{path} is not a whole manifest: {type(error).__name__} {error}") from None


class Sheets(dict[str, Sheet]):
    """The sheets of a manifest by code, each built when it is first asked for: a worker that marks a part of
    a class needs only that part."""

    def __init__(self, path: Path):
        super().__init__()
        self._raw = {sheet["code"]: sheet for sheet in json.loads(path.read_bytes())["sheets"]}

    def __missing__(self, code: str) -> Sheet:
        self[code] = _sheet(_SheetForm.model_validate(self._raw.pop(code)))
        return self[code]


def _sheet(form: _SheetForm) -> Sheet:
    problems = tuple(Problem.from_json(item) for item in form.items)
    for problem, item in zip(problems, form.items, strict=True):
        if set(item["labels"]) != {part.id for part in problem.parts}:
            raise ValueError(f"the labels of {problem.item} are not those of its parts")
        if not all(part.kind in get_args(Kind) and isinstance(part.points, int) for part in problem.parts):
            raise ValueError(f"a part of {problem.item} is of no known kind")
    others = {lang: tuple(map(Problem.from_json, items)) for lang, items in form.others.items()}
    labels = tuple(item["labels"] for item in form.items)
    return Sheet(form.code, form.student, problems, labels, form.name, form.group, others)


def code_of(secret: bytes, student: str, taken: Mapping[str, Any]) -> str:
    """A sheet's code: drawn from the secret and the student, unlike those taken."""
    attempt = 0
    while True:
        digest = hmac.digest(secret, f"code {attempt} {student}".encode(), "sha256")
        number = int.from_bytes(digest[:8], "big")
        digits = [number // len(ALPHABET) ** i % len(ALPHABET) for i in range(_LENGTH - 1)]
        code = "".join(ALPHABET[d] for d in digits) + ALPHABET[_check(digits)]
        if code not in taken:
            return code
        attempt += 1


def is_code(text: str) -> bool:
    """Does the check sign fit?"""
    if len(text) != _LENGTH or any(sign not in ALPHABET for sign in text):
        return False
    digits = [ALPHABET.index(sign) for sign in text]
    return _check(digits[:-1]) == digits[-1]


def _check(digits: list[int]) -> int:
    return sum(weight * digit for weight, digit in enumerate(digits, 2)) % len(ALPHABET)
