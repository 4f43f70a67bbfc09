"""What is said of a verdict, in sentences."""

from __future__ import annotations

from quizengine.checking.fault import fault_text
from quizengine.checking.verdict import Verdict
from quizengine.items.catalogue import Catalogue
from quizengine.lang.messages import t
from quizengine.lang.quotation import Sentence
from quizengine.lang.text import Lang


def verdict_lines(verdict: Verdict, catalogue: Catalogue, lang: Lang) -> list[str | Sentence]:
    """The verdict, and what gives the function's results."""
    fault = fault_text(verdict.fault, lang) if verdict.fault else []
    if verdict.verdict == "broken":
        return [*fault]
    names = [catalogue[id_].name[lang] for id_ in verdict.misconceptions]
    return [t(lang, f"verdict.{verdict.verdict}"), *names, *fault]


def counterexample_lines(example: object, _lang: Lang) -> list[str]:
    """What was given, what came of it, and what is right."""
    return [str(example)]
