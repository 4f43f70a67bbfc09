"""QTI 2.1 items: a problem as an assessmentItem, in the order of elements that the schema demands."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from html import escape

from quizengine.exchange.fragment import Pictures, fragment
from quizengine.exchange.mistakes import afterwards
from quizengine.exchange.qti_expression import SCORE, condition, mapped_points, say
from quizengine.exchange.qti_part import QtiPart, Setting, qti_part
from quizengine.exchange.question_html import line, stem_html, unpromised
from quizengine.items.catalogue import Catalogue
from quizengine.items.policy import Policy
from quizengine.lang.messages import t
from quizengine.problems.problem import Problem
from quizengine.render.blocks import key_name, marker_key

QTI = "http://www.imsglobal.org/xsd/imsqti_v2p1"
SCHEMA = "http://www.imsglobal.org/xsd/qti/qtiv2p1/imsqti_v2p1.xsd"
XSI = "http://www.w3.org/2001/XMLSchema-instance"
MATHML = "http://www.w3.org/1998/Math/MathML"
AFTERWARDS = "AFTERWARDS"
BY_HAND = ("words", "construct")
MIXED = ("p", "pre", "prompt", "td", "th", "li", "simpleChoice", "simpleAssociableChoice", "modalFeedback")


def qti_root(tag: str, **attributes: str) -> ET.Element:
    """The root of a document of QTI 2.1."""
    located = {"xmlns": QTI, "xmlns:xsi": XSI, "xsi:schemaLocation": f"{QTI} {SCHEMA}"}
    return ET.Element(tag, located | attributes)


def qti_item(
    problem: Problem, identifier: str, title: str, policy: Policy, catalogue: Catalogue, pictures: Pictures
) -> ET.Element:
    """A problem as an item; `identifier` is an NCName."""
    about = {"identifier": identifier, "title": title, "adaptive": "false", "timeDependent": "false"}
    root = qti_root("assessmentItem", **about, **{"xml:lang": problem.lang})
    parts = [
        qti_part(Setting(problem, number, policy, catalogue, pictures), part)
        for number, part in enumerate(problem.parts, 1)
    ]
    for part in parts:
        root.extend(part.declarations)
    outcome(root, SCORE, 0, problem.points)
    outcome(root, "MAXSCORE", problem.points)
    after = "" if all(part.kind in BY_HAND for part in problem.parts) else afterwards(problem, catalogue)
    said = {feedback: html for part in parts for feedback, html in part.feedback.items()}
    said |= {AFTERWARDS: after} if after else {}
    for feedback in said:
        about = {"identifier": feedback, "cardinality": "single", "baseType": "identifier"}
        ET.SubElement(root, "outcomeDeclaration", about)
    root.append(_body(problem, parts, pictures))
    if after or any(part.conditions or part.mapped for part in parts):
        root.append(_processing(parts, after=bool(after)))
    for feedback, html in said.items():
        modal = fragment("modalFeedback", html, pictures)
        modal.attrib |= {"outcomeIdentifier": feedback, "identifier": feedback, "showHide": "show"}
        root.append(modal)
    for math in root.iter("math"):
        math.set("xmlns", MATHML)
    return root


def outcome(root: ET.Element, identifier: str, value: int, most: int | None = None) -> None:
    """Declare points, and what they are to begin with."""
    about = {"identifier": identifier, "cardinality": "single", "baseType": "float"}
    if most is not None:
        about |= {"normalMaximum": str(most), "normalMinimum": "0"}
    declaration = ET.SubElement(root, "outcomeDeclaration", about)
    ET.SubElement(ET.SubElement(declaration, "defaultValue"), "value").text = str(value)


def _body(problem: Problem, parts: list[QtiPart], pictures: Pictures) -> ET.Element:
    """The stem, then the parts, and for a person who marks, what is right."""
    body = ET.Element("itemBody")
    body.append(fragment("div", stem_html(unpromised(problem), tables=True), pictures))
    for part, made in zip(problem.parts, parts, strict=True):
        block = ET.SubElement(body, "div")
        block.extend(made.blocks)
        if part.kind in BY_HAND:
            key = key_name(part, problem.lang) + marker_key(part, problem.lang)
            html = f"<p>{t(problem.lang, 'export.scorer')} {escape(key, quote=False)}</p>"
            html += "".join(f"<p>{line(text)}</p>" for text in problem.worked)
            rubric = fragment("rubricBlock", html, pictures)
            rubric.set("view", "scorer")
            body.append(rubric)
    return body


def _processing(parts: list[QtiPart], *, after: bool) -> ET.Element:
    out = ET.Element("responseProcessing")
    for part in parts:
        out.extend(mapped_points(response) for response in part.mapped)
        out.extend(condition(cases) for cases in part.conditions)
    if after:
        out.append(say(AFTERWARDS))
    return out
