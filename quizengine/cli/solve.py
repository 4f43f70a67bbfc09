"""`solve`: every stage of attention on arrays of your own, rightly or as a believer would."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from quizengine.cli import screen
from quizengine.cli.options import (
    Command,
    language,
    open_bank,
    with_bank,
    with_json,
    with_lang,
    with_plain,
)
from quizengine.errors import ArrayError, FaultyFile, InputError, UsageError
from quizengine.feedback.sentences import unreadable_text
from quizengine.files.charset import read
from quizengine.lang.messages import t
from quizengine.lang.quotation import shown
from quizengine.lang.text import Lang
from quizengine.render.matrix import in_one_line, matrix_lines
from quizengine.render.terminal import wrapped
from quizengine.responses.arrays import read_array
from quizengine.responses.response import CannotRead, NumericValue, Unreadable

if TYPE_CHECKING:
    from quizengine.attention.solution import Solution
    from quizengine.attention.stage import Trace
    from quizengine.items.catalogue import Catalogue

_LITERALS = ("X", "C", "W_Q", "W_K", "W_V", "W_O", "Q", "K", "V", "bias", "v_a")


def _array_options(command: Command) -> Command:
    for name in reversed(_LITERALS):
        flag = f"--{name.lower().replace('_', '')}"
        said = f"{name}: “1 0; 0 1”, [[1, 0], [0, 1]] or a .npy file."
        command = click.option(flag, name, metavar="ROWS", help=said)(command)
    return command


@click.command()
@click.argument("file", required=False)
@_array_options
@click.option("--mask", help="causal, bottom-right, or a matrix of 0 and 1 (1 = may attend).")
@click.option("--scale", type=float, help="In place of 1/√d_k.")
@click.option("--heads", type=int, help="Share the columns out to so many heads.")
@click.option("--kv-heads", type=int, help="So many key/value heads, each serving several query heads.")
@click.option("--misconception", metavar="ID", help="As a believer of this misconception would solve it.")
@click.option("--all-misconceptions", is_flag=True, help="What each misconception would give.")
@click.option(
    "--answer",
    metavar="TEXT|FILE",
    help="Is this right, or what gives it? Typed, a .npy, .json or .txt file, or - for standard input.",
)
@click.option(
    "--stage", metavar="STAGE", help="What --answer answers, whole or some rows (else the last stage)."
)
@with_lang
@with_bank
@with_plain
@with_json
def solve(
    file: str | None,
    mask: str | None,
    scale: float | None,
    heads: int | None,
    kv_heads: int | None,
    misconception: str | None,
    all_misconceptions: bool,
    answer: str | None,
    stage: str | None,
    lang: str | None,
    bank_path: tuple[str, ...],
    as_json: bool,
    **arrays: str | None,
) -> None:
    """Solve attention from Q, K, V or from X and its W's: a JSON, YAML or .npz file, - for standard
    input, or the options.

    Example: quizengine solve --q "1 0; 0 1" --k "1 0; 0 1" --v "1 2; 3 4" --mask causal
    """
    from quizengine.attention.solution import Solution, stages_json
    from quizengine.problems.belief import believed, visible

    screen.prepare()
    _check_options(answer, stage, misconception, all_misconceptions=all_misconceptions, file=file)
    given = _from_file(file) if file else {}
    given |= {name: _literal(name, text) for name, text in arrays.items() if text is not None}
    given |= {n: x for n, x in (("scale", scale), ("heads", heads), ("kv_heads", kv_heads)) if x is not None}
    if mask is not None:
        given["mask"] = mask if mask.strip()[:1].isalpha() else _literal("mask", mask)
    solution = Solution(given)
    chosen = language(lang)
    if answer is not None:
        _tell(solution, answer, stage, open_bank(bank_path).catalogue, chosen, as_json=as_json)
    elif all_misconceptions:
        catalogue = open_bank(bank_path).catalogue
        traces = {id_: believed(solution, id_, catalogue) for id_ in visible(solution, catalogue)}
        if as_json:
            believers = [{"id": id_, "stages": stages_json(trace)} for id_, trace in traces.items()]
            screen.json({"stages": stages_json(solution.right), "misconceptions": believers})
        else:
            _show_all(solution, traces, chosen)
    elif misconception is not None:
        catalogue = open_bank(bank_path).catalogue
        trace = believed(solution, misconception, catalogue)
        if as_json:
            screen.json({"stages": stages_json(trace)})
        else:
            _show_beside(solution, trace, catalogue[misconception].name[chosen], chosen)
    elif as_json:
        screen.json({"stages": stages_json(solution.right)})
    else:
        _show(solution, chosen)


def _check_options(
    answer: str | None,
    stage: str | None,
    misconception: str | None,
    *,
    all_misconceptions: bool,
    file: str | None,
) -> None:
    """Raises UsageError where the options do not go together."""
    if answer is None and stage is not None:
        raise UsageError("--stage says what --answer answers: give --answer too")
    if answer is not None and (misconception is not None or all_misconceptions):
        raise UsageError("--answer looks for the mistake itself: leave out --misconception")
    if file == answer == "-":
        raise UsageError("FILE and --answer cannot both be standard input")


def _tell(
    solution: Solution, answer: str, name: str | None, catalogue: Catalogue, lang: Lang, *, as_json: bool
) -> None:
    """Whether the answer is right, or what gives it; exit status 1 where it is not right."""
    from quizengine.attention.solution import stages_json
    from quizengine.feedback.own_answer import account_json, account_lines
    from quizengine.marking.account import account_of, answer_reading
    from quizengine.problems.own_problem import asked_stage

    stage = asked_stage(solution, name)
    match answer_reading(solution, stage, _answer_text(answer)):
        case NumericValue() as value:
            account = account_of(solution, catalogue, stage, value)
        case Unreadable() as reading:
            raise InputError(f"--answer: {shown(unreadable_text(reading, lang))}")
        case _:
            raise InputError(f"--answer: {shown(unreadable_text(Unreadable('no-numbers'), lang))}")
    if as_json:
        screen.json({"stages": stages_json(solution.right), **account_json(account)})
    else:
        verdict, *why = account_lines(account, catalogue, lang)
        screen.print(*wrapped(verdict, screen.width()), style="green" if account.right else "red")
        for sentence in why:
            screen.print(*wrapped(sentence, screen.width(), first="  "))
    if not account.right:
        raise click.exceptions.Exit(1)


def _answer_text(answer: str) -> str:
    """The answer as it is typed; an array of NumPy's own is written out."""
    from quizengine.files.npy import load_npy

    if answer.endswith(".npy"):
        array = load_npy(answer)
        if isinstance(array, dict):
            raise InputError(f"{answer} holds several arrays: save one as .npy")
        return _written(array.tolist())
    return _text_of_file(answer) if answer == "-" or answer.endswith((".json", ".txt")) else answer


