"""Draw: which items stand where on a sheet, none twice."""

from __future__ import annotations

from collections.abc import Sequence

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
        free = [head for head in section.pool if head not in owner]
        chosen[index] = free if section.named else choose(free, min(section.size, len(free)), dice)
        owner.update(dict.fromkeys(chosen[index], index))

    def find(index: int, seen: set[Metadata]) -> bool:
        """One more item for this section, if need be from another that finds one instead."""
        for head in sections[index].pool:
            giver = owner.get(head)
            if head in seen or giver == index or (giver is not None and sections[giver].named):
                continue
            seen.add(head)
            if giver is None or find(giver, seen):
                if giver is not None:
                    chosen[giver].remove(head)
                owner[head] = index
                chosen[index].append(head)
                return True
        return False

    for index, section in enumerate(sections):
        while len(chosen[index]) < section.size:
            if not find(index, set()):
                raise UsageError(
                    f"section {index + 1} asks {section.size} items, and the other sections leave "
                    f"{len(chosen[index])}"
                )
    return [(section, head) for section, heads in zip(sections, chosen, strict=True) for head in heads]


def alike(base: Slots, dice: Dice) -> Slots:
    """For every place another item of the same section, topic, type, level and difficulty, none twice."""
    named = {head for section, head in base if section.named}
    for _ in range(TRIES):
        taken, out = set(named), []
        for section, head in base:
            like = [h for h in section.pool if _kind(h) == _kind(head) and h not in taken]
            if not section.named and not like:
                break
            out.append((section, head if section.named else dice.pick(like)))
            taken.add(out[-1][1])
        else:
            return out
    return base


def _kind(head: Metadata) -> tuple[object, ...]:
    return head.topic, head.type, head.level, head.difficulty
