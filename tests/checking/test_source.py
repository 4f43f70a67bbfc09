"""Which code of a file or notebook is read, and which function of it is meant."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quizengine.checking.source import Unfit, cells_of, choose, definitions, named, parsed


def found(code: str) -> list:
    return definitions(parsed(cells_of("own.py", code.encode())[0]))


QKV = "(Q, K, V, mask=None): return V\n"
CHOICES = {  # the file, the name in the contract, the function that is meant or why none is
    "the only one": ("def f(x): return x", "attention", "f"),
    "called attention": (
        f"def softmax(x): return x\ndef attention{QKV}def show(a, b, c): pass",
        "attention",
        "attention",
    ),
    "called like it": (f"def softmax(x): return x\ndef my_attn{QKV}", "attention", "my_attn"),
    "as the task is": (
        f"def attention{QKV}def causal_attention{QKV}",
        "causal_attention",
        "causal_attention",
    ),
    "as the task is, in camel case": (
        f"def attention{QKV}class MultiHeadAttention:\n  def forward{QKV}",
        "multi_head_attention",
        "MultiHeadAttention",
    ),
    "attention before another task": (
        f"def attention{QKV}def causal_attention{QKV}",
        "attention",
        "attention",
    ),
    "by its long name": (
        f"def scaled_dot_product_attention{QKV}def additive_attention{QKV}",
        "attention",
        "scaled_dot_product_attention",
    ),
    "of three arguments": (f"def softmax(x): return x\ndef own{QKV}", "attention", "own"),
    "of another name": (f"def average(X): return X\ndef attention{QKV}", "average", "average"),
    "a lambda": ("softmax = lambda x: x\nattention = lambda Q, K, V: V", "attention", "attention"),
    "a class": ("class A:\n  def forward(self, Q, K, V): return V", "attention", "A"),
    "a class that can be called": ("class A:\n  def __call__(self, Q, K, V): return V", "attention", "A"),
    "defined twice": (f"def attention{QKV}def attention{QKV}", "attention", "attention"),
    "a private helper": (f"def _attention{QKV}def attention{QKV}", "attention", "attention"),
    "none": ("x = 1", "attention", "check.nothing"),
    "a class without a call": ("class A: pass", "attention", "check.nothing"),
    "several": (f"def attention_a{QKV}def attention_b{QKV}", "attention", "check.which"),
    "several without a name": (f"def f{QKV}def g{QKV}", "attention", "check.which"),
}


@pytest.mark.parametrize("name", CHOICES)
def test_the_function_that_is_meant(name: str) -> None:
    code, contract, expected = CHOICES[name]
    try:
        chosen = choose(found(code), "", contract)
    except Unfit as unfit:
        chosen = unfit.outcome.message
    assert chosen == expected


def test_the_one_that_is_named_is_taken() -> None:
    assert choose(found(f"def attention{QKV}def f{QKV}"), "f", "attention") == "f"


def test_a_file_is_named_with_its_function(tmp_path: Path) -> None:
    odd = tmp_path / "a:b"
    odd.write_text("")
    assert named(str(odd)) == (odd, "")
    assert named("a/b.py:attend") == (Path("a/b.py"), "attend")
    assert named("-") == (Path("-"), "")


def notebook(*cells: str | tuple[str, str]) -> bytes:
    said = [cell if isinstance(cell, tuple) else ("code", cell) for cell in cells]
    return json.dumps(
        {
            "nbformat": 4,
            "cells": [
                {
                    "cell_type": kind,
                    "source": text.splitlines(keepends=True),
                    "outputs": [{"text": "def x(): pass"}],
                }
                for kind, text in said
            ],
        }
    ).encode()


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("a = 1\nb = 2", "a = 1\nb = 2"),
        ("%matplotlib inline\nimport numpy", "pass\nimport numpy"),
        ("!pip install torch\nx = 1", "pass\nx = 1"),
        ("if x:\n    %timeit f()\ny = 5 \\\n% 3", "if x:\n    pass\ny = 5 \\\npass"),
        ("y = (5\n% 3)", "y = (5\n% 3)"),
        ("%%time\nx = 1", "pass\nx = 1"),
        ("%%bash\nrm x", ""),
        ("f?", "f?"),
    ],
)
def test_lines_for_the_notebook_are_left_blank(cell: str, code: str) -> None:
    [(_, found)] = cells_of("a.ipynb", notebook(("markdown", "def text(): pass"), cell))
    assert found == code


@pytest.mark.parametrize(
    "content", [b"{", b"[]", b'{"cells": 3}', b'{"cells": [{"cell_type": "code"}]}', b"[" * 10**5]
)
def test_what_is_no_notebook_is_said_to_be_none(content: bytes) -> None:
    with pytest.raises(Unfit) as unfit:
        cells_of("a.ipynb", content)
    assert unfit.value.outcome.message == "check.not-notebook"


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b"def f(:\n  pass", "1:7"),
        (b"x = 1\n\tif y\n", "2:1"),
        ("x = 「1」".encode(), "1:5"),
        (b"# coding: nonsense\nx = 1", ""),
        (b"x = '\xff'", ""),
        (b"x\0", ""),
        (b"x = " + b"(" * 300 + b")" * 300, ""),
    ],
    ids=["colon", "indent", "bracket", "unknown encoding", "no UTF-8", "null", "deep"],
)
def test_what_is_no_python_is_said_with_its_place(content: bytes, place: str) -> None:
    """The place as far as all versions of Python agree on it."""
    with pytest.raises(Unfit) as unfit:
        parsed(cells_of("a.py", content)[0])
    assert unfit.value.outcome.message in ("check.syntax", "check.not-python")
    assert unfit.value.outcome.values.get("place", "1:1").startswith(place or "1:")
