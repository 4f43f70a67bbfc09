"""Canvas packages, as an independent reader of QTI 1.2 has them: keys, rivals, feedback, groups."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from fractions import Fraction

import pytest

from quizengine.exchange.canvas_item import canvas_item
from quizengine.exchange.canvas_package import canvas_files
from quizengine.exchange.fragment import Pictures
from quizengine.exchange.loss import canvas_lacks, canvas_losses
from quizengine.exchange.package import identifier
from quizengine.exchange.rival_choice import FEWEST, rival_choice
from quizengine.exchange.xml_text import xml_document
from quizengine.items.close import SEAL
from quizengine.items.policy import Policy
from quizengine.marking.judge import judge
from quizengine.problems.part import ChoicePart, ChoicesPart, NumericPart
from quizengine.problems.pose import pose
from quizengine.responses.read import read
from tests.exchange.canvas_reader import NS, plain_tags, processed, unpacked
from tests.exchange.conftest import EVERY_KIND, HOSTILE, texts_replaced

KINDS = ("multiple_choice", "true_false", "multiple_answers", "matching", "essay", "short_answer")
STAMP = "2030-02-01 09:00:00"
CHILDREN = {  # after the schema of QTI 1.2.1
    "questestinterop": "(assessment )?",
    "assessment": "(qtimetadata )?(section )+",
    "section": "(selection_ordering )?((section|item) )*",
    "selection": "(selection_number )?(selection_extension )?",
    "item": "itemmetadata presentation resprocessing (itemfeedback )*",
    "presentation": "material ((response_lid|response_str) )+",
    "response_lid": "(material )?render_choice ",
    "response_str": "render_fib ",
    "render_choice": "(response_label )+",
    "resprocessing": "outcomes (respcondition )+",
    "respcondition": "conditionvar (setvar )*(displayfeedback )*",
    "itemfeedback": "(flow_mat )+",
    "material": "mattext ",
}


def written(problem, catalogue) -> ET.Element:
    item = canvas_item(problem, "title", "i1", Policy(), catalogue, Pictures({}, "images/", "images/"))
    return plain_tags(xml_document(item))


def chosen(item: ET.Element, *, right: bool) -> list[set[str] | str]:
    """What may be chosen in a question with one choice: the right ones, or the others."""
    idents = [label.get("ident", "") for label in item.iter("response_label")]
    return [one for one in idents if (processed(item, {"response1": one}).score == 100) == right]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_kind_is_written_as_it_was(lang: str, exported, assert_golden) -> None:
    [file] = canvas_files(exported(*EVERY_KIND, languages=(lang,)), STAMP)
    files = {name: content for name, content in unpacked(file.content).items() if name.endswith(".xml")}
    assert_golden(
        f"exchange/canvas-{lang}.txt", "\n".join(f"{name}\n{files[name].decode()}" for name in files)
    )
    kinds = {node.text for node in plain_tags([*files.values()][-1]).iter("fieldentry")}
    assert {f"{kind}_question" for kind in KINDS} <= kinds


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_item_of_the_bank_is_carried_as_the_schema_has_it_or_said_to_be_lost(bank, lang: str) -> None:
    carried, lost = 0, set()
    for item in bank:
        problem = pose(item, 1, lang, bank.catalogue)
        if canvas_lacks(problem, Policy(), bank.catalogue):
            lost.add(item.id)
            continue
        carried += 1
        root = written(problem, bank.catalogue)
        for node in root.iter():
            tags = "".join(f"{child.tag} " for child in node)
            assert node.tag not in CHILDREN or re.fullmatch(CHILDREN[node.tag], tags), (item.id, node.tag)
        idents = [node.get("ident") for node in root.iter("itemfeedback")]
        shown = {node.get("linkrefid") for node in root.iter("displayfeedback")}
        assert len(idents) == len(set(idents))
        assert {*idents} == shown, item.id
        assert not re.search(r"<svg|<details|\\\(", "".join(root.itertext())), item.id
    assert carried > 300
    problems = [pose(item, 1, lang, bank.catalogue) for item in bank]
    assert lost < {loss.item for loss in canvas_losses(problems, Policy(), bank.catalogue)}


def test_the_key_earns_all_and_every_other_choice_less_and_is_told_why(bank) -> None:
    told = 0
    for item in bank:
        problem = pose(item, 2, "en", bank.catalogue)
        part = problem.parts[0]
        if len(problem.parts) > 1 or not isinstance(part, ChoicePart):
            continue
        root = written(problem, bank.catalogue)
        [key] = chosen(root, right=True)
        labels = [label.get("ident") for label in root.iter("response_label")]
        assert part.choices[labels.index(key)].label == part.key, item.id
        for ident, choice in zip(labels, part.choices, strict=True):
            result = processed(root, {"response1": ident})
            names = [r.misconception for r in problem.rivals if r.values[part.id] == choice.label]
            assert result.score == (100 if choice.label == part.key else 0)
            if names or choice.why:
                own = [text for text in result.feedback if "<ul>" not in text]
                assert own, (item.id, choice.label)
                told += 1
    assert told > 400


def test_a_number_is_chosen_among_the_key_and_what_mistakes_give(bank) -> None:
    asked = 0
    for item in bank:
        problem = pose(item, 3, "en", bank.catalogue)
        if not problem.numeric or canvas_lacks(problem, Policy(), bank.catalogue):
            continue
        root = written(problem, bank.catalogue)
        part, options = rival_choice(problem, Policy(), bank.catalogue)
        texts = [label.findtext(".//mattext", "") for label in root.iter("response_label")]
        [key] = chosen(root, right=True)
        right = texts[int(key) - 1001]
        wrong = {text for text in texts if text != right}
        assert len(texts) == len(set(texts)) == len(options)
        assert len(wrong) >= FEWEST, item.id
        shares = [judged(problem, part, text) for text in wrong]
        assert judged(problem, part, right) == part.points, item.id
        assert all(share < part.points for share in shares), item.id
        for ident in chosen(root, right=False):
            assert any("<ul>" not in said for said in processed(root, {"response1": ident}).feedback), item.id
        asked += 1
    assert asked > 15


def judged(problem, part, text: str):
    """What our own marking gives for this text in this part alone."""
    alone = problem._replace(parts=(part,))
    return judge(alone, {part.id: read(part, text)}, Policy()).parts[0].credit


def test_all_that_are_right_and_nothing_else_earn(bank) -> None:
    for item in bank:
        problem = pose(item, 1, "en", bank.catalogue)
        part = problem.parts[0]
        if len(problem.parts) > 1 or not isinstance(part, ChoicesPart):
            continue
        root = written(problem, bank.catalogue)
        idents = {c.label: str(1001 + i) for i, c in enumerate(part.choices)}
        key = {idents[label] for label in part.key}
        assert processed(root, {"response1": key}).score == 100, item.id
        for label, ident in idents.items():
            result = processed(root, {"response1": key ^ {ident}})
            assert result.score == 0, item.id
            if any(label in rival.values[part.id] for rival in problem.rivals) and label not in part.key:
                assert any("<ul>" not in said for said in result.feedback), item.id


@pytest.mark.parametrize("id_", ["averaging.which-row", "order.steps"])
def test_each_line_that_is_matched_rightly_earns_its_share(bank, id_: str) -> None:
    problem = pose(bank.item(id_), 1, "en", bank.catalogue)
    root, part = written(problem, bank.catalogue), problem.parts[0]
    assert root.findtext(".//fieldentry") == "matching_question"
    lines = [lid.get("ident", "") for lid in root.iter("response_lid")]
    right = {}
    for ident in lines:
        for label in root.iter("response_label"):
            if processed(root, {ident: label.get("ident")}).score:
                right[ident] = label.get("ident")
    assert [*right] == lines
    assert processed(root, right).score == pytest.approx(100)
    assert 0 < processed(root, {lines[0]: right[lines[0]]}).score < 100
    if part.kind == "order":
        by_place = sorted(zip(right.values(), part.choices, strict=True))
        assert tuple(choice.label for _, choice in by_place) == part.key


def test_an_estimate_is_right_within_its_factor(bank) -> None:
    for item in bank:
        problem = pose(item, 1, "en", bank.catalogue)
        [part, *more] = problem.parts
        if more or part.kind != "estimate":
            continue
        root, key = written(problem, bank.catalogue), part.key[0][0] / 1e9
        factor = float(part.factor)
        assert processed(root, {"response1": str(key)}).score == 100
        assert processed(root, {"response1": str(key * factor * 0.999)}).score == 100
        assert processed(root, {"response1": str(key / factor * 0.99)}).score == 0
        assert "half the points" not in root.findtext(".//mattext", "")


def test_a_value_is_right_within_its_bounds(bank) -> None:
    item = next(one for one in bank if one.metadata.type == "estimate")
    problem = pose(item, 1, "en", bank.catalogue)
    part = problem.parts[0]._replace(key=((-2 * SEAL,),), factor=Fraction(0), within=SEAL // 2)
    root = written(problem._replace(parts=(part,), rivals=()), bank.catalogue)
    for typed, score in (("-2.5", 100), ("-1.5", 100), ("-2.51", 0), ("2", 0)):
        assert processed(root, {"response1": typed}).score == score


def test_a_typed_text_is_right_in_each_known_spelling(bank) -> None:
    problem = pose(bank.item("averaging.shape-of-an-average"), 1, "en", bank.catalogue)
    root, key = written(problem, bank.catalogue), problem.parts[0].key
    for text in (key, key.replace(" ", "")):
        assert processed(root, {"response1": text}).score == 100
    assert processed(root, {"response1": "(1, 1)"}).score == 0


def test_a_group_an_item_draws_one_of_its_variants(exported) -> None:
    manifest = exported("masking.where", "masking.one-row", "head.padded-batch", variants=3)
    [file] = canvas_files(manifest, STAMP)
    files = unpacked(file.content)
    assert file.questions == 6  # an item with several parts cannot be asked
    root = plain_tags(next(content for name, content in files.items() if re.fullmatch(r"(.+)/\1.xml", name)))
    groups = root.findall("assessment/section/section")
    assert [len(group.findall("item")) for group in groups] == [3, 3]
    assert {group.findtext(".//selection_number") for group in groups} == {"1"}
    worth = [group.findtext(".//points_per_item") for group in groups]
    assert worth == [str(problem.points) for problem in manifest.sheets[0].problems[:2]]
    meta = next(content for name, content in files.items() if name.endswith("assessment_meta.xml"))
    total = ET.fromstring(meta).findtext("{http://canvas.instructure.com/xsd/cccv1p0}points_possible")
    assert total == str(sum(map(int, worth)))
    idents = [node.get("ident") for node in root.iter() if node.tag in ("item", "section", "assessment")]
    assert len(idents) == len(set(idents))


def test_the_manifest_lists_every_file_and_a_picture_is_one(exported) -> None:
    [file] = canvas_files(exported("averaging.picture-of-an-average"), STAMP)
    files = unpacked(file.content)
    manifest = ET.fromstring(files["imsmanifest.xml"])
    space = "{http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1}"
    listed = {node.get("href") for node in manifest.iter(f"{space}file")}
    assert listed == files.keys() - {"imsmanifest.xml"}
    [picture] = [name for name in files if name.endswith(".svg")]
    assert ET.fromstring(files[picture]).tag == "{http://www.w3.org/2000/svg}svg"
    text = "".join(next(plain_tags(c) for n, c in files.items() if re.match(r"(.+)/\1", n)).itertext())
    assert f'src="%24IMS-CC-FILEBASE%24/{picture}"' in text
    assert "<table>" in text


def test_the_same_export_is_the_same_bytes_and_another_has_its_own_names(exported) -> None:
    manifest = exported("masking.where", variants=2)
    [one], [same], [later] = (list(canvas_files(manifest, s)) for s in (STAMP, STAMP, "2030-02-02 09:00:00"))
    assert one == same
    assert {*unpacked(one.content)} & {*unpacked(later.content)} == {"imsmanifest.xml"}
    assert identifier("a", "b") != identifier("ab")


@pytest.mark.parametrize("text", HOSTILE)
def test_any_text_arrives_as_it_is(bank, text: str) -> None:
    problem = texts_replaced(pose(bank.item("masking.where"), 1, "ja", bank.catalogue), text)
    root = written(problem, bank.catalogue)
    seen = [ET.fromstring(f"<p>{node.text}</p>") for node in root.iter("mattext")]
    safe = "".join("\ufffd" if ord(sign) < 32 and sign not in "\t\n" else sign for sign in text)
    shown = [" ".join("".join(one.itertext()).split()) for one in seen]
    assert " ".join(safe.split()) in shown[1:]
    assert chosen(root, right=True)


def test_the_given_numbers_are_told_apart_even_where_formulae_are_words_in_a_row(bank) -> None:
    tables = 0
    for item in bank:
        problem = pose(item, 1, "en", bank.catalogue)
        if not canvas_lacks(problem, Policy(), bank.catalogue):
            texts = [node.text or "" for node in written(problem, bank.catalogue).iter("mattext")]
            assert not any("<mtable" in text or "<mphantom" in text for text in texts), item.id
            tables += texts[0].count("<table><tbody>")
    assert tables > 50


def test_the_reader_can_fail() -> None:
    item = plain_tags(
        f'<item xmlns="{NS[1:-1]}"><resprocessing><respcondition continue="No"><conditionvar><and>'
        '<varequal respident="r">1</varequal><not><varequal respident="r">2</varequal></not></and>'
        '</conditionvar><setvar action="Set">100</setvar></respcondition></resprocessing></item>'.encode()
    )
    assert [processed(item, {"r": given}).score for given in ({"1"}, {"1", "2"}, set())] == [100, 0, 0]


def test_a_number_with_few_rivals_is_lost_and_said_to_be(bank) -> None:
    problem = pose(bank.item("masking.one-row"), 1, "en", bank.catalogue)
    few = problem._replace(rivals=tuple(problem.rivals)[:2])
    assert canvas_lacks(few, Policy(), bank.catalogue) == "few-rivals"
    assert canvas_lacks(problem, Policy(), bank.catalogue) == ""
    [loss] = canvas_losses([few], Policy(), bank.catalogue)
    assert "too few to choose from" in loss.told("en")
    assert isinstance(few.parts[0], NumericPart)
