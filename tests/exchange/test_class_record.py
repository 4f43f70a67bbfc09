"""A quiz in Moodle, graded by its Responses report: as from sheets, whatever language the site speaks,
however many attempts there are, and however often it is downloaded."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from quizengine.exchange.boxes import answers_in
from quizengine.exchange.cloze import cells
from quizengine.exchange.moodle import moodle_files, type_of
from quizengine.exchange.stem_code import StemCode
from quizengine.grading.attempt import attempt
from quizengine.problems.dice import Dice
from quizengine.problems.part import ChoicePart, NumericPart, PairsPart, key_text
from quizengine.problems.pose import pose
from tests.exchange.conftest import EVERY_KIND
from tests.exchange.moodle_reader import read_moodle

PLANTED = (
    *("mask-ignored", "scale-forgotten", "softmax-columns", "scale-by-dk", "mask-after-softmax"),
    *("mask-on-values", "diagonal-masked", "softmax-not-normalised", "mask-past"),
)
HEADS = {
    "en": (
        "Last name",
        "First name",
        "ID number",
        "Email address",
        "Status",
        "Started",
        "Completed",
        "Duration",
    ),
    "ja": ("姓", "名", "IDナンバー", "メールアドレス", "状態", "開始日時", "受験完了", "所要時間"),
    "de": ("Nachname", "Vorname", "ID-Nummer", "E-Mail-Adresse", "Status", "Begonnen", "Beendet", "Dauer"),
}
WORDS = {
    "en": ("Question", "Response", "Right answer", "part", "True", "False", "Finished", "Grade/10.00"),
    "ja": ("問題", "解答", "正解", "パート", "○", "×", "終了", "評点/10.00"),
    "de": ("Frage", "Antwort", "Richtige Antwort", "Teil", "Wahr", "Falsch", "Beendet", "Bewertung/10,00"),
}


def said(problem, values, lang: str, written) -> str:
    """What Moodle's report says of a learner who answers so, part by part."""
    part, kind = problem.parts[0], type_of(problem)
    texts = {
        choice.label: f"{choice.label}. {choice.text}"
        for p in problem.parts
        for choice in getattr(p, "choices", ())
    }
    if kind == "cloze":
        boxes = []
        for box in cells(problem):
            value = values[box.part.id]
            if isinstance(box.part, NumericPart):
                places = (box.part.decimals or -2) + 2
                boxes.append(f"{value[box.row][box.column] / 1e9:.{places}f}")
            elif isinstance(box.part, ChoicePart):
                boxes.append(next(f"{c.label}. {c.text}" for c in box.part.choices if c.label == value))
            elif box.part.kind == "choices":
                boxes.append("; ".join(f"{c.label}. {c.text}" for c in box.part.choices if c.label in value))
            else:
                boxes.append(key_text(box.part, value))
        return "; ".join(f"{WORDS[lang][3]} {i}: {text}" for i, text in enumerate(boxes, 1))
    value = values[part.id]
    match kind:
        case "truefalse":
            return WORDS[lang][4 if value == "A" else 5]
        case "multichoice":
            return "; ".join(texts[label] for label in value)
        case "ordering":
            return "; ".join(texts[label][:7] + "..." for label in value)
        case "matching":
            return "; ".join(f"{texts[a]} -> {texts[b]}" for a, b in value)
    return written(part, value)


def report(rows, lang: str = "en", right_answers: bool = True) -> str:
    """A Responses report: (id, state cells, grade, [(question text, response)]) a line."""
    question, response, right, *_, grade = WORDS[lang]
    count = max(len(questions) for *_, questions in rows)
    numbered = [
        f"{w} {i}" for i in range(1, count + 1) for w in ([question, response, right][: 2 + right_answers])
    ]
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([*HEADS[lang], grade, *numbered])
    for student, started, done, questions in rows:
        ends = (WORDS[lang][6], started, started, "20 mins") if done else ("In progress", started, "-", "-")
        own = [cell for text, answer in questions for cell in (text, answer or "-", "?")[: 2 + right_answers]]
        own += ["-"] * (len(numbered) - len(own))
        address = f"{student}@example.org" if student else ""
        writer.writerow(["One", "Learner", student, address, *ends, "6.20" if done else "-", *own])
    return out.getvalue()


