"""`marks read`: the reading desk, for answers in words and for what learners object to."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quizengine.cli import screen
from quizengine.cli.options import language, now, open_record, with_lang, with_plain, write_new
from quizengine.cli.views import write_anew
from quizengine.errors import UsageError
from quizengine.lang.messages import t
from quizengine.lang.quotation import Quoted, tell
from quizengine.lang.text import Lang
from quizengine.marking.mark import credit_text
from quizengine.render.blocks import stem
from quizengine.render.terminal import lines, wrapped
from quizengine.sessions.dialogue import command_of

if TYPE_CHECKING:
    from quizengine.grading.record.reading_desk import Group, Question
    from quizengine.grading.record.results import Results
    from quizengine.sheets.manifest import Manifest

FILE = click.Path(path_type=Path)
SHOWN = 3  # other ways of writing, and names


@click.command()
@click.argument("manifest_path", metavar="MANIFEST", type=FILE)
@click.option("--names", is_flag=True, help="Show whose answers they are.")
@click.option("--as", "reader", default="", metavar="NAME", help="Read as a second reader: no mark changes.")
@click.option("--again", is_flag=True, help="Also what has been read before.")
@click.option("--export", type=FILE, metavar="CSV", help="Write what is open as a table, to be filled in.")
@click.option("--import", "filled", type=FILE, metavar="CSV", help="Take such a table, filled in.")
@click.option("--objections", type=FILE, metavar="CSV", help="What learners object to: student,label,remark.")
@with_plain
@with_lang
def read(
    manifest_path: Path,
    names: bool,
    reader: str,
    again: bool,
    export: Path | None,
    filled: Path | None,
    objections: Path | None,
    lang: str | None,
) -> int:
    """Read answers in words, question by question, equal ones together: a number ticks an idea, Enter keeps.
    Every decision is kept before the next answer is shown; names are hidden.

    Example: quizengine marks read exam/manifest.json
    """
    from quizengine.grading.record.reading_desk import questions

    if sum(map(bool, (export, filled, objections))) > 1:
        raise UsageError("one at a time: --export, --import or --objections")
    chosen, ask = language(lang), partial(questions, shown=screen.progress)
    with open_record(manifest_path, write=export is None) as (manifest, results):
        if export:
            from quizengine.grading.record.words_table import table_of

            write_new(export, table_of(ask(manifest, results, reader, again=again)))
            screen.print(str(export))
            return 0
        done = False
        try:
            if objections:
                _hear(objections, manifest, results, chosen)
            elif filled:
                _take(filled, ask(manifest, results, reader, again=True), results, reader, chosen)
            else:
                found = ask(manifest, results, reader, again=again)
                _Desk(results, chosen, reader, names=names).read(found)
            done = True
        finally:  # also where the reader leaves by Ctrl-C
            if not reader and (done or results.changed):
                write_anew(manifest_path, manifest, chosen)
    return 0


def _keep(
    results: Results, reader: str, question: Question, group: Group, said: set[int] | None, words: str = ""
) -> None:
    """Keep a decision: when this returns, it is on the disk."""
    from quizengine.grading.record.reading_desk import decided, readings

    at = now()
    if not reader:
        results.add(decided(question, group, said, words, at))
    results.add_readings(readings(group, reader, said, at))


class _Desk:
    """A reader at a terminal, or on a pipe."""

    def __init__(self, results: Results, lang: Lang, reader: str, *, names: bool):
        self.results, self.lang, self.reader, self.names = results, lang, reader, names
        self.kept: list[tuple[Question, Group]] = []

    def read(self, questions: Sequence[Question]) -> None:
        """Group by group, until the end or until the reader leaves; then what came of it."""
        todo = [(question, group) for question in questions for group in question.groups]
        place, shown = 0, None
        while place < len(todo):
            question, group = todo[place]
            if question is not shown:  # it may be the same item in another language
                self._show_question(question)
                shown = question
            self._show(question, group, place, len(todo))
            step = self._decide(question, group)
            if step is None:
                break
            place = max(0, place + step)
        self._end()

    def _show_question(self, question: Question) -> None:
        screen.print("", t(self.lang, "read.question", item=question.problem.item), style="bold")
        screen.print(*lines(stem(question.problem), screen.width(), abreast=screen.abreast()))
        screen.print(*wrapped(question.part.key, screen.width(), first=t(self.lang, "words.model")))
        points = question.part.points
        screen.print(*wrapped(t(self.lang, "read.ideas", points=points), screen.width()))
        for number, idea in enumerate(question.part.ideas, 1):
            screen.print(*wrapped(idea.name, screen.width(), first=f"  {number}  "))
        screen.print(*wrapped(screen.keys(t(self.lang, "read.keys")), screen.width(), first="  "))

    def _show(self, question: Question, group: Group, place: int, count: int) -> None:
        """The answer, how many gave it, how else it is written, and what the lists make of it."""
        head = t(self.lang, "read.group", place=place + 1, count=count, answers=len(group.answers))
        screen.print("", head + (t(self.lang, "read.near") if group.near else ""))
        screen.print(*wrapped((Quoted(group.text),), screen.width(), first="  "))
        for text in group.written[:SHOWN]:
            screen.print(*wrapped(tell(self.lang, "read.also", text=Quoted(text)), screen.width()))
        if self.names:
            who = [answer.student for answer in group.answers]
            screen.print("  " + ", ".join(who[:SHOWN]) + (", …" if who[SHOWN:] else ""))
        found = question.suggestion(group)
        said = " ".join(str(n + 1) for n in found.said) or "–"
        screen.print("  " + t(self.lang, "read.suggested", said=said), style="grey")
        for id_, phrase in found.refuted:
            told = tell(self.lang, "read.refuted", phrase=Quoted(phrase), id=id_)
            screen.print(*wrapped(told, screen.width(), first="  "), style="grey")

    def _decide(self, question: Question, group: Group) -> int | None:
        """Take keys until the group is decided: 1 goes on, −1 goes back, None leaves."""
        said, words = {*group.said}, ""
        if said:
            self._show_said(said)
        while (key := screen.key()) is not None:
            if key == "\n":
                screen.print("")
                _keep(self.results, self.reader, question, group, said, words)
                self.kept.append((question, group))
                return 1
            if key == "s":
                screen.print(t(self.lang, "read.skipped"))
                return 1
            if key == "u":
                return self._take_back()
            if key == ":" and screen.key() == "q":
                screen.print("")
                return None
            if key == "w":
                screen.print(t(self.lang, "read.own-words"))
                words = (screen.answer() or "").strip()
            elif key.isascii() and key.isdigit() and 1 <= int(key) <= len(question.part.ideas):
                said ^= {int(key) - 1}
            self._show_said(said)
        return None

    def _show_said(self, said: set[int]) -> None:
        ticked = " ".join(str(n + 1) for n in sorted(said)) or "–"
        screen.over("  " + t(self.lang, "read.said", said=ticked))

    def _take_back(self) -> int:
        if not self.kept:
            screen.print(t(self.lang, "take.nothing-to-undo"))
            return 0
        question, group = self.kept.pop()
        _keep(self.results, self.reader, question, group, None)
        screen.print(t(self.lang, "take.undone"))
        return -1

    def _end(self) -> None:
        """What was read; with a second reader, how far both agree."""
        from quizengine.grading.record.reading_desk import Agreement

        screen.print("", t(self.lang, "read.end", groups=len(self.kept), answers=self._answers()))
        if self.reader:
            both = Agreement(self.results.readings(""), self.results.readings(self.reader))
            if both.pairs:
                percent = round(100 * both.alike / len(both.pairs))
                values = {"alike": both.alike, "count": len(both.pairs), "percent": percent}
                screen.print(*wrapped(t(self.lang, "read.agreement", **values), screen.width()))
            for code, label in both.differing:
                screen.print("  " + t(self.lang, "read.differs", code=code, label=label))

    def _answers(self) -> int:
        return sum(len(group.answers) for _, group in self.kept)


def _take(path: Path, questions: Sequence[Question], results: Results, reader: str, lang: Lang) -> None:
    """Keep what a table decides."""
    from quizengine.grading.record.words_table import decisions_in

    found, unknown = decisions_in(path, questions)
    for line, id_ in unknown:
        screen.complain(t(lang, "read.no-group", path=path, line=line, id=id_))
    for question, group, said, words in found:
        _keep(results, reader, question, group, {*said}, words)
    answers = sum(len(one.group.answers) for one in found)
    screen.print(t(lang, "read.end", groups=len(found), answers=answers))


def _hear(path: Path, manifest: Manifest, results: Results, lang: Lang) -> None:
    """Objection by objection: the answer, its mark, the remark; the decision goes onto the learner's page."""
    from quizengine.grading.record.effective import READ, effective
    from quizengine.grading.record.history import sheet_of
    from quizengine.grading.record.override import credit_of, override
    from quizengine.grading.record.words_table import objections_in

    heard = [(one, sheet_of(manifest, one.student)) for one in objections_in(path)]  # all, before the first
    for (line, student, label, remark), sheet in heard:
        before = effective(results.history(sheet.code)).get(label)
        if before is None:
            screen.complain(t(lang, "read.no-mark", path=path, line=line, student=student, label=label))
            continue
        problem = next(sheet.problems[index] for own, index, _ in sheet.labelled() if own == label)
        screen.print("", f"{student}  {label}", style="bold")
        screen.print(*lines(stem(problem), screen.width(), abreast=screen.abreast()))
        screen.print(*wrapped((Quoted(before.raw),), screen.width(), first=t(lang, "your-answer")))
        earned = {"credit": credit_text(before.credit), "points": before.points}
        screen.print(t(lang, "read.earned", **earned, why=f" ({before.why})" if before.why else ""))
        screen.print(*wrapped(tell(lang, "read.objects", remark=Quoted(remark)), screen.width()))
        while (typed := _asked(t(lang, "read.credit"))) is not None:
            try:
                credit = credit_of(typed) if typed else before.credit
                after = override(sheet, label, credit, "", now(), before)
            except UsageError as error:
                screen.print(error.message)
                continue
            while (why := _asked(t(lang, "read.why"))) == "":
                pass
            if why is None:
                return
            results.add([after._replace(why=why, key=READ)])
            break
        else:
            return


def _asked(question: str) -> str | None:
    """A line that is typed; None where the reader leaves."""
    screen.print(question)
    raw = screen.answer()
    return None if raw is None or command_of(raw) == ":q" else raw.strip()
