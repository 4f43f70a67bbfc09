"""A reply: an answer is read, judged and told. Nothing in here is needed before something is typed, so it
is imported late: the first question waits for none of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from quizengine.errors import UnknownName
from quizengine.feedback.follow_up import sister
from quizengine.feedback.lines import Line, told, told_part, worked
from quizengine.feedback.sentences import mark_json, told_of, unreadable_text
from quizengine.items.bank import Bank
from quizengine.lang.messages import name, t
from quizengine.lang.quotation import shown
from quizengine.lang.text import Lang
from quizengine.marking.judge import judge
from quizengine.marking.mark import Mark
from quizengine.marking.second import with_first_tries
from quizengine.problems.part import ChoicePart, Part, lines_of
from quizengine.problems.problem import Problem
from quizengine.render.blocks import points
from quizengine.render.terminal import wrapped
from quizengine.reports.tally import Total, sums_text, tally
from quizengine.responses.read import read
from quizengine.responses.response import NumericValue, Response, Unreadable
from quizengine.sessions.desk import Desk
from quizengine.sessions.event import Fields, Judged, Planned
from quizengine.sessions.own_function import answerable
from quizengine.sessions.schedule import due
from quizengine.sessions.self_mark import self_mark
from quizengine.sessions.session import Marked, Session

_STYLES = {"right": "green", "partial": "yellow", "wrong": "red"}


class Judgement(NamedTuple):
    """A problem as it was posed, what was read part by part, and the mark; did the learner give some of it
    (`own`)?"""

    problem: Problem
    responses: Mapping[str, Response]
    mark: Mark
    own: bool = False


def judgement(problem: Problem, typed: Mapping[str, str], tried: Mapping[str, str] = {}) -> Judgement:
    """The mark of what was typed, part by part; a part that is missing is blank. `tried` holds the first
    tries of the parts that were tried twice."""
    responses = {part.id: read(part, typed.get(part.id, "")) for part in problem.parts}
    first = {
        part.id: _first_try(problem, part, responses, tried) for part in problem.parts if part.id in tried
    }
    mark = judge(problem, responses)
    return Judgement(problem, responses, with_first_tries(mark, first) if first else mark)


def _first_try(
    problem: Problem, part: Part, responses: Mapping[str, Response], tried: Mapping[str, str]
) -> Mark:
    """The mark of the problem up to this part, when it was tried first."""
    before = problem.parts[: problem.parts.index(part)]
    return judge(problem, {**{p.id: responses[p.id] for p in before}, part.id: read(part, tried[part.id])})


def step(desk: Desk, bank: Bank, made: Judgement, part: Part, *, last: bool, second: bool) -> bool:
    """Tell how a part is judged that was just typed, without its key, unless the feedback on the whole
    follows at once; may it be tried once more? (Where two are to choose from the other one is no work.)"""
    own = made.mark.part(part.id)
    two = isinstance(part, ChoicePart) and len(part.choices) == 2
    again = own.verdict in ("wrong", "partial") and not second and not two
    if again or not last:
        desk.print("")
        show_lines(desk, told_part(made.problem, made.mark, part, bank.catalogue, desk.width()))
    return again


def self_marked(desk: Desk, bank: Bank, made: Judgement) -> Judgement:
    """The same, with what a person at the desk says of an own answer that is open. Raises Left."""
    if not made.mark.open or not desk.interactive():
        return made
    return made._replace(mark=self_mark(desk, bank, *made[:3]), own=True)


def log_entry(index: int, made: Judgement, bank: Bank, lang: Lang) -> Judged:
    """The mark of the question at this place, as the log keeps it."""
    problem, _, mark, own = made
    data = mark_json(problem, mark, bank.catalogue, lang)
    earned = (str(mark.credit), mark.points - mark.open, list(mark.named))
    return Judged(index, problem.item, problem.topic, *earned, data, mark.open, own)


def refused(desk: Desk, part: Part, raw: str, lang: Lang) -> bool:
    """Before a person, an answer that cannot be read is asked for again; on a pipe it counts. Of an array
    the shape is told as it was read."""
    reading = read(part, raw).reading
    if lines_of(part) and isinstance(reading, NumericValue):
        rows, columns = len(reading.content), len(reading.content[0])
        told = [shown(sentence) for sentence in told_of(reading, lang)]
        desk.print("  " + " ".join([t(lang, "take.read-as", rows=rows, columns=columns), *told]))
    if not isinstance(reading, Unreadable) or not desk.interactive():
        return False
    desk.print(*wrapped(unreadable_text(reading, lang), desk.width()))
    desk.print(t(lang, "take.again"))
    return True


def another(bank: Bank, made: Judgement, plan: Sequence[Planned], met: set[str]) -> Planned | None:
    """A problem like this one that is not in the plan yet, if there is any; of the items that were not `met`,
    or with other numbers."""
    try:
        found = sister(bank, made.problem, made.mark, met)
    except UnknownName:  # the bank has changed since
        return None
    return Planned(*found) if found and found not in plan else None


def remembered(made: Judgement, kept: Fields) -> Judgement:
    """The same, with the verdicts that the log keeps (`kept`) where the learner gave them."""
    given = {part["id"]: part["verdict"] for part in kept.get("parts", ())}
    parts = (
        p._replace(verdict=given.get(p.id, "open")) if p.verdict == "open" else p for p in made.mark.parts
    )
    return made._replace(mark=made.mark._replace(parts=tuple(parts)))


def show_feedback(desk: Desk, bank: Bank, made: Judgement, *, whole: bool = True) -> None:
    """What an answer earned, and why; the worked solution where it is shown `whole`."""
    desk.print("")
    show_lines(desk, told(*made[:3], bank.catalogue, desk.width(), whole=whole))


def show_worked(desk: Desk, problem: Problem) -> None:
    """The reason why, or the worked solution stage by stage."""
    show_lines(desk, worked(problem, desk.width()))


def show_lines(desk: Desk, lines: Iterable[Line]) -> None:
    """Lines, in the colour of the verdict that they tell."""
    for line in lines:
        desk.print(line.text, style=_STYLES.get(line.verdict, ""))


def show_summary(desk: Desk, bank: Bank, session: Session) -> None:
    """Points by topic, and the mistakes worth another look."""
    marks = session.sum
    topics = tally((m.topic, m.earned, m.points, m.open) for m in marks)
    whole = sum(topics.values(), Total())
    passed = [Problem.from_json(session.posed[i]).points for i in session.skipped if i in session.posed]
    said = sums_text(whole, session.lang, "take.end")
    if passed:
        about = points(sum(passed), session.lang)
        said += t(session.lang, "take.end-skipped", count=len(passed), points=about)
    desk.print("", *wrapped(said, desk.width()), style="bold")
    for topic, total in topics.items():
        line = sums_text(total, session.lang, "take.end-topic", topic=name("topic", topic, session.lang))
        desk.print("  " + line)
    met = dict.fromkeys(id_ for m in marks for id_ in m.misconceptions if id_ in bank.catalogue)
    if met:
        names = " / ".join(bank.catalogue[id_].name[session.lang] for id_ in met)
        desk.print(*wrapped(t(session.lang, "take.met", names=names), desk.width()))


def due_stamps(bank: Bank, marks: Iterable[Marked], now: datetime) -> dict[str, str]:
    """When each unit of the schedule is due, as stamps of the log."""
    dates = due(marks, answerable(bank), now)
    return {unit: when.isoformat(timespec="milliseconds") for unit, when in dates.items()}
