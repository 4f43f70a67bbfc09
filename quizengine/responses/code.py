"""What is written in Python: what stands in a gap of a program, and the shape of an array. It is parsed, and
never run."""

from __future__ import annotations

import re
from functools import lru_cache

from quizengine.items.expression import BadExpression, canonical
from quizengine.lang.characters import plain
from quizengine.problems.part import FAILS
from quizengine.responses.response import CannotRead

_QUOTES = str.maketrans("“”„‘’", '"""\'\'')
_NAMED = re.compile(r"(?:[A-Za-z_]\w*(?:\.shape)? ?[=:] ?)?(?:torch\.Size|Size|shape)? ?")
_FAILS = re.compile(
    r"(?:it |an? )?(?:fails?|errors?|err|raises?|exception|none|no shape|value ?error|runtime ?error)\W*"
    r"|エラ[ー-].*|失敗.*|例外.*|計算できない.*|できない.*|なし",
    re.IGNORECASE,
)
_SIZES = re.compile(r"\d{1,6}(?:(?: ?[,x*] ?| )\d{1,6})* ?,?")


@lru_cache(1024)
def read_code(text: str) -> str:
    """The arguments of a call that are written, as Python writes them itself. Raises CannotRead.

    >>> read_code(" －2,-1"), read_code("float(‘-inf’)")
    ('-2, -1', "float('-inf')")
    """
    try:
        return canonical(plain(text).translate(_QUOTES))
    except BadExpression as bad:
        raise CannotRead("code", bad.at, text=text.strip()) from None


def read_shape(text: str) -> str:
    """The sizes that are written, as Python prints a shape, or FAILS. Raises CannotRead.

    >>> read_shape("2 × 3"), read_shape("torch.Size([4])"), read_shape("()"), read_shape("エラーになる")
    ('(2, 3)', '(4,)', '()', 'error')
    """
    typed = " ".join(plain(text).split())
    if _FAILS.fullmatch(typed.strip("`'\". ")):
        return FAILS
    inner = _NAMED.sub("", typed, count=1) if not typed[:1].isdigit() else typed
    for opening, closing in ("()", "()", "[]"):
        if inner.startswith(opening) and inner.endswith(closing):
            inner = inner[1:-1].strip()
    if not inner and typed:
        return "()"
    if not _SIZES.fullmatch(inner):
        raise CannotRead("sizes", text=text.strip())
    return str(tuple(map(int, re.findall(r"\d+", inner))))
