"""What is taken in, given out and taken in again is the same, in every format that can be written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from quizengine.files.document import read_text
from quizengine.items.markup import parse
from quizengine.lang.text import LANGUAGES

FILES = Path(__file__).parent / "files"
WORDS = {"short_answer"}  # which a person reads: they go out as essays, and do not come in
UNCARRIED = {
    "moodle": WORDS,
    "gift": WORDS | {"points"},
    "aiken": WORDS | {"points", "why"},
    "canvas": WORDS | {"wrong values"},
}

WRITTEN = {"moodle": "moodle.xml", "canvas": "canvas.zip"}  # of other formats there are several files


def filled(text: str) -> str:
    """The bank with something in place of each TODO."""
    number = count(1)
    text = re.sub(r"(value: \S+) is: TODO", r"\1 is: mask-past", text)
    text = re.sub(r"\bis: TODO", lambda _: "why: {en: 'No.', ja: 'いいえ。'}", text)
    return re.sub(r"(?<=[ \[])TODO(?=[,}\]\n])", lambda _: f"'書く{next(number)}'", text)


def carried(text: str, left_out: set[str], lang: str) -> list[dict[str, Any]]:
    """The items of a bank in one language, as far as a format carries them: not hints, what a spare line
    shows, nor the name of a misconception."""
    items = read_text(text, "b.yaml").data["items"]  # type: ignore[index,call-overload]
    return [dict(_fields(item, left_out, lang)) for item in items if item["type"] not in left_out]


def _fields(item: dict[str, Any], left_out: set[str], lang: str) -> Iterator[tuple[str, Any]]:
    for key, value in item.items():
        match key:
            case _ if key == "hints" or key in left_out:
                continue
            case "spare":
                yield key, sorted(str(parse(words[lang])) for words in value.values())
            case "wrong" if item["type"] == "estimate" and "wrong values" in left_out:
                continue
            case "wrong" if item["type"] == "estimate":
                yield key, [wrong["value"] for wrong in value]
            case "explain" if item["type"] == "estimate":
                continue  # remedies are added there
            case _:
                yield key, _spoken(value, left_out, lang)


def _spoken(value: Any, left_out: set[str], lang: str) -> Any:
    match value:
        case {"en": str()}:
            why = None if "why" in left_out else value.get("why")
            return (parse(value[lang]), parse(why[lang])) if why else parse(value[lang])
        case dict():
            return {key: _spoken(each, left_out, lang) for key, each in value.items()}
        case list():
            return [_spoken(each, left_out, lang) for each in value]
    return value


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("kind", "file"),
    [
        ("moodle", "quiz.xml"),
        ("moodle", "canvas.xml"),
        ("gift", "quiz.gift"),
        ("gift", "canvas.xml"),
        ("aiken", "quiz.aiken.txt"),
        ("canvas", "quiz.xml"),
        ("canvas", "canvas.xml"),
    ],
)
def test_in_and_out_and_in_again_is_the_same(run, tmp_path: Path, kind: str, file: str, lang: str) -> None:
    bank, again = tmp_path / "masks.yaml", tmp_path / "again.yaml"
    run("bank", "import", FILES / file, "--out", bank, "--topic", "masks", "--lang", lang)
    bank.write_text(filled(bank.read_text("utf-8")), "utf-8")
    run("bank", "check", bank)
    items = read_text(bank.read_text("utf-8"), "b").data["items"]  # type: ignore[index,call-overload]
    named = [word for item in items for word in ("--item", f"masks.{item['id']}")]
    out = tmp_path / "out"
    run("export", kind, "--bank", bank, *named, "--lang", lang, "--out", out)
    run(
        "bank",
        "import",
        out / WRITTEN[kind] if kind in WRITTEN else out,
        "--out",
        again,
        "--topic",
        "masks",
        "--lang",
        lang,
    )
    left_out = UNCARRIED[kind]
    assert carried(again.read_text("utf-8"), left_out, lang) == carried(
        bank.read_text("utf-8"), left_out, lang
    )


def test_a_second_import_gives_the_same_bytes(run, tmp_path: Path) -> None:
    made = []
    for name in ("a.yaml", "b.yaml"):
        run(
            "bank",
            "import",
            FILES / "quiz.xml",
            FILES / "quiz.gift",
            "--out",
            tmp_path / name,
            "--topic",
            "t",
        )
        made.append((tmp_path / name).read_bytes())
    assert made[0] == made[1]
