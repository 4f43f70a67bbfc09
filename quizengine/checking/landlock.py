"""Landlock: the process gives up every file but those it names, TCP, and signals to others; Linux alone has
it, and no program nor privilege is needed."""

from __future__ import annotations

import ctypes
import os
import sys
import sysconfig
from collections.abc import Iterable
from ctypes import Structure, c_int32, c_uint64
from pathlib import Path

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # system calls, of the same number on every machine
_VERSION, _BENEATH, _NO_NEW_PRIVILEGES = 1, 1, 38
_WRITE_FILE, _READ_FILE, _READ_DIR, _REMOVE_FILE, _MAKE_REG, _TRUNCATE = (
    *(1 << 1, 1 << 2, 1 << 3, 1 << 5),
    *(1 << 8, 1 << 14),
)
_FILES = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}  # how many rights to files each version knows
_OF_A_FILE = 1 | _WRITE_FILE | _READ_FILE | _TRUNCATE | 1 << 15


class _Ruleset(Structure):
    _fields_ = (("files", c_uint64), ("net", c_uint64), ("scoped", c_uint64))


class _Beneath(Structure):
    _pack_ = 1
    _fields_ = (("allowed", c_uint64), ("folder", c_int32))


def version() -> int:
    """The version of Landlock that this kernel offers; 0 where it has none."""
    if not sys.platform.startswith("linux"):
        return 0
    found: int = ctypes.CDLL(None).syscall(_CREATE, None, ctypes.c_size_t(0), _VERSION)
    return max(0, found)


def interpreter() -> list[Path]:
    """What a Python process reads: its libraries and packages, those of the system, some devices."""
    packages = [Path(path) for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    own = [Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    shared = [Path(sys.base_prefix) / name for name in ("lib", "lib64")]
    system = map(Path, ("/usr/lib", "/usr/lib64", "/lib", "/lib64", "/etc/ld.so.cache"))
    devices = map(Path, ("/dev/urandom", "/dev/zero", "/proc/cpuinfo", "/proc/meminfo"))
    every = dict.fromkeys([*own, *packages, *shared, *system, *devices])
    return [path for path in every if path.exists()]


def restrict(read: Iterable[Path], write: Path) -> None:
    """From now on this process and its children read beneath these paths only, write in one folder and to
    /dev/null, and make no TCP connection. Raises OSError."""
    libc = ctypes.CDLL(None, use_errno=True)

    def call(number: int, *arguments: object) -> int:
        result: int = libc.syscall(number, *arguments)
        if result < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        return result

    known = version()
    every = (1 << _FILES.get(known, 16)) - 1
    rules = _Ruleset(every, 3, 3)  # to bind and to connect; abstract sockets and signals
    size = ctypes.c_size_t(8 if known < 4 else 16 if known < 6 else 24)
    ruleset = call(_CREATE, ctypes.byref(rules), size, 0)
    inside = _READ_FILE | _READ_DIR | _WRITE_FILE | _MAKE_REG | _REMOVE_FILE | _TRUNCATE
    for path, rights in [
        *((path, _READ_FILE | _READ_DIR) for path in read),
        (write, inside),
        (Path(os.devnull), _READ_FILE | _WRITE_FILE),
    ]:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)  # type: ignore[attr-defined,unused-ignore]
        allowed = rights & every & (-1 if path.is_dir() else _OF_A_FILE)
        rule = _Beneath(allowed, opened)
        call(_ADD, ruleset, _BENEATH, ctypes.byref(rule), 0)
        os.close(opened)
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "no_new_privs")
    call(_RESTRICT, ruleset, 0)
    os.close(ruleset)
