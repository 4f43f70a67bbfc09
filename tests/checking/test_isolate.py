"""A learner's file in a process of its own: what it may not do, how it ends, what of it is believed."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
from pathlib import Path
from time import perf_counter

import numpy as np
import pytest

from quizengine.checking import isolate, landlock, seccomp
from quizengine.checking.call import Broken, Call, Outcome, Raised, Returned
from quizengine.checking.isolate import Isolation, Limits, Source, child_of, isolation
from quizengine.errors import QuizError, UsageError

EYE = np.eye(2)
CALL = Call({"Q": EYE, "K": EYE, "V": EYE, "mask": None})
RIGHT = """
import numpy as np
def attention(Q, K, V, mask=None):
    e = np.exp(Q @ K.T / np.sqrt(Q.shape[-1]))
    return e / e.sum(-1, keepdims=True) @ V
"""
QUICK = Limits(call=1.0, load=2.0)
BWRAP = shutil.which("bwrap") or ""


def _kinds() -> list[object]:
    no_landlock = not (landlock.version() and seccomp.available())
    no_bwrap = not BWRAP or not isolate._works(BWRAP)
    return [
        pytest.param(
            Isolation(True),
            id="landlock",
            marks=pytest.mark.skipif(no_landlock, reason="this kernel has no Landlock"),
        ),
        pytest.param(
            Isolation(False, BWRAP),
            id="bubblewrap",
            marks=pytest.mark.skipif(no_bwrap, reason="bubblewrap is not here, or does not work"),
        ),
    ]


KINDS = _kinds()


def outcome(code: str, isolation: Isolation | None = None, limits: Limits = QUICK) -> Outcome:
    with child_of(Source("own.py", code.encode()), "attention", isolation, limits) as function:
        return function([CALL])[0]


def within(body: str) -> str:
    """A function with this body."""
    lines = "\n    ".join(body.strip().splitlines())
    return f"import os, sys, time\nimport numpy as np\ndef attention(Q, K, V, mask=None):\n    {lines}\n"


ESCAPES = {  # what is tried, and how it ends: the exception that the learner is told, or the message
    "read the data folder": ("return open(SECRET).read()", ("PermissionError", "FileNotFoundError")),
    "list the data folder": (
        "return os.listdir(os.path.dirname(SECRET))",
        ("PermissionError", "FileNotFoundError"),
    ),
    "change the data folder": (
        "os.chmod(os.path.dirname(SECRET), 0)",
        ("PermissionError", "FileNotFoundError"),
    ),
    "empty a file there": ("os.truncate(SECRET, 0)", ("PermissionError", "FileNotFoundError")),
    "write beside it": (
        "open(os.path.join(os.path.dirname(SECRET), 'new'), 'w')",
        ("PermissionError", "FileNotFoundError"),
    ),
    "read by a C function": (
        "return np.fromfile(SECRET, np.uint8)",
        ("PermissionError", "FileNotFoundError"),
    ),
    "read the parent's environment": (
        "return open(f'/proc/{PARENT}/environ').read()",
        ("PermissionError", "FileNotFoundError"),
    ),
    "connect": (
        "import socket\nsocket.create_connection(('127.0.0.1', PORT), 1)",
        ("PermissionError",),
    ),
    "send a datagram": (
        "import socket\nsocket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'', ('127.0.0.1', PORT))",
        ("PermissionError",),
    ),
    "fork": ("os.fork()", ("PermissionError", "BlockingIOError")),
    "fork by a C function": (
        "import ctypes\nif ctypes.CDLL(None).fork() < 0:\n    raise PermissionError('fork')",
        ("PermissionError",),
    ),
    "run a program": ("import subprocess\nsubprocess.run(['/bin/true'])", ("PermissionError",)),
    "take 10 GB": ("return np.ones((10 * 2**30 // 8,))", ("MemoryError",)),
    "a large file": ("open('x', 'wb').write(bytes(2**24))", ("OSError",)),
    "many files": (
        "for n in range(10**9):\n    open(str(n), 'wb').write(bytes(2**19))",
        ("check.disk", "OSError"),
    ),
    "kill the parent": ("os.kill(PARENT, 9)", ("PermissionError", "ProcessLookupError")),
    "kill who began it": ("os.kill(os.getppid(), 9)", ("PermissionError", "ProcessLookupError")),
    "limit the parent": (
        "import resource\nresource.prlimit(PARENT, resource.RLIMIT_CPU, (1, 1))",
        ("PermissionError", "ProcessLookupError"),
    ),
    "raise its limits": (
        "import resource\nresource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
        ("ValueError", "PermissionError"),
    ),
    "leave": ("os._exit(0)", ("check.died",)),
    "end the process": ("import ctypes\nctypes.string_at(0)", ("check.died",)),
    "a loop without an end": ("while True: pass", ("check.too-long",)),
    "sleep": ("time.sleep(99)", ("check.too-long",)),
    "fill the wire": (
        "for n in range(3, 9):\n    try: os.write(n, b'x' * 10**5)\n    except OSError: pass\nreturn V",
        ("check.wire",),
    ),
    "forge a result": (
        "from io import BytesIO\nfound = sys._getframe()\nwhile 'give' not in found.f_locals:\n"
        "    found = found.f_back\nspace = found.f_globals\n"
        "forged = space['Frame']('returned', {'number': 2, 'changed': [], 'printed': '', 'seconds': 0.0,"
        " 'bytes': 0}, {'output': V})\nspace['send'](found.f_locals['give'], forged)\nreturn V",
        ("check.wire",),
    ),
    "measure in no unit": (
        "found = sys._getframe()\nwhile 'give' not in found.f_locals:\n    found = found.f_back\n"
        "space = found.f_globals\nsend = space['send']\nspace['send'] = lambda file, frame: send("
        "file, frame._replace(values={**frame.values, 'seconds': 'long'}))\nreturn V",
        ("check.wire",),
    ),
}


def told(found: Outcome) -> str:
    return found.kind if isinstance(found, Raised) else found.message if isinstance(found, Broken) else "-"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ESCAPES)
def test_an_escape_is_stopped_and_reported(name: str, kind: Isolation, tmp_path: Path) -> None:
    body, ends = ESCAPES[name]
    secret = tmp_path / "data" / "secret.sqlite"
    secret.parent.mkdir()
    secret.write_text("a secret")
    mode = secret.parent.stat().st_mode
    limits = QUICK._replace(load=10.0) if "files" in name else QUICK
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0)
        here = f"SECRET, PARENT, PORT = {str(secret)!r}, {os.getpid()}, {server.getsockname()[1]}\n"
        found = outcome(here + within(body), kind, limits)
        with pytest.raises(BlockingIOError):
            server.accept()
    assert told(found) in ends, found
    assert secret.read_text() == "a secret"
    assert [path.name for path in secret.parent.iterdir()] == ["secret.sqlite"]
    assert secret.parent.stat().st_mode == mode


TRIED = {  # what is tried without anybody being told, and what is seen of it
    "os.system('true')": {"program"},
    "subprocess.run(['true'])": {"program"},
    "os.fork()": {"process"},
    "socket.socket()": {"network"},
    "os.kill(1, 0)": {"signal"},
    "open('/etc/passwd')": {"file"},
    "os.listdir('/')": {"file"},
    "open('own', 'w').close(); open('own').close()": set(),
    "np.ones(3)": set(),
    "__import__('sqlite3')": set(),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_tried_in_silence_is_seen(kind: Isolation) -> None:
    for body, seen in TRIED.items():
        code = within(f"import socket, subprocess\ntry: {body}\nexcept OSError: pass\nreturn V")
        with child_of(Source("own.py", code.encode()), "attention", kind, QUICK) as function:
            assert isinstance(function([CALL])[0], Returned), body
        assert function.tried == seen, body


@pytest.mark.parametrize("kind", KINDS)
def test_what_needs_nothing_else_runs_in_isolation(kind: Isolation) -> None:
    found = outcome(RIGHT, kind)
    assert isinstance(found, Returned)
    np.testing.assert_allclose(found.stages["output"], [[0.6698, 0.3302], [0.3302, 0.6698]], atol=1e-4)
    late = within(
        "import sqlite3, decimal, numpy.ma, threading\nthreading.Thread(target=int).start()\nreturn V"
    )
    assert isinstance(outcome(late, kind), Returned)  # modules load late, and threads are no processes


LIMITED = {  # what a learner's own file is kept from
    "fork": ("os.fork()", ("PermissionError", "BlockingIOError")),
    "take 10 GB": ESCAPES["take 10 GB"],
    "a large file": ESCAPES["a large file"],
    "many files": ESCAPES["many files"],
    "a loop without an end": ESCAPES["a loop without an end"],
}


@pytest.mark.skipif(not seccomp.available(), reason="limits of another system")
@pytest.mark.parametrize("name", LIMITED)
def test_the_limits_of_an_own_file(name: str) -> None:
    body, ends = LIMITED[name]
    assert told(outcome(within(body))) in ends


def test_an_own_file_is_told_nothing_of_where_the_data_lie(tmp_path: Path) -> None:
    found = outcome(within("raise ValueError(sorted(os.environ), os.getcwd(), sys.argv, os.listdir('.'))"))
    assert isinstance(found, Raised)
    assert "QUIZENGINE" not in found.message
    assert str(tmp_path) not in found.message
    assert str(Path.cwd()) not in found.message
    assert found.message.endswith("['learner'], [])")


def test_patched_numpy_is_patched_in_the_child_alone() -> None:
    code = "import numpy as np\nnp.exp = np.allclose = np.array_equal = lambda *_, **__: True\n" + RIGHT
    found = outcome(code + "    Q[0] = 5\n")
    assert told(found) == "AttributeError"  # its own call of exp
    assert np.exp(0) == 1
    changing = within("np.array_equal = lambda *_: True\nQ[0, 0] = 5\nreturn V")
    assert outcome(changing).changed == {"Q"}


def test_a_call_that_breaks_does_not_take_the_others_along() -> None:
    code = within("if Q.shape[0] == 3: os._exit(1)\nreturn Q")
    three = Call({name: np.eye(3) for name in "QKV"})
    with child_of(Source("own.py", code.encode()), "attention", limits=QUICK) as function:
        found = function([CALL, three, CALL, three, CALL, three])
    assert list(map(told, found)) == ["-", "check.died", "-", "check.died", "check.died", "check.died"]


def test_slow_calls_end_with_the_time_of_all() -> None:
    limits = QUICK._replace(calls=0.0)
    with child_of(Source("own.py", RIGHT.encode()), "attention", limits=limits) as function:
        found = function([CALL] * 3)
    assert list(map(told, found)) == ["-", "check.too-long-all", "check.too-long-all"]


def test_a_file_without_end_is_not_read() -> None:
    assert told(outcome("#" * (isolate.MOST_BYTES + 1))) == "check.long-file"


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with child_of(
        Source("own.py", within("open('x', 'w').write('x'); return V").encode()), "attention"
    ) as function:
        function([CALL])
        assert len(list(tmp_path.glob("quizengine-*/x"))) == 1
        process = function._process._popen
    assert process.returncode == -signal.SIGKILL
    assert list(tmp_path.glob("quizengine-*")) == []


def test_a_process_that_does_not_begin_is_a_fault_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolate, "_PROGRAM", "raise SystemExit(7)")
    with pytest.raises(QuizError, match=r"a fault of ours.*status 7"):
        outcome(RIGHT)


def test_without_isolation_it_is_refused_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "version", lambda: 0)
    monkeypatch.setenv("PATH", "")
    isolation.cache_clear()
    with pytest.raises(UsageError, match=r"--trust"):
        isolation()
    isolation.cache_clear()


def test_the_words_for_bubblewrap_name_the_interpreter_and_one_folder(tmp_path: Path) -> None:
    words = isolate._wrapped("/usr/bin/bwrap", str(tmp_path))
    shown = {words[n + 1] for n, word in enumerate(words) if word in ("--ro-bind", "--bind")}
    assert {"--unshare-all", "--die-with-parent"} <= {*words}
    assert str(tmp_path) in shown
    assert not {str(Path.home()), "/", "/tmp", "/etc", "/home"} & shown


WITHOUT_NAMESPACES = """
import sys
sys.path[:0] = {path!r}
import test_isolate as t
from quizengine.checking.isolate import isolation
assert isolation().landlock
for name in ("read the data folder", "connect", "fork", "kill the parent"):
    body, ends = t.ESCAPES[name]
    here = f"SECRET, PARENT, PORT = {secret!r}, 1, 9\\n"
    found = t.outcome(here + t.within(body), t.Isolation(True))
    assert t.told(found) in ends, found
print(t.told(t.outcome(t.RIGHT, t.Isolation(True))))
"""


def test_it_needs_no_user_namespaces(tmp_path: Path) -> None:
    """In a container that forbids them."""
    none = ["unshare", "-Ur", "sh", "-c", 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"', "-"]
    tried = shutil.which("unshare") and subprocess.run([*none, "true"], capture_output=True, check=False)
    if not (landlock.version() and tried and tried.returncode == 0):
        pytest.skip("this kernel has no Landlock, or no user namespaces to take away")
    secret = tmp_path / "secret"
    secret.write_text("a secret")
    code = WITHOUT_NAMESPACES.format(path=[str(Path(__file__).parent)], secret=str(secret))
    done = subprocess.run(
        [*none, sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("-\n", "")


@pytest.mark.slow
def test_a_second_is_enough() -> None:
    """From the start to the outcome, the median of seven."""
    seconds = []
    for _ in range(7):
        start = perf_counter()
        outcome(RIGHT, isolation())
        seconds.append(perf_counter() - start)
    assert statistics.median(seconds) <= 1
