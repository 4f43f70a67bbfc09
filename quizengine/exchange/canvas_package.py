"""Canvas packages: the sheets of a manifest as a quiz that Canvas imports, a zip of QTI 1.2 as it writes it
itself: a group an item, of which every student gets one variant."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from quizengine.exchange.canvas_item import canvas_item, metadata
from quizengine.exchange.fragment import Pictures
from quizengine.exchange.loss import canvas_lacks
from quizengine.exchange.package import MANIFEST, identifier, zipped
from quizengine.exchange.place import Place, export_title, places
from quizengine.exchange.question_file import QuestionFile
from quizengine.exchange.xml_text import xml_document
from quizengine.lang.shown import Shown, unseen
from quizengine.lang.text import Lang
from quizengine.sheets.manifest import Manifest

_QTI = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
_QUIZ = "http://canvas.instructure.com/xsd/cccv1p0"
_PACKAGE = "http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"
_META = "http://www.imsglobal.org/xsd/imsmd_v1p2"
_XSI = "http://www.w3.org/2001/XMLSchema-instance"
_FOLDER = "images/"


class _Quiz(NamedTuple):
    """What Canvas lists a quiz by, and what it is worth."""

    ident: str
    title: str
    points: int


def canvas_files(manifest: Manifest, stamp: str, shown: Shown = unseen) -> Iterator[QuestionFile]:
    """The packages, one a language that anything can be carried in; `stamp` tells this export from any
    other, and `shown` wraps the places as they are written."""
    languages = manifest.heading.languages
    for lang in languages:
        made = _package(manifest, lang, stamp, shown)
        if made.questions:
            yield made._replace(path=f"canvas.{lang}.zip" if len(languages) > 1 else "canvas.zip")


def _package(manifest: Manifest, lang: Lang, stamp: str, shown: Shown) -> QuestionFile:
    ident = identifier("canvas", manifest.secret, stamp, lang)
    pictures: dict[str, bytes] = {}
    root = _root("questestinterop", _QTI, "http://www.imsglobal.org/xsd/ims_qtiasiv1p2p1.xsd")
    title = export_title(manifest, lang, stamp)
    assessment = ET.SubElement(root, "assessment", ident=ident, title=title)
    assessment.append(metadata({"cc_maxattempts": "1"}))
    groups = ET.SubElement(assessment, "section", ident="root_section")
    groups.extend(_groups(manifest, places(manifest, lang, shown), ident, pictures))
    points = sum(int(worth.text or 0) for worth in groups.iter("points_per_item"))
    meta = identifier("meta", ident)
    files = {
        MANIFEST: xml_document(_manifest(ident, meta, title, stamp, pictures)),
        f"{ident}/{ident}.xml": xml_document(root),
        f"{ident}/assessment_meta.xml": xml_document(_meta(_Quiz(ident, title, points))),
        **pictures,
    }
    return QuestionFile("", zipped(files), sum(1 for _ in groups.iter("item")))


def _root(tag: str, namespace: str, schema: str, **attributes: str) -> ET.Element:
    located = {"xmlns": namespace, "xmlns:xsi": _XSI, "xsi:schemaLocation": f"{namespace} {schema}"}
    return ET.Element(tag, attributes | located)


def _groups(
    manifest: Manifest, every: Iterable[Place], quiz: str, files: dict[str, bytes]
) -> Iterator[ET.Element]:
    """A section a place, where anything at it can be carried."""
    pictures = Pictures(files, _FOLDER, f"%24IMS-CC-FILEBASE%24/{_FOLDER}")
    policy, catalogue = manifest.policy, manifest.misconceptions
    for place in every:
        carried = [
            (code, problem)
            for code, problem in place.variants
            if not canvas_lacks(problem, policy, catalogue)
        ]
        if not carried:
            continue
        section = ET.Element("section", ident=identifier(quiz, place.number), title=place.called)
        selection = ET.SubElement(ET.SubElement(section, "selection_ordering"), "selection")
        ET.SubElement(selection, "selection_number").text = "1"
        worth = ET.SubElement(ET.SubElement(selection, "selection_extension"), "points_per_item")
        worth.text = str(carried[0][1].points)
        for code, problem in carried:
            ident = identifier(quiz, code)
            section.append(canvas_item(problem, f"{problem.item} {code}", ident, policy, catalogue, pictures))
        yield section


def _meta(quiz: _Quiz) -> ET.Element:
    """The settings of the quiz; it comes in unpublished, and its choices in the order that they have."""
    root = _root("quiz", _QUIZ, "https://canvas.instructure.com/xsd/cccv1p0.xsd", identifier=quiz.ident)
    kept = {"shuffle_answers": "false", "scoring_policy": "keep_highest", "hide_results": ""}
    kept |= {"quiz_type": "assignment", "points_possible": str(quiz.points), "show_correct_answers": "true"}
    kept |= {"allowed_attempts": "1", "one_question_at_a_time": "false", "cant_go_back": "false"}
    for tag, text in {"title": quiz.title, "description": "", **kept, "available": "false"}.items():
        ET.SubElement(root, tag).text = text
    assignment = ET.SubElement(root, "assignment", identifier=identifier("assignment", quiz.ident))
    told = {"title": quiz.title, "workflow_state": "unpublished", "quiz_identifierref": quiz.ident}
    told |= {"points_possible": str(quiz.points), "grading_type": "points", "submission_types": "online_quiz"}
    for tag, text in told.items():
        ET.SubElement(assignment, tag).text = text
    group = ET.SubElement(root, "assignment_group_identifierref")
    group.text = identifier("assignments", quiz.ident)
    return root


def _manifest(ident: str, meta: str, title: str, stamp: str, pictures: Mapping[str, bytes]) -> ET.Element:
    root = _root(
        "manifest",
        _PACKAGE,
        f"http://www.imsglobal.org/xsd/imscp_v1p1.xsd {_META} http://www.imsglobal.org/xsd/imsmd_v1p2p2.xsd",
        **{"identifier": identifier("manifest", ident), "xmlns:imsmd": _META},
    )
    about = ET.SubElement(root, "metadata")
    ET.SubElement(about, "schema").text = "IMS Content"
    ET.SubElement(about, "schemaversion").text = "1.1.3"
    lom = ET.SubElement(about, "imsmd:lom")
    general = ET.SubElement(ET.SubElement(lom, "imsmd:general"), "imsmd:title")
    ET.SubElement(general, "imsmd:string").text = title
    made = ET.SubElement(ET.SubElement(lom, "imsmd:lifeCycle"), "imsmd:contribute")
    ET.SubElement(ET.SubElement(made, "imsmd:date"), "imsmd:dateTime").text = stamp[:10]
    ET.SubElement(root, "organizations")
    resources = ET.SubElement(root, "resources")
    quiz = ET.SubElement(resources, "resource", identifier=ident, type="imsqti_xmlv1p2")
    ET.SubElement(quiz, "file", href=f"{ident}/{ident}.xml")
    ET.SubElement(quiz, "dependency", identifierref=meta)
    path = f"{ident}/assessment_meta.xml"
    kind = "associatedcontent/imscc_xmlv1p1/learning-application-resource"
    settings = ET.SubElement(resources, "resource", identifier=meta, type=kind, href=path)
    ET.SubElement(settings, "file", href=path)
    for picture in sorted(pictures):
        one = ET.SubElement(
            resources, "resource", identifier=identifier(picture), type="webcontent", href=picture
        )
        ET.SubElement(one, "file", href=picture)
    return root
