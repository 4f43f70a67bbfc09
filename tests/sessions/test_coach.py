"""What a session asks next: what went wrong once more, harder and easier, placement and lessons."""

from __future__ import annotations

import sys

import pytest

from quizengine.items.bank import Bank
from quizengine.problems.dice import Dice, seed_of
from quizengine.problems.part import Part, key_text
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem
from quizengine.responses.samples import right, wrong
from quizengine.sessions import coach, reply
from quizengine.sessions.event import (
    Added,
    Begun,
    Content,
    Ended,
    Planned,
    Posed,
    Skipped,
    Typed,
    Undone,
    event_of,
)
from quizengine.sessions.lesson import difficulty
from quizengine.sessions.map import Ground, Map, evidence
from quizengine.sessions.session import Marked, Session, apply, fold

TAKE = [
    "masking.where",
    "scaling.five-times",
    "order.grand-total",
    "roles.why-values",
    "softmax.two-zeros",
    "masking.one-row",
    "averaging.what-attention-replaces",
    "masking.visible-cells",
]


def stamp(day: int, seconds: int) -> str:
    return f"2030-{1 + day // 28:02}-{1 + day % 28:02}T10:{seconds // 60:02}:{seconds % 60:02}.000+00:00"


class Sitting:
    """A session as its events, asked and answered without a desk."""

    def __init__(self, bank: Bank, begun: Begun, day: int = 0, before: list[Marked] | None = None):
        self.bank, self.day, self.before = bank, day, before or []
        self.session, self.events = Session(day + 1), []
        self.ground = Ground(bank, "en")
        self.old = evidence(bank, self.before)
        self.put(begun)

    def put(self, content: Content) -> None:
        self.events.append(event_of(content, stamp(self.day, len(self.events))))
        apply(self.session, self.events[-1])

    def map(self) -> Map:
        return Map(self.ground, evidence(self.bank, self.session.marks, self.old))

    def planned(self) -> bool:
        """Plan the next question as the coach does; is there one?"""
        session = self.session
        back = coach.next_back(session, at_end=False)
        found = coach.again(self.bank, session, back) if back is not None else None
        if found is None and session.coach == "start":
            found = coach.led(self.map(), session, [*self.before, *session.marks], stamp(self.day, 0))
        back = coach.next_back(session, at_end=True)
        if found is None and session.at is None and back is not None:
            found = coach.again(self.bank, session, back)
        if found:
            self.put(found)
        return session.at is not None

    def answer(self, answer) -> Problem:
        """Answer the question that stands as `answer` says of each part, and mark it."""
        index = self.session.at
        planned = self.session.plan[index]
        problem = pose(self.bank.item(planned.item), planned.seed, "en", self.bank.catalogue)
        self.put(Posed(index, problem.to_json()))
        for part in problem.parts:
            self.put(Typed(index, part.id, answer(problem, part)))
        made = reply.judgement(problem, self.session.typed[index])
        self.put(reply.log_entry(index, made, self.bank, "en"))
        return problem


def knows(_: Problem, part: Part) -> str:
    return right(part)


def errs(_: Problem, part: Part) -> str:
    return wrong(part)


def begun(kind: str, ids: list[str] = TAKE, **more) -> Begun:
    return Begun([Planned(id_, seed_of("t", id_)) for id_ in ids], "en", 7, "", coach=kind, **more)


@pytest.mark.parametrize("miss", range(len(TAKE)))
def test_what_went_wrong_comes_back_once_three_to_six_questions_later(bank: Bank, miss: int) -> None:
    sitting, order = Sitting(bank, begun("again")), []
    assert sitting.session.count == len(TAKE)
    while sitting.planned():
        order.append(sitting.session.at)
        sitting.answer(errs if order[-1] == miss else knows)
        assert sitting.session.count == len(TAKE) + (miss in order)
    came_back = order.index(len(TAKE))
    assert sitting.session.added[len(TAKE)].back == miss
    assert len(order) == len(TAKE) + 1
    assert 3 <= came_back - miss <= 6 or came_back == len(order) - 1
    first, second = sitting.session.posed[miss], sitting.session.posed[len(TAKE)]
    assert (
        first["given"] != second["given"]
        if TAKE[miss] == "masking.one-row"
        else first["item"] != second["item"]
    )


