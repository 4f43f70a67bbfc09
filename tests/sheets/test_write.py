"""Files: whole, resumed, verified, and none of them gives anything away."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from quizengine.errors import InputError
from quizengine.problems.part import NumericPart, labels_of
from quizengine.render import pdf as pdf_module
from quizengine.sheets import compose
from quizengine.sheets import write as write_module
from quizengine.sheets.manifest import load_manifest
from quizengine.sheets.write import Run, files

ROSTER = "id,name\ns01,Learner One\ns02,Learner Two\ns03,Learner Three\n"


@pytest.fixture
def roster(tmp_path: Path) -> Path:
    path = tmp_path / "roster.csv"
    path.write_text(ROSTER, "utf-8")
    return path


def hidden(sheet, manifest) -> set[str]:
    """What a student must not find: the secret, seeds, keys to nine places, solutions, misconceptions."""
    out = {manifest.secret}
    for problem in (*sheet.problems, *sheet.in_language("ja")):
        out |= {str(problem.seed), problem.digest, *problem.worked, *problem.hints}
        out |= {rival.misconception for rival in problem.rivals}
        for part in problem.parts:
            if part.kind == "words":
                out.add(str(part.key))
            if isinstance(part, NumericPart):
                out |= {
                    f"{abs(x) / 1e9:.{d}f}" for row in part.key for x in row for d in (3, 6, 9) if x % 10**9
                }
    return {text for text in out if len(text) > 4}


def as_text(path: Path) -> str:
    """What a reader finds in a file: of a PDF its words, and what stands in it unpacked."""
    if path.suffix != ".pdf":
        return path.read_text("utf-8")
    words = ["pdftotext", "-raw", str(path), "-"]
    shown = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    about = subprocess.run(["pdfinfo", str(path)], capture_output=True, text=True, check=True).stdout
    return shown + about


def givens(problem) -> str:
    return json.dumps([problem.given, problem.prompt, problem.conventions, [p.prompt for p in problem.parts]])


@pytest.mark.skipif(not shutil.which("pdftotext"), reason="poppler-utils is not installed")
def test_no_file_of_a_student_holds_a_key_a_seed_or_the_secret(made: Path) -> None:
    """Numbers that stand in what is given are no secret."""
    manifest = load_manifest(made / "manifest.json")
    for sheet in manifest.sheets:
        shown = "".join(
            givens(p) + "".join(c.text for part in p.parts for c in labels_of(part)) for p in sheet.problems
        )
        secrets = {text for text in hidden(sheet, manifest) if text not in shown}
        assert len(secrets) > 40
        for path in (made / "sheets").glob(f"{sheet.code}*"):
            text = re.sub(r"base64,[A-Za-z0-9+/=]+", "", as_text(path))
            assert not [secret for secret in secrets if secret in text]


def test_the_search_for_secrets_can_fail(made: Path) -> None:
    manifest = load_manifest(made / "manifest.json")
    key = (made / "key.md").read_text("utf-8")
    assert [secret for sheet in manifest.sheets for secret in hidden(sheet, manifest) if secret in key]


def test_the_manifest_is_for_its_owner_alone(made: Path) -> None:
    assert stat.S_IMODE((made / "manifest.json").stat().st_mode) == 0o600


def test_the_same_exam_gives_the_same_bytes(made: Path) -> None:
    manifest = load_manifest(made / "manifest.json")
    wanted = [file for file in files(manifest, ("pdf", "html", "md")) if not file.path.startswith("print")]
    assert len(wanted) == len(manifest.sheets) * 4 + 5
    for file in wanted:
        assert file.make() == (made / file.path).read_bytes()


def test_a_run_that_is_broken_off_goes_on(tmp_path: Path, run, roster: Path, monkeypatch) -> None:
    """With the same secret, and without making anew what is there."""
    out = tmp_path / "exam"
    words = ("sheet", "--roster", roster, "--count", 3, "--out", out)
    real, made = write_module.sheet_text, []

    def breaking(manifest, sheet, lang):
        if sheet.student == "s03":
            raise OSError(28, "No space left on device")
        made.append(sheet.code)
        return real(manifest, sheet, lang)

    monkeypatch.setattr(write_module, "sheet_text", breaking)
    said = run(*words, exit=3).stderr
    assert "No space left on device; what is done is kept, and the same call goes on" in said
    assert not out.exists()
    first = load_manifest(tmp_path / "exam.part" / "manifest.json")
    codes = sorted(who.code for who in first.who)
    monkeypatch.setattr(
        write_module, "sheet_text", lambda m, s, lang: made.append(s.code) or real(m, s, lang)
    )
    assert "remove it, or use --force" in run(*words, "--topic", "masking", exit=3).stderr
    run(*words)
    assert load_manifest(out / "manifest.json").secret == first.secret
    assert sorted(made) == codes
    assert not (tmp_path / "exam.part").exists()
    assert "As it was made. Problems: 9; files: 5." in run("manifest", "verify", out / "manifest.json").stdout


@pytest.fixture
def broken_off(tmp_path: Path, run, roster: Path, monkeypatch) -> tuple[object, ...]:
    """The words of a call that was broken off at the last of three sheets."""
    words = ("sheet", "--roster", roster, "--count", 3, "--seed", 1, "--out", tmp_path / "exam")
    real = write_module.sheet_text

    def breaking(manifest, sheet, lang):
        if sheet.student == "s03":
            raise OSError(28, "No space left on device")
        return real(manifest, sheet, lang)

    with monkeypatch.context() as patched:
        patched.setattr(write_module, "sheet_text", breaking)
        run(*words, exit=3)
    return words


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.mark.parametrize("left", [0, 100])
def test_a_file_that_was_cut_is_made_anew_and_all_ends_as_if_never_broken_off(
    tmp_path: Path, run, broken_off, left: int
) -> None:
    """Also the order in which the manifest names the files."""
    half = sorted((tmp_path / "exam.part" / "sheets").glob("*.md"))
    assert len(half) == 2
    os.truncate(half[0], left)
    (tmp_path / "exam.part" / "sheets.lines").write_text("of a run that was killed")
    run(*broken_off)
    run(*broken_off[:-1], tmp_path / "whole")
    assert contents(tmp_path / "exam") == contents(tmp_path / "whole")


@pytest.mark.parametrize("lost", ["manifest.json", "call.txt"])
def test_what_is_left_without_its_secret_or_its_call_counts_for_nothing(
    tmp_path: Path, run, broken_off, lost: str
) -> None:
    os.truncate(tmp_path / "exam.part" / lost, 0)
    words = [2 if word == 1 else word for word in broken_off]
    if lost == "call.txt":
        run(*words)
        run(*words[:-1], tmp_path / "whole")
    else:
        run(*broken_off)
        run(*broken_off[:-1], tmp_path / "whole")
    assert contents(tmp_path / "exam") == contents(tmp_path / "whole")


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="files are looked up in /proc")
def test_what_is_said_to_be_written_is_on_the_disk_the_secret_first(tmp_path: Path, run, monkeypatch) -> None:
    synced, real = [], os.fsync

    def fsync(fd: int) -> None:
        real(fd)
        synced.append(os.path.relpath(os.readlink(f"/proc/self/fd/{fd}"), tmp_path).removesuffix(".part"))

    monkeypatch.setattr(os, "fsync", fsync)
    run(
        "sheet",
        "--variants",
        2,
        "--count",
        1,
        "--format",
        "html",
        "--format",
        "md",
        "--out",
        tmp_path / "exam",
    )
    made = [f"exam.part/{name}" for name in contents(tmp_path / "exam")]
    assert set(made) <= set(synced)
    manifest = "exam.part/manifest.json"
    first = min(synced.index(name) for name in made if name != manifest)
    assert manifest in synced[:first]
    assert "exam" in synced[synced.index(manifest) : first]  # the folder that holds it
    last = max(synced.index(name) for name in made if name != manifest)
    assert {"exam.part/sheets", manifest, "exam"} <= set(synced[last:])
    assert synced[-1] == "."  # and the folder that the exam was put in


def test_force_keeps_what_was_there(tmp_path: Path, run) -> None:
    out = tmp_path / "exam"
    words = ("sheet", "--variants", 1, "--count", 1, "--out", out)
    run(*words, "--seed", 1)
    first = (out / "manifest.json").read_bytes()
    assert (
        "is not an empty folder: name another one, or use --force" in run(*words, "--seed", 2, exit=3).stderr
    )
    run(*words, "--seed", 2, "--force")
    run(*words, "--seed", 3, "--force")
    assert (tmp_path / "exam.old-1" / "manifest.json").read_bytes() == first
    assert (tmp_path / "exam.old-2").exists()


def test_verify_finds_every_difference(tmp_path: Path, run, made: Path) -> None:
    exam = tmp_path / "exam"
    shutil.copytree(made, exam)
    assert "As it was made." in run("manifest", "verify", exam / "manifest.json").stdout
    (exam / "key.md").write_text("changed")
    (exam / "key.pdf").unlink()
    data = json.loads((exam / "manifest.json").read_text("utf-8"))
    numeric = next(item for item in data["sheets"][0]["items"] if item["type"] == "numeric")
    numeric["key"]["output"] = "[[1, 2, 3]]"
    data["sheets"][1]["items"][0]["digest"] = "0" * 16
    data["sheets"][2]["code"] = "ABCDE"
    (exam / "manifest.json").write_text(json.dumps(data), "utf-8")
    said = run("manifest", "verify", exam / "manifest.json", exit=1).stdout
    for line in (
        "key.md is not the file that was written",
        "key.pdf is missing",
        f"{data['sheets'][0]['code']}: masking.one-row is not what its seed poses",
        "masking.where has changed since; its problems are kept in the manifest as they were asked",
        "ABCDE is not a code of this engine",
    ):
        assert line in said
    assert "manifest.json itself has been changed since it was written" in said
    assert len(said.splitlines()) == 6


@pytest.mark.parametrize(
    "path",
    [
        "secret",
        "policy.carry",
        "heading.minutes",
        "sheets.0.student",
        "sheets.0.items.0.labels.answer",
        "files.key.md",
    ],
)
def test_no_field_of_the_manifest_can_be_changed_unseen(tmp_path: Path, run, made: Path, path: str) -> None:
    exam = tmp_path / "exam"
    shutil.copytree(made, exam)
    data = json.loads((exam / "manifest.json").read_text("utf-8"))
    *way, last = path.split(".", 1) if path.startswith("files") else path.split(".")
    place = data
    for name in way:
        place = place[int(name) if name.isdecimal() else name]
    place[last] = 7 if last == "minutes" else "0"
    (exam / "manifest.json").write_text(json.dumps(data), "utf-8")
    (exam / "sheets" / "EXTRA.pdf").write_text("")
    said = run("manifest", "verify", exam / "manifest.json", exit=1).stdout
    assert "manifest.json itself has been changed" in said
    assert "sheets/EXTRA.pdf does not belong to this exam" in said


def test_a_sheet_is_printed_once_more_from_the_manifest_alone(
    tmp_path: Path, run, made: Path, monkeypatch
) -> None:
    alone = tmp_path / "elsewhere" / "manifest.json"
    alone.parent.mkdir()
    shutil.copy(made / "manifest.json", alone)
    code = load_manifest(alone).sheets[0].code
    run("manifest", "reprint", alone, code.lower(), "--out", tmp_path / "again")
    again = {path.name: path.read_bytes() for path in (tmp_path / "again").iterdir()}
    assert set(again) == {f"{code}.md", f"{code}.html", f"{code}.pdf", f"{code}.ja.pdf"}
    assert all((made / "sheets" / name).read_bytes() == content for name, content in again.items())
    assert (
        "is there already"
        in run("manifest", "reprint", alone, code, "--out", tmp_path / "again", exit=2).stderr
    )
    assert "there is no sheet “XXXXX”" in run("manifest", "reprint", alone, "XXXXX", exit=2).stderr


@pytest.mark.parametrize("name", ["𠮷野", "🙂"], ids=["beyond JIS", "emoji"])
def test_a_name_that_cannot_be_printed_is_named_and_stands_in_all_but_the_pdf(
    tmp_path: Path, run, fonts, name: str
) -> None:
    fonts("")
    path = tmp_path / "r.csv"
    path.write_text(f"id,name\ns01,Learner\ns02,{name}\ns03,{name}2\n", "utf-8")
    words = ("sheet", "--roster", path, "--item", "masking.where", "--out", tmp_path / "x")
    said = run(*words, "--format", "pdf", "--format", "html", "--format", "md").stderr
    assert f"{name} (s02, " in said
    assert f"{name}2 (s03, " in said
    assert "s01" not in said
    for sheet in load_manifest(tmp_path / "x" / "manifest.json").sheets[1:]:
        assert name in (tmp_path / "x" / "sheets" / f"{sheet.code}.html").read_text("utf-8")
        assert name in (tmp_path / "x" / "sheets" / f"{sheet.code}.md").read_text("utf-8")


@pytest.mark.parametrize("format", ["pdf", "html"])
@pytest.mark.usefixtures("no_sheets")
def test_a_missing_extra_is_one_line_before_anything_is_posed(
    tmp_path: Path, run, format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compose, "compose", lambda *_, **__: pytest.fail("posed for nothing"))
    words = ("sheet", "--variants", 1, "--count", 1, "--format", format, "--out", tmp_path / "x")
    assert "needs the extra “sheets”: pip install 'quizengine[sheets]'" in run(*words, exit=3).stderr


def test_a_folder_that_cannot_be_made_is_one_sentence(run) -> None:
    said = run("sheet", "--variants", 1, "--count", 1, "--out", "/proc/exam", exit=3).stderr
    assert "/proc/exam: " in said


@pytest.mark.parametrize("out", ["/", "file"])
def test_a_place_where_no_folder_can_be_is_refused_before_anything_is_made(
    tmp_path, run, monkeypatch, out
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("mine")
    for more in ((), ("--force",)):
        said = run("sheet", "--variants", 1, "--count", 1, "--out", out, *more, exit=3).stderr
        assert f"{out} cannot be the folder of an exam: name another one" in said
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_one_run_at_a_time(tmp_path: Path, run) -> None:
    words = ("sheet", "--variants", 1, "--count", 1, "--out", tmp_path / "exam")
    with Run(tmp_path / "exam", "another call"):
        assert "another quizengine is making" in run(*words, exit=3).stderr
    shutil.rmtree(tmp_path / "exam.part")
    run(*words)


def test_keys_are_for_the_owner_alone(made: Path) -> None:
    for name in ("key.md", "key.html", "key.pdf", "overview.pdf"):
        assert stat.S_IMODE((made / name).stat().st_mode) == 0o600


@pytest.mark.parametrize("field", ["title", "instructions", "course"])
def test_a_heading_that_cannot_be_printed_leaves_nothing_behind(
    tmp_path: Path, run, fonts, field: str
) -> None:
    fonts("")
    path = tmp_path / "b.yaml"
    text = "format: 1\ntitle: x\nformats: [pdf]\nsections: [{items: [masking.where]}]\n"
    odd = text.replace("title: x", "title: Exam 😀") if field == "title" else f"{text}{field}: Exam 😀\n"
    path.write_text(odd, "utf-8")
    words = ("sheet", path, "--variants", 1, "--out", tmp_path / "exam")
    said = run(*words, exit=3).stderr
    assert "title, course, date or instructions cannot be printed as PDF" in said
    assert "😀" in said
    assert "cannot be printed as PDF" in run("blueprint", "check", path, exit=3).stderr
    assert [p.name for p in tmp_path.iterdir()] == ["b.drawn.yaml", "b.yaml"]
    path.write_text(text, "utf-8")
    run(*words)


def test_instructions_are_words_and_no_markup(tmp_path: Path, run) -> None:
    path = tmp_path / "b.yaml"
    words = "Fee $5, retake $10; `x and snake_case **"
    text = "format: 1\ntitle: x\nformats: [html, md]\nsections: [{items: [masking.where]}]\n"
    path.write_text(f"{text}instructions: '{words}'\n", "utf-8")
    run("sheet", path, "--variants", 1, "--out", tmp_path / "exam")
    [page] = (tmp_path / "exam" / "sheets").glob("*.html")
    assert words in page.read_text("utf-8")


def test_a_warning_of_the_typesetter_is_an_error(monkeypatch, fonts) -> None:
    fonts("")
    page = {
        "kind": "top",
        "lang": "en",
        "title": "x",
        "words": {},
        "course": "",
        "date": "",
        "instructions": [],
        "sheets": [{"student": "s", "name": "", "code": "2345A"}],
    }
    assert pdf_module.pdf(page).startswith(b"%PDF")
    with pytest.raises(InputError):
        pdf_module.pdf(page | {"sheets": [{"student": "\U0001f600", "name": "", "code": "2345A"}]})


@pytest.mark.parametrize("whose", ["4ddv5", "S01", "learner one"])
def test_a_sheet_is_found_by_its_code_or_whose_it_is(made: Path, tmp_path: Path, run, whose: str) -> None:
    shown = run("manifest", "reprint", made / "manifest.json", whose, "--format", "md", "--out", tmp_path)
    assert "4DDV5.md" in shown.stdout
    known = run("manifest", "reprint", made / "manifest.json", "s99", "--out", tmp_path, exit=2).stderr
    assert "there is no sheet “s99”" in known
