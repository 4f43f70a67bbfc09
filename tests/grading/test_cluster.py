"""The same grading on a Dask cluster, here of two workers on this machine: the same bytes, whatever dies."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from quizengine.errors import InputError
from quizengine.grading import batch
from quizengine.grading.batch import exam_of, finish
from quizengine.sheets.manifest import load_manifest

from .test_scale import RUN, begun, command, contents, fresh, grade, marks

pytest.importorskip("distributed", reason="the extra “scale” is not installed")


class Dask:
    """A scheduler, and the workers that are started for it; all are gone in the end."""

    def __init__(self) -> None:
        words = ["scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-jupyter"]
        self.processes: list[subprocess.Popen] = []
        self.address = self._started(words, r"Scheduler at:\s*(tcp://\S+)")

    def worker(self) -> subprocess.Popen:
        words = ["worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
        self._started([*words, "--host", "127.0.0.1"], r"Registered to:\s*(tcp://\S+)")
        return self.processes[-1]

    def _started(self, words: list[str], sign: str) -> str:
        call = [sys.executable, "-m", "dask", *words]
        process = subprocess.Popen(call, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        self.processes.append(process)
        for line in process.stderr:
            if found := re.search(sign, line):
                return found[1]
        raise AssertionError(f"{words} did not start")

    def stop(self) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait()
            process.stderr.close()


@pytest.fixture
def dask() -> Iterator[Dask]:
    made = Dask()
    yield made
    made.stop()


def test_a_cluster_gives_the_same_bytes_and_a_killed_worker_loses_nothing(
    crowd, dask: Dask, tmp_path: Path
) -> None:
    made = crowd(2_000, "head.dot-products")
    one, many = fresh(made, tmp_path / "one"), fresh(made, tmp_path / "many")
    grade(one, one / "m", "--no-html")
    victim, _ = dask.worker(), dask.worker()
    words = command(many, many / "m", "--no-html", "--dask", dask.address)
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as child:
        while child.poll() is None and not begun(many):
            pass
        victim.kill()
        said = child.communicate()[1]
    assert child.returncode == 0, said
    assert contents(many / "m") == contents(one / "m")
    assert marks(many) == marks(one)


def test_what_is_wrong_with_a_cluster_is_one_sentence(crowd, dask: Dask, tmp_path: Path) -> None:
    folder = fresh(crowd(600, "head.dot-products"), tmp_path / "exam")

    def said(address: str) -> str:
        words = command(folder, folder / "m", "--dask", address)
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 3
        assert "Traceback" not in done.stderr
        return done.stderr

    assert f"the cluster at {dask.address} has no workers: start one" in said(dask.address)
    for address in ("nonsense://x", "tcp://", "tcp://127.0.0.1:1"):
        assert f"no Dask scheduler answers at {address}" in said(address)


def test_another_version_marks_nothing(crowd, monkeypatch) -> None:
    exam = exam_of(load_manifest(crowd(600, "head.dot-products") / "manifest.json"), "t", "en")
    monkeypatch.setattr(batch, "__version__", "9.9")
    with pytest.raises(InputError, match=r"a worker has quizengine 9\.9: install"):
        finish(exam, [])


def test_without_the_extra(crowd, tmp_path: Path) -> None:
    folder = fresh(crowd(600, "head.dot-products"), tmp_path / "exam")
    code = f"import sys; sys.modules['distributed'] = None; {RUN}"
    words = command(folder, folder / "m", "--dask", "tcp://127.0.0.1:1", code=code)
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "needs the extra “scale”: pip install 'quizengine[scale]'" in done.stderr