@pytest.mark.parametrize("kind", ["again", ""])
def test_who_errs_always_is_asked_twice_at_most(bank: Bank, kind: str) -> None:
    sitting, asked = Sitting(bank, begun(kind)), 0
    while sitting.planned():
        sitting.answer(errs)
        asked += 1
    assert asked == len(TAKE) * (2 if kind else 1)


def test_an_item_without_sisters_comes_back_itself(bank: Bank) -> None:
    alone = bank.item("masking.where")
    small = Bank([alone.metadata], {alone.id: alone}, bank.catalogue, bank.objectives, {}, "")
    sitting = Sitting(small, begun("again", [alone.id]))
    sitting.answer(errs)
    assert sitting.planned()
    first, second = sitting.session.plan
    assert first.item == second.item == alone.id
    assert first.seed != second.seed


def test_what_comes_back_is_of_what_was_chosen_from(bank: Bank) -> None:
    filters = {"topic": ["softmax"], "type": ["single_choice"]}
    chosen = [item.id for item in bank.select(**filters)][:5]
    sitting = Sitting(bank, begun("take", chosen, filters=filters))
    while sitting.planned():
        sitting.answer(errs)
    assert len(sitting.session.plan) == 10
    assert {planned.item for planned in sitting.session.plan} <= {item.id for item in bank.select(**filters)}


def test_numbers_that_the_learner_asked_for_are_not_those_that_come_back(bank: Bank) -> None:
    sitting = Sitting(bank, begun("again", ["masking.one-row"]))
    sitting.answer(errs)
    alike = coach.again(bank, sitting.session, 0)
    sitting.put(Added(alike.item, alike.seed))
    back = coach.again(bank, sitting.session, 0)
    assert back.item == alike.item
    assert back.seed not in {planned.seed for planned in sitting.session.plan}


def test_what_the_bank_has_lost_stops_nothing(bank: Bank) -> None:
    sitting = Sitting(bank, begun("take", ["masking.where"], filters={"topic": ["masking"]}))
    sitting.answer(errs)
    sitting.bank = Bank([], {}, bank.catalogue, bank.objectives, {}, "")
    assert sitting.planned()
    assert sitting.session.plan[1].item == "masking.where"


def test_the_sum_is_made_of_the_second_answer_where_it_is_right(bank: Bank) -> None:
    for second, credits in ((knows, ["1"]), (errs, ["0", "0"])):
        sitting = Sitting(bank, begun("again", ["masking.where"]))
        sitting.answer(errs)
        assert sitting.planned()
        sitting.answer(second)
        assert [mark.credit for mark in sitting.session.sum] == credits
        assert len(sitting.session.marks) == 2


def test_a_miss_that_is_taken_back_does_not_come_back(bank: Bank) -> None:
    sitting = Sitting(bank, begun("again", TAKE[:1]))
    sitting.answer(errs)
    assert sitting.session.count == 2
    sitting.put(Undone(0))
    assert (sitting.session.count, sitting.session.to_come_back) == (1, [])


def test_what_is_taken_back_is_asked_before_what_was_planned_after_it(bank: Bank) -> None:
    sitting = Sitting(bank, begun("start", [], size=4))
    for _ in range(2):
        assert sitting.planned()
        sitting.answer(knows)
    assert sitting.planned()
    assert sitting.session.at == 2
    sitting.put(Undone(1))
    assert sitting.session.at == 1
    sitting.answer(knows)
    assert sitting.session.at == 2


def test_the_same_log_plans_the_same(bank: Bank) -> None:
    """At every question a session that is read again stands where the one at the desk does."""
    sitting = Sitting(bank, begun("start", [], size=10))
    for n in range(10):
        kept = Sitting(bank, begun("start", [], size=10))
        kept.events, kept.session = list(sitting.events), fold(1, sitting.events)
        assert sitting.planned() == kept.planned()
        assert kept.session.plan == sitting.session.plan
        sitting.answer(errs if n % 3 == 1 else knows)


