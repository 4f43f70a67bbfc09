"""Write: the files of an exam, all of them or, after a break, the rest of them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import NamedTuple

from quizengine.errors import InputError
from quizengine.lang.text import Lang
from quizengine.sheets.blueprint import Format
from quizengine.sheets.manifest import Manifest, Sheet, load_manifest
from quizengine.sheets.paper import frame, key_data, sheet_data
from quizengine.sheets.text import key_page, sheet_text

MANIFEST, CALL, SHEETS = "manifest.json", "call.txt", "sheets"
CHUNK = 50  # sheets in one file for the printer: memory grows with it


class File(NamedTuple):
    """A file by its path below the folder of the exam, and how its bytes are made."""

    path: str
    make: Callable[[], bytes]


def files(manifest: Manifest, formats: Sequence[Format]) -> Iterator[File]:
    """What an exam consists of, besides the manifest."""
    for sheet in manifest.sheets:
        yield from sheet_files(manifest, sheet, formats)
    main = manifest.heading.languages[0]
    if "md" in formats:
        yield File("key.md", lambda: key_page(manifest, main).encode())
    if "html" in formats:
        yield File("key.html", lambda: _html_key(manifest))
    if "pdf" in formats:
        chunks = [manifest.sheets[i : i + CHUNK] for i in range(0, len(manifest.sheets), CHUNK)]
        for kind, name in (("key", "key"), ("overview", "overview"), ("sheet", "print")):
            for number, chunk in enumerate(chunks, 1):
                path = f"{name}-{number}.pdf" if len(chunks) > 1 else f"{name}.pdf"
                yield File(path, partial(_pdf, manifest, kind, chunk, main))


def sheet_files(manifest: Manifest, sheet: Sheet, formats: Sequence[Format]) -> Iterator[File]:
    """What one student gets: HTML holds all languages of the exam, a PDF one of them."""
    path = f"{SHEETS}/{sheet.code}"
    main, *others = manifest.heading.languages
    if "md" in formats:
        yield File(f"{path}.md", lambda: sheet_text(manifest, sheet, main).encode())
    if "html" in formats:
        yield File(f"{path}.html", lambda: _html(manifest, sheet))
    if "pdf" in formats:
        yield File(f"{path}.pdf", lambda: _pdf(manifest, "sheet", [sheet], main))
        for lang in others:
            yield File(f"{path}.{lang}.pdf", partial(_pdf, manifest, "sheet", [sheet], lang))


def _pdf(manifest: Manifest, kind: str, sheets: Sequence[Sheet], lang: Lang) -> bytes:
    from quizengine.render.pdf import Unprintable, pdf

    data = sheet_data if kind == "sheet" else key_data
    page = frame(manifest, kind, lang) | {"sheets": [data(manifest, sheet, lang) for sheet in sheets]}
    try:
        return pdf(page)
    except Unprintable as error:
        whose = ", ".join(sheet.student for sheet in sheets[:3])
        raise Unprintable(f"the {kind} of {whose}: {error.message}") from None


def _html(manifest: Manifest, sheet: Sheet) -> bytes:
    from quizengine.render.html import sheet_html

    pages = {
        lang: frame(manifest, "sheet", lang) | sheet_data(manifest, sheet, lang)
        for lang in manifest.heading.languages
    }
    return sheet_html(pages).encode()


def _html_key(manifest: Manifest) -> bytes:
    from quizengine.render.html import key_html

    lang = manifest.heading.languages[0]
    sheets = [key_data(manifest, sheet, lang) for sheet in manifest.sheets]
    return key_html(frame(manifest, "key", lang) | {"sheets": sheets}).encode()


def check_names(manifest: Manifest) -> None:
    """Have the fonts of the PDF a sign for all of every name? Raises InputError with those that have not."""
    from quizengine.render.pdf import Unprintable, pdf

    def tried(sheets: Iterable[Sheet]) -> str:
        who = [{"student": s.student, "name": s.name, "group": s.group} for s in sheets]
        try:
            pdf(frame(manifest, "name", manifest.heading.languages[0]) | {"sheets": who})
        except Unprintable as error:
            return error.message
        return ""

    if not tried(manifest.sheets):
        return
    lines = [
        f"student {sheet.student}: the name “{sheet.name}” cannot be printed as PDF ({message}): "
        "write it another way, or make HTML or Markdown (--format)"
        for sheet in manifest.sheets
        if (message := tried([sheet]))
    ]
    raise InputError("\n".join(lines), code="unprintable")


def begun(out: Path, call: str) -> Manifest | None:
    """The manifest of a run of the same call that was broken off; None if there was none. Raises
    InputError when a run of another call lies there."""
    part = _part(out)
    try:
        known = (part / CALL).read_text("utf-8")
    except OSError:
        return None
    if known != call:
        raise InputError(
            f"{part} holds the half-finished run of another call: remove it", code="half-finished"
        )
    return load_manifest(part / MANIFEST) if (part / MANIFEST).exists() else None


def write(
    manifest: Manifest,
    wanted: Sequence[File],
    out: Path,
    call: str,
    *,
    force: bool = False,
    shown: Callable[[Iterable[str], int], Iterable[str]] = lambda paths, _: paths,
) -> list[Path]:
    """Write these files beside `out`, then put them there at once. `shown` wraps the paths as they are
    written. With `force` a folder that is there already is kept under another name. Raises InputError."""
    if not force and out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{out} is not an empty folder: name another one, or use --force", code="not-empty")
    named, out = out, out.resolve()
    part = _part(out)
    if any(file.path.endswith(".pdf") for file in wanted):
        check_names(manifest)
    try:
        (part / SHEETS).mkdir(parents=True, exist_ok=True)
        (part / CALL).write_text(call, "utf-8")
        manifest.save(part / MANIFEST)
        hashes = {}
        for path in shown(_written(part, wanted), len(wanted)):
            hashes[path] = hashlib.sha256((part / path).read_bytes()).hexdigest()
        replace(manifest, files=hashes).save(part / MANIFEST)
        (part / CALL).unlink()
        _put(part, out)
    except OSError as error:
        message = (
            f"{named}: {error.strerror}; what is done is kept in {_part(named)}, and the same call goes on"
        )
        raise InputError(message, code="not-written") from None
    return sorted(named / path for path in [*hashes, MANIFEST])


def _part(out: Path) -> Path:
    out = out.resolve()
    return out.with_name(out.name + ".part")


def _written(part: Path, wanted: Sequence[File]) -> Iterator[str]:
    """Each path when its file is there, whole; what is there already is left. Typst works outside the
    interpreter's lock, so that threads are enough."""
    missing = [file for file in wanted if not (part / file.path).exists()]
    yield from (file.path for file in wanted if file not in missing)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for file, content in zip(missing, pool.map(lambda file: file.make(), missing), strict=True):
            path = part / file.path
            path.with_name(path.name + ".part").write_bytes(content)
            path.with_name(path.name + ".part").replace(path)
            yield file.path


def _put(part: Path, out: Path) -> None:
    """The finished folder in its place; what stood there is kept beside it."""
    if out.exists() and any(out.iterdir()):
        old = next(p for n in count(1) if not (p := out.with_name(f"{out.name}.old-{n}")).exists())
        out.rename(old)
    elif out.exists():
        out.rmdir()
    part.rename(out)
