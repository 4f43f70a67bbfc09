"""Examine: the bank is put through the whole engine, as `bank check` and the tests do it.

Every item, many seeds, every language: the key as printed earns full marks, every rival earns
less and is named, the unreadable sample is unreadable. Every misconception of the catalogue has
its patch, strikes where it says, and gives numbers of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from quizengine.attention.patches import BENIGN, PATCHES, stages_struck
from quizengine.authoring.claims import wrong_claim
from quizengine.errors import Fault, QuizError
from quizengine.items.answer import Ask, Numeric
from quizengine.items.bank import Bank
from quizengine.items.catalogue import Misconception
from quizengine.items.item import Item
from quizengine.items.policy import Policy
from quizengine.marking.conditions import stock_answers
from quizengine.marking.judge import judge
from quizengine.problems.calculation import variants_of
from quizengine.problems.distinct import candidates, classes
from quizengine.problems.families import FAMILIES
from quizengine.problems.families.family import TABLES, Family
from quizengine.problems.memory import once
from quizengine.problems.part import ConstructPart, Key, Part, key_text
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem
from quizengine.responses import samples
from quizengine.responses.read import read
from quizengine.responses.response import Response, Unreadable, Value

SEEDS = 10
Each = Callable[[Callable[[Item], list[Fault]], Sequence[Item]], Iterable[list[Fault]]]
_Share = tuple[Item, int]  # an item, and how many seeds of it
EachShare = Callable[[Callable[[_Share], Counter[str]], Sequence[_Share]], Iterable[Counter[str]]]


def examine(bank: Bank, items: Sequence[Item], seeds: int = SEEDS, each: Each = map) -> list[Fault]:
    """Everything wrong with these items and with the catalogue, sorted by place; `each` puts the items
    through the engine, here or in other processes."""
    faults = list(dict.fromkeys(catalogue_faults(bank)))
    for found in each(partial(_of_each_kind, bank, seeds), items):
        faults += found
    return sorted(faults)


def _of_each_kind(bank: Bank, seeds: int, item: Item) -> list[Fault]:
    """Every false claim; of all else one fault of a kind, not one a seed."""
    found = item_faults(bank, item, seeds)
    return list({(f.code, f.message if f.code == "claim" else ""): f for f in found}.values())


def item_faults(bank: Bank, item: Item, seeds: int) -> Iterator[Fault]:
    """One item against the engine: its claims worked out, its problems posed and marked."""
    for claim in item.check:
        if wrong := wrong_claim(claim):
            yield _fault(item, "claim", f"{item.id}: “{claim}” {wrong}")
    variants = variants_of([(item, seed) for seed in range(seeds)], bank.catalogue)
    looked_at = once(_faults_of)  # for several seeds pose the same
    for seed, variant in enumerate(variants):
        for lang in item.languages:
            try:
                problem = pose(item, seed, lang, bank.catalogue, variant)
            except QuizError as error:
                yield _fault(item, error.code, error.message)
                return
            numbers_again = bool(problem.numeric) and lang != item.languages[0]
            for code, message in looked_at(problem, brief=numbers_again):
                yield _fault(item, code, f"{item.id}, seed {seed}, {lang}: {message}")


def _faults_of(problem: Problem, *, brief: bool) -> list[tuple[str, str]]:
    return list(problem_faults(problem, brief=brief))


def problem_faults(problem: Problem, *, brief: bool = False) -> Iterator[tuple[str, str]]:
    """(code, message) of everything that one problem fails at; in `brief` where its numbers were examined in
    another language."""
    again = Problem.from_json(problem.to_json())
    if again != problem:
        yield "not-whole", "its JSON does not hold the whole problem"
    try:
        key = judge(problem, {part.id: read(part, samples.right(part)) for part in problem.parts})
    except QuizError as error:
        yield error.code, f"its own answer cannot be worked with: {error.message}"
        return
    if key.credit + key.open != key.points:
        yield "key-not-full", f"the key as printed earns {key.credit} of {key.points}"
    if brief:
        return
    for part in problem.parts:
        yield from _sample_faults(problem, part)
        if not isinstance(read(part, samples.unreadable(part)).reading, Unreadable):
            yield "sample-readable", f"{part.id}: the unreadable sample can be read"
        if isinstance(part, ConstructPart):
            yield from _stock_faults(problem, part)
    yield from _rival_faults(problem)


def _rival_faults(problem: Problem) -> Iterator[tuple[str, str]]:
    """Rivals that earn full marks, and those that are not named by their own answers."""
    for rival in problem.rivals:
        mark = judge(problem, {id_: _as_typed(problem, id_, v) for id_, v in rival.values.items()})
        if mark.credit >= mark.points:
            yield "rival-full", f"“{rival.misconception}” earns full marks"
        if rival.misconception not in {id_ for d in mark.diagnosis for id_ in d.misconceptions}:
            yield "rival-unnamed", f"“{rival.misconception}” is not named by its own numbers"


def _sample_faults(problem: Problem, part: Part) -> Iterator[tuple[str, str]]:
    """The wrong and the coarse sample: both can be read, and neither earns what it should not. (What a part
    earns asks no misconception, so that none is looked for.)"""
    nameless = problem._replace(rivals=())
    for fate, text in (("wrong", samples.wrong(part)), ("coarse", samples.coarse(part))):
        response = read(part, text)
        mark = judge(nameless, {part.id: response}).part(part.id)
        too_much = mark.share == 1 if fate == "wrong" else Policy().coarse < mark.share < 1
        if text and not isinstance(response.reading, Value):
            yield f"sample-{fate}", f"{part.id}: the {fate} sample cannot be read"
        elif too_much:
            yield f"sample-{fate}", f"{part.id}: the {fate} sample earns {mark.credit} of {mark.points}"


def _stock_faults(problem: Problem, part: ConstructPart) -> Iterator[tuple[str, str]]:
    """Arrays that need no work and meet every condition."""
    for stock in stock_answers(problem.given, part):
        if judge(problem, {part.id: _as_typed(problem, part.id, stock)}).credit:
            yield "stock-answer", f"{part.id}: {key_text(part, stock)} needs no work and meets the conditions"


def _as_typed(problem: Problem, part_id: str, value: Key) -> Response:
    part = problem.part(part_id)
    return read(part, key_text(part, value))


def catalogue_faults(bank: Bank) -> Iterator[Fault]:
    """The catalogue against the patches."""
    for entry in bank.catalogue.values():
        place = (entry.file, entry.line, 1)
        if (entry.kind != "concept") != (entry.id in PATCHES):
            says = "has a patch but is of kind concept" if entry.id in PATCHES else "has no patch"
            yield Fault(*place, "patch", f"“{entry.id}” {says}")
            continue
        if unknown := [alias for alias in entry.aliases if alias not in bank.catalogue]:
            yield Fault(*place, "alias", f"“{entry.id}” names an alias that does not exist: {unknown[0]}")
        if unknown := [way for way in entry.benign if way not in BENIGN]:
            yield Fault(
                *place, "benign", f"“{entry.id}” names a benign way that does not exist: {unknown[0]}"
            )
        if entry.id in PATCHES:
            struck = {s for table in TABLES for s in stages_struck(PATCHES[entry.id], table)}
            if struck != set(entry.stages):
                yield Fault(
                    *place,
                    "stages",
                    f"“{entry.id}” strikes {', '.join(sorted(struck))}: list these as its stages",
                )
    missing = [id_ for id_ in PATCHES if id_ not in bank.catalogue]
    for id_ in missing:
        yield Fault("quizbank/misconceptions.yaml", 1, 1, "entry", f"the patch “{id_}” has no entry")
    yield from _distinctness(bank)


def _distinctness(bank: Bank) -> Iterator[Fault]:
    """Every patch gives numbers of its own in some family, or declares whom it agrees with."""
    live: set[str] = set()
    for family, sizes in _sized_families():
        ids, groups = _all_stages(bank, family, sizes)
        for world, id_ in enumerate(ids, 1):
            struck = np.flatnonzero([group[world] for group in groups])
            if not struck.size:
                continue
            live.add(id_)
            last = groups[struck[-1]]
            entry = bank.catalogue[id_]
            for other, twin in enumerate(ids, 1):
                same = other != world and last[other] == last[world]
                if same and twin not in entry.aliases and _strikes_last(groups, other, int(struck[-1])):
                    message = f"“{id_}” gives the numbers of “{twin}” in family {family.name}"
                    yield _entry_fault(
                        entry, "not-distinct", f"{message}: tell them apart, or list it in aliases"
                    )
    for id_, entry in bank.catalogue.items():
        if id_ in PATCHES and id_ not in live:
            yield _entry_fault(entry, "not-live", f"“{id_}” gives the right numbers in every family")


def _sized_families() -> Iterator[tuple[Family, Mapping[str, int]]]:
    """Every family at all sizes that it can have."""
    for family in FAMILIES.values():
        yield from ((family, sizes) for sizes in family.every({}))


def _all_stages(
    bank: Bank, family: Family, sizes: Mapping[str, int]
) -> tuple[tuple[str, ...], tuple[tuple[int, ...], ...]]:
    ids = candidates(bank.catalogue, family, sizes)
    asks = family.asked(tuple(Ask(stage) for stage in family.stages), sizes)
    return ids, classes(family, sizes, ids, asks)


def _strikes_last(groups: tuple[tuple[int, ...], ...], world: int, stage: int) -> bool:
    return not any(group[world] for group in groups[stage + 1 :])


def _entry_fault(entry: Misconception, code: str, message: str) -> Fault:
    return Fault(entry.file, entry.line, 1, code, message)


def _fault(item: Item, code: str, message: str) -> Fault:
    return Fault(item.file, item.line, item.column, code, message)


class Variety(NamedTuple):
    """How an item's variants come about: the share of draws that its proof rejects, and how many
    different problems so many seeds pose."""

    rejected: float
    distinct: int
    seeds: int


def variety(bank: Bank, item: Item, seeds: int) -> Variety | None:
    """Of a numeric item; None for a concept item, whose variants differ in their order only, and for
    one that cannot be posed."""
    if not isinstance(item.answer, Numeric):
        return None
    drawn = [*filter(None, variants_of([(item, seed) for seed in range(seeds)], bank.catalogue))]
    if len(drawn) < seeds:
        return None
    draws = sum(variant.draws for variant in drawn)
    return Variety(1 - seeds / draws, len({str(variant.drawn.given) for variant in drawn}), seeds)


def liveness(bank: Bank, variants: int, each: EachShare = map) -> Counter[str]:
    """In how many of so many variants, spread over the numeric items, each patch is live; `each` puts the
    items through, here or in other processes."""
    items = [item for item in bank if isinstance(item.answer, Numeric) and item.answer.family in FAMILIES]
    live: Counter[str] = Counter(dict.fromkeys((id_ for id_ in PATCHES if id_ in bank.catalogue), 0))
    shares = [(item, len(range(place, variants, len(items)))) for place, item in enumerate(items)]
    for found in each(partial(_live, bank), shares):
        live.update(found)
    return live


def _live(bank: Bank, share: _Share) -> Counter[str]:
    """In how many of the first seeds of an item each patch is live."""
    item, seeds = share
    draws = [(item, seed) for seed in range(seeds)]
    posed = (
        pose(*draw, item.languages[0], bank.catalogue, variant)
        for draw, variant in zip(draws, variants_of(draws, bank.catalogue), strict=True)
    )
    return Counter(rival.misconception for problem in posed for rival in problem.rivals)