def asked(sheet, place: int, around: str = "WHAT IS IT?") -> str:
    return f"{around} _____ _____ {StemCode(sheet.code, place + 1)}"


@pytest.fixture(scope="module")
def export(exported, tmp_path_factory):
    """An export of two staged items, a question on masks and a true or false one: its manifest and path."""
    manifest = exported(
        "masking.one-row", "head.from-input", "masking.where", "masking.times-zero", variants=10
    )
    path = tmp_path_factory.mktemp("export") / "manifest.json"
    manifest.save(path)
    return manifest, path


@pytest.fixture(scope="module")
def forty(export, written):
    """40 learners, each with random variants, and what each was given to believe, if anything."""
    manifest, _ = export
    dice, truth, rows, answers = Dice("forty", 1), {}, {lang: [] for lang in HEADS}, {}
    for number in range(40):
        student, chosen = f"s{number:02}", ("", *PLANTED)[number % 10]
        sheets = [dice.pick(manifest.sheets) for _ in range(4)]
        questions = {lang: [] for lang in HEADS}
        for place in dice.shuffled(range(4)):
            problem = sheets[place].problems[place]
            values = next((r.values for r in problem.rivals if r.misconception == chosen), {})
            if values and any(values.get(part.id, part.key) != part.key for part in problem.parts):
                truth.setdefault(chosen, set()).add(student)
            full = {part.id: values.get(part.id, part.key) for part in problem.parts}
            answers[student, place] = sheets[place], {p.id: written(p, full[p.id]) for p in problem.parts}
            for lang in HEADS:
                text = {"en": "WHAT IS IT?", "ja": "次を計算しなさい。", "de": "WAS IST ES?"}[lang]
                questions[lang].append(
                    (asked(sheets[place], place, text), said(problem, full, lang, written))
                )
        for lang in HEADS:
            began = "2030年 02月 1日(金曜日) 09:00" if lang == "ja" else "1 February 2030  9:00 AM"
            rows[lang].append((student, began, True, questions[lang]))
    return rows, truth, answers


def graded(run, manifest: Path, text: str, tmp_path: Path, *more: object):
    file = tmp_path / "responses.csv"
    file.write_text(text, "utf-8")
    result = run("grade", manifest, file, "--out", tmp_path / "marks", "--no-html", *more)
    book = csv.DictReader(io.StringIO((tmp_path / "marks" / "gradebook.csv").read_text("utf-8")))
    found = json.loads((tmp_path / "marks" / "report.json").read_text("utf-8"))
    return result, {row["student"]: row for row in book}, found


@pytest.mark.parametrize("lang", sorted(HEADS))
def test_forty_learners_get_their_mistakes_named_and_the_marks_of_sheets(
    export, forty, run, tmp_path: Path, lang: str
) -> None:
    manifest, path = export
    rows, truth, answers = forty
    _, book, found = graded(run, _copy(path, tmp_path), report(rows[lang], lang), tmp_path)
    named = {one["id"]: set(one["students"]) for one in found["misconceptions"]}
    assert len(book) == 40
    assert {id_: truth[id_] - named.get(id_, set()) for id_ in truth} == {id_: set() for id_ in truth}
    assert len(truth) >= 8
    assert sum(float(book[f"s{n:02}"]["percent"]) == 100 for n in range(0, 40, 10)) == 4
    by_sheet = _as_from_sheets(manifest, answers)
    for student, row in book.items():
        for place in range(4):
            sheet = answers[student, place][0]
            for label in sheet.labels[place].values():
                assert row[label] == by_sheet[student, place][label], (student, label)


