"""The budgets of the design, as benchmarks: `pytest tests/benchmarks --benchmark-only`."""

from __future__ import annotations

import gc
import itertools
from pathlib import Path

import numpy as np
import pytest
import yaml

from quizengine.attention.inputs import prepare
from quizengine.attention.patches import PATCHES
from quizengine.attention.solver import World, solve, solve_worlds
from quizengine.files.document import read_text
from quizengine.items.bank import builtin, load
from quizengine.marking.judge import judge
from quizengine.problems.distinct import candidates
from quizengine.problems.families import FAMILIES
from quizengine.problems.part import key_text
from quizengine.problems.pose import pose
from quizengine.responses.read import read

NUMERIC = [item.id for item in load() if item.family]


@pytest.mark.benchmark(group="pose with proof: at most 3 ms median")
@pytest.mark.parametrize("id_", NUMERIC)
def test_pose(benchmark, bank, id_: str) -> None:
    seeds = itertools.count()
    benchmark(lambda: pose(bank.item(id_), next(seeds), "en", bank.catalogue))


@pytest.mark.benchmark(group="mark: a number 0.06 ms, a row with diagnosis 0.3 ms, five parts 2 ms")
@pytest.mark.parametrize("what", ["number", "row", "staged-right", "staged-carried"])
def test_mark(benchmark, bank, what: str) -> None:
    ids = {"number": "scaling.spread", "row": "masking.padded-keys"}
    problem = pose(bank.item(ids.get(what, "order.whole-row")), 1, "en", bank.catalogue)
    texts = {part.id: key_text(part, part.key) for part in problem.parts}
    if what != "staged-right":
        rival = next(r for r in problem.rivals if r.misconception in ("scale-forgotten", "variances-added"))
        texts = {part.id: key_text(part, rival.values[part.id]) for part in problem.parts}
    if what in ("number", "row"):
        texts = dict([next(iter(texts.items()))])
        problem = problem._replace(parts=problem.parts[:1])
    benchmark(lambda: judge(problem, {id_: read(problem.part(id_), text) for id_, text in texts.items()}))


@pytest.mark.benchmark(group="100 typed matrices, each of its own variant: at most 20 ms, right ones 5 ms")
@pytest.mark.parametrize("what", ["right", "mistakes"])
def test_text_batch(benchmark, bank, what: str) -> None:
    jobs = []
    for seed in range(100):
        problem = pose(bank.item("head.dot-products"), seed, "en", bank.catalogue)
        [part] = problem.parts
        values = [r.values[part.id] for r in problem.rivals if r.values[part.id] != part.key]
        jobs.append(
            (problem, part, key_text(part, part.key if what == "right" else values[seed % len(values)]))
        )
    benchmark(lambda: [judge(problem, {part.id: read(part, text)}) for problem, part, text in jobs])


@pytest.mark.benchmark(group="10 000 items of YAML: at most 1 x CSafeLoader with the collector off")
@pytest.mark.parametrize("what", ["CSafeLoader", "strict"])
def test_reading_a_large_bank(benchmark, what: str) -> None:
    item = Path(builtin(), "masking.yaml").read_text("utf-8").split("- id: padding-side")[1].split("- id:")[0]
    text = "format: 1\nitems:\n" + "".join(f"- id: i{n}{item}" for n in range(10_000))
    if what == "strict":
        benchmark.pedantic(read_text, (text, "x.yaml"), rounds=3)
        return
    gc.disable()
    benchmark.pedantic(yaml.load, (text, yaml.CSafeLoader), rounds=3)
    gc.enable()


@pytest.mark.benchmark(group="all patches of a problem: at most 0.5 ms")
def test_all_patches(benchmark, bank) -> None:
    rng = np.random.default_rng(1)
    inputs = prepare(
        {
            "Q": rng.normal(size=(6, 4)),
            "K": rng.normal(size=(6, 4)),
            "V": rng.normal(size=(6, 3)),
            "mask": "causal",
        }
    )
    family = FAMILIES["causal"]
    ids = candidates(bank.catalogue, family, family.sized({}))
    worlds = [World(), *(World(PATCHES[id_]) for id_ in ids)]
    benchmark(lambda: solve_worlds(inputs, worlds))


@pytest.mark.benchmark(group="10 000 problems of n = 6, d = 4: at least 0.5 x the bare products")
@pytest.mark.parametrize("what", ["bare", "solver"])
def test_batched_solver(benchmark, what: str) -> None:
    rng = np.random.default_rng(1)
    q, k, v = (rng.normal(size=(10_000, 6, 4)) for _ in range(3))

    def bare():
        scores = np.einsum("bid,bjd->bij", q, k)
        weights = np.exp(scores)
        return np.einsum("bij,bjd->bid", weights / weights.sum(axis=-1, keepdims=True), v)

    inputs = prepare({"Q": q, "K": k, "V": v})
    benchmark(bare if what == "bare" else lambda: solve(inputs))


CLASS = 200


@pytest.fixture(scope="module")
def class_exam(tmp_path_factory):
    """Two hundred students, ten items, two pages."""
    from quizengine.sheets.blueprint import load_blueprint
    from quizengine.sheets.compose import compose
    from quizengine.sheets.lineup import drawn
    from quizengine.sheets.roster import Student

    path = tmp_path_factory.mktemp("class") / "b.yaml"
    path.write_text(
        "format: 1\ntitle: Midterm\nsections:\n- {type: [single_choice, true_false], count: 9}\n"
        "- {items: [masking.one-row]}\n",
        "utf-8",
    )
    bank = load()
    students = [Student(f"s{i:03}", f"Learner {i}") for i in range(CLASS)]
    plan = load_blueprint(path, bank)
    return compose(bank, plan, students, drawn(plan, b"a secret for the benchmark ......"))


@pytest.mark.slow
@pytest.mark.benchmark(group="200 students, 10 items: the PDFs of the students at most 15 s; memory flat")
@pytest.mark.parametrize("formats", [("pdf",), ("html",), ("md",)], ids="".join)
def test_a_class_of_sheets(benchmark, class_exam, tmp_path: Path, formats) -> None:
    import resource

    from quizengine.sheets.write import Run, files

    folders, wanted = itertools.count(), list(files(class_exam, formats))

    def call() -> list[Path]:
        with Run(tmp_path / f"exam{next(folders)}", "call") as run:
            return run.write(class_exam, wanted)

    call()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert len(benchmark.pedantic(call, rounds=1)) >= CLASS + 2
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    benchmark.extra_info["grown_kib"] = grown
    assert grown < 150_000
