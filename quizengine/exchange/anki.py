"""Anki: notes for self-study, as the text that it imports: a header, then a line a note, its cells parted by
tabs. The first column is the item's id, which stays the same whatever becomes of the wording."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from quizengine.exchange.question_html import ask_html, line, listed_choices, stem_html
from quizengine.items.policy import Policy
from quizengine.lang.messages import name, t
from quizengine.lang.text import Lang
from quizengine.problems.problem import Problem
from quizengine.render.blocks import key_name, told_key

_HEADER = ("#separator:tab", "#html:true", "#columns:ID\tFront\tBack\tTags", "#tags column:4")


def anki_text(problems: Iterable[Problem], policy: Policy, lang: Lang) -> str:
    """All of them, each item once."""
    once = {problem.item: problem for problem in problems}
    deck = f"#deck:{t(lang, 'anki.deck')}"
    return (
        "\n".join([*_HEADER[:2], deck, *_HEADER[2:], *(_note(problem, policy) for problem in once.values())])
        + "\n"
    )


def _note(problem: Problem, policy: Policy) -> str:
    front, back = [stem_html(problem)], []
    many = len(problem.parts) > 1
    for place, part in enumerate(problem.parts):
        head = f"<strong>{chr(97 + place)}</strong> " if many else ""
        asked = ask_html(problem, part, policy, own=False).replace("<p>", f"<p>{head}", 1)
        front += [asked, listed_choices(part)]
        key = line_or_text(told_key(part, problem.lang))
        back.append(f"<p>{head}{escape(key_name(part, problem.lang))}{key}</p>")
    back += [f"<p>{line(text)}</p>" for text in problem.worked]
    tag = name("topic", problem.topic, problem.lang).replace(" ", "-")
    return "\t".join(map(_cell, (problem.item, "".join(front), "".join(back), tag)))


def line_or_text(text: str) -> str:
    """A key as HTML: the words of a choice are bank text, and what is neither stands as it is."""
    return line(text) if "$" in text or "`" in text else escape(text)


def _cell(html: str) -> str:
    """On one line; with a tab or a quote in it, in quotes."""
    flat = html.replace("\n", "<br>")
    return '"' + flat.replace('"', '""') + '"' if '"' in flat or "\t" in flat else flat
