"""Sources: files of questions, each read by the format that its content shows. Nothing is unpacked or
fetched, and nothing is read beyond fixed sizes."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from quizengine.errors import Fault, InputError
from quizengine.exchange.intake.aiken_reader import is_aiken, read_aiken
from quizengine.exchange.intake.gift_reader import read_gift
from quizengine.exchange.intake.moodle_reader import read_moodle
from quizengine.exchange.intake.qti_reader import read_qti
from quizengine.exchange.intake.question import Outcome
from quizengine.exchange.intake.xml_tree import Node, xml_tree
from quizengine.files import MAX_BYTES
from quizengine.files.charset import UTF16, decode_named
from quizengine.files.kind import kind_at
from quizengine.grading.intake.archive import files_in

MOST_PACKED = 2**28  # bytes of all files of a package together
_QTI = (".xml", ".qti")
_OTHER_ROOTS = {
    "assessmentItem": "an item of QTI 2: only QTI 1.2 is read here",
    "assessmentTest": "a test of QTI 2: only QTI 1.2 is read here",
    "qti-assessment-item": "an item of QTI 3: only QTI 1.2 is read here",
    "manifest": "only the list of a package: give the whole package, as a .zip",
    "question": "a question without the <quiz> around it, as Moodle writes it: put that around it",
    "html": "a web page, and no file of questions",
}


class Source(NamedTuple):
    """A file, what messages call it, its format, and what came of each of its questions."""

    name: str
    format: str
    outcomes: list[Outcome]


def read_source(path: Path) -> list[Source]:
    """The questions of a file, or of each file of questions in a package. Raises InputError."""
    if path.is_dir():
        raise InputError(f"{path} is a folder: name the files in it", code="kind")
    kind = kind_at(path)
    if kind == "xlsx":
        raise InputError(f"{path} is a workbook, and no file of questions", code="kind")
    if kind == "zip" or path.suffix.lower() == ".zip":
        return _packed(path)
    [member] = files_in(path, most=MAX_BYTES)
    assert isinstance(member.content, bytes)
    return [_read(member.content, str(path))]


def _packed(path: Path) -> list[Source]:
    """The files of QTI in a package. Canvas packs a quiz for itself and for others: its own is read."""
    found: dict[str, Node] = {}
    total = 0
    for member in files_in(path, most=MAX_BYTES):
        name = f"{path}/{member.name}"
        if isinstance(member.content, ValueError):
            raise InputError(f"{name}: {member.content}", code="zip")
        total += len(member.content)
        if total > MOST_PACKED:
            raise InputError(f"{path}: its files have more than {MOST_PACKED} bytes together", code="size")
        if member.name.lower().endswith(_QTI):
            root = xml_tree(_text(member.content, name), name)
            if root.tag == "questestinterop":
                found[member.name] = root
    if any("non_cc_assessments/" in name for name in found):
        found = {name: root for name, root in found.items() if "non_cc_assessments/" in name}
    if not found:
        raise InputError(f"{path}: no file of QTI 1.2 is in this package", code="kind")
    return [Source(f"{path}/{name}", "QTI 1.2", list(read_qti(root))) for name, root in found.items()]


def _text(content: bytes, name: str) -> str:
    """The text of a file in UTF-8, its lines ending as everywhere. Raises InputError."""
    if len(content) > MAX_BYTES:
        raise InputError(f"{name}: the file has more than {MAX_BYTES} bytes", code="size")
    if content.startswith(UTF16):
        fault = Fault(name, 1, 1, "encoding", "this is UTF-16: save it as UTF-8")
        raise InputError(str(fault), code="encoding", fault=fault)
    return decode_named(content, name).replace("\r\n", "\n").replace("\r", "\n")


def _read(content: bytes, name: str) -> Source:
    text = _text(content, name)
    if not text.strip():
        raise InputError(f"{name}: the file is empty", code="empty")
    if text.lstrip().startswith("<"):
        return _read_xml(xml_tree(text, name), name)
    if is_aiken(text):
        return Source(name, "Aiken", list(read_aiken(text)))
    if "{" in text or "::" in text or "$CATEGORY:" in text:
        return Source(name, "GIFT", list(read_gift(text)))
    raise InputError(
        f"{name} is neither GIFT (no answers between braces), Aiken (no line “ANSWER: A”) nor XML",
        code="kind",
    )


def _read_xml(root: Node, name: str) -> Source:
    if root.tag == "quiz" and "canvas" not in root.get("xmlns"):
        return Source(name, "Moodle XML", list(read_moodle(root)))
    if root.tag == "questestinterop":
        return Source(name, "QTI 1.2", list(read_qti(root)))
    why = _OTHER_ROOTS.get(root.tag, "neither Moodle XML (<quiz>) nor QTI 1.2 (<questestinterop>)")
    fault = Fault(name, root.line, 1, "kind", f"<{root.tag[:60]}>: this is {why}")
    raise InputError(str(fault), code="kind", fault=fault)
