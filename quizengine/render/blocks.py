"""A problem as blocks, in reading order; writers turn blocks into lines, Markdown and pages."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from quizengine.items.close import rounded_text, sealed_text
from quizengine.items.policy import Policy
from quizengine.lang.messages import name, t
from quizengine.lang.text import Lang
from quizengine.problems.part import (
    FAILS,
    ChoicePart,
    ChoicesPart,
    ConstructPart,
    EstimatePart,
    GapPart,
    Key,
    Label,
    NumericPart,
    Part,
    ShapePart,
    TiersPart,
    key_text,
    labels_of,
)
from quizengine.problems.problem import Matrix as Numbers
from quizengine.problems.problem import Problem

_SHOWN = ("X", "C", "W_Q", "W_K", "W_V", "Q", "K", "V", "v_a", "W_O", "mask", "scores", "weights")


class Words(NamedTuple):
    """A text of the bank, with its marks."""

    text: str


class Matrix(NamedTuple):
    """A named matrix, (rows, columns), with its factor; the entries are as they are to be read, and the
    `marked` rows, from 1, are what is asked."""

    name: str
    factor: str
    rows: tuple[tuple[str, ...], ...]
    marked: tuple[int, ...] = ()
    lang: Lang = "en"


class Picture(NamedTuple):
    """Weights from 0 to 1, (queries, keys), that are to be seen: the larger, the darker."""

    rows: tuple[tuple[float, ...], ...]
    lang: Lang = "en"


class Code(NamedTuple):
    """A program, shown letter by letter."""

    text: str


class Table(NamedTuple):
    """A table of bank texts, (rows, columns); its first row is the head."""

    rows: tuple[tuple[str, ...], ...]


class Options(NamedTuple):
    """The choices of a part with their labels."""

    labels: tuple[Label, ...]


class Ask(NamedTuple):
    """What is to be answered, and how; `options` stand between where the part is a question of its own."""

    part: Part
    notes: tuple[str, ...]
    options: tuple[Label, ...] = ()


Block: TypeAlias = Words | Code | Table | Matrix | Picture | Options | Ask


def title(problem: Problem, number: int, count: int, lang: Lang, message: str = "take.head") -> str:
    """Which question of how many it is, on what, and its points."""
    topic = name("topic", problem.topic, lang)
    return t(lang, message, number=number, count=count, topic=topic, points=points(problem.points, lang))


def stem(problem: Problem) -> list[Block]:
    """What is shown once, before the parts: prompt, conventions, givens."""
    blocks: list[Block] = [Words(problem.prompt)]
    blocks += [Words(joined(problem.conventions))] if problem.conventions else []
    if problem.code:
        blocks.append(Code(problem.code))
    if problem.table:
        blocks.append(Table(problem.table))
    return blocks + givens(problem, {row for part in problem.numeric for row in part.rows})


def givens(problem: Problem, asked: Collection[int] = ()) -> list[Block]:
    """The matrices that are given, each as numbers or drawn; the `asked` rows, from 1, are marked where a row
    is a query."""
    queries = ("X", "mask") if problem.matrix("W_Q") else ("Q", "mask")
    return [
        Picture(tuple(map(tuple, matrix)), problem.lang)
        if shown in problem.drawn
        else _matrix(shown, matrix, problem)._replace(
            marked=tuple(asked) if shown in queries and len(matrix) > len(asked) else ()
        )
        for shown in _SHOWN
        if (matrix := problem.matrix(shown))
    ]


def recalled(problem: Problem, part: Part) -> list[Block]:
    """What is shown again of a problem before this part: its matrices, or all of it where there are none."""
    return givens(problem, part.rows if isinstance(part, NumericPart) else ()) or stem(problem)


def ask(problem: Problem, part: Part, policy: Policy | None = None) -> list[Block]:
    """One part: its choices, then what to write and how exactly."""
    choices = labels_of(part)
    if len(problem.parts) > 1:
        return [Ask(part, notes(problem, part, policy), choices)]
    return [*([Options(choices)] if choices else []), Ask(part, notes(problem, part, policy))]


@lru_cache(256)
def points(count: int, lang: Lang) -> str:
    """How many points, in words."""
    return t(lang, "part.points", points=count)


def printed_key(part: Part, key: Key | None = None) -> str:
    """The key, or another one of this part, as a person reads it: numbers rounded to what is asked."""
    return key_text(part, part.key if key is None else key, printed_number(part))


def printed_number(part: Part) -> Callable[[int], str]:
    """How a number of this part is written for a person."""
    if not isinstance(part, NumericPart):
        return sealed_text
    decimals = part.decimals or 0
    return lambda units: rounded_text(units, decimals)


def key_name(part: Part, lang: Lang) -> str:
    """What the key of a part is called: there is one, or it is one of many."""
    names = {"words": "words.model", "construct": "construct.sample"}
    return t(lang, names.get(part.kind, "key"))


def spoken_key(part: Part, lang: Lang) -> str:
    """The key in the learner's language; `printed_key` is for machines."""
    return t(lang, "shape.fails") if part.kind == "shape" and part.key == FAILS else printed_key(part)


