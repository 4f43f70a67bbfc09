"""Expressions of QTI 2.1 response processing, and the rules that are made of them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from quizengine.exchange.cloze import decimal_text
from quizengine.items.close import SEAL, sealed_text

SCORE = "SCORE"


class Case(NamedTuple):
    """A condition, the points that it earns, and the identifier of what is said then."""

    when: ET.Element
    points: Fraction = Fraction(0)
    feedback: str = ""


def variable(identifier: str) -> ET.Element:
    """What was answered, or has come out so far."""
    return ET.Element("variable", identifier=identifier)


def constant(kind: str, text: str) -> ET.Element:
    """A value of this base type."""
    value = ET.Element("baseValue", baseType=kind)
    value.text = text
    return value


def operator(tag: str, *operands: ET.Element, **attributes: str) -> ET.Element:
    """An operator on these operands; `and`, `or` of one are that one."""
    if tag in ("and", "or") and len(operands) == 1:
        return operands[0]
    out = ET.Element(tag, attributes)
    out.extend(operands)
    return out


def chosen(response: str, choice: str) -> ET.Element:
    """Is this the one that was chosen?"""
    return operator("match", variable(response), constant("identifier", choice))


def among(kind: str, value: str, response: str) -> ET.Element:
    """Is this one of those that were chosen?"""
    return operator("member", constant(kind, value), variable(response))


def near(response: str, key: int, reach: int | Fraction) -> ET.Element:
    """Does a number lie so near, both in sealed units?"""
    if reach:
        return between(response, Fraction(key - reach) / SEAL, Fraction(key + reach) / SEAL)
    return operator("equal", variable(response), constant("float", sealed_text(key)), toleranceMode="exact")


def between(response: str, low: Fraction, high: Fraction) -> ET.Element:
    """Does a number lie within these bounds? They count."""
    bounds = (("gte", low), ("lte", high))
    return operator(
        "and",
        *(operator(tag, variable(response), constant("float", decimal_text(bound))) for tag, bound in bounds),
    )


def condition(cases: Sequence[Case]) -> ET.Element:
    """The first case that fits counts, and no other."""
    out = ET.Element("responseCondition")
    for place, case in enumerate(cases):
        branch = ET.SubElement(out, "responseElseIf" if place else "responseIf")
        branch.append(case.when)
        if case.points:
            branch.append(add_points(constant("float", points_text(case.points))))
        if case.feedback:
            branch.append(say(case.feedback))
    return out


def add_points(value: ET.Element) -> ET.Element:
    """So many more points."""
    return _set(SCORE, operator("sum", variable(SCORE), value))


def say(feedback: str) -> ET.Element:
    """This is said as well: it has an outcome of its own, whose value is its name."""
    return _set(feedback, constant("identifier", feedback))


def blank(responses: Iterable[str]) -> Case:
    """First of the cases of what is typed: nothing is looked at where any of it is missing, for platforms
    differ in what they compare NULL to."""
    return Case(operator("or", *(operator("isNull", variable(response)) for response in responses)))


def mapped_points(response: str) -> ET.Element:
    """So many more points as the mapping of the response gives, where there is one."""
    given = operator("not", operator("isNull", variable(response)))
    out = ET.Element("responseCondition")
    branch = ET.SubElement(out, "responseIf")
    branch.extend([given, add_points(operator("mapResponse", identifier=response))])
    return out


def _set(outcome: str, value: ET.Element) -> ET.Element:
    out = ET.Element("setOutcomeValue", identifier=outcome)
    out.append(value)
    return out


def points_text(points: Fraction) -> str:
    """Points as a float that differs from them by nothing that shows.

    >>> points_text(Fraction(2)), points_text(Fraction(-1, 3))
    ('2', '-0.3333333333333333')
    """
    return str(points.numerator) if points.denominator == 1 else repr(float(points))


def any_text(response: str, texts: Iterable[str], *, case_sensitive: bool) -> ET.Element:
    """Is this one of the texts?"""
    sensitive = "true" if case_sensitive else "false"
    return operator(
        "or",
        *(
            operator("stringMatch", variable(response), constant("string", text), caseSensitive=sensitive)
            for text in texts
        ),
    )
