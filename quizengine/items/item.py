"""An item: what an author wrote, checked and frozen."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from quizengine.items.answer import (
    Answer,
    AnswerReason,
    Ask,
    Case,
    Choice,
    Construct,
    Estimate,
    Gap,
    Gaps,
    Idea,
    ItemType,
    Level,
    Matching,
    Numeric,
    Option,
    Ordering,
    Question,
    Samples,
    ShortAnswer,
    TrueFalse,
)
from quizengine.items.spec import answer_reason, construct, estimate, option, sizes
from quizengine.items.spec import text as _text
from quizengine.lang.text import LANGUAGES, Lang, Text

if TYPE_CHECKING:
    from quizengine.items import form

_WORDING = (
    "type",
    "prompt",
    "right",
    "wrong",
    "answers",
    "reasons",
    "is",
    "steps",
    "also_right",
    "pairs",
    "spare",
    "ideas",
    "refutations",
    "gaps",
    "family",
    "ask",
    "array",
    "given",
    "require",
    "sample",
    "value",
    "factor",
    "within",
    "questions",
    "code",
    "table",
)


class Objective(NamedTuple):
    """A fact that is taught and examined, the objectives to be met before it, and the tasks of `check` that
    examine it."""

    topic: str
    text: Text
    after: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()


class Term(NamedTuple):
    """What a thing is called in either language, and what it is not called."""

    en: str
    ja: str
    avoid: tuple[str, ...] = ()


class Metadata(NamedTuple):
    """What an item is chosen by; the rest of it is built when it is asked."""

    id: str
    type: ItemType
    topic: str
    level: Level
    difficulty: int
    objectives: tuple[str, ...]
    languages: tuple[Lang, ...]
    family: str
    misconceptions: tuple[str, ...]


class Item(NamedTuple):
    """A question of the bank; `digest` names its wording and key, `id` its history. `code` and `table` (its
    first row is the head) are shown with the prompt; `check` holds claims that `bank check` works out,
    `allow` the rules of style that it breaks, with reasons."""

    id: str
    type: ItemType
    topic: str
    level: Level
    difficulty: int
    objectives: tuple[str, ...]
    prompt: Text
    answer: Answer
    hints: tuple[Text, ...]
    explanation: Text
    points: int
    languages: tuple[Lang, ...]
    digest: str
    file: str
    line: int
    column: int
    code: str = ""
    table: tuple[tuple[str, ...], ...] = ()
    check: tuple[str, ...] = ()
    allow: Mapping[str, str] = {}

    @property
    def metadata(self) -> Metadata:
        """What the item is chosen by."""
        return Metadata(*(getattr(self, field) for field in Metadata._fields))

    @property
    def family(self) -> str:
        """The family that draws the item's numbers; empty where the author wrote all of it."""
        return self.answer.family if isinstance(self.answer, Numeric | Construct) else ""

    @property
    def questions(self) -> tuple[Item, ...]:
        """The questions of a case, each as an item of its own; of any other item itself."""
        if not isinstance(self.answer, Case):
            return (self,)
        return tuple(
            self._replace(
                id=f"{self.id}/{one.id}",
                type=one.type,
                prompt=one.prompt,
                answer=one.answer,
                points=one.points,
                explanation=one.explanation,
            )
            for one in self.answer.questions
        )

    def pointed(self, points: Sequence[int]) -> Item:
        """The case with these points of its questions."""
        assert isinstance(self.answer, Case)
        pairs = zip(self.answer.questions, points, strict=True)
        questions = tuple(question._replace(points=own) for question, own in pairs)
        return self._replace(answer=Case(questions), points=sum(points))

    @property
    def misconceptions(self) -> tuple[str, ...]:
        """The ids that this item's wrong answers name, in order, once each."""
        return tuple(dict.fromkeys(filter(None, _named(self.answer))))


def _named(answer: Answer) -> Iterator[str]:
    match answer:
        case Choice(options=options) | Matching(spare=options):
            yield from (option.misconception for option in options)
        case AnswerReason(answers=answers, reasons=reasons):
            yield from (option.misconception for option in (*answers, *reasons))
        case TrueFalse(misconception=misconception):
            yield misconception
        case Ordering(wrong=wrong):
            yield from (misconception for _, misconception in wrong)
        case Construct(wrong=wrong) | Estimate(wrong=wrong):
            yield from (misconception for _, misconception in wrong)
        case Case(questions=questions):
            for question in questions:
                yield from _named(question.answer)
        case ShortAnswer(refutations=refutations):
            yield from (misconception for misconception, _ in refutations)
        case Gaps(gaps=gaps):
            yield from (misconception for gap in gaps for misconception, _ in gap.wrong)


def full_id(namespace: str, topic: str, id_: str) -> str:
    """topic.id, after the namespace of the file if it has one.

    >>> full_id("", "masking", "where"), full_id("ours", "masking", "where")
    ('masking.where', 'ours.masking.where')
    """
    return ".".join(filter(None, (namespace, topic, id_)))


