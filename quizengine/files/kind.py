"""Kind: what a file is, told by how it begins and never by its name."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO, Literal, TypeAlias
from zipfile import BadZipFile, ZipFile

from quizengine.errors import InputError
from quizengine.files.failure import failed

Kind: TypeAlias = Literal["text", "zip", "xlsx"]
_TABLE = "open it there and save it as XLSX or CSV"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_NO_TEXT = {  # how a file begins, and what is to be done with it
    b"SQLite format 3\0": "is a database, such as the marks on record, and holds no answers to read",
    b"%PDF": "is a PDF: answers are read from a table or from the file that a sheet saved",
    b"\x89PNG": "is a picture: type the answers in with quizengine marks enter",
    b"\xff\xd8\xff": "is a picture: type the answers in with quizengine marks enter",
    b"GIF8": "is a picture: type the answers in with quizengine marks enter",
    b"\x1f\x8b": "is packed (gzip): unpack it, or pack it as a zip",
    b"7z\xbc\xaf": "is packed (7z): unpack it, or pack it as a zip",
    b"Rar!": "is packed (RAR): unpack it, or pack it as a zip",
    b"{\\rtf": "is a document (RTF): save the table in it as XLSX or CSV",
}
_MEMBERS = {  # what lies in a file of an office, which is a zip
    "[Content_Types].xml": "is a document of an office program and no workbook: save the table in it as XLSX",
    "Index/Document.iwa": f"is a file of Numbers: {_TABLE}",
    "Index.zip": f"is a file of Numbers: {_TABLE}",
}
_PAGE, _XML = (b"<!doctype html", b"<html"), b"<?xml"
_HEAD = 2**12


def kind_of(file: BinaryIO) -> Kind:
    """What the file is, which stands where it was before; a zip that cannot be opened is one. Raises
    ValueError for what is neither text, a workbook nor a zip, with what to do about it."""
    start = file.read(_HEAD)
    file.seek(0)
    if start.startswith(b"PK"):
        return _packed(file)
    if start.startswith(_OLE):
        raise ValueError(_compound(file))
    if start[4:8] == b"ftyp":  # HEIC, and films
        raise ValueError(_NO_TEXT[b"GIF8"])
    if why := next((why for magic, why in _NO_TEXT.items() if start.startswith(magic)), None):
        raise ValueError(why)
    if start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(_XML) and b"office:spreadsheet" in start:
        raise ValueError(f"is a spreadsheet in XML (Excel 2003): {_TABLE}")
    return "text"


def _packed(file: BinaryIO) -> Kind:
    try:
        with ZipFile(file) as archive:
            names = {*archive.namelist()}
            kind = archive.read("mimetype")[:80] if "mimetype" in names else b""
    except (BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError):
        return "zip"
    finally:
        file.seek(0)
    if b"opendocument" in kind:
        what = "a spreadsheet" if b"spreadsheet" in kind else "a document"
        raise ValueError(f"is {what} of LibreOffice (OpenDocument): {_TABLE}")
    if "xl/workbook.bin" in names:
        raise ValueError(f"is a binary workbook of Excel (.xlsb): {_TABLE}")
    if "[Content_Types].xml" in names and any(name.startswith("xl/") for name in names):
        return "xlsx"
    if why := next((why for name, why in _MEMBERS.items() if name in names), None):
        raise ValueError(why)
    return "zip"


def _compound(file: BinaryIO) -> str:
    content = file.read(2**22)
    file.seek(0)
    if "EncryptedPackage".encode("utf-16-le") in content:
        return "is protected by a password: open it, take the password off, and save it again"
    if "WordDocument".encode("utf-16-le") in content:
        return "is a Word document: save the table in it as XLSX or CSV"
    return f"is a workbook of Excel 97–2003 (.xls): {_TABLE}"


def kind_at(path: Path) -> Kind:
    """What the file is. Raises InputError as `kind_of` does, and for what cannot be opened."""
    try:
        with path.open("rb") as file:
            return kind_of(file)
    except OSError as error:
        raise failed(path, error) from None
    except ValueError as error:
        raise InputError(f"{path} {error}", code="kind") from None


def is_page(start: bytes) -> bool:
    """Does a web page begin so?"""
    return start.lstrip(b"\xef\xbb\xbf \t\r\n")[:20].lower().startswith(_PAGE)
