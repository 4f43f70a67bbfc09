"""Child: the program of the process that alone runs a learner's file. It gives up what it may not touch, then
loads the file and answers calls, frame by frame."""

from __future__ import annotations

import builtins
import importlib
import inspect
import io
import json
import os
import sys
import tracemalloc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from quizengine.checking import landlock, seccomp
from quizengine.checking.call import Argument, Broken, Call, Outcome, Raised, Returned
from quizengine.checking.source import Cell, Unfit, cells_of, choose, definitions, parsed
from quizengine.checking.tensor import arrays_of
from quizengine.checking.trespass import watch
from quizengine.checking.wire import Frame, WireError, call_in, outcome_frame, receive, send

MOST_PRINTED, MOST_WORDS = 2000, 500


class InputAsked(Exception):
    """The learner's code waits for somebody to type."""


class _Printed(io.TextIOBase):
    """What is printed, as far as anybody would read it."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""

    def write(self, text: str, /) -> int:
        self.text += text[: MOST_PRINTED - len(self.text)]
        return len(text)


def give_up(limits: Mapping[str, Any]) -> None:
    """Limit this process as it is told to, for good. Raises OSError."""
    with suppress(ImportError):
        resource = importlib.import_module("resource")  # not on every system
        sizes = [(resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, limits["file"])]
        sizes += [(resource.RLIMIT_CPU, limits["cpu"]), (resource.RLIMIT_NOFILE, limits["open"])]
        if sys.platform.startswith("linux"):  # others reserve more than they use
            sizes.append((resource.RLIMIT_AS, limits["memory"]))
        if not seccomp.available():
            sizes.append((resource.RLIMIT_NPROC, 0))
        for which, most in sizes:
            hard = resource.getrlimit(which)[1]
            resource.setrlimit(which, (most, most) if hard < 0 else (min(most, hard),) * 2)
    if limits["landlock"]:
        landlock.restrict(map(Path, limits["read"]), Path.cwd())
    if limits["isolated"]:
        seccomp.drop_privileges()
    if seccomp.available():
        seccomp.refuse_calls()


class Learner:
    """A learner's file: the function that is meant, and the lines of its code."""

    def __init__(self, name: str) -> None:
        self.file, self.name = name, ""
        self.lines: dict[str, tuple[Cell, list[str]]] = {}
        self.space: dict[str, Any] = {"__name__": "learner", "__file__": name, "__builtins__": builtins}
        self.call: Callable[..., object] = _ask

    def load(self, content: bytes, wanted: str, contract: str) -> None:
        """Run the file. Raises Unfit, and what the file raises."""
        cells = cells_of(self.file, content)
        trees = [parsed(cell) for cell in cells]
        self.name = choose([d for tree in trees for d in definitions(tree)], wanted, contract)
        failed: BaseException | None = None
        for cell, tree in zip(cells, trees, strict=True):
            file = f"{self.file}[{cell.number}]" if cell.number else self.file
            text = cell.code if isinstance(cell.code, str) else cell.code.decode("utf-8", "replace")
            self.lines[file] = cell, text.splitlines()
            try:
                exec(compile(tree, file, "exec"), self.space)
            except BaseException as error:
                if not cell.number:
                    raise
                failed = failed or error  # of a notebook the other cells may still hold what is needed
        if failed and self.name not in self.space:
            raise failed
        self.call = self._callable(self.space.get(self.name))

    def _callable(self, found: object) -> Callable[..., object]:
        if not callable(found):
            known = [name for name, value in self.space.items() if inspect.isfunction(value)]
            raise Unfit("check.no-function", function=self.name, names=", ".join(known) or "–")
        if not isinstance(found, type):
            return found
        try:
            made = found()
        except TypeError as error:
            raise Unfit("check.init", name=self.name, why=words(error)) from None
        method = made if callable(made) else getattr(made, "forward", None)
        if method is None:
            raise Unfit("check.no-function", function=f"{self.name}.forward", names="–")
        return method  # type: ignore[no-any-return]

    def place(self, error: BaseException) -> tuple[str, int, str]:
        """The learner's own line that an exception went through last: as messages call it, by its number,
        and its text."""
        at: TracebackType | None = error.__traceback__
        found = "?", 0, ""
        while at is not None:
            if known := self.lines.get(at.tb_frame.f_code.co_filename):
                cell, lines = known
                line = at.tb_lineno
                text = lines[line - 1].strip() if 0 < line <= len(lines) else ""
                place = cell.place(line)
                found = place, line, f"{place.partition(':')[0]}: {text}" if cell.number else text
            at = at.tb_next
        return found

    def failure(self, error: BaseException) -> Raised | Broken:
        """What the learner is told of an exception."""
        place, line, text = self.place(error)
        if isinstance(error, InputAsked):
            return Broken("check.input", {"place": place})
        if isinstance(error, Unfit):
            return error.outcome
        if isinstance(error, ModuleNotFoundError) and line:
            return Broken("check.no-module", {"module": str(error.name), "place": place})
        kind = "MemoryError" if isinstance(error, MemoryError) else type(error).__name__
        return Raised(kind[:100], words(error), line, text[:MOST_WORDS])


