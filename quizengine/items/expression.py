"""Expressions of Python as text: brought to one form by parsing, so that blanks, quotes and brackets that
mean nothing make no difference. Nothing here is run."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Mapping, Sequence
from string import ascii_letters

MOST = 200  # characters


class BadExpression(ValueError):
    """A text that is not what may stand between the brackets of a call; `at` is the character, from 0."""

    def __init__(self, at: int = 0):
        super().__init__("this is no Python that can stand in a gap")
        self.at = at


def canonical(text: str) -> str:
    """Arguments of a call as Python writes them itself, those with names in the order of their names, and
    the letters of an einsum in the order of the alphabet. Raises BadExpression.

    >>> canonical("-2,-1"), canonical("( ~ mask )"), canonical("dim = -1, dtype=int")
    ('-2, -1', '~mask', 'dim=-1, dtype=int')
    >>> canonical('np.einsum("ij,jd -> id", A, X)')
    "np.einsum('ab,bc->ac', A, X)"
    """
    if len(text) > MOST:
        raise BadExpression(MOST)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            call = ast.parse(f"f({text.strip()}\n)", mode="eval").body
    except SyntaxError as error:
        before = len(text) - len(text.lstrip()) - len("f(")
        at = (error.offset or 1) - 1 + before if error.lineno == 1 else len(text)  # the end is what is wrong
        raise BadExpression(min(max(at, 0), max(len(text) - 1, 0))) from None
    except (ValueError, RecursionError, MemoryError):
        raise BadExpression from None
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
        raise BadExpression
    for node in ast.walk(call):
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "einsum" and node.args:
            _reletter(node.args[0])
    named = sorted(f"{word.arg}={ast.unparse(word.value)}" for word in call.keywords)
    written = ", ".join([*map(ast.unparse, call.args), *named])
    if not written:
        raise BadExpression
    return written


def _reletter(subscripts: ast.expr) -> None:
    """Which letters they are means nothing, unless their order does: without an arrow."""
    if (
        isinstance(subscripts, ast.Constant)
        and isinstance(subscripts.value, str)
        and "->" in subscripts.value
    ):
        letters = dict.fromkeys(filter(str.isalpha, subscripts.value))
        names = dict(zip(letters, ascii_letters, strict=False))
        subscripts.value = "".join(names.get(c, c) for c in subscripts.value if c != " ")


def unfit(code: str, gaps: Mapping[str, Sequence[str]]) -> str:
    """Why these spellings, gap by gap, do not fit a program with the gaps __1__, __2__ …; empty where they
    do: every gap stands there once, and what is wrong in it is not right as well.

    >>> unfit("x = f(__1__)", {"a": ["~mask"]}), unfit("x = f(y)", {"a": ["~mask"]})
    ('', '“code” must hold __1__ once, for “a”')
    """
    for number, (id_, texts) in enumerate(gaps.items(), 1):
        if code.count(f"__{number}__") != 1:
            return f"“code” must hold __{number}__ once, for “{id_}”"
        met: set[str] = set()
        for text in texts:
            try:
                written = canonical(text)
            except BadExpression:
                return f"“{text}” is no Python that can stand in a gap"
            if written in met:
                return f"“{text}” stands twice in “{id_}”"
            met.add(written)
    try:
        ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "“code” is no Python: write its gaps as __1__, __2__ …"
    return ""
