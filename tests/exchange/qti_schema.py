"""The schema of QTI 2.1, as far as we use it: the order of elements, how often each may stand, attributes."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

EXPRESSION = (
    "variable baseValue ordered mapResponse sum and or not isNull member match gte lte stringMatch equal"
)
INLINE = "math|img|code|strong"
FLOW = f"p|pre|div|table|ul|{INLINE}"
BLOCKS = f"{FLOW}|choiceInteraction|orderInteraction|matchInteraction|extendedTextInteraction"
_ONE = "(" + EXPRESSION.replace(" ", "|") + ")"
CHILDREN = {  # after the schema: what stands in an element, as a pattern of tags that each end with a blank
    "assessmentItem": "(responseDeclaration )*(outcomeDeclaration )*(itemBody )?(responseProcessing )?"
    "(modalFeedback )*",
    "responseDeclaration": "(correctResponse )?(mapping )?",
    "correctResponse": "(value )+",
    "outcomeDeclaration": "(defaultValue )?",
    "defaultValue": "(value )+",
    "mapping": "(mapEntry )+",
    "itemBody": f"(({BLOCKS}|rubricBlock) )*",
    "rubricBlock": f"(({FLOW}) )*",
    "div": f"(({BLOCKS}|textEntryInteraction) )*",
    "p": f"(({INLINE}|textEntryInteraction) )*",
    "prompt": f"(({INLINE}) )*",
    "pre": f"(({INLINE}) )*",
    "simpleChoice": f"(({FLOW}) )*",
    "simpleAssociableChoice": f"(({FLOW}) )*",
    "simpleMatchSet": "(simpleAssociableChoice )*",
    "choiceInteraction": "(prompt )?(simpleChoice )+",
    "orderInteraction": "(prompt )?(simpleChoice )+",
    "matchInteraction": "(prompt )?(simpleMatchSet ){2}",
    "extendedTextInteraction": "(prompt )?",
    "table": "(thead )?(tbody )+",
    "thead": "(tr )+",
    "tbody": "(tr )+",
    "tr": "((td|th) )+",
    "td": f"(({FLOW}|textEntryInteraction) )*",
    "th": f"(({INLINE}) )*",
    "ul": "(li )*",
    "li": f"(({FLOW}) )*",
    "strong": f"(({INLINE}) )*",
    "modalFeedback": f"(({FLOW}) )*",
    "responseProcessing": "((responseCondition|setOutcomeValue) )*",
    "responseCondition": "responseIf (responseElseIf )*",
    "responseIf": f"{_ONE} (setOutcomeValue )*",
    "responseElseIf": f"{_ONE} (setOutcomeValue )*",
    "setOutcomeValue": f"{_ONE} ",
    **dict.fromkeys(("member", "match", "equal", "gte", "lte", "stringMatch"), f"({_ONE} ){{2}}"),
    "sum": f"(({_ONE}|testVariables) )+",
    **dict.fromkeys(("and", "or"), f"({_ONE} )+"),
    "ordered": f"({_ONE} )*",
    **dict.fromkeys(("not", "isNull"), f"{_ONE} "),
    "assessmentTest": "(outcomeDeclaration )*(testPart )+(outcomeProcessing )?",
    "testPart": "(itemSessionControl )?(assessmentSection )+",
    "assessmentSection": "(selection )?(ordering )?(rubricBlock )*(assessmentItemRef )*",
    "outcomeProcessing": "(setOutcomeValue )*",
}
ATTRIBUTES = {  # those that must be there, and those that may
    "assessmentItem": ("identifier title adaptive timeDependent", "lang schemaLocation"),
    "responseDeclaration": ("identifier cardinality baseType", ""),
    "outcomeDeclaration": ("identifier cardinality", "baseType normalMaximum normalMinimum"),
    "mapping": ("defaultValue", "lowerBound upperBound"),
    "mapEntry": ("mapKey mappedValue", ""),
    "choiceInteraction": ("responseIdentifier shuffle maxChoices", ""),
    "orderInteraction": ("responseIdentifier shuffle", ""),
    "matchInteraction": ("responseIdentifier shuffle maxAssociations", ""),
    "textEntryInteraction": ("responseIdentifier", "expectedLength"),
    "extendedTextInteraction": ("responseIdentifier", "expectedLines"),
    "simpleChoice": ("identifier", ""),
    "simpleAssociableChoice": ("identifier matchMax", ""),
    "modalFeedback": ("outcomeIdentifier identifier showHide", ""),
    "rubricBlock": ("view", ""),
    "equal": ("toleranceMode", ""),
    "stringMatch": ("caseSensitive", ""),
    "img": ("src alt", ""),
    "th": ("", "scope"),
    "assessmentTest": ("identifier title", "schemaLocation"),
    "testPart": ("identifier navigationMode submissionMode", ""),
    "itemSessionControl": ("", "maxAttempts showFeedback"),
    "assessmentSection": ("identifier title visible", ""),
    "selection": ("select", ""),
    "assessmentItemRef": ("identifier href", ""),
    "testVariables": ("variableIdentifier", ""),
    **dict.fromkeys(("variable", "mapResponse", "setOutcomeValue"), ("identifier", "")),
    "baseValue": ("baseType", ""),
}
NCNAME = re.compile(r"[A-Za-z_][\w-]*")
MIXED = {
    *("p", "pre", "prompt", "td", "th", "li", "strong", "code"),
    *("modalFeedback", "simpleChoice", "simpleAssociableChoice"),
}


def faults(root: ET.Element) -> list[str]:
    """Where a document, without the namespace on its tags, is not as the schema wants it."""
    found = []
    for node in root.iter():
        if node.tag.startswith("{http://www.w3.org/1998/Math/MathML}"):
            continue
        tags = "".join(f"{child.tag.replace('{http://www.w3.org/1998/Math/MathML}', '')} " for child in node)
        if not re.fullmatch(CHILDREN.get(node.tag, ""), tags):
            found.append(f"{node.tag}: {tags}")
        must, may = (set(names.split()) for names in ATTRIBUTES.get(node.tag, ("", "")))
        have = {name.partition("}")[2] or name for name in node.attrib}
        if not must <= have <= must | may:
            found.append(f"{node.tag} has {sorted(have)}")
        if "identifier" in node.attrib and not NCNAME.fullmatch(node.attrib["identifier"]):
            found.append(node.attrib["identifier"])
        texts = [node.text, *(child.tail for child in node)]
        if len(node) and node.tag not in MIXED and any((text or "").strip() for text in texts):
            found.append(f"{node.tag} has words in it")
    return found
