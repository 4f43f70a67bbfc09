"""Write: the files of an exam, all of them or, after a break, the rest of them."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from quizengine.errors import InputError, QuizError
from quizengine.files.disk import make_private
from quizengine.files.failure import failed
from quizengine.files.hold import hold, sync
from quizengine.files.whole import put_aside, write_whole
from quizengine.lang.shown import Shown, unseen
from quizengine.lang.text import Lang
from quizengine.render.html import environment
from quizengine.render.pdf import Unprintable, forget, pdf, typesetter
from quizengine.sheets.manifest import Keep, Manifest, keep_on_disk, load_manifest
from quizengine.sheets.md import key_page, sheet_text
from quizengine.sheets.overview import desk_data, entry, overview_data
from quizengine.sheets.paper import frame, key_data, sheet_data, who_data
from quizengine.sheets.plan import Format
from quizengine.sheets.unset import NONE, Unset, check_printable
from quizengine.sheets.web import keys_page, sheet_page

MANIFEST, CALL, SHEETS = "manifest.json", "call.txt", "sheets"
DONE = "done.txt"  # the digests of what is made; a line that a loss of power spoils only costs its file

CHUNK, ROWS, MANY = 10, 100, 500  # sheets in a file for the printer, in a table, on a screen: memory grows
AHEAD = 4  # files a core, made before they are written


class File(NamedTuple):
    """A file by its path below the folder of the exam, and how its bytes are made."""

    path: str
    make: Callable[[], bytes]


def check_formats(formats: Sequence[Format]) -> None:
    """Is there all that these need? Raises InputError, before anything is posed for nothing."""
    if "html" in formats:
        environment()
    if "pdf" in formats:
        typesetter()


def files(manifest: Manifest, formats: Sequence[Format], unset: Unset = NONE) -> Iterator[File]:
    """What an exam consists of, besides the manifest; a PDF leaves out what is `unset`. A sheet is looked up
    when its file is made, so that no more of them are in memory than are worked on."""
    main, everyone = manifest.heading.languages[0], range(len(manifest.sheets))
    for place in everyone:
        yield from _for_a_screen(manifest, place, formats)
    if "md" in formats:
        for path, part in _chunks(everyone, "key.md", MANY):
            yield File(path, partial(_md_key, manifest, part, main))
    if "html" in formats:
        for path, part in _chunks(everyone, "key.html", MANY):
            yield File(path, partial(_html_key, manifest, part))
    if "pdf" in formats:
        yield File(
            "desk.pdf", lambda: pdf(frame(manifest, "desk", main) | {"sheets": [desk_data(manifest, unset)]})
        )
        for path, part in _chunks(everyone, "overview.pdf", ROWS):
            yield File(path, partial(_overview, manifest, part, main, unset))
        for lang in manifest.heading.languages:
            yield from _printed(manifest, lang, unset)
        for path, part in _chunks(everyone, "key.pdf", CHUNK):
            yield File(path, partial(_pdf, manifest, "key", part, main, unset))


def _printed(manifest: Manifest, lang: Lang, unset: Unset) -> Iterator[File]:
    """A PDF a student, and right after those of a file for the printer that file: Typst remembers for a while
    what it has laid out."""
    main, everyone = manifest.heading.languages[0], range(len(manifest.sheets))
    readers = _who_read(manifest, lang)
    for path, part in _chunks(readers, "print.pdf" if lang == main else f"print.{lang}.pdf", CHUNK):
        yield from (_own_pdf(manifest, place, lang, unset) for place in part)
        yield File(path, partial(_pdf, manifest, "sheet", part, lang, unset))
    yield from (_own_pdf(manifest, place, lang, unset) for place in everyone if place not in readers)


def _languages(manifest: Manifest, own: str | None) -> list[Lang]:
    """The languages of an exam, the student's own first."""
    return sorted(manifest.heading.languages, key=lambda lang: lang != own)


def _who_read(manifest: Manifest, lang: Lang) -> Sequence[int]:
    """The sheets that are printed in this language: all of them, unless the roster says who reads what."""
    main = manifest.heading.languages[0]
    told = any(who.own for who in manifest.who)
    return [i for i, who in enumerate(manifest.who) if not told or (who.own or main) == lang]


def _chunks(places: Sequence[int], path: str, size: int) -> Iterator[tuple[str, Sequence[int]]]:
    """Files of so many sheets each: one, or as many as it takes, numbered."""
    starts = range(0, len(places), size)
    digits = len(str(len(starts)))
    name, _, suffix = path.partition(".")
    for number, start in enumerate(starts, 1):
        numbered = f"{name}-{number:0{digits}}" if len(starts) > 1 else name
        yield f"{numbered}.{suffix}", places[start : start + size]


