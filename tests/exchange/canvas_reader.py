"""An independent reader of QTI 1.2: what an item gives for an answer, and what it says then, by the rules of
its response processing and not after our writer."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Mapping
from typing import NamedTuple

NS = "{http://www.imsglobal.org/xsd/ims_qtiasiv1p2}"
Given = Mapping[str, object]  # by the identifier of a response: what was typed, or chosen


def unpacked(content: bytes) -> dict[str, bytes]:
    """The files of a package."""
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        return {name: package.read(name) for name in package.namelist()}


def plain_tags(content: bytes, namespace: str = NS) -> ET.Element:
    """A document without the namespace on its tags."""
    root = ET.fromstring(content)
    for node in root.iter():
        node.tag = node.tag.removeprefix(namespace)
    return root


class Result(NamedTuple):
    """What is earned of 100, and what is said."""

    score: float
    feedback: list[str]


def fits(node: ET.Element, given: Given) -> bool:
    """Does a condition hold? Several in a row are all of them, but for texts, of which one is enough."""
    value = given.get(node.get("respident", ""), "")
    match node.tag:
        case "other":
            return True
        case "varequal":
            return node.text in value if isinstance(value, set) else node.text == value
        case "vargte" | "varlte":
            number, bound = float(str(value) or "nan"), float(node.text or "nan")
            return number >= bound if node.tag == "vargte" else number <= bound
        case "not":
            return not all(fits(child, given) for child in node)
        case "and" | "conditionvar":
            texts = [child for child in node if child.tag == "varequal"]
            either = node.tag == "conditionvar" and len(texts) == len(node) > 1
            return (any if either else all)(fits(child, given) for child in node)
    raise AssertionError(node.tag)


def processed(item: ET.Element, given: Given) -> Result:
    """The conditions in turn, until one that stops it."""
    score, said = 0.0, []
    for condition in item.iter("respcondition"):
        if not fits(condition.find("conditionvar"), given):
            continue
        for change in condition.iter("setvar"):
            score = float(change.text) + (score if change.get("action") == "Add" else 0)
        said += [shown.get("linkrefid", "") for shown in condition.iter("displayfeedback")]
        if condition.get("continue") == "No":
            break
    texts = {node.get("ident"): node.findtext(".//mattext", "") for node in item.iter("itemfeedback")}
    return Result(score, [texts[ident] for ident in said])
