"""Whatever program wrote the file: it is graded to the same marks, or refused in one sentence that says what
it is and what to do. Nothing is lost, and nobody gets marks for what is not answers."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pytest

from quizengine.sheets.manifest import load_manifest
from quizengine.sheets.roster import load_roster

USUAL = {
    "main": "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
    "rel": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
}
STRICT = {
    "main": "http://purl.oclc.org/ooxml/spreadsheetml/main",
    "rel": "http://purl.oclc.org/ooxml/officeDocument/relationships",
}
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_RELATIONS = "application/vnd.openxmlformats-package.relationships+xml"


def packed(path: Path, members: Mapping[str, str | bytes]) -> Path:
    """A zip of these members."""
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def cell_xml(place: str, value: str, *, refs: bool = True) -> str:
    """A cell of text; XML, which a value may be, stands as it is."""
    if value.startswith("<c"):
        return value.replace("<c", f'<c r="{place}"', 1)
    where = f' r="{place}"' if refs else ""
    return f'<c{where} t="inlineStr"><is><t>{escape(value)}</t></is></c>' if value else ""


def book(
    path: Path,
    rows: list[list[str]],
    *,
    names: Mapping[str, str] = USUAL,
    dimension: str = "",
    refs: bool = True,
    extra: Mapping[str, str] | None = None,
    tail: str = "",
) -> Path:
    """A workbook written by hand: the least that a spreadsheet opens, and what is asked for beside it."""
    pytest.importorskip("openpyxl", reason="the extra xlsx is not installed")
    lines = []
    for number, row in enumerate(rows, 1):
        cells = [cell_xml(f"{chr(65 + i)}{number}", value, refs=refs) for i, value in enumerate(row)]
        lines.append(f"<row{f' r={chr(34)}{number}{chr(34)}' if refs else ''}>{''.join(cells)}</row>")
    size = f'<dimension ref="{dimension}"/>' if dimension else ""
    sheet = (
        f'<worksheet xmlns="{names["main"]}">{size}<sheetData>{"".join(lines)}</sheetData>{tail}</worksheet>'
    )
    parts = {
        "worksheet": "worksheets/sheet1.xml",
        "sharedStrings": "sharedStrings.xml",
        "styles": "styles.xml",
    }
    there = [kind for kind, name in parts.items() if kind == "worksheet" or f"xl/{name}" in (extra or {})]
    types = [f'<Override PartName="/xl/{parts[kind]}" ContentType="{_TYPE}.{kind}+xml"/>' for kind in there]
    relations = [
        f'<Relationship Id="r{i}" Type="{names["rel"]}/{kind}" Target="{parts[kind]}"/>'
        for i, kind in enumerate(there)
    ]
    return packed(
        path,
        {
            "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
            f'<Default Extension="rels" ContentType="{_RELATIONS}"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
            f"{''.join(types)}</Types>",
            "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r" '
            f'Type="{names["rel"]}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
            "xl/workbook.xml": f'<workbook xmlns="{names["main"]}" xmlns:r="{names["rel"]}">'
            '<sheets><sheet name="Answers" sheetId="1" r:id="r0"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
            f"{''.join(relations)}</Relationships>",
            "xl/worksheets/sheet1.xml": sheet,
            **(extra or {}),
        },
    )


class Exam(NamedTuple):
    """An exam of three students: all right, the choice wrong, nothing answered; and the marks that follow."""

    folder: Path
    manifest: Path
    codes: list[str]
    rows: list[list[str]]  # with a header
    marks: list[str]

    def answers(self, student: int, **more: object) -> str:
        """What a sheet saves."""
        row = self.rows[student + 1]
        said = {label: text for label, text in zip(self.rows[0][1:], row[1:], strict=True) if text}
        return json.dumps({"code": self.codes[student], "student": row[0], "answers": said, **more})


@pytest.fixture
def exam(crowd, written, tmp_path: Path) -> Exam:
    made = load_manifest(crowd(3, "masking.one-row", "masking.where") / "manifest.json")
    (tmp_path / "exam").mkdir()
    made.save(tmp_path / "exam" / "manifest.json")
    rows, points = [["student", *made.labels]], 0
    for number, sheet in enumerate(made.sheets):
        parts = [sheet.problems[index].part(id_) for _, index, id_ in sheet.labelled()]
        right = [written(part, part.key) for part in parts]
        wrong = next(label for label in "ABCD" if label != right[-1])
        rows.append(
            [sheet.student, *([*right[:-1], wrong if number else right[-1]] if number < 2 else [""] * 4)]
        )
        points = sum(part.points for part in parts)
    marks = [str(points), str(points - parts[-1].points), "0"]
    (tmp_path / "in").mkdir()
    return Exam(tmp_path / "in", tmp_path / "exam" / "manifest.json", [w.code for w in made.who], rows, marks)


@pytest.fixture
def grade(exam: Exam, run, monkeypatch):
    """What grading a file says, and the credit of every student in the gradebook."""
    monkeypatch.delenv("QUIZENGINE_DEBUG")

    def call(path: Path, *more: object, exit: int = 0) -> tuple[str, dict[str, str]]:
        words = ("grade", exam.manifest, path, "--no-feedback", "--out", exam.folder.parent / "m", *more)
        result = run(*words, exit=exit)
        assert "Warning" not in result.stderr
        if exit or "--excel" in more:
            return result.stderr, {}
        text = (exam.folder.parent / "m" / "gradebook.csv").read_text("utf-8")
        return result.stdout, {row["student"]: row["credit"] for row in csv.DictReader(io.StringIO(text))}

    return call


def text(rows: list[list[str]], comma: str = ",", end: str = "\n") -> str:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=comma, lineterminator=end).writerows(rows)
    return out.getvalue()


def file(name: str, content: Callable[[list[list[str]]], str], encoding: str = "utf-8"):
    """Writes a table as a file of text."""
    return lambda exam: _put(exam.folder / name, content(exam.rows).encode(encoding))


def _put(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def decimal_commas(rows: list[list[str]]) -> list[list[str]]:
    return [rows[0], *([cell.replace(".", ",") for cell in row] for row in rows[1:])]


def titled(rows: list[list[str]]) -> list[list[str]]:
    """As a form writes it: titles with commas, to be mapped."""
    return [["Student ID", *(f"{label}. What, then, is it?" for label in rows[0][1:])], *rows[1:]]


def long(rows: list[list[str]]) -> list[list[str]]:
    lines = [
        [row[0], label, cell] for row in rows[1:] for label, cell in zip(rows[0][1:], row[1:], strict=True)
    ]
    return [["student", "label", "answer"], *lines]


def japanese(rows: list[list[str]]) -> list[list[str]]:
    return [["学籍番号", *rows[0][1:], "ご意見"], *([*row, "むずかしい"] for row in rows[1:])]


TEXTS = {
    "csv": file("a.csv", text),
    "csv, capital ending": file("A.CSV", text),
    "csv, windows lines": file("a.csv", lambda rows: text(rows, ",", "\r\n")),
    "csv, old mac lines": file("a.csv", lambda rows: text(rows, ",", "\r")),
    "csv, utf-8 with a mark": file("a.csv", text, "utf-8-sig"),
    "csv, utf-16": file("a.csv", text, "utf-16"),
    "csv, utf-16 without a mark": file("a.csv", text, "utf-16-le"),
    "csv, utf-16 big without a mark": file("a.csv", text, "utf-16-be"),
    "csv, cp932": file("a.csv", lambda rows: text(japanese(rows)), "cp932"),
    "tabs, no ending": file("answers", lambda rows: text(rows, "\t")),
    "tabs, .txt": file("a.txt", lambda rows: text(rows, "\t")),
    "tabs in utf-16 called .xls": file("a.xls", lambda rows: text(rows, "\t"), "utf-16"),
    "csv called .xlsx": file("a.xlsx", text),
    "semicolons, decimal commas": file("a.csv", lambda rows: text(decimal_commas(rows), ";")),
    "semicolons, all quoted": file("a.csv", lambda rows: text(rows, ";").replace("student", '"student"')),
    "sep=;": file("a.csv", lambda rows: "sep=;\r\n" + text(decimal_commas(rows), ";", "\r\n"), "utf-8-sig"),
    "sep=, in quotes": file("a.csv", lambda rows: '"sep=,"\n' + text(rows)),
    "sep=|": file("a.csv", lambda rows: "sep=|\n" + text(rows, "|")),
    "lines above": file("a.csv", lambda rows: "Exam 1\nwritten, 2030-02-01\n\n" + text(rows)),
    "lines above, semicolons": file("a.csv", lambda rows: "Exam 1, spring, group A\n" + text(rows, ";")),
    "sep=; and lines above": file("a.csv", lambda rows: "sep=;\nExam 1\n" + text(rows, ";")),
    "a line an answer": file("a.csv", lambda rows: text(long(rows))),
    "a line an answer, semicolons": file("a.csv", lambda rows: text(decimal_commas(long(rows)), ";")),
    "a line an answer, lines above": file("a.csv", lambda rows: "Exam, 1, x, y\n" + text(long(rows))),
    "blanks after commas": file("a.csv", lambda rows: text(rows).replace(",", ", ")),
    "all quoted, blanks after commas": file(
        "a.csv", lambda rows: "\n".join(", ".join(f'"{cell}"' for cell in row) for row in rows)
    ),
    "empty lines and columns": file("a.csv", lambda rows: ",,\n" + text([[*row, "", ""] for row in rows])),
}


def strings(rows: list[list[str]]) -> tuple[list[list[str]], dict[str, str]]:
    """The same with texts in a part of their own, and readings above Japanese ones."""
    texts = list(dict.fromkeys(cell for row in rows for cell in row if cell))
    items = [f"<si><t>{escape(x)}</t><rPh sb='0' eb='1'><t>ヨミ</t></rPh></si>" for x in texts]
    part = f'<sst xmlns="{USUAL["main"]}">{"".join(items)}</sst>'
    numbers = [[f'<c t="s"><v>{texts.index(cell)}</v></c>' if cell else "" for cell in row] for row in rows]
    return numbers, {"xl/sharedStrings.xml": part}


def with_strings(exam: Exam) -> Path:
    rows, part = strings(japanese(exam.rows))
    return book(exam.folder / "a.xlsx", rows, extra=part)


def by_openpyxl(exam: Exam, name: str = "a.xlsx", *, above: int = 0, hidden: bool = False) -> Path:
    openpyxl = pytest.importorskip("openpyxl", reason="the extra xlsx is not installed")
    made = openpyxl.Workbook()
    sheet = made.active
    if hidden:
        sheet.append(["student", *exam.rows[0][1:]])
        sheet.append(["s000001", "1", "1", "1", "A"])
        sheet.sheet_state = "hidden"
        sheet = made.create_sheet()
    for _ in range(above):
        sheet.append(["Exam 1", "spring"])
    for row in exam.rows:
        sheet.append(row)
    made.save(exam.folder / "made.xlsx")
    return (exam.folder / "made.xlsx").rename(exam.folder / name)


def computed(exam: Exam) -> Path:
    """A choice that a formula gave, with its result."""
    rows = [list(row) for row in exam.rows]
    rows[1][-1] = f'<c t="str"><f>UPPER("{rows[1][-1].lower()}")</f><v>{rows[1][-1]}</v></c>'
    return book(exam.folder / "a.xlsx", rows)


def written_by_hand(**kwargs):
    return lambda exam: book(exam.folder / "a.xlsx", exam.rows, **kwargs)


ODD = '<extLst><ext uri="{CCE6A557-97BC-4b89-ADB6-D9C93CAAB3DF}"/></extLst>'
BOOKS = {
    "xlsx": by_openpyxl,
    "xlsx called .csv": lambda exam: by_openpyxl(exam, "a.csv"),
    "xlsx called .xls": lambda exam: by_openpyxl(exam, "a.xls"),
    "xlsx without an ending": lambda exam: by_openpyxl(exam, "answers"),
    "xlsx called .xlsm": lambda exam: by_openpyxl(exam, "a.xlsm"),
    "xlsx, a hidden sheet first": lambda exam: by_openpyxl(exam, hidden=True),
    "xlsx, lines above": lambda exam: by_openpyxl(exam, above=3),
    "xlsx, no styles": written_by_hand(),
    "xlsx, size said to be one cell": written_by_hand(dimension="A1"),
    "xlsx, size said to be less": written_by_hand(dimension="A1:C2"),
    "xlsx, size said to be more": written_by_hand(dimension="A1:Z99"),
    "xlsx, size said to be elsewhere": written_by_hand(dimension="F9:H12"),
    "xlsx, cells without places": lambda exam: book(
        exam.folder / "a.xlsx", [[cell or "_" for cell in row] for row in exam.rows], refs=False
    ),
    "xlsx, strict": written_by_hand(names=STRICT),
    "xlsx, what openpyxl warns of": written_by_hand(tail=ODD),
    "xlsx, texts apart with readings": with_strings,
    "xlsx, an answer that a formula gave": computed,
    "xlsx, a line end in XML's words": lambda exam: book(
        exam.folder / "a.xlsx", [[cell and f"{cell}_x000D_\n" for cell in row] for row in exam.rows]
    ),
}


def saved(*names: str, encoding: str = "utf-8", **more: object):
    """What the sheets saved, a file each, in a folder."""

    def write(exam: Exam) -> Path:
        for student, name in enumerate(names or ("0.json", "1.json", "2.json")):
            _put(exam.folder / name, exam.answers(student, **more).encode(encoding))
        return exam.folder

    return write


def in_one(name: str, encoding: str = "utf-8"):
    return lambda exam: _put(
        exam.folder / name, f"[{', '.join(map(exam.answers, range(3)))}]".encode(encoding)
    )


def nameless(name: str):
    """Files that say nothing of the sheet but in their names."""

    def write(exam: Exam) -> Path:
        for student in range(3):
            content = json.dumps({"answers": json.loads(exam.answers(student))["answers"]})
            _put(exam.folder / name.format(code=exam.codes[student]), content.encode())
        return exam.folder

    return write


def moodle(member: str, shown: Callable[[str], str] = str):
    def write(exam: Exam) -> Path:
        names = [member.format(number=n, code=exam.codes[n]) for n in range(3)]
        return packed(exam.folder / "in.zip", {name: shown(exam.answers(n)) for n, name in enumerate(names)})

    return write


def zipped_twice(exam: Exam) -> Path:
    """One by one, two together, and one in a folder in a zip in a zip."""
    inner = [
        packed(exam.folder / f"{n}.zip", {"a/answers.json": exam.answers(n)}).read_bytes() for n in range(3)
    ]
    middle = packed(exam.folder / "m.zip", {"b/2.zip": inner[2]}).read_bytes()
    return packed(exam.folder / "in.zip", {"x/0.zip": inner[0], "1.ZIP": inner[1], "two.zip": middle})


def editor(text: str) -> str:
    """As an editor on a web page keeps what was pasted."""
    lines = escape(json.dumps(json.loads(text), indent=1), {'"': "&quot;"}).split("\n")
    return "<p>Here it is:</p><p dir='ltr'>" + "<br>".join(x.replace(" ", "&nbsp;") for x in lines) + "</p>"


YAML = "code: {code}\nanswers: {answers}\n"
SAVED = {
    "a folder of .json": saved(),
    "json in utf-8 with a mark": saved(encoding="utf-8-sig"),
    "json in utf-16": saved(encoding="utf-16"),
    ".json.txt": saved("0.json.txt", "1.json.txt", "2.JSON.txt"),
    "no ending, .txt, a browser's copy": saved("answers", "answers.txt", "answers.json (1)"),
    "a list in one file": in_one("all.json"),
    "a list in one file without an ending": in_one("all"),
    "a list in one .txt in utf-16": in_one("all.txt", "utf-16"),
    "yaml": lambda exam: _put(
        exam.folder / "a.yaml",
        "".join(f"- {json.dumps(json.loads(exam.answers(n)))}\n" for n in range(3)).encode(),
    ),
    "a code in the name": nameless("answers-{code}.json"),
    "a code in a copy's name": nameless("answers-{code} (1).json"),
    "a code in the name of another copy": nameless("answers-{code} - Copy.json"),
    "a code in Safari's name": nameless("answers-{code}-1.json.txt"),
    "moodle's zip": moodle("One_{number}_assignsubmission_file/answers-{code}.json"),
    "moodle's online text": moodle("One_{number}_assignsubmission_onlinetext/onlinetext.html", editor),
    "moodle's online text, no folders": moodle(
        "One_{number}_assignsubmission_onlinetext_onlinetext.html", editor
    ),
    "a zip without an ending": lambda exam: moodle("{number}.json")(exam).rename(exam.folder / "download"),
    "a zip in a zip": zipped_twice,
    "zips in a folder": lambda exam: (
        next(
            iter([packed(exam.folder / f"s{n}.zip", {"answers.json": exam.answers(n)}) for n in range(3)])
        ).parent
    ),
}
GRADED = TEXTS | BOOKS | SAVED


@pytest.mark.parametrize("make", GRADED.values(), ids=GRADED)
def test_a_file_is_graded_to_the_same_marks(exam: Exam, grade, make: Callable[[Exam], Path]) -> None:
    assert grade(make(exam))[1] == dict(zip(("s000000", "s000001", "s000002"), exam.marks, strict=True))


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
ANEW = "open it there and save it as XLSX or CSV"


def raw(name: str, content: bytes):
    return lambda exam: _put(exam.folder / name, content)


def members(name: str, **contents: str):
    return lambda exam: packed(exam.folder / name, {key.replace("__", "/"): x for key, x in contents.items()})


def office(name: str, kind: str):
    """A file of LibreOffice, which says first what it is."""
    mime = f"application/vnd.oasis.opendocument.{kind}"
    return lambda exam: packed(exam.folder / name, {"mimetype": mime, "content.xml": "<x/>"})


def ours(name: str, *more: str):
    """What grading wrote, given to it as answers."""

    def write(exam: Exam, grade) -> Path:
        grade(file("a.csv", text)(exam), *more)
        return exam.folder.parent / "m" / name

    return write


def our_book_in_a_workbook(exam: Exam, grade) -> Path:
    made = ours("gradebook.csv")(exam, grade).read_text("utf-8")
    return book(exam.folder / "g.xlsx", list(csv.reader(io.StringIO(made))))


def our_book_below_a_title(exam: Exam, grade) -> Path:
    made = ours("gradebook.csv", "--excel")(exam, grade).read_text("utf-8-sig")
    return _put(exam.folder / "g.csv", f"Spring, 2030\n\n{made}".encode("utf-16"))


def our_record(exam: Exam, grade) -> Path:
    ours("x")(exam, grade)
    return exam.manifest.parent / "results.sqlite"


def our_answer(exam: Exam, run) -> Path:
    words = ("grade", exam.manifest, file("a.csv", text)(exam), "--json", "--out", exam.folder / "m")
    return _put(exam.folder / "said.json", run(*words).stdout.encode())


def bomb(exam: Exam) -> Path:
    made = book(exam.folder / "made.xlsx", exam.rows)
    with ZipFile(made) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    held["xl/workbook.xml"] = b'<!DOCTYPE x [<!ENTITY a "b">]>' + held["xl/workbook.xml"]
    return packed(exam.folder / "a.xlsx", held)


CANVAS = "Student,ID,SIS Login ID,Section,Exam (1)\n    Points Possible,,,,5\nOne,1,s000000,A,5\n"
REFUSED = {
    "excel 97": (raw("a.xls", OLE), f"is a workbook of Excel 97–2003 (.xls): {ANEW}"),
    "excel 97 called .csv": (raw("a.csv", OLE), "is a workbook of Excel 97–2003 (.xls)"),
    "excel 97 called .xlsx": (raw("a.xlsx", OLE), "is a workbook of Excel 97–2003 (.xls)"),
    "a password": (
        raw("a.xlsx", OLE + "EncryptedPackage".encode("utf-16-le")),
        "is protected by a password: open it, take the password off, and save it again",
    ),
    "word 97": (raw("a.doc", OLE + "WordDocument".encode("utf-16-le")), "is a Word document"),
    "excel 2003 xml": (
        raw(
            "a.xml", b'<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>'
        ),
        f"is a spreadsheet in XML (Excel 2003): {ANEW}",
    ),
    "xlsb": (
        members("a.xlsb", **{"xl__workbook.bin": "x"}),
        f"is a binary workbook of Excel (.xlsb): {ANEW}",
    ),
    "ods": (office("a.ods", "spreadsheet"), f"is a spreadsheet of LibreOffice (OpenDocument): {ANEW}"),
    "ods called .xlsx": (office("a.xlsx", "spreadsheet"), "is a spreadsheet of LibreOffice"),
    "ods called .zip": (office("a.zip", "spreadsheet"), "is a spreadsheet of LibreOffice"),
    "odt": (office("a.odt", "text"), "is a document of LibreOffice"),
    "numbers": (members("a.numbers", **{"Index__Document.iwa": "x"}), f"is a file of Numbers: {ANEW}"),
    "docx": (members("a.docx", **{"[Content_Types].xml": "<x/>"}), "is a document of an office program"),
    "pdf": (raw("a.pdf", b"%PDF-1.7"), "is a PDF: answers are read from a table"),
    "png": (raw("a.png", b"\x89PNG\r\n"), "is a picture: type the answers in with quizengine marks enter"),
    "jpeg": (raw("scan", b"\xff\xd8\xff\xe0"), "is a picture"),
    "heic": (raw("scan.heic", b"\0\0\0\x18ftypheic"), "is a picture"),
    "gzip": (raw("a.csv.gz", b"\x1f\x8b\x08"), "is packed (gzip): unpack it"),
    "7z": (raw("a.7z", b"7z\xbc\xaf\x27\x1c"), "is packed (7z)"),
    "rar": (raw("a.rar", b"Rar!\x1a"), "is packed (RAR)"),
    "rtf": (raw("a.rtf", rb"{\rtf1 x}"), "is a document (RTF)"),
    "html called .xls": (raw("a.xls", b"<html><table><tr><td>student</td></tr></table>"), "is a web page"),
    "a page, not what it saved": (raw("a.html", b"<p>1 + 1</p>"), "its button “Save answers” writes"),
    "euc-jp": (raw("a.csv", "学籍番号,1a\ns1,1\n".encode("euc-jp")), "save it as UTF-8"),
    "nothing": (raw("a.csv", b""), "is empty"),
    "nothing, xlsx": (lambda exam: book(exam.folder / "a.xlsx", []), "is empty"),
    "half a workbook": (raw("a.xlsx", b"PK\x03\x04 nonsense"), "and save it anew, as XLSX or CSV"),
    "half a zip": (raw("a.zip", b"PK\x03\x04 nonsense"), "is no zip that can be read"),
    "entities": (bomb, "it holds a document type definition"),
    "an open quote": (raw("a.csv", b'student,1a\ns1,"1\ns2,2\n'), "a.csv:2: a quote is opened and never"),
    "json cut off": (raw("a.json", b'{"code": "x", "answ'), "holds no answers that a sheet saved"),
    "csv in a folder": (lambda exam: file("a.csv", text)(exam).parent, "a.csv: it is neither JSON nor YAML"),
    "a roster": (raw("r.csv", b"id,name\ns000000,One\n"), "no column is a label of these sheets"),
    "another exam": (raw("a.csv", b"student,9z\ns000000,1\n"), "is it another exam’s file?"),
    "canvas": (raw("g.csv", CANVAS.encode()), "is a gradebook of Canvas: it holds grades, not answers"),
    "canvas, semicolons": (raw("g.csv", CANVAS.replace(",", ";").encode()), "is a gradebook of Canvas"),
    "gradescope": (raw("g.csv", b"Name,SID,Q,Q - Max Points\nOne,s1,1,1\n"), "is a gradebook of Gradescope"),
}
OURS = {
    "our gradebook": (ours("gradebook.csv"), "is a gradebook of quizengine: it holds grades, not answers"),
    "our gradebook for a spreadsheet": (ours("gradebook.csv", "--excel"), "is a gradebook of quizengine"),
    "our gradebook as xlsx": (our_book_in_a_workbook, "is a gradebook of quizengine"),
    "our gradebook, a title above": (our_book_below_a_title, "is a gradebook of quizengine"),
    "our report": (ours("report.json"), "(it is a report: it holds marks, not answers)"),
    "our report's page": (ours("report.html"), "holds no answers that a sheet saved (it is a web page"),
    "our log": (ours("grading.txt"), "there is no column “student” or “code”"),
    "all that grading wrote": (ours("."), "no file in it holds answers"),
    "our record": (our_record, "is a database, such as the marks on record"),
    "our manifest": (lambda exam, _: exam.manifest, "(it is the manifest, not answers)"),
}


def refused(grade, path: Path, why: str) -> None:
    said, _ = grade(path, exit=3)
    assert why in said
    assert said.strip().count("\n") == 0
    assert "fault of ours" not in said


@pytest.mark.parametrize(("make", "why"), REFUSED.values(), ids=REFUSED)
def test_a_file_that_holds_no_answers_is_refused(exam: Exam, grade, make, why: str) -> None:
    refused(grade, make(exam), why)


@pytest.mark.parametrize(("make", "why"), OURS.values(), ids=OURS)
def test_what_we_write_is_refused_as_answers(exam: Exam, grade, make, why: str) -> None:
    """Else the class would go to 0, and the next export would send it."""
    refused(grade, make(exam, grade), why)


def test_what_grade_answers_to_a_program_is_refused(exam: Exam, grade, run) -> None:
    refused(grade, our_answer(exam, run), "(it is what grade answered")


def copies(seconds: list[float], right: int, times: list[str] | None = None):
    """Files of one sheet, of which one is right, saved at these seconds."""
    names = ["answers-{}.json", "answers-{} (1).json", "answers-{} - Copy.json", "answers-{}-1.json"]

    def write(exam: Exam) -> Path:
        for number, moment in enumerate(seconds):
            more = {"time": times[number]} if times else {}
            content = json.loads(exam.answers(0, **more))
            wrong = "A" if exam.rows[1][-1] != "A" else "B"
            content["answers"] |= {} if number == right else {"2": wrong}
            path = _put(exam.folder / names[number].format(exam.codes[0]), json.dumps(content).encode())
            os.utime(path, (moment, moment))
        return exam.folder

    return write


NOON, LATER = "2030-02-01T12:00:00Z", "2030-02-01T13:00:01.5+01:00"
COPIES = {
    "the last name is newest": (copies([10, 20, 30, 40], 3), "right"),
    "the first name is newest": (copies([40, 20, 30, 10], 0), "right"),
    "one between is newest": (copies([10, 20, 40, 30], 2), "right"),
    "two of one time, older ones apart": (copies([40, 40, 10], 2), "wrong"),
    "two of one time": (copies([40, 40], 1), None),
    "copied one after the other": (copies([40, 40.1, 40.2], 2), None),
    "what they say goes before their times": (copies([20, 10], 1, [NOON, LATER]), "right"),
    "one says nothing": (copies([10, 20], 1, [NOON, ""]), "right"),
    "they say no zone": (copies([10, 20], 1, [NOON[:-1], LATER]), "right"),
    "they say the same": (copies([10, 20], 1, [NOON, NOON]), "right"),
}


@pytest.mark.parametrize(("make", "counts"), COPIES.values(), ids=COPIES)
def test_of_copies_the_newest_counts_and_never_the_alphabet(exam: Exam, grade, make, counts) -> None:
    said, marks = grade(make(exam))
    assert (
        marks == {None: {}, "right": {"s000000": exam.marks[0]}, "wrong": {"s000000": exam.marks[1]}}[counts]
    )
    left = len(list(exam.folder.iterdir())) - bool(counts)
    assert f"not graded: {left}." in said
    assert said.count("nothing tells which is newest" if not counts else "of the files of this sheet") == left


def test_of_copies_in_a_zip_the_newest_counts(exam: Exam, grade) -> None:
    copies([1, 2], 0)(exam)
    names = sorted(path.name for path in exam.folder.iterdir())  # a blank, for (1), is before a dot
    for years, credit in (((2029, 2030), exam.marks[0]), ((2030, 2029), exam.marks[1]), ((1980, 1980), None)):
        with ZipFile(exam.folder.parent / "in.zip", "w") as archive:
            for name, year in zip(names, years, strict=True):
                archive.writestr(ZipInfo(name, (year, 1, 1, 0, 0, 0)), (exam.folder / name).read_bytes())
        said, marks = grade(exam.folder.parent / "in.zip")
        if credit:
            assert marks == {"s000000": credit}
        else:  # none of them: what is on record stays
            assert "nothing tells which is newest: none counts" in said
            assert marks == {"s000000": exam.marks[1]}


def test_a_copy_with_the_same_answers_is_no_doubt(exam: Exam, grade) -> None:
    for name in ("answers.json", "answers (1).json"):
        os.utime(_put(exam.folder / name, exam.answers(0).encode()), (1, 1))
    said, marks = grade(exam.folder)
    assert marks == {"s000000": exam.marks[0]}
    assert "of the files of this sheet" in said


def test_a_name_and_what_is_in_the_file_must_agree(exam: Exam, grade) -> None:
    """A code inside goes before the name; a student of another code is listed."""
    one, two = exam.codes[:2]
    _put(exam.folder / f"answers-{two}.json", exam.answers(0).encode())
    assert grade(exam.folder)[1] == {"s000000": exam.marks[0]}
    content = json.loads(exam.answers(0))
    del content["code"]
    _put(exam.folder / f"answers-{two}.json", json.dumps(content).encode())
    assert f"code {two} belongs to s000001" in grade(exam.folder)[0]
    (exam.folder / f"answers-{two}.json").rename(exam.folder / f"my answers-{one.lower()} x.json")
    said, marks = grade(exam.folder)
    assert marks == {"s000000": exam.marks[0]}
    assert f"the file names no sheet; its name does: {one}" in said


def test_formulas_with_errors_are_unreadable_and_dates_are_listed(exam: Exam, grade) -> None:
    rows = [list(row) for row in exam.rows]
    rows[1][-1] = '<c t="e"><f>B</f><v>#NAME?</v></c>'
    rows[2][1] = '<c t="d"><v>2030-01-02</v></c>'
    rows[3][1] = "<c><f>1/3</f></c>"
    said, marks = grade(book(exam.folder / "a.xlsx", rows))
    assert marks == {"s000000": exam.marks[1]}
    assert "2: “#NAME?” is what a spreadsheet shows in place of a formula" in said
    assert "s000001: B3 is a date: was it 1/2?" in said
    assert "s000002: B4 is a formula without a result" in said


@pytest.mark.parametrize("shown", ["2030/1/2", "2030-01-02", "01/02/2030"])
def test_a_date_that_a_csv_shows_is_listed(exam: Exam, grade, shown: str) -> None:
    rows = [
        [*exam.rows[0], "note"],
        [*exam.rows[1], shown],
        [*exam.rows[2][:1], shown, *exam.rows[2][2:], "x"],
    ]
    said, marks = grade(_put(exam.folder / "a.csv", text(rows).encode()))
    assert marks == {"s000000": exam.marks[0]}
    assert f"s000001: “{shown}” is a date: was it 1/2?" in said


def test_rows_above_the_header_are_told(exam: Exam, grade) -> None:
    assert "a.csv:4: rows above the header are not read: 2" in grade(TEXTS["lines above"](exam))[0]
    assert "rows above the header" not in grade(TEXTS["sep=;"](exam))[0]
    assert "a.xlsx:4: rows above the header are not read: 3" in grade(by_openpyxl(exam, above=3))[0]


def titles(comma: str, above: str = ""):
    return lambda exam: _put(exam.folder / "f.csv", (above + text(titled(exam.rows), comma)).encode())


FORMS = {
    "commas": titles(","),
    "semicolons": titles(";"),
    "semicolons, said": titles(";", "sep=;\n"),
    "semicolons, lines above": titles(";", "Exam 1, all groups\n\n"),
    "tabs": titles("\t"),
    "xlsx": lambda exam: book(exam.folder / "f.xlsx", [["Exam 1", "2030"], *titled(exam.rows)]),
}


@pytest.mark.parametrize("make", FORMS.values(), ids=FORMS)
def test_a_form_is_mapped_and_graded(exam: Exam, grade, run, make) -> None:
    path, mapping = make(exam), exam.folder.parent / "map.yaml"
    run("marks", "map", exam.manifest, path, "--out", mapping)
    marks = grade(path, "--map", mapping)[1]
    assert marks == dict(zip(("s000000", "s000001", "s000002"), exam.marks, strict=True))


def test_a_mapping_that_maps_nothing_is_an_error(exam: Exam, grade, run) -> None:
    out = exam.folder.parent / "map.yaml"
    path = _put(exam.folder / "f.csv", b"Student ID,Which is it?\ns000000,A\n")
    said = run("marks", "map", exam.manifest, path, "--out", out, exit=3).stderr
    assert (
        "no title begins with a label of these sheets (1a, 1b, 1c, 2); the header has: Student ID, Wh" in said
    )
    assert not out.exists()
    out.write_text("format: 1\nstudent: Student ID\ncolumns: {}\n", "utf-8")
    assert "map.yaml:3:10: no column is mapped" in grade(path, "--map", out, exit=3)[0]


ROSTERS = {
    "commas in names": "id;name\ns1;One, Ann\ns2;Two, Bo\n",
    "sep=;": "sep=;\r\nid;name\r\ns1;One, Ann\r\ns2;Two, Bo\r\n",
    "lines above": 'Class 1, 2030\n\nid,name\ns1,"One, Ann"\ns2,"Two, Bo"\n',
    "tabs": "email\tname\tid\n\tOne, Ann\ts1\n\tTwo, Bo\ts2\n",
}


@pytest.mark.parametrize("content", ROSTERS.values(), ids=ROSTERS)
def test_a_roster_is_read_however_it_is_parted(tmp_path: Path, content: str) -> None:
    students = load_roster(_put(tmp_path / "r.csv", content.encode())).students
    assert [(student.id, student.name) for student in students] == [("s1", "One, Ann"), ("s2", "Two, Bo")]


EXPORT = [
    ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Which, then, is it? (17)"],
    ["    Points Possible", "", "", "", "", "5"],
    ["One, Ann", "1", "s000000", "a", "x", ""],
    ["Two, Bo", "2", "s000001", "b", "x", ""],
]
CANVAS_FILES = {
    "commas": text(EXPORT),
    "semicolons": text(EXPORT, ";"),
    "sep=;": "sep=;\n" + text(EXPORT, ";"),
    "lines above": "Exported, by hand, in, spring, of\n" + text(EXPORT, ";"),
}


@pytest.mark.parametrize("content", CANVAS_FILES.values(), ids=CANVAS_FILES)
def test_a_canvas_export_is_filled_and_nothing_else_in_it(exam: Exam, grade, run, content: str) -> None:
    grade(file("a.csv", text)(exam))
    out = exam.folder / "filled.csv"
    path = _put(exam.folder / "export.csv", content.encode())
    run("marks", "canvas", exam.manifest, path, "--column", "Which, then, is it?", "--out", out)
    filled = out.read_text("utf-8").splitlines()
    told = [(old, new) for old, new in zip(content.splitlines(), filled, strict=True) if old != new]
    assert told == [
        (old, old + mark) for old, mark in zip(content.splitlines()[-2:], exam.marks, strict=False)
    ]
