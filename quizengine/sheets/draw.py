"""Draw: which items stand where on a sheet, none twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from quizengine.errors import UsageError
from quizengine.items.item import Metadata
from quizengine.problems.choose import choose
from quizengine.problems.dice import Dice
from quizengine.sheets.plan import Section

Slots = list[tuple[Section, Metadata]]
TRIES = 20  # to draw other items as hard, before the first ones are kept


def draw(sections: Sequence[Section], dice: Dice) -> Slots:
    """An item for every place: named ones first, then the sections with the fewest to choose from; what a
    section lacks then, another one that can do without gives up. Raises UsageError where the sections
    together ask more than there is."""
    chosen: list[list[Metadata]] = [[] for _ in sections]
    owner: dict[Metadata, int] = {}
    for index in sorted(range(len(sections)), key=lambda i: (not sections[i].named, len(sections[i].pool))):
        section = sections[index]
        free = [metadata for metadata in section.pool if metadata not in owner]
        chosen[index] = free if section.named else choose(free, min(section.size, len(free)), dice)
        owner.update(dict.fromkeys(chosen[index], index))

    def find(index: int, seen: set[Metadata]) -> bool:
        """One more item for this section, if need be from another that finds one instead."""
        for metadata in sections[index].pool:
            giver = owner.get(metadata)
            if metadata in seen or giver == index or (giver is not None and sections[giver].named):
                continue
            seen.add(metadata)
            if giver is None or find(giver, seen):
                if giver is not None:
                    chosen[giver].remove(metadata)
                owner[metadata] = index
                chosen[index].append(metadata)
                return True
        return False

    for index, section in enumerate(sections):
        while len(chosen[index]) < section.size:
            if not find(index, set()):
                raise UsageError(
                    f"section {index + 1} asks {section.size} items, and the other sections leave "
                    f"{len(chosen[index])}"
                )
    return [
        (section, metadata) for section, items in zip(sections, chosen, strict=True) for metadata in items
    ]


def alike(base: Slots, dice: Dice, points: Callable[[Metadata], int]) -> Slots:
    """For every place another item of the same section, topic, type, level, difficulty and points, none
    twice."""
    named = {metadata for section, metadata in base if section.named}
    for _ in range(TRIES):
        taken, out = set(named), []
        for section, metadata in base:
            like = [
                other
                for other in section.pool
                if _kind(other) == _kind(metadata) and other not in taken
                if points(other) == points(metadata)
            ]
            if not section.named and not like:
                break
            out.append((section, metadata if section.named else dice.pick(like)))
            taken.add(out[-1][1])
        else:
            return out
    return base


def _kind(metadata: Metadata) -> tuple[object, ...]:
    return metadata.topic, metadata.type, metadata.level, metadata.difficulty
