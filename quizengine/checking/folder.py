"""A class's files: a verdict on each, by whose it is, and what the class gets wrong."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from quizengine.checking.check import check
from quizengine.checking.isolate import Isolation, Limits, Source, child_of
from quizengine.checking.speech import counterexample_lines, verdict_lines
from quizengine.checking.task import Task
from quizengine.checking.verdict import Verdict
from quizengine.items.catalogue import Catalogue
from quizengine.lang.characters import visible
from quizengine.lang.json import Json
from quizengine.lang.messages import t
from quizengine.lang.quotation import Quoted, Sentence, pieces_of, tell
from quizengine.lang.text import Lang
from quizengine.render.markdown import escaped, spoken
from quizengine.render.page import Data, sentence

ENDINGS = (".py", ".ipynb")
_MARGIN = "    "  # of what Markdown takes letter by letter
HEADER = ("who", "file", "function", "verdict", "misconceptions", "possible", "stage", "tried")


class Work(NamedTuple):
    """A file of a class: who handed it in, its name with its folders, and its content."""

    who: str
    file: str
    source: Source


class Row(NamedTuple):
    """What was found of a file; `why` it is ungraded, where it is; in isolation, what else it tried."""

    who: str
    file: str
    function: str
    verdict: Verdict
    why: str = ""
    tried: tuple[str, ...] = ()

    def cells(self) -> list[str]:
        """A line of the table."""
        found = self.verdict
        possible = " ".join("+".join(both) for both in found.possible)
        named = " ".join(found.misconceptions)
        return [
            self.who,
            self.file,
            self.function,
            found.verdict,
            named,
            possible,
            found.stage,
            " ".join(self.tried),
        ]

    def to_json(self) -> dict[str, Json]:
        """As a file by itself is told, with whose it is."""
        why: dict[str, Json] = {"why": self.why} if self.why else {}
        why |= {"tried": list(self.tried)} if self.tried else {}
        about = {"who": self.who, "file": self.file, "function": self.function}
        return {**about, **self.verdict.to_json(), **why}

    def lines(self, catalogue: Catalogue, lang: Lang) -> list[str | Sentence]:
        """What is told of it, a sentence a line."""
        said: list[str | Sentence] = [*verdict_lines(self.verdict, catalogue, lang)]
        said += [tell(lang, "check.ungraded", why=Quoted(self.why))] if self.why else []
        kinds = t(lang, "check.between").join(t(lang, f"tried.{kind}") for kind in self.tried)
        return [*said, tell(lang, "check.tried", kinds=kinds)] if kinds else said

    def example(self, lang: Lang) -> list[str]:
        """The smallest counterexample, where there is one, line by line as it stands."""
        found = self.verdict.counterexample
        return [] if found is None else counterexample_lines(found, lang)


def found_in(
    work: Work, task: Task, catalogue: Catalogue, isolation: Isolation, limits: Limits | None = None
) -> Row:
    """The verdict on one file. What goes wrong on our side is no verdict on the learner: it is ungraded."""
    function = work.source.function
    try:
        with child_of(work.source, task.function, isolation, limits) as child:
            verdict = check(task, child, catalogue)
            function = child.loaded or function
    except Exception as error:
        return Row(work.who, work.file, function, Verdict(task.id, "ungraded"), str(error))
    tried = tuple(sorted(child.tried)) if isolation.cut_off else ()
    return Row(work.who, work.file, function, verdict, tried=tried)


def misconceptions_of(rows: Iterable[Row]) -> dict[str, list[str]]:
    """Who shows each misconception, the most common first; nobody twice."""
    who: dict[str, dict[str, None]] = {}
    for row in rows:
        for id_ in row.verdict.misconceptions:
            who.setdefault(id_, {})[row.who] = None
    return {id_: list(names) for id_, names in sorted(who.items(), key=lambda one: (-len(one[1]), one[0]))}


def summary(rows: Sequence[Row], catalogue: Catalogue, lang: Lang) -> list[Sentence]:
    """How many are right, and the map of misconceptions, a line each."""
    right, ungraded = (
        sum(row.verdict.verdict == verdict for row in rows) for verdict in ("right", "ungraded")
    )
    said = [tell(lang, "check.class", count=len(rows), right=right)]
    said += [tell(lang, "check.class-ungraded", count=ungraded)] if ungraded else []
    for id_, who in misconceptions_of(rows).items():
        name, names = catalogue[id_].name[lang], Quoted(t(lang, "check.between").join(who))
        said.append(tell(lang, "check.class-map", name=name, count=len(who), names=names))
    return said


def page(row: Row, catalogue: Catalogue, lang: Lang) -> str:
    """What the one who handed it in may read, in Markdown."""
    title = tell(lang, "check.title", file=Quoted(row.file))
    told = [spoken(pieces_of(line)) for line in row.lines(catalogue, lang)]
    example = "\n".join(_MARGIN + line for line in row.example(lang))
    return "\n\n".join(filter(None, [f"# {escaped(row.who)}", spoken(title), *told, example])) + "\n"


def page_data(row: Row, catalogue: Catalogue, lang: Lang) -> Data:
    """The same as the data of the page that `render.html.function_html` makes."""
    title = tell(lang, "check.title", file=Quoted(row.file))
    told = [sentence(pieces_of(line)) for line in row.lines(catalogue, lang)]
    return {
        "lang": lang,
        "title": visible(row.who),
        "about": sentence(title),
        "told": told,
        "example": "\n".join(row.example(lang)),
    }


def page_names(rows: Iterable[Row]) -> Mapping[int, str]:
    """A file name for the page of each row, by its place: readable, harmless, and no two alike where case
    does not count."""
    taken: set[str] = set()
    names = {}
    for place, row in enumerate(rows):
        plain = unicodedata.normalize("NFC", f"{row.who} {row.file.rpartition('/')[2]}")
        name = re.sub(r"[^\w#()-]+", "-", plain).strip("-.")[:80] or "page"
        unique = next(
            one
            for one in (name, *(f"{name}-{n}" for n in range(2, len(taken) + 3)))
            if one.casefold() not in taken
        )
        taken.add(unique.casefold())
        names[place] = f"{unique}.md"
    return names
