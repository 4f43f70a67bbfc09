"""Parts in QTI 2.1: how each kind is answered there, what is right, and what is said of a mistake."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from quizengine.exchange.cloze import spellings
from quizengine.exchange.fragment import Pictures, fragment
from quizengine.exchange.mistakes import names, part_rivals, said_of
from quizengine.exchange.points import split_points
from quizengine.exchange.qti_expression import (
    Case,
    among,
    any_text,
    between,
    blank,
    chosen,
    constant,
    near,
    operator,
    points_text,
    variable,
)
from quizengine.exchange.question_html import ask_html, line
from quizengine.items.catalogue import Catalogue
from quizengine.items.close import SEAL, sealed_text
from quizengine.items.policy import Policy
from quizengine.marking.entries import window
from quizengine.marking.judge import NEAR
from quizengine.problems.part import (
    ChoicePart,
    ChoicesPart,
    EstimatePart,
    GapPart,
    Label,
    NumericPart,
    OrderPart,
    Pair,
    PairsPart,
    Part,
    ShapePart,
    TiersPart,
)
from quizengine.problems.problem import Problem

LINES = {"words": 8}  # of a box for a text; of an array one a row


class Setting(NamedTuple):
    """What a part stands in: its problem and place in it, from 1, and what marks and names are taken from."""

    problem: Problem
    number: int
    policy: Policy
    catalogue: Catalogue
    pictures: Pictures


class QtiPart(NamedTuple):
    """A part as QTI has it: declarations of its responses, its blocks, and how it is marked: conditions, of
    each of which the first case that fits counts, and `mapped`, responses that earn by a table. `feedback`
    holds what can be said, as HTML, by its identifier."""

    declarations: list[ET.Element]
    blocks: list[ET.Element]
    conditions: list[list[Case]]
    mapped: list[str]
    feedback: dict[str, str]


def qti_part(setting: Setting, part: Part) -> QtiPart:
    """A part; what is typed in words, and an array of one's own, is not marked there."""
    out = QtiPart([], [], [], [], {})
    match part:
        case ChoicePart():
            _choice(out, setting, part)
        case ChoicesPart():
            _choices(out, setting, part)
        case TiersPart():
            _tiers(out, setting, part)
        case OrderPart():
            _order(out, setting, part)
        case PairsPart():
            _pairs(out, setting, part)
        case NumericPart():
            _numbers(out, setting, part)
        case EstimatePart():
            _estimate(out, setting, part)
        case ShapePart() | GapPart():
            _text(out, setting, part)
        case _:
            response = _declared(out, setting, "", "single", "string")
            lines = str(part.shape[0] if part.kind == "construct" else LINES[part.kind])
            box = ET.Element("extendedTextInteraction", responseIdentifier=response, expectedLines=lines)
            out.blocks.append(_asked(setting, part, box))
    return out


def _declared(
    out: QtiPart, setting: Setting, suffix: str, cardinality: str, kind: str, key: Sequence[str] = ()
) -> str:
    """Declare a response of the part, and give its identifier."""
    identifier = f"RESPONSE_{setting.number}{suffix}"
    declaration = ET.Element(
        "responseDeclaration", identifier=identifier, cardinality=cardinality, baseType=kind
    )
    if key:
        correct = ET.SubElement(declaration, "correctResponse")
        for value in key:
            ET.SubElement(correct, "value").text = value
    out.declarations.append(declaration)
    return identifier


def _map(out: QtiPart, response: str, points: int, entries: dict[str, Fraction]) -> None:
    """What each of the chosen ones earns, together nothing below 0 and no more than the part's points."""
    bounds = {"lowerBound": "0", "upperBound": str(points), "defaultValue": "0"}
    mapping = ET.SubElement(out.declarations[-1], "mapping", bounds)
    for key, value in entries.items():
        ET.SubElement(mapping, "mapEntry", mapKey=key, mappedValue=points_text(value))
    out.mapped.append(response)


