"""QTI 2.1 packages, as an independent interpreter executes them: keys, rivals, feedback; their structure."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from fractions import Fraction

import pytest

from quizengine.exchange.fragment import Pictures, fragment
from quizengine.exchange.loss import qti_losses
from quizengine.exchange.mistakes import names, part_rivals
from quizengine.exchange.qti_item import MATHML, MIXED, qti_item
from quizengine.exchange.qti_package import qti_files
from quizengine.exchange.question_html import ask_html
from quizengine.exchange.xml_text import xml_document
from quizengine.items.close import SEAL
from quizengine.items.policy import Policy
from quizengine.marking.entries import window
from quizengine.problems.pose import pose
from quizengine.render.blocks import Matrix, stem
from tests.exchange.canvas_reader import plain_tags, unpacked
from tests.exchange.conftest import EVERY_KIND, HOSTILE, texts_replaced
from tests.exchange.qti_reader import NS, correct, processed
from tests.exchange.qti_schema import faults

STAMP = "2030-02-01 09:00:00"
BY_HAND = {"words", "construct"}


def written(problem, catalogue, policy=Policy()) -> ET.Element:  # noqa: B008 (it is frozen)
    item = qti_item(problem, "item-1", "title", policy, catalogue, Pictures({}, "p/", "p/"))
    return plain_tags(xml_document(item, MIXED), NS)


def name(number: int, label: str) -> str:
    return f"CHOICE_{number}_{label}"


def response(number: int, part, value) -> dict[str, object]:
    """The responses of the item that give this value to its part of this number."""
    of = f"RESPONSE_{number}"
    if part.kind == "array":
        rows = enumerate(value, 1)
        return {f"{of}_{i}_{j}": x / 1e9 for i, row in rows for j, x in enumerate(row, 1)}
    if part.kind == "tiers":
        [[answer, reason]] = value
        return {f"{of}_ANSWER": name(number, answer), f"{of}_REASON": name(number, reason)}
    as_typed = {
        "choice": lambda: name(number, value),
        "choices": lambda: [name(number, label) for label in value],
        "order": lambda: [name(number, label) for label in value],
        "pairs": lambda: [" ".join(name(number, label) for label in pair) for pair in value],
        "number": lambda: value[0][0] / 1e9,
        "estimate": lambda: value[0][0] / 1e9,
    }
    return {of: as_typed.get(part.kind, lambda: value)()}


def rival_answers(problem, rival) -> dict[str, object]:
    """What a believer answers, as responses of the item; parts of another shape are left as they are."""
    out: dict[str, object] = {}
    for number, part in enumerate(problem.parts, 1):
        value = rival.values.get(part.id)
        if part.kind in BY_HAND:
            continue
        if value is not None and (part.kind != "array" or [*map(len, value)] == [*map(len, part.key)]):
            out |= response(number, part, value)
    return out


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_kind_is_written_as_it_was(lang: str, exported, assert_golden) -> None:
    items = EVERY_KIND if lang == "en" else EVERY_KIND[1:6]
    [file] = qti_files(exported(*items, languages=(lang,)), STAMP)
    files = {name: content for name, content in unpacked(file.content).items() if name.endswith(".xml")}
    assert_golden(f"exchange/qti-{lang}.txt", "\n".join(f"{name}\n{files[name].decode()}" for name in files))
    tags = {node.tag for content in files.values() for node in plain_tags(content, NS).iter()}
    typed = {"textEntryInteraction", "extendedTextInteraction"} if lang == "en" else set()
    assert tags >= typed | {"choiceInteraction", "orderInteraction", "matchInteraction", "modalFeedback"}


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_item_of_the_bank_is_as_the_schema_has_it(bank, lang: str) -> None:
    for item in bank:
        root = written(pose(item, 1, lang, bank.catalogue), bank.catalogue)
        assert faults(root) == [], item.id
        named = [
            node.get("identifier")
            for tag in ("Choice", "Declaration")
            for node in root.iter()
            if node.tag.endswith(tag)
        ]
        assert len(named) == len(set(named)), item.id
        declared = {node.get("identifier") for node in root.iter() if node.tag.endswith("Declaration")}
        used = {node.get("responseIdentifier") for node in root.iter() if node.tag.endswith("Interaction")}
        used |= {node.get("identifier") for tag in ("variable", "setOutcomeValue") for node in root.iter(tag)}
        assert used <= declared, item.id
        said = {node.get("identifier") for node in root.iter("modalFeedback")}
        rules = root.findall(".//setOutcomeValue/baseValue[@baseType='identifier']/..")
        assert {node.get("identifier") for node in rules} == said, item.id
        assert all(node[0].text == node.get("identifier") for node in rules), item.id


def test_the_key_earns_all_and_nothing_is_wrong_with_it(bank) -> None:
    for item in bank:
        problem = pose(item, 2, "en", bank.catalogue)
        root = written(problem, bank.catalogue)
        machine = sum(part.points for part in problem.parts if part.kind not in BY_HAND)
        score, said = processed(root, correct(root))
        assert score == pytest.approx(machine), item.id
        assert len(said) <= 1, item.id  # what stands below every answer
        assert processed(root, {})[0] == 0, item.id
        assert root.find(".//outcomeDeclaration[@identifier='MAXSCORE']//value").text == str(problem.points)
        if not machine:
            assert root.find("responseProcessing") is None, item.id
            assert root.find(".//rubricBlock[@view='scorer']") is not None, item.id


def test_every_rival_earns_less_and_is_named(bank) -> None:
    named = 0
    for item in bank:
        problem = pose(item, 3, "en", bank.catalogue)
        root = written(problem, bank.catalogue)
        machine = sum(part.points for part in problem.parts if part.kind not in BY_HAND)
        for rival in problem.rivals:
            answers = rival_answers(problem, rival)
            if not answers:
                continue
            score, said = processed(root, correct(root) | answers)
            wholly = all(answers[name] == correct(root)[name] for name in answers)
            assert score < machine - 1e-6 or wholly, (item.id, rival)
            called = names([rival.misconception], bank.catalogue, problem)
            if not wholly and called:
                words = "".join(ET.fromstring(f"<p>{called}</p>").itertext())
                assert any(words in text for text in said[:-1]), (item.id, rival)
                named += 1
    assert named > 900


def test_a_number_is_right_within_the_window_and_not_beyond(bank) -> None:
    problem = pose(bank.item("masking.one-row"), 1, "en", bank.catalogue)
    root = written(problem, bank.catalogue)
    key, unit = correct(root), 1e-3
    last = len(problem.parts)
    for off, right in ((1.0, True), (-1.0, True), (1.02, False), (-1.02, False)):
        moved = key | {f"RESPONSE_{last}_1_1": key[f"RESPONSE_{last}_1_1"] + off * unit}
        score, _ = processed(root, moved)
        assert score == problem.points - (0 if right else problem.parts[-1].points), off
    wide = Policy(window=Fraction(3))
    score, _ = processed(
        written(problem, bank.catalogue, wide), key | {"RESPONSE_3_1_1": key["RESPONSE_3_1_1"] + 2 * unit}
    )
    assert score == problem.points


def test_what_is_left_blank_earns_nothing_and_takes_nothing_from_the_rest(bank) -> None:
    for item in bank:
        problem = pose(item, 2, "en", bank.catalogue)
        root = written(problem, bank.catalogue)
        key = correct(root)
        for empty in (None, ""):
            for number, part in enumerate(problem.parts, 1):
                own = [name for name in key if re.match(rf"RESPONSE_{number}(_|$)", name)]
                if not own or (
                    empty == "" and part.kind not in ("number", "array", "estimate", "shape", "gap")
                ):
                    continue
                score, said = processed(root, key | dict.fromkeys(own, empty))
                machine = sum(p.points for p in problem.parts if p is not part and p.kind not in BY_HAND)
                assert score == pytest.approx(machine), (item.id, part.id, empty)
                assert len(said) <= 1, item.id


def test_shares_are_of_two_decimals_and_add_up_though_every_sum_is_rounded(bank) -> None:
    for item in bank:
        problem = pose(item, 2, "en", bank.catalogue)
        root = written(problem, bank.catalogue)
        added = root.findall(".//sum/baseValue")
        mapped = root.findall(".//mapEntry")
        for text in (*(node.text for node in added), *(node.get("mappedValue") for node in mapped)):
            assert round(float(text), 2) == float(text), (item.id, text)
        assert round(processed(root, correct(root))[0], 9) == sum(
            part.points for part in problem.parts if part.kind not in BY_HAND
        ), item.id


def test_where_minus_infinity_is_right_as_well_nothing_is_looked_at(bank) -> None:
    problem = pose(bank.item("masking.one-row"), 1, "en", bank.catalogue)
    root = written(problem, bank.catalogue)
    [scaled] = [part for part in problem.parts if part.stage == "scaled"]
    key = correct(root)
    for column, keep in enumerate(problem.matrix("mask")[scaled.rows[0] - 1], 1):
        for given in (None, -99.0):
            score, _ = processed(root, key | {f"RESPONSE_1_1_{column}": given})
            assert score == problem.points - (scaled.points if keep else 0), column


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_given_numbers_are_told_apart_even_where_formulae_are_words_in_a_row(bank, lang: str) -> None:
    for item in bank:
        problem = pose(item, 1, lang, bank.catalogue)
        body = written(problem, bank.catalogue).find("itemBody")
        assert not list(body.iter("{http://www.w3.org/1998/Math/MathML}mtable")), item.id
        cells = [[td.text for td in row] for row in body.findall("div[1]/table/tbody/tr")]
        for block in stem(problem):
            if isinstance(block, Matrix):
                assert all(list(row) in cells for row in block.rows), item.id


def test_roots_and_fractions_are_signs_which_stay_where_only_the_text_of_a_formula_does(bank) -> None:
    roots = 0
    for item in bank:
        for math in written(pose(item, 1, "en", bank.catalogue), bank.catalogue).iter(f"{{{MATHML}}}math"):
            text, said = "".join(math.itertext()), math.get("alttext")
            assert (text.count("√"), text.count("/")) >= (said.count("√"), said.count("/")), item.id
            assert not {node.tag for node in math.iter()} & {
                f"{{{MATHML}}}{tag}" for tag in ("msqrt", "mfrac")
            }
            roots += "√" in text
    assert roots > 50


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ("<msqrt><mi>d</mi></msqrt>", "√d"),
        ("<msqrt><mi>a</mi><mo>+</mo><mi>b</mi></msqrt>", "√(a+b)"),
        ("<mfrac><mn>1</mn><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow></mfrac>", "1/(a+b)"),
        ("<mfrac><mrow><mi>a</mi><mo>−</mo><mi>b</mi></mrow><mi>c</mi></mfrac>", "(a−b)/c"),
        ("<mfrac><mrow><mi>q</mi><mi>k</mi></mrow><msqrt><mi>d</mi></msqrt></mfrac>", "qk/√d"),
    ],
)
def test_a_root_or_a_fraction_is_bracketed_where_it_must_be(given: str, text: str) -> None:
    made = fragment("p", f"<math>{given}</math>", Pictures({}, "", ""))
    assert "".join(made.itertext()) == text


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_what_is_accepted_is_a_sentence_after_what_is_asked(bank, lang: str) -> None:
    problem = pose(bank.item("masking.one-row"), 1, lang, bank.catalogue)
    asked = ask_html(problem, problem.parts[1], Policy(), own=False)
    row = problem.parts[1].rows[0]
    assert {"en": f"row {row}. 1 × 6. 3 decimals", "ja": f"第 {row} 行。1 × 6。小数"}[lang] in asked
    for item in bank:
        problem = pose(item, 1, lang, bank.catalogue)
        for part in problem.parts:
            asked = ask_html(problem, part, Policy(), own=False)
            assert not re.search(r"[.。?？!:：][.。](?!\.)", asked), (item.id, asked)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_that_a_line_fails_may_be_said_in_either_language(bank, lang: str) -> None:
    for item in bank:
        problem = pose(item, 1, lang, bank.catalogue)
        if problem.parts[0].key == "error":
            root = written(problem, bank.catalogue)
            for text in ("error", "Error", "エラー"):
                assert processed(root, {"RESPONSE_1": text})[0] == problem.points
            return
    raise AssertionError("no such item")


def test_a_row_is_right_or_wrong_as_a_whole(bank) -> None:
    item = next(
        one for one in bank if any(len(p.key) > 1 for p in pose(one, 1, "en", bank.catalogue).numeric)
    )
    problem = pose(item, 1, "en", bank.catalogue)
    root = written(problem, bank.catalogue)
    number, part = next(
        (i, p) for i, p in enumerate(problem.parts, 1) if p.kind == "array" and len(p.key) > 1
    )
    wrong = correct(root) | {f"RESPONSE_{number}_1_1": 777.0}
    score, said = processed(root, wrong)
    assert score == pytest.approx(problem.points - part.points / len(part.key), abs=0.005)
    assert len(said) <= 1
    free = ((False,) * len(part.key[0]), *((True,) * len(part.key[0]) for _ in part.key[1:]))
    parts = tuple(p._replace(free=free) if p is part else p for p in problem.parts)
    given_away = {f"RESPONSE_{number}_1_{j}": x for j, x in enumerate((y / 1e9 for y in part.key[0]), 1)}
    assert processed(written(problem._replace(parts=parts), bank.catalogue), given_away)[0] == 0


def test_an_order_that_is_right_as_well_earns_all(bank) -> None:
    problem = pose(bank.item("order.steps"), 1, "en", bank.catalogue)
    root, [part] = written(problem, bank.catalogue), problem.parts
    for order in (part.key, *part.also):
        given = [f"CHOICE_1_{label}" for label in order]
        assert processed(root, {"RESPONSE_1": given})[0] == part.points
    assert processed(root, {"RESPONSE_1": [f"CHOICE_1_{label}" for label in reversed(part.key)]})[0] == 0


def test_of_several_choices_a_wrong_one_cancels_a_right_one(bank) -> None:
    item = next(one for one in bank if one.metadata.type == "multiple_choice")
    problem = pose(item, 1, "en", bank.catalogue)
    root, [part] = written(problem, bank.catalogue), problem.parts
    everything = [f"CHOICE_1_{choice.label}" for choice in part.choices]
    key = correct(root)["RESPONSE_1"]
    assert processed(root, {"RESPONSE_1": everything})[0] == pytest.approx(0)
    assert processed(root, {"RESPONSE_1": key[:1]})[0] == pytest.approx(part.points / len(key))


def test_an_estimate_earns_half_within_the_square_of_its_factor(bank) -> None:
    item = next(one for one in bank if one.metadata.type == "estimate")
    problem = pose(item, 1, "en", bank.catalogue)
    problem = problem._replace(rivals=())
    root, [part] = written(problem, bank.catalogue), problem.parts
    key, factor = part.key[0][0] / 1e9, float(part.factor)
    for times, share in ((factor**0.9, 1), (factor**1.9, 0.5), (factor**-1.9, 0.5), (factor**2.1, 0)):
        assert processed(root, {"RESPONSE_1": key * times})[0] == pytest.approx(share * part.points)


def test_a_value_is_right_within_its_bounds_and_nothing_beyond(bank) -> None:
    item = next(one for one in bank if one.metadata.type == "estimate")
    problem = pose(item, 1, "en", bank.catalogue)
    part = problem.parts[0]._replace(key=((-2 * SEAL,),), factor=Fraction(0), within=SEAL // 2)
    root = written(problem._replace(parts=(part,), rivals=()), bank.catalogue)
    for typed, share in ((-2.5, 1), (-1.5, 1), (-2.51, 0), (2.0, 0)):
        assert processed(root, {"RESPONSE_1": typed})[0] == pytest.approx(share * part.points)


def test_two_mistakes_that_answer_a_part_alike_are_both_named(bank) -> None:
    shared = 0
    for id_ in ("masking.one-row", "complexity.cache", "head.from-input"):
        problem = pose(bank.item(id_), 1, "en", bank.catalogue)
        for part in problem.numeric:
            found = list(part_rivals(problem, part, window(part, Policy())))
            shared += sum(len(rival.misconceptions) > 1 for rival in found)
            assert len({rival.values for rival in found}) == len(found)
            assert part.key not in {rival.values for rival in found}
    assert shared


def test_a_section_a_place_draws_one_of_its_variants(exported) -> None:
    [file] = qti_files(exported("masking.where", "masking.one-row", variants=3), STAMP)
    files = unpacked(file.content)
    test = plain_tags(files["test.xml"], NS)
    assert faults(test) == []
    sections = test.findall("testPart/assessmentSection")
    assert [section.find("selection").get("select") for section in sections] == ["1", "1"]
    refs = [[ref.get("href") for ref in section.iter("assessmentItemRef")] for section in sections]
    assert [len(some) for some in refs] == [3, 3]
    assert {href for some in refs for href in some} == {name for name in files if name.startswith("items/")}
    for section in sections:
        for ref in section.iter("assessmentItemRef"):
            assert plain_tags(files[ref.get("href")], NS).get("identifier") == ref.get("identifier")


def test_the_manifest_lists_every_file_and_a_picture_is_one(exported) -> None:
    [file] = qti_files(exported("averaging.picture-of-an-average", variants=2), STAMP)
    files = unpacked(file.content)
    root = plain_tags(files["imsmanifest.xml"], "{http://www.imsglobal.org/xsd/imscp_v1p1}")
    assert {node.get("href") for node in root.iter("file")} == files.keys() - {"imsmanifest.xml"}
    assert [node.get("type") for node in root.iter("resource")] == [
        "imsqti_test_xmlv2p1",
        *["imsqti_item_xmlv2p1"] * 2,
    ]
    known = {node.get("identifier") for node in root.iter("resource")}
    assert {node.get("identifierref") for node in root.iter("dependency")} == known - {"test"}
    item = plain_tags(next(c for n, c in files.items() if n.endswith("-1-en.xml")), NS)
    assert f"items/{item.find('.//img').get('src')}" in files
    assert item.find(".//table") is not None


def test_the_same_export_is_the_same_bytes(exported) -> None:
    manifest = exported("masking.where", variants=2)
    assert list(qti_files(manifest, STAMP)) == list(qti_files(manifest, STAMP))


@pytest.mark.parametrize("text", HOSTILE)
def test_any_text_arrives_as_it_is(bank, text: str) -> None:
    problem = texts_replaced(pose(bank.item("masking.where"), 1, "ja", bank.catalogue), text)
    root = written(problem, bank.catalogue)
    safe = "".join("\ufffd" if ord(sign) < 32 and sign not in "\t\n" else sign for sign in text)
    shown = {" ".join("".join(node.itertext()).split()) for node in root.iter() if node.tag in MIXED}
    assert " ".join(safe.split()) in shown
    assert faults(root) == []
    assert processed(root, correct(root))[0] == problem.points


def test_losses_are_said_of_every_item_that_loses_anything(bank) -> None:
    problems = [pose(item, 1, "en", bank.catalogue) for item in bank]
    losses = qti_losses(problems)
    lost = {loss.item for loss in losses}
    assert lost >= {p.item for p in problems if p.numeric or p.hints}
    assert lost >= {p.item for p in problems if {part.kind for part in p.parts} & BY_HAND}
    assert all(re.search(r"[.。]$", loss.told(lang)) for loss in losses for lang in ("en", "ja"))


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("<modalFeedback/><itemBody/>", "assessmentItem: modalFeedback itemBody "),
        ("<itemBody><svg/></itemBody>", "itemBody: svg "),
        ("<itemBody><table><tr/></table></itemBody>", "table: tr "),
        ("<responseProcessing><responseCondition/></responseProcessing>", "responseCondition: "),
    ],
)
def test_the_schema_can_fail(body: str, fault: str) -> None:
    about = 'identifier="a" title="t" adaptive="false" timeDependent="false"'
    root = ET.fromstring(f"<assessmentItem {about}>{body}</assessmentItem>")
    assert fault in faults(root)
