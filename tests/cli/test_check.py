"""`check`: one file, watched or not, a skeleton to begin with, and a class in isolation."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from quizengine.checking import landlock, seccomp
from quizengine.checking.isolate import isolation
from quizengine.cli import check as command
from quizengine.cli.cores import cores
from tests.cli.conftest import RIGHT

WRONG = RIGHT.replace("@ V", "@ (V + 1)")
STOPS = RIGHT.replace("np.swapaxes(K, -1, -2)", "K[99]")
isolated = pytest.mark.skipif(
    not (landlock.version() and seccomp.available()), reason="this system has no isolation"
)


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "own.py"
    path.write_text(RIGHT)
    return path


def test_a_right_function_is_right(run, run_json, own: Path) -> None:
    assert run("check", "own.py").stdout.startswith("own.py:attention · single\n")
    told = run_json("check", "own.py:attention", "--task", "single")
    said = {
        name: told[name] for name in ("file", "function", "task", "verdict", "misconceptions", "possible")
    }
    assert said == {
        "file": "own.py",
        "function": "attention",
        "task": "single",
        "verdict": "right",
        "misconceptions": [],
        "possible": [],
    }
    assert run_json("check", "-", input=RIGHT)["verdict"] == "right"


def test_a_wrong_one_is_told_with_exit_1(run, run_json, own: Path) -> None:
    own.write_text(WRONG)
    assert run_json("check", "own.py", exit=1)["verdict"] == "wrong"
    own.write_text(STOPS)
    assert run_json("check", "own.py", exit=1)["verdict"] == "broken"
    told = run("check", "own.py", exit=1).stdout
    assert "It stops with IndexError in line 4: index 99 is out of bounds" in told
    assert "scores = Q @ K[99] / np.sqrt(Q.shape[-1])" in told
    assert "Traceback" not in told
    told = run("check", "own.py", "--lang", "ja", exit=1).stdout
    assert "4 行目で IndexError が発生して止まりました" in told


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("gone.py",), 3, "gone.py: No such file"),
        (("own.py", "--task", "singel"), 2, "there is no task “singel”; did you mean single?"),
        (("own.py", "--out", "x"), 2, "--out, --manifest and --trust are for a folder"),
        (("own.py", "--watch", "--json"), 2, "--watch is for a person"),
        ((".",), 2, "say with --out"),
        ((".", "--watch", "--out", "x"), 2, "leave out --watch"),
        (("empty", "--out", "x"), 3, "there is no .py or .ipynb file in empty"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_words_that_do_not_fit(run, own: Path, words, status: int, said: str) -> None:
    Path("empty").mkdir()
    isolation.cache_clear()
    assert said in run("check", *words, exit=status).output


def test_an_own_file_may_import_its_neighbours(run_json, own: Path) -> None:
    Path("tools.py").write_text("import numpy as np\ndef root(n): return np.sqrt(n)\n")
    own.write_text("from tools import root\n" + RIGHT.replace("np.sqrt", "root"))
    assert run_json("check", "own.py")["verdict"] == "right"
    assert not list(own.parent.rglob("*.pyc"))


def test_a_file_is_checked_again_when_it_is_saved(run, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = iter([None, WRONG, None, "", RIGHT, KeyboardInterrupt])

    def saved(_seconds: float) -> None:
        """What happens while nobody looks."""
        match next(looks):
            case "":
                own.unlink()  # an editor puts another in its place
            case str(text):
                own.write_text(text)
            case None:
                pass
            case leaves:
                raise leaves

    monkeypatch.setattr(command, "sleep", saved)
    told = run("check", "own.py", "--watch", exit=130).stdout
    assert told.count("own.py:attention · single") == 3
    assert next(looks, "no more") == "no more"


def test_a_fault_of_ours_is_no_verdict(run, run_json, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError("ours")

    monkeypatch.setattr("quizengine.checking.folder.check", fails)
    assert run_json("check", "own.py", exit=1)["error"] == {"code": "ungraded", "message": "ours"}
    assert "verdict" not in run("check", "own.py", exit=1).output


def test_what_is_checked_counts_as_an_answer(run, run_json, own: Path) -> None:
    assert run_json("progress")["answered"] == 0
    own.write_text(RIGHT.replace(" / np.sqrt(Q.shape[-1])", ""))
    assert run("check", "own.py", exit=1).stdout.endswith("Noted in your progress.\n")
    assert "Noted" not in run("check", "own.py", exit=1).stdout
    reached = run_json("progress")
    assert (reached["answered"], reached["points"], reached["percent"]) == (1, 1, 0)
    assert reached["misconceptions"] == {"scale-forgotten": 1}
    assert reached["objectives"].keys() == {"C1", "I1"}
    own.write_text(RIGHT)
    assert run("check", "own.py", "--lang", "ja").stdout.endswith("この結果を学習の記録に加えました。\n")
    assert run_json("progress")["percent"] == 50
    found = {each["id"]: each["standing"] for each in run_json("progress", "map")["objectives"]}
    assert (found["C1"], found["I1"], found["A3"]) == ("begun", "begun", "credited")
    Path("log.jsonl").write_text(run("progress", "export").stdout)
    run("progress", "forget", "--yes")
    assert run("progress", "import", "log.jsonl").stdout == "Sessions added: 2; here already: 0.\n"
    assert run_json("progress")["answered"] == 2


def test_what_is_no_answer_of_the_learner_is_not_noted(run, run_json, own: Path) -> None:
    run("check", "own.py", "--no-log")
    own.write_text(STOPS)
    run("check", "own.py", exit=1)
    assert run_json("progress")["answered"] == 0


def test_the_verdict_is_told_where_nothing_can_be_kept(run, own: Path) -> None:
    Path("full").write_text("no folder")
    told = run("check", "own.py", "--data-dir", "full")
    assert "Right on all" in told.stdout
    assert "Noted" not in told.stdout
    assert "full" in told.stderr


def test_a_skeleton_is_written_and_nothing_written_over(run, run_json, own: Path) -> None:
    for lang in ("en", "ja"):
        told = run("check", "new", "single", f"{lang}.py", "--lang", lang).stdout
        assert f"quizengine check {lang}.py" in told
        code = Path(f"{lang}.py").read_text("utf-8")
        assert "def attention(Q, K, V, mask=None):\n" in code
        compile(code, "new.py", "exec")
        told = run_json("check", f"{lang}.py", exit=1)
        assert (told["verdict"], told["function"]) == ("broken", "attention")
    run("check", "new", "single")
    assert Path("attention.py").exists()
    assert "own.py is there already" in run("check", "new", "single", "own.py", exit=2).stderr
    assert own.read_text() == RIGHT
    assert "there is no task" in run("check", "new", "doubel", exit=2).stderr


def notebook(code: str) -> str:
    return json.dumps({"cells": [{"cell_type": "code", "source": code, "outputs": ["x" * 2**21]}]})


@pytest.fixture
def class_folder(own: Path) -> Path:
    own.unlink()
    folder = own.parent / "in"
    files = {
        "One Learner_17_assignsubmission_file/attention.py": RIGHT,
        "s02/a.ipynb": notebook(RIGHT),
        "s03.py": STOPS,
        "s04.py": "import os\ntry: os.fork()\nexcept OSError: pass\n" + RIGHT,
        "s05.py": "def attention(Q, K, V, mask=None):\n    raise SystemExit\n",
        "s05.txt": "nothing",
        "s02/.ipynb_checkpoints/a-checkpoint.ipynb": notebook(WRONG),
        "=cmd.py": WRONG,
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


WHO = {
    "=cmd": "wrong",
    "One Learner (17)": "right",
    "s02": "right",
    "s03": "broken",
    "s04": "right",
    "s05": "broken",
}


@isolated
def test_a_class_is_a_line_and_a_page_for_each_file(run, run_json, class_folder: Path) -> None:
    done = run("check", "in", "--out", "out", exit=1)
    rows = list(csv.DictReader(Path("out/functions.csv").read_text("utf-8").splitlines()))
    assert {row["who"].lstrip("'"): row["verdict"] for row in rows} == WHO
    assert rows[0]["who"] == "'=cmd"
    pages = {path.name for path in Path("out/pages").glob("*.md")}
    assert pages == {row["page"] for row in rows}
    assert "Right: 3 of 6 functions." in done.stdout
    assert "s05.txt is left out" in done.stderr
    page = Path("out/pages", rows[3]["page"]).read_text("utf-8")
    assert page.startswith("# s03\n\nWhat was found in `s03.py`:")
    assert "`index 99 is out of bounds" in page
    assert [row["tried"] for row in rows] == ["", "", "", "", "process", ""]
    assert "to begin or change a process" in Path("out/pages", rows[4]["page"]).read_text("utf-8")


@isolated
def test_a_zip_and_json(run_json, class_folder: Path) -> None:
    with ZipFile("in.zip", "w") as archive:
        for path in sorted(class_folder.rglob("*.*")):
            archive.write(path, path.relative_to(class_folder))
    told = run_json("check", "in.zip", "--out", "out", "--lang", "ja", exit=1)
    assert {row["who"]: row["verdict"] for row in told} == WHO


def test_without_isolation_a_class_is_refused(
    run, class_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(landlock, "version", lambda: 0)
    monkeypatch.setenv("PATH", "")
    isolation.cache_clear()
    assert "--trust" in run("check", "in", "--out", "out", exit=2).stderr
    assert not Path("out").exists()
    for path in class_folder.glob("s0[45].py"):
        path.unlink()
    assert "Right: 2 of 4 functions." in run("check", "in", "--out", "out", "--trust", exit=1).stdout
    isolation.cache_clear()


@isolated
@pytest.mark.slow
@pytest.mark.skipif(cores() < 2, reason="two cores are asked for")
def test_two_hundred_files_take_two_minutes_at_most(run, own: Path) -> None:
    from time import perf_counter

    folder = own.parent / "in"
    folder.mkdir()
    for number in range(200):
        (folder / f"s{number:03}.py").write_text(WRONG if number % 3 else RIGHT)
    start = perf_counter()
    run("check", "in", "--out", "out", exit=1)
    assert perf_counter() - start < 120


@pytest.mark.parametrize(
    ("words", "typed", "offered"),
    [
        ((), "t", "Write it yourself and check it: quizengine check new causal\n"),
        (("--lang", "ja"), "t", "自分で関数を書いて確かめるには：quizengine check new causal\n"),
        ((), "f", ""),
        (("--mode", "exam"), "t\n:e\n:e", ""),
    ],
    ids=["right", "ja", "wrong", "exam"],
)
def test_take_offers_the_function_of_what_was_right(run, words, typed: str, offered: str) -> None:
    told = run("take", "--item", "head.without-the-mask", "--seed", 1, *words, input=f"{typed}\n").stdout
    assert offered in told
    assert ("check new" in told) is bool(offered)


def test_what_is_written_right_is_not_offered(run, own: Path) -> None:
    own.write_text(
        RIGHT.replace("def attention(Q, K, V, mask=None):", "def causal_attention(Q, K, V):").replace(
            "if mask is not None:", "mask = np.tri(Q.shape[-2], dtype=bool)\n    if True:"
        )
    )
    run("check", "own.py", "--task", "causal")
    assert "check new" not in run("take", "--item", "head.without-the-mask", "--seed", 1, input="t\n").stdout
