"""Canvas items: a problem as an item of QTI 1.2, of the types and in the form that Canvas writes itself.

Its identifiers are numbers there, and feedback is found by them: `1002_fb` belongs to the choice 1002.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from quizengine.exchange.cloze import decimal_text, spellings
from quizengine.exchange.fragment import Pictures, fragment_html
from quizengine.exchange.mistakes import afterwards, said_of
from quizengine.exchange.package import identifier
from quizengine.exchange.points import split_points
from quizengine.exchange.question_html import ask_html, line, listed_choices, stem_html, unpromised
from quizengine.exchange.rival_choice import rival_choice
from quizengine.items.catalogue import Catalogue
from quizengine.items.close import SEAL
from quizengine.items.policy import Policy
from quizengine.lang.messages import t
from quizengine.problems.part import (
    ChoicePart,
    ChoicesPart,
    EstimatePart,
    NumericPart,
    OrderPart,
    PairsPart,
    Part,
)
from quizengine.problems.problem import Problem
from quizengine.render.terminal import plain_text

_RESPONSE, _GENERAL = "response1", "general_fb"
_CHOICE, _LEFT, _RIGHT = 1001, 2001, 3001  # the first numbers of choices, and of the two sides of pairs
_TYPES = {"choices": "multiple_answers", "order": "matching", "pairs": "matching", "estimate": "numerical"}
_TYPES |= {"words": "essay", "construct": "essay", "number": "multiple_choice", "array": "multiple_choice"}


class _Choice(NamedTuple):
    """A choice as HTML, whether it is right, and what is said when it is chosen, as HTML."""

    html: str
    right: bool
    said: str


def canvas_type(problem: Problem) -> str:
    """What Canvas calls such a question."""
    part = problem.parts[0]
    if isinstance(part, ChoicePart):
        kind = "true_false" if problem.type == "true_false" else "multiple_choice"
    else:
        kind = _TYPES.get(part.kind, "short_answer")
    return f"{kind}_question"


def canvas_item(
    problem: Problem, name: str, ident: str, policy: Policy, catalogue: Catalogue, pictures: Pictures
) -> ET.Element:
    """A problem that Canvas can carry; of one with several parts the one that a value is chosen for."""
    item = ET.Element("item", ident=ident, title=name)
    kind, part = canvas_type(problem), problem.parts[0]
    fields = {"question_type": kind, "points_possible": str(problem.points)}
    fields["assessment_question_identifierref"] = identifier("question", ident)
    item.append(_metadata("itemmetadata", fields))
    presentation = ET.SubElement(item, "presentation")
    processing = ET.SubElement(item, "resprocessing")
    score = {"maxvalue": "100", "minvalue": "0", "varname": "SCORE", "vartype": "Decimal"}
    ET.SubElement(ET.SubElement(processing, "outcomes"), "decvar", score)
    told = problem._replace(rivals=()) if problem.numeric else problem  # the choices bear their own remedies
    feedback = {_GENERAL: afterwards(told, catalogue)}
    if feedback[_GENERAL]:
        ET.SubElement(_condition(processing, "Yes", _GENERAL), "other")
    if isinstance(part, NumericPart):
        asked, choices = _values(problem, policy, catalogue)
    else:
        asked, choices = _asked(problem, part, policy), _choices(problem, part, catalogue)
    _material(presentation, fragment_html(stem_html(unpromised(problem), tables=True) + asked, pictures))
    match part:
        case ChoicePart() | ChoicesPart() | NumericPart():
            feedback |= _choose(presentation, processing, choices, several=isinstance(part, ChoicesPart))
        case OrderPart():
            _match(presentation, processing, *_places(part))
        case PairsPart():
            _match(presentation, processing, *_sides(part))
        case _:
            _box(presentation, processing, part)
    for id_, said in feedback.items():
        if said:
            flow = ET.SubElement(ET.SubElement(item, "itemfeedback", ident=id_), "flow_mat")
            _material(flow, fragment_html(said, pictures))
    return item


def _values(problem: Problem, policy: Policy, catalogue: Catalogue) -> tuple[str, list[_Choice]]:
    """Which number or array is asked for, and those to choose from."""
    chosen = rival_choice(problem, policy, catalogue)
    assert chosen is not None, "what lacks rivals is left out"
    asked = f"<p>{line(chosen.part.prompt)}</p><p>{t(problem.lang, 'ask.single_choice')}</p>"
    return asked, [_Choice(one.text, one.right, one.said) for one in chosen.options]


def _choices(problem: Problem, part: Part, catalogue: Catalogue) -> list[_Choice]:
    if not isinstance(part, ChoicePart | ChoicesPart):
        return []
    keys = (part.key,) if isinstance(part, ChoicePart) else part.key
    return [
        _Choice(line(one.text), one.label in keys, said_of(problem, part, one, catalogue))
        for one in part.choices
    ]


def _asked(problem: Problem, part: Part, policy: Policy) -> str:
    """What is asked: of what is not marked there as we do it is said how it is."""
    if isinstance(part, OrderPart):
        return f"<p>{t(problem.lang, 'export.places')}</p>"
    if isinstance(part, EstimatePart) and part.factor:
        within = t(problem.lang, "export.within", factor=f"{float(part.factor):g}")
        return f"<p>{line(part.prompt)} {within}</p>"
    own = isinstance(part, ChoicePart | ChoicesPart | PairsPart)
    return ask_html(problem, part, policy, own=own) + ("" if own else listed_choices(part))


def _metadata(tag: str, fields: Mapping[str, str]) -> ET.Element:
    out = ET.Element(tag)
    out.append(metadata(fields))
    return out


def metadata(fields: Mapping[str, str]) -> ET.Element:
    """What is said of an item or an assessment beside its content."""
    out = ET.Element("qtimetadata")
    for label, entry in fields.items():
        field = ET.SubElement(out, "qtimetadatafield")
        ET.SubElement(field, "fieldlabel").text = label
        ET.SubElement(field, "fieldentry").text = entry
    return out


def _material(parent: ET.Element, text: str, form: str = "text/html") -> None:
    ET.SubElement(ET.SubElement(parent, "material"), "mattext", texttype=form).text = text


def _condition(processing: ET.Element, on: str, feedback: str = "") -> ET.Element:
    """A condition, yet empty, `on` whose fulfilment the next are looked at or not, and what is said then."""
    condition = ET.SubElement(processing, "respcondition", {"continue": on})
    variables = ET.SubElement(condition, "conditionvar")
    if feedback:
        ET.SubElement(condition, "displayfeedback", feedbacktype="Response", linkrefid=feedback)
    return variables


def _score(processing: ET.Element, action: str, score: str) -> ET.Element:
    """A condition, yet empty, on which so much of 100 is given."""
    condition = ET.SubElement(processing, "respcondition", {"continue": "No" if action == "Set" else "Yes"})
    variables = ET.SubElement(condition, "conditionvar")
    ET.SubElement(condition, "setvar", action=action, varname="SCORE").text = score
    return variables


def _equal(parent: ET.Element, response: str, value: str) -> None:
    ET.SubElement(parent, "varequal", respident=response).text = value


def _choose(
    presentation: ET.Element, processing: ET.Element, choices: Sequence[_Choice], *, several: bool
) -> dict[str, str]:
    """One choice that is right, or all that are. What is said, by its identifier."""
    feedback = {}
    cardinality = "Multiple" if several else "Single"
    lid = ET.SubElement(presentation, "response_lid", ident=_RESPONSE, rcardinality=cardinality)
    render = ET.SubElement(lid, "render_choice")
    for number, choice in enumerate(choices, _CHOICE):
        _material(ET.SubElement(render, "response_label", ident=str(number)), choice.html)
        if choice.said:
            feedback[f"{number}_fb"] = choice.said
            _equal(_condition(processing, "Yes", f"{number}_fb"), _RESPONSE, str(number))
    whole = _score(processing, "Set", "100")
    both = ET.SubElement(whole, "and") if several else whole
    for number, choice in enumerate(choices, _CHOICE):
        if choice.right:
            _equal(both, _RESPONSE, str(number))
        elif several:
            _equal(ET.SubElement(both, "not"), _RESPONSE, str(number))
    return feedback


class _Side(NamedTuple):
    """A line on the left, and the place of what belongs to it on the right, from 0."""

    text: str
    belongs: int


def _places(part: OrderPart) -> tuple[list[_Side], list[str]]:
    """The lines as they are shown, and the numbers of their places."""
    lines = [_Side(choice.text, part.key.index(choice.label)) for choice in part.choices]
    return lines, [str(place) for place in range(1, len(lines) + 1)]


def _sides(part: PairsPart) -> tuple[list[_Side], list[str]]:
    """The lines that belong to something, and everything on the right."""
    right = [choice for choice in part.choices if choice.label.isdecimal()]
    places, pairs = {choice.label: i for i, choice in enumerate(right)}, dict(part.key)
    left = [_Side(one.text, places[pairs[one.label]]) for one in part.choices if one.label in pairs]
    return left, [choice.text for choice in right]


def _match(
    presentation: ET.Element, processing: ET.Element, left: Sequence[_Side], right: Iterable[str]
) -> None:
    """A list to choose from for every line; these lists hold plain text."""
    texts = [" ".join(plain_text(text).split()) for text in right]
    for number, (side, share) in enumerate(zip(left, split_points(100, len(left)), strict=True)):
        response = f"response_{_LEFT + number}"
        lid = ET.SubElement(presentation, "response_lid", ident=response)
        _material(lid, " ".join(plain_text(side.text).split()), "text/plain")
        render = ET.SubElement(lid, "render_choice")
        for place, text in enumerate(texts, _RIGHT):
            _material(ET.SubElement(render, "response_label", ident=str(place)), text, "text/plain")
        _equal(_score(processing, "Add", f"{float(share):.2f}"), response, str(_RIGHT + side.belongs))


def _box(presentation: ET.Element, processing: ET.Element, part: Part) -> None:
    """A box for a number within bounds, for a text of which some spellings are known, or for a text that a
    person reads."""
    number = {"fibtype": "Decimal"} if isinstance(part, EstimatePart) else {}
    box = ET.SubElement(presentation, "response_str", ident=_RESPONSE, rcardinality="Single")
    ET.SubElement(ET.SubElement(box, "render_fib", number), "response_label", ident="answer1", rshuffle="No")
    if isinstance(part, EstimatePart):
        whole = _score(processing, "Set", "100")
        for tag, bound in zip(("vargte", "varlte"), part.bounds, strict=True):
            ET.SubElement(whole, tag, respident=_RESPONSE).text = decimal_text(bound / SEAL)
    elif part.kind in ("words", "construct"):
        ET.SubElement(_condition(processing, "No"), "other")
    else:
        whole = _score(processing, "Set", "100")
        for text in spellings(part):
            _equal(whole, _RESPONSE, text)
