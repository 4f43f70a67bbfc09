"""What parts the cells of a table is judged over several lines, and by what stands outside quotes."""

from __future__ import annotations

import pytest

from quizengine.files.rows import delimiter_of

PARTED = {
    "one line": ("id,name\n", ","),
    "semicolons": ("id;name\n1;Ann\n", ";"),
    "tabs": ("id\tname\n1\tAnn\n", "\t"),
    "commas in titles": ("id;1. What, then?\n1;A\n2;B\n", ";"),
    "many commas in titles": ("id;1. a, b, c, or d?\n1;A\n2;B\n", ";"),
    "decimal commas": ("id;1a;1b\n1;0,5;0,25\n2;0,5;1\n", ";"),
    "decimal commas under one title": ("id;1a\n1;0,5\n2;0,25\n", ";"),
    "rows of a matrix": ("id,1a\n1,1 2; 3 4\n2,\n", ","),
    "quoted rows of a matrix": ('id,1a\n1,"[1;2;3]"\n2,"[1;2;3]"\n', ","),
    "quoted lines": ('id,1a\n1,"1;2\n3;4\n5;6"\n', ","),
    "quoted titles": ('"id";"a, b";"c, d"\n"1";"0,5";"0,5"\n', ";"),
    "said": ("sep=;\na,b,c\n", ";"),
    "said, by another sign": ("sep=|\na,b|c\n", "|"),
    "a quote that stays open": ('id;1a\n1;"0,5\n', ";"),
}


@pytest.mark.parametrize(("text", "delimiter"), PARTED.values(), ids=PARTED)
def test_what_parts_the_cells(text: str, delimiter: str) -> None:
    assert delimiter_of(text) == delimiter


def test_a_header_that_is_known_decides() -> None:
    text = "id,1. a; b; c?\n1,a; b; c\n2,b; c; a\n"
    assert delimiter_of(text, lambda cells: "id" in cells) == ","
