"""Words: which of the ideas that an answer must contain are said, and which only to be denied.

“It does not saturate” denies; “not only saturates” and “cannot see that it saturates” do not: a
negation counts only where it stands right at the word. What cannot, must not or should not be is no
denial that it would be.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from quizengine.lang.quotation import Quoted
from quizengine.marking.mark import Reason
from quizengine.problems.part import Idea

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


def missing_ideas(ideas: Sequence[Idea], text: str) -> tuple[Reason, ...]:
    """A reason for every idea that `text` does not contain, or contains only denied."""
    reasons = []
    for idea in ideas:
        denied = ""
        for word in idea.words:
            places = _places(text, word)
            if any(idea.also_denied or not _is_denied(text, *place) for place in places):
                break
            denied = denied or (text[slice(*places[0])] if places else "")
        else:
            code = "denied-idea" if denied else "missing-idea"
            reasons.append(Reason(code, {"name": idea.name} | ({"word": Quoted(denied)} if denied else {})))
    return tuple(reasons)


def _places(text: str, word: str) -> list[tuple[int, int]]:
    """Where the text holds the word: as a whole word in a script that parts words by spaces."""
    pattern = re.escape(word) if not word.isascii() else rf"(?<![A-Za-z]){re.escape(word)}(?![A-Za-z])"
    return [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]


def _is_denied(text: str, start: int, end: int) -> bool:
    return bool(_DENIES.search(text[max(0, start - 40) : start]) or _DENIES_JA.match(text, end))
