"""`sheet`: problem sheets for a class."""

from __future__ import annotations

import hashlib
import json
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quizengine import __version__
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
from quizengine.items.bank import Bank
from quizengine.lang.messages import name, say
from quizengine.lang.text import Lang

if TYPE_CHECKING:
    from quizengine.sheets.plan import Blueprint

COUNT = 6
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
    help="CSV with the columns id and name: one sheet each.",
)
@click.option("--variants", type=click.IntRange(1, 100_000), help="That many sheets without names.")
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
    variants: int | None,
    spare: int,
    formats: tuple[Any, ...],
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
    from quizengine.sheets.apart import parity
    from quizengine.sheets.blueprint import load_blueprint
    from quizengine.sheets.compose import compose
    from quizengine.sheets.roster import Student, load_roster
    from quizengine.sheets.write import File, Run, files

    screen.prepare()
    if (roster is None) == (variants is None):
        raise UsageError("give either --roster FILE or --variants N")
    if blueprint and (items or count or any(filters.values())):
        raise UsageError("the blueprint says what is asked: leave out --item, --count and the filters")
    students = load_roster(roster) if roster else [Student(f"v{i:02}") for i in range(1, (variants or 0) + 1)]
    students += [Student(f"spare-{i}") for i in range(1, spare + 1)]
    bank = open_bank(bank_path)
    plan = (
        load_blueprint(blueprint, bank) if blueprint else _plan(bank, items, count, filters, language(lang))
    )
    chosen = formats or plan.formats
    words = [str(plan), str(students), sorted(chosen), seed, bank.digest, __version__]
    call = hashlib.sha256(json.dumps(words).encode()).hexdigest()
    with Run(out, call, force=force) as run:
        secret = _secret(seed, language(lang))
        manifest = run.manifest(lambda keep: compose(bank, plan, students, secret, keep))
        found = parity(manifest, bank)
        report = File(
            "parity.json", lambda: (json.dumps(found, ensure_ascii=False, indent=1) + "\n").encode()
        )
        wanted = [*files(manifest, chosen), report]
        written = [str(path) for path in run.write(manifest, wanted, screen.progress)]
    if as_json:
        screen.json({"files": written, "parity": found})
        return
    screen.say(*(written if len(written) <= screen.LONG else [*written[:4], f"… ({len(written)})"]))
    for line in _parity_lines(found, language(lang)):
        screen.say(line)


def _secret(seed: int | None, lang: Lang) -> bytes:
    """An exam's own secret; of a seed always the same, which is warned of."""
    if seed is None:
        return secrets.token_bytes(32)
    screen.complain(say(lang, "sheet.seed"))
    return hashlib.sha256(f"sheet {seed}".encode()).digest()


def _plan(
    bank: Bank, items: tuple[str, ...], count: int | None, filters: dict[str, tuple[str, ...]], lang: Lang
) -> Blueprint:
    """A blueprint of one section, from the words of the call."""
    from quizengine.sheets.plan import Blueprint, Heading, Section

    if items and count is not None:
        raise UsageError("give either --item or --count: every named item is asked once")
    pool = [bank.item(id_).metadata for id_ in dict.fromkeys(items)] if items else bank.select(**filters)
    wanted = len(pool) if items else count or COUNT
    if len(pool) < wanted:
        raise UsageError(f"{wanted} items are asked, and {len(pool)} fit: ask fewer, or widen the filters")
    section = Section(tuple(pool), wanted, bool(items))
    return Blueprint(Heading(languages=(lang,)), (section,))


def _parity_lines(found: dict[str, Any], lang: Lang) -> list[str]:
    """Are all variants equally hard, and could neighbours copy?"""
    if len(found["sheets"]) < 2:
        return []
    unequal = [what for what, equal in found["equal"].items() if not equal]
    lines = [
        say(
            lang,
            "parity.unequal",
            what=say(lang, "rows.between").join(name("parity", one, lang) for one in unequal),
        )
        if unequal
        else say(lang, "parity.equal")
    ]
    for copy in found["chance_copies"]:
        lines.append(say(lang, "parity.copy", **copy))
    return lines
