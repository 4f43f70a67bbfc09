"""PDF by Typst: data goes into a fixed template as JSON, and nothing outside is read."""

from __future__ import annotations

import ctypes
import json
import re
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from quizengine.errors import InputError
from quizengine.lang.characters import visible
from quizengine.lang.json import Json

_HERE = Path(__file__).parent
_POOR = re.compile("[\u0900-\u097f]")  # our fonts have these letters, and cannot join them
STANDARD: Final = "ua-1"  # accessible, and a sign that no font has is an error
KEPT = 10  # pages set, after which Typst forgets the layout of one


class Unprintable(InputError):
    """The data cannot be set: a sign that no font has, say."""

    code = "unprintable"


def typesetter() -> ModuleType:
    """Typst. Raises InputError without the extra."""
    try:
        import typst
    except ImportError:
        raise InputError(
            "PDF needs the extra “sheets”: pip install 'quizengine[sheets]'", code="missing-extra"
        ) from None
    return typst


@cache
def _fonts(*, system: bool) -> Any:
    """Ours and, if wanted, for what they lack the system's. Raises InputError."""
    return typesetter().Fonts(include_system_fonts=system, font_paths=[str(_HERE / "fonts")])


@cache
def _compiler(*, system: bool) -> Callable[[bytes], bytes]:
    """Data as JSON to PDF. Raises InputError."""
    typst = typesetter()
    template, fonts = (_HERE / "sheet.typ").read_bytes(), _fonts(system=system)

    def compiled(data: bytes) -> bytes:
        with tempfile.TemporaryDirectory() as empty:
            try:
                pdf, warnings = typst.compile_with_warnings(
                    {"main.typ": template, "data.json": data},
                    root=empty,
                    font_paths=fonts,
                    package_path=empty,
                    package_cache_path=empty,
                    timestamp=0,
                    pdf_standards=STANDARD,
                )
            except typst.TypstError as error:
                raise Unprintable(str(error.message)) from None
        if warnings:
            raise Unprintable("; ".join(str(warning.message) for warning in warnings))
        assert isinstance(pdf, bytes)
        return pdf

    return compiled


def pdf(page: Mapping[str, Json]) -> bytes:
    """The page as PDF/UA. The same page gives the same bytes, on every machine where our fonts have all its
    signs. Raises Unprintable where the system's have not either, InputError."""
    text = visible(json.dumps(page, ensure_ascii=False))
    if not _POOR.search(text):
        with suppress(Unprintable):
            return _compiler(system=False)(text.encode())
    return _compiler(system=True)(text.encode())


def forget() -> None:
    """Let Typst forget the pages that it has set, so that memory does not grow with their number."""
    for _ in range(KEPT + 1):
        typesetter().compile(b"", font_paths=_fonts(system=False))
    with suppress(OSError, AttributeError, TypeError):  # glibc alone keeps what was freed, and has this
        ctypes.CDLL(None).malloc_trim(0)
