"""Progress: what a learner has reached, as data and in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from fractions import Fraction
from itertools import dropwhile

from quizengine.items.bank import Bank
from quizengine.lang.messages import name, t
from quizengine.lang.text import Lang
from quizengine.marking.mark import rounded
from quizengine.reports.tally import Total, sums_text, tally
from quizengine.sessions.day import day_of
from quizengine.sessions.map import never_met_line
from quizengine.sessions.mastery import Mastery, mastery, met, streak
from quizengine.sessions.own_function import answerable
from quizengine.sessions.schedule import due
from quizengine.sessions.session import Marked

WEEKS, DAYS = 6, 7  # looked back, and ahead
BAR = 20  # cells of a week with full marks
OWN = 2  # different problems on which a mistake must show to be the learner's


class Progress:
    """All that the log tells of a learner at one moment."""

    def __init__(self, bank: Bank, marks: Sequence[Marked], now: datetime):
        self.bank, self.marks = bank, marks
        self.today = day_of(now.isoformat())
        items = answerable(bank)
        self.topics = tally((m.topic, m.earned, m.points, m.open) for m in marks)
        self.total = sum(self.topics.values(), Total())
        self.mastery = mastery(marks, lambda mark: [mark.topic])
        self.objectives = mastery(
            marks, lambda mark: items[mark.item].objectives if mark.item in items else ()
        )
        self.met = met(marks)
        self.never_met = [
            topic for topic in dict.fromkeys(m.topic for m in bank.metadata) if topic not in self.topics
        ]
        self.streak = streak(marks, self.today)
        self.due = self._due(due(marks, items, now), now)

    def _due(self, dates: Mapping[str, datetime], now: datetime) -> dict[date, int]:
        """How much comes up on each of the days ahead; what is overdue comes up today."""
        days = Counter(day_of(max(when, now).isoformat()) for when in dates.values())
        return {day: days[day] for n in range(DAYS) for day in [self.today + timedelta(days=n)]}

    def to_json(self) -> dict[str, object]:
        """What `progress --json` answers."""
        return {
            "answered": self.total.count,
            **self.total.sums,
            "streak": self.streak,
            "topics": {
                topic: {"answered": total.count, **total.sums, **_level(self.mastery.get(topic, Mastery()))}
                for topic, total in self.topics.items()
            },
            "objectives": {id_: _level(m) for id_, m in sorted(self.objectives.items())},
            "never_met": self.never_met,
            "misconceptions": self.met,
            "weeks": [
                {"monday": str(monday), "answered": count, "percent": rounded(100 * share)}
                for monday, count, share in weeks(self.marks, self.today, WEEKS)
            ],
            "due": {str(day): count for day, count in self.due.items()},
        }

    def lines(self, sessions: int, lang: Lang) -> Iterator[str]:
        """The same as lines that a learner reads, not yet wrapped."""
        yield sums_text(self.total, lang, "progress.head", answered=self.total.count, sessions=sessions)
        if self.streak > 1:
            yield t(lang, "progress.streak", days=self.streak)
        for topic, total in self.topics.items():
            level = _level(self.mastery.get(topic, Mastery()))
            words = {"topic": name("topic", topic, lang), "answered": total.count}
            said = sums_text(total, lang, "progress.topic", **words, mastery=level["mastery"])
            yield "  " + said + (t(lang, "progress.mastered") if level["mastered"] else "")
        yield from never_met_line(self.never_met, lang)
        yield from self._mistakes(lang)
        yield t(lang, "progress.weeks")
        for monday, count, share in dropwhile(lambda week: not week[1], weeks(self.marks, self.today, WEEKS)):
            bar = "█" * round(BAR * share)
            yield f"  {monday:%m-%d} " + t(
                lang, "progress.week", bar=bar, percent=rounded(100 * share), answered=count
            )
        ahead = [f"{day:%m-%d} ({count})" for day, count in self.due.items() if day != self.today and count]
        today = self.due[self.today]
        yield t(lang, "progress.due" if today else "progress.due-none", today=today)
        if ahead:
            yield t(lang, "progress.ahead", days=", ".join(ahead))

    def _mistakes(self, lang: Lang) -> Iterator[str]:
        """The learner's own, each with what helps; then those that showed once, which may be chance."""
        known = {id_: count for id_, count in self.met.items() if id_ in self.bank.catalogue}
        once = [self.bank.catalogue[id_].name[lang] for id_, count in known.items() if count < OWN]
        for id_, count in known.items():
            if count >= OWN:
                entry = self.bank.catalogue[id_]
                yield t(lang, "progress.own", name=entry.name[lang], count=count)
                yield "  " + entry.remedy[lang]
                yield "  " + t(lang, "progress.drill", id=id_)
        if once:
            yield t(lang, "progress.met", names=" / ".join(once))


def _level(own: Mastery) -> dict[str, object]:
    return {"mastery": rounded(100 * own.level), "mastered": own.mastered}


def weeks(marks: Sequence[Marked], today: date, count: int) -> list[tuple[date, int, Fraction]]:
    """(Monday, answers, share of the points) of the last weeks, oldest first; empty ones are there too."""
    mondays = [_monday(today) - timedelta(weeks=week) for week in range(count - 1, -1, -1)]
    dated = ((_monday(day_of(mark.at)), mark) for mark in marks)
    totals = tally((first, m.earned, m.points, 0) for first, m in dated if first >= mondays[0])
    shown = ((first, totals.get(first, Total())) for first in mondays)
    return [(first, total.count, total.percent / 100) for first, total in shown]


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())
