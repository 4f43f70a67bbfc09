"""Style: what makes a question poor though its key is right. `bank check --strict` looks.

Each rule looks at one item, or at all of them together, and says what is wrong in a sentence. An item
may break a rule if it says why: `allow: {longest: 'the reason'}`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from heapq import merge
from itertools import chain

from quizengine.authoring.strategies import Each, numbers, strategies
from quizengine.errors import Fault
from quizengine.items.answer import AnswerReason, Choice, Estimate, Option, ShortAnswer
from quizengine.items.bank import Bank
from quizengine.items.close import SEAL
from quizengine.items.item import Item, Term
from quizengine.lang.text import Lang
from quizengine.marking.words import suggestion
from quizengine.problems.part import WordsPart
from quizengine.problems.pose import pose
from quizengine.render.terminal import plain_text

SEEDS = 20  # over which the places of the keys are counted
WIDE, SHORT = 3.0, 30  # choices may differ so much in length; shorter ones in any case
SAMPLES = 5  # of answers in words, right ones and wrong ones
ALIKE = 0.72  # share of words, or of runs of three signs, that two items may have in common
_ALL = re.compile(
    r"\b(?:all|none|both|neither) of (?:the above|these)\b|上記の(?:すべて|いずれ)|どれも正し|該当な", re.I
)
_NEGATED = {
    "en": re.compile(r"\b(?:which|what)\b[^.?*]*\b(?:not|except|never|cannot)\b[^.?]*\?", re.I),
    "ja": re.compile(r"(?:ない|誤っている|間違っている)(?:もの|の|誤り|主張|説明)?は、?(?:どれ|何)"),
}
_WORD = {"en": re.compile(r"[A-Za-z]{5,}"), "ja": re.compile(r"[一-龠々]{3,}|[ァ-ヴー]{4,}")}
_COMMON = frozenset(
    [
        "about",
        "after",
        "again",
        "alone",
        "because",
        "before",
        "being",
        "compared",
        "could",
        "different",
        "every",
        "first",
        "given",
        "keeps",
        "known",
        "large",
        "matter",
        "means",
        "other",
        "place",
        "same",
        "shall",
        "should",
        "small",
        "still",
        "takes",
        "their",
        "there",
        "these",
        "thing",
        "those",
        "together",
        "under",
        "until",
        "where",
        "which",
        "while",
        "whole",
        "whose",
        "would",
    ]
)


def style_faults(bank: Bank, items: Sequence[Item], each: Each = map) -> list[Fault]:
    """Every rule that is broken without a reason; of a case each question is looked at."""
    items = [question for item in items for question in item.questions]
    faults = [
        Fault(item.file, item.line, item.column, code, f"{item.id}: {message}")
        for item in items
        for code, rule in RULES.items()
        if code not in item.allow
        for message in rule(bank, item)
    ]
    return faults + list(_alike(items)) + list(_as_a_whole(bank, items, each))


def longest_keys(items: Iterable[Item]) -> tuple[int, float, int]:
    """(in how many items of one choice the key is the longest choice, how many were to be expected by
    chance, of how many items), counted in every language."""
    hits, expected, of = 0, 0.0, 0
    for item in items:
        options = _offered(item)
        if options and item.type != "multiple_choice":
            for lang in item.languages:
                lengths = [len(plain_text(option.text[lang])) for option in options]
                key = next(n for n, option in zip(lengths, options, strict=True) if option.right)
                hits += key == max(lengths) and lengths.count(key) == 1
                expected += 1 / len(lengths) if len(set(lengths)) > 1 else 0.0
                of += 1
    return hits, expected, of


def key_places(bank: Bank, items: Iterable[Item]) -> Counter[str]:
    """How often the key of a four-choice item stands at each letter, over many seeds."""
    places: Counter[str] = Counter()
    for item in items:
        if isinstance(item.answer, Choice) and not item.answer.many and len(item.answer.options) == 4:
            for seed in range(SEEDS):
                places[str(pose(item, seed, item.languages[0], bank.catalogue).parts[0].key)] += 1
    return places


def key_ranks(items: Iterable[Item]) -> tuple[int, int]:
    """(in how many single-choice items the key is neither the smallest nor the largest number, of how many
    items), where there are four numbers that differ in nothing else."""
    inner, of = 0, 0
    for item in items:
        keys, others = _texts(item, item.languages[0])
        found = numbers([*keys, *others])
        if len(keys) == 1 and len(found) == 4:
            inner += min(found[1:]) < found[0] < max(found[1:])
            of += 1
    return inner, of


def _offered(item: Item) -> tuple[Option, ...]:
    """What is to be chosen from: choices, or reasons."""
    match item.answer:
        case Choice(options=options) | AnswerReason(reasons=options):
            return options
    return ()


def _texts(item: Item, lang: Lang) -> tuple[list[str], list[str]]:
    """The keys and the distractors of an item."""
    texts = [(option.right, plain_text(option.text[lang])) for option in _offered(item)]
    return [text for right, text in texts if right], [text for right, text in texts if not right]


def _choices(item: Item, lang: Lang) -> list[str]:
    return list(chain(*_texts(item, lang)))


def _all_of_the_above(_: Bank, item: Item) -> Iterator[str]:
    for lang in item.languages:
        for text in _choices(item, lang):
            if _ALL.search(text):
                yield f"“{text}” is no choice of its own: name what is meant"


def _negated(_: Bank, item: Item) -> Iterator[str]:
    for lang in item.languages:
        found = _NEGATED[lang].search(item.prompt[lang]) if isinstance(item.answer, Choice) else None
        if found and "**" not in item.prompt[lang]:
            yield f"the question is negative ({found.group()[-30:]}): emphasise the word with **…**"


def _clues(bank: Bank, item: Item) -> Iterator[str]:
    for lang in item.languages:
        keys, others = _texts(item, lang)
        terms = " ".join(getattr(term, lang) for term in bank.glossary.values()).lower()
        stem = {word.lower() for word in _WORD[lang].findall(plain_text(item.prompt[lang]))}
        for key in keys if len(keys) == 1 else ():
            words = {word.lower() for word in _WORD[lang].findall(key)}
            for word in sorted(words & stem - _COMMON):
                if word not in terms and not any(word in other.lower() for other in others):
                    yield f"“{word}” stands in the question and in the key alone, and gives it away"


def _lengths(_: Bank, item: Item) -> Iterator[str]:
    for lang in item.languages:
        keys, others = _texts(item, lang)
        lengths = [len(text) for text in [*keys, *others]]
        if lengths and max(lengths) > SHORT and max(lengths) > WIDE * max(min(lengths), SHORT / WIDE):
            yield f"{lang}: the longest choice has {max(lengths)} characters, the shortest {min(lengths)}"


def _grammar(_: Bank, item: Item) -> Iterator[str]:
    for lang in item.languages:
        texts = _choices(item, lang)
        ends = {text[-1:] in ".。" for text in texts}
        if len(ends) > 1:
            yield f"{lang}: some choices end with a full stop, others do not"


def _hints(_: Bank, item: Item) -> Iterator[str]:
    for lang in item.languages:
        for hint in item.hints:
            for key in _texts(item, lang)[0]:
                if len(key) > 3 and key.lower().rstrip(".。") in plain_text(hint[lang]).lower():
                    yield f"a hint gives away the key “{key}”"


def _restated(_: Bank, item: Item) -> Iterator[str]:
    for lang in item.languages:
        for key in _texts(item, lang)[0]:
            if len(key) > 12 and key.lower().rstrip(".。") in plain_text(item.explanation[lang]).lower():
                yield f"the explanation only says the key again: “{key}”"


def _parroted(bank: Bank, item: Item) -> Iterator[str]:
    if item.type != "short_answer":
        return
    for lang in item.languages:
        part = pose(item, 0, lang, bank.catalogue).parts[0]
        assert isinstance(part, WordsPart)
        for n in suggestion(part, item.prompt[lang]).said:
            yield f"{lang}: the question itself says “{part.ideas[n].name}”"


def _unproven(bank: Bank, item: Item) -> Iterator[str]:
    """Of an estimate the sum that gives it; of words the samples that are the evidence for the ideas, and for
    the phrases that are pointed out."""
    if isinstance(item.answer, Estimate) and not any(_states(claim, item.answer) for claim in item.check):
        yield "no “check” works the value out"
    if not isinstance(item.answer, ShortAnswer):
        return
    samples = item.answer.samples
    if min(map(len, samples)) < SAMPLES:
        yield f"{len(samples.right)} right and {len(samples.wrong)} wrong “samples”, not {SAMPLES} of each"
    for lang in item.languages:
        part = pose(item, 0, lang, bank.catalogue).parts[0]
        assert isinstance(part, WordsPart)
        for text in samples.right:
            for _, phrase in suggestion(part, text[lang]).refuted:
                yield f"{lang}: a right sample says “{phrase}”, which is to show a misconception"
        met = {id_ for text in samples.wrong for id_, _ in suggestion(part, text[lang]).refuted}
        for id_, _ in part.refutations:
            if id_ not in met:
                yield f"{lang}: no wrong sample shows “{id_}” by one of its phrases"


def _states(claim: str, answer: Estimate) -> bool:
    """Does the claim come to the value, to the digits that it states?"""
    stated = Fraction(claim.rpartition("=")[2].strip() or "0")
    return abs(stated * SEAL - answer.value[0][0]) * 20 <= answer.value[0][0]


def _unexplained(_: Bank, item: Item) -> Iterator[str]:
    if not item.family and not item.explanation.en + item.explanation.ja:
        yield "no “explain”"


def misnamed(bank: Bank, text: str) -> Iterator[tuple[str, Term]]:
    """Every word of this text that the glossary avoids, with the term that stands for it. In brackets right
    after the term, as 多頭アテンション（マルチヘッドアテンション）, what others call it may be told."""
    for term in bank.glossary.values():
        for word in term.avoid:
            if word.lower() in re.sub(f"{re.escape(term.ja)}（[^）]*）", "", text).lower():
                yield word, term


def _words(bank: Bank, item: Item) -> Iterator[str]:
    for lang in item.languages:
        texts = [item.prompt[lang], item.explanation[lang], *(hint[lang] for hint in item.hints)]
        texts += _choices(item, lang)
        for word, term in misnamed(bank, "\n".join(texts)):
            yield f"“{word}” is not used here: “{getattr(term, lang)}”"


RULES: dict[str, Callable[[Bank, Item], Iterator[str]]] = {
    "all-of-the-above": _all_of_the_above,
    "negated-stem": _negated,
    "clue-word": _clues,
    "uneven-choices": _lengths,
    "uneven-grammar": _grammar,
    "hint-is-key": _hints,
    "explanation-is-key": _restated,
    "idea-in-stem": _parroted,
    "no-evidence": _unproven,
    "no-explanation": _unexplained,
    "glossary": _words,
}


def _signature(item: Item, lang: Lang) -> frozenset[str]:
    """What an item says, as a set: words in English, runs of three signs in Japanese."""
    text = plain_text(item.prompt[lang]) + " " + " ".join(_choices(item, lang))
    if lang == "en":
        return frozenset(re.findall(r"[a-z0-9]+", text.lower()))
    return frozenset(text[i : i + 3] for i in range(len(text) - 2))


def _alike(items: Sequence[Item]) -> Iterator[Fault]:
    """Every item that says what one before it says, told once, with the first of them."""
    concept = [item for item in items if not item.family]
    twins: dict[int, int] = {}
    for lang in ("en", "ja"):
        said = {n: _signature(item, lang) for n, item in enumerate(concept) if lang in item.languages}
        for place, first in _twins(said, lambda n: "alike" in concept[n].allow):
            twins.setdefault(place, first)
    for place, first in sorted(twins.items()):
        item, one = concept[place], concept[first]
        message = f"{item.id} and {one.id} are hardly to be told apart"
        yield Fault(item.file, item.line, item.column, "alike", message)


def _twins(said: Mapping[int, frozenset[str]], excused: Callable[[int], bool]) -> Iterator[tuple[int, int]]:
    """(place, that of the first one alike). Two sets that have so much in common share one of the few rarest
    words of each, so that nothing else is compared."""
    often = Counter(chain.from_iterable(said.values()))
    holders: dict[str, list[int]] = {}
    for place, words in said.items():
        if excused(place):
            continue
        rare = sorted(words, key=lambda word: (often[word], word))
        few = rare[: len(rare) - int(ALIKE * len(rare))]
        near = merge(*(holders.setdefault(word, []) for word in few))
        if (first := next((n for n in near if _same(said[n], words)), None)) is not None:
            yield place, first
        for word in few:
            holders[word].append(place)


def _same(a: frozenset[str], b: frozenset[str]) -> bool:
    return len(a & b) > ALIKE * len(a | b)


def _as_a_whole(bank: Bank, items: Sequence[Item], each: Each) -> Iterator[Fault]:
    """What shows only in many items: five standard deviations are no chance."""
    if not items:
        return
    place = (items[0].file, 1, 1)
    hits, expected, of = longest_keys(items)
    if of >= 20 and hits > expected + 3 * (expected * (1 - expected / of)) ** 0.5:
        message = (
            f"the key is the longest choice in {hits} of {of} items; chance would make it {expected:.0f}"
        )
        yield Fault(*place, "longest-key", message)
    inner, of = key_ranks(items)
    if of >= 12 and abs(inner - of / 2) > 1.5 * of**0.5:
        message = (
            f"of four numbers the key is a middle one in {inner} of {of} items; chance would make it half"
        )
        yield Fault(*place, "key-ranks", message)
    places = key_places(bank, items)
    total = sum(places.values())
    if total >= 100 and any(abs(places[x] - total / 4) > 5 * (total * 3 / 16) ** 0.5 for x in "ABCD"):
        yield Fault(
            *place, "key-places", f"keys do not stand evenly at A, B, C, D: {dict(sorted(places.items()))}"
        )
    for one in strategies(bank, items, each):
        if one.tells:
            message = (
                f"{one.type}: “{one.name}” earns {one.share:.0%} of {one.items} questions without reading "
                f"them; chance would earn {one.chance:.0%}"
            )
            yield Fault(*place, "blind", message)
