"""`bank`: look into a bank, and examine it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quizengine.authoring.skeletons import SKELETONS, header, skeleton
from quizengine.cli import screen
from quizengine.cli.cores import watched
from quizengine.cli.late import LateGroup
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
from quizengine.errors import Fault, InputError
from quizengine.files.whole import write_whole
from quizengine.items.bank import load_sound
from quizengine.problems.part import key_text
from quizengine.problems.pose import pose
from quizengine.render.blocks import ask, refuted, spoken_key, stem
from quizengine.render.terminal import lines, wrapped

if TYPE_CHECKING:
    from quizengine.authoring.examine import Variety


LATE = {
    "import": ("bank_import:import_", "Take questions in: Moodle XML, GIFT, Aiken, QTI 1.2."),
    "stats": ("bank_stats:stats", "Count what is covered, and what guessing earns."),
}


@click.group(cls=LateGroup, late=LATE)
def bank() -> None:
    """List, show and examine the questions."""


@bank.command("list")
@with_filters
@with_bank
@with_json
def list_(bank_path: tuple[str, ...], as_json: bool, **filters: tuple[str, ...]) -> None:
    """List items.

    Example: quizengine bank list --topic scaling
    """
    screen.prepare()
    items = open_bank(bank_path).select(**filters)
    if as_json:
        out = []
        for item in items:
            entry: dict[str, object] = {
                "id": item.id,
                "type": item.type,
                "topic": item.topic,
                "level": item.level,
                "difficulty": item.difficulty,
                "objectives": list(item.objectives),
                "languages": list(item.languages),
            }
            out.append(entry | ({"family": item.family} if item.family else {}))
        screen.json(out)
        return
    for item in items:
        kind = f"{item.type} ({item.family})" if item.family else item.type
        screen.print(f"{item.id:34} {kind:24} {item.level:9} {item.difficulty}  {', '.join(item.objectives)}")


@bank.command()
@click.argument("item", shell_complete=suggest)
@click.option("--seed", type=SEED, default=0, show_default=True, help="Which variant.")
@click.option("--key", is_flag=True, help="With key, what wrong answers mean, and the worked solution.")
@with_lang
@with_bank
def show(item: str, seed: int, key: bool, lang: str | None, bank_path: tuple[str, ...]) -> None:
    """Show one item as a learner sees it.

    Example: quizengine bank show masking.where --key
    """
    screen.prepare()
    chosen = language(lang)
    opened = open_bank(bank_path)
    found = opened.item(item)
    problem = pose(found, seed, chosen, opened.catalogue)
    screen.print(f"{found.id}  {found.file}:{found.line}", style="bold")
    screen.print(*lines(stem(problem), screen.width(), abreast=screen.abreast()))
    for part in problem.parts:
        screen.print(*lines(ask(problem, part), screen.width()))
        if key:
            screen.print(f"  = {spoken_key(part, chosen)}")
        for rival in problem.rivals if key else ():
            if (answer := rival.values.get(part.id, part.key)) != part.key:
                name = opened.catalogue[rival.misconception].name[chosen]
                value = key_text(part, answer)
                screen.print(*wrapped(f"{value}  {name}", screen.width(), first="  ≠ "))
        for why in refuted(part) if key else ():
            screen.print(*wrapped(why, screen.width(), first="  ≠ "))
    for line in problem.worked if key else ():
        screen.print(*wrapped(line, screen.width()))


@bank.command()
@click.argument("topic")
@click.argument("type_", metavar="TYPE", type=click.Choice(list(SKELETONS)))
@click.option("--file", "path", metavar="FILE", help="Where it goes [default: TOPIC.yaml here].")
def new(topic: str, type_: str, path: str | None) -> None:
    """Write a commented item of this type, to be filled in: into a new file, or at the end of one.

    Example: quizengine bank new tides single_choice
    """
    file = Path(path or f"{topic}.yaml")
    try:
        there = file.read_text("utf-8") if file.exists() else header(topic)
        number = 1 + there.count("- id: new-")
        write_whole(file, (there.rstrip("\n") + "\n" + skeleton(type_, number)).encode())
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: {error}", code="no-file") from None
    line = len(there.rstrip("\n").split("\n")) + 1
    screen.print(f"{file}:{line}", f"quizengine bank check {file}")


@bank.command()
@click.argument("paths", nargs=-1)
@click.option(
    "--seeds",
    type=click.IntRange(1, 10_000),
    default=10,
    show_default=True,
    help="Variants of every item.",
)
@click.option("--strict", is_flag=True, help="Warnings count as faults.")
@click.option("--verbose", is_flag=True, help="Say what each item was put through.")
@with_json
def check(paths: tuple[str, ...], seeds: int, strict: bool, verbose: bool, as_json: bool) -> int:
    """Examine a bank: form, wording, keys, rivals, catalogue. Every fault at once.

    Example: quizengine bank check my-bank.yaml
    """
    screen.prepare()
    if not as_json:
        screen.sign("Reading the bank …")
    from quizengine.authoring.examine import examine, variety
    from quizengine.authoring.style import style_faults

    each = partial(watched, quiet=as_json)
    opened, broken = load_sound(*paths)
    items = list(opened)
    faults = sorted([*broken, *examine(opened, items, seeds, each)] if items else broken)
    if len(items) >= screen.LONG and not as_json:
        screen.sign("Comparing the items …")
    noted = style_faults(opened, items, each)
    if verbose and not as_json:
        for item in items:
            told = _told(variety(opened, item, seeds))
            screen.print(f"{item.id}: variants: {seeds}, languages: {len(item.languages)}{told}")
    return (
        _report(faults + noted, [], len(opened), as_json)
        if strict
        else _report(faults, noted, len(opened), as_json)
    )


def _told(variety: Variety | None) -> str:
    if variety is None:
        return ""
    return f", draws rejected: {variety.rejected:.0%}, distinct problems: {variety.distinct}"


def _report(faults: list[Fault], noted: list[Fault], items: int, as_json: bool) -> int:
    if as_json:
        screen.json({"faults": [fault._asdict() for fault in faults], "items": items})
    else:
        for fault in faults:
            screen.print(str(fault))
        for fault in noted:
            screen.print(f"{fault} (warning)")
        screen.print(f"Items: {items}; faults: {len(faults)}; warnings: {len(noted)}.")
    return 1 if faults else 0


@bank.command()
def schema() -> None:
    """Print the JSON schema of a topic file, for editors that check as one types.

    Example: quizengine bank schema > quizbank.schema.json
    Then, as the first line of a topic file: # yaml-language-server: $schema=quizbank.schema.json
    """
    from quizengine.items.form import TopicFile

    screen.json(TopicFile.model_json_schema(by_alias=True))
