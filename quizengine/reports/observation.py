"""An observation: what a part shows besides misconceptions, such that it adds up over variants."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from quizengine.lang.characters import signed
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.marking.mark import PartMark, Reason
from quizengine.problems.part import NumericPart, Part
from quizengine.responses.response import Number, NumericValue


class Observation(NamedTuple):
    """What was seen, and the value that is the same over variants; empty: it has none."""

    id: str
    value: str = ""

    def text(self, lang: Lang) -> str:
        """As it is called in a list."""
        return t(lang, f"observed.{self.id}", value=signed(self.value))


_VALUES: Mapping[str, str] = {  # by id the value of the reason that is the same over variants, if one is
    "divided": "divisor",
    "missing": "",
    "hull": "",
    "outside": "",
    "hidden-weight": "",
    "row-sum": "",
    "shifted": "by",
    "permuted": "",
    "multiple": "times",
    "rounded": "decimals",
    "other-row": "",
}
SAME_WRONG_VALUE = ("divided", "shifted", "multiple")  # shown by several, it may be a mistake without a name


def observations(part: Part, mark: PartMark) -> tuple[Observation, ...]:
    """What a part shows, each once; a wrong number that nothing recognised as a multiple of the key."""
    codes = [(reason.code.removeprefix("seen.").removeprefix("slip."), reason) for reason in mark.reasons]
    found = [Observation(id_, _value(id_, reason)) for id_, reason in codes if id_ in _VALUES]
    return tuple(dict.fromkeys([*found, *_multiple(part, mark)]))


def _value(id_: str, reason: Reason) -> str:
    if id_ == "other-row":  # how far from the asked one
        off = int(str(reason.values["row"])) - int(str(reason.values["asked"]))
        return f"{'-' if off < 0 else '+'} {abs(off)}"
    return str(reason.values[_VALUES[id_]]) if _VALUES[id_] else ""


def _multiple(part: Part, mark: PartMark) -> list[Observation]:
    recognised = (
        mark.misconceptions or mark.carried or any(reason.code != "entries" for reason in mark.reasons)
    )
    if not isinstance(part, NumericPart) or not isinstance(mark.reading, NumericValue):
        return []
    if mark.verdict != "wrong" or recognised:
        return []
    ratios = {
        (Fraction(written.units) / key).limit_denominator(1000) if isinstance(written, Number) else None
        for row, keys in zip(mark.reading.content, part.key, strict=True)
        for written, key in zip(row, keys, strict=True)
        if key
    }
    return [Observation("multiple", str(ratios.pop()))] if len(ratios) == 1 and None not in ratios else []