HARDER = [
    ("", None),
    ("r", 3),
    ("rr", 4),
    ("rrr", 4),
    ("rrrr", 5),
    ("w", 3),
    ("ww", 2),
    ("wrw", 3),
    ("rrww", 3),
]


@pytest.mark.parametrize(("answers", "level"), HARDER, ids=[answers or "none" for answers, _ in HARDER])
def test_difficulty_rises_with_success_and_falls_after_two_errors(bank: Bank, answers: str, level) -> None:
    items = {item.id: item for item in bank.metadata}
    three = [item.id for item in bank.metadata if item.difficulty == 3 and item.type == "single_choice"]
    sitting = Sitting(bank, begun("take", three[: len(answers)]))
    for answer in answers:
        sitting.answer(knows if answer == "r" else errs)
    assert difficulty(sitting.session, items) == level


def test_a_swap_keeps_topic_kind_and_filters_and_leaves_what_was_wrong_before(bank: Bank) -> None:
    filters = {"topic": ["order"], "type": ["single_choice"]}
    easy = [item.id for item in bank.select(**filters) if item.difficulty <= 2]
    sitting = Sitting(bank, begun("take", easy[:3], filters=filters))
    assert coach.swap(bank, sitting.session, lambda _: 2, 0) is None  # nothing is answered yet
    sitting.answer(knows)
    sitting.answer(knows)
    found = coach.swap(bank, sitting.session, lambda _: 2, 2)
    assert found is not None
    item = bank.item(found.item).metadata
    assert (item.topic, item.type, item.family) == ("order", "single_choice", "")
    assert item.difficulty > bank.item(easy[2]).difficulty
    assert coach.swap(bank, sitting.session, lambda _: 0, 2) is None
    sitting.put(found)
    assert sitting.session.plan[2] == Planned(found.item, found.seed)


def test_a_placement_is_short_and_a_right_answer_credits_what_is_below(bank: Bank) -> None:
    for answer, least, most in ((knows, 12, 40), (errs, 0, 0)):
        sitting = Sitting(bank, begun("start", [], size=20))
        while sitting.planned() and sitting.session.added[sitting.session.at].why == "placement":
            sitting.answer(answer)
        assert 1 <= len(sitting.session.marks) <= 8
        assert least <= len(sitting.map().reached("credited")) <= most
        lesson = sitting.session.added[sitting.session.at].objective
        assert sitting.map().ready(lesson)
        assert bank.item(sitting.session.plan[-1].item).type != "short_answer"


def test_who_passes_over_the_whole_placement_begins_at_the_beginning(bank: Bank) -> None:
    sitting = Sitting(bank, begun("start", [], size=20))
    while sitting.planned() and sitting.session.added[sitting.session.at].why == "placement":
        sitting.put(Skipped(sitting.session.at))
    assert len(sitting.session.plan) <= 9
    assert sitting.session.added[sitting.session.at].objective == sitting.map().objectives[0]


class Holder:
    """A learner who knows all but holds one misconception, and drops it after its remedy was told."""

    def __init__(self, misconception: str):
        self.misconception, self.told = misconception, False

    def answer(self, problem: Problem, part: Part) -> str:
        for rival in () if self.told else problem.rivals:
            if rival.misconception == self.misconception and part.id in rival.values:
                return key_text(part, rival.values[part.id])
        return right(part)

    def hear(self, mark: Marked) -> None:
        self.told |= self.misconception in mark.misconceptions


class Guesser:
    """A learner who takes any choice, and leaves numbers blank."""

    def __init__(self, seed: int):
        self.dice = Dice("guess", seed)

    def answer(self, _: Problem, part: Part) -> str:
        labels = [choice.label for choice in getattr(part, "choices", ())]
        match part.kind:
            case "choice":
                return self.dice.pick(labels)
            case "choices":
                return ", ".join(label for label in labels if self.dice.below(2)) or labels[0]
            case "order":
                return ", ".join(self.dice.shuffled(labels))
            case "pairs":
                others = self.dice.shuffled([other for _, other in part.key])
                return ", ".join(f"{one}-{other}" for (one, _), other in zip(part.key, others, strict=True))
        return "_"

    def hear(self, mark: Marked) -> None:
        """It teaches nothing."""