def _copy(path: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "export"
    folder.mkdir(exist_ok=True)
    (folder / "manifest.json").write_bytes(path.read_bytes())
    return folder / "manifest.json"


def _as_from_sheets(manifest, answers):
    """The same answers on sheets of paper: each variant a sheet, by its code, as often as it was drawn."""
    out = {}
    for (student, place), (sheet, texts) in answers.items():
        own = {sheet.labels[place][id_]: text for id_, text in texts.items()}
        marks = attempt(sheet, own, manifest.policy)
        out[student, place] = {label: f"{float(mark.credit):g}" for label, _, _, mark in marks.parts()}
    return out


def test_a_second_download_changes_nothing(export, forty, run, tmp_path: Path) -> None:
    path, rows = _copy(export[1], tmp_path), forty[0]["en"]
    _, first, report_ = graded(run, path, report(rows), tmp_path)
    text = (tmp_path / "marks" / "gradebook.csv").read_bytes()
    _, again, report_2 = graded(run, path, report(rows + rows), tmp_path)
    assert (tmp_path / "marks" / "gradebook.csv").read_bytes() == text
    assert (first, report_) == (again, report_2)


ONE = "masking.times-zero"


@pytest.fixture
def small(exported, tmp_path: Path):
    """An export of one true or false question (false is right), ten variants."""
    manifest = exported(ONE, variants=3)
    (tmp_path / "export").mkdir()
    manifest.save(tmp_path / "export" / "manifest.json")
    return manifest, tmp_path / "export" / "manifest.json"


def attempts(sheets, *given):
    """(began, finished, response) an attempt of one learner, each on another variant."""
    return [
        ("s01", began, done, [(asked(sheet, 0), response)])
        for sheet, (began, done, response) in zip(sheets, given, strict=False)
    ]


AM9, AM10, AM11 = (f"1 February 2030  {hour}:00 AM" for hour in (9, 10, 11))


@pytest.mark.parametrize(
    ("given", "counts", "credit"),
    [
        pytest.param([(AM9, True, "False"), (AM10, True, "True")], "highest", 1.0, id="highest"),
        pytest.param([(AM9, True, "False"), (AM10, True, "True")], "last", 0.0, id="last"),
        pytest.param([(AM9, True, "False"), (AM10, True, "True")], "first", 1.0, id="first"),
        pytest.param([(AM10, True, "True"), (AM9, True, "False")], "last", 0.0, id="last-by-its-time"),
        pytest.param([(AM10, True, "True"), (AM9, True, "False")], "first", 1.0, id="first-by-its-time"),
        pytest.param([(AM9, True, "False"), (AM10, False, "True")], "last", 1.0, id="unfinished-is-none"),
        pytest.param(
            [(AM9, True, "True"), (AM10, True, "-"), (AM11, True, "False")], "last", 1.0, id="blank"
        ),
    ],
)
def test_which_attempt_counts(small, run, tmp_path: Path, given, counts: str, credit: float) -> None:
    manifest, path = small
    result, book, _ = graded(
        run, path, report(attempts(manifest.sheets, *given)), tmp_path, "--attempts", counts
    )
    assert float(book["s01"]["credit"]) == credit
    assert list(book) == ["s01"]
    assert ("unfinished" in result.stderr or "not finished" in result.stderr) == any(not g[1] for g in given)


def test_a_later_report_adds_to_the_class_and_takes_a_new_attempt(small, run, tmp_path: Path) -> None:
    manifest, path = small
    one, two, three = manifest.sheets
    rows = [("s01", AM9, True, [(asked(one, 0), "True")]), ("s02", AM9, True, [(asked(two, 0), "False")])]
    graded(run, path, report(rows), tmp_path)
    rows = [("s01", AM10, True, [(asked(three, 0), "False")]), ("s03", AM9, True, [(asked(two, 0), "True")])]
    _, book, _ = graded(run, path, report(rows), tmp_path)
    assert {student: float(row["credit"]) for student, row in book.items()} == {"s01": 1, "s02": 1, "s03": 0}
    run("marks", "moodle", path.parent / "class" / "manifest.json", "--out", tmp_path / "back.csv")
    back = list(csv.reader(io.StringIO((tmp_path / "back.csv").read_text("utf-8"))))
    assert [row[:2] for row in back[1:]] == [["s01", "1"], ["s02", "1"], ["s03", "0"]]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        pytest.param("CODE", "", id="as-it-was"),
        pytest.param("Übersetzt: was ist richtig? CODE", "", id="translated"),
        pytest.param("次の文は正しいか。　［　CODEWIDE　］", "", id="wide"),
        pytest.param("codelower", "", id="small-letters"),
        pytest.param("no code at all", "bear no code of this export", id="no-code"),
        pytest.param("[22222-1]", "has been changed", id="mistyped"),
        pytest.param("CODE [23456-1]", "bears several codes", id="two-codes"),
    ],
)
def test_the_code_survives_or_the_answer_is_not_graded(
    small, run, tmp_path: Path, text: str, sentence: str
) -> None:
    manifest, path = small
    one, other = manifest.sheets[:2]
    code = str(StemCode(one.code, 1))
    shown = (
        text.replace("CODEWIDE", code.strip("[]")).replace("codelower", code.lower()).replace("CODE", code)
    )
    rows = [("s01", AM9, True, [(shown, "False")]), ("s02", AM9, True, [(asked(other, 0), "False")])]
    result, book, _ = graded(run, path, report(rows), tmp_path)
    assert sentence in " ".join(result.stderr.split())
    assert ("s01" in book) == (not sentence)
    assert all(float(row["credit"]) == 1 for row in book.values())


