"""`blueprint`: write, check and preview what an exam is to hold."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quizengine.cli import screen
from quizengine.cli.options import (
    SEED,
    language,
    open_bank,
    suggest,
    with_bank,
    with_json,
    with_lang,
    with_plain,
    write_new,
)
from quizengine.cli.students import students_of, with_order
from quizengine.errors import FaultyFile, UnknownName, UsageError
from quizengine.items.bank import Bank
from quizengine.lang.messages import name, t
from quizengine.lang.quotation import Quoted
from quizengine.lang.text import Lang
from quizengine.render.blocks import ask, points, stem, told_key
from quizengine.render.terminal import lines, wrapped
from quizengine.sheets.roster import Order, Student, class_of

if TYPE_CHECKING:
    from quizengine.sheets.advice import Advice
    from quizengine.sheets.lineup import LineUp
    from quizengine.sheets.manifest import Manifest, Sheet
    from quizengine.sheets.plan import Blueprint

FILE = click.Path(path_type=Path)


@click.group()
def blueprint() -> None:
    """What an exam is to hold: write a blueprint, draw its questions, read and change them.

    Example: quizengine blueprint new midterm.yaml
    """


@blueprint.command()
@click.argument("file", type=FILE)
def new(file: Path) -> None:
    """Write a commented blueprint to start from.

    Example: quizengine blueprint new midterm.yaml
    """
    from importlib import resources

    text = resources.files("quizengine.sheets").joinpath("blueprint.yaml").read_text("utf-8")
    write_new(file, text)
    screen.print(str(file))


@blueprint.command()
@click.argument("file", type=FILE)
@with_lang
@with_bank
@with_json
def check(file: Path, lang: str | None, bank_path: tuple[str, ...], as_json: bool) -> int:
    """Can this bank give what the blueprint asks? Every fault with its line.

    Example: quizengine blueprint check midterm.yaml
    """
    from quizengine.sheets.advice import told
    from quizengine.sheets.blueprint import load_blueprint

    screen.prepare()
    bank = open_bank(bank_path)
    try:
        found = load_blueprint(file, bank)
        given = _advice(file, found, bank)
    except FaultyFile as error:
        if as_json:
            screen.json({"faults": [fault._asdict() for fault in error.faults]})
        else:
            screen.complain(error.message)
        return 1
    if "pdf" in found.formats:
        _printable(found)
    sizes = [section.size for section in found.sections]
    if as_json:
        known = {"advice": [{"code": one.code, **one.values} for one in given]} if given else {}
        screen.json({"faults": [], "sections": sizes, "items": sum(sizes)} | known)
    else:
        chosen = language(lang)
        screen.print(t(chosen, "blueprint.fine", sections=len(sizes), items=sum(sizes)))
        for one in given:
            screen.print(*wrapped(told(one, chosen), screen.width(), first="– "))
        if not given:
            screen.print(*wrapped(t(chosen, "blueprint.not-drawn", file=file), screen.width()))
    return 0


def _advice(file: Path, plan: Blueprint, bank: Bank) -> list[Advice]:
    """What is to be known of the questions that are drawn; nothing where none are. Raises FaultyFile."""
    from quizengine.sheets.advice import advice
    from quizengine.sheets.lineup import beside, load_lineup

    lineup = load_lineup(beside(file), plan, bank)
    if lineup is None:
        return []
    one, other = (one_sheet(bank, plan, lineup, [Student(name)])[1] for name in ("preview", "preview 2"))
    return list(advice(bank, one.problems, other.problems, plan.heading.minutes))


def _printable(plan: Blueprint) -> None:
    """Can the heading be printed? (Where PDF is not installed, that is seen later.)"""
    from quizengine.sheets.manifest import Manifest
    from quizengine.sheets.unset import check_printable

    with suppress(ImportError):
        import typst  # noqa: F401

        check_printable(Manifest("", plan.policy, (), {}, heading=plan.heading))


@blueprint.command("draw")
@click.argument("file", type=FILE)
@click.option("--seed", type=SEED, help="Draw the same again. Whoever knows it can compute the keys.")
@click.option("--force", is_flag=True, help="Draw anew what is drawn already.")
@with_lang
@with_bank
def draw_(file: Path, seed: int | None, force: bool, lang: str | None, bank_path: tuple[str, ...]) -> None:
    """Fix the questions, and write them down beside the blueprint.

    Example: quizengine blueprint draw midterm.yaml
    """
    from quizengine.sheets.blueprint import load_blueprint
    from quizengine.sheets.lineup import beside, drawn, save_lineup

    screen.prepare()
    chosen, bank, path = language(lang), open_bank(bank_path), beside(file)
    if path.exists() and not force:
        raise UsageError(t(chosen, "blueprint.drawn-already", path=path, file=file))
    plan = load_blueprint(file, bank)
    made = drawn(plan, secret_by(seed, chosen))
    save_lineup(path, plan, bank, made)
    screen.print(str(path), *_listed(plan, bank, made, chosen))


def secret_by(seed: int | None, lang: Lang) -> bytes | None:
    """The exam's secret that a seed gives, always the same, which is warned of; None without a seed."""
    from quizengine.sheets.lineup import secret_of

    if seed is None:
        return None
    screen.complain(t(lang, "sheet.seed"))
    return secret_of(seed)


