"""The strict reader: every trap of YAML, each with its place and what to write instead."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizengine.files.document import read_file, read_text


def faults(text: str) -> list[tuple[int, int, str]]:
    return [(f.line, f.column, f.code) for f in read_text(text, "x.yaml").faults]


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("a: 1e-6", {"a": 1e-6}),
        ("a: -3", {"a": -3}),
        ("a: 0.10", {"a": 0.1}),
        ("a: 'no'", {"a": "no"}),
        ("a: true", {"a": True}),
        ("n: 6", {"n": 6}),
        ("a: [next, future]", {"a": ["next", "future"]}),
        ("\ufeffa: b", {"a": "b"}),
        ("a: '$\\sqrt{d_k}$'", {"a": "$\\sqrt{d_k}$"}),
        ("a: |\n  one\n\n  two\n", {"a": "one\n\ntwo\n"}),
    ],
)
def test_what_is_read(tmp_path: Path, text: str, data: object) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(text, "utf-8")
    document = read_file(str(path), "x.yaml")
    assert (document.data, document.faults) == (data, [])


TRAPS = [
    ("a: no", [(1, 4, "ambiguous")]),
    ("on: x", [(1, 1, "ambiguous")]),
    ("a: [Yes, off]", [(1, 5, "ambiguous"), (1, 10, "ambiguous")]),
    ("a: True", [(1, 4, "ambiguous")]),
    ("a: null", [(1, 4, "ambiguous")]),
    ("a: ~", [(1, 4, "ambiguous")]),
    ("a: 012", [(1, 4, "ambiguous")]),
    ("a: 0x1F", [(1, 4, "ambiguous")]),
    ("a: 1_000", [(1, 4, "ambiguous")]),
    ("a: 12:30", [(1, 4, "ambiguous")]),
    ("a: 2026-01-01", [(1, 4, "ambiguous")]),
    ("a: .inf", [(1, 4, "ambiguous")]),
    ("a: .5", [(1, 4, "ambiguous")]),
    ("a: +1", [(1, 4, "ambiguous")]),
    ("a: 123456789012345678901234567", [(1, 4, "number")]),
    ("a:", [(1, 3, "empty-value")]),
    ("a: 1\na: 2", [(2, 1, "duplicate")]),
    ("a: {b: 1, b: 2, c: 3, c: 4}", [(1, 11, "duplicate"), (1, 23, "duplicate")]),
    ("1: x", [(1, 1, "key")]),
    ("[1, 2]: x", [(1, 1, "key")]),
    ("a: &x 1\nb: *x", [(1, 4, "anchor"), (2, 4, "alias")]),
    ("a: {<<: {b: 1}}", [(1, 5, "merge")]),
    ("a: !!str 1", [(1, 4, "tag")]),
    ("a: !x 1", [(1, 4, "tag")]),
    ('a: "\\sqrt"', [(1, 1, "yaml")]),
    ('a: "x\\n"', [(1, 4, "backslash")]),
    ("a: 1\n---\nb: 2", [(2, 1, "documents")]),
    ("", [(1, 1, "empty")]),
    ("a:\n\tb: 1", [(2, 1, "yaml")]),
    ("a: [1", [(1, 6, "yaml")]),
]


@pytest.mark.parametrize(("text", "expected"), TRAPS)
def test_what_is_refused(text: str, expected: list[tuple[int, int, str]]) -> None:
    found = faults(text)
    if expected[0][2] == "yaml":
        assert [code for _, _, code in found] == ["yaml"]
    else:
        assert found == expected


def test_refusals_say_what_to_write() -> None:
    said = "\n".join(map(str, read_text("a: no\nb: 012\nc: 1_000", "x.yaml").faults))
    assert "x.yaml:1:4: “no” is a truth value to some readers: write 'no' in quotes" in said
    assert "x.yaml:2:4: “012” begins with 0" in said
    assert "x.yaml:3:4: “1_000” holds an underscore" in said


def test_a_tab_is_named() -> None:
    assert "a tab stands where YAML wants spaces" in str(read_text("a:\n\tb: 1", "x").faults[0])


def test_deep_nesting_is_refused_at_once() -> None:
    assert next(iter(read_text("a: " + "[" * 300 + "]" * 300, "x").faults)).code == "depth"


def test_every_trap_is_told_with_what_to_write(assert_golden) -> None:
    said = [f"{text!r}\n    {fault}\n" for text, _ in TRAPS for fault in read_text(text, "x.yaml").faults]
    assert_golden("yaml-traps.txt", "".join(said))


def alias_bomb(levels: int) -> str:
    lines = ["a0: &a0 [x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, levels)]
    return "\n".join(lines)


def merge_bomb(levels: int) -> str:
    lines = ["a0: &a0 {x0: 1, x1: 2}"]
    lines += [f"a{i}: &a{i} {{<<: [{', '.join([f'*a{i - 1}'] * 9)}]}}" for i in range(1, levels)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("bomb", "codes"), [(alias_bomb, {"anchor", "alias"}), (merge_bomb, {"anchor", "alias", "merge"})]
)
def test_bombs_are_refused_where_they_begin_and_take_no_memory(bomb, codes: set[str]) -> None:
    text = bomb(9)
    tracemalloc.start()
    document = read_text(text, "x.yaml")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert {fault.code for fault in document.faults} == codes
    assert str(document.faults[0]) == "x.yaml:1:5: anchor &a0: anchors are not used here, remove it"
    assert peak < 300_000


def test_places_further_down_are_found_too(tmp_path: Path) -> None:
    """They are looked up in a second reading; a fault deep in a long file costs one more pass, not each."""
    document = read_text("a:\n  b:\n  - c: {d: [1, 2,\n      3]}\n", "x.yaml")
    document.fault(("a", "b", 0, "c", "d", 2), "x", "the third")
    document.fault(("a", "b", 0, "c", "e"), "x", "what is missing")
    assert [(f.line, f.column) for f in document.faults] == [(4, 7), (3, 8)]


def test_not_utf8_says_where(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(b"a: 1\nb: " + "値".encode("cp932"))
    assert (
        str(read_file(str(path), "x.yaml").faults[0])
        == "x.yaml:2:4: the file is not UTF-8 here: save it as UTF-8"
    )


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    document = read_text(text, "x.yaml")
    assert document.faults or document.data is not None