def test_every_kind_comes_back_as_it_was_answered(exported, written, run, tmp_path: Path) -> None:
    manifest = exported(*EVERY_KIND)
    path = tmp_path / "manifest.json"
    manifest.save(path)
    [sheet] = manifest.sheets
    right = [{part.id: part.key for part in problem.parts} for problem in sheet.problems]
    for problem, values in zip(sheet.problems, right, strict=True):
        for part in problem.parts:
            if isinstance(part, PairsPart):
                values[part.id] = part.key
    rows = [
        (
            "s01",
            AM9,
            True,
            [(asked(sheet, i), said(p, right[i], "en", written)) for i, p in enumerate(sheet.problems)],
        )
    ]
    _, book, _ = graded(run, path, report(rows), tmp_path)
    lost = {
        label: book["s01"][label]
        for label, i, id_ in sheet.labelled()
        if book["s01"][label] not in ("open", str(sheet.problems[i].part(id_).points))
    }
    assert lost == {}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        pytest.param(lambda text: text.replace("Question 1", "Text"), "question text", id="no-text"),
        pytest.param(
            lambda text: text.replace("ID number", "a").replace("Email", "b"), "who it is", id="nobody"
        ),
        pytest.param(lambda _: "student,1\ns01,A\n", "Responses report", id="another-table"),
        pytest.param(
            lambda text: text.replace("Finished", "In progress").replace("20 mins", "-").replace("6.20", "-"),
            "no finished attempt",
            id="nothing-finished",
        ),
    ],
)
def test_another_file_is_refused_in_a_sentence(small, run, tmp_path: Path, change, sentence: str) -> None:
    manifest, path = small
    (tmp_path / "r.csv").write_text(change(report(attempts(manifest.sheets, (AM9, True, "False")))), "utf-8")
    result = run("grade", path, tmp_path / "r.csv", "--out", tmp_path / "marks", exit=3)
    assert sentence in " ".join(result.stderr.split())
    assert not (path.parent / "class").exists()


