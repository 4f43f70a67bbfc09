"""Large classes: the same bytes whoever marks and whatever is killed, and memory that stays flat."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from time import monotonic

import pytest

from quizengine.grading.record.results import Results, history_query

CLASS = 1_500  # three chunks
RUN = "import sys; from quizengine.cli import main; sys.exit(main())"
WATCHED = (
    "import resource, sys; from quizengine.cli import main\n"
    "try: main()\n"
    "finally: print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
)


def command(folder: Path, out: Path, *more: object, code: str = RUN) -> list[str]:
    words = ["grade", folder / "manifest.json", folder / "answers.csv", "--out", out, *more]
    return [sys.executable, "-c", code, *map(str, words)]


def fresh(folder: Path, to: Path) -> Path:
    """The exam, without any marks, in a folder of its own."""
    to.mkdir()
    for name in ("manifest.json", "answers.csv"):
        shutil.copy(folder / name, to / name)
    return to


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def marks(folder: Path) -> list[tuple]:
    """Every mark on record but for its time."""
    db = sqlite3.connect(folder / "results.sqlite")
    fields = "code, label, kind, raw, verdict, credit, points, misconceptions, item, key, engine, policy, why"
    found = db.execute(f"select {fields} from mark order by id").fetchall()
    db.close()
    return found


def begun(folder: Path) -> bool:
    """Is the first mark on record?"""
    try:
        return bool(marks(folder))
    except sqlite3.OperationalError:
        return False


def grade(folder: Path, out: Path, *more: object, code: str = RUN) -> str:
    done = subprocess.run(command(folder, out, *more, code=code), capture_output=True, text=True, check=True)
    return done.stderr


def test_one_process_or_two(crowd, tmp_path: Path) -> None:
    """The same bytes and the same record; several chunks."""
    made = crowd(CLASS, "head.dot-products")
    one, two = fresh(made, tmp_path / "one"), fresh(made, tmp_path / "two")
    grade(one, one / "m", "--no-html")
    grade(two, two / "m", "--no-html", "--jobs", 2)
    assert marks(one) == marks(two)
    assert len(marks(one)) == CLASS
    logs = [(f / "m" / "grading.txt").read_text("utf-8") for f in (one, two)]
    assert logs[0] == logs[1]
    assert {**contents(one / "m"), "grading.txt": b""} == {**contents(two / "m"), "grading.txt": b""}


@pytest.fixture(scope="module")
def whole(crowd, tmp_path_factory) -> tuple[Path, dict[str, bytes], list[tuple]]:
    """A class of several chunks, what grading writes of it, and the record."""
    made = crowd(CLASS, "head.dot-products")
    folder = fresh(made, tmp_path_factory.mktemp("whole") / "exam")
    grade(folder, folder / "m", "--no-html")
    return made, contents(folder / "m"), marks(folder)


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0.2 + 0.03 * n for n in range(40)])
def test_a_run_that_is_killed_and_run_again_gives_the_same_bytes(
    whole, tmp_path: Path, seconds: float
) -> None:
    made, bytes_, record = whole
    folder = fresh(made, tmp_path / "exam")
    jobs = 1 + (round(seconds * 100) % 2)
    with subprocess.Popen(
        command(folder, folder / "m", "--no-html", "--jobs", jobs), stdout=subprocess.DEVNULL
    ) as child:
        try:
            child.wait(seconds)
        except subprocess.TimeoutExpired:
            child.kill()
    grade(folder, folder / "m", "--no-html")
    assert contents(folder / "m") == bytes_
    assert sorted(marks(folder)) == sorted(record)


def test_a_worker_that_is_killed_is_one_sentence(crowd, tmp_path: Path) -> None:
    """What is done is kept, and the same call goes on."""
    folder = fresh(crowd(CLASS, "head.dot-products"), tmp_path / "exam")
    code = (
        "import os, signal, sys\n"
        "from quizengine.grading import batch\n"
        "real = batch.finished\n"
        "def finished(rows, manifest, results, exam, executor=None, ahead=4):\n"
        "    for number, done in enumerate(real(rows, manifest, results, exam, executor, ahead)):\n"
        "        yield done\n"
        "        for child in list(executor._processes) if number == 0 else []:\n"
        "            os.kill(child, signal.SIGKILL)\n"
        "        if number == 0: executor.submit(len, bytes(2**20))\n"  # more than a pipe holds
        "import quizengine.grading.grade as g\n"
        "g.finished = finished\n"
        "g.AHEAD = 0\n"
        "from quizengine.cli import main\n"
        "if __name__ == '__main__': sys.exit(main())\n"
    )
    script = tmp_path / "killing.py"
    script.write_text(code, "utf-8")
    words = command(folder, folder / "m", "--no-feedback", "--jobs", 2)[3:]
    done = subprocess.run([sys.executable, script, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "a process that marks has been killed; what is done is kept" in done.stderr
    assert "Traceback" not in done.stderr
    kept = marks(folder)
    assert 0 < len(kept) < CLASS
    grade(folder, folder / "m", "--no-feedback")
    assert marks(folder)[: len(kept)] == kept
    assert len(marks(folder)) == CLASS


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are looked up in /proc")
def test_processes_end_with_the_one_that_called_them(crowd, tmp_path: Path) -> None:
    folder = fresh(crowd(CLASS, "head.dot-products"), tmp_path / "exam")
    words = command(folder, folder / "m", "--jobs", 2)
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as parent:
        listed = Path(f"/proc/{parent.pid}/task/{parent.pid}/children")
        while not begun(folder):
            assert parent.poll() is None
        workers = [Path(f"/proc/{pid}") for pid in listed.read_text().split()]
        parent.kill()
    assert len(workers) >= 2
    until = monotonic() + 30
    while any(worker.exists() for worker in workers):
        assert monotonic() < until, "a process waits for work for ever"


FULL = (
    "import resource, sys\n"
    "from quizengine.cli import main\n"
    "resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))\n"
    "sys.exit(main())"
)


@pytest.mark.parametrize("limit", [12_000, 60_000, 400_000])
def test_a_disk_that_is_full_half_way_is_one_sentence(crowd, tmp_path: Path, limit: int) -> None:
    """The system refuses to let any file grow further; what is done is kept, and the same call goes on."""
    made = crowd(CLASS, "head.dot-products")
    folder, whole = fresh(made, tmp_path / "exam"), fresh(made, tmp_path / "whole")
    words = command(folder, folder / "m", "--no-feedback", code=FULL.format(limit=limit))
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert "and the same call goes on" in done.stderr
    for each in (folder, whole):
        grade(each, each / "m", "--no-feedback")
    assert marks(folder) == marks(whole)
    assert contents(folder / "m") == contents(whole / "m")


@pytest.mark.slow
def test_memory_stays_flat(crowd, tmp_path: Path) -> None:
    """From 2 000 answers to 20 000 it grows by less than a third."""
    peaks = []
    for size in (2_000, 20_000):
        folder = fresh(crowd(size, "head.dot-products"), tmp_path / str(size))
        said = grade(folder, folder / "m", "--no-feedback", code=WATCHED)
        peaks.append(int(said.splitlines()[-1]))
    assert peaks[1] < 1.33 * peaks[0], peaks


def test_what_is_asked_of_the_record_is_found_by_an_index(crowd, tmp_path: Path) -> None:
    folder = fresh(crowd(CLASS, "head.dot-products"), tmp_path / "exam")
    Results(folder / "manifest.json").close()
    db = sqlite3.connect(folder / "results.sqlite")
    plan = [row[3] for row in db.execute(f"explain query plan {history_query(3)}", ["a", "b", "c"])]
    db.close()
    assert any("SEARCH mark USING INDEX mark_place (code=?)" in step for step in plan)
    assert not any(step.startswith("SCAN") for step in plan)
