"""What a learner's file may be, and what is said of one that does not fit: each in a real process."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from quizengine.checking.call import Broken, Call, Outcome, Raised, Returned
from quizengine.checking.isolate import Limits, Source, child_of

Q, K, V = np.eye(2), np.arange(6.0).reshape(3, 2), np.arange(12.0).reshape(3, 4)
CALL = Call({"Q": Q, "K": K, "V": V})
QUICK = Limits(call=1.0, load=2.0)


def outcome(
    code: str | bytes, call: Call = CALL, *, name: str = "own.py", wanted: str = "", folder: str = ""
) -> Outcome:
    content = code.encode() if isinstance(code, str) else code
    with child_of(Source(name, content, wanted, folder), "attention", limits=QUICK) as function:
        return function([call])[0]


DEF = "import numpy as np\ndef attention(Q, K, V, mask=None):\n    "
RETURNS = {  # what the function returns, and the shapes and kinds by stage
    "an array": ("Q @ K.T", {"output": ((2, 3), "<f8")}),
    "lists of lists": ("[[1, 2], [3, 4]]", {"output": ((2, 2), "<i8")}),
    "lists of three": ("[[1.0], [2.0], [3.0]]", {"output": ((3, 1), "<f8")}),
    "a list of rows": ("[row for row in K]", {"output": ((3, 2), "<f8")}),
    "a tuple of rows": ("tuple(K)", {"output": ((3, 2), "<f8")}),
    "rows in tuples": ("((1.0, 2.0), (3.0, 4.0))", {"output": ((2, 2), "<f8")}),
    "a pair": ("V, K", {"output": ((3, 4), "<f8"), "weights": ((3, 2), "<f8")}),
    "a pair of one query": ("V[0], K[:, 0]", {"output": ((4,), "<f8"), "weights": ((3,), "<f8")}),
    "a pair of lists": ("V.tolist(), K.tolist()", {"output": ((3, 4), "<f8"), "weights": ((3, 2), "<f8")}),
    "no weights": ("V, None", {"output": ((3, 4), "<f8")}),
    "stages": ("dict(scores=K, output=V, note=None)", {"scores": ((3, 2), "<f8"), "output": ((3, 4), "<f8")}),
    "half precision": ("V.astype(np.float16)", {"output": ((3, 4), "<f2")}),
    "booleans": ("V > 3", {"output": ((3, 4), "|b1")}),
    "a number": ("1.5", {"output": ((), "<f8")}),
    "no finite number": ("V / 0", {"output": ((3, 4), "<f8")}),
}


@pytest.mark.parametrize("name", RETURNS)
def test_what_a_function_may_return(name: str) -> None:
    result, stages = RETURNS[name]
    found = outcome(f"{DEF}return {result}")
    assert isinstance(found, Returned), found
    assert {stage: (a.shape, a.dtype.str) for stage, a in found.stages.items()} == stages


BROKEN = {  # what the file says, the message, and what of its values shows
    "nothing returned": (f"{DEF}Q @ K.T", "check.returned-nothing", ""),
    "text returned": (f"{DEF}return 'V'", "check.not-an-array", "str"),
    "an object returned": (f"{DEF}return attention", "check.not-an-array", "function"),
    "complex numbers": (f"{DEF}return V * 1j", "check.not-an-array", "complex128"),
    "ragged rows": (f"{DEF}return [[1], [2, 3]]", "check.ragged", ""),
    "three arrays": (f"{DEF}return V, K, Q", "check.too-many", "3"),
    "stages by number": (f"{DEF}return {{1: V}}", "check.not-named", "int"),
    "far too much": (f"{DEF}return np.zeros(2**25)", "check.too-large", ""),
    "a loop": (f"{DEF}while True: pass", "check.too-long", "1"),
    "a loop in the file": (f"{DEF}return V\nwhile True: pass", "check.too-long-load", "2"),
    "leaves": (f"{DEF}import os; os._exit(3)", "check.died", ""),
    "asks": (f"{DEF}return input('V? ')", "check.input", "3"),
    "asks in the file": (f"n = int(input())\n{DEF}return V", "check.input", "1"),
    "no Python": ("def attention(:", "check.syntax", "1:15"),
    "another library": (f"import no_such_library\n{DEF}return V", "check.no-module", "no_such_library"),
    "a library in the function": (f"{DEF}import no_such.thing", "check.no-module", "3"),
    "no function": ("x = 1", "check.nothing", ""),
    "several": ("def f(a): pass\ndef g(a): pass", "check.which", "f, g"),
    "too few parameters": ("def attention(Q, K): return Q", "check.signature", "(Q, K)"),
    "too many parameters": ("def attention(Q, K, V, d_k): return V", "check.signature", "(Q, K, V, d_k)"),
    "a class that needs something": (
        "class A:\n  def __init__(self, d): 0\n  def forward(self): 0",
        "check.init",
        "'d'",
    ),
    "no class any more": (
        "class A:\n  def forward(self, Q, K, V): return V\nA = 3",
        "check.no-function",
        "A",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_does_not_fit_is_said(name: str) -> None:
    code, message, shows = BROKEN[name]
    found = outcome(code)
    assert isinstance(found, Broken), found
    assert found.message == message
    assert shows in " ".join(map(str, found.values.values()))


RAISES = {
    "in the function": (f"{DEF}return Q @ K", "ValueError", 3, "return Q @ K"),
    "below it": (
        "def f(x):\n    return x[9]\ndef attention(Q, K, V):\n    return f(Q)",
        "IndexError",
        2,
        "return x[9]",
    ),
    "in a library": (f"{DEF}return np.linalg.inv(\n        K)", "LinAlgError", 3, "return np.linalg.inv("),
    "in the file": (f"{DEF}return V\nprint(1 / 0)", "ZeroDivisionError", 4, "print(1 / 0)"),
    "on purpose": (f"{DEF}raise SystemExit(2)", "SystemExit", 3, "raise SystemExit(2)"),
    "of its own": (
        "class Odd(Exception):\n  __str__ = None\ndef attention(Q, K, V):\n  raise Odd",
        "Odd",
        4,
        "raise Odd",
    ),
    "deep": (
        "def attention(Q, K, V):\n  return attention(Q, K, V)",
        "RecursionError",
        2,
        "return attention(Q, K, V)",
    ),
    "too much": (f"{DEF}return np.ones(2**40)", "MemoryError", 3, "return np.ones(2**40)"),
    "nothing named so": (f"{DEF}return softmax(V)", "NameError", 3, "return softmax(V)"),
}


@pytest.mark.parametrize("name", RAISES)
def test_an_exception_is_told_with_the_learners_own_line(name: str) -> None:
    code, kind, line, text = RAISES[name]
    found = outcome(code)
    assert isinstance(found, Raised), found
    assert (found.kind, found.line, found.text) == (kind, line, text)
    assert "Traceback" not in found.message


def test_the_one_that_is_named_is_called() -> None:
    code = "def attention(Q, K, V): return Q\ndef other(Q, K, V): return V"
    assert outcome(code, wanted="other").stages["output"].shape == V.shape
    assert outcome(code, wanted="third").values == {"function": "third", "names": "attention, other"}


def test_what_is_printed_is_kept_apart() -> None:
    found = outcome(
        f"print('loaded'){chr(10)}{DEF}print('Q', Q.shape); import sys; sys.stdout.flush(); return V"
    )
    assert found.printed == "Q (2, 2)\n"
    flood = outcome(f"{DEF}[print('x' * 999) for _ in range(9999)]; return V")
    assert len(flood.printed) == 2000


def test_what_is_changed_is_told() -> None:
    found = outcome(f"{DEF}Q /= 2; V[0] = 1; return V")
    assert found.changed == {"Q", "V"}


def test_a_mask_that_is_none_needs_no_parameter() -> None:
    none = Call({**CALL.arguments, "mask": None})
    assert isinstance(outcome("def attention(Q, K, V): return V", none), Returned)
    assert isinstance(outcome("def attention(Q, K, V, *, mask=None): return V", none), Returned)
    some = Call({**CALL.arguments, "mask": np.ones((2, 3), bool)})
    by_name = outcome("def attention(Q, K, V, *, mask): return mask", some)
    assert by_name.stages["output"].shape == (2, 3)
    assert outcome("def attention(Q, K, V): return V", some).message == "check.signature"


def test_random_numbers_follow_the_seed() -> None:
    code = f"import random\n{DEF}return [[np.random.rand(), random.random()]]"
    first, again, other = (outcome(code, CALL._replace(seed=seed)).stages["output"] for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).all()


def test_time_and_memory_are_measured() -> None:
    found = outcome(f"import time\n{DEF}time.sleep(0.05); x = np.ones((500, 500)); return x[:1]")
    assert 0.05 <= found.seconds < 1
    assert 2_000_000 <= found.bytes < 2_100_000


def test_the_end_of_the_file_is_not_run() -> None:
    """What stands under __main__ is for running the file, not for using it."""
    assert isinstance(outcome(f"{DEF}return V\nif __name__ == '__main__':\n    while True: pass"), Returned)


TORCH = '''
"""A stand-in for a library of tensors."""
import numpy
class Tensor:
    def __init__(self, array): self.array = array
    @property
    def shape(self): return self.array.shape
    def __matmul__(self, other): return Tensor(self.array @ other.array)
    def transpose(self, a, b): return Tensor(self.array.swapaxes(a, b))
    def detach(self): return self
    def cpu(self): return self
    def numpy(self): return self.array
    def __array__(self, *_, **__): raise TypeError("detach it first")
def from_numpy(array): return Tensor(array)
class Module:
    def __call__(self, *given): return self.forward(*given)
'''


def test_a_file_that_imports_torch_gets_tensors(tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text(TORCH)
    code = "import torch\ndef attention(Q, K, V): return Q @ K.transpose(-2, -1) @ V, Q @ K.transpose(-2, -1)"
    found = outcome(code, folder=str(tmp_path))
    np.testing.assert_array_equal(found.stages["output"], Q @ K.T @ V)
    np.testing.assert_array_equal(found.stages["weights"], Q @ K.T)
    layer = "import torch\nclass A(torch.Module):\n    def forward(self, query, key, value): return [value]"
    assert outcome(layer, folder=str(tmp_path)).stages["output"].shape == (1, 3, 4)
    assert outcome(code).values == {"module": "torch", "place": "1"}


def test_a_class_is_made_and_called() -> None:
    code = "class A:\n  def __init__(self, s=2): self.s = s\n  def forward(self, Q, K, V): return V * self.s"
    np.testing.assert_array_equal(outcome(code).stages["output"], 2 * V)


def test_the_engine_is_not_at_hand() -> None:
    found = outcome("def attention(Q, K, V):\n    from quizengine.attention.solver import solve")
    assert isinstance(found, Broken)
    assert found.values["module"].startswith("quizengine")


def cells(*codes: str) -> bytes:
    return json.dumps({"cells": [{"cell_type": "code", "source": code} for code in codes]}).encode()


def test_a_notebook_is_its_cells() -> None:
    own = cells(
        "%matplotlib inline\nimport numpy as np",
        "data = open('gone.csv')",
        "def attention(Q, K, V):\n    return np.ones(1)\n",
    )
    assert outcome(own, name="own.ipynb").stages["output"].shape == (1,)
    late = outcome(cells("import math", "def attention(Q, K, V):\n    return 1 / 0"), name="own.ipynb")
    assert (late.line, late.text) == (2, "[2]: return 1 / 0")
    never = outcome(
        cells("1 / 0", "if x:\n  def f(): 0", "def attention(Q, K, V): return V\ndel attention"),
        name="own.ipynb",
    )
    assert (never.kind, never.text) == ("ZeroDivisionError", "[1]: 1 / 0")
    assert outcome(cells("x =", "y"), name="own.ipynb").values["place"].startswith("[1]:1")
