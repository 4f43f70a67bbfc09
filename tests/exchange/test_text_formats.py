"""GIFT, Aiken and Anki, as readers after their own rules have them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from quizengine.exchange.aiken import aiken, aiken_loss
from quizengine.exchange.anki import anki_text
from quizengine.exchange.gift import gift, gift_loss, gift_text
from quizengine.items.policy import Policy
from quizengine.problems.pose import pose
from tests.exchange.conftest import EVERY_KIND

SHARES = re.compile(r"-?(100|50|33\.33333|25|20|16\.66667|14\.28571|12\.5|11\.11111|10|0)")


def plain_gift(text: str) -> tuple[str, str, list[tuple[str, str, str]], str]:
    """Title, stem, answers as (sign, text, feedback) and general feedback of one question, by Moodle's
    order of rules."""
    hidden = {f"\\{sign}": chr(0xE000 + i) for i, sign in enumerate("\\:#=~{}n")}
    text = re.sub(r"\\[\\:#=~{}n]", lambda m: hidden[m[0]], text.strip())
    back = {private: "\n" if name == "\\n" else name[1] for name, private in hidden.items()}

    def shown(part: str) -> str:
        return "".join(back.get(sign, sign) for sign in part).strip()

    assert "\n\n" not in text
    title, _, rest = text.removeprefix("::").partition("::")
    stem, _, inner = rest.removeprefix("[html]").partition("{")
    body, closed, after = inner.partition("}")
    assert closed
    assert not after
    body, _, general = body.partition("####")
    found = re.findall(r"([=~])((?:%-?[\d.]+%)?)([^=~#]*)(?:#([^=~]*))?", body.removeprefix("#"))
    answers = [(sign + share, shown(given), shown(said)) for sign, share, given, said in found]
    return shown(title), shown(stem), answers or [("", body.strip(), "")], shown(general)


def test_gift_is_written_as_it_was(bank, assert_golden) -> None:
    problems = [pose(bank.item(id_), 1, "en", bank.catalogue) for id_ in EVERY_KIND]
    texts = [gift(p, p.item, Policy(), bank.catalogue) for p in problems if not gift_loss(p)]
    assert_golden("exchange/questions.gift", "\n".join(texts))


def test_gift_shows_what_is_answered_by_a_letter(bank) -> None:
    problem = pose(bank.item("head.square-projection"), 1, "en", bank.catalogue)
    text = gift(problem, "x", Policy(), bank.catalogue)
    assert all(f"<p>{choice.label}. " in text for choice in problem.parts[0].choices)


def test_gift_has_the_range_of_an_estimate(bank) -> None:
    item = bank.item("complexity.bytes-of-a-score-matrix")
    problem = pose(item, 1, "en", bank.catalogue)
    least, most = (float(bound) / 1e9 for bound in problem.parts[0].bounds)
    [found] = re.findall(r"\{#(\S+)\.\.(\S+)", gift(problem, "x", Policy(), bank.catalogue))
    assert [float(text) for text in found] == pytest.approx([least, most])


def test_gift_says_what_is_right_in_every_item_that_it_carries(bank) -> None:
    kinds = set()
    posed = [(item, pose(item, 1, "en", bank.catalogue)) for item in bank]
    posed += [  # one number by itself
        (item, problem._replace(parts=(part,)))
        for item, problem in posed
        for part in problem.numeric
        if part.kind == "number"
    ]
    for item, problem in posed:
        if gift_loss(problem):
            continue
        title, stem, answers, _ = plain_gift(gift(problem, item.id, Policy(), bank.catalogue))
        part = problem.parts[0]
        kinds.add(part.kind)
        assert title == item.id
        assert stem.startswith("<p>"), item.id
        assert all(SHARES.fullmatch(sign[1:].strip("%")) for sign, *_ in answers if "%" in sign), item.id
        if problem.type == "true_false":
            assert answers[0][1].startswith("TRUE" if part.key == "A" else "FALSE"), item.id
        elif part.kind == "choice":
            [place] = [i for i, (sign, *_) in enumerate(answers) if sign == "="]
            assert part.choices[place].label == part.key, item.id
            assert len(answers) == len(part.choices), item.id
        elif part.kind == "choices":
            right = [c.label for c, (sign, *_) in zip(part.choices, answers, strict=True) if "%-" not in sign]
            assert tuple(right) == part.key, item.id
        elif part.kind == "number":
            assert answers[0][0] == "=%100%", item.id
            assert all(re.fullmatch(r"-?\d+(\.\d+)?:\d+(\.\d+)?", text) for _, text, _ in answers), item.id
            assert float(answers[0][1].partition(":")[0]) * 1e9 == pytest.approx(part.key[0][0]), item.id
        elif part.kind == "pairs":
            assert all(" -> " in f" {text}" for _, text, _ in answers), item.id
    assert kinds >= {"choice", "choices", "number", "pairs", "words", "shape", "tiers", "estimate"}


@pytest.mark.parametrize("text", [r"\neq {a} ~b =c #d :e", "a -> b", "0\n0", "[1, 2] is?", "]]>&amp;"])
def test_any_text_comes_back_from_gift(text: str) -> None:
    title, stem, answers, _ = plain_gift(
        f"::{gift_text(text)}::[html]{gift_text(text)}{{={gift_text(text)}}}"
    )
    wanted = text.replace("->", "→")
    assert (title, stem, answers) == (wanted, wanted, [("=", wanted, "")])


def test_aiken_is_a_line_a_question_and_a_choice(bank) -> None:
    carried = 0
    for item in bank:
        problem = pose(item, 1, "en", bank.catalogue)
        if aiken_loss(problem):
            continue
        carried += 1
        stem, *choices, answer, end = aiken(problem).split("\n")
        assert not re.match(r"[A-Z][.)]|ANSWER", stem), item.id
        assert end == ""
        assert [choice[:3] for choice in choices] == [f"{c.label}. " for c in problem.parts[0].choices]
        assert answer == f"ANSWER: {problem.parts[0].key}"
    assert carried > 100


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_anki_has_a_note_an_item_with_four_cells(bank, lang: str) -> None:
    problems = [pose(item, seed, lang, bank.catalogue) for item in bank for seed in (1, 2)]
    header, notes = [], []
    for line in anki_text(problems, Policy(), lang).splitlines():
        (header if line.startswith("#") else notes).append(line)
    assert "#separator:tab" in header
    assert len(notes) == len(list(bank))
    for note in notes:
        cells = re.findall(r'(?:^|\t)("(?:[^"]|"")*"|[^"\t]*)', note)
        assert len(cells) == 4, note[:80]
        assert all(cells), note[:80]


@pytest.mark.parametrize("kind", ["gift", "aiken", "anki"])
def test_an_export_to_a_file_says_what_it_left_out(run, tmp_path: Path, kind: str) -> None:
    out = tmp_path / "questions.txt"
    items = ("--item", "masking.where", "--item", "masking.one-row", "--item", "averaging.zero-scores")
    said = " ".join(run("export", kind, *items, "--seed", 1, "--out", out).stdout.split())
    assert f"{out}: {3 if kind == 'anki' else 2} questions" in said
    assert (tmp_path / "questions.txt.losses.txt").exists() == (kind != "anki")
    assert ("masking.one-row" in said) == (kind != "anki")
    assert "there already" in run("export", kind, *items, "--seed", 1, "--out", out, exit=2).stderr


def test_what_no_format_carries_is_refused(run, tmp_path: Path) -> None:
    result = run("export", "aiken", "--item", "masking.one-row", "--out", tmp_path / "q.txt", exit=2)
    assert "nothing can be carried" in result.stderr
    assert not (tmp_path / "q.txt").exists()
