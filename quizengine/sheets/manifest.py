"""A manifest: every sheet's problems, whole, so that grading needs nothing else.

Codes have a check sign: a single wrong sign or two exchanged ones are noticed.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from quizengine import __version__
from quizengine.errors import InputError
from quizengine.items import catalogue
from quizengine.items.catalogue import Catalogue
from quizengine.items.policy import Policy
from quizengine.problems.problem import Kind, Problem

FORMAT = 1
ALPHABET = "23456789ABCDEFGHJKLMNPQRTVWXY"  # 29 signs, a prime; none looks like another
_LENGTH = 5


@dataclass(frozen=True)
class Sheet:
    """One student's problems, and the label that each part bears on paper."""

    code: str
    student: str
    problems: tuple[Problem, ...]
    labels: tuple[Mapping[str, str], ...]  # per problem: part id → label

    def labelled(self) -> list[tuple[str, int, str]]:
        """(label, index of the problem, part id), in order."""
        return [(label, i, part) for i, labels in enumerate(self.labels) for part, label in labels.items()]


@dataclass(frozen=True)
class Manifest:
    """All sheets of an exam, the policy they are marked by, the misconceptions they can show."""

    secret: str
    policy: Policy
    sheets: tuple[Sheet, ...]
    misconceptions: Catalogue
    bank: str = ""
    engine: str = __version__

    def save(self, path: Path) -> None:
        """Write as JSON."""
        sheets = [
            {
                "code": sheet.code,
                "student": sheet.student,
                "items": [
                    problem.to_json() | {"labels": dict(labels)}
                    for problem, labels in zip(sheet.problems, sheet.labels, strict=True)
                ],
            }
            for sheet in self.sheets
        ]
        data = {
            "format": FORMAT,
            "engine": self.engine,
            "bank": self.bank,
            "secret": self.secret,
            "policy": self.policy.to_json(),
            "misconceptions": {id_: m.to_json() for id_, m in self.misconceptions.items()},
            "sheets": sheets,
        }
        path.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", "utf-8")


def load_manifest(path: Path) -> Manifest:
    """What `save` wrote. Raises InputError."""
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
        return Manifest(
            secret=data["secret"],
            policy=Policy.from_json(data["policy"]),
            sheets=tuple(_sheet(sheet) for sheet in data["sheets"]),
            misconceptions={
                id_: catalogue.build(id_, m) for id_, m in data.get("misconceptions", {}).items()
            },
            bank=data.get("bank", ""),
            engine=data["engine"],
        )
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise InputError(f"{path} is not a whole manifest: {type(error).__name__} {error}") from None


def _sheet(data: Mapping[str, Any]) -> Sheet:
    items = data["items"]
    problems = tuple(Problem.from_json(item) for item in items)
    for problem, item in zip(problems, items, strict=True):
        if set(item["labels"]) != {part.id for part in problem.parts}:
            raise ValueError(f"the labels of {problem.item} are not those of its parts")
        if not all(part.kind in get_args(Kind) and isinstance(part.points, int) for part in problem.parts):
            raise ValueError(f"a part of {problem.item} is of no known kind")
    return Sheet(str(data["code"]), str(data["student"]), problems, tuple(item["labels"] for item in items))


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
