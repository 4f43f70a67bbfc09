"""An independent interpreter of QTI 2.1, after the definitions of the operators in the specification. What
interpreters in use are known to do otherwise is refused: a tolerance is ignored, containers are not joined,
and NULL is compared as 0 or breaks off."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping
from typing import Any

NS = "{http://www.imsglobal.org/xsd/imsqti_v2p1}"
TYPES = {"float": float, "identifier": str, "string": str, "directedPair": str}
Values = dict[str, Any]


def equal(node: ET.Element, given: float, key: float) -> bool:
    assert node.attrib == {"toleranceMode": "exact"}
    return given == key


def same_text(node: ET.Element, given: str, key: str) -> bool:
    fold = str if node.attrib["caseSensitive"] == "true" else str.casefold
    return fold(given) == fold(key)


STRICT = {  # of operands none of which is NULL
    "sum": lambda node, *of: sum(of),
    "member": lambda node, one, many: one in many,
    "match": lambda node, one, other: one == other,
    "gte": lambda node, one, other: one >= other,
    "lte": lambda node, one, other: one <= other,
    "stringMatch": same_text,
    "equal": equal,
}
SURE = ("match", "member")  # which all interpreters find NULL of NULL
LOGIC = {"and": False, "or": True}  # what decides, whatever the others are


def value_of(node: ET.Element, values: Values, item: ET.Element) -> Any:
    """The value of an expression; None is NULL."""
    of = [value_of(child, values, item) for child in node]
    if node.tag in ("variable", "mapResponse"):
        identifier = node.attrib["identifier"]
        return values[identifier] if node.tag == "variable" else mapped(item, identifier, values)
    if node.tag == "baseValue":
        return TYPES[node.attrib["baseType"]](node.text)
    if node.tag == "ordered":
        return of or None
    if node.tag == "isNull":
        return of[0] in (None, "", [])
    if node.tag == "not":
        return None if of[0] is None else not of[0]
    if node.tag in LOGIC:
        decides = LOGIC[node.tag]
        return decides if decides in of else None if None in of else not decides
    if None not in of:
        return STRICT[node.tag](node, *of)
    assert node.tag in SURE, f"{node.tag} of NULL"
    return None


def mapped(item: ET.Element, identifier: str, values: Values) -> float:
    """What a mapping gives: each value once, within the bounds."""
    assert values[identifier] is not None, "a mapping of NULL"
    [table] = item.findall(f"responseDeclaration[@identifier='{identifier}']/mapping")
    entries = {node.attrib["mapKey"]: float(node.attrib["mappedValue"]) for node in table}
    total = sum(entries.get(one, float(table.attrib["defaultValue"])) for one in values[identifier])
    return max(float(table.attrib["lowerBound"]), min(float(table.attrib["upperBound"]), total))


def run(node: ET.Element, values: Values, item: ET.Element) -> None:
    """A rule: a value is set, or the first branch is taken that holds."""
    if node.tag == "setOutcomeValue":
        values[node.attrib["identifier"]] = value_of(node[0], values, item)
        return
    for branch in node:
        if value_of(branch[0], values, item) is True:
            for rule in branch[1:]:
                run(rule, values, item)
            return


def processed(item: ET.Element, given: Mapping[str, Any]) -> tuple[float, list[str]]:
    """The score, and the texts that are shown."""
    values: Values = {node.attrib["identifier"]: None for node in item.findall("responseDeclaration")}
    assert given.keys() <= values.keys()
    for node in item.findall("outcomeDeclaration"):
        default = node.findtext("defaultValue/value")
        assert node.attrib["cardinality"] == "single"
        values[node.attrib["identifier"]] = None if default is None else float(default)
    values |= given
    for rule in item.findall("responseProcessing/*"):
        run(rule, values, item)
    shown = [
        "".join(node.itertext())
        for node in item.findall("modalFeedback")
        if values[node.attrib["outcomeIdentifier"]] == node.attrib["identifier"]
    ]
    return values["SCORE"], shown


def correct(item: ET.Element) -> Values:
    """The answers that the item declares as right."""
    out: Values = {}
    for node in item.findall("responseDeclaration"):
        texts = [
            TYPES[node.attrib["baseType"]](value.text) for value in node.findall("correctResponse/value")
        ]
        if texts:
            out[node.attrib["identifier"]] = texts[0] if node.attrib["cardinality"] == "single" else texts
    return out
