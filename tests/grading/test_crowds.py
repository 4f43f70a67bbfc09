"""What comes in multitudes is counted and told in one line: labels, unknown students, cells, digits."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from time import process_time
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from quizengine.errors import InputError
from quizengine.grading.intake.collect import collect
from quizengine.grading.intake.tables import read_answers
from quizengine.sheets.manifest import load_manifest

SOON = 3  # seconds, where what this stands for took ten times as many


@pytest.fixture
def manifest(sheets_for):
    return load_manifest(sheets_for("id,name\ns1,One\ns2,Two\n", "masking.one-row"))


def repacked(path: Path, member: str, change) -> Path:
    """The workbook with one member's text changed."""
    with ZipFile(path) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    held[member] = change(held[member])
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, content in held.items():
            archive.writestr(name, content)
    return path


def test_labels_that_no_sheet_bears_are_counted(manifest, tmp_path: Path) -> None:
    label = manifest.labels[0]
    (tmp_path / "in").mkdir()
    for number in range(60):
        answers = {f"x{number}-{i}": "1" for i in range(1500)} | {label: "1"}
        saved = {"code": manifest.who[0].code, "answers": answers}
        (tmp_path / "in" / f"{number:03}.json").write_text(json.dumps(saved), "utf-8")
    saved["answers"] = {f"y{i}": "1" for i in range(50_000)}
    (tmp_path / "in" / "z.json").write_text(json.dumps(saved), "utf-8")
    began = process_time()
    found = collect(tmp_path / "in", manifest)
    assert process_time() - began < SOON
    assert [row.answers[label] for row in found.rows] == ["1"]
    assert [note.values["count"] for note in found.remarks if note.code == "more-columns"] == [60 * 1500 - 8]
    assert len(found.remarks) < 20
    assert "more than" in next(note for note in found.listed if note.who == "z.json").values["why"]


@pytest.mark.parametrize("form", ["wide", "long"])
def test_columns_that_no_sheet_bears_are_counted(manifest, tmp_path: Path, form: str) -> None:
    label, path = manifest.labels[0], tmp_path / "a.csv"
    if form == "wide":
        more = ",".join(f"x{i}" for i in range(5000))
        path.write_text(f"student,{label},{more}\ns1,1,{more}\n", "utf-8")
    else:
        lines = [f"u{i},x{i},1" for i in range(5000)]
        path.write_text("\n".join(["student,label,answer", f"s1,{label},1", *lines]), "utf-8")
    began = process_time()
    found = collect(path, manifest)
    assert process_time() - began < SOON
    assert [row.answers[label] for row in found.rows] == ["1"]
    assert [note.values["count"] for note in found.remarks if note.code == "more-columns"] == [4992]


def test_like_names_are_looked_for_so_many_times(sheets_for, tmp_path: Path) -> None:
    roster = "".join(f"student-{i:06},N\n" for i in range(400))
    manifest = load_manifest(sheets_for("id,name\n" + roster, "masking.one-row"))
    path = tmp_path / "a.csv"
    rows = "".join(f"stranger-{i:06},1\n" for i in range(1500))
    path.write_text(f"student,{manifest.labels[0]}\nstudent-00000x,1\n{rows}student-000001,1\n", "utf-8")
    began = process_time()
    found = collect(path, manifest)
    assert process_time() - began < SOON
    assert len(found.listed) == 1501
    assert len(found.rows) == 1
    assert found.listed[0].code == "near-student"
    assert [note.code for note in found.remarks].count("not-looked-for") == 1


CELL = b'<row r="%s"><c r="XFD%s" t="inlineStr"><is><t>stray</t></is></c></row></sheetData>'


