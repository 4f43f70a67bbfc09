"""HTML by Jinja: one file that holds all it needs, under a content policy that lets nothing else in."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from quizengine.errors import InputError
from quizengine.lang.characters import visible
from quizengine.lang.json import Json
from quizengine.lang.messages import CATALOGUE, t
from quizengine.lang.text import Lang
from quizengine.render.mathml import mathml, matrix
from quizengine.render.page import Piece, words

if TYPE_CHECKING:
    import jinja2
    from markupsafe import Markup

_HERE = Path(__file__).parent
_SCRIPTS = ("exact", "numbers", "reader", "sheet")
_SPOKEN = (
    *("save", "load", "copy", "saved", "loaded", "other-sheet", "not-answers", "answered", "unsaved"),
    *(
        "none",
        "moved",
        "in-cell",
        "boxed",
        "box-counts",
        "language",
        "skip-to",
        "copy-from",
        "reorder",
        "order",
        "pairs",
        "tiers",
        "answer-tier",
        "reason-tier",
        "no-fit",
    ),
)


@cache
def environment() -> jinja2.Environment:
    """What fills in the templates. Raises InputError without the extra."""
    try:
        import jinja2
    except ImportError:
        raise InputError(
            "HTML needs the extra “sheets”: pip install 'quizengine[sheets]'", code="missing-extra"
        ) from None
    found = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HERE),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters["inline"] = lambda nodes: _markup(inline(nodes))
    found.globals["matrix"] = lambda m: _markup(matrix(m["name"], m["factor"], m["rows"], m["alt"]))
    found.globals["drawn"] = _markup
    found.globals["shade"] = lambda text: f"shade-{min(9, int(float(text) * 9 + 0.999))}"
    return found


def _markup(text: str) -> Markup:
    from markupsafe import Markup

    return Markup(text)


def inline(nodes: Sequence[Piece]) -> str:
    """A line of a page.

    >>> inline([["t", "a < "], ["b", "b"], ["c", "c"]])
    'a &lt; <strong>b</strong><code>c</code>'
    """
    out = []
    for node in nodes:
        match node:
            case ["t", str(text)]:
                out.append(escape(text))
            case ["b", str(text)]:
                out.append(f"<strong>{escape(text)}</strong>")
            case ["c", str(text)]:
                out.append(f"<code>{escape(text)}</code>")
            case ["m", list(formula), str(alt)]:
                out.append(mathml(formula, alt))
            case _:
                out.append("\u2009")
    return "".join(out)


class _Fixed(NamedTuple):
    """What is the same in every page: its look, what it does, and the policy that lets in nothing else."""

    style: Markup
    script: Markup
    policy: str


@cache
def _fixed() -> _Fixed:
    font = base64.b64encode((_HERE / "fonts" / "STIXTwoMath.woff2").read_bytes()).decode()
    style = (_HERE / "page.css").read_text("utf-8").replace("FONT", font)
    script = "\n".join((_HERE / f"{name}.js").read_text("utf-8") for name in _SCRIPTS)
    policy = (
        f"default-src 'none'; style-src 'sha256-{_hash(style)}'; script-src 'sha256-{_hash(script)}'; "
        "font-src data:; base-uri 'none'; form-action 'none'"
    )
    return _Fixed(_markup(style), _markup(script), policy)


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def sheet_html(pages: Mapping[Lang, Mapping[str, object]]) -> str:
    """A sheet to be filled in, in each of its languages; `pages` as `sheets.web` makes them."""
    first, messages = next(iter(pages.values())), {lang: _messages(lang) for lang in pages}
    about = {"code": first["code"], "student": first["student"], "words": messages}
    return _rendered("sheet.html", page=first, pages=pages, messages=messages, about=about)


def problem_html(page: Mapping[str, Json], lang: Lang, *, titled: bool) -> Markup:
    """A problem of a sheet, under the title of a section or of the sheet."""
    return _part("problem.html", p=page, lang=lang, m=_messages(lang), titled=titled)


def key_problem_html(page: Mapping[str, Json], words: Json) -> Markup:
    """The key of a problem of a sheet."""
    return _part("key_problem.html", p=page, words=words)


@cache
def _messages(lang: Lang) -> Mapping[str, Json]:
    spoken: dict[str, Json] = {**words(lang, "take.read-as", *(f"html.{name}" for name in _SPOKEN))}
    return spoken | {"unreadable": _refusals(lang)}


def _refusals(lang: Lang) -> dict[str, Json]:
    """Why a text cannot be read, by code."""
    return {
        name.removeprefix("unreadable."): text
        for name, text in CATALOGUE[lang].items()
        if name.startswith("unreadable.")
    }


def key_html(page: Mapping[str, object]) -> str:
    """The key of every sheet."""
    return _rendered("key.html", page=page)


def feedback_html(page: Mapping[str, object]) -> str:
    """One learner's marks and reasons."""
    return _rendered("feedback.html", page=page)


def feedback_problem_html(page: Mapping[str, Json], words: Mapping[str, str]) -> Markup:
    """The marks of a problem and the reasons for them."""
    return _part("feedback_problem.html", p=page, words=words)


def function_html(page: Mapping[str, Json]) -> str:
    """What was found of a function that a learner wrote."""
    return _rendered("function.html", page=page)


def report_html(page: Mapping[str, Json]) -> str:
    """What a class's marks say; figures are SVG from `render.svg`."""
    return _rendered("report.html", page=page)


def _part(template: str, **values: object) -> Markup:
    """What stands in a page."""
    return _markup(environment().get_template(template).render(**values, t=t))


def _rendered(template: str, **values: object) -> str:
    text: str = environment().get_template(template).render(**values, **_fixed()._asdict(), t=t)
    return text if all(visible(piece) == piece for piece in _not_ours(text)) else visible(text)


def _not_ours(text: str) -> Iterator[str]:
    """A page but for its style and its script: most of it, and without a sign that must not be seen."""
    yield text[: text.find("<style>")]
    yield text[text.find("</style>") : max(text.rfind("<script>"), 0) or None]
