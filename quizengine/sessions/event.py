"""What happens in a session, as a log that is only ever added to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, get_args

Kind = Literal[
    "begun",
    "posed",
    "typed",
    "hinted",
    "skipped",
    "flagged",
    "submitted",
    "marked",
    "ungraded",
    "undone",
    "added",
    "ended",
]

KINDS: tuple[Kind, ...] = get_args(Kind)


class Event(NamedTuple):
    """`at` is UTC in ISO form. What `data` holds, by kind: begun: plan, lang, for an exam mode and
    deadline (empty: none); posed: index, the whole problem; typed: index, part, raw; hinted, skipped,
    ungraded: index; flagged: index, on; submitted: why (learner or time); marked: index, the mark;
    undone: index, and the part if it is only one; added: item and seed of one more question, to be
    asked next."""

    kind: Kind
    at: str
    data: Mapping[str, Any]
