"""`solve --answer`: typed or from files, in sentences and in JSON, with the exit status that says no."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from quizengine.attention.solution import Solution

OWN = {
    "Q": [[1, 0, 1, 1], [0, 1, 1, 1], [1, 0, 0, 1]],
    "K": [[1, 1, 0, 1], [1, 0, 1, 1], [0, 1, 1, 0], [0, 0, 0, 1]],
    "V": [[1, 0], [3, 1], [0, 4], [2, 2]],
}
PUBLISHED = "[0.18877034, 0.31122968, 0.18877034, 0.31122968]"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "own.json"
    path.write_text(json.dumps(OWN))
    return path


def test_a_right_answer_is_said_to_be_right(run, run_json, file: Path) -> None:
    right = Solution(OWN).right["output"].tolist()
    told = run("solve", file, "--answer", str(right)).stdout.splitlines()
    assert told[0] == "Right: this is what comes out in the stage “output”."
    assert "within 1.01e-06 of each other" in told[1]
    out = run_json("solve", file, "--answer", str(right[2]))
    assert {name: value for name, value in out.items() if name != "stages"} == {
        "verdict": "right",
        "misconceptions": [],
        "possible": [],
        "observations": [],
        "rows": [3],
        "within": 1.01e-06,
    }
    assert out["stages"]["output"] == right


def test_what_gives_a_wrong_answer_is_named_with_its_stage(run, run_json, file: Path) -> None:
    out = run_json("solve", file, "--answer", PUBLISHED, "--stage", "weights", exit=1)
    assert (out["verdict"], out["misconceptions"]) == (
        "wrong",
        ["keys-not-transposed", "keys-reshaped"],
    )
    assert (out["stage"], out["rows"]) == ("scores", [1])
    told = run("solve", file, "--answer", PUBLISHED, "--stage", "weights", exit=1).stdout
    assert "QK is computed instead of QKᵀ" in told
    assert "The difference begins in the stage “scores”." in told
    told = run("solve", file, "--answer", PUBLISHED, "--stage", "weights", "--lang", "ja", exit=1).stdout
    assert "違いが最初に現れるのは、段階「scores」です。" in told


def test_two_mistakes_and_observations_in_json(run_json, file: Path) -> None:
    scores = Solution(OWN).right["scores"]

    def weights(exponents: np.ndarray) -> str:
        shares = np.exp(exponents)
        return str((shares / shares.sum(axis=1, keepdims=True)).round(6).tolist())

    out = run_json("solve", file, "--stage", "weights", "--answer", weights(scores / 3), exit=1)
    assert {"id": "seen.divided", "divisor": "3", "root": "2"} in out["observations"]
    wrong = np.array(OWN["Q"]) @ np.array(OWN["K"])
    out = run_json("solve", file, "--stage", "weights", "--answer", weights(wrong), exit=1)
    assert out["misconceptions"] == []
    assert ["keys-not-transposed", "scale-forgotten"] in map(sorted, out["possible"])


@pytest.mark.parametrize("suffix", [".npy", ".json", ".txt", "-"])
def test_an_answer_from_a_file(run, run_json, file: Path, tmp_path: Path, suffix: str) -> None:
    right = Solution(OWN).right["output"]
    name, typed = str(tmp_path / f"answer{suffix}"), ""
    if suffix == ".npy":
        np.save(name, right.astype(np.float32))
    elif suffix == "-":
        name, typed = "-", str(right)
    else:
        Path(name).write_text(json.dumps(right.tolist(), indent=1) if suffix == ".json" else str(right))
    assert run_json("solve", file, "--answer", name, input=typed)["verdict"] == "right"
    assert run("solve", file, "--answer", name, input=typed).stdout.startswith("Right")


@pytest.mark.parametrize(
    ("words", "exit", "message"),
    [
        (("--answer", "1 x"), 3, "--answer: “x” is not a number (character 3, “x”)."),
        (("--answer", "1 2 3"), 3, "--answer: This reads as 1 × 3; 3 × 2 is asked."),
        (("--answer", "1 2 3; 4 5 6"), 3, "Are rows and columns swapped?"),
        (("--answer", " "), 3, "--answer: There are no numbers here."),
        (("--answer", "none.json"), 3, "none.json: No such file"),
        (("--answer", "none.npy"), 3, "none.npy: No such file"),
        (("--answer", "1 2", "--stage", "outputs"), 2, "did you mean output?"),
        (("--stage", "output"), 2, "give --answer too"),
        (("--answer", "1 2", "--misconception", "scale-forgotten"), 2, "leave out --misconception"),
        (("--answer", "1 2", "--all-misconceptions"), 2, "leave out --misconception"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(
    run, file: Path, words: tuple[str, ...], exit: int, message: str
) -> None:
    told = run("solve", file, *words, exit=exit).stderr
    assert message in told
    assert len(told.splitlines()) == 1


def test_one_standard_input_is_not_two(run) -> None:
    assert "cannot both be standard input" in run("solve", "-", "--answer", "-", exit=2).stderr


def test_several_arrays_in_a_file_are_no_answer(run, file: Path, tmp_path: Path) -> None:
    np.savez(tmp_path / "many.npz", a=np.ones(2))
    (tmp_path / "many.npz").rename(tmp_path / "many.npy")
    told = run("solve", file, "--answer", tmp_path / "many.npy", exit=3).stderr
    assert "holds several arrays" in told


def test_unknown_numbers_are_said_to_be_unknown(run, file: Path) -> None:
    told = run("solve", file, "--answer", "1.234 0.777; 3.141 2.222; 0.123 0.9", exit=1).stdout
    assert " ".join(told.split()).endswith("that are known here give these numbers.")
