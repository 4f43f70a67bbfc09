"""PDF by Typst: data goes into a fixed template as JSON, and nothing outside is read."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

from quizengine.errors import InputError
from quizengine.lang.characters import visible
from quizengine.lang.json import Json

_HERE = Path(__file__).parent
_POOR = re.compile("[\u0900-\u097f]")  # our fonts have these letters, and cannot join them
STANDARD: Final = "ua-1"  # accessible, and a sign that no font has is an error


class Unprintable(InputError):
    """The data cannot be set: a sign that no font has, say."""

    code = "unprintable"


@cache
def _compiler(*, system: bool) -> Callable[[bytes], bytes]:
    """Data as JSON to PDF, with our fonts and, if wanted, for what they lack with the system's. Raises
    InputError without the extra."""
    try:
        import typst
    except ImportError:
        raise InputError(
            "PDF needs the extra “sheets”: pip install 'quizengine[sheets]'", code="missing-extra"
        ) from None
    template = (_HERE / "sheet.typ").read_bytes()
    fonts = typst.Fonts(include_system_fonts=system, font_paths=[str(_HERE / "fonts")])

    def compiled(data: bytes) -> bytes:
        with tempfile.TemporaryDirectory() as empty:
            try:
                pdf, warnings = typst.compile_with_warnings(  # type: ignore[call-overload]
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
