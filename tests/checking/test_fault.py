"""What is told of code that does not fit: every message in both languages, with its place."""

from __future__ import annotations

import pytest

from quizengine.checking.call import Broken, Raised
from quizengine.checking.fault import fault_text
from quizengine.checking.wire import BROKEN
from quizengine.lang.quotation import shown

OURS = {  # what the judge's side says, and with which values
    "check.long-file": (),
    "check.died": (),
    "check.wire": (),
    "check.disk": ("most",),
    "check.too-long": ("seconds",),
    "check.too-long-load": ("seconds",),
    "check.too-long-all": ("seconds",),
}


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("message", [*BROKEN, *OURS])
def test_every_fault_can_be_told(message: str, lang) -> None:
    values = {name: "[2]:7:1" if name == "place" else f"<{name}>" for name in {**BROKEN, **OURS}[message]}
    [told] = map(shown, fault_text(Broken(message, values), lang))
    assert all(f"<{name}>" in told for name in values if name != "place")
    cell = {"en": "cell 2, line 7, character 1", "ja": "セル 2 の 7 行目の 1 文字目"}[lang]
    assert (cell in told) == ("place" in values)


@pytest.mark.parametrize(
    ("fault", "lang", "told"),
    [
        (
            Raised("ValueError", "shapes (2,2) and (3,2)", 3, "return Q @ K"),
            "en",
            ["It stops with ValueError in line 3: shapes (2,2) and (3,2)", "That line reads: return Q @ K"],
        ),
        (
            Raised("ValueError", "x", 3, "[2]: return Q @ K"),
            "ja",
            ["セル 2 の 3 行目で ValueError が発生して止まりました：x", "その行：return Q @ K"],
        ),
        (Raised("SystemExit", "\x1b[1m"), "en", ["It stops with SystemExit: [1m"]),
    ],
    ids=["a line", "a cell", "nowhere"],
)
def test_an_exception_is_told(fault: Raised, lang, told: list[str]) -> None:
    assert [shown(sentence) for sentence in fault_text(fault, lang)] == told
