"""Moodle XML, read: a question of each of its types that an item can be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial

from quizengine.exchange.intake.question import (
    Answer,
    NotCarried,
    Outcome,
    Pair,
    Question,
    Remark,
    asked,
    points,
    share,
    taken,
)
from quizengine.exchange.intake.rich_text import Form, joined, line, paragraphs, program_is_last, prompt
from quizengine.exchange.intake.xml_tree import Node

_FORMS: dict[str, Form] = {
    "html": "html",
    "moodle_auto_format": "auto",
    "plain_text": "plain",
    "markdown": "markdown",
}
_MATCHING = ("matching", "match")


def read_moodle(root: Node) -> Iterator[Outcome]:
    """Every question under the root, in order."""
    category = ""
    for node in root.all("question"):
        kind = node.get("type")
        if kind == "category":
            category = " ".join(node.said("category/text").split())
            continue
        name = " ".join((node.said("name/text") or node.said("name")).split())
        yield taken(name, node.line, partial(_question, node, kind, name, category))


def _question(node: Node, kind: str, name: str, category: str) -> Question:
    read = {
        "multichoice": _choices,
        "truefalse": _truth,
        "shortanswer": _words,
        "numerical": _number,
        **dict.fromkeys(_MATCHING, _pairs),
    }.get(kind)
    if read is None:
        raise NotCarried("kind", kind=kind or "?")
    if node.first("image_base64") or node.said("image").strip() or any(node.every("file")):
        raise NotCarried("picture")
    value, remarks = points(node.said("defaultgrade"))
    tags = ", ".join(" ".join(tag.said("text").split()) for tag in node.every("tag"))
    idnumber = node.said("idnumber").strip()
    comments = [f"category: {category}"] if category else []
    comments += [f"tags: {tags}"] if tags else []
    comments += [f"idnumber: {idnumber}"] if idnumber else []
    question = read(node)
    found = paragraphs(*_text(node.first("questiontext")))
    texts, code = prompt(found)
    kept = asked(texts, question.answers[0].within if question.kind == "number" else "0")
    if not program_is_last(found, kept):
        raise NotCarried("program")
    return question._replace(
        name=name,
        line=node.line,
        prompt="\n\n".join(kept),
        code=code,
        explanation=_line(node.first("generalfeedback")),
        hints=tuple(filter(None, map(_line, node.all("hint")))),
        points=value,
        comments=(*comments, *question.comments),
        remarks=(*remarks, *question.remarks),
    )


def _text(node: Node | None) -> tuple[str, Form]:
    """The text in an element, and in which form it is."""
    if node is None:
        return "", "plain"
    inner = node.first("text") or node
    if inner.children and inner is not node:
        raise NotCarried("nested")
    form = _FORMS.get(node.get("format", "html") or "html")
    if form is None:
        raise NotCarried("form", form=node.get("format")[:40])
    return inner.text, form


def _line(node: Node | None) -> str:
    return line(*_text(node))


def _answers(node: Node) -> list[Answer]:
    """The answers, their texts as they stand."""
    return [
        Answer(
            (one.first("text") or one).text,
            share(one.get("fraction") or "0"),
            joined(paragraphs(*_text(one.first("feedback")))) if one.first("feedback") else "",
            one.said("tolerance").strip() or "0",
        )
        for one in node.all("answer")
    ]


def _draft(answers: Sequence[Answer]) -> Question:
    return Question("", 0, "choice", "", tuple(answers))


def _choices(node: Node) -> Question:
    answers = [
        answer._replace(text=_line(one))
        for one, answer in zip(node.all("answer"), _answers(node), strict=True)
    ]
    single = node.said("single", "true").strip().lower() not in ("false", "0")
    return _draft(answers)._replace(kind="choice" if single else "choices")


def _truth(node: Node) -> Question:
    by_word = {answer.text.strip().lower(): answer for answer in _answers(node)}
    if set(by_word) != {"true", "false"}:
        raise NotCarried("truth")
    return _draft((by_word["true"], by_word["false"]))._replace(kind="truth")


def _words(node: Node) -> Question:
    remarks = (Remark("case"),) if node.said("usecase").strip() == "1" else ()
    return _draft(_answers(node))._replace(kind="words", remarks=remarks)


def _number(node: Node) -> Question:
    if any(node.every("unit")):
        raise NotCarried("units")
    answers = _answers(node)
    right = [answer for answer in answers if answer.share > Fraction(0)]
    return _draft([*right, *(answer for answer in answers if answer not in right)])._replace(kind="number")


def _pairs(node: Node) -> Question:
    pairs = []
    for one in node.all("subquestion"):
        answer = one.first("answer")
        text = line(answer.said("text"), "plain") if answer else ""
        pairs.append(Pair(_line(one), text))
    return _draft(())._replace(kind="pairs", pairs=tuple(pairs))