def _said(out: QtiPart, setting: Setting, html: str) -> str:
    """The identifier of what is said; empty for nothing."""
    if not html:
        return ""
    known = {text: identifier for identifier, text in out.feedback.items()}
    identifier = known.get(html, f"FEEDBACK_{setting.number}_{len(known) + 1}")
    out.feedback[identifier] = html
    return identifier


def _named(out: QtiPart, setting: Setting, misconceptions: Sequence[str]) -> str:
    return _said(out, setting, names(misconceptions, setting.catalogue, setting.problem))


def _rivals(setting: Setting, part: Part) -> dict[Any, list[str]]:
    """What misconceptions answer here, in the form of the part's key, and which do."""
    out: dict[Any, list[str]] = {}
    for rival in setting.problem.rivals:
        if part.id in rival.values:
            out.setdefault(rival.values[part.id], []).append(rival.misconception)
    return out


def _ask(setting: Setting, part: Part, *, own: bool = False) -> str:
    """What the part asks, as if it stood alone: no platform marks what follows from other parts."""
    return ask_html(setting.problem._replace(parts=(part,)), part, setting.policy, own=own)


def _asked(setting: Setting, part: Part, interaction: ET.Element, *, own: bool = False) -> ET.Element:
    """The interaction with what it asks as its prompt."""
    asked = _ask(setting, part, own=own)
    for paragraph in fragment("div", asked, setting.pictures):
        paragraph.tag = "prompt"
        interaction.insert(0, paragraph)
    return interaction


def _named_choice(setting: Setting, label: str) -> str:
    return f"CHOICE_{setting.number}_{label}"


def _listed(
    setting: Setting, parent: ET.Element, tag: str, choices: Sequence[Label], **more: str
) -> ET.Element:
    for choice in choices:
        element = fragment(tag, line(choice.text), setting.pictures)
        element.attrib |= {"identifier": _named_choice(setting, choice.label), **more}
        parent.append(element)
    return parent


def _choose(setting: Setting, response: str, choices: Sequence[Label], most: int) -> ET.Element:
    how = {"responseIdentifier": response, "shuffle": "false", "maxChoices": str(most)}
    return _listed(setting, ET.Element("choiceInteraction", how), "simpleChoice", choices)


def _choice(out: QtiPart, setting: Setting, part: ChoicePart) -> None:
    key = _named_choice(setting, part.key)
    response = _declared(out, setting, "", "single", "identifier", [key])
    out.blocks.append(_asked(setting, part, _choose(setting, response, part.choices, 1)))
    cases = [Case(chosen(response, key), Fraction(part.points))]
    for choice in part.choices:
        said = _said(out, setting, said_of(setting.problem, part, choice, setting.catalogue))
        if said:
            cases.append(Case(chosen(response, _named_choice(setting, choice.label)), feedback=said))
    out.conditions.append(cases)


def _choices(out: QtiPart, setting: Setting, part: ChoicesPart) -> None:
    by_label = {choice.label: _named_choice(setting, choice.label) for choice in part.choices}
    response = _declared(out, setting, "", "multiple", "identifier", [by_label[key] for key in part.key])
    right, wrong = (
        iter(split_points(part.points, count)) for count in (len(part.key), len(part.choices) - len(part.key))
    )
    shares = {name: next(right) if label in part.key else -next(wrong) for label, name in by_label.items()}
    _map(out, response, part.points, shares)
    out.blocks.append(_asked(setting, part, _choose(setting, response, part.choices, 0)))
    for choice in part.choices:
        said = said_of(setting.problem, part, choice, setting.catalogue)
        if said:
            when = among("identifier", by_label[choice.label], response)
            out.conditions.append([Case(when, feedback=_said(out, setting, said))])