def sheet_files(
    manifest: Manifest, place: int, formats: Sequence[Format], unset: Unset = NONE
) -> Iterator[File]:
    """What one student gets: HTML holds all languages of the exam, a PDF one of them."""
    yield from _for_a_screen(manifest, place, formats)
    if "pdf" in formats:
        for lang in _languages(manifest, manifest.who[place].own):
            yield _own_pdf(manifest, place, lang, unset)


def _for_a_screen(manifest: Manifest, place: int, formats: Sequence[Format]) -> Iterator[File]:
    path = f"{SHEETS}/{manifest.who[place].code}"
    if "md" in formats:
        yield File(f"{path}.md", partial(_md, manifest, place))
    if "html" in formats:
        yield File(f"{path}.html", partial(_html, manifest, place))


def _own_pdf(manifest: Manifest, place: int, lang: Lang, unset: Unset) -> File:
    """A student's PDF in this language; the name tells it where it is not the student's own."""
    who = manifest.who[place]
    suffix = "pdf" if lang == _languages(manifest, who.own)[0] else f"{lang}.pdf"
    return File(f"{SHEETS}/{who.code}.{suffix}", partial(_pdf, manifest, "sheet", (place,), lang, unset))


def _pdf(manifest: Manifest, kind: str, part: Sequence[int], lang: Lang, unset: Unset) -> bytes:
    sheets = [manifest.sheets[place] for place in part]
    data = sheet_data if kind == "sheet" else key_data
    pages = [data(manifest, sheet, lang) | who_data(unset.get(sheet.code, sheet)) for sheet in sheets]
    page = frame(manifest, kind, lang) | {"sheets": pages}
    try:
        content = pdf(page)
    except Unprintable as error:
        whose = ", ".join(sheet.student for sheet in sheets[:3])
        raise Unprintable(f"the {kind} of {whose}: {error.message}") from None
    if len(part) > 1:
        forget()
    return content


def _overview(manifest: Manifest, part: Sequence[int], lang: Lang, unset: Unset) -> bytes:
    entries = [entry(manifest.sheets[place], lang) for place in part]
    content = pdf(frame(manifest, "overview", lang) | {"sheets": [overview_data(entries, unset)]})
    forget()
    return content


def _md(manifest: Manifest, place: int) -> bytes:
    sheet = manifest.sheets[place]
    return sheet_text(manifest, sheet, _languages(manifest, sheet.own)[0]).encode()


def _html(manifest: Manifest, place: int) -> bytes:
    sheet = manifest.sheets[place]
    return sheet_page(manifest, sheet, _languages(manifest, sheet.own)).encode()


def _md_key(manifest: Manifest, part: Sequence[int], lang: Lang) -> bytes:
    return key_page((manifest.sheets[place] for place in part), lang).encode()


def _html_key(manifest: Manifest, part: Sequence[int]) -> bytes:
    return keys_page(manifest, (manifest.sheets[place] for place in part)).encode()


def _each(make: Callable[[File], str], wanted: Iterable[File], pool: Executor) -> Iterator[tuple[str, str]]:
    """Every path with what is made of its file, in order; in threads, but never far ahead of who asks."""
    waiting: deque[tuple[str, Future[str]]] = deque()
    for file in wanted:
        waiting.append((file.path, pool.submit(make, file)))
        if len(waiting) > AHEAD * (os.cpu_count() or 1):
            first, made = waiting.popleft()
            yield first, made.result()
    yield from ((path, made.result()) for path, made in waiting)


def _intact(path: Path) -> bool:
    """Is there a manifest, as it was saved?"""
    with suppress(InputError):
        return load_manifest(path).intact
    return False


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


