"""What a class's files add up to."""

from __future__ import annotations

import pytest

from quizengine.checking.folder import Row, misconceptions_of, page, page_names, summary
from quizengine.checking.verdict import Verdict
from quizengine.lang.quotation import shown


def row(who: str, *misconceptions: str, file: str = "a.py", verdict="wrong") -> Row:
    return Row(who, file, "attention", Verdict("single", verdict, misconceptions=misconceptions))


ROWS = [
    row("s01", "mask-inverted"),
    row("s02", "softmax-columns", "mask-inverted"),
    row("s02", "mask-inverted", file="b.py"),
    row("s03", verdict="right"),
    row("s04", verdict="ungraded")._replace(why="no memory"),
]


def test_the_map_names_who_shows_what_and_nobody_twice() -> None:
    assert misconceptions_of(ROWS) == {"mask-inverted": ["s01", "s02"], "softmax-columns": ["s02"]}


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_summary_is_the_count_and_the_map(bank, lang) -> None:
    right, ungraded, first, second = map(shown, summary(ROWS, bank.catalogue, lang))
    assert "5" in right
    assert "1" in right
    assert "1" in ungraded
    assert bank.catalogue["mask-inverted"].name[lang] in first
    assert {"en": "(s01, s02)", "ja": "（s01、s02）"}[lang] in first
    assert "s02" in second


def test_a_page_quotes_what_is_not_ours(bank) -> None:
    told = page(row("<b>[x](y)", file="`rm`.py")._replace(why="*no*"), bank.catalogue, "en")
    assert told.startswith("# \\<b\\>\\[x\\]\\(y\\)\n\nWhat was found in `` `rm`.py ``:")
    assert "`*no*`" in told


def test_page_names_are_harmless_and_differ() -> None:
    rows = [row(who) for who in ("s01", "S01", "../x", "One Learner (17)", "a\0b", "学習者", "x" * 300)]
    names = [*page_names(rows).values()]
    assert names[:4] == ["s01-a-py.md", "S01-a-py-2.md", "x-a-py.md", "One-Learner-(17)-a-py.md"]
    assert len({name.casefold() for name in names}) == len(names)
    assert not any({*name} & {*'/\\:*?"<>|\0'} or len(name) > 100 for name in names)