def _tiers(out: QtiPart, setting: Setting, part: TiersPart) -> None:
    """The answer and its reason are two questions, which are marked together."""
    [key] = part.key
    sides = [[c for c in part.choices if c.label.isdecimal() is number] for number in (False, True)]
    responses = []
    for suffix, label, side in zip(("_ANSWER", "_REASON"), key, sides, strict=True):
        responses.append(
            _declared(out, setting, suffix, "single", "identifier", [_named_choice(setting, label)])
        )
        block = _choose(setting, responses[-1], side, 1)
        out.blocks.append(block if out.blocks else _asked(setting, part, block, own=True))

    def pair(labels: Sequence[str]) -> ET.Element:
        both = zip(responses, labels, strict=True)
        return operator("and", *(chosen(response, _named_choice(setting, one)) for response, one in both))

    shares = {tuple(text.split("-")): share for text, share in part.shares}
    shares[key] = Fraction(1)
    out.conditions.append([Case(pair(labels), part.points * share) for labels, share in shares.items()])
    named = [
        Case(pair(labels), feedback=_named(out, setting, ids))
        for (labels,), ids in _rivals(setting, part).items()
    ]
    out.conditions.extend([named] if named else [])
    for response, side in zip(responses, sides, strict=True):
        for choice in side:
            if choice.why and choice.label not in key:
                said = _said(out, setting, line(choice.why))
                when = chosen(response, _named_choice(setting, choice.label))
                out.conditions.append([Case(when, feedback=said)])


def _order(out: QtiPart, setting: Setting, part: OrderPart) -> None:
    def ordered(labels: Sequence[str]) -> ET.Element:
        values = (constant("identifier", _named_choice(setting, label)) for label in labels)
        return operator("match", variable(response), operator("ordered", *values))

    key = [_named_choice(setting, label) for label in part.key]
    response = _declared(out, setting, "", "ordered", "identifier", key)
    block = ET.Element("orderInteraction", responseIdentifier=response, shuffle="false")
    _listed(setting, block, "simpleChoice", part.choices)
    out.blocks.append(_asked(setting, part, block, own=True))
    cases = [Case(ordered(order), Fraction(part.points)) for order in (part.key, *part.also)]
    for value, ids in _rivals(setting, part).items():
        cases.append(Case(ordered(value), feedback=_named(out, setting, ids)))
    out.conditions.append(cases)


def _pairs(out: QtiPart, setting: Setting, part: PairsPart) -> None:
    def directed(pair: Sequence[str]) -> str:
        return " ".join(_named_choice(setting, label) for label in pair)

    response = _declared(out, setting, "", "multiple", "directedPair", [directed(pair) for pair in part.key])
    shares = split_points(part.points, len(part.key))
    _map(out, response, part.points, dict(zip(map(directed, part.key), shares, strict=True)))
    left, right = ([c for c in part.choices if c.label.isdecimal() is number] for number in (False, True))
    how = {"responseIdentifier": response, "shuffle": "false", "maxAssociations": str(len(left))}
    block = ET.Element("matchInteraction", how)
    for side, most in ((left, 1), (right, len(left))):
        one_side = ET.SubElement(block, "simpleMatchSet")
        _listed(setting, one_side, "simpleAssociableChoice", side, matchMax=str(most))
    out.blocks.append(_asked(setting, part, block, own=True))
    named: dict[Pair, list[str]] = {}
    for value, ids in _rivals(setting, part).items():
        for pair in value:
            if pair not in part.key:
                named.setdefault(pair, []).extend(ids)
    for pair, ids in named.items():
        when = among("directedPair", directed(pair), response)
        out.conditions.append([Case(when, feedback=_named(out, setting, ids))])


def _box(response: str, length: int) -> ET.Element:
    return ET.Element("textEntryInteraction", responseIdentifier=response, expectedLength=str(length))


def _typed(setting: Setting, part: Part, boxes: Sequence[Sequence[ET.Element]]) -> Iterator[ET.Element]:
    """What is asked, and the boxes below it, in rows."""
    yield from fragment("div", _ask(setting, part), setting.pictures)
    if len(boxes) == len(boxes[0]) == 1:
        alone = ET.Element("p")
        alone.append(boxes[0][0])
        yield alone
        return
    table = ET.Element("table")
    body = ET.SubElement(table, "tbody")
    for row in boxes:
        line_of = ET.SubElement(body, "tr")
        for box in row:
            ET.SubElement(line_of, "td").append(box)
    yield table


