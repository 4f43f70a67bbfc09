"""A note: something decided about a line of a file of answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Note(NamedTuple):
    """Whose line it is and what there is to say: the message `note.<code>` of a line or a column that is not
    graded or was in doubt, `row.<code>` of one that is graded, with its values."""

    line: int
    who: str
    code: str
    values: Mapping[str, str | int] = {}