class Run:
    """The making of an exam: everything beside its place first, then there at once. What was broken off
    (the machine, the disk) goes on with the same call; what can never be made leaves nothing behind."""

    def __init__(self, out: Path, call: str, *, force: bool = False):
        self.named, self.out, self.call, self.force = out, out.resolve(), call, force
        if not self.out.name or (out.exists() and not out.is_dir()):
            raise InputError(f"{out} cannot be the folder of an exam: name another one", code="not-a-folder")
        if not force and out.exists() and any(out.iterdir()):
            message = f"{out} is not an empty folder: name another one, or use --force"
            raise InputError(message, code="not-empty")
        self.part = self.out.with_name(self.out.name + ".part")

    def __enter__(self) -> Run:
        try:
            (self.part / SHEETS).mkdir(parents=True, exist_ok=True)
            make_private(str(self.part), 0o700)
            busy = f"another quizengine is making {self.named}: wait for it, or name another folder"
            self.lock = hold(self.part / CALL, busy)
            try:
                self._take_up()
            except BaseException:
                self.lock.close()
                raise
        except OSError as error:
            raise failed(self.named, error, code="not-written") from None
        return self

    def _take_up(self) -> None:
        """What an earlier run left is used if the call was the same; with `force` it is thrown away else, and
        where no call is known. Raises InputError."""
        self.lock.seek(0)
        known = self.lock.read()
        if known == self.call:
            return
        if known and not self.force:
            message = f"{self.part} holds the half-finished run of another call: remove it, or use --force"
            raise InputError(message, code="half-finished")
        self._clear()
        self.lock.truncate(0)
        self.lock.write(self.call)
        self.lock.flush()
        sync(self.part / CALL)

    def _clear(self) -> None:
        for path in self.part.rglob("*"):
            if path.is_file() and path.name != CALL:
                path.unlink()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        self.lock.close()
        if isinstance(error, QuizError) and error.code != "not-written":
            shutil.rmtree(self.part, ignore_errors=True)

    def manifest(self, make: Callable[[Keep], Manifest]) -> Manifest:
        """That of the run that was broken off, else one that is made; its sheets are on disk. Without its
        secret, what else was left is worth nothing."""
        path, lines = self.part / MANIFEST, self.part / "sheets.lines"
        if not _intact(path):
            self._clear()
            self._keep(make(keep_on_disk(lines)))
        lines.unlink(missing_ok=True)
        return load_manifest(path)

    def _keep(self, manifest: Manifest) -> None:
        """The secret is the first thing on the disk."""
        manifest.save(self.part / MANIFEST)
        sync(self.part.parent)

    def write(self, manifest: Manifest, wanted: Sequence[File], shown: Shown = unseen) -> list[Path]:
        """Make these files, and put the folder in its place; when this returns, all of it outlasts a loss of
        power. `shown` wraps the paths as they are written. Raises InputError."""
        if any(file.path.endswith(".pdf") for file in wanted):
            check_printable(manifest)
        try:
            if not (self.part / MANIFEST).exists():
                self._keep(manifest)
            hashes: dict[str, str] = {}
            for _ in shown(self._written(wanted, hashes), len(wanted)):
                pass
            sync(self.part / SHEETS)
            replace(manifest, files=hashes).save(self.part / MANIFEST)
            for name in (DONE, CALL):
                (self.part / name).unlink()
            self._put()
        except OSError as error:
            then = "; what is done is kept, and the same call goes on"
            raise failed(self.named, error, code="not-written", then=then) from None
        return sorted(self.named / path for path in [*hashes, MANIFEST])

    def _written(self, wanted: Sequence[File], hashes: dict[str, str]) -> Iterator[str]:
        """Each path when its file is there, whole, and its digest in `hashes`; what is there already, as it
        was made, is left. Typst works outside the interpreter's lock, so that threads are enough."""
        with (
            (self.part / DONE).open("a+", encoding="utf-8", errors="replace") as done,
            ThreadPoolExecutor(os.cpu_count()) as pool,
        ):
            done.seek(0)
            known = dict(line.rstrip("\n").partition(" ")[::2] for line in done)
            for path, digest in _each(partial(self._whole, known), wanted, pool):
                hashes[path] = digest
                if known.get(path) != digest:
                    done.write(f"{path} {digest}\n")
                    done.flush()
                yield path

    def _whole(self, known: Mapping[str, str], file: File) -> str:
        """Make the file, unless it is there with the digest that is known of it; its digest."""
        path = self.part / file.path
        if file.path in known and path.exists() and _digest(path.read_bytes()) == known[file.path]:
            return known[file.path]
        content = file.make()
        mode = 0o644 if file.path.startswith(SHEETS) else 0o600  # keys are not for everyone
        write_whole(path, content, mode=mode, synced=True)
        return _digest(content)

    def _put(self) -> None:
        """The finished folder in its place; what stood there is kept beside it."""
        out = self.out
        if out.exists() and any(out.iterdir()):
            put_aside(out)
        elif out.exists():
            out.rmdir()
        self.part.rename(out)
        sync(out.parent)
