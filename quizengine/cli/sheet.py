"""`sheet`: problem sheets for a class."""

from __future__ import annotations

import hashlib
import secrets
from pathlib import Path

import click

from quizengine.cli import screen
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
from quizengine.errors import UsageError
from quizengine.problems.choose import choose
from quizengine.problems.dice import Dice

COUNT = 6


@click.command()
@with_filters
@click.option(
    "--item", "items", multiple=True, shell_complete=suggest, help="This item (may be given several times)."
)
@click.option("--count", type=click.IntRange(1, 200), help=f"How many items ({COUNT} by default).")
@click.option(
    "--roster",
    type=click.Path(path_type=Path),
    help="CSV with the columns id and name: one sheet each.",
)
@click.option("--variants", type=click.IntRange(1, 100_000), help="That many sheets without names.")
@click.option("--seed", type=SEED, help="Make the same sheets again. Whoever knows it can compute the keys.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="A new or empty folder.")
@with_lang
@with_bank
@with_json
def sheet(
    items: tuple[str, ...],
    count: int | None,
    roster: Path | None,
    variants: int | None,
    seed: int | None,
    out: Path,
    lang: str | None,
    bank_path: tuple[str, ...],
    as_json: bool,
    **filters: tuple[str, ...],
) -> None:
    """Write one variant per student in Markdown, with a key and a manifest for grading.

    Example: quizengine sheet --topic masking --count 3 --variants 4 --out exam
    """
    from quizengine.sheets.roster import Student, load_roster
    from quizengine.sheets.sheet import compose, write

    screen.prepare()
    if items and count is not None:
        raise UsageError("give either --item or --count: every named item is asked once")
    if (roster is None) == (variants is None):
        raise UsageError("give either --roster FILE or --variants N")
    students = load_roster(roster) if roster else [Student(f"v{i:02}") for i in range(1, (variants or 0) + 1)]
    bank = open_bank(bank_path)
    pool = [bank.item(id_).head for id_ in items] if items else bank.select(**filters)
    wanted = len(pool) if items else count or COUNT
    if len(pool) < wanted:
        raise UsageError(f"{wanted} items are asked, and {len(pool)} fit: ask fewer, or widen the filters")
    secret = secrets.token_bytes(32) if seed is None else hashlib.sha256(f"sheet {seed}".encode()).digest()
    chosen = pool if items else choose(pool, wanted, Dice("sheet", secret.hex()))
    manifest = compose(bank, [bank.item(head.id) for head in chosen], students, secret, language(lang))
    files = [str(path) for path in write(manifest, students, language(lang), out)]
    if as_json:
        screen.json({"files": files})
    else:
        screen.say(*files)
