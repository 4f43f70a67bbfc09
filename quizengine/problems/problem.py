"""A problem: what one learner is asked, with all that is needed to mark it later.

It is whole: stores and manifests keep its JSON, and marking needs neither the bank nor the dice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias, overload

from quizengine.lang.json import Json
from quizengine.lang.text import Lang
from quizengine.problems.part import Key, Kind, NumericPart, Part, key_text
from quizengine.problems.part_json import key_from, part_from, part_json

POSING = 6  # what a seed poses may change when rules are added: then this number does
Matrix: TypeAlias = Sequence[Sequence[float]]  # (rows, columns)


class Factored(NamedTuple):
    """A matrix as it is written: a factor such as “ln 2” times integers, (rows, columns)."""

    times: str
    of: Sequence[Sequence[int]]


class _Nothing(dict[str, Any]):
    """An empty mapping that has a hash."""

    def __hash__(self) -> int:  # type: ignore[override]
        return 0


_NOTHING = _Nothing()


class Rival(NamedTuple):
    """What a believer of `misconception` answers, part by part."""

    misconception: str
    values: Mapping[str, Key]

    def __hash__(self) -> int:
        return hash(self.misconception)


class _Kept(Sequence[Rival]):
    """Rivals as they were written down, each built when it is looked at: for a right answer none is."""

    def __init__(self, raw: Sequence[Mapping[str, Any]], kinds: Mapping[str, Kind]):
        self.raw, self.kinds = raw, kinds
        self._built: tuple[Rival, ...] | None = None

    def _all(self) -> tuple[Rival, ...]:
        if self._built is None:
            self._built = tuple(
                Rival(
                    rival["misconception"],
                    {id_: key_from(self.kinds[id_], text) for id_, text in rival["values"].items()},
                )
                for rival in self.raw
            )
        return self._built

    def __len__(self) -> int:
        return len(self.raw)

    @overload
    def __getitem__(self, place: int) -> Rival: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Rival, ...]: ...
    def __getitem__(self, place: int | slice) -> Rival | tuple[Rival, ...]:
        return self._all()[place]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._all() == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(rival["misconception"] for rival in self.raw))


class Problem(NamedTuple):
    """An item drawn by a seed, in one language. `given` holds the numbers and matrices that are shown,
    `exact` says how a matrix is written where that is not the same, `drawn` names those that are shown as a
    picture; `code` and `table` (its first row is the head) are shown with the prompt."""

    item: str
    seed: int
    posing: int
    digest: str
    lang: Lang
    type: str
    topic: str
    prompt: str
    conventions: tuple[str, ...] = ()
    given: Mapping[str, float | Matrix] = {}
    exact: Mapping[str, Factored] = {}
    code: str = ""
    table: tuple[tuple[str, ...], ...] = ()
    parts: tuple[Part, ...] = ()
    rivals: Sequence[Rival] = ()
    worked: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()

    @property
    def points(self) -> int:
        """The points of all parts together."""
        return sum(part.points for part in self.parts)

    @property
    def numeric(self) -> tuple[NumericPart, ...]:
        """The parts that are answered with numbers."""
        return tuple(part for part in self.parts if isinstance(part, NumericPart))

    @property
    def reasoned(self) -> bool:
        """Is it answered by thinking, not by calculating, so that the reason is told with the mark?"""
        return self.type != "numeric" or not self.numeric

    def unseeded(self) -> Problem | None:
        """The problem without its seed, where it has no numbers: it has a hash then, and is equal to all that
        show and ask the same. None where it has numbers."""
        if self.given or self.numeric:
            return None
        return self._replace(seed=0, given=_NOTHING, exact=_NOTHING)

    def part(self, id_: str) -> Part:
        """The part of this id. Raises StopIteration where there is none."""
        return next(part for part in self.parts if part.id == id_)

    def matrix(self, name: str) -> Matrix | None:
        """A given matrix, (rows, columns); None where no matrix of this name is given."""
        value = self.given.get(name)
        return None if value is None or isinstance(value, (int, float)) else value

    def to_json(self, *, key: bool = True) -> dict[str, Json]:
        """The problem as `pose --json` shows it; without `key` nothing in it tells the answer."""
        shown = {"code": self.code, "table": list(map(list, self.table))}
        out: dict[str, Json] = {name: getattr(self, name) for name in _TOP}
        out["conventions"] = list(self.conventions)
        out["given"] = {**self.given, **{name: value for name, value in shown.items() if value}}
        if self.exact:
            out["given_exact"] = {name: written._asdict() for name, written in self.exact.items()}
        if self.drawn:
            out["drawn"] = list(self.drawn)
        out["parts"] = [part_json(part, key=key) for part in self.parts]
        out["hints"] = list(self.hints)
        if key:
            by_id = {part.id: part for part in self.parts}
            out["key"] = {part.id: key_text(part, part.key) for part in self.parts}
            out["rivals"] = [
                {
                    "misconception": rival.misconception,
                    "values": {id_: key_text(by_id[id_], value) for id_, value in rival.values.items()},
                }
                for rival in self.rivals
            ]
            out["worked"] = list(self.worked)
        return out

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Problem:
        """The problem that `to_json` wrote with the key.

        Raises LookupError, TypeError and ValueError for what it did not write.
        """
        parts = tuple(part_from(part, data["key"][part["id"]]) for part in data["parts"])
        given = data["given"]
        written = (one["of"] for one in data.get("given_exact", {}).values())
        for rows in (*given.values(), *written):
            if isinstance(rows, list) and len({len(r) for r in rows if isinstance(r, list)}) > 1:
                raise ValueError("a matrix has rows of different lengths")
        fields: dict[str, Any] = {name: data[name] for name in _TOP}
        fields |= {name: tuple(data.get(name, ())) for name in ("conventions", "worked", "hints", "drawn")}
        return cls(
            **fields,
            given={name: value for name, value in given.items() if name not in ("code", "table")},
            exact={name: Factored(**one) for name, one in data.get("given_exact", {}).items()},
            code=given.get("code", ""),
            table=tuple(map(tuple, given.get("table", ()))),
            parts=parts,
            rivals=_Kept(data["rivals"], {part.id: part.kind for part in parts}),
        )


_TOP = Problem._fields[:8]  # the fields that stand in the JSON as they are
