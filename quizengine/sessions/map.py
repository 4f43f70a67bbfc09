"""The map: where a learner stands on every objective, in the order of what builds on what. It is worked out
from the marks alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Literal, NamedTuple, get_args

from quizengine.items.bank import Bank
from quizengine.items.item import Metadata
from quizengine.lang.messages import name, t
from quizengine.lang.text import Lang
from quizengine.sessions.mastery import Mastery, mastery
from quizengine.sessions.own_function import answerable
from quizengine.sessions.session import Marked

Standing = Literal["mastered", "passed", "credited", "begun", "open"]
REACHED: tuple[Standing, ...] = ("mastered", "passed", "credited")
GUESSED = ("true_false",)  # one in two by chance: too little to credit anything by
UNSURE = (*GUESSED, "short_answer")  # not asked where the engine alone is to see what a learner knows


class Evidence(NamedTuple):
    """What answers tell of each objective: its mastery, and where the last answer was right, and none that
    every second guess gives, what it examined together with it (`sure`)."""

    mastery: Mapping[str, Mastery] = {}
    sure: Mapping[str, Sequence[str]] = {}


NOTHING = Evidence()


def evidence(bank: Bank, marks: Iterable[Marked], before: Evidence = NOTHING) -> Evidence:
    """What these answers add to the evidence that there was."""
    items = answerable(bank)
    known = sorted((m for m in marks if m.points and m.item in items), key=lambda mark: mark.at)
    sure = {**before.sure}
    for mark in known:
        item = items[mark.item]
        for objective in item.objectives:
            if not mark.full:
                sure.pop(objective, None)
            elif item.type not in GUESSED and not mark.helped:
                sure[objective] = item.objectives
    return Evidence(mastery(known, lambda mark: items[mark.item].objectives, before.mastery), sure)


class Ground:
    """What the objectives of a bank build on, as far as it can examine them in this language: per objective
    its items, what is straight before and after it, and all that is below and above it."""

    def __init__(self, bank: Bank, lang: Lang):
        self.bank, self.lang = bank, lang
        self.items: dict[str, list[Metadata]] = {}
        for item in bank.metadata:
            if lang in item.languages and item.type != "short_answer":
                for objective in item.objectives:
                    self.items.setdefault(objective, []).append(item)
        self.after = {id_: self._after(id_, set()) for id_ in bank.objectives if id_ in self.items}
        self.objectives = _in_order(self.after)
        self.unlocks = {
            id_: [other for other in self.objectives if id_ in self.after[other]] for id_ in self.objectives
        }
        self.below = {id_: _closure(id_, self.after) for id_ in self.objectives}
        self.above = {id_: _closure(id_, self.unlocks) for id_ in self.objectives}

    def _after(self, id_: str, seen: set[str]) -> list[str]:
        """What an objective builds on, as far as this bank can examine it; else what that builds on."""
        out: list[str] = []
        for before in self.bank.objectives[id_].after:
            if before not in seen and before in self.bank.objectives:
                seen.add(before)
                out += [before] if before in self.items else self._after(before, seen)
        return list(dict.fromkeys(out))

    def text(self, id_: str) -> str:
        """The objective in words."""
        return self.bank.objectives[id_].text[self.lang]


class Map:
    """A learner's standing on every objective. It is credited while something that builds on it, and was
    examined without it, was answered right last, unless the last answer on it itself was not."""

    def __init__(self, ground: Ground, found: Evidence):
        self.ground, self.mastery, self.sure = ground, found.mastery, found.sure
        self.objectives = ground.objectives
        self.standing: dict[str, Standing] = {id_: self._standing(id_) for id_ in self.objectives}

    def _standing(self, id_: str) -> Standing:
        own = self.mastery.get(id_, Mastery())
        if own.mastered or own.passed:
            return "mastered" if own.mastered else "passed"
        above = [self.sure[other] for other in self.ground.above[id_] if other in self.sure]
        if any(id_ not in examined for examined in above) and not self.failed(id_):
            return "credited"
        return "begun" if own.answers else "open"

    def failed(self, id_: str) -> bool:
        """Was the last answer on it not right?"""
        return id_ in self.mastery and not self.mastery[id_].run

    def reached(self, *standings: Standing) -> list[str]:
        """The objectives of these standings, or all that nothing more is asked of today."""
        return [id_ for id_ in self.objectives if self.standing[id_] in (standings or REACHED)]

    def ready(self, id_: str) -> bool:
        """Is all reached that it builds on?"""
        return all(self.standing[before] in REACHED for before in self.ground.after[id_])

    def back_today(self, today: date) -> list[str]:
        """What was passed on an earlier day and is not mastered: it comes back before anything new."""
        return [id_ for id_ in self.reached("passed") if max(self.mastery[id_].days) < today]

    def to_learn(self, today: date) -> list[str]:
        """What lessons are to be about, in this order: what comes back, then what is ready, then the rest."""
        new = [id_ for id_ in self.objectives if self.standing[id_] in ("begun", "open")]
        return [*self.back_today(today), *sorted(new, key=lambda id_: not self.ready(id_))]

    def never_met(self) -> list[str]:
        """The topics of which nothing has been asked."""
        objectives = self.ground.bank.objectives
        met = {objectives[id_].topic for id_ in self.objectives if id_ in self.mastery}
        return [
            topic for topic in dict.fromkeys(objectives[i].topic for i in self.objectives) if topic not in met
        ]

    def to_json(self) -> dict[str, object]:
        """What `progress map --json` answers."""
        ground = self.ground
        return {
            "reached": len(self.reached()),
            "never_met": self.never_met(),
            "objectives": [
                {
                    "id": id_,
                    "topic": ground.bank.objectives[id_].topic,
                    "text": ground.text(id_),
                    "standing": self.standing[id_],
                    "ready": self.ready(id_),
                    "answers": self.mastery.get(id_, Mastery()).answers,
                    "after": ground.after[id_],
                    "unlocks": ground.unlocks[id_],
                }
                for id_ in self.objectives
            ],
        }

    def lines(self) -> Iterator[str]:
        """The same as lines that a learner reads, not yet wrapped: topic by topic."""
        lang, objectives = self.ground.lang, self.ground.bank.objectives
        counts: dict[str, object] = {standing: len(self.reached(standing)) for standing in get_args(Standing)}
        yield t(lang, "map.head", **counts, reached=len(self.reached()), all=len(self.objectives))
        topics = dict.fromkeys(objectives[id_].topic for id_ in self.objectives)
        for topic in topics:
            yield name("topic", topic, lang)
            for id_ in self.objectives:
                if objectives[id_].topic == topic:
                    yield "  " + self._line(id_)
        yield from never_met_line(self.never_met(), lang)

    def _line(self, id_: str) -> str:
        """One objective: its standing, and what it opens."""
        lang, opens = self.ground.lang, self.ground.unlocks[id_]
        standing = t(lang, f"map.{self.standing[id_]}")
        line = t(lang, "map.line", id=id_, standing=standing, objective=self.ground.text(id_))
        return line + (t(lang, "map.unlocks", ids=", ".join(opens)) if opens else "")


def never_met_line(topics: Iterable[str], lang: Lang) -> list[str]:
    """The topics of which nothing has been asked, in words; no line where there are none."""
    names = " / ".join(name("topic", topic, lang) for topic in topics)
    return [t(lang, "map.never", topics=names)] if names else []


def _in_order(after: Mapping[str, Iterable[str]]) -> list[str]:
    """Each after all that it builds on, else in the order of the file; a circle is cut where it begins."""
    out: dict[str, None] = {}

    def put(id_: str, open_: frozenset[str]) -> None:
        for before in after[id_]:
            if before not in out and before not in open_:
                put(before, open_ | {before})
        out.setdefault(id_)

    for id_ in after:
        put(id_, frozenset({id_}))
    return list(out)


def _closure(id_: str, nearest: Mapping[str, Iterable[str]]) -> set[str]:
    """All that is reached from here by these steps, without itself."""
    seen: set[str] = set()
    open_ = [id_]
    while open_:
        new = set(nearest[open_.pop()]) - seen - {id_}
        seen |= new
        open_ += new
    return seen
