"""The message catalogue: every word a learner or an instructor reads, one file a language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quizengine.lang.en import MESSAGES as EN
from quizengine.lang.ja import MESSAGES as JA
from quizengine.lang.text import Lang

CATALOGUE: Mapping[Lang, Mapping[str, str]] = {"en": EN, "ja": JA}


def say(lang: Lang, message: str, /, **values: Any) -> str:
    """The message in `lang`, with its values filled in.

    >>> say("en", "verdict.right"), say("ja", "verdict.right")
    ('Right.', '正解です。')
    """
    return CATALOGUE[lang][message].format(**values)