@pytest.mark.parametrize("line", [b"1048576", b"3", b"99999999999"])
def test_a_stray_cell_costs_no_more_than_a_line(manifest, tmp_path: Path, line: bytes) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="the extra xlsx is not installed")
    book = openpyxl.Workbook()
    book.active.append(["student", manifest.labels[0]])
    book.active.append(["s1", 1])
    path = tmp_path / "a.xlsx"
    book.save(path)

    def stray(text: bytes) -> bytes:
        text = text.replace(b'ref="A1:B2"', b'ref="A1:XFD1048576"')
        return text.replace(b"</sheetData>", CELL % (line, line))

    repacked(path, "xl/worksheets/sheet1.xml", stray)
    began = process_time()
    if len(line) > 7:
        with pytest.raises(InputError, match=r"rows|row 1048576"):
            collect(path, manifest)
    else:
        found = collect(path, manifest)
        assert [row.place for row in found.rows] == [0]
        assert [(note.line, note.code) for note in found.listed] == [(int(line), "cells")]
    assert process_time() - began < SOON


def test_a_header_of_too_many_columns_is_refused(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="the extra xlsx is not installed")
    book = openpyxl.Workbook()
    book.active.append(["student", "1"])
    book.active["XFD1"] = "stray"
    book.save(tmp_path / "a.xlsx")
    with pytest.raises(InputError, match="16384 columns"):
        read_answers(tmp_path / "a.xlsx")


@pytest.mark.parametrize("hurt", ["dtd", "bomb", "bytes", "crc", "cut", "date"])
def test_a_damaged_workbook_is_told_in_a_sentence(tmp_path: Path, hurt: str) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="the extra xlsx is not installed")
    book = openpyxl.Workbook()
    for row in (["student", "1"], *(["s1", date(2026, 1, 1)] for _ in range(2000))):
        book.active.append(row)
    path = tmp_path / "a.xlsx"
    book.save(path)
    member = "xl/worksheets/sheet1.xml"
    entities = b"".join(b'<!ENTITY e%d "%s">' % (i + 1, b"&e%d;" % i * 10) for i in range(9))
    changes = {
        "dtd": lambda text: b"<!DOCTYPE worksheet [<!ENTITY e 's'>]>" + text.replace(b"2000", b"&e;"),
        "bomb": lambda text: b"<!DOCTYPE worksheet [<!ENTITY e0 'x'>" + entities + b"]>" + text,
        "bytes": lambda text: text + b" " * 300_000_000,
        "cut": lambda text: text[: len(text) // 2],
        "date": lambda text: text.replace(
            b'<c r="B2" s="1" t="n"><v>46023</v>', b'<c r="B2" s="1"><v>1e300</v>'
        ),
        "crc": lambda text: text,
    }
    repacked(path, member, changes[hurt])
    if hurt == "crc":
        with ZipFile(path) as archive:
            start = archive.getinfo(member).header_offset
        content = bytearray(path.read_bytes())
        content[start + 400 : start + 420] = bytes(20)
        path.write_bytes(content)
    if hurt == "date":
        read_answers(path)
        return
    with pytest.raises(InputError, match=r"a\.xlsx is no XLSX workbook"):
        read_answers(path)


@pytest.mark.parametrize("hurt", ["crc", "cut", "method"])
def test_a_damaged_member_costs_itself_alone(manifest, tmp_path: Path, hurt: str) -> None:
    label, path = manifest.labels[0], tmp_path / "in.zip"
    saved = [json.dumps({"code": who.code, "answers": {label: "1" * 99}}) for who in manifest.who]
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr("a.json", saved[0])
        archive.writestr("b.json", saved[1])
        start = archive.getinfo("a.json").header_offset
        directory = archive.start_dir
    content = bytearray(path.read_bytes())
    if hurt == "method":
        place = content.index(b"PK\x01\x02", directory) + 10
        content[place : place + 2] = b"\x63\x00"
    else:
        place = start + 36 + (5 if hurt == "cut" else 20)
        content[place : place + 12] = bytes(12) if hurt == "crc" else b"\xff" * 12
    path.write_bytes(content)
    found = collect(path, manifest)
    assert [row.place for row in found.rows] == [1]
    assert [(note.who, note.code) for note in found.listed] == [("a.json", "no-answers")]
