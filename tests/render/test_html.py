"""Pages for a browser: no sign that hides or turns what stands there gets through."""

from __future__ import annotations

import pytest

from quizengine.lang.characters import visible
from quizengine.render.html import feedback_html, sheet_html

STEERING = "a\x9bb\u202ec\x07d"


def sheet(name: str, title: str) -> dict[str, object]:
    words = dict.fromkeys(("name", "id", "code_label"), "")
    told = {
        "title": title,
        "course": "",
        "date": "",
        "instructions": [],
        "how": "",
        "time": "",
        "words": words,
    }
    who = {"lang": "en", "code": "AB", "student": "s1", "name": name, "total": "", "extra": ""}
    return {**told, **who, "sections": [{"title": "", "problems": []}]}


@pytest.mark.parametrize("where", ["name", "title"])
def test_of_a_sheet(where: str) -> None:
    text = sheet_html({"en": sheet(**{"name": "x", "title": "y"} | {where: STEERING})})
    assert "abcd" in text
    assert visible(text) == text
    assert text == sheet_html({"en": sheet(**{"name": "x", "title": "y"} | {where: "abcd"})})


@pytest.mark.parametrize("where", ["heading", "title", "total"])
def test_of_feedback(where: str) -> None:
    told = dict.fromkeys(("heading", "title", "code", "total", "late"), "x") | {"lang": "en", "problems": []}
    text = feedback_html(told | {where: STEERING})
    assert text == feedback_html(told | {where: "abcd"})
