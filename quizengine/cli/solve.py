"""`solve`: every stage of attention on arrays of your own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from quizengine.cli import screen
from quizengine.cli.options import with_json
from quizengine.errors import ArrayError, FaultyFile, InputError, UnknownName

_ARRAYS = ("X", "W_Q", "W_K", "W_V", "Q", "K", "V")


def _array_options(command: Any) -> Any:
    for name in reversed(_ARRAYS):
        flag = f"--{name.lower().replace('_', '')}"
        command = click.option(
            flag, name, metavar="ROWS", help=f"{name}, as “1 0; 0 1” or [[1, 0], [0, 1]]."
        )(command)
    return command


@click.command()
@click.argument("file", required=False)
@_array_options
@click.option("--mask", help="causal, or a matrix of 0 and 1 (1 = may attend).")
@click.option("--misconception", metavar="ID", help="Solve as a believer of this misconception would.")
@with_json
def solve(
    file: str | None,
    mask: str | None,
    misconception: str | None,
    as_json: bool,
    **arrays: str | None,
) -> None:
    """Solve one head from Q, K, V or from X and its W's: a JSON or YAML file, - for standard
    input, or the options.

    Example: quizengine solve --q "1 0; 0 1" --k "1 0; 0 1" --v "1 2; 3 4" --mask causal
    """
    from quizengine.attention.inputs import prepare
    from quizengine.attention.patches import PATCHES
    from quizengine.attention.solver import World, solve_worlds

    screen.prepare()
    given = _from_file(file) if file else {}
    given |= {name: _literal(name, text) for name, text in arrays.items() if text is not None}
    if mask is not None:
        given["mask"] = mask if mask.strip().isalpha() else _literal("mask", mask)
    for name in given:
        if name not in (*_ARRAYS, "C", "mask"):
            raise UnknownName("array", name, (*_ARRAYS, "C", "mask"))
    if misconception is not None and misconception not in PATCHES:
        raise UnknownName("misconception", misconception, PATCHES)
    world = World(PATCHES[misconception] if misconception else {})
    trace = solve_worlds(prepare(given), [world])[0]
    stages = {name: _plain(trace[name].tolist()) for name in trace if name not in ("q", "k", "v")}
    if as_json:
        screen.json({"stages": stages})
        return
    for name, value in stages.items():
        screen.say(f"{name} {trace[name].shape}", *_aligned(value), "")


def _plain(value: Any) -> Any:
    """JSON has no infinity: it is written as text."""
    if isinstance(value, list):
        return [_plain(x) for x in value]
    if isinstance(value, bool):
        return int(value)
    return value if abs(value) != float("inf") else "-inf" if value < 0 else "inf"


def _aligned(value: Any) -> list[str]:
    if not isinstance(value[0], list):
        value = [value]
    if isinstance(value[0][0], list):
        return [line for block in value for line in _aligned(block)]
    whole = all(isinstance(x, str) or x == int(x) for row in value for x in row)
    cells = [[x if isinstance(x, str) else f"{x:.0f}" if whole else f"{x:.6f}" for x in row] for row in value]
    wide = max(len(x) for row in cells for x in row)
    return ["  " + "  ".join(x.rjust(wide) for x in row) for row in cells]


def _literal(name: str, text: str) -> Any:
    from quizengine.responses.arrays import read_array
    from quizengine.responses.response import CannotRead

    try:
        cells = read_array(text)
    except CannotRead as cannot:
        from quizengine.lang.messages import say

        reading = cannot.reading
        values = {**reading.values, "at": reading.at + 1}
        raise ArrayError(f"{name}: {say('en', f'unreadable.{reading.code}', **values)}") from None
    return [[float("nan") if cell is None else float(cell.value) for cell in row] for row in cells]


def _from_file(name: str) -> dict[str, Any]:
    """Arrays by name, from JSON or from YAML read strictly."""
    from quizengine.items.load import read_text

    try:
        text = screen.read_stdin() if name == "-" else Path(name).read_text("utf-8-sig")
    except OSError as error:
        raise InputError(f"{name}: {error.strerror}", code="no-file") from None
    except UnicodeDecodeError:
        raise InputError(f"{name} is not UTF-8 text", code="encoding") from None
    try:
        data = json.loads(text)
    except ValueError:
        document = read_text(text, name)
        if document.faults:
            raise FaultyFile(document.faults) from None
        data = document.data
    if not isinstance(data, dict):
        raise InputError(f"{name}: an object of named arrays is needed, such as {{Q: …, K: …, V: …}}")
    return data
