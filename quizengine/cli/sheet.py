"""`sheet`: problem sheets for a class."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quizengine.cli import screen
from quizengine.cli.cores import watched_together
from quizengine.cli.options import (
    SEED,
    language,
    open_bank,
    suggest,
    with_bank,
    with_filters,
    with_json,
    with_lang,
)
from quizengine.cli.students import students_of, with_order
from quizengine.errors import UsageError
from quizengine.lang.text import Lang
from quizengine.sheets.plan import COUNT, Format, of_one_section
from quizengine.sheets.roster import Order, class_of, without_names

if TYPE_CHECKING:
    from quizengine.sheets.production import Production

FORMATS = ("pdf", "html", "md")


@click.command()
@click.argument("blueprint", required=False, type=click.Path(path_type=Path))
@with_filters
@click.option(
    "--item", "items", multiple=True, shell_complete=suggest, help="This item (may be given several times)."
)
@click.option("--count", type=click.IntRange(1, 200), help=f"How many items ({COUNT} by default).")
@click.option(
    "--roster",
    type=click.Path(path_type=Path),
    help="CSV or XLSX with the columns id and name (email, group, room, seat; large, language, extra for "
    "those who need them), or an export of Canvas, Moodle or Gradescope: one sheet each.",
)
@click.option("--variants", type=click.IntRange(1, 100_000), help="That many sheets without names.")
@with_order
@click.option("--large", is_flag=True, help="All in large print. (A roster may ask for it for some: large.)")
@click.option(
    "--spare", type=click.IntRange(0, 1000), default=0, help="So many more without names, for late-comers."
)
@click.option(
    "--format",
    "formats",
    multiple=True,
    type=click.Choice(FORMATS),
    help="May be given several times. By default what the blueprint says, else md.",
)
@click.option("--seed", type=SEED, help="Make the same sheets again. Whoever knows it can compute the keys.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="A new or empty folder.")
@click.option("--force", is_flag=True, help="A folder that is there already is kept as FOLDER.old-1.")
@with_lang
@with_bank
@with_json
def sheet(
    blueprint: Path | None,
    items: tuple[str, ...],
    count: int | None,
    roster: Path | None,
    columns: str,
    variants: int | None,
    order: Order,
    large: bool,
    spare: int,
    formats: tuple[Format, ...],
    seed: int | None,
    out: Path,
    force: bool,
    lang: str | None,
    bank_path: tuple[str, ...],
    as_json: bool,
    **filters: tuple[str, ...],
) -> None:
    """Write one variant per student, with keys and a manifest for grading.

    A call that was broken off goes on where it was when it is given again.

    Example: quizengine sheet --topic masking --count 3 --variants 4 --out exam

    Example: quizengine sheet midterm.yaml --roster roster.csv --out exam
    """
    from quizengine.cli.blueprint import lineup_of
    from quizengine.sheets.blueprint import load_blueprint
    from quizengine.sheets.compose import compose
    from quizengine.sheets.production import call_of, produce
    from quizengine.sheets.write import Run

    screen.prepare()
    if (roster is None) == (variants is None):
        raise UsageError("give either --roster FILE or --variants N")
    if columns and roster is None:
        raise UsageError("--columns says what the columns of a roster are: give --roster FILE, too")
    if blueprint and (items or count or any(filters.values())):
        raise UsageError("the blueprint says what is asked: leave out --item, --count and the filters")
    chosen, bank = language(lang), open_bank(bank_path)
    found = students_of(roster, columns, chosen) if roster else without_names(variants or 0)
    students = class_of([replace(one, large=one.large or large) for one in found], spare, order)
    plan = (
        load_blueprint(blueprint, bank) if blueprint else of_one_section(bank, items, count, filters, chosen)
    )
    plan = plan._replace(formats=formats or plan.formats)
    lineup = lineup_of(blueprint, plan, bank, seed, chosen)
    of = lineup if blueprint and seed is None else seed
    run = Run(out, call_of(bank, plan, students, of), force=force)
    make = partial(compose, bank, plan, students, lineup, each=watched_together)
    made = produce(bank, plan, run, make, screen.progress)
    if as_json:
        unset = [{"code": x.code, "student": x.student, "name": x.name} for x in made.unset]
        screen.json({"files": list(map(str, made.files)), "parity": made.parity, "unset": unset})
    else:
        _tell(made, chosen)


def _tell(made: Production, lang: Lang) -> None:
    """Which files there are, whether they are equally hard, and what could not be printed."""
    from quizengine.sheets.production import parity_sentences
    from quizengine.sheets.unset import unset_sentences

    paths = list(map(str, made.files))
    screen.print(*(paths if len(paths) <= screen.LONG else [*paths[:4], f"… ({len(paths)})"]))
    screen.print(*parity_sentences(made.parity, lang))
    for sentence in unset_sentences(made.unset, lang):
        screen.complain(sentence)