def lineup_of(file: Path | None, plan: Blueprint, bank: Bank, seed: int | None, lang: Lang) -> LineUp:
    """What is drawn for this blueprint; by a seed, or without a blueprint, what is drawn now and written down
    nowhere. Raises UsageError for a seed beside what is drawn."""
    from quizengine.sheets.lineup import beside, drawn

    if file and seed is None:
        return drawn_lineup(file, plan, bank, lang)
    if file and beside(file).exists():
        raise UsageError(f"{beside(file)} says what is drawn: leave out --seed")
    return drawn(plan, secret_by(seed, lang))


def drawn_lineup(file: Path, plan: Blueprint, bank: Bank, lang: Lang) -> LineUp:
    """What is drawn for this blueprint; where nothing is, it is drawn now and written down, which is said."""
    from quizengine.sheets.lineup import beside, drawn, load_lineup, save_lineup

    path = beside(file)
    found = load_lineup(path, plan, bank)
    if found is None:
        found = drawn(plan)
        save_lineup(path, plan, bank, found)
        screen.complain(t(lang, "blueprint.drawn-now", path=path))
    return found


def _listed(plan: Blueprint, bank: Bank, lineup: LineUp, lang: Lang) -> Iterator[str]:
    """A line a question."""
    from quizengine.sheets.lineup import slots

    for number, (_, item) in enumerate(slots(plan, bank, lineup.questions), 1):
        level = name("level", item.level, lang)
        yield from wrapped(f"{number:3}  {item.id}  ({item.type}, {level})", screen.width())


@blueprint.command()
@click.argument("file", type=FILE)
@click.argument("number", type=int)
@click.argument("item", required=False, shell_complete=suggest)
@with_plain
@with_lang
@with_bank
def swap(file: Path, number: int, item: str | None, lang: str | None, bank_path: tuple[str, ...]) -> None:
    """Put another item at question NUMBER: the one named, else one that fits its section.

    Example: quizengine blueprint swap midterm.yaml 3

    Example: quizengine blueprint swap midterm.yaml 3 masking.where
    """
    from quizengine.sheets.lineup import swapped

    _changed(
        file, number, lang, bank_path, lambda plan, bank, lineup: swapped(plan, bank, lineup, number, item)
    )


@blueprint.command()
@click.argument("file", type=FILE)
@click.argument("number", type=int, required=False)
@with_plain
@with_lang
@with_bank
def numbers(file: Path, number: int | None, lang: str | None, bank_path: tuple[str, ...]) -> None:
    """Draw new numbers for question NUMBER, else for all of them. The items stay.

    Example: quizengine blueprint numbers midterm.yaml 7
    """
    from quizengine.sheets.lineup import renumbered

    _changed(file, number, lang, bank_path, lambda _, __, lineup: renumbered(lineup, number))


