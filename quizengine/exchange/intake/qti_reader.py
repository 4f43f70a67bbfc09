"""QTI 1.2, read: the items of a file as Canvas and others export them. What is right stands in conditions on
the ids of answers; a condition of another form than these is not guessed at."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from quizengine.exchange.intake.question import (
    Answer,
    Kind,
    NotCarried,
    Outcome,
    Pair,
    Question,
    Remark,
    asked,
    decimal,
    points,
    taken,
    written,
)
from quizengine.exchange.intake.rich_text import Form, Paragraph, joined, paragraphs, program_is_last, prompt
from quizengine.exchange.intake.xml_tree import Node
from quizengine.lang.messages import t
from quizengine.lang.text import LANGUAGES

_TYPES: dict[str, Kind] = {
    "multiple_choice_question": "choice",
    "cc.multiple_choice.v0p1": "choice",
    "multiple_answers_question": "choices",
    "cc.multiple_response.v0p1": "choices",
    "true_false_question": "truth",
    "cc.true_false.v0p1": "truth",
    "matching_question": "pairs",
    "short_answer_question": "words",
    "cc.fib.v0p1": "words",
    "numerical_question": "number",
}
_NUMBERS = ("decimal", "integer", "scientific")
_TRUE = ("true", "t", *(t(lang, "true") for lang in LANGUAGES))
_FALSE = ("false", "f", *(t(lang, "false") for lang in LANGUAGES))
_FILES = ("matimage", "mataudio", "matvideo", "matapplet", "matapplication", "matemtext")


class _Condition(NamedTuple):
    """What must hold, the part of the points that it earns, and what is said then."""

    node: Node
    earned: Fraction
    said: tuple[str, ...]


def read_qti(root: Node) -> Iterator[Outcome]:
    """Every item under the root, in order, with the title of the section that it is in."""
    yield from _items(root, "")


def _items(node: Node, section: str) -> Iterator[Outcome]:
    for child in node.children:
        if child.tag == "item":
            name = " ".join((child.get("title") or child.get("ident")).split())
            yield taken(name, child.line, partial(_question, child, name, section))
        elif child.tag in ("assessment", "section", "objectbank"):
            title = " ".join(child.get("title").split()) if child.tag == "section" else ""
            picked = child.said("selection_ordering/selection/selection_number").strip()
            yield from _items(child, f"{title}, {picked} of them" if picked and title else title or section)


def _question(item: Node, name: str, section: str) -> Question:
    fields = {
        field.said("fieldlabel").strip(): field.said("fieldentry").strip()
        for field in item.every("qtimetadatafield")
    }
    kind = _kind(item, fields)
    presentation = item.first("presentation")
    if presentation is None:
        raise NotCarried("no-prompt")
    conditions = _conditions(item)
    draft = {
        "choice": _chosen,
        "choices": _chosen,
        "truth": _chosen,
        "pairs": _paired,
        "words": _worded,
        "number": _numbered,
    }[kind](presentation, conditions, Question(name, item.line, kind, ""))
    found = [p for material in _materials(presentation) for p in _material(material)]
    texts, code = prompt(found)
    kept = asked(texts, draft.answers[0].within if kind == "number" else "0")
    if not program_is_last(found, kept):
        raise NotCarried("program")
    value, remarks = points(fields.get("points_possible", ""))
    feedback = _feedback(item)
    general = [feedback.get(said, "") for c in conditions if _is_other(c.node) for said in c.said]
    if kind == "truth":
        draft = _ordered(draft)
    return draft._replace(
        prompt="\n\n".join(kept),
        code=code,
        answers=tuple(a._replace(said=_of(a.said, feedback)) for a in draft.answers),
        explanation="\n\n".join(filter(None, dict.fromkeys(general))),
        points=value,
        comments=((f"section: {section}",) if section else ()) + draft.comments,
        remarks=(*remarks, *draft.remarks),
    )


def _kind(item: Node, fields: dict[str, str]) -> Kind:
    """As the item says, or where it says nothing as it is built. Raises NotCarried."""
    said = fields.get("question_type") or fields.get("cc_profile") or fields.get("qmd_itemtype", "")
    if said in _TYPES:
        return _TYPES[said]
    if said.endswith(("_question", "v0p1")):
        raise NotCarried("kind", kind=said)
    lids, texts = list(item.every("response_lid")), list(item.every("response_str"))
    numbers = list(item.every("response_num"))
    fibs = [fib for node in (*texts, *numbers) for fib in node.every("render_fib")]
    if len(lids) == 1 and not fibs:
        return "choices" if lids[0].get("rcardinality").lower() == "multiple" else "choice"
    if len(lids) > 1 and not fibs:
        return "pairs"
    if len(fibs) == 1 and not lids and any(item.every("varequal")) | any(item.every("vargte")):
        return "number" if numbers or fibs[0].get("fibtype").lower() in _NUMBERS else "words"
    raise NotCarried("kind", kind=said or "?")


def _materials(node: Node) -> Iterator[Node]:
    """The materials of a question, outside of its answers."""
    for child in node.children:
        if child.tag == "material":
            yield child
        elif child.tag in ("flow", "flow_mat"):
            yield from _materials(child)


def _material(node: Node | None) -> list[Paragraph]:
    out: list[Paragraph] = []
    for child in node.children if node else ():
        if child.tag in _FILES:
            raise NotCarried("picture")
        if child.tag in ("mattext", "flow_mat", "material"):
            if child.children and child.tag == "mattext":
                raise NotCarried("nested")
            html = child.get("texttype").lower() in ("text/html", "text/xhtml")
            form: Form = "html" if html else "plain"
            out += paragraphs(child.text, form) if child.tag == "mattext" else _material(child)
        elif child.tag == "matbreak":
            continue
    return out


def _conditions(item: Node) -> list[_Condition]:
    """The conditions, of which each earns a part of the most that can be earned."""
    out = []
    most = next((_value(node.get("maxvalue")) for node in item.every("decvar") if node.get("maxvalue")), None)
    names = {node.get("varname", "SCORE") for node in item.every("decvar")}
    score = names.pop() if len(names) == 1 else "SCORE"
    nodes = [node for process in item.all("resprocessing") for node in process.all("respcondition")]
    for node in nodes:
        earned = Fraction(0)
        for var in node.all("setvar"):
            if var.get("varname", score) != score:
                continue
            if var.get("action", "Set") not in ("Set", "Add"):
                raise NotCarried("scoring")
            earned += _value(var.text)
        if earned and _is_other(node):
            raise NotCarried("condition")
        out.append(_Condition(node, earned, tuple(d.get("linkrefid") for d in node.all("displayfeedback"))))
    most = most or max((condition.earned for condition in out), default=Fraction(0)) or Fraction(100)
    return [condition._replace(earned=condition.earned / most) for condition in out]


def _value(text: str) -> Fraction:
    return Fraction(decimal(text))


def _tests(condition: _Condition) -> list[Node]:
    """What a condition asks of the response."""
    held = condition.node.first("conditionvar")
    return held.children if held else []


def _is_other(node: Node) -> bool:
    held = node.first("conditionvar")
    return bool(held) and held is not None and [child.tag for child in held.children] == ["other"]


def _feedback(item: Node) -> dict[str, str]:
    """What is said, by its id."""
    out = {}
    for node in item.all("itemfeedback"):
        found = [p for material in node.every("material") for p in _material(material)]
        out[node.get("ident")] = joined(found)
    return out


def _of(ids: str, feedback: dict[str, str]) -> str:
    return "\n\n".join(filter(None, (feedback.get(id_, "") for id_ in ids.split("\n"))))


def _choices(response: Node) -> dict[str, str]:
    """The texts to choose from, by their ids."""
    return {label.get("ident"): joined(_labelled(label)) for label in response.every("response_label")}


def _labelled(label: Node) -> list[Paragraph]:
    return [p for material in label.every("material") for p in _material(material)]


def _chosen(presentation: Node, conditions: list[_Condition], draft: Question) -> Question:
    lids = list(presentation.every("response_lid"))
    if len(lids) != 1 or any(presentation.every("response_str")):
        raise NotCarried("several-answers")
    texts = _choices(lids[0])
    shares = dict.fromkeys(texts, Fraction(0))
    said: dict[str, list[str]] = {id_: [] for id_ in texts}
    for condition in conditions:
        tests = _tests(condition)
        plain = [test for test in tests if test.tag == "varequal"]
        if len(tests) == len(plain) == 1:
            if (id_ := plain[0].text.strip()) not in texts:
                raise NotCarried("unknown-id", id=id_[:40])
            shares[id_] += condition.earned
            own = (ref for ref in condition.said if ref not in ("correct_fb", "general_correct_fb"))
            said[id_] += own
        elif condition.earned:
            if draft.kind != "choices" or condition.earned != 1:
                raise NotCarried("condition")
            right = _whole_set(tests, set(texts))
            shares |= dict.fromkeys(right, Fraction(1, len(right)))
            wrong = len(texts) - len(right)
            shares |= {id_: Fraction(-1, wrong) for id_ in texts if id_ not in right}
    answers = [Answer(text, shares[id_], "\n".join(said[id_])) for id_, text in texts.items()]
    return draft._replace(answers=tuple(answers))


def _whole_set(tests: list[Node], ids: set[str]) -> list[str]:
    """Which of the ids are to be chosen, where a condition says of each that it is or that it is not."""
    if len(tests) == 1 and tests[0].tag == "and":
        tests = tests[0].children
    right = [test.text.strip() for test in tests if test.tag == "varequal"]
    inner = [child for test in tests if test.tag == "not" for child in _inside(test)]
    wrong = [child.text.strip() for child in inner]
    known = all(test.tag in ("varequal", "not") for test in tests) and all(c.tag == "varequal" for c in inner)
    if not known or not right or len(right + wrong) != len(ids) or set(right + wrong) != ids:
        raise NotCarried("condition")
    return right


def _inside(node: Node) -> list[Node]:
    """What is denied: one thing, or any of several."""
    only = node.children
    return only[0].children if len(only) == 1 and only[0].tag == "or" else only


def _ordered(draft: Question) -> Question:
    """The answer that says true, then the one that says false."""
    found = [next((a for a in draft.answers if a.text.strip().lower() in w), None) for w in (_TRUE, _FALSE)]
    true, false = found
    if true is None or false is None or len(draft.answers) != len(found):
        raise NotCarried("truth")
    return draft._replace(answers=(true, false))


def _paired(presentation: Node, conditions: list[_Condition], draft: Question) -> Question:
    lids = {lid.get("ident"): lid for lid in presentation.every("response_lid")}
    if len(lids) < 1 or any(presentation.every("response_str")):
        raise NotCarried("several-answers")
    right: dict[str, tuple[str, Fraction]] = {}
    for condition in conditions:
        tests = _tests(condition)
        if not condition.earned:
            continue
        if [test.tag for test in tests] != ["varequal"] or tests[0].get("respident") in right:
            raise NotCarried("condition")
        right[tests[0].get("respident")] = (tests[0].text.strip(), condition.earned)
    if set(right) != set(lids):
        raise NotCarried("unpaired")
    if max(s for _, s in right.values()) - min(s for _, s in right.values()) > Fraction(1, 1000):
        raise NotCarried("uneven")
    lists = {id_: _choices(lid) for id_, lid in lids.items()}
    offered: dict[str, str] = {}
    for choices in lists.values():
        offered |= choices
    if any(set(choices.values()) != set(offered.values()) for choices in lists.values()):
        raise NotCarried("own-lists")
    if any(right[id_][0] not in lists[id_] for id_ in lids):
        raise NotCarried("unknown-id", id="?")
    pairs = [Pair(joined(_left(lid)), lists[id_][right[id_][0]]) for id_, lid in lids.items()]
    taken_ = {pair.right for pair in pairs}
    pairs += [Pair("", text) for text in dict.fromkeys(offered.values()) if text not in taken_]
    return draft._replace(pairs=tuple(pairs))


def _left(lid: Node) -> list[Paragraph]:
    return [p for material in lid.all("material") for p in _material(material)]


def _worded(presentation: Node, conditions: list[_Condition], draft: Question) -> Question:
    if len(list(presentation.every("render_fib"))) != 1:
        raise NotCarried("several-answers")
    answers: list[Answer] = []
    cased = False
    for condition in conditions:
        tests = [
            child for test in _tests(condition) for child in (test.children if test.tag == "or" else [test])
        ]
        if _is_other(condition.node):
            continue
        if any(test.tag != "varequal" for test in tests):
            raise NotCarried("wildcard" if condition.earned else "condition")
        cased |= any(test.get("case").lower() == "yes" for test in tests)
        said = "\n".join(ref for ref in condition.said if ref != "correct_fb")
        for test in tests:
            known = next((i for i, a in enumerate(answers) if a.text == test.text.strip()), None)
            made = Answer(test.text.strip().replace("*", "\\*"), condition.earned, said)
            if known is None:
                answers.append(made)
            else:
                old = answers[known]
                both = "\n".join(filter(None, (old.said, said)))
                answers[known] = old._replace(share=max(old.share, made.share), said=both)
    return draft._replace(answers=tuple(answers), remarks=(Remark("case"),) if cased else ())


def _numbered(presentation: Node, conditions: list[_Condition], draft: Question) -> Question:
    if len(list(presentation.every("render_fib"))) != 1:
        raise NotCarried("several-answers")
    answers = []
    for condition in conditions:
        if _is_other(condition.node) or not _tests(condition):
            continue
        value, within = _interval(_tests(condition))
        answers.append(
            Answer(value, condition.earned, "\n".join(r for r in condition.said if r != "correct_fb"), within)
        )
    return draft._replace(answers=tuple(sorted(answers, key=lambda answer: answer.share <= 0)))


def _interval(tests: list[Node]) -> tuple[str, str]:
    """A number and how far off it may be. Raises NotCarried for any other set of numbers."""
    nodes = [child for test in tests for child in (test.children if test.tag == "or" else [test])]
    nodes = [child for node in nodes for child in (node.children if node.tag == "and" else [node])]
    if any(node.get("margintype") for node in nodes):
        raise NotCarried("condition")
    ends: dict[str, list[Decimal]] = {"varequal": [], "vargte": [], "varlte": []}
    for node in nodes:
        if node.tag in ("vargt", "varlt"):
            raise NotCarried("open-range")
        if node.tag not in ends:
            raise NotCarried("condition")
        ends[node.tag].append(decimal(node.text))
    equal, low, high = ends.values()
    if len(equal) > 1:
        raise NotCarried("several-right")
    if not low and not high and equal:
        return written(equal[0]), "0"
    if len(low) != 1 or len(high) != 1:
        raise NotCarried("condition")
    middle, half = (low[0] + high[0]) / 2, (high[0] - low[0]) / 2
    if equal and equal[0] != middle:
        raise NotCarried("lopsided")
    return written(middle), written(half)
