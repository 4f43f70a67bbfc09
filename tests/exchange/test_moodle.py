"""Moodle XML, as an independent reader has it: keys, tolerances, feedback, and the traps that are known."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from quizengine.exchange.cloze import cells
from quizengine.exchange.loss import moodle_losses
from quizengine.exchange.moodle import moodle_files, question
from quizengine.exchange.question_file import MB
from quizengine.exchange.stem_code import StemCode, stem_codes
from quizengine.exchange.xml_text import xml_text
from quizengine.items.policy import Policy
from quizengine.problems.part import ChoicePart, ChoicesPart, NumericPart, key_text
from quizengine.problems.pose import pose
from tests.exchange.conftest import EVERY_KIND
from tests.exchange.moodle_reader import SHARES, Question, cloze, read_moodle

STAMP = "2030-02-01 09:00:00"
BOXED = ("construct", "gaps", "estimate", "answer_and_reason", "short_answer")
CODE = StemCode("K7Q2M", 3)


def written(problem, catalogue) -> Question:
    root = question(problem, CODE, Policy(), catalogue)
    [found] = read_moodle(b"<quiz>" + xml_text(root).encode() + b"</quiz>")
    return found


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_kind_is_written_as_it_was(lang: str, exported, assert_golden) -> None:
    [file] = moodle_files(exported(*EVERY_KIND, languages=(lang,)), STAMP)
    assert_golden(f"exchange/moodle-{lang}.xml", file.content.decode())
    assert {q.kind for q in read_moodle(file.content)} == {
        *("cloze", "multichoice", "truefalse", "ordering", "matching", "essay", "shortanswer")
    }


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_item_of_the_bank_is_fit_for_an_import(bank, lang: str) -> None:
    for item in bank:
        found = written(pose(item, 1, lang, bank.catalogue), bank.catalogue)
        assert stem_codes(found.text)[-1:] == [CODE], item.id
        assert not re.search(r"\\\(|\$\$", found.text), item.id
        for cell in found.cells:
            best = max((answer.fraction for answer in cell.answers), default=100)
            assert found.kind in ("ordering", "matching", "essay") or best > 0, item.id
            if found.kind == "multichoice":
                assert all(min(abs(abs(a.fraction) - s) for s in SHARES) < 1e-4 for a in cell.answers), (
                    item.id
                )


def test_the_key_earns_all_of_it_and_no_rival_shadows_it(bank) -> None:
    for item in bank:
        problem = pose(item, 2, "en", bank.catalogue)
        found = written(problem, bank.catalogue)
        if found.kind != "cloze":
            continue
        boxes = cells(problem)
        assert len(found.cells) == len(boxes), item.id
        for box, cell in zip(boxes, found.cells, strict=True):
            part = box.part
            if isinstance(part, NumericPart):
                assert cell.given(str(part.key[box.row][box.column] / 1e9)).fraction == 100, item.id
                assert all(re.fullmatch(r"-?\d+(\.\d+)?", answer.text) for answer in cell.answers), item.id
                if part.decimals:
                    assert {round(a.tolerance * 10**part.decimals, 9) for a in cell.answers} == {1.01}
                    assert len(cell.answers[0].text.partition(".")[2]) == part.decimals + 2
            elif isinstance(part, ChoicePart):
                [right] = [answer for answer in cell.answers if answer.fraction == 100]
                assert right.text.startswith(f"{part.key}. "), item.id
                assert len(cell.answers) == len(part.choices)
            elif isinstance(part, ChoicesPart):
                assert sum(a.fraction for a in cell.answers if a.fraction > 0) == pytest.approx(100, abs=0.01)
            else:
                assert cell.given(" ".join(key_text(part, part.key).split())).fraction == 100, item.id


def test_a_rival_is_named_in_every_cell_that_it_changes(bank) -> None:
    named = 0
    for item in bank:
        problem = pose(item, 3, "en", bank.catalogue)
        if not problem.numeric:
            continue
        boxes, found = cells(problem), written(problem, bank.catalogue)
        for rival in problem.rivals:
            name = re.sub(r"[^A-Za-z ].*", "", bank.catalogue[rival.misconception].name["en"])
            for box, cell in zip(boxes, found.cells, strict=True):
                value, key = rival.values.get(box.part.id), box.part.key
                if value is None or (len(value), len(value[0])) != (len(key), len(key[0])):
                    continue
                given = cell.given(str(value[box.row][box.column] / 1e9))
                assert given is not None, (item.id, rival.misconception)
                if given.fraction < 100:
                    assert name in given.feedback, (item.id, rival.misconception)
                    named += 1
    assert named > 500


def test_a_wrong_one_of_several_choices_is_named(bank) -> None:
    problem = pose(bank.item("inference.what-shrinks-it"), 1, "en", bank.catalogue)
    [part], [cell] = problem.parts, written(problem, bank.catalogue).cells
    named = {label for rival in problem.rivals for label in rival.values[part.id]} - {*part.key}
    assert named
    for answer in cell.answers:
        label = answer.text.partition(".")[0]
        assert label not in part.key or not answer.feedback
        assert label not in named or answer.feedback, label


def test_a_value_that_two_mistakes_share_names_both(bank) -> None:
    found = [
        answer.feedback
        for item in ("masking.one-row", "head.from-input")
        for cell in written(pose(bank.item(item), 1, "en", bank.catalogue), bank.catalogue).cells
        for answer in cell.answers
    ]
    assert any(" or " in text for text in found)


def test_signs_that_mean_something_in_a_cell_come_back(bank) -> None:
    problem = pose(bank.item("head.padded-batch"), 1, "en", bank.catalogue)
    nasty = r"a ~ b = {c} # d & <e> \f ]]> * {1:NUMERICAL:=3}"
    part = next(part for part in problem.parts if isinstance(part, ChoicePart))
    choices = tuple(choice._replace(text=nasty.replace("<e>", "e")) for choice in part.choices)
    parts = tuple(p._replace(choices=choices) if p is part else p for p in problem.parts)
    found = written(problem._replace(parts=parts, prompt=nasty), bank.catalogue)
    assert len(found.cells) == len(problem.parts)
    texts = [a.text for cell in found.cells if cell.kind == "MULTICHOICE_V" for a in cell.answers]
    assert "A. " + nasty.replace("<e>", "e").replace("&", "&amp;").replace("]]>", "]]&gt;") in texts


def test_an_ordering_says_how_many_are_right_else_the_import_dies(exported) -> None:
    [file] = moodle_files(exported("order.steps"), STAMP)
    [found] = read_moodle(file.content)
    assert found.root.findtext("shownumcorrect") == "1"
    assert [float(node.get("fraction", 0)) for node in found.root.iter("answer")] == [1, 2, 3, 4, 5, 6]


def test_a_category_an_item_of_this_export_alone_and_without_a_context(exported) -> None:
    manifest = exported("masking.where", "order.steps", variants=3)
    [one] = moodle_files(manifest, STAMP)
    [other] = moodle_files(manifest, "2030-02-02 09:00:00")
    found, later = read_moodle(one.content), read_moodle(other.content)
    assert len({q.category for q in found}) == 2
    assert {q.category for q in found}.isdisjoint({q.category for q in later})
    assert all(q.category.startswith("top/") and "$" not in q.category for q in found)
    ids = [node.text for node in ET.fromstring(one.content).iter("idnumber")]
    assert len(ids) == len(set(ids)) == 8


def test_files_are_no_larger_than_asked(exported) -> None:
    manifest = exported("masking.one-row", "masking.where", variants=6)
    whole, *_ = moodle_files(manifest, STAMP)
    parts = list(moodle_files(manifest, STAMP, 60_000))
    assert len(whole.content) > 60_000 >= max(len(part.content) for part in parts)
    names = [[q.name for q in read_moodle(part.content)] for part in parts]
    assert [name for some in names for name in some] == [q.name for q in read_moodle(whole.content)]
    assert all(q.category for part in parts for q in read_moodle(part.content))


def test_a_hundred_variants_say_remedies_once_a_question(exported, bank) -> None:
    manifest = exported("masking.one-row")
    [file] = moodle_files(manifest, STAMP)
    [found] = read_moodle(file.content)
    remedy = "Divide by" if "Divide by" in found.after else found.after[-60:]
    assert remedy not in "".join(answer.feedback for cell in found.cells for answer in cell.answers)
    assert len(file.content) < 2 * MB / 20


def test_losses_name_every_item_that_loses_anything(bank) -> None:
    problems = [pose(item, 1, "en", bank.catalogue) for item in bank]
    lost = {loss.item for loss in moodle_losses(problems)}
    chosen = {p.item for p in problems if all(part.kind in ("choice", "choices") for part in p.parts)}
    assert lost >= {p.item for p in problems if p.hints or p.numeric or p.type in BOXED}
    assert not lost & {p.item for p in problems if p.item in chosen and not p.hints}
    assert all(loss.told(lang) for loss in moodle_losses(problems) for lang in ("en", "ja"))


def test_the_reader_can_fail() -> None:
    [cell] = cloze("{2:NUMERICAL:=0.5:0.01#yes~%0%0.7:0.01#no}")
    assert (cell.weight, cell.given("0.505").feedback, cell.given("0.7").feedback) == (2, "yes", "no")
    assert cell.given("0.6") is None
