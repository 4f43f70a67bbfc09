"""Pool: what several classes made of the same questions, from their reports.

Facility is the mean share over all answers, and what was chosen adds up. Discrimination is the correlation
within the classes: deviations from a class's own means add up, so that a class that is better throughout, or
an exam that is worth more, makes no correlation. A report without deviations tells its class's correlation
alone; then the mean of these stands for it, weighted by answers.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from quizengine.errors import InputError
from quizengine.reports.report import EASY, FEW, HARD, WEAK
from quizengine.reports.tally import Place


class Offer(NamedTuple):
    """What may be chosen: its words in the first language, whether it is right, and the words of the
    distractor that it is or holds."""

    text: str
    right: bool
    distractor: str


Offers: TypeAlias = Mapping[Place, Mapping[str, Offer]]  # by what stands in a report


class PooledItem(NamedTuple):
    """One part of one item over several classes: in how many it was asked; what cannot be told is None.
    `untaken` are the distractors that nobody chose, `remarks` codes of what to look at."""

    place: Place
    classes: int
    answers: int
    facility: float | None
    discrimination: float | None
    choices: Mapping[str, int]
    right: tuple[str, ...]
    untaken: tuple[str, ...]
    remarks: tuple[str, ...]

    @property
    def figures(self) -> tuple[float | None, float | None]:
        """Facility and discrimination."""
        return self.facility, self.discrimination

    def to_json(self) -> dict[str, object]:
        """As `bank stats --from --json` shows it."""
        item, part = self.place
        rest = {name: value for name, value in self._asdict().items() if name != "place"}
        figures = {
            name: None if value is None else round(value, 4)
            for name, value in zip(("facility", "discrimination"), self.figures, strict=True)
        }
        return {"item": item, "part": part, **rest, **figures}


class _Class(NamedTuple):
    """What one report says of one part."""

    answers: int
    facility: float | None
    discrimination: float | None
    choices: Mapping[str, int]
    right: tuple[str, ...]
    deviations: Mapping[str, float] | None


def pooled(reports: Iterable[tuple[str, str]], offers: Offers) -> list[PooledItem]:
    """What the classes of these reports (name, text) made of each part, by item. Raises InputError for what
    is no report, and for one that is given twice."""
    names: dict[str, str] = {}
    found: dict[Place, list[_Class]] = {}
    for name, text in reports:
        content = json.dumps(_loaded(name, text), sort_keys=True)
        if content in names:
            raise InputError(f"{name} is the same report as {names[content]}: give each class once")
        names[content] = name
        for place, one in _classes(name, json.loads(content)):
            found.setdefault(place, []).append(one)
    return [_item(place, found[place], offers.get(place, {})) for place in sorted(found)]


def _loaded(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{name}:{error.lineno}:{error.colno}: not JSON: {error.msg}") from None
    except RecursionError:
        raise InputError(f"{name}: nested too deeply") from None


def _classes(name: str, data: Any) -> Iterator[tuple[Place, _Class]]:
    """Every part of a report."""
    if not isinstance(data, dict) or not isinstance(data.get("items"), list):
        raise InputError(f"{name}: not a report of a class: give the report.json that `grade` wrote")
    seen: set[Place] = set()
    for number, entry in enumerate(data["items"], 1):
        try:
            place, one = _class(entry)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            said = f"“{error.args[0]}” is missing" if isinstance(error, KeyError) else str(error)
            raise InputError(
                f"{name}: entry {number} of “items” is not as `grade` writes it: {said}"
            ) from None
        if place in seen:
            raise InputError(f"{name}: “items” holds {'/'.join(place)} twice")
        seen.add(place)
        yield place, one


def _class(entry: Mapping[str, Any]) -> tuple[Place, _Class]:
    """Raises KeyError for what is missing, ValueError for what cannot be."""
    item, part = entry["item"], entry["part"]
    if not isinstance(item, str) or not isinstance(part, str):
        raise ValueError("“item” and “part” are texts")
    answers = _count("answers", entry["answers"])
    facility = _between("facility", entry["facility"], 0.0)
    if (facility is None) != (answers == 0):
        raise ValueError("“facility” is there just where there are answers")
    choices = {str(text): _count(f"choices: {text}", n) for text, n in entry["choices"].items()}
    if sum(choices.values()) > answers:
        raise ValueError("more choices than answers")
    deviations = entry.get("deviations")
    if deviations is not None:
        deviations = {name: _number(name, deviations[name]) for name in ("share", "rest", "both")}
    right = tuple(map(str, entry.get("right", ())))
    discrimination = _between("discrimination", entry["discrimination"], -1.0)
    return (item, part), _Class(answers, facility, discrimination, choices, right, deviations)


def _number(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"“{name}” is not a number")
    return float(value)


def _count(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"“{name}” is not a count")
    return value


def _between(name: str, value: object, least: float) -> float | None:
    if value is None:
        return None
    if not least - 1e-9 <= _number(name, value) <= 1 + 1e-9:
        raise ValueError(f"“{name}” does not lie between {least:g} and 1")
    return _number(name, value)


def _item(place: Place, classes: list[_Class], offered: Mapping[str, Offer]) -> PooledItem:
    answers = sum(one.answers for one in classes)
    facility = sum(one.answers * (one.facility or 0) for one in classes) / answers if answers else None
    taken: Counter[str] = Counter()
    for one in classes:
        taken.update(one.choices)
    choices: Counter[str] = Counter()
    for text, count in taken.items():
        choices[offered[text].text if text in offered else text] += count
    right = {offer.text for offer in offered.values() if offer.right} or {t for c in classes for t in c.right}
    found = PooledItem(
        place,
        len(classes),
        answers,
        facility,
        _discrimination(classes) if answers >= FEW else None,
        dict(sorted(choices.items(), key=lambda pair: (-pair[1], pair[0]))),
        tuple(sorted(right & choices.keys())),
        _untaken(taken, offered) if answers >= FEW else (),
        (),
    )
    return found._replace(remarks=tuple(_remarks(found)))


def _untaken(taken: Mapping[str, int], offered: Mapping[str, Offer]) -> tuple[str, ...]:
    """The distractors that nobody took; none of an item that has been worded anew since, in which they may
    have been other ones."""
    if not taken or any(text not in offered for text in taken):
        return ()
    every = dict.fromkeys(offer.distractor for offer in offered.values() if offer.distractor)
    drew = {offered[text].distractor for text, count in taken.items() if count}
    return tuple(text for text in every if text not in drew)


def _discrimination(classes: Iterable[_Class]) -> float | None:
    """The correlation of the shares with the rest, within the classes; None where one of them does not
    vary."""
    asked = [one for one in classes if one.answers]
    own = [one.deviations for one in asked if one.deviations is not None]
    if len(own) == len(asked):
        share, rest, both = (math.fsum(one[name] for one in own) for name in ("share", "rest", "both"))
        return both / math.sqrt(share * rest) if share > 0 and rest > 0 else None
    told = [(one.answers, one.discrimination) for one in asked if one.discrimination is not None]
    return math.fsum(n * r for n, r in told) / sum(n for n, _ in told) if told else None


def _remarks(item: PooledItem) -> Iterator[str]:
    if item.answers < FEW or item.facility is None:
        return
    if item.facility > EASY:
        yield "easy"
    if item.facility < HARD:
        yield "hard"
    if item.discrimination is not None and item.discrimination < WEAK:
        yield "weak"
    if item.untaken:
        yield "untaken"
