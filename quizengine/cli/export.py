"""`export`: questions for other platforms."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Sized
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypedDict, cast

import click

from quizengine.cli import screen
from quizengine.cli.cores import watched_together
from quizengine.cli.options import (
    SEED,
    language,
    now,
    open_bank,
    suggest,
    with_bank,
    with_json,
    with_lang,
    write_new,
)
from quizengine.errors import UsageError
from quizengine.exchange.aiken import aiken as aiken_question
from quizengine.exchange.aiken import aiken_loss
from quizengine.exchange.anki import anki_text
from quizengine.exchange.gift import gift as gift_question
from quizengine.exchange.gift import gift_loss
from quizengine.exchange.question_file import MB
from quizengine.files.whole import write_whole
from quizengine.items.bank import Bank
from quizengine.lang.messages import t
from quizengine.lang.shown import Shown, unseen
from quizengine.lang.text import LANGUAGES, Lang
from quizengine.render.terminal import wrapped
from quizengine.sheets.plan import Blueprint, of_one_section, unfit
from quizengine.sheets.roster import without_names

if TYPE_CHECKING:
    from typing import Unpack

    from quizengine.exchange.loss import Loss
    from quizengine.exchange.question_file import QuestionFile
    from quizengine.problems.problem import Problem
    from quizengine.sheets.manifest import Keep, Manifest

FILE = click.Path(path_type=Path)
LOSSES = "losses.txt"
PHP = 2 * MB  # that a site takes by default


@click.group()
def export() -> None:
    """Questions for other platforms: files to import, and what in each case cannot be carried.

    Example: quizengine export moodle midterm.yaml --variants 20 --out moodle
    """


class Call(TypedDict):
    """What is exported, and where to, as the command has it."""

    blueprint: Path | None
    items: tuple[str, ...]
    variants: int
    out: Path
    lang: str | None
    seed: int | None
    bank_path: tuple[str, ...]
    as_json: bool


class FolderCall(Call):
    """The same into a folder, which may be there already."""

    force: bool


def _with_folder(command: Callable[..., None]) -> Callable[..., None]:
    """What is exported to a folder with a manifest, and in which languages."""
    for decorate in (
        with_json,
        with_bank,
        click.option("--seed", type=SEED, help="Make the same variants again."),
        click.option(
            "--lang", type=click.Choice((*LANGUAGES, "both")), help="In which language; both: a file each."
        ),
        click.option("--force", is_flag=True, help="A folder that is there already is kept as FOLDER.old-1."),
        click.option("--out", type=FILE, required=True, help="A new or empty folder."),
        click.option("--variants", type=click.IntRange(1, 1000), default=1, help="So many of every item."),
        click.option(
            *("--item", "items"),
            multiple=True,
            shell_complete=suggest,
            help="This item (may be given several times).",
        ),
        click.argument("blueprint", required=False, type=FILE),
    ):
        command = decorate(command)
    return command


class Made(NamedTuple):
    """What a platform is given, and what it cannot carry."""

    files: Sequence[QuestionFile]
    losses: Sequence[Loss]


@export.command()
@click.option(
    "--max-size", type=click.FloatRange(0.01), metavar="MB", help="Write files of no more than so many MB."
)
@_with_folder
def moodle(max_size: float | None, **call: Unpack[FolderCall]) -> None:
    """Questions to import into Moodle, a category an item, and a manifest to grade by.

    A quiz draws a random question from each category. Its Responses report, with the question text and the
    responses, is then graded by the manifest.

    Example: quizengine export moodle --item masking.one-row --variants 20 --out moodle

    Example: quizengine grade moodle/manifest.json responses.csv --out marks
    """
    from quizengine.exchange.loss import moodle_losses
    from quizengine.exchange.moodle import moodle_files

    most = round((max_size or 0) * MB)

    def make(manifest: Manifest, stamp: str, shown: Shown) -> Made:
        return Made(list(moodle_files(manifest, stamp, most, shown)), moodle_losses(_every(manifest, shown)))

    chosen, made = _folder(call, "Moodle", most, make)
    if call["as_json"]:
        return
    said = [t(chosen, "export.once"), t(chosen, "export.next", manifest=call["out"] / "manifest.json")]
    if any(len(file.content) > PHP for file in made.files):
        said.insert(0, t(chosen, "export.large"))
    _tell(call, chosen, "Moodle", made, said)


@export.command()
@_with_folder
def canvas(**call: Unpack[FolderCall]) -> None:
    """A quiz to import into Canvas (QTI 1.2), a group an item, of which each student gets one variant.

    Numbers are chosen there, not typed: the key stands among what known mistakes give.

    Example: quizengine export canvas --item masking.one-row --variants 20 --out canvas
    """
    from quizengine.exchange.canvas_package import canvas_files
    from quizengine.exchange.loss import canvas_losses

    def make(manifest: Manifest, stamp: str, shown: Shown) -> Made:
        losses = canvas_losses(_every(manifest, shown), manifest.policy, manifest.misconceptions)
        return Made(list(canvas_files(manifest, stamp, shown)), losses)

    chosen, made = _folder(call, "Canvas", 0, make)
    if not call["as_json"]:
        _tell(call, chosen, "Canvas", made, [t(chosen, "export.canvas")])


@export.command()
@_with_folder
def qti(**call: Unpack[FolderCall]) -> None:
    """A test to import into what reads QTI 2.1, a section an item, of which each learner gets one variant.

    Example: quizengine export qti --item masking.one-row --variants 20 --out qti
    """
    from quizengine.exchange.loss import qti_losses
    from quizengine.exchange.qti_package import qti_files

    def make(manifest: Manifest, stamp: str, shown: Shown) -> Made:
        return Made(list(qti_files(manifest, stamp, shown)), qti_losses(_every(manifest, shown)))

    chosen, made = _folder(call, "QTI", 0, make)
    if not call["as_json"]:
        _tell(call, chosen, "QTI", made, [t(chosen, "export.qti")])


def _every(manifest: Manifest, shown: Shown) -> Iterator[Problem]:
    sheets = shown(manifest.sheets, len(manifest.sheets))
    return (problem for sheet in sheets for problem in sheet.problems)


def _folder(
    call: FolderCall, platform: str, most: int, make: Callable[[Manifest, str, Shown], Made]
) -> tuple[Lang, Made]:
    """The folder with the manifest, the files and what is lost, and the language to say it in; said, where
    JSON is wanted. Raises UsageError."""
    from quizengine.sheets.production import call_of
    from quizengine.sheets.write import File, Run

    screen.prepare()
    bank = open_bank(call["bank_path"])
    blueprint, out, lang = call["blueprint"], call["out"], call["lang"]
    plan = _plan(blueprint, call["items"], bank, lang)
    chosen = plan.heading.languages[0] if lang == "both" or not lang else language(lang)
    stamp = now().replace("T", " ")[:19]
    shown = unseen if call["as_json"] else screen.progress
    run_call = f"{platform.lower()} {stamp} {most} {call_of(bank, plan, [], call['seed'])}"
    with Run(out, run_call, force=call["force"]) as run:
        manifest = run.manifest(lambda keep: _variants(bank, plan, call, keep))
        made = make(manifest, stamp, shown)
        _check_any(made.files, made.losses, chosen)
        told = "".join(f"{loss.told(chosen)}\n" for loss in made.losses)
        wanted = [File(file.path, lambda file=file: file.content) for file in made.files]  # type: ignore[misc]
        run.write(manifest, [*wanted, File(LOSSES, told.encode)], shown)
    if call["as_json"]:
        files = [
            {"path": str(out / file.path), "bytes": len(file.content), "questions": file.questions}
            for file in made.files
        ]
        lost = [loss.to_json(chosen) for loss in made.losses]
        screen.json({"files": files, "manifest": str(out / "manifest.json"), "losses": lost})
    return chosen, made


def _check_any(questions: Sized, losses: Sequence[Loss], lang: Lang) -> None:
    """Raises UsageError where there is nothing to write."""
    if not questions:
        raise UsageError("; ".join(["nothing can be carried", *(loss.told(lang) for loss in losses[:3])]))


def _tell(call: FolderCall, chosen: Lang, platform: str, made: Made, said: Sequence[str]) -> None:
    """What was written, what to do with it, and what is lost."""
    out = call["out"]
    for file in made.files:
        size = f"{len(file.content) / MB:.2f}"
        screen.print(t(chosen, "export.file", path=out / file.path, questions=file.questions, size=size))
    for sentence in said:
        screen.print(*wrapped(sentence, screen.width()))
    _tell_losses(t(chosen, "export.lost", platform=platform, path=out / LOSSES), made.losses, chosen)


def _tell_losses(head: str, losses: Sequence[Loss], lang: Lang) -> None:
    """What is lost, below its head; nothing where nothing is."""
    if losses:
        screen.print("", head)
    for loss in losses:
        screen.print(*wrapped(loss.told(lang), screen.width(), first="– "))


def _with_questions(command: Callable[..., None]) -> Callable[..., None]:
    """What is exported to one file, and in which language."""
    for decorate in (
        with_json,
        with_bank,
        click.option("--seed", type=SEED, help="Make the same variants again."),
        with_lang,
        click.option("--out", type=FILE, required=True, help="A new file."),
        click.option("--variants", type=click.IntRange(1, 1000), default=1, help="So many of every item."),
        click.option(
            "--item", "items", multiple=True, shell_complete=suggest, help="This item (several times)."
        ),
        click.argument("blueprint", required=False, type=FILE),
    ):
        command = decorate(command)
    return command


@export.command()
@_with_questions
def gift(**call: Unpack[Call]) -> None:
    """Questions as GIFT text: choices, true or false, matching, one number, short answers, essays.

    Example: quizengine export gift --item masking.where --out questions.gift
    """
    problems, manifest = _problems(call)
    kept, lost = _parted(problems, gift_loss)
    titles = (f"{problem.item} {number}" for number, problem in enumerate(kept, 1))
    text = "\n".join(
        gift_question(problem, title, manifest.policy, manifest.misconceptions)
        for problem, title in zip(kept, titles, strict=True)
    )
    _write(call, text, len(kept), lost)


@export.command()
@_with_questions
def aiken(**call: Unpack[Call]) -> None:
    """Questions as Aiken text: those in plain words of which one choice is right.

    Example: quizengine export aiken --item masking.where --out questions.txt
    """
    problems, _ = _problems(call)
    kept, lost = _parted(problems, aiken_loss)
    _write(call, "\n".join(map(aiken_question, kept)), len(kept), lost)


@export.command()
@_with_questions
def anki(**call: Unpack[Call]) -> None:
    """Notes for self-study in Anki, a note an item: File, Import. Answers are not marked there.

    Columns go to the fields of their names. For notes that a later import updates, make a note type with the
    fields ID, Front and Back.

    Example: quizengine export anki --item masking.where --out notes.txt
    """
    problems, manifest = _problems(call)
    lang = manifest.heading.languages[0]
    items = {problem.item for problem in problems}
    _write(call, anki_text(problems, manifest.policy, lang), len(items), [])


def _problems(call: Call) -> tuple[list[Problem], Manifest]:
    """All variants, place by place. Raises UsageError."""
    screen.prepare()
    bank = open_bank(call["bank_path"])
    plan = _plan(call["blueprint"], call["items"], bank, call["lang"])
    manifest = _variants(bank, plan, call, tuple)
    sheets = list(manifest.sheets)
    return [
        problem for place in zip(*(s.problems for s in sheets), strict=True) for problem in place
    ], manifest


def _parted(problems: Sequence[Problem], loss: Callable[[Problem], str]) -> tuple[list[Problem], list[Loss]]:
    """Those that are carried, and why the others are not."""
    from quizengine.exchange.loss import Loss

    why = [(problem, loss(problem)) for problem in problems]
    return [p for p, code in why if not code], [Loss(p.item, code) for p, code in why if code]


def _write(call: Call, text: str, questions: int, lost: Sequence[Loss]) -> None:
    """The file, and what is left out, said and written beside it. Raises UsageError."""
    chosen, losses = language(call["lang"]), list(dict.fromkeys(lost))
    _check_any(range(questions), losses, chosen)
    write_new(call["out"], text)
    beside = call["out"].with_name(f"{call['out'].name}.losses.txt")
    if losses:
        write_whole(beside, "".join(f"{loss.told(chosen)}\n" for loss in losses).encode())
    if call["as_json"]:
        said = [loss.to_json(chosen) for loss in losses]
        screen.json({"path": str(call["out"]), "questions": questions, "losses": said})
        return
    screen.print(t(chosen, "export.written", path=call["out"], questions=questions))
    _tell_losses(t(chosen, "export.left", path=beside), losses, chosen)


def _plan(blueprint: Path | None, items: tuple[str, ...], bank: Bank, lang: str | None) -> Blueprint:
    """What is exported, and in which languages. Raises UsageError."""
    from quizengine.sheets.blueprint import load_blueprint

    if (blueprint is None) == (not items):
        raise UsageError("give either a blueprint or --item ID")
    if blueprint:
        plan = load_blueprint(blueprint, bank)
    else:
        plan = of_one_section(bank, items, None, {}, language(None if lang == "both" else lang))
    languages: tuple[Lang, ...] = plan.heading.languages
    if lang:
        languages = LANGUAGES if lang == "both" else (cast("Lang", lang),)
    for section in plan.sections:
        for metadata in section.pool if section.named else ():
            if why := unfit(metadata, languages):
                raise UsageError(why)
    return plan._replace(heading=plan.heading._replace(languages=languages))


def _variants(bank: Bank, plan: Blueprint, call: Call, keep: Keep) -> Manifest:
    """A sheet a variant, of which the code stands for a student. Raises UsageError."""
    from quizengine.cli.blueprint import lineup_of
    from quizengine.sheets.compose import compose

    lineup = lineup_of(call["blueprint"], plan, bank, call["seed"], plan.heading.languages[0])
    return compose(
        *(bank, plan, without_names(call["variants"]), lineup),
        lambda sheets: keep(replace(sheet, student=sheet.code) for sheet in sheets),
        partial(watched_together, quiet=call["as_json"]),
    )
