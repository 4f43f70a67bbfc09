"""The readers, rule by rule: what a question becomes, or why it is left out."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from quizengine.errors import InputError
from quizengine.exchange.intake.question import Left, Outcome, Question
from quizengine.exchange.intake.source_file import read_source

FILES = Path(__file__).parent / "files"
XML = '<?xml version="1.0" encoding="UTF-8"?>\n'


def outcomes(tmp_path: Path, text: str | bytes, name: str = "q.txt") -> list[Outcome]:
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return [one for source in read_source(path) for one in source.outcomes]


def only(tmp_path: Path, text: str | bytes) -> Outcome:
    [one] = outcomes(tmp_path, text)
    return one


def shares(one: Outcome) -> list[tuple[str, float]]:
    assert isinstance(one, Question), one
    return [(answer.text, round(float(answer.share), 5)) for answer in one.answers]


@pytest.mark.parametrize(
    ("text", "kind", "answers"),
    [
        ("::a::x{=b ~c}", "choice", [("b", 1), ("c", 0)]),
        ("x{~%50%b ~%50%c ~%-100%d}", "choices", [("b", 0.5), ("c", 0.5), ("d", -1)]),
        ("x{T}", "truth", [("true", 1), ("false", 0)]),
        ("x{FALSE#no#yes####why}", "truth", [("true", 0), ("false", 1)]),
        ("x{=b =c}", "words", [("b", 1), ("c", 1)]),
        ("x{b}", "words", [("b", 1)]),
        ("x{true}", "words", [("true", 1)]),
        ("x{=a\\*b}", "words", [("a*b", 1)]),
        ("x{#3}", "number", [("3", 1)]),
        ("x{#-1..1}", "number", [("0", 1)]),
        ("x{#=1e-3:1e-5 =%0%2:0.1#no ~#other}", "number", [("0.001", 1), ("2", 0)]),
        ("x{=\\{b\\} ~c\\=d \\~ \\# \\: \\\\e}", "choice", [("{b}", 1), ("c=d ~ # : \\e", 0)]),
        ("x{=[html]<b>b</b> ~[plain]<c> ~[moodle]d ~[markdown]**e**}", "choice",
         [("**b**", 1), ("<c>", 0), ("d", 0), ("**e**", 0)]),
        ("// a comment\nx{\n// another\n=b#said\n~c}", "choice", [("b", 1), ("c", 0)]),
        ("\ufeffx{=b ~c}", "choice", [("b", 1), ("c", 0)]),
        ("x{\r\n=b\r\n~c\r\n}\r\n", "choice", [("b", 1), ("c", 0)]),
        ("x{=A. b ~B. c}", "choice", [("b", 1), ("c", 0)]),
        ("x{=100% ~50%}", "choice", [("100%", 1), ("50%", 0)]),
    ],
)  # fmt: skip
def test_gift(tmp_path: Path, text: str, kind: str, answers: list[tuple[str, float]]) -> None:
    one = only(tmp_path, text)
    assert shares(one) == answers
    assert isinstance(one, Question)
    assert one.kind == kind


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a text of its own\n\nx{T", "unclosed"),
        ("x{}", "kind"),
        ("x{>3 a}", "kind"),
        ("::a::x", "kind"),
        ("x{T} and {F}", "braces"),
        ("\\frac{a}{T}", "braces"),
        ("x{=b =%50%c}", "partial"),
        ("x{=b ~%50%c}", "partial"),
        ("x{=b ~%-50%c}", "fine"),
        ("x{=b =c ~d}", "several-right"),
        ("x{~%60%b ~%40%c ~d}", "uneven"),
        ("x{~%50%b ~%50%c ~%-10%d ~%-20%e}", "uneven-wrong"),
        ("x{~%50%b ~%50%c}", "no-wrong"),
        ("x{~b ~c}", "no-right"),
        ("x{=%50%b ~c}", "weight"),
        ("x{=b ~b.}", "same"),
        ("x{=b ~}", "empty"),
        ("x{=b*}", "wildcard"),
        ("x{=*}", "wildcard"),
        ("x{#3,14}", "number"),
        ("x{#nan}", "number"),
        ("x{#*}", "any-right"),
        ("x{#=1 =2}", "several-right"),
        ("x{#=1 =%50%2}", "partial"),
        ("x{#2..1}", "range"),
        ("x{#1:-1}", "range"),
        ("x{#0.12345678901}", "digits"),
        ("x{#1e20}", "digits"),
        ("x{#=1:1 =%0%1.5:0.1#no}", "shadowed"),
        ("x{=a -> b}", "few-pairs"),
        ("x{=a -> b =c}", "no-arrow"),
        ("x{=a -> b =c -> b}", "same"),
        ("x{=a -> b =c -> }", "empty"),
        ("\\(a \\neq b\\){T}", "lost-backslash"),
        ("[html]<img src\\='a.png'>{T}", "picture"),
        ("it costs $5{T}", "sign"),
        ("{T}", "no-prompt"),
        ("$CATEGORY: a\nx{T}", "after-category"),
    ],
)
def test_gift_left_out(tmp_path: Path, text: str, code: str) -> None:
    one = outcomes(tmp_path, text)[-1]
    assert isinstance(one, Left), one
    assert one.code == code


def test_gift_goes_on_after_what_it_leaves_out_and_knows_every_line(tmp_path: Path) -> None:
    text = "::a::x{T}\n\n// c\n::b::x{}\n\n\n::c::x{\n=b\n~c}\n"
    found = [(type(one).__name__, one.name, one.line) for one in outcomes(tmp_path, text)]
    assert found == [("Question", "a", 1), ("Left", "b", 4), ("Question", "c", 7)]


def test_gift_says_what_is_said_where_an_item_has_a_place_for_it(tmp_path: Path) -> None:
    one = only(tmp_path, "// [id:i] [tag:t]\n::a::x {=b#well ~c#too late####all in all} y?")
    assert isinstance(one, Question)
    assert (one.prompt, one.explanation) == ("x _____ y?", "all in all")
    assert [answer.said for answer in one.answers] == ["well", "too late"]
    assert one.comments == ("id:i", "tag:t")


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("x\nA. b\nB. c\nANSWER: C\n", "no-letter", 1),
        ("x\nA. b\nANSWER: A\n", "few-choices", 1),
        ("A. b\nB. c\nANSWER: A\n", "no-stem", 1),
        ("x\nA. b\nC. c\nANSWER: A\n", "letters", 1),
        ("x\nA. b\nB. c\n\ny\nA. b\nB. c\nANSWER: A", "no-answer-line", 1),
        ("x\nA. b\nB. b\nANSWER: A\n", "same", 1),
        ("\n\nx\nA. b $\nB. c\nANSWER: A\n", "sign", 3),
    ],
)
def test_aiken_left_out(tmp_path: Path, text: str, code: str, line: int) -> None:
    one = outcomes(tmp_path, text)[0]
    assert isinstance(one, Left)
    assert (one.code, one.line) == (code, line)


def question(kind: str, inside: str, text: str = "<text>x</text>") -> str:
    head = f'<question type="{kind}"><name><text>n</text></name><questiontext format="html">{text}'
    return f"{XML}<quiz>{head}</questiontext>{inside}</question></quiz>"


def answer(fraction: str, text: str, more: str = "") -> str:
    return f'<answer fraction="{fraction}"><text>{text}</text>{more}</answer>'


TWO = answer("100", "b") + answer("0", "c")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (question("essay", ""), "kind"),
        (question("calculated", TWO), "kind"),
        (question("multichoice", TWO + '<file name="a" encoding="base64">aGE=</file>'), "picture"),
        (question("multichoice", TWO + "<image_base64>aGE=</image_base64>"), "picture"),
        (question("multichoice", TWO, "<text><p>x</p></text>"), "nested"),
        (question("multichoice", TWO, "<text/>"), "no-prompt"),
        (question("multichoice", TWO).replace('"html"', '"wiki"'), "form"),
        (question("multichoice", answer("100", "b") + answer("lots", "c")), "share"),
        (question("multichoice", answer("90", "b") + answer("0", "c")), "partial"),
        (question("multichoice", answer("100", "b") + answer("-25", "c")), "fine"),
        (question("truefalse", answer("100", "true") + answer("100", "false")), "partial"),
        (question("truefalse", TWO), "truth"),
        (question("numerical", answer("100", "3") + "<units><unit/></units>"), "units"),
        (question("numerical", answer("100", "3", "<tolerance>x</tolerance>")), "number"),
        (question("shortanswer", answer("100", "b*")), "wildcard"),
        (question("shortanswer", answer("100", "b\u200b\ufffe")), "xml"),
    ],
)  # fmt: skip
def test_moodle_left_out(tmp_path: Path, text: str, code: str) -> None:
    if code == "xml":
        with pytest.raises(InputError, match="not XML"):
            outcomes(tmp_path, text)
        return
    one = only(tmp_path, text)
    assert isinstance(one, Left), one
    assert (one.code, one.line, one.name) == (code, 2, "n")


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('respident="response1">1</varequal>', 'respident="response1">9</varequal>', "unknown-id"),
        ('">100</setvar><displayfeedback', '">50</setvar><displayfeedback', "partial"),
        ('action="Set" varname="SCORE">100</setvar><displayfeedback',
         'action="Multiply" varname="SCORE">100</setvar><displayfeedback', "scoring"),
        ('<conditionvar><varequal respident="response1">1</varequal></conditionvar>',
         '<conditionvar><or><varequal respident="response1">1</varequal></or></conditionvar>', "condition"),
        ("multiple_choice_question", "calculated_question", "kind"),
        ("multiple_choice_question", "fill_in_multiple_blanks_question", "kind"),
        ('<mattext texttype="text/plain">before the softmax</mattext>', '<matimage uri="a.png"/>', "picture"),
    ],
)  # fmt: skip
def test_qti_left_out(tmp_path: Path, old: str, new: str, code: str) -> None:
    text = (FILES / "canvas.xml").read_text("utf-8")
    assert old in text
    first, *rest = outcomes(tmp_path, text.replace(old, new, 1))
    assert isinstance(first, Left), first
    assert first.code == code
    assert sum(isinstance(one, Question) for one in rest) == 5


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("7.95</vargte>", "7.9</vargte>", "lopsided"),
        ("vargte", "vargt", "open-range"),
        ('respident="response1">8.0', 'margintype="percent" respident="response1">8.0', "condition"),
        ("50.00</setvar></respcondition>\n    </", "40.00</setvar></respcondition>\n    </", "uneven"),
        ('<varequal respident="response1">the softmax</varequal>', "<varsubset/>", "wildcard"),
        ("<not><varequal respident=\"r\">c</varequal></not>", "", "condition"),
    ],
)  # fmt: skip
def test_qti_conditions_that_no_item_can_say(tmp_path: Path, old: str, new: str, code: str) -> None:
    text = (FILES / "canvas.xml").read_text("utf-8")
    assert old in text
    left = [one.code for one in outcomes(tmp_path, text.replace(old, new)) if isinstance(one, Left)]
    assert left == [code, "kind"]


def test_qti_that_calls_its_score_otherwise(tmp_path: Path) -> None:
    text = (FILES / "canvas.xml").read_text("utf-8")
    assert outcomes(tmp_path, text.replace('"SCORE"', '"que_score"')) == outcomes(tmp_path, text)


def test_qti_in_which_anything_else_earns_points_too(tmp_path: Path) -> None:
    text = (FILES / "canvas.xml").read_text("utf-8")
    old = "<conditionvar><other/></conditionvar>"
    new = f'{old}<setvar action="Set" varname="SCORE">50</setvar>'
    first, *_ = outcomes(tmp_path, text.replace(old, new, 1))
    assert isinstance(first, Left)
    assert first.code == "condition"


def test_qti_without_a_word_on_its_types_is_read_by_how_it_is_built(tmp_path: Path) -> None:
    text = (FILES / "canvas.xml").read_text("utf-8").replace("question_type", "other")
    kinds = [one.kind if isinstance(one, Question) else one.code for one in outcomes(tmp_path, text)]
    assert kinds == ["choice", "choices", "choice", "pairs", "words", "number", "kind"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the file is empty"),
        (b" \n", "the file is empty"),
        ("x{T}".encode("utf-16"), "q.txt:1:1: this is UTF-16: save it as UTF-8"),
        (b"x{T}\n\n\x93y{T}", "q.txt:3:1: this is not UTF-8 text"),
        (b"a letter to somebody", "is neither GIFT"),
        (b"<quiz><question></quiz>", "q.txt:1:19: not XML"),
        (b'<!DOCTYPE quiz [<!ENTITY a "b">]><quiz>&a;</quiz>', "q.txt:1:16: a DOCTYPE stands here"),
        (b'<!DOCTYPE quiz SYSTEM "file:///etc/passwd"><quiz/>', "a DOCTYPE stands here"),
        (b"<quiz>&nbsp;</quiz>", "undefined entity"),
        (b"<a>" * 200, "more than 100 within one another"),
        (b"<html></html>", "<html>: this is a web page"),
        (b"<assessmentItem/>", "an item of QTI 2"),
        (b"<manifest/>", "the list of a package"),
        (b"<other/>", "neither Moodle XML"),
        (b"%PDF-1.7", "is a PDF"),
        (b"PK\x03\x04 no zip", "is no zip that can be read"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path: Path, content: bytes, said: str) -> None:
    with pytest.raises(InputError) as caught:
        outcomes(tmp_path, content)
    assert said in caught.value.message
    assert "\n" not in caught.value.message


def package(path: Path, *names: str) -> Path:
    text = (FILES / "canvas.xml").read_text("utf-8")
    meta = '<quiz xmlns="http://canvas.instructure.com/xsd/cccv1p0"><title>Attention</title></quiz>'
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("imsmanifest.xml", f"{XML}<manifest/>")
        archive.writestr("g1/assessment_meta.xml", meta)
        archive.writestr("files/picture.png", b"\x89PNG")
        for name in names:
            archive.writestr(name, text)
    return path


@pytest.mark.parametrize(
    ("names", "read"),
    [
        (("g1/g1.xml",), ["g1/g1.xml"]),
        (("g1/g1.xml", "g2/g2.xml"), ["g1/g1.xml", "g2/g2.xml"]),
        (("g1/assessment_qti.xml", "non_cc_assessments/g1.xml.qti"), ["non_cc_assessments/g1.xml.qti"]),
        (("../../outside.xml",), ["../../outside.xml"]),
    ],
)
def test_a_package_is_read_where_it_lies(tmp_path: Path, names: tuple[str, ...], read: list[str]) -> None:
    path = package(tmp_path / "quiz.zip", *names)
    sources = read_source(path)
    assert [source.name for source in sources] == [f"{path}/{name}" for name in read]
    assert all(len(source.outcomes) == 7 for source in sources)
    assert [one.name for one in tmp_path.iterdir()] == ["quiz.zip"]


def test_a_package_without_questions_or_with_a_bomb_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file of QTI"):
        read_source(package(tmp_path / "none.zip"))
    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("g1/g1.xml", b" " * (33 * 2**20))
    with pytest.raises(InputError, match="more than 33554432 bytes"):
        read_source(bomb)
