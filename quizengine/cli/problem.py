"""`pose` and `mark`: one problem, for people and for programs."""

from __future__ import annotations

import json

import click

from quizengine.cli import screen
from quizengine.cli.options import SEED, language, open_bank, suggest, with_bank, with_json, with_lang
from quizengine.errors import InputError, UnknownName, UsageError
from quizengine.files.charset import read as read_file
from quizengine.lang.messages import t
from quizengine.lang.quotation import in_a_row
from quizengine.marking.judge import judge
from quizengine.problems.pose import pose as pose_item
from quizengine.problems.problem import Problem
from quizengine.render.blocks import Words, ask, refuted, spoken_key, stem
from quizengine.render.terminal import lines, wrapped
from quizengine.responses.grid import answer_text
from quizengine.responses.read import read


@click.command()
@click.argument("item", shell_complete=suggest)
@click.option("--seed", type=SEED, default=0, show_default=True, help="Which variant.")
@click.option("--key", is_flag=True, help="With key, rivals and worked solution.")
@with_lang
@with_bank
@with_json
def pose(
    item: str, seed: int, key: bool, lang: str | None, bank_path: tuple[str, ...], as_json: bool
) -> None:
    """Pose one problem.

    Example: quizengine pose masking.one-row --seed 7 --key --json
    """

    screen.prepare()
    problem = _pose(item, seed, lang, bank_path)
    if as_json:
        screen.json(problem.to_json(key=key))
        return
    blocks = stem(problem)
    for part in problem.parts:
        blocks += ask(problem, part)
        blocks += (
            [Words(f"**{spoken_key(part, problem.lang)}**"), *(Words(f"≠ {why}") for why in refuted(part))]
            if key
            else []
        )
    blocks += [Words(line) for line in problem.worked] if key else []
    screen.print(*lines(blocks, screen.width(), abreast=screen.abreast()))


def _pose(item: str, seed: int, lang: str | None, bank_path: tuple[str, ...]) -> Problem:

    bank = open_bank(bank_path)
    return pose_item(bank.item(item), seed, language(lang), bank.catalogue)


@click.command()
@click.argument("item", shell_complete=suggest)
@click.option("--seed", type=SEED, default=0, show_default=True, help="Which variant.")
@click.option("--answers", help="A JSON file {part: text or nested lists}; - is standard input.")
@click.option("--answer", "single", multiple=True, metavar="PART=TEXT", help="One part's answer.")
@with_lang
@with_bank
@with_json
def mark(
    item: str,
    seed: int,
    answers: str | None,
    single: tuple[str, ...],
    lang: str | None,
    bank_path: tuple[str, ...],
    as_json: bool,
) -> None:
    """Mark answers to one problem.

    Example: quizengine mark masking.where --seed 1 --answer B --json
    """
    from quizengine.feedback.comparison import own_trace, trace_lines
    from quizengine.feedback.follow_up import separate
    from quizengine.feedback.sentences import mark_json, part_feedback

    screen.prepare()
    bank = open_bank(bank_path)
    problem = _pose(item, seed, lang, bank_path)
    texts = _from_file(answers) if answers is not None else {}
    texts |= dict(_split(problem, text) for text in single)
    known = [part.id for part in problem.parts]
    for id_ in texts:
        if id_ not in known:
            raise UnknownName("part", id_, known)
    responses = {part.id: read(part, texts.get(part.id, "")) for part in problem.parts}
    made = judge(problem, responses)
    trace = own_trace(problem, responses, made)
    other = separate(bank, problem, made)
    out = mark_json(problem, made, bank.catalogue, problem.lang)
    if as_json:
        out |= {"trace": [step.to_json() for step in trace]} if trace else {}
        if other:
            out |= {"separate": other[1]} | ({"separate_item": other[0]} if other[0] != problem.item else {})
        screen.json(out)
        return
    for part in made.parts:
        why = in_a_row(part_feedback(made, part.id, bank.catalogue, problem.lang))
        screen.print(*wrapped(why, screen.width(), first=f"{part.id}: "))
    if trace:
        screen.print(t(problem.lang, "trace"), *trace_lines(trace, problem.lang, screen.width()))
    screen.print(f"{out['credit']:g} / {out['points']}")
    if other:
        command = "quizengine pose {} --seed {}".format(*other)
        screen.print(t(problem.lang, "mark.separate", command=command))


def _split(problem: Problem, text: str) -> tuple[str, str]:
    id_, equals, rest = text.partition("=")
    if equals and any(part.id == id_ for part in problem.parts):
        return id_, rest
    if len(problem.parts) == 1:
        return problem.parts[0].id, text
    raise UsageError(
        f"“{text}” names no part: write PART=TEXT with one of {', '.join(p.id for p in problem.parts)}"
    )


def _from_file(name: str) -> dict[str, str]:
    """Answers by part. Numbers keep the digits they are written with."""
    try:
        text = screen.read_stdin() if name == "-" else read_file(name)
        data = json.loads(text, parse_float=str, parse_int=str, parse_constant=str)
    except (ValueError, RecursionError) as error:
        source = "standard input" if name == "-" else name
        raise InputError(f"{source} is not JSON: {error}") from None
    if not isinstance(data, dict):
        raise InputError(f"{name}: an object {{part: answer}} is needed")
    return {id_: answer_text(value) for id_, value in data.items()}
