"""Keys: what a learner can type beside an answer, called in a line of keys and told in a list."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.render.terminal import wrapped


class Key(NamedTuple):
    """A key, the message that says in a list what it does, and the one that calls it in a line of keys, where
    it stands in one."""

    sign: str
    means: str
    name: str = ""


HINT = Key(":h", "means.hint", "key.hint")
SKIP = Key(":s", "means.skip", "key.skip")
UNDO = Key(":u", "means.undo", "key.undo")
BACK = Key(":b", "means.back", "key.back")
KEEP = Key("Enter", "means.keep", "key.keep")
GIVENS = (Key(":g", "means.givens", "key.givens"), Key(":c", "means.copy", "key.copy"))
FEEDBACK = Key(":f", "means.feedback")
WORKED = Key(":w", "means.worked", "key.worked")
ALIKE = Key(":t", "means.alike", "key.alike")
QUIT = Key(":q", "means.quit", "key.quit")
LEAVE = Key(":q", "means.quit", "key.leave")
LED = {":q": "means.quit-start", ":s": "means.skip-start"}  # what these keys mean where `start` leads
KEYS = Key("?", "means.keys", "key.keys")
NEXT = Key("Enter", "means.next", "key.next")
FINISH = Key("Enter", "means.finish", "key.finish")
EXAM = (
    Key(":n", "means.following", "key.following"),
    Key(":b", "means.previous", "key.previous"),
    Key(":1", "means.place", "key.place"),
    Key(":f", "means.flag", "key.flag"),
    Key(":l", "means.list", "key.list"),
)
AWAY = Key(":q", "means.away", "key.away")
TAKE_AWAY = Key(":u", "means.take-away")


def in_line(keys: Iterable[Key], lang: Lang) -> str:
    """A line of keys with their names."""
    return " · ".join(f"{key.sign} {t(lang, key.name)}" for key in keys if key.name)


def in_list(keys: Iterable[Key], lang: Lang, width: int) -> list[str]:
    """The keys below each other, with what they do."""
    return [line for key in keys for line in wrapped(t(lang, key.means), width, first=f"  {key.sign:<5}  ")]


def signs(keys: Iterable[Key], lang: Lang) -> str:
    """The keys alone, for a sentence."""
    return t(lang, "rows.between").join(key.sign for key in keys)
