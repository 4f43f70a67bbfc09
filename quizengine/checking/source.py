"""Source: the code of a learner's file or notebook, and which function of it is meant. Nothing is run here;
the child alone reads it, for a hostile text can break a parser too."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from quizengine.checking.call import Broken

_FUNCTION = re.compile(r"(.+):([^\W\d]\w*)")
_MAGIC = re.compile(r"^[ \t]*[%!?].*$", re.MULTILINE)
_OTHER_LANGUAGE = re.compile(r"\s*%%(?!time\b|timeit\b|capture\b|prun\b)")  # whose cell is no Python
_LIKE = ("attention", "attn")
_LONG = (
    "scaleddotproductattention",
    "singleheadattention",
    "selfattention",
)  # what `attention` is called too


class Unfit(Exception):
    """The file, a call or what it returns does not fit the contract; `outcome` says why."""

    def __init__(self, message: str, **values: str):
        super().__init__(message)
        self.outcome = Broken(message, values)


class Cell(NamedTuple):
    """A piece of code that is run at once: a whole file, or a cell of a notebook by its number from 1."""

    number: int
    code: str | bytes

    def place(self, line: int) -> str:
        """A line of it, as messages call it.

        >>> Cell(0, "").place(7), Cell(3, "").place(7)
        ('7', '[3]:7')
        """
        return f"[{self.number}]:{line}" if self.number else str(line)


def named(argument: str) -> tuple[Path, str]:
    """FILE or FILE:FUNCTION, parted.

    >>> [(str(path), function) for path, function in map(named, ("a.py", "a.py:attend", "C:/a.py"))]
    [('a.py', ''), ('a.py', 'attend'), ('C:/a.py', '')]
    """
    found = _FUNCTION.fullmatch(argument)
    if found and not Path(argument).exists():
        return Path(found[1]), found[2]
    return Path(argument), ""


def cells_of(name: str, content: bytes) -> list[Cell]:
    """The code of a file: the cells of a notebook, none of its outputs. Raises Unfit."""
    if not name.lower().endswith(".ipynb"):
        return [Cell(0, content)]
    try:
        notebook = json.loads(content)
        cells = notebook["cells"] if "cells" in notebook else notebook["worksheets"][0]["cells"]
        codes = [
            "".join(cell["source"] if "source" in cell else cell["input"])
            for cell in cells
            if cell["cell_type"] == "code"
        ]
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        raise Unfit("check.not-notebook", why=f"{type(error).__name__}: {error}"[:200]) from None
    return [Cell(number, _python(code)) for number, code in enumerate(codes, 1)]


def _python(code: str) -> str:
    """The Python of a cell: lines for the notebook itself are left blank, so that the others keep their
    numbers."""
    if _OTHER_LANGUAGE.match(code):
        return ""
    try:
        ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _MAGIC.sub(lambda line: re.match(r"[ \t]*", line[0])[0] + "pass", code)  # type: ignore[index]
    return code


def parsed(cell: Cell) -> ast.Module:
    """The tree of a cell. Raises Unfit with the place of what is no Python."""
    try:
        return ast.parse(cell.code)
    except SyntaxError as error:
        place = f"{cell.place(max(error.lineno or 1, 1))}:{max(error.offset or 1, 1)}"
        text = (error.text or "").strip()[:200]
        raise Unfit("check.syntax", place=place, why=error.msg, text=text) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise Unfit("check.not-python", why=str(error) or type(error).__name__) from None


class Definition(NamedTuple):
    """What can be called: its name, and how many arguments it takes by position."""

    name: str
    takes: int


def definitions(tree: ast.Module) -> list[Definition]:
    """The functions at the top level of a file, and the classes with `forward` or `__call__`, in order."""
    found = []
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name, args=args):
                found.append(Definition(name, _count(args)))
            case ast.ClassDef(name=name, body=body):
                methods = {one.name: one.args for one in body if isinstance(one, ast.FunctionDef)}
                method = methods.get("forward", methods.get("__call__"))
                if method:
                    found.append(Definition(name, _count(method) - 1))
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda(args=args)):
                found.append(Definition(name, _count(args)))
    return found


def _count(args: ast.arguments) -> int:
    return len(args.posonlyargs) + len(args.args) + 3 * (args.vararg is not None)


def choose(found: Sequence[Definition], wanted: str, contract: str) -> str:
    """The function that is meant: the one that is named; the one that bears the contract's name; the only
    one called attention in some way, or that takes three arguments, or at all. Never a guess among several.
    Raises Unfit."""
    if wanted:
        return wanted
    known = {definition.name: definition for definition in found}  # the last of a name is what stands
    public = [name for name in known if not name.startswith("_")] or list(known)
    among = [name for name in public if any(word in name.lower() for word in _LIKE)]
    among = among or [name for name in public if known[name].takes >= 3] or public
    meant = _squeezed(contract)
    for called in ({meant}, {"attention"}, {*_LONG} if meant == "attention" else set()):
        same = [name for name in public if _squeezed(name) in called]
        if len(same) == 1:
            return same[0]
    if not among:
        raise Unfit("check.nothing")
    if len(among) > 1:
        raise Unfit("check.which", names=", ".join(among))
    return among[0]


def _squeezed(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()
