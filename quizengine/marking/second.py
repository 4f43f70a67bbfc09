"""A second try at a part: what it earns beside the first."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from quizengine.marking.judge import verdict
from quizengine.marking.mark import Mark, PartMark, Reason

SHARE = Fraction(1, 2)


def with_first_tries(mark: Mark, first: Mapping[str, Mark]) -> Mark:
    """The mark of the answers that stand, where some parts were tried twice: `first` has for each of them the
    mark of the problem when it was tried first. The second try earns half; the first counts where it earned
    more. The mistakes that the first showed stay among the findings."""
    parts = tuple(_better(p, first[p.id].part(p.id)) if p.id in first else p for p in mark.parts)
    found = list(mark.diagnosis)
    for id_, before in first.items():
        shown = {*before.part(id_).misconceptions}
        found += [one for one in before.diagnosis if shown & {*one.misconceptions} and one not in found]
    return mark._replace(parts=parts, diagnosis=tuple(found))


def _better(second: PartMark, first: PartMark) -> PartMark:
    share = max(first.share, second.share * SHARE)
    if share == 0:
        return second
    code = "second-try" if second.share * SHARE > first.share else "first-try"
    return second._replace(share=share, verdict=verdict(share), reasons=(Reason(code), *second.reasons))