def build(entry: form.Entry) -> Item:
    """An Item from an entry of the compiled bank."""
    data = entry["item"]
    return Item(
        id=full_id(entry["namespace"], entry["topic"], data["id"]),
        type=data["type"],
        topic=entry["topic"],
        level=entry["level"],
        difficulty=entry["difficulty"],
        objectives=tuple(entry["objectives"]),
        prompt=Text() if data["type"] == "numeric" else _text(data.get("prompt", {})),
        answer=_answer(data),
        hints=tuple(map(_text, data.get("hints", ()))),
        explanation=_text(data.get("explain", {})),
        points=sum(q.get("points", 1) for q in data["questions"])
        if data["type"] == "case"
        else data.get("points", 1),
        languages=tuple(entry["languages"]),
        digest=_digest(data),
        file=entry["file"],
        line=entry["line"],
        column=entry["column"],
        code=data.get("code", "").strip("\n"),
        table=tuple(tuple(map(str, row)) for row in data.get("table", ())),
        check=tuple(data.get("check", ())),
        allow=data.get("allow", {}),
    )


def build_objective(data: form.Objective) -> Objective:
    """An Objective from a checked entry of `objectives.yaml`."""
    return Objective(data["topic"], _text(data), tuple(data.get("after", ())), tuple(data.get("tasks", ())))


def build_term(data: form.Term) -> Term:
    """A Term from a checked entry of `glossary.yaml`."""
    return Term(data["en"], data["ja"], tuple(data.get("avoid", ())))


def _question(data: form.Question) -> Question:
    answer = _answer(data)
    assert not isinstance(answer, Numeric | Gaps | Construct | Case)
    fields = (_text(data["prompt"]), answer, data.get("points", 1), _text(data.get("explain", {})))
    return Question(data["id"], data["type"], *fields)


def _answer(data: form.AnyItem) -> Answer:
    if data["type"] == "single_choice" or data["type"] == "multiple_choice":
        right = [Option(id_, _text(words), True) for id_, words in data["right"].items()]
        wrong = [option(id_, wrong) for id_, wrong in data["wrong"].items()]
        return Choice((*right, *wrong), many=data["type"] == "multiple_choice")
    if data["type"] == "true_false":
        return TrueFalse(data["right"], data.get("is", ""))
    if data["type"] == "ordering":
        return Ordering(
            tuple(Option(id_, _text(step)) for id_, step in data["steps"].items()),
            tuple(map(tuple, data.get("also_right", ()))),
            tuple((tuple(wrong["order"]), wrong["is"]) for wrong in data.get("wrong", ())),
        )
    if data["type"] == "matching":
        return Matching(
            tuple((id_, _text(left), _text(right)) for id_, (left, right) in data["pairs"].items()),
            tuple(option(id_, wrong) for id_, wrong in data.get("spare", {}).items()),
        )
    if data["type"] == "short_answer":
        return ShortAnswer(
            tuple(map(_idea, data["ideas"].values())),
            _text(data["model"]),
            tuple((id_, _phrases(phrases)) for id_, phrases in data.get("refutations", {}).items()),
            Samples(*(tuple(map(_text, data["samples"][kind])) for kind in ("right", "wrong")))
            if "samples" in data
            else Samples(),
        )
    return _task(data)


def _task(data: form.Task) -> Answer:
    """What has parts of its own, or is worked out."""
    if data["type"] == "gaps":
        return Gaps(tuple(_gap(id_, gap) for id_, gap in data["gaps"].items()))
    if data["type"] == "construct":
        return construct(data)
    if data["type"] == "answer_and_reason":
        return answer_reason(data)
    if data["type"] == "estimate":
        return estimate(data)
    if data["type"] == "case":
        return Case(tuple(map(_question, data["questions"])))
    names = data["family"].get("of", ())
    return Numeric(
        str(data["family"]["name"]),
        sizes(data["family"]),
        tuple(
            Ask(ask["stage"], tuple(ask.get("rows", ())), ask.get("decimals"), ask.get("points", 1))
            for ask in data["ask"]
        ),
        tuple(map(str, names)) if isinstance(names, list) else (),
    )


def _gap(id_: str, data: form.Gap) -> Gap:
    wrong = tuple((name, tuple(texts)) for name, texts in data.get("wrong", {}).items())
    return Gap(id_, tuple(data["accept"]), wrong, data.get("points", 1))


def _idea(data: form.AnyIdea) -> Idea:
    return Idea(_text(data["name"]), _phrases(data), data.get("also_denied", False))


def _phrases(data: form.AnyPhrases | form.AnyIdea) -> Mapping[Lang, tuple[str, ...]]:
    return {lang: tuple(data[lang]) for lang in LANGUAGES if lang in data}


def _digest(data: form.AnyItem) -> str:
    """Of prompt, choices, key and family; not of hints, explanations or white space."""
    fields: Mapping[str, object] = data
    wording = json.dumps([[k, fields[k]] for k in _WORDING if k in fields], ensure_ascii=False)
    return hashlib.sha256(" ".join(wording.split()).encode()).hexdigest()[:16]
