"""Seccomp: system calls that nobody needs to compute attention are refused, on Linux: those that begin
processes (limits do not bind root), open sockets (Landlock leaves UDP open), send signals, look into other
processes, or change who may use a file."""

from __future__ import annotations

import ctypes
import os
import platform
import sys
from ctypes import Structure, c_ubyte, c_uint16, c_uint32, c_void_p
from errno import ENOSYS, EPERM

_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 38, 22, 2
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000
_NUMBER, _MACHINE, _ARGUMENT = 0, 4, 16  # where each stands in what a filter reads
_THREAD = 0x10000  # clone makes a thread, not a process
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_CALLS = {  # by machine; -1 where it has none
    "fork": (57, -1),
    "vfork": (58, -1),
    "execve": (59, 221),
    "execveat": (322, 281),
    "unshare": (272, 97),
    "setns": (308, 268),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "io_uring_setup": (425, 425),
    "kill": (62, 129),
    "tkill": (200, 130),
    "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "pidfd_send_signal": (424, 424),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "setpriority": (141, 140),
    "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119),
    "sched_setattr": (314, 274),
    "ioprio_set": (251, 30),
    "chmod": (90, -1),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, -1),
    "fchown": (93, 55),
    "lchown": (94, -1),
    "fchownat": (260, 54),
    "utime": (132, -1),
    "utimes": (235, -1),
    "futimesat": (261, -1),
    "utimensat": (280, 88),
    "truncate": (76, 45),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
}
_CLONE, _CLONE3, _LIMITS = (56, 220), (435, 435), (302, 261)
_X32 = 0x40000000  # calls of another numbering


class _Step(Structure):
    _fields_ = (("code", c_uint16), ("yes", c_ubyte), ("no", c_ubyte), ("value", c_uint32))


class _Program(Structure):
    _fields_ = (("length", c_uint16), ("steps", c_void_p))


class _Privileges(Structure):
    _fields_ = (("version", c_uint32), ("pid", c_uint32))


def available() -> bool:
    """Does this machine take filters that we know to write?"""
    return sys.platform.startswith("linux") and platform.machine() in _MACHINES


def _program(place: int, machine: int) -> list[tuple[int, int, int, int]]:
    """The steps: (code, steps to leave out where it holds, and where it does not, value)."""
    refuse = (_RETURN, 0, 0, _REFUSE | EPERM)
    steps = [
        (_LOAD, 0, 0, _MACHINE),
        (_EQUAL, 1, 0, machine),
        refuse,
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, _X32),
        refuse,
        (_EQUAL, 0, 1, _CLONE3[place]),
        (_RETURN, 0, 0, _REFUSE | ENOSYS),  # whose flags no filter can read: the C library then takes clone
        (_EQUAL, 0, 4, _CLONE[place]),
        (_LOAD, 0, 0, _ARGUMENT),
        (_ANY_BIT, 1, 0, _THREAD),
        refuse,
        (_RETURN, 0, 0, _ALLOW),
        (_EQUAL, 0, 4, _LIMITS[place]),
        (_LOAD, 0, 0, _ARGUMENT),
        (_EQUAL, 1, 0, 0),  # its own limits, which it may only lower
        refuse,
        (_RETURN, 0, 0, _ALLOW),
    ]
    for numbers in _CALLS.values():
        if numbers[place] >= 0:
            steps += [(_EQUAL, 0, 1, numbers[place]), refuse]
    return [*steps, (_RETURN, 0, 0, _ALLOW)]


def refuse_calls() -> None:
    """Refuse them from now on, for good, to this process and all of its threads to come. Raises OSError."""
    libc = ctypes.CDLL(None, use_errno=True)
    program = _program(*_MACHINES[platform.machine()])
    steps = (_Step * len(program))(*(_Step(*step) for step in program))
    filter_ = _Program(len(program), ctypes.cast(steps, c_void_p))
    for arguments in ((_NO_NEW_PRIVILEGES, 1, 0, 0, 0), (_SET_SECCOMP, _FILTER, ctypes.byref(filter_), 0, 0)):
        if libc.prctl(*arguments):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def drop_privileges() -> None:
    """What root may do beyond its own files it may do no more. Raises OSError."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.capset(ctypes.byref(_Privileges(0x20080522, 0)), (c_uint32 * 6)()):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
