"""Isolate: a learner's file runs in a process of its own, within limits; a file of others runs in one that is
cut off from files, network and processes as well. Nothing of it is ever imported here."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from time import monotonic
from typing import BinaryIO, NamedTuple, cast

import numpy as np

from quizengine.checking import landlock, seccomp
from quizengine.checking.call import Broken, Call, Outcome, Raised
from quizengine.checking.trespass import KINDS
from quizengine.checking.wire import Frame, WireError, call_frame, outcome_in, receive, send
from quizengine.errors import QuizError, UsageError

_ROOT = Path(__file__).parents[2]
_PROGRAM = """
import sys
sys.path.insert(0, sys.argv.pop(1))
from quizengine.checking.child import main
sys.path.pop(0)
main()
"""
_MOST_FAILED = 2  # children that ended before their time: a third is not begun
MOST_BYTES = 2**24  # of a file: a notebook holds its figures
_LOOK = 0.05  # seconds between two looks at what the child does


class Limits(NamedTuple):
    """What one child may take: seconds to begin, to load the file, for each call and for all of them; bytes
    of memory, and of each file that it writes; how many files."""

    begin: float = 60.0
    load: float = 20.0
    call: float = 5.0
    calls: float = 60.0
    memory: int = 4 * 2**30
    file: int = 2**20
    files: int = 32


class Isolation(NamedTuple):
    """What cuts a child off: Landlock with a filter of system calls, and bubblewrap by its path where it
    works. None of them: limits alone."""

    landlock: bool = False
    bubblewrap: str = ""

    @property
    def cut_off(self) -> bool:
        """Is it more than limits?"""
        return self.landlock or bool(self.bubblewrap)


class Source(NamedTuple):
    """A learner's file: its name and content, the function that is asked for by name (or none), the folder
    whose modules it may import (none in isolation)."""

    name: str
    content: bytes
    function: str = ""
    folder: str = ""


@cache
def isolation() -> Isolation:
    """The isolation that this machine has. Raises UsageError where it has none."""
    bubblewrap = shutil.which("bwrap") or ""
    works = bubblewrap and sys.platform.startswith("linux") and _works(bubblewrap)
    found = Isolation(bool(landlock.version()) and seccomp.available(), bubblewrap if works else "")
    if not found.cut_off:
        raise UsageError(
            "files of others run in isolation only, and this system has none: use Linux 5.13 or later "
            "(Landlock), or install bubblewrap; --trust runs them as if they were your own",
            code="no-isolation",
        )
    return found


def _works(bubblewrap: str) -> bool:
    with TemporaryDirectory(prefix="quizengine-") as folder:
        command = [*_wrapped(bubblewrap, folder), sys.executable, "-I", "-c", ""]
        with suppress(OSError, subprocess.SubprocessError):
            return subprocess.run(command, capture_output=True, timeout=20, check=False).returncode == 0
    return False


def _wrapped(bubblewrap: str, folder: str) -> list[str]:
    """The words that wrap a command: it sees the interpreter, its packages and one folder; nobody else."""
    prefix, base = Path(sys.prefix), Path(sys.base_prefix)
    program = [Path(sys.executable), prefix / "pyvenv.cfg", base / "bin", _ROOT / "quizengine/__init__.py"]
    seen = [*landlock.interpreter(), *program, Path(__file__).parent]
    words = [bubblewrap, "--unshare-all", "--die-with-parent", "--new-session", "--proc", "/proc"]
    words += ["--dev", "/dev", "--bind", folder, folder, "--chdir", folder]
    for path in seen:
        if path.exists() and path.parts[1] not in ("dev", "proc"):
            words += ["--ro-bind", str(path), str(path)]
    return words


class Child:
    """A process that has loaded a learner's file: a function of many calls. It is begun anew after it ended
    before its time, but not for ever; `loaded` is the name of the function, `failure` why there is none,
    and `tried` what it was seen to try that it may not, when it is closed."""

    def __init__(self, source: Source, contract: str, isolation: Isolation, limits: Limits) -> None:
        self.source, self.contract, self.isolation, self.limits = source, contract, isolation, limits
        self.loaded, self.tried = "", set[str]()
        self.failure: Raised | Broken | None = None
        if len(source.content) > MOST_BYTES:
            self.failure = Broken("check.long-file")
        self._failed: list[Outcome] = []
        self._seconds = 0.0
        self._process: _Process | None = None

    def __call__(self, calls: Sequence[Call]) -> Sequence[Outcome]:
        """What comes of each call."""
        return [self._outcome(call) for call in calls]

    def load(self) -> None:
        """Begin, and load the file. Raises QuizError when that is what cannot be done: the fault is ours."""
        if self._process is None and self.failure is None:
            self._process = _Process(self.isolation, self.limits)
            found = self._process.load(self.source, self.contract)
            if isinstance(found, str):
                self.loaded = found
            else:
                self.failure = found
                self.close()

    def _outcome(self, call: Call) -> Outcome:
        if len(self._failed) >= _MOST_FAILED:
            return self._failed[-1]
        if self._seconds > self.limits.calls:
            return Broken("check.too-long-all", {"seconds": f"{self.limits.calls:g}"})
        self.load()
        if self.failure or self._process is None:
            return self.failure or Broken("check.died")
        start = monotonic()
        outcome = self._process.ask(call)
        self._seconds += monotonic() - start
        if self._process.ended:
            self._failed.append(outcome)
            self.close()
        return outcome

    def close(self) -> None:
        """End the process, whatever it does."""
        if self._process:
            self.tried |= self._process.tried
            self._process.close()
            self._process = None


class _Process:
    """The process, with the watch that ends it."""

    def __init__(self, isolation: Isolation, limits: Limits) -> None:
        self.limits, self.number, self.ended, self.tried = limits, 0, False, set[str]()
        self.why = Broken("check.died")
        self._over = Event()
        self._until, self._late = monotonic() + limits.begin, self.why
        self._folder = TemporaryDirectory(prefix="quizengine-", ignore_cleanup_errors=True)
        folder = self._folder.name
        told = {
            **limits._asdict(),
            "landlock": isolation.landlock,
            "isolated": isolation.cut_off,
            "read": [str(path) for path in landlock.interpreter()],
            "open": 2 * limits.files,
            "cpu": 600,
        }
        wrapped = _wrapped(isolation.bubblewrap, folder) if isolation.bubblewrap else []
        program = [sys.executable, "-I", "-B", "-c", _PROGRAM, str(_ROOT), json.dumps(told)]
        pipe = subprocess.PIPE
        self._popen = subprocess.Popen(
            [*wrapped, *program],
            stdin=pipe,
            stdout=pipe,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=_environment(folder),
            start_new_session=True,
        )
        self._give, self._take = cast("BinaryIO", self._popen.stdin), cast("BinaryIO", self._popen.stdout)
        self._watch = Thread(target=self._look, daemon=True)
        self._watch.start()

    def _look(self) -> None:
        """End the process when its time is over, or its folder full."""
        while not self._over.wait(_LOOK):
            if monotonic() > self._until:
                self._end(self._late)
            with suppress(OSError):  # it may have taken its folder away
                if len(os.listdir(self._folder.name)) > self.limits.files:
                    most = self.limits.files * self.limits.file // 2**20
                    self._end(Broken("check.disk", {"most": most}))

    def _end(self, why: Broken) -> None:
        if not self._over.is_set():
            self.why = why
            self._over.set()
            self._kill()

    def _kill(self) -> None:
        if self._popen.poll() is None:
            with suppress(ProcessLookupError, PermissionError):
                if os.name == "posix":
                    os.killpg(self._popen.pid, signal.SIGKILL)
                else:
                    self._popen.kill()

    def _within(self, seconds: float, message: str) -> None:
        self._late = Broken(message, {"seconds": f"{seconds:g}"})
        self._until = monotonic() + seconds

    def load(self, source: Source, contract: str) -> str | Broken | Raised:
        """The name of the function, or why there is none. Raises QuizError where the process itself cannot
        be begun."""
        try:
            ready = receive(self._take).kind == "ready"
        except (EOFError, WireError):
            ready = False
        if not ready:
            self.close()
            code = self._popen.returncode
            said = f"a fault of ours: the process that runs a learner's file did not begin (status {code})"
            raise QuizError(said, code="isolation")
        self._within(self.limits.load, "check.too-long-load")
        told = {"name": source.name, "wanted": source.function, "contract": contract}
        content = np.frombuffer(source.content, np.uint8)
        folders = [source.folder] if source.folder else []
        reply = self._reply(Frame("start", {**told, "folders": folders}, {"source": content}))
        if isinstance(reply, Broken):
            return reply
        if reply.kind == "loaded" and isinstance(name := reply.values.get("name"), str):
            return name[:100]
        outcome = self._believed(reply)
        return outcome if isinstance(outcome, Raised | Broken) else self._forged()

    def ask(self, call: Call) -> Outcome:
        """What comes of one call."""
        self._within(self.limits.call, "check.too-long")
        self.number += 1
        frame = call_frame(call)
        reply = self._reply(frame._replace(values={**frame.values, "number": self.number}))
        if isinstance(reply, Broken):
            return reply
        return self._believed(reply) if reply.values.get("number") == self.number else self._forged()

    def _reply(self, frame: Frame) -> Frame | Broken:
        """What the child says to this; what ended it, if it says nothing."""
        try:
            send(self._give, frame)
            reply = receive(self._take)
        except (WireError, OSError, EOFError) as error:
            forged = isinstance(error, WireError) and not self._over.is_set()
            return self._forged() if forged else self._stopped()
        self._until = float("inf")
        tried = reply.values.get("tried")
        self.tried |= {kind for kind in KINDS if isinstance(tried, list) and kind in tried}
        return reply

    def _stopped(self) -> Broken:
        self.ended = True
        return self.why

    def _believed(self, reply: Frame) -> Outcome:
        try:
            return outcome_in(reply)
        except WireError:
            return self._forged()

    def _forged(self) -> Broken:
        self.ended = True
        return Broken("check.wire")

    def close(self) -> None:
        """End it and take its folder away."""
        self._over.set()
        self._kill()
        self._popen.wait()
        self._watch.join()
        for end in (self._give, self._take):
            with suppress(OSError):
                end.close()
        self._folder.cleanup()


def _environment(folder: str) -> dict[str, str]:
    """Nothing of ours: it does not tell where anything lies. One thread, as limits and measures suppose."""
    one = {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL", "VECLIB_MAXIMUM")}
    here = {name: folder for name in ("HOME", "TMPDIR", "TEMP", "TMP")}
    system = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
    return {**one, **here, **system, "LANG": "C.UTF-8"}


@contextmanager
def child_of(
    source: Source, contract: str, isolation: Isolation | None = None, limits: Limits | None = None
) -> Iterator[Child]:
    """The learner's function, the one that bears the contract's name if several could be meant, in a process
    of its own: a `Function`, which begins with the first call. Without isolation it has limits
    only. Raises QuizError as `Child.load` does."""
    child = Child(source, contract, isolation or Isolation(), limits or Limits())
    try:
        yield child
    finally:
        child.close()
