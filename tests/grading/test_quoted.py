"""What somebody typed is data: no text of a learner or an instructor is parsed as markup, on any page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

LIVE = [
    "$x > 0",
    "**",
    "`",
    "$\\frac{",
    "$$",
    "\\sqrt",
    "a ` b ** c $ d",
    "{x}",
    "[a](b)",
    "<b>",
    "![i](u)",
    "&lt;",
    "www.a.example",
]


def _answers(path: Path, texts: dict[str, str]) -> Path:
    path.write_text(json.dumps([{"student": s, "answers": {"1": t}} for s, t in texts.items()]), "utf-8")
    return path


@pytest.mark.parametrize("item", ["masking.where", "scaling.spread", "masking.one-row", "order.steps"])
def test_one_hostile_answer_stops_no_class(tmp_path: Path, run, sheets_for, item: str) -> None:
    texts = {f"s{n}": f"B because {text}" for n, text in enumerate(LIVE)}
    manifest = sheets_for("id,name\n" + "".join(f"{s},\n" for s in texts), item)
    labels = json.loads(manifest.read_text("utf-8"))["sheets"][0]["items"][0]["labels"].values()
    data = [{"student": s, "answers": dict.fromkeys(labels, t)} for s, t in texts.items()]
    (tmp_path / "a.json").write_text(json.dumps(data), "utf-8")
    done = run("grade", manifest, tmp_path / "a.json", "--out", tmp_path / "m")
    assert done.exit_code == 0, done.output
    assert "fault of ours" not in done.output
    assert len(list((tmp_path / "m" / "feedback").glob("*.md"))) == len(texts)


def test_a_reason_quotes_and_is_never_parsed(run) -> None:
    done = run("mark", "masking.where", "--seed", 1, "--answer", "B because **x** $y", "--json")
    feedback = json.loads(done.stdout)["parts"][0]["feedback"]
    assert "B because **x** $y" in feedback


def test_an_instructors_words_are_quoted_too(tmp_path: Path, run, sheets_for) -> None:
    manifest = sheets_for("id,name\ns1,\n", "masking.where")
    grade = ("grade", manifest, _answers(tmp_path / "a.json", {"s1": "A"}), "--out", tmp_path / "m")
    run(*grade)
    run("marks", "override", manifest, "s1", "1", "--credit", "1", "--why", "a loss of $ and **")
    done = run(*grade)
    assert done.exit_code == 0, done.output
    [page] = (tmp_path / "m" / "feedback").glob("*.html")
    assert "a loss of $ and **" in page.read_text("utf-8")


def test_markdown_pages_hold_no_markup_of_a_learners(tmp_path: Path, run, sheets_for) -> None:
    hostile = "<img src=x onerror=alert(1)> [c](javascript:alert(1)) `` ` ` <b>"
    manifest = sheets_for("id,name\ns1,\n", "masking.where")
    run(
        "grade",
        manifest,
        _answers(tmp_path / "a.json", {"s1": hostile}),
        "--out",
        tmp_path / "m",
    )
    [page] = (tmp_path / "m" / "feedback").glob("*.md")
    outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", page.read_text("utf-8"))
    assert "<img" not in outside
    assert "<b>" not in outside
    assert "](" not in outside


def test_signs_that_steer_a_terminal_never_leave(run) -> None:
    done = run("mark", "masking.where", "--seed", 1, "--answer", "\u202eB\x9b31m", "--json")
    part = json.loads(done.stdout)["parts"][0]
    for text in (done.stdout, part["feedback"], part["reading"]):
        assert not set(text) & {"\u202e", "\x9b"}


def test_a_page_that_fails_is_told_and_the_class_goes_on(
    tmp_path: Path, run, sheets_for, monkeypatch: pytest.MonkeyPatch
) -> None:
    from quizengine.grading import batch

    def page(one, *rest, **more):
        if one.student == "s2":
            raise ValueError("no page")
        return whole(one, *rest, **more)

    whole = batch.page
    monkeypatch.setattr(batch, "page", page)
    manifest = sheets_for("id,name\ns1,\ns2,\ns3,\n", "masking.where")
    answers = _answers(tmp_path / "a.json", dict.fromkeys(["s1", "s2", "s3"], "A"))
    done = run("grade", manifest, answers, "--out", tmp_path / "m", exit=1)
    assert "s2: the page of feedback could not be made" in done.output
    assert len((tmp_path / "m" / "gradebook.csv").read_text("utf-8").splitlines()) == 4
    assert len(list((tmp_path / "m" / "feedback").glob("*.md"))) == 2
