"""Grid: an answer that comes as cells, from a page or in JSON, as the text that a learner would type."""

from __future__ import annotations

import re

_PARTED = re.compile(r"[,;、\s]")  # in a cell: brackets and commas would not keep it together
_COMMA, _THOUSANDS = re.compile(r"[-−－]?\d+,\d+"), re.compile(r"[-−－]?[1-9]\d{0,2},\d{3}")


def answer_text(answer: object) -> str:
    """A text as it is; rows of cells, or one row, as one text in which what stands in a cell stays in it.

    >>> answer_text([["0.5", ""], ["1/3", "√2"]]), answer_text(["4,143", "1 1/2"])
    ('[[0.5, _], [1/3, √2]]', '4,143\\t1 1/2\\t')
    """
    if isinstance(answer, list):
        rows = answer if answer and isinstance(answer[0], list) else [answer]
        if any(not isinstance(row, list) or any(isinstance(cell, list) for cell in row) for row in rows):
            return "[" + ", ".join(map(answer_text, answer)) + "]"  # no rows of cells: the reader says so
        typed = _pointed([[answer_text(cell).strip() or "_" for cell in row] for row in rows])
        if any(_PARTED.search(cell) for row in typed for cell in row):
            return "\n".join("".join(f"{' '.join(cell.split())}\t" for cell in row) for row in typed)
        return "[" + ", ".join("[" + ", ".join(row) + "]" for row in typed) + "]"
    if isinstance(answer, bool):
        return str(answer).lower()
    return "" if answer is None else str(answer)


def _pointed(rows: list[list[str]]) -> list[list[str]]:
    """The cells with points for decimal commas, where it is sure that they are these: 4,36 is no thousand."""
    commas = [cell for row in rows for cell in row if "," in cell]
    sure = all(map(_COMMA.fullmatch, commas)) and not all(map(_THOUSANDS.fullmatch, commas))
    return [[cell.replace(",", ".") for cell in row] for row in rows] if commas and sure else rows