def _changed(
    file: Path,
    number: int | None,
    lang: str | None,
    bank_path: tuple[str, ...],
    change: Callable[[Blueprint, Bank, LineUp], LineUp],
) -> None:
    """Change what is drawn, write it down, and show the question, or all of them in a list."""
    from quizengine.sheets.blueprint import load_blueprint
    from quizengine.sheets.lineup import beside, save_lineup

    screen.prepare()
    bank = open_bank(bank_path)
    plan = load_blueprint(file, bank)
    chosen = language(lang) if lang else plan.heading.languages[0]
    lineup = change(plan, bank, drawn_lineup(file, plan, bank, chosen))
    save_lineup(beside(file), plan, bank, lineup)
    if number is None:
        screen.print(*_listed(plan, bank, lineup, chosen))
    else:
        manifest, sheet = one_sheet(bank, plan, lineup, [Student("preview")])
        _show(manifest, sheet, range(number - 1, number), chosen, key=False)


@blueprint.command()
@click.argument("file", type=FILE)
@click.option("--key", is_flag=True, help="With the key of every part.")
@click.option("--variant", type=click.IntRange(1, 1000), default=1, help="The same items with other numbers.")
@click.option("--student", metavar="ID", help="The very sheet that this student of --roster will get.")
@click.option(
    "--roster",
    type=click.Path(path_type=Path),
    help="The class, as it is given to `sheet`: no two neighbours get the same numbers.",
)
@with_order
@with_plain
@with_lang
@with_bank
def preview(
    file: Path,
    key: bool,
    variant: int,
    student: str | None,
    roster: Path | None,
    columns: str,
    order: Order,
    lang: str | None,
    bank_path: tuple[str, ...],
) -> None:
    """Show the exam as a student would see it. Its items are drawn once, and written down beside it.

    Example: quizengine blueprint preview midterm.yaml --key

    Example: quizengine blueprint preview midterm.yaml --roster roster.csv --student s01
    """
    from quizengine.sheets.blueprint import load_blueprint
    from quizengine.sheets.paper import plain, sections

    screen.prepare()
    if bool(student) != bool(roster):
        raise UsageError("--student needs --roster: the sheet of a student depends on the neighbours’")
    bank = open_bank(bank_path)
    plan = load_blueprint(file, bank)
    chosen = language(lang) if lang else plan.heading.languages[0]
    lineup = drawn_lineup(file, plan, bank, chosen)
    students = [Student(f"preview {variant}" if variant > 1 else "preview")]
    if roster and student:
        students = list(up_to(student, class_of(students_of(roster, columns, chosen), 0, order)))
    manifest, sheet = one_sheet(bank, plan, lineup, students)
    chosen = chosen if lang else sheet.own or chosen
    screen.print(*wrapped((Quoted(plan.heading.title[chosen]),), screen.width()), style="bold")
    if student:
        screen.print(*wrapped((Quoted(f"{sheet.student}  {sheet.name}  {sheet.code}"),), screen.width()))
    for text in plain(plan.heading.instructions[chosen]):
        screen.print(*wrapped(text, screen.width()))
    for title, places in sections(manifest, len(sheet.problems)):
        if title[chosen]:
            screen.print("", *wrapped((Quoted(title[chosen]),), screen.width()), style="bold")
        _show(manifest, sheet, places, chosen, key=key)


def _show(manifest: Manifest, sheet: Sheet, places: Iterable[int], lang: Lang, *, key: bool) -> None:
    """These questions of a sheet (from 0), as a student sees them, and the key if wanted."""
    problems = sheet.in_language(lang)
    for i in places:
        problem = problems[i]
        screen.print("", f"{i + 1}   {points(problem.points, lang)}   {problem.item}", style="bold")
        screen.print(*lines(stem(problem), screen.width(), abreast=screen.abreast()))
        for part in problem.parts:
            screen.print(*lines(ask(problem, part, manifest.policy), screen.width()))
            if key:
                screen.print(*wrapped(told_key(part, lang), screen.width(), first="  " + t(lang, "key")))


def one_sheet(
    bank: Bank, plan: Blueprint, lineup: LineUp, students: Sequence[Student]
) -> tuple[Manifest, Sheet]:
    """The sheet of the last of these students, and the manifest that holds it."""
    from quizengine.sheets.compose import compose

    manifest = compose(bank, plan, students, lineup, lambda sheets: deque(sheets, maxlen=1))
    return manifest, manifest.sheets[-1]


def up_to(student: str, students: Iterable[Student]) -> Iterator[Student]:
    """The students as far as this one. Raises UnknownName."""
    known = []
    for each in students:
        yield each
        if each.id == student:
            return
        known.append(each.id)
    raise UnknownName("student", student, known)
