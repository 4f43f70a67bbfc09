"""Layout: how a numeric part stands in the matrix of its stage, which a learner may write whole, and the
units of what is counted. Every reader of answers goes by it, and it tells nothing of the key."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from quizengine.lang.characters import plain
from quizengine.lang.json import Json
from quizengine.problems.part import ConstructPart, EstimatePart, NumbersPart

_K, _KI = 1000, 1024
_BYTES: Mapping[str, tuple[int, ...]] = {
    **dict.fromkeys(("byte", "bytes", "B", "バイト"), (1,)),
    **{f"{sign}iB": (_KI**power,) for power, sign in enumerate("KMGT", 1)},
    **{f"{sign}B": (_K**power, _KI**power) for power, sign in enumerate("KMGT", 1)},
    "kB": (_K, _KI),
}
_COUNTS = {
    "flops": ("flop", "flops"),
    "growth": ("times", "x", "*", "倍"),
    "saving": ("times", "x", "*", "倍"),
    "pairs": ("pairs", "組", "個"),
    "score_entries": ("entries", "個"),
    "crossover": ("token", "tokens", "トークン"),
}


class Layout(NamedTuple):
    """`rows` are asked of the `of` rows of a stage, from 1 (0: unknown), and of a row of weights only the
    `visible` keys may be written (none: all). `units` are how many each unit may stand for: of two, none can
    be told."""

    whole: bool
    infinite: bool
    size: bool
    shape: tuple[int, ...]
    rows: tuple[int, ...] = ()
    of: int = 0
    visible: tuple[bool, ...] = ()
    units: Mapping[str, tuple[int, ...]] = {}

    def to_json(self) -> dict[str, Json]:
        """The layout as a page holds it."""
        lists: dict[str, Json] = {name: list(getattr(self, name)) for name in ("shape", "rows", "visible")}
        return {**self._asdict(), **lists, "units": {name: list(sizes) for name, sizes in self.units.items()}}


def layout(part: NumbersPart) -> Layout:
    """How the part is laid out."""
    if isinstance(part, ConstructPart):
        return Layout(whole=False, infinite=part.array == "bias", size=False, shape=part.shape)
    if isinstance(part, EstimatePart):
        units = {plain(part.unit): (1,)} if part.unit else {}
        return Layout(whole=False, infinite=False, size=False, shape=(), units=units)
    own = _own(part.stage, part.rows, part.shape, part.decimals == 0)
    one = part.stage == "weights" and len(part.rows) == 1 and part.free
    return own._replace(of=part.of, visible=part.free[0] if one else ()) if part.rows else own


@cache
def _own(stage: str, rows: tuple[int, ...], shape: tuple[int, ...], whole: bool) -> Layout:
    infinite = stage in ("scores", "scaled")
    return Layout(whole, infinite, stage.endswith("_shape"), shape, rows, units=_units(stage))


def _units(stage: str) -> Mapping[str, tuple[int, ...]]:
    if stage.endswith("_bytes"):
        return _BYTES
    names = _COUNTS.get("flops" if stage.endswith("_flops") else stage, ())
    return dict.fromkeys(map(plain, names), (1,))
