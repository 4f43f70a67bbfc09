"""What happens in a session, as a log that is only ever added to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, get_args

Kind = Literal["begun", "posed", "typed", "hinted", "skipped", "marked", "undone", "added", "ended"]

KINDS: tuple[Kind, ...] = get_args(Kind)


class Event(NamedTuple):
    """`at` is UTC in ISO form. What `data` holds, by kind: begun: plan, lang; posed: index, the
    whole problem; typed: index, part, raw; hinted, skipped: index; marked: index, the mark; undone:
    index, and the part if it is only one; added: item and seed of one more question, to be asked next."""

    kind: Kind
    at: str
    data: Mapping[str, Any]
