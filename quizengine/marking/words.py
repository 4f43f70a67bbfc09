"""Words: which of the ideas that an answer must contain are said, and which only to be denied.

“It does not saturate” denies; “not only saturates” and “cannot see that it saturates” do not: a
negation counts only where it stands right at the word. What cannot, must not or should not be is no
denial that it would be.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

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


_HYPHENS = re.compile("[‐‑‒–—−]")
_RAISED = re.compile(r"\.(?:m?T(?![A-Za-z])|transpose\([^()]*\))")
_PRODUCT = re.compile(r"(?<![A-Za-z])([A-Za-z])\s*[@·⋅]\s*(?=[A-Za-z]T?(?![A-Za-z]))")


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


def missing_ideas(ideas: Sequence[Idea], text: str) -> tuple[Reason, ...]:
    """A reason for every idea that `text` does not contain, or contains only denied."""
    reasons, text = [], _plain(text)
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
    word = _plain(word)
    pattern = re.escape(word) if not word.isascii() else rf"(?<![A-Za-z]){re.escape(word)}(?![A-Za-z])"
    return [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]


def _is_denied(text: str, start: int, end: int) -> bool:
    return bool(_DENIES.search(text[max(0, start - 40) : start]) or _DENIES_JA.match(text, end))
