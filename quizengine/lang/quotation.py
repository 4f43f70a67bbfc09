"""What somebody typed, quoted: data that no writer parses. Bank text is `str` and bears markup; what a
learner or an instructor typed is `Quoted`, and mixing the two is an error of types."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from string import Formatter
from typing import TypeAlias

from quizengine.lang.characters import visible
from quizengine.lang.messages import CATALOGUE, counted, written
from quizengine.lang.text import Lang


@dataclass(frozen=True, slots=True)
class Quoted:
    """Somebody's own words, letter by letter; `shown` leaves out the signs that steer a terminal."""

    text: str

    @property
    def shown(self) -> str:
        """The words without those signs."""
        return visible(self.text)

    def __str__(self) -> str:
        raise TypeError("quoted text is no bank text: tell it, or show it")

    def __format__(self, spec: str) -> str:
        return str(self)


Sentence: TypeAlias = tuple[str | Quoted, ...]


def tell(lang: Lang, message: str, /, **values: str | int | Quoted) -> Sentence:
    """The message in `lang` as bank text with quotations in it.

    >>> tell("en", "unreadable.closes-nothing", character=Quoted("$"), at=3)
    ('“', Quoted(text='$'), '” closes nothing (character 3).')
    >>> tell("en", "export.written", path=Quoted("q.gift"), questions=Quoted("1"))
    (Quoted(text='q.gift'), ': ', Quoted(text='1'), ' question')
    """
    pieces: list[str | Quoted] = [""]
    for words, name, spec, _ in Formatter().parse(CATALOGUE[lang][message]):
        _add(pieces, words)
        if name is not None:
            value = values[name]
            if isinstance(value, Quoted):
                _add(pieces, value)
                _add(pieces, counted(value.text, spec or ""))
            else:
                _add(pieces, written(value, spec or ""))
    return tuple(piece for piece in pieces if piece != "")


def _add(pieces: list[str | Quoted], piece: str | Quoted) -> None:
    """Bank text that meets bank text is one text."""
    last = pieces[-1]
    if isinstance(piece, str) and isinstance(last, str):
        pieces[-1] = last + piece
    else:
        pieces.append(piece)


def pieces_of(text: str | Sentence) -> Sentence:
    """Bank text is a sentence without quotations."""
    return (text,) if isinstance(text, str) else text


def in_a_row(sentences: Iterable[Sentence]) -> Sentence:
    """Sentences with a blank between them."""
    return tuple(piece for sentence in sentences for piece in (*sentence, " "))[:-1]


def shown(text: str | Sentence) -> str:
    """The sentence as a string: bank text with its marks, quotations as they may leave."""
    return "".join(piece if isinstance(piece, str) else piece.shown for piece in pieces_of(text))
