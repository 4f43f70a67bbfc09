"""Blocks as Markdown: bank text as it stands, matrices as aligned code."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from string import punctuation

from quizengine.lang.messages import t
from quizengine.lang.quotation import Sentence
from quizengine.lang.text import Lang
from quizengine.problems.part import Label
from quizengine.render.blocks import Ask, Block, Code, Matrix, Options, Picture, Table, Words
from quizengine.render.terminal import lines


def markdown(blocks: Sequence[Block], lang: Lang, labels: Mapping[str, str]) -> str:
    """The blocks as Markdown; `labels` names each part on the sheet."""
    out: list[str] = []
    for block in blocks:
        match block:
            case Words(text=text):
                out.append(text)
            case Code(text=text):
                out.append(f"```python\n{text}\n```")
            case Table(rows=rows):
                head, *body = (f"| {' | '.join(row)} |" for row in rows)
                out.append("\n".join([head, "|" + " --: |" * len(rows[0]), *body]))
            case Matrix() | Picture():
                out.append("```text\n" + "\n".join(lines([block], 200)[1:]) + "\n```")
            case Options(labels=options):
                out.append(_choices(options))
            case Ask(part=part, notes=notes, options=options):
                note = f"  \n{' '.join(notes)}" if notes else ""
                answer = t(lang, "sheet.answer", label=labels[part.id])
                asked = [f"**{labels[part.id]}**  {part.prompt}{note}", _choices(options)]
                out += [*filter(None, asked), f"{answer} ______________________"]
    return "\n\n".join(out)


def _choices(options: Sequence[Label]) -> str:
    return "\n".join(f"- **{o.label}**  {o.text}" for o in options)


_MARKS = re.compile(f"([{re.escape(punctuation)}])")


def escaped(text: str) -> str:
    """A learner's or an instructor's own words, so that Markdown takes them as words.

    >>> escaped("www.a.example <b>")
    'www\\\\.a\\\\.example \\\\<b\\\\>'
    """
    return _MARKS.sub(r"\\\1", _on_one_line(text))


def code(text: str) -> str:
    """What was typed, letter by letter: a fence that is longer than any in it holds it.

    >>> code("a ` b"), code("`")
    ('``a ` b``', '`` ` ``')
    """
    line = _on_one_line(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", line)), default=0))
    pad = " " if line[:1] in ("`", "") or line[-1:] == "`" or line != line.strip() else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def spoken(text: Sentence) -> str:
    """A sentence: bank text as it stands, what it quotes as code."""
    return "".join(piece if isinstance(piece, str) else code(piece.shown) for piece in text)


def _on_one_line(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)
