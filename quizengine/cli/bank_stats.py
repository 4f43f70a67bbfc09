"""`bank stats`: what a bank covers, what a guesser would earn, and what classes made of its questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import click

from quizengine.authoring.coverage import Coverage, coverage
from quizengine.authoring.distractors import distractors
from quizengine.authoring.strategies import MARGIN, Strategy
from quizengine.cli import screen
from quizengine.cli.cores import watched
from quizengine.cli.options import language, open_bank, with_bank, with_json, with_lang
from quizengine.files.charset import read as read_file
from quizengine.items.bank import Bank
from quizengine.lang.messages import t
from quizengine.lang.text import Lang
from quizengine.render.blocks import Table
from quizengine.render.terminal import lines, wrapped
from quizengine.reports.pool import PooledItem, pooled


@click.command()
@click.option(
    "--variants", type=click.IntRange(1, 100_000), default=1000, show_default=True, help="How many problems."
)
@click.option(
    "--from",
    "reports",
    metavar="REPORT",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A report.json of a class, as grade writes it: how its questions did. Give one a class.",
)
@with_bank
@with_lang
@with_json
def stats(
    variants: int, reports: tuple[Path, ...], bank_path: tuple[str, ...], lang: str | None, as_json: bool
) -> None:
    """Count what is covered: topics, levels, types, objectives, misconceptions; what guessing by the look of
    the choices earns; and in how many variants each misconception is live. With --from: how the questions
    did in classes, and which of them an author should look at.

    Example: quizengine bank stats --variants 200
    Example: quizengine bank stats --from spring/report.json --from autumn/report.json
    """
    screen.prepare()
    if not as_json:
        screen.sign("Reading the bank …")
    chosen, opened = language(lang), open_bank(bank_path)
    if reports:
        _classes(opened, reports, chosen, as_json=as_json)
        return
    from quizengine.authoring.examine import liveness

    each = partial(watched, quiet=as_json)
    live = liveness(opened, variants, each)
    covered = coverage(opened, each)
    if as_json:
        screen.json(covered.to_json() | {"variants": variants, "live": live})
        return
    screen.print(t(chosen, "stats.items", items=covered.items), *_tables(covered, chosen))
    screen.print("", *_lacks(covered, chosen))
    screen.print("", t(chosen, "stats.live", variants=variants))
    screen.print(*(f"  {count:4}  {id_}" for id_, count in live.most_common()))


def _tables(covered: Coverage, lang: Lang) -> Iterator[str]:
    for counted, columns, rows in covered.tables():
        table = Table((("", *columns), *((name, *map(str, counts)) for name, counts in rows.items())))
        yield from ("", t(lang, f"stats.{counted}"), *lines([table], screen.width()))
    yield from ("", *wrapped(t(lang, "stats.blind", margin=f"{MARGIN:.0%}"), screen.width()))
    yield from lines([_blind(covered.strategies, lang)], screen.width())


def _blind(found: Iterable[Strategy], lang: Lang) -> Table:
    head = ("type", "strategy", "questions", "earns", "chance", "more")
    rows = []
    for one in found:
        earned, chance = (f"{100 * share:.1f} %" for share in (one.share, one.chance))
        more = f"{100 * (one.share - one.chance):+.1f}".replace("-", "−")
        rows.append((one.type, t(lang, f"strategy.{one.name}"), str(one.items), earned, chance, more))
    return Table((tuple(t(lang, f"stats.{word}") for word in head), *rows))


def _lacks(covered: Coverage, lang: Lang) -> Iterator[str]:
    for what in ("unexamined", "unoffered", "untold"):
        ids = ", ".join(getattr(covered, what)) or t(lang, "stats.none")
        yield t(lang, f"stats.{what}", ids=ids)
    hits, expected, of = covered.longest
    yield t(lang, "stats.longest", hits=hits, of=of, expected=f"{expected:.0f}")


def _classes(bank: Bank, paths: tuple[Path, ...], lang: Lang, *, as_json: bool) -> None:
    """What the classes of these reports made of the questions."""
    found = pooled([(str(path), read_file(str(path))) for path in paths], distractors(bank))
    if as_json:
        screen.json({"classes": len(paths), "statistics": [one.to_json() for one in found]})
        return
    head = ("question", "classes", "answers", "facility", "discrimination")
    rows = (
        ("/".join(one.place), str(one.classes), str(one.answers), *map(_decimal, one.figures))
        for one in found
    )
    table = Table((tuple(t(lang, f"stats.{word}") for word in head), *rows))
    screen.print(t(lang, "stats.pooled", classes=len(paths), questions=len(found)))
    screen.print(*lines([table], screen.width()))
    below = [one for one in found if one.remarks]
    screen.print("", t(lang, "stats.below" if below else "stats.none-below", questions=len(below)))
    for one in below:
        screen.print("", *_to_look_at(bank, one, lang))


def _decimal(figure: float | None) -> str:
    return "—" if figure is None else f"{figure:.2f}".replace("-", "−")


def _to_look_at(bank: Bank, one: PooledItem, lang: Lang) -> Iterator[str]:
    """An item below a line: where it stands, what to look at, and what its choices drew."""
    item, part = one.place
    where = f"  {bank.item(item).file}:{bank.item(item).line}" if item in bank.items else ""
    yield f"{item}/{part}{where}"
    for remark in one.remarks:
        yield from wrapped(t(lang, f"remark.{remark}"), screen.width(), first="  ")
    for choice, count in one.choices.items():
        right = t(lang, "stats.right") if choice in one.right else ""
        yield from wrapped(f"{choice}{right}", screen.width(), first=f"  {count:4}  ")