def words(error: BaseException) -> str:
    """What an exception says, if it can."""
    try:
        return str(error)[:MOST_WORDS]
    except BaseException:
        return ""


class _Given(NamedTuple):
    positional: Sequence[object]
    by_name: Mapping[str, object]


def fitted(function: Callable[..., object], given: Mapping[str, object]) -> _Given:
    """The arguments by position, what the function takes by name alone by name; a None at the end that it
    does not take is left out. Raises Unfit where they do not fit."""
    try:
        signature = inspect.signature(function)
    except (ValueError, TypeError):
        return _Given([*given.values()], {})
    by_name = {
        name: given[name]
        for name, one in signature.parameters.items()
        if one.kind is inspect.Parameter.KEYWORD_ONLY and name in given
    }
    positional = [value for name, value in given.items() if name not in by_name]
    while True:
        try:
            signature.bind(*positional, **by_name)
        except TypeError:
            if not positional or positional[-1] is not None:
                names = ", ".join(given)
                raise Unfit("check.signature", takes=str(signature)[:200], given=names) from None
            positional.pop()
        else:
            return _Given(positional, by_name)


def answer(learner: Learner, call: Call) -> Outcome:
    """Make one call, watched: what it returns, changes, prints, and how long and how much it takes."""
    given = {name: _like_the_file(value, learner) for name, value in call.arguments.items()}
    arrays = {name: value for name, value in call.arguments.items() if isinstance(value, np.ndarray)}
    before = {name: (array.shape, array.tobytes()) for name, array in arrays.items()}
    if "random" in sys.modules:
        sys.modules["random"].seed(call.seed)
    np.random.seed(call.seed % 2**32)
    try:
        arguments = fitted(learner.call, given)
        with _watched() as measured:
            result = learner.call(*arguments.positional, **arguments.by_name)
        stages = arrays_of(result)
    except BaseException as error:
        return learner.failure(error)
    changed = {name for name, array in arrays.items() if before[name] != (array.shape, array.tobytes())}
    return Returned(stages, frozenset(changed), measured.printed.text, measured.seconds, measured.bytes)


def _like_the_file(value: Argument, learner: Learner) -> object:
    """An array as the file's library has them: it gets tensors if it imports torch."""
    torch = sys.modules.get("torch")
    if torch is not None and torch in learner.space.values() and isinstance(value, np.ndarray):
        return torch.from_numpy(value)
    return value


class _Measured:
    def __init__(self) -> None:
        self.printed, self.seconds, self.bytes = _Printed(), 0.0, 0


@contextmanager
def _watched() -> Iterator[_Measured]:
    measured = _Measured()
    sys.stdout = measured.printed
    tracemalloc.start()
    start = perf_counter()
    try:
        yield measured
    finally:
        measured.seconds = perf_counter() - start
        measured.bytes = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        sys.stdout = _Printed()


def _ask(*_: object) -> str:
    raise InputAsked


def _pipes() -> tuple[BinaryIO, BinaryIO]:
    """The two ends of the wire, out of the way of what prints and reads."""
    ends = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nothing, number)
    os.close(nothing)
    sys.stdin, sys.stdout, sys.stderr = io.StringIO(), _Printed(), _Printed()
    builtins.input = _ask
    return ends


def main() -> None:
    """Say that all is given up, load the file, answer until there are no more calls."""
    take, give = _pipes()
    give_up(json.loads(sys.argv[1]))
    sys.argv[:] = ["learner"]
    send(give, Frame("ready"))
    start = receive(take)
    values = start.values
    sys.path.extend(values["folders"])
    sys.modules["quizengine"] = None  # type: ignore[assignment]  # the judge is not at hand
    learner = Learner(values["name"])
    tried = watch(lambda file: file in learner.lines)

    def say(told: Frame, number: int = 0) -> None:
        send(give, told._replace(values={**told.values, "number": number, "tried": sorted(tried)}))

    try:
        learner.load(start.arrays["source"].tobytes(), values["wanted"], values["contract"])
    except BaseException as error:
        say(outcome_frame(learner.failure(error)))
        return
    say(Frame("loaded", {"name": learner.name}))
    with suppress(EOFError):
        while True:
            frame = receive(take)
            outcome, number = answer(learner, call_in(frame)), frame.values["number"]
            try:
                say(outcome_frame(outcome), number)
            except WireError:
                say(outcome_frame(Broken("check.too-large")), number)
