"""Production: from a blueprint and a class to the folder of an exam."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from quizengine import __version__
from quizengine.items.bank import Bank
from quizengine.lang.messages import name, t
from quizengine.lang.shown import Shown
from quizengine.lang.text import Lang
from quizengine.sheets.apart import Parity, Weighing, parity
from quizengine.sheets.lineup import LineUp
from quizengine.sheets.manifest import Keep, Manifest, Who
from quizengine.sheets.plan import Blueprint
from quizengine.sheets.roster import Student
from quizengine.sheets.unset import unset_in
from quizengine.sheets.write import File, Run, check_formats, files


class Production(NamedTuple):
    """The files that were written, whether all sheets are equally hard, and whose name or id the PDFs had to
    leave out."""

    files: list[Path]
    parity: Parity
    unset: list[Who]


def produce(
    bank: Bank, blueprint: Blueprint, run: Run, make: Callable[[Keep], Manifest], shown: Shown
) -> Production:
    """Write every sheet of the exam that `make` composes, in the formats of the blueprint, keys, the parity
    and the manifest. `shown` wraps the paths as they are written. Raises UsageError, InputError."""
    check_formats(blueprint.formats)
    weighing = Weighing(bank)
    with run:
        manifest = run.manifest(lambda keep: make(lambda sheets: keep(weighing.each(sheets))))
        found = weighing.parity() or parity(manifest, bank)  # of a run that was broken off nothing went by
        text = json.dumps(found, ensure_ascii=False, indent=1) + "\n"
        unset = unset_in(manifest, manifest.who) if "pdf" in blueprint.formats else {}
        wanted = [*files(manifest, blueprint.formats, unset), File("parity.json", text.encode)]
        left = [who for who in manifest.who if who.code in unset]
        return Production(run.write(manifest, wanted, shown), found, left)


def call_of(bank: Bank, blueprint: Blueprint, students: Sequence[Student], of: LineUp | int | None) -> str:
    """What tells one call from another: a run that was broken off goes on only with the same one, and of the
    same line-up or seed."""
    formats = sorted(blueprint.formats)
    words = [str(blueprint), str(students), formats, str(of), bank.digest, __version__]
    return hashlib.sha256(json.dumps(words).encode()).hexdigest()


def parity_sentences(found: Parity, lang: Lang) -> Iterator[str]:
    """Are all variants equally hard, and could neighbours copy? Nothing is said of a single sheet."""
    if len(found["sheets"]) < 2:
        return
    unequal = [name("parity", what, lang) for what, equal in found["equal"].items() if not equal]
    if unequal:
        yield t(lang, "parity.unequal", what=t(lang, "rows.between").join(unequal))
    else:
        yield t(lang, "parity.equal")
    if (done := found["work"]["multiplications"]).most:
        by_hand = {"least": done.least, "most": done.most}
        message = "parity.work-same" if done.least == done.most else "parity.work"
        yield t(lang, message, **by_hand, denominator=found["work"]["denominator"].most)
    for copy in found["chance_copies"]:
        yield t(lang, "parity.copy", **copy)