def days(bank: Bank, learner: Holder | Guesser, most: int, *, led: bool) -> tuple[list[Marked], int]:
    """A sitting of twelve a day, led or of any items, until the map is mastered or so many questions are
    asked. The marks, and of how many objectives mastery was ever reached."""
    marks: list[Marked] = []
    best, mastered = 0, False
    for day in range(300):
        sitting = Sitting(bank, begun("start", [], size=12), day, marks)
        dice = Dice("chance", day)
        while len(marks) + len(sitting.session.marks) < most:
            if led and not sitting.planned():
                break
            if not led:
                if len(sitting.session.plan) == 12:
                    break
                sitting.put(Added(dice.pick(bank.metadata).id, dice.below(2**53)))
            sitting.answer(learner.answer)
            learner.hear(sitting.session.marks[-1])
        sitting.put(Ended())
        marks += sitting.session.marks
        map_ = sitting.map()
        best = max(best, len(map_.reached("mastered")))
        mastered = len(map_.reached("mastered", "credited")) == len(map_.objectives)
        if mastered or len(marks) >= most:
            break
    return marks if mastered else [], best


def test_who_drops_a_misconception_is_led_to_mastery_sooner_than_by_chance(
    bank: Bank, record_property
) -> None:
    learner = Holder("mask-after-softmax")
    led, _ = days(bank, learner, 400, led=True)
    assert learner.told
    assert 0 < len(led) < 250
    by_chance, _ = days(bank, Holder("mask-after-softmax"), 2 * len(led), led=False)
    record_property("questions", len(led))
    sys.stdout.write(f"to mastery of the map: {len(led)} questions when led, over {2 * len(led)} by chance\n")
    assert not by_chance


def test_who_guesses_is_never_led_to_mastery(bank: Bank) -> None:
    never, best = days(bank, Guesser(1), 150, led=True)
    assert not never
    assert best <= 3


@pytest.mark.slow
@pytest.mark.parametrize("misconception", ["mask-after-softmax", "scale-forgotten", "softmax-columns"])
def test_whatever_is_held_and_dropped_the_way_is_shorter(bank: Bank, misconception: str) -> None:
    led, _ = days(bank, Holder(misconception), 500, led=True)
    by_chance, _ = days(bank, Holder(misconception), 2500, led=False)
    sys.stdout.write(
        f"{misconception}: {len(led)} questions when led, {len(by_chance) or 'over 2500'} by chance\n"
    )
    assert 0 < len(led) < (len(by_chance) or 2500) / 2


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_thousand_guesses_master_next_to_nothing(bank: Bank, seed: int) -> None:
    never, best = days(bank, Guesser(seed), 1000, led=True)
    sys.stdout.write(f"guessing {seed}: of {len(bank.objectives)} objectives {best} were mastered at most\n")
    assert not never
    assert best <= len(bank.objectives) // 5


def test_who_has_no_history_begins_easily_and_only_right_answers_lead_up(bank: Bank) -> None:
    for seed in range(6):
        sitting = Sitting(bank, begun("start", [], size=12)._replace(seed=seed))
        while sitting.planned() and sitting.session.added[sitting.session.at].why == "placement":
            assert bank.item(sitting.session.plan[-1].item).difficulty <= 2
            sitting.answer(errs)


@pytest.mark.parametrize("answer", [knows, errs], ids=["knows", "errs"])
def test_what_was_worked_out_is_not_asked(bank: Bank, answer) -> None:
    for seed in range(3):
        sitting = Sitting(bank, begun("start", [], size=20)._replace(seed=seed))
        while sitting.planned():
            sitting.answer(answer)
        shown: set[str] = set()
        for index, planned in enumerate(sitting.session.plan):
            shown |= {sitting.session.added[index].example} if index in sitting.session.added else set()
            assert planned.item not in shown or bank.item(planned.item).metadata.family