def _written(value: object) -> str:
    """Numbers, in nested lists or not, as text with nine decimals."""
    if isinstance(value, list):
        return "[" + ", ".join(map(_written, value)) + "]"
    return f"{value:.9f}" if isinstance(value, float) else str(value)


def _show(solution: Solution, lang: Lang) -> None:
    """Each stage with its shape, what it is in a line, and its numbers."""
    from quizengine.attention.solution import HIDDEN

    for stage, array in solution.right.items():
        if stage not in HIDDEN:
            other = "additive-" if solution.additive and stage in ("scores", "scaled") else ""
            screen.print(f"{stage} {array.shape}", style="bold")
            screen.print(f"  {t(lang, f'solve.{other}{stage}')}")
            screen.print(*matrix_lines(array, shaded=stage == "weights"), "")


def _show_beside(solution: Solution, trace: Trace, name: str, lang: Lang) -> None:
    """Right and as believed, stage by stage where they differ."""
    screen.print(t(lang, "solve.beside", name=name), "")
    for stage in solution.differing(trace):
        left = matrix_lines(solution.right[stage], shaded=stage == "weights")
        right = matrix_lines(trace[stage], shaded=stage == "weights")
        screen.print(f"{stage} {trace[stage].shape}", style="bold")
        screen.print(*(f"{a}   |{b}" for a, b in zip(left, right, strict=True)), "")


def _show_all(solution: Solution, traces: Mapping[str, Trace], lang: Lang) -> None:
    """What each misconception would give in the last stage, and where it first differs."""
    last = list(solution.right)[-1]
    screen.print(t(lang, "solve.table", stage=last), f"{'':30}  {'':9}  {in_one_line(solution.right[last])}")
    for id_, trace in traces.items():
        first = next(iter(solution.differing(trace)), "")
        screen.print(f"{id_:30}  {first:9}  {in_one_line(trace[last])}")


def _literal(name: str, text: str) -> object:
    from quizengine.files.npy import load_npy

    if text.endswith(".npy"):
        return load_npy(text)
    try:
        cells = read_array(text)
    except CannotRead as cannot:
        why = shown(unreadable_text(cannot.reading, "en"))
        raise ArrayError(f"{name}: {why}") from None
    return [[float("nan") if cell is None else float(cell.value) for cell in row] for row in cells]


def _from_file(name: str) -> dict[str, object]:
    """Arrays by name, from JSON, from YAML read strictly, or from a .npz file."""
    from quizengine.files.npy import load_npy

    if name.endswith(".npz"):
        held = load_npy(name)
        if not isinstance(held, dict):
            raise InputError(f"{name} holds one array without a name: save it as .npy, or several with savez")
        return held
    from quizengine.files.document import read_text

    text = _text_of_file(name)
    try:
        data = json.loads(text)
    except RecursionError:
        raise InputError(f"{name} is nested too deeply") from None
    except ValueError:
        document = read_text(text, name)
        if document.faults:
            raise FaultyFile(document.faults) from None
        data = document.data
    if not isinstance(data, dict):
        raise InputError(f"{name}: an object of named arrays is needed, such as {{Q: …, K: …, V: …}}")
    return data


def _text_of_file(name: str) -> str:
    return screen.read_stdin() if name == "-" else read(name)