def test_an_answer_that_cannot_be_taken_apart_is_not_graded(exported, run, tmp_path: Path) -> None:
    manifest = exported("masking.one-row", ONE)
    path = tmp_path / "manifest.json"
    manifest.save(path)
    [sheet] = manifest.sheets
    rows = [("s01", AM9, True, [(asked(sheet, 0), "part 1: 0.5; part 3: 1"), (asked(sheet, 1), "False")])]
    result, book, _ = graded(run, path, report(rows), tmp_path)
    assert "15 boxes" in " ".join(result.stderr.split())
    assert (book["s01"]["credit"], book["s01"]["points"]) == ("1", "1")


@pytest.mark.parametrize(
    ("item", "response", "sentence"),
    [
        pytest.param(ONE, "Falskt", "true and false are not known", id="true-or-false-in-another-language"),
        pytest.param("masking.where", "It is added to the scores.", "none of the letters", id="choice"),
        pytest.param("order.steps", "Divide; Add", "none of the letters", id="ordering"),
        pytest.param("averaging.which-row", "no mask -> 1/4", "none of the letters", id="matching"),
    ],
)
def test_what_the_report_does_not_tell_is_not_graded_and_no_zero(
    exported, run, tmp_path: Path, item: str, response: str, sentence: str
) -> None:
    manifest = exported("averaging.equal-values", item)
    path = tmp_path / "manifest.json"
    manifest.save(path)
    [sheet] = manifest.sheets
    rows = [("s01", AM9, True, [(asked(sheet, 0), "True"), (asked(sheet, 1), response)])]
    result, book, _ = graded(run, path, report(rows), tmp_path)
    assert sentence in " ".join(result.stderr.split())
    assert (book["s01"]["credit"], book["s01"]["points"]) == ("1", "1")


def test_letters_that_are_typed_into_a_box_are_read_as_typed(bank) -> None:
    problem = pose(bank.item("multi-head.weights-ported-wrong"), 1, "en", bank.catalogue)
    texts = {part.id: "C. A. B." if part.kind == "order" else "" for part in problem.parts}
    response = "; ".join(f"part {i}: {texts[box.part.id]}" for i, box in enumerate(cells(problem), 1))
    assert answers_in(problem, response) == texts


def test_where_an_id_number_is_lacking_all_are_known_by_their_address(small, run, tmp_path: Path) -> None:
    manifest, path = small
    one, other = manifest.sheets[:2]
    text = report(
        [(s, AM9, True, [(asked(sheet, 0), "False")]) for s, sheet in (("s01", one), ("s02", other))]
    )
    _, book, _ = graded(run, path, text.replace(",s02,", ",,"), tmp_path)
    assert list(book) == ["s01@example.org", "s02@example.org"]
    run("marks", "moodle", path.parent / "class" / "manifest.json", "--out", tmp_path / "back.csv")
    assert (tmp_path / "back.csv").read_text("utf-8").startswith("Email address,Exam,")
    _, book, _ = graded(run, path, text, tmp_path)
    assert list(book) == ["s01@example.org", "s02@example.org"]


def test_a_workbook_says_the_same(small, run, tmp_path: Path) -> None:
    from openpyxl import Workbook

    manifest, path = small
    book = Workbook()
    for row in csv.reader(io.StringIO(report(attempts(manifest.sheets, (AM9, True, "False"))))):
        book.active.append(row)
    book.save(tmp_path / "r.xlsx")
    run("grade", path, tmp_path / "r.xlsx", "--out", tmp_path / "marks", "--no-feedback")
    assert ",1,1,100,1" in (tmp_path / "marks" / "gradebook.csv").read_text("utf-8")


def test_the_export_is_what_the_reader_finds(small) -> None:
    manifest, _ = small
    [file] = moodle_files(manifest, "2030-02-01")
    codes = [str(StemCode(sheet.code, 1)) for sheet in manifest.sheets]
    questions = read_moodle(file.content)
    assert [question.text.rpartition("<small>")[2] for question in questions] == [
        f"{code}</small></p>" for code in codes
    ]
