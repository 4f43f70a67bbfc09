"""A chunk of rows: what is made of it, over all families and what is written into them."""

from __future__ import annotations

from quizengine.grading.batch import Job, exam_of, finish
from quizengine.items.bank import load
from quizengine.items.policy import Policy
from quizengine.problems.part import NumericPart, key_text
from quizengine.problems.pose import pose
from quizengine.reports.report import report
from quizengine.sheets.manifest import Manifest, Sheet

ITEMS = [item.id for item in load() if item.family]


def texts(problem, values, places: int, *, off: int = 0) -> dict[str, str]:
    """The parts written with so many more places than are asked, the first entry moved by so many units."""
    out = {}
    for part in problem.parts:
        key = values.get(part.id, part.key)
        if not isinstance(part, NumericPart):
            out[part.id] = key_text(part, key)
            continue
        step = off * 10 ** (9 - (part.decimals or 0)) // 100
        cells = [
            [x + step if (i, j) == (0, 0) else x for j, x in enumerate(row)] for i, row in enumerate(key)
        ]
        digits = min(9, (part.decimals or 0) + places) if part.decimals else 0
        rows = ["[" + ", ".join(f"{x / 1e9:.{digits}f}" for x in row) + "]" for row in cells]
        out[part.id] = "[" + ", ".join(rows) + "]" if part.kind == "array" else rows[0][1:-1]
    return out


def written(problem) -> list[dict[str, str]]:
    """What is right, what is nearly right, what is right in other words, and what a believer writes."""
    ways = [texts(problem, {}, 2, off=off) for off in (0, 99, 101, 102, -101, -102)]
    ways += [
        texts(problem, {}, 0),
        texts(problem, {}, -1),
        {part.id: key_text(part, part.key) for part in problem.parts},
    ]
    ways += [{**ways[0], problem.parts[-1].id: other} for other in ("", "x", "1/2", "[[1]]", "-100000")]
    return ways + [texts(problem, rival.values, 2) for rival in problem.rivals]


def test_a_chunk_is_finished_the_same_with_pages_or_without(bank) -> None:
    """Pages of feedback change nothing else: marks, report and gradebook are the same."""
    jobs = []
    for seed, id_ in enumerate(ITEMS):
        problem = pose(bank.item(id_), seed, "en", bank.catalogue)
        labels = {part.id: f"1{chr(97 + i)}" for i, part in enumerate(problem.parts)}
        for number, way in enumerate(written(problem)):
            sheet = Sheet(f"{id_}-{number}", f"{id_}-{number}", (problem,), (labels,))
            answers = {labels[id_]: text for id_, text in way.items()}
            jobs.append(Job(number, sheet.line(), answers, False, ()))
    all_labels = [f"1{chr(97 + i)}" for i in range(12)]
    manifest = Manifest("", Policy(), (), bank.catalogue)
    exam = exam_of(manifest, "t", "en")._replace(labels=all_labels, similarity=True)
    short, long = finish(exam, jobs), finish(exam._replace(feedback="md"), jobs)
    assert len(long.pages) == len(jobs)
    long.pages = []
    assert report(short.tally) == report(long.tally)
    for name in ("fresh", "lines", "notes", "crashes", "wrong_numbers"):
        assert getattr(short, name) == getattr(long, name), name
