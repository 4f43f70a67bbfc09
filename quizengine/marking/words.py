"""Words: what a person reads an answer for, and the mark that this gives. A word list decides nothing: it
suggests, and points out a phrase that shows a misconception.

“It does not saturate” denies; “not only saturates” and “cannot see that it saturates” do not: a
negation counts only where it stands right at the word. What cannot, must not or should not be is no
denial that it would be.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from quizengine.lang.characters import plain
from quizengine.marking.judge import verdict
from quizengine.marking.mark import PartMark, Reason
from quizengine.problems.part import Idea, WordsPart
from quizengine.responses.response import TextValue

_DENIES = re.compile(
    r"(?<!\bcan )(?<!\bmay )(?<!\bmust )(?<!\bcould )(?<!\bwould )(?<!\bmight )(?<!\bshould )"
    r"(?:\b(?:not|never|no|nor)|(?<!\bca)(?<!must)(?<!could)(?<!would)(?<!should)n['’]t)\s+"
    r"(?!(?:only|just|merely|simply)\b)(?:[\w-]+\s+)?$",
    re.IGNORECASE,
)
_DENIES_JA = re.compile(
    r"\s?(?![^\s、。]{0,3}?(?:(?:でき|られ)(?:な|ま|ず)|ないよう))[^\s、。]{0,3}?"
    r"(?:(?<![少かだ])な(?:い|く|かった)|ません|(?<![必まい])ず(?![つれ]))"
)


_ALL, _NONE = ("all", "すべて", "全部"), ("none", "なし", "0")
_HYPHENS = re.compile("[‐‑‒–—−]")
_RAISED = re.compile(r"\.(?:m?T(?![A-Za-z])|transpose\([^()]*\))")
_PRODUCT = re.compile(r"(?<![A-Za-z])([A-Za-z])\s*[@·⋅]\s*(?=[A-Za-z]T?(?![A-Za-z]))")


class Suggestion(NamedTuple):
    """What the lists make of an answer: the places of the ideas, from 0, whose words it has; and the phrases
    in it that show a misconception, each with that one."""

    said: tuple[int, ...]
    refuted: tuple[tuple[str, str], ...] = ()


def suggestion(part: WordsPart, text: str) -> Suggestion:
    """What the lists make of an answer; it costs nothing and earns nothing."""
    text = _plain(text)
    said = tuple(n for n, idea in enumerate(part.ideas) if _is_said(idea, text))
    refuted = ((id_, found) for id_, words in part.refutations for found in _found(words, text)[:1])
    return Suggestion(said, tuple(refuted))


def read_mark(part: WordsPart, text: str, said: Collection[int]) -> PartMark:
    """The mark of an answer in which a person found the ideas `said` (places, from 0): a share an idea.
    Raises IndexError where there is no such idea."""
    if wrong := [n for n in said if not 0 <= n < len(part.ideas)]:
        raise IndexError(wrong[0])
    share = Fraction(len(set(said)), len(part.ideas))
    left = [idea for n, idea in enumerate(part.ideas) if n not in said]
    reasons = tuple(Reason("missing-idea", {"name": idea.name}) for idea in left)
    return PartMark(part.id, verdict(share), share, part.points, reading=TextValue(text), reasons=reasons)


@lru_cache(maxsize=4096)
def _plain(text: str) -> str:
    """The text as a keyboard has it: full and half width alike, nothing unseen, √dₖ as √d_k, and q @ k.T as
    QKᵀ; of indices and powers only the letters are left.

    >>> _plain("ｓｏｆｔ\u00adｍａｘ ｿﾌﾄﾏｯｸｽ √dₖ q @ k.T")
    'softmax ソフトマックス √dk qkT'
    """
    text = "".join(c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) != "Cf")
    text = _RAISED.sub("T", re.sub(r"[_^{}]", "", _HYPHENS.sub("-", text)))
    return _PRODUCT.sub(r"\1", text)


def _is_said(idea: Idea, text: str) -> bool:
    places = (place for word in idea.words for place in _places(text, word))
    return any(idea.also_denied or not _is_denied(text, *place) for place in places)


def _found(words: Iterable[str], text: str) -> list[str]:
    return [text[start:end] for word in words for start, end in _places(text, word)]


def _places(text: str, word: str) -> list[tuple[int, int]]:
    """Where the text holds the word: as a whole word in a script that parts words by spaces."""
    word = _plain(word)
    pattern = re.escape(word) if not word.isascii() else rf"(?<![A-Za-z]){re.escape(word)}(?![A-Za-z])"
    return [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]


def _is_denied(text: str, start: int, end: int) -> bool:
    return bool(_DENIES.search(text[max(0, start - 40) : start]) or _DENIES_JA.match(text, end))


def ticks(raw: str, count: int) -> set[int] | None:
    """The places, from 0, that numbers from 1 name; None where it is no such list.

    >>> ticks("1 3", 3), ticks("all", 2), ticks("なし", 2), ticks("", 2), ticks("4", 3)
    ({0, 2}, {0, 1}, set(), None, None)
    """
    typed = plain(raw).strip().lower()
    if typed in _ALL:
        return set(range(count))
    if typed in _NONE:
        return set()
    numbers = (
        [int(n) for n in re.split(r"[\s,]+", typed)]
        if re.fullmatch(r"[0-9]{1,3}([\s,]+[0-9]{1,3})*", typed)
        else []
    )
    places = {n - 1 for n in numbers}
    return places if numbers and places <= set(range(count)) else None
