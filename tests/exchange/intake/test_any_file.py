"""Whatever stands in a file: its questions come in or are listed, or it is refused; never anything else. And
what comes in can be read again, word for word."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from quizengine.errors import InputError
from quizengine.exchange.intake.entry import Ids, entry, slug, topic_text
from quizengine.exchange.intake.question import Answer, Outcome, Question
from quizengine.exchange.intake.source_file import read_source
from quizengine.files.document import read_text
from quizengine.lang.text import LANGUAGES

FILES = sorted((Path(__file__).parent / "files").iterdir())
SIGNS = (
    *(
        "{",
        "}",
        "=",
        "~",
        "#",
        "\\",
        "->",
        "%50%",
        "::",
        "\n",
        "\n\n",
        "T",
        "a",
        " ",
        "$",
        "####",
        "3:1",
        "..",
        "*",
    ),
    *(
        "A. b\n",
        "ANSWER: A\n",
        "[html]",
        "<b>",
        "//",
        "$CATEGORY: x\n",
        "é",
        "\x00",
        "'",
        "0",
        "1e9",
        "\\(x\\)",
    ),
)
TOKENS = st.sampled_from(SIGNS)


def read(path: Path, content: bytes) -> list[Outcome]:
    path.write_bytes(content)
    refused, outcomes = "", list[Outcome]()
    try:
        outcomes = [one for source in read_source(path) for one in source.outcomes]
    except InputError as error:
        refused = error.message
    assert "\n" not in refused
    return outcomes


def written(questions: list[Outcome]) -> str:
    ids = Ids()
    items = [entry(one, ids.of(one.name, "question"), "en") for one in questions if isinstance(one, Question)]
    return topic_text("t", ["q (GIFT)"], "en", items)


def sound(outcomes: list[Outcome]) -> None:
    """A topic file of them has no fault of form, and says of each what it should."""
    questions = [one for one in outcomes if isinstance(one, Question)]
    if not questions:
        return  # nothing is written then
    document = read_text(written(outcomes), "t.yaml")
    assert document.faults == []
    assert isinstance(document.data, dict)
    items = document.data["items"]
    assert isinstance(items, list)
    assert [item["prompt"]["en"] for item in items] == [one.prompt for one in questions]  # type: ignore[index,call-overload]


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200))
@example(b"<" * 100)
@example(b"<quiz>" + b"&#0;" + b"</quiz>")
def test_any_bytes(tmp_path: Path, content: bytes) -> None:
    sound(read(tmp_path / "q.bin", content))


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(TOKENS, max_size=25).map("".join))
def test_any_text_of_signs_that_mean_something(tmp_path: Path, text: str) -> None:
    sound(read(tmp_path / "q.gift", text.encode()))


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.name)
@settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_file_with_a_piece_changed(tmp_path: Path, file: Path, data: st.DataObject) -> None:
    content = file.read_bytes()
    at = data.draw(st.integers(0, len(content)))
    length = data.draw(st.integers(0, 40))
    other = data.draw(
        st.one_of(st.binary(max_size=8), TOKENS.map(str.encode), st.just(content[at : at + 300]))
    )
    sound(read(tmp_path / file.name, content[:at] + other + content[at + length :]))


@given(st.text(min_size=1, max_size=40), st.sampled_from(LANGUAGES))
def test_any_words_that_are_seen_are_written_so_that_they_are_read_again(text: str, lang: str) -> None:
    words = "\n\n".join(part.strip() for part in text.split("\n") if part.strip())
    if not words.isprintable() or not words:
        return
    answers = (Answer(words, 1), Answer(f"{words} 2", 0, words))  # type: ignore[arg-type]
    made = entry(Question(words, 1, "choice", words, answers, comments=(words,)), "a", lang)  # type: ignore[arg-type]
    document = read_text(f"items:\n{made}\n", "t.yaml")
    assert document.faults == []
    [item] = document.data["items"]  # type: ignore[index,call-overload,misc]
    assert item["prompt"][lang] == words  # type: ignore[index,call-overload]
    assert [each[lang] for each in item["wrong"].values()] == [f"{words} 2"]  # type: ignore[index,union-attr,call-overload]


@pytest.mark.parametrize("code", ["x = 1", "    x = 1\ny = 2", "if a:\n    b\n\n  c", " a"])
def test_a_program_keeps_its_spaces(code: str) -> None:
    answers = (Answer("a", 1), Answer("b", 0))  # type: ignore[arg-type]
    made = entry(Question("n", 1, "choice", "p", answers, code=code), "a", "en")
    document = read_text(f"items:\n{made}\n", "t.yaml")
    assert document.faults == []
    assert document.data["items"][0]["code"] == code  # type: ignore[index,call-overload]


@given(st.text(max_size=80))
def test_an_id_is_one(text: str) -> None:
    id_ = slug(text, "question")
    assert read_text(f"id: '{id_}'", "t").faults == []
    assert id_.strip("abcdefghijklmnopqrstuvwxyz0123456789-") == ""
    assert id_[:1] not in ("", "-")
    assert len(id_) <= 48
