"""Every door, every text of the readers' corpora, hostile neighbours: nothing stops, nothing is live, no sign
that steers a terminal leaves."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from quizengine.lang.characters import visible

ITEMS = ("masking.where", "order.steps", "masking.one-row", "scaling.spread", "scaling.saturation")
NEIGHBOURS = [
    "$",
    "**",
    "`",
    "``",
    "$\\frac{",
    "\\sqrt",
    "<b>",
    "<!--",
    "{x}",
    "{{ 1 }}",
    "%s",
    "](a)",
    "![i](u)",
]
NEIGHBOURS += [
    "&lt;",
    "|",
    "# ",
    "\x1b[2J",
    "\x9b31m",
    "\u202e",
    "\u2066",
    "\x00",
    "'",
    '"',
    "</script>",
    "\r",
]


def corpus() -> list[str]:
    """What the readers read and refuse."""
    path = Path(__file__).parents[1] / "responses" / "corpus.jsonl"
    texts = (json.loads(line)["text"] for line in path.read_text("utf-8").splitlines())
    return list(dict.fromkeys(text for text in texts if isinstance(text, str)))


TEXTS = [
    f"{before}{text}{after}"
    for text in ("B", *corpus())
    for n in NEIGHBOURS
    for before, after in ((n, ""), ("", n))
]
LANES = [pytest.param(TEXTS[::97], id="some"), pytest.param(TEXTS, id="all", marks=pytest.mark.slow)]
CODE = re.compile(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)")  # a span of code in Markdown
MOST = 200  # students of a class


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it is used: a fault of ours is told, not raised."""
    monkeypatch.delenv("QUIZENGINE_DEBUG")


@pytest.mark.parametrize("texts", LANES)
def test_a_class_of_hostile_answers_is_graded(
    tmp_path: Path, run, sheets_for, bare, texts: list[str]
) -> None:
    students = [f"s{n:05}" for n in range(min(MOST, len(texts)))]
    manifest = sheets_for("id,name\n" + "".join(f"{s},\n" for s in students), *ITEMS)
    items = json.loads(manifest.read_text("utf-8"))["sheets"][0]["items"]
    labels = [label for item in items for label in item["labels"].values()]
    own = {choice["text"] for item in items for part in item["parts"] for choice in part.get("choices", ())}
    for start in range(0, len(texts), MOST):
        some = dict(zip(students, texts[start : start + MOST], strict=False))
        rows = [{"student": s, "answers": dict.fromkeys(labels, text)} for s, text in some.items()]
        (tmp_path / "a.json").write_text(json.dumps(rows), "utf-8")
        out = tmp_path / str(start)
        done = run("grade", manifest, tmp_path / "a.json", "--out", out)
        assert "fault of ours" not in done.output
        assert f"graded: {len(some)}; not graded: 0" in done.output
        for path in filter(Path.is_file, out.rglob("*")):
            text = path.read_bytes().decode()
            assert text.replace("\r", "") == visible(text), path
        for path in (out / "feedback").glob("*.md"):
            for line in path.read_text("utf-8").splitlines():
                if line.startswith("Your answer:"):
                    beside = CODE.sub("", line.removeprefix("Your answer:")).strip()
                    assert beside in {"", *own}, line


@pytest.mark.parametrize("texts", LANES)
def test_a_terminal_and_a_program_are_told_of_them(run, bare, texts: list[str]) -> None:
    for number, text in enumerate(texts):
        item = ITEMS[number % len(ITEMS)]
        answer = text if item != "masking.one-row" else f"scaled={text}"
        if item == "scaling.spread":
            answer = f"variance={text}"
        for more in ((), ("--json",)):
            done = run("mark", item, "--seed", 1, "--answer", answer, *more)
            assert "fault of ours" not in done.output
            assert done.stdout.rstrip("\n") == visible(done.stdout).rstrip("\n"), text


@pytest.mark.parametrize("texts", LANES)
def test_a_session_goes_on(run, bare, texts: list[str]) -> None:
    typed = "".join(" ".join(text.split()) + "\n" for text in texts[:40])
    done = run(
        "take", *(word for item in ITEMS for word in ("--item", item)), "--seed", 1, "--new", input=typed
    )
    assert "fault of ours" not in done.output
