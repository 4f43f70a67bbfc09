"""`solve`: every stage of attention on arrays of your own, rightly or as a believer would."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import click

from quizengine.cli import screen
from quizengine.cli.options import language, open_bank, with_bank, with_json, with_lang, with_plain
from quizengine.errors import ArrayError, FaultyFile, InputError, UnknownName, UsageError
from quizengine.files.failure import failed
from quizengine.items.catalogue import Catalogue
from quizengine.lang.characters import shade

_LITERALS = ("X", "C", "W_Q", "W_K", "W_V", "W_O", "Q", "K", "V", "bias", "v_a")
_HIDDEN = ("q", "k", "v")  # the same as Q, K and V, but for the heads


def _array_options(command: Any) -> Any:
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
    lang: str | None,
    bank_path: tuple[str, ...],
    as_json: bool,
    **arrays: str | None,
) -> None:
    """Solve attention from Q, K, V or from X and its W's: a JSON, YAML or .npz file, - for standard
    input, or the options.

    Example: quizengine solve --q "1 0; 0 1" --k "1 0; 0 1" --v "1 2; 3 4" --mask causal
    """
    screen.prepare()
    given = _from_file(file) if file else {}
    given |= {name: _literal(name, text) for name, text in arrays.items() if text is not None}
    given |= {n: x for n, x in (("scale", scale), ("heads", heads), ("kv_heads", kv_heads)) if x is not None}
    if mask is not None:
        given["mask"] = mask if mask.strip()[:1].isalpha() else _literal("mask", mask)
    solved = Solved(given, bank_path)
    chosen = language(lang)
    if all_misconceptions:
        traces = {id_: solved.believer(id_) for id_ in solved.fitting}
        if as_json:
            believers = [{"id": id_, "stages": _stages(trace)} for id_, trace in traces.items()]
            screen.json({"stages": _stages(solved.right), "misconceptions": believers})
        else:
            _table(solved, traces, chosen)
    elif misconception is not None:
        trace = solved.believer(misconception)
        if as_json:
            screen.json({"stages": _stages(trace)})
        else:
            _beside(solved, trace, misconception, chosen)
    elif as_json:
        screen.json({"stages": _stages(solved.right)})
    else:
        for stage in solved.right:
            if stage not in _HIDDEN:
                _show(stage, solved.right[stage], solved.said(stage), chosen)


class Solved:
    """The inputs, the right trace, and what believers make of them."""

    def __init__(self, given: Mapping[str, Any], bank_path: tuple[str, ...]):
        from quizengine.attention.inputs import ARRAYS, SETTINGS, hidden_row, prepare, table_of

        for name in given:
            if name not in (*ARRAYS, *SETTINGS):
                raise UnknownName("array", name, (*ARRAYS, *SETTINGS))
        self.given, self.bank_path = given, bank_path
        self.inputs, self.table = prepare(given), table_of(given)
        row = hidden_row(self.inputs)
        if row is not None:
            shape = self.inputs["mask"].shape
            raise ArrayError(f"mask (shape {shape}) hides every key from query {row}: let each query see one")
        self.right = self._solve({})

    def _solve(self, rules: Mapping[str, Any]) -> dict[str, Any]:
        import numpy as np

        from quizengine.attention.solver import World, solve_worlds

        with np.errstate(all="ignore"):
            trace = solve_worlds(self.inputs, [World(rules)], self.table)[0]
        for stage, array in trace.items():
            if not (np.isfinite(array) | np.isneginf(array)).all():
                raise ArrayError(f"the numbers grow too large: “{stage}” cannot be held any more")
        return trace

    def said(self, stage: str) -> str:
        """The message that explains a stage of this table."""
        other = "v_a" in self.given and stage in ("scores", "scaled")
        return f"solve.additive-{stage}" if other else f"solve.{stage}"

    @cached_property
    def catalogue(self) -> Catalogue:
        return open_bank(self.bank_path).catalogue

    @cached_property
    def fitting(self) -> list[str]:
        """The misconceptions that these arrays can show."""
        from quizengine.attention.patches import PATCHES, applies

        known = {*self.right, *self.inputs}
        features = self._features()
        return [
            id_
            for id_, patch in PATCHES.items()
            if id_ in self.catalogue
            and set(self.catalogue[id_].premise) <= features
            and applies(patch, self.table, known)
        ]

    def believer(self, id_: str) -> dict[str, Any]:
        """The trace of one misconception. Raises UnknownName, or UsageError where it cannot show."""
        from quizengine.attention.patches import PATCHES

        if id_ not in PATCHES:
            raise UnknownName("misconception", id_, PATCHES)
        if id_ not in self.fitting:
            raise UsageError(
                f"“{id_}” cannot show in these arrays; --all-misconceptions lists those that can"
            )
        return self._solve(PATCHES[id_])

    def _features(self) -> set[str]:
        """The premises that these arrays offer."""
        import numpy as np

        n_q, n_k, d_k, d_v, h, g = (int(self.inputs[x]) for x in ("n_q", "n_k", "d_k", "d_v", "h", "g"))
        mask = self.inputs["mask"]
        w_o = self.inputs.get("W_O")
        offers = {
            "dot": "v_a" not in self.given,
            "additive": "v_a" in self.given,
            "same-length": n_q == n_k,
            "cross": n_q != n_k,
            "same-width": d_k == d_v and "heads" not in self.given,
            "square": n_k == d_k,
            "masked": not mask.all(),
            "causal": n_q == n_k and (mask == np.tri(n_q, dtype=bool)).all(),
            "sources": "W_Q" in self.inputs,
            "square-projection": any(
                name in self.inputs and self.inputs[name].shape[-1] == self.inputs[name].shape[-2]
                for name in ("W_Q", "W_K", "W_V")
            ),
            "two-sources": "C" in self.given and n_q == n_k,
            "heads": "heads" in self.given,
            "grouped": 1 < g < h,
            "ungrouped": g == h,
            "square-output": w_o is not None and w_o.shape[-1] == w_o.shape[-2],
        }
        return {name for name, offered in offers.items() if offered}


def _stages(trace: Mapping[str, Any]) -> dict[str, Any]:
    return {stage: _plain(array.tolist()) for stage, array in trace.items() if stage not in _HIDDEN}


def _plain(value: Any) -> Any:
    """JSON has no infinity: it is written as text."""
    if isinstance(value, list):
        return [_plain(x) for x in value]
    if isinstance(value, bool):
        return int(value)
    return value if value != float("-inf") else "-inf"


def _show(stage: str, array: Any, said: str, lang: Any) -> None:
    """A stage with its shape, what it is in a line, and its numbers."""
    from quizengine.lang.messages import say

    screen.say(f"{stage} {array.shape}", style="bold")
    screen.say(f"  {say(lang, said)}")
    screen.say(*_blocks(array, shaded=stage == "weights"), "")


def _blocks(array: Any, *, shaded: bool = False) -> list[str]:
    """A matrix as aligned lines; several as one after the other, parted by an empty line."""
    if array.ndim > 2:
        return [line for part in array for line in [*_blocks(part, shaded=shaded), ""]][:-1]
    cells = _cells(array)
    wide = max(len(x) for row in cells for x in row)
    marks = [[f"{shade(x)} " if shaded else "" for x in row] for row in array.tolist()]
    return [
        "  " + "  ".join(mark + x.rjust(wide) for mark, x in zip(row_marks, row, strict=True))
        for row_marks, row in zip(marks, cells, strict=True)
    ]


def _cells(array: Any) -> list[list[str]]:
    values = [[float(x) for x in row] for row in array.tolist()]
    whole = all(x == float("-inf") or x == int(x) for row in values for x in row)
    return [
        ["-inf" if x == float("-inf") else f"{x:.0f}" if whole else f"{x:.6f}" for x in row] for row in values
    ]


def _beside(solved: Solved, trace: Mapping[str, Any], id_: str, lang: Any) -> None:
    """Right and as believed, stage by stage where they differ."""
    from quizengine.lang.messages import say

    name = solved.catalogue[id_].name[lang]
    screen.say(say(lang, "solve.beside", name=name), "")
    for stage in solved.right:
        if stage in _HIDDEN or (solved.right[stage] == trace[stage]).all():
            continue
        left = _blocks(solved.right[stage], shaded=stage == "weights")
        right = _blocks(trace[stage], shaded=stage == "weights")
        screen.say(f"{stage} {trace[stage].shape}", style="bold")
        screen.say(*(f"{a}   |{b}" for a, b in zip(left, right, strict=True)), "")


def _table(solved: Solved, traces: Mapping[str, Any], lang: Any) -> None:
    """What each misconception would give in the last stage, and where it first differs."""
    from quizengine.lang.messages import say

    last = list(solved.right)[-1]

    def flat(array: Any) -> str:
        rows = [row for block in array.reshape(-1, *array.shape[-2:]) for row in block.tolist()]
        return "; ".join(" ".join(f"{x:.4f}" for x in row) for row in rows)

    screen.say(say(lang, "solve.table", stage=last), f"{'':30}  {'':9}  {flat(solved.right[last])}")
    for id_, trace in traces.items():
        differs = (stage for stage in trace if not (trace[stage] == solved.right[stage]).all())
        first = next((stage for stage in differs if stage not in _HIDDEN), "")
        screen.say(f"{id_:30}  {first:9}  {flat(trace[last])}")


def _literal(name: str, text: str) -> Any:
    from quizengine.feedback.sentences import unreadable_text
    from quizengine.lang.quotation import shown
    from quizengine.responses.arrays import read_array
    from quizengine.responses.response import CannotRead

    if text.endswith(".npy"):
        return _load(text)
    try:
        cells = read_array(text)
    except CannotRead as cannot:
        why = shown(unreadable_text(cannot.reading, "en"))
        raise ArrayError(f"{name}: {why}") from None
    return [[float("nan") if cell is None else float(cell.value) for cell in row] for row in cells]


def _load(path: str) -> Any:
    """What a .npy or .npz file holds; never a pickle."""
    import numpy as np

    try:
        with Path(path).open("rb") as file:
            loaded = np.load(file, allow_pickle=False)
            if not isinstance(loaded, np.lib.npyio.NpzFile):
                return loaded
            return {name: array if np.ndim(array) else array.item() for name, array in loaded.items()}
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or 'not a NumPy file'}", code="no-file") from None
    except (ValueError, EOFError, AttributeError, BadZipFile) as error:
        raise InputError(f"{path} is not a file of plain numbers: {error}") from None


def _from_file(name: str) -> dict[str, Any]:
    """Arrays by name, from JSON, from YAML read strictly, or from a .npz file."""
    from quizengine.files.document import read_text

    if name.endswith(".npz"):
        held = _load(name)
        if not isinstance(held, dict):
            raise InputError(f"{name} holds one array without a name: save it as .npy, or several with savez")
        return held
    try:
        text = screen.read_stdin() if name == "-" else Path(name).read_text("utf-8-sig")
    except OSError as error:
        raise failed(name, error) from None
    except UnicodeDecodeError:
        raise InputError(f"{name} is not UTF-8 text", code="encoding") from None
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