def told_key(part: Part, lang: Lang) -> str:
    """The key as a learner is told it: a letter with the words it stands for."""
    if isinstance(part, EstimatePart):
        return f"{printed_key(part)} {part.unit}".rstrip()
    if not isinstance(part, ChoicePart | ChoicesPart | TiersPart):
        return spoken_key(part, lang)
    labels = part.key[0] if isinstance(part, TiersPart) else part.key
    right = [choice for choice in part.choices if choice.label in labels]
    return "; ".join(f"{choice.label}  {choice.text}" for choice in right)


def refuted(part: Part) -> list[str]:
    """What each wrong choice is told of itself, after its label."""
    return [f"{choice.label}  {choice.why}" for choice in labels_of(part) if choice.why]


def marker_key(part: Part, lang: Lang) -> str:
    """The key as it is printed for a person who marks: of a constructed array with all that any must meet."""
    if not isinstance(part, ConstructPart):
        return spoken_key(part, lang)
    conditions = "; ".join(condition.says for condition in part.conditions)
    return t(lang, "sheet.any", sample=printed_key(part), conditions=conditions)


def notes(problem: Problem, part: Part, policy: Policy | None) -> tuple[str, ...]:
    """What is accepted, in sentences."""
    lang = problem.lang
    if isinstance(part, ShapePart | GapPart):
        return (t(lang, "part.sizes" if part.kind == "shape" else "part.code"),)
    if isinstance(part, EstimatePart) and not part.factor:
        within = sealed_text(part.within)
        return (t(lang, "part.within", within=within) if part.within else t(lang, "part.exactly"),)
    if isinstance(part, EstimatePart):
        far = {"factor": f"{float(part.factor):g}", "square": f"{float(part.factor**2):.3g}"}
        return (t(lang, "part.estimate", **far),)
    if isinstance(part, ConstructPart):
        rows, columns = part.shape
        return (t(lang, "part.shape", rows=rows, columns=columns), t(lang, "part.any"))
    if not isinstance(part, NumericPart):
        return ()
    policy = policy or Policy()
    said = []
    if part.stage.endswith("_shape"):
        return (t(lang, "part.two-sizes"),)
    if part.kind == "array":
        said.append(t(lang, "part.shape", rows=part.shape[0], columns=part.shape[1]))
    if part.decimals:
        window = float(policy.window) * 10.0**-part.decimals
        said.append(
            t(
                lang,
                "part.decimals" if part is problem.parts[0] else "part.decimals-after",
                decimals=part.decimals,
                window=f"{window:.{part.decimals + 2}f}",
            )
        )
        if part.kind == "array":  # single numbers come out whole
            said.append(t(lang, "part.carry"))
    else:
        said.append(t(lang, "part.wholes" if part.kind == "array" else "part.whole"))
    return tuple(said)


def joined(sentences: Sequence[str]) -> str:
    """Sentences in a row; Japanese ones without a blank between them."""
    return "".join(s if s.endswith("。") else s + " " for s in sentences).rstrip()


def _matrix(name: str, value: Numbers, problem: Problem) -> Matrix:
    factor, rows = problem.exact.get(name, ("", value))
    written = tuple(tuple(f"{x:g}".replace("-", "−") for x in row) for row in rows)
    return Matrix(name, factor, written, lang=problem.lang)