def _numbers(out: QtiPart, setting: Setting, part: NumericPart) -> None:
    """A box a number; a row is right when all its numbers are."""
    reach = window(part, setting.policy)
    responses = [
        [
            _declared(out, setting, f"_{i}_{j}" if part.shape else "", "single", "float", [sealed_text(x)])
            for j, x in enumerate(row, 1)
        ]
        for i, row in enumerate(part.key, 1)
    ]
    out.blocks.extend(_typed(setting, part, [[_box(one, 10) for one in row] for row in responses]))

    open_ = _open(setting.problem, part)

    def looked_at(i: int) -> list[str]:
        return [response for response, asked in zip(responses[i], open_[i], strict=True) if asked]

    def row_near(i: int, values: Sequence[int], far: int | Fraction) -> list[ET.Element]:
        cells = zip(responses[i], values, open_[i], strict=True)
        return [near(response, x, far) for response, x, asked in cells if asked]

    rows = range(len(part.key))
    earn = [
        i for i in rows if not part.free or any(part.free[i])
    ] or rows  # the question gives the others away
    for i, share in zip(earn, split_points(part.points, len(earn)), strict=True):
        case = Case(operator("and", *row_near(i, part.key[i], reach)), share)
        out.conditions.append([blank(looked_at(i)), case])
    cases = [
        blank(response for i in rows for response in looked_at(i)),
        Case(operator("and", *(one for i, row in enumerate(part.key) for one in row_near(i, row, reach)))),
    ]
    for rival in part_rivals(setting.problem, part, reach):
        entries = [one for i, row in enumerate(rival.values) for one in row_near(i, row, rival.reach)]
        said = _named(out, setting, rival.misconceptions)
        if said:
            cases.append(Case(operator("and", *entries), feedback=said))
    if len(cases) > 2:
        out.conditions.append(cases)


def _open(problem: Problem, part: NumericPart) -> list[list[bool]]:
    """Which numbers are looked at: not those before the softmax that the mask hides, for −∞ is right there as
    well, and no box takes it."""
    mask = problem.matrix("mask")
    if not mask or part.stage not in ("scores", "scaled"):
        return [[True] * len(row) for row in part.key]
    return [[bool(keep) for keep in mask[number - 1]] for number in part.rows]


def _estimate(out: QtiPart, setting: Setting, part: EstimatePart) -> None:
    """All within its bounds; half within the square of a factor, of which what a known mistake gives earns
    nothing."""
    [[units]] = part.key
    response = _declared(out, setting, "", "single", "float", [sealed_text(units)])
    out.blocks.extend(_typed(setting, part, [[_box(response, 12)]]))
    least, most = (bound / SEAL for bound in part.bounds)
    cases = [blank([response]), Case(between(response, least, most), Fraction(part.points))]
    for [[value]], ids in _rivals(setting, part).items():
        wrong = Fraction(value, SEAL)
        reach = wrong / NEAR if part.factor else Fraction(part.within, SEAL)
        cases.append(
            Case(between(response, wrong - reach, wrong + reach), feedback=_named(out, setting, ids))
        )
    if part.factor:
        half = between(response, least / part.factor, most * part.factor)
        cases.append(Case(half, Fraction(part.points, 2)))
    out.conditions.append(cases)


def _text(out: QtiPart, setting: Setting, part: ShapePart | GapPart) -> None:
    """A box for a text, of which some right spellings are known."""
    sensitive = isinstance(part, GapPart)
    texts = spellings(part)
    response = _declared(out, setting, "", "single", "string", texts[:1])
    out.blocks.extend(_typed(setting, part, [[_box(response, 24)]]))
    right = Case(any_text(response, texts, case_sensitive=sensitive), Fraction(part.points))
    cases = [blank([response]), right]
    for text, ids in _rivals(setting, part).items():
        wrong = (
            part._replace(key=text) if isinstance(part, ShapePart) else part._replace(key=text, spellings=())
        )
        when = any_text(response, spellings(wrong), case_sensitive=sensitive)
        cases.append(Case(when, feedback=_named(out, setting, ids)))
    out.conditions.append(cases)
