"""Trespass: what a learner's code tries that no function of arrays needs, as Python itself tells it. The
attempt fails with or without this; it is watched for whoever reads a class's files."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

KINDS = ("program", "process", "network", "signal", "file")
_EVENTS = {
    "os.system": "program",
    "os.exec": "program",
    "os.posix_spawn": "program",
    "subprocess.Popen": "program",
    "os.fork": "process",
    "os.forkpty": "process",
    "resource.prlimit": "process",
    "socket.__new__": "network",
    "socket.getaddrinfo": "network",
    "os.kill": "signal",
    "os.killpg": "signal",
}
_OF_FILES = (
    "open",
    "os.listdir",
    "os.scandir",
    "os.remove",
    "os.rename",
    "os.truncate",
    "os.chmod",
    "os.chown",
)


def watch(is_own: Callable[[str], bool]) -> set[str]:
    """From now on the kinds of what is tried come into this set; for good, as Python has it. Of files only
    those count that a line of the learner's own touches (`is_own` of its file), outside of the folder that
    the code may use: libraries read what they need."""
    tried: set[str] = set()
    here = Path.cwd()

    def hear(event: str, arguments: tuple[object, ...]) -> None:
        if kind := _EVENTS.get(event):
            tried.add(kind)
        elif event in _OF_FILES and is_own(sys._getframe(1).f_code.co_filename):
            path = arguments[0]
            if isinstance(path, str | bytes) and here not in (here / str(path)).parents:
                tried.add("file")

    sys.addaudithook(hear)
    return tried
