"""QTI packages: the sheets of a manifest as a test of QTI 2.1, a zip with an item a variant: of each place of
the exam one of its variants is drawn."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import NamedTuple

from quizengine.exchange.fragment import Pictures
from quizengine.exchange.package import MANIFEST, identifier, zipped
from quizengine.exchange.place import export_title, places
from quizengine.exchange.qti_item import MIXED, XSI, outcome, qti_item, qti_root
from quizengine.exchange.question_file import QuestionFile
from quizengine.exchange.xml_text import xml_document
from quizengine.lang.shown import Shown, unseen
from quizengine.lang.text import Lang
from quizengine.sheets.manifest import Manifest

_PACKAGE = "http://www.imsglobal.org/xsd/imscp_v1p1"
_SCHEMA = "http://www.imsglobal.org/xsd/qti/qtiv2p1/qtiv2p1_imscpv1p2_v1p0.xsd"
_ITEMS, _TEST = "items/", "test.xml"


class _Item(NamedTuple):
    """An item of the package, its content, and the pictures that it shows."""

    identifier: str
    content: bytes
    pictures: dict[str, bytes]

    @property
    def path(self) -> str:
        return f"{_ITEMS}{self.identifier}.xml"


class _Section(NamedTuple):
    """A place of the exam, and what may stand there."""

    identifier: str
    title: str
    items: list[_Item]


def qti_files(manifest: Manifest, stamp: str, shown: Shown = unseen) -> Iterator[QuestionFile]:
    """The packages, one a language; `stamp` tells this export from any other, and `shown` wraps the places as
    they are written."""
    languages = manifest.heading.languages
    for lang in languages:
        path = f"qti.{lang}.zip" if len(languages) > 1 else "qti.zip"
        sections = list(_sections(manifest, lang, shown))
        items = [item for section in sections for item in section.items]
        ident = identifier("qti", manifest.secret, stamp, lang)
        files = {_TEST: xml_document(_test(ident, export_title(manifest, lang, stamp), sections))}
        for item in items:
            files |= {item.path: item.content, **item.pictures}
        files[MANIFEST] = xml_document(_manifest(ident, items))
        yield QuestionFile(path, zipped(files), len(items))


def _sections(manifest: Manifest, lang: Lang, shown: Shown) -> Iterator[_Section]:
    for place in places(manifest, lang, shown):
        items = []
        for code, problem in place.variants:
            pictures: dict[str, bytes] = {}
            name = f"item-{code.variant}-{code.number}-{lang}"
            element = qti_item(
                problem,
                name,
                f"{problem.item} {code}",
                manifest.policy,
                manifest.misconceptions,
                Pictures(pictures, f"{_ITEMS}pictures/", "pictures/"),
            )
            items.append(_Item(name, xml_document(element, MIXED), pictures))
        yield _Section(f"section-{place.number}", place.called, items)


def _test(ident: str, title: str, sections: list[_Section]) -> ET.Element:
    """All questions may be gone to and fro, and each is answered once, so that what is said then is read."""
    root = qti_root("assessmentTest", identifier=ident, title=title)
    outcome(root, "SCORE", 0)
    part = ET.SubElement(
        root, "testPart", identifier="part-1", navigationMode="nonlinear", submissionMode="individual"
    )
    ET.SubElement(part, "itemSessionControl", maxAttempts="1", showFeedback="true")
    for section in sections:
        shown = {"identifier": section.identifier, "title": section.title, "visible": "false"}
        element = ET.SubElement(part, "assessmentSection", shown)
        ET.SubElement(element, "selection", select="1")
        for item in section.items:
            ET.SubElement(element, "assessmentItemRef", identifier=item.identifier, href=item.path)
    processing = ET.SubElement(root, "outcomeProcessing")
    total = ET.SubElement(ET.SubElement(processing, "setOutcomeValue", identifier="SCORE"), "sum")
    ET.SubElement(total, "testVariables", variableIdentifier="SCORE")
    return root


def _manifest(ident: str, items: list[_Item]) -> ET.Element:
    root = ET.Element(
        "manifest",
        {
            "xmlns": _PACKAGE,
            "xmlns:xsi": XSI,
            "xsi:schemaLocation": f"{_PACKAGE} {_SCHEMA}",
            "identifier": identifier("manifest", ident),
        },
    )
    about = ET.SubElement(root, "metadata")
    ET.SubElement(about, "schema").text = "QTIv2.1 Package"
    ET.SubElement(about, "schemaversion").text = "1.0.0"
    ET.SubElement(root, "organizations")
    resources = ET.SubElement(root, "resources")
    test = ET.SubElement(resources, "resource", identifier="test", type="imsqti_test_xmlv2p1", href=_TEST)
    ET.SubElement(test, "file", href=_TEST)
    for item in items:
        ET.SubElement(test, "dependency", identifierref=item.identifier)
        one = ET.SubElement(
            resources, "resource", identifier=item.identifier, type="imsqti_item_xmlv2p1", href=item.path
        )
        ET.SubElement(one, "file", href=item.path)
        for picture in sorted(item.pictures):
            ET.SubElement(one, "file", href=picture)
    return root
