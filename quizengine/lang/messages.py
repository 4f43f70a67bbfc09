"""The message catalogue: every word a learner or an instructor reads, nine files a language: what is asked
and told, what sessions say, lessons and the map, what belongs to a class, hints, what is seen or
read in a family, what is said of a learner's own code, what became of running it, and what goes to other
platforms and comes back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from string import Formatter

from quizengine.lang.text import Lang


class _Languages(dict[Lang, Mapping[str, str]]):
    """Messages by language, each loaded when it is first spoken."""

    def __missing__(self, lang: Lang) -> Mapping[str, str]:
        self[lang] = {
            **import_module(f"quizengine.lang.{lang}").MESSAGES,
            **import_module(f"quizengine.lang.{lang}_session").MESSAGES,
            **import_module(f"quizengine.lang.{lang}_lesson").MESSAGES,
            **import_module(f"quizengine.lang.{lang}_class").MESSAGES,
            **import_module(f"quizengine.lang.{lang}_hints").MESSAGES,
            **import_module(f"quizengine.lang.{lang}_run").MESSAGES,
            **import_module(f"quizengine.lang.{lang}_code").MESSAGES,
            **import_module(f"quizengine.lang.{lang}_families").MESSAGES,
            **import_module(f"quizengine.lang.{lang}_exchange").MESSAGES,
        }
        return self[lang]


CATALOGUE = _Languages()


class _Words(Formatter):
    """Fills the values of a message in."""

    def format_field(self, value: object, format_spec: str) -> str:
        return written(value, format_spec)


def written(value: object, spec: str) -> str:
    """A value as a message asks for it: by a specification of Python's, or counted in words for one and for
    many.

    >>> written(1, "point|points"), written("2.5", "point|points"), written(0.5, "g")
    ('1 point', '2.5 points', '0.5')
    """
    return f"{value}{counted(value, spec)}" if "|" in spec else format(value, spec)


def counted(value: object, spec: str) -> str:
    """The word for what is counted, after its number: the one for one or the one for many; none where the
    specification has none.

    >>> counted("1", "point|points"), counted(3, "point|points"), counted(3, "g")
    (' point', ' points', '')
    """
    one, several, many = spec.partition("|")
    return f" {one if str(value) == '1' else many}" if several else ""


def name(kind: str, id_: str, lang: Lang) -> str:
    """What a topic or a stage is called; a bank's own topic is called by its id.

    >>> name("topic", "masking", "ja"), name("topic", "own-topic", "ja")
    ('マスク', 'own-topic')
    """
    return CATALOGUE[lang].get(f"{kind}.{id_}", id_)


def t(lang: Lang, message: str, /, **values: object) -> str:
    """The text of a message in `lang`, with its values filled in. Raises KeyError.

    >>> t("en", "verdict.right"), t("ja", "verdict.right")
    ('Right.', '正解です。')
    >>> t("en", "part.points", points=1), t("en", "part.points", points=2)
    ('1 point', '2 points')
    """
    text = CATALOGUE[lang][message]
    return _Words().vformat(text, (), values) if "|" in text else text.format(**values)


def say_rows(lang: Lang, rows: Iterable[int]) -> str:
    """Rows as they are called in a sentence.

    >>> say_rows("en", [2]), say_rows("en", [1, 3]), say_rows("ja", [1, 3])
    ('row 2', 'rows 1, 3', '第 1、3 行')
    """
    numbers = [str(row) for row in rows]
    joined = t(lang, "rows.between").join(numbers)
    return t(lang, "rows.one" if len(numbers) == 1 else "rows.many", rows=joined)
