"""How a class writes its answers."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from quizengine.problems.problem import key_text


@pytest.fixture(scope="session")
def written():
    """What a learner writes who means this value: two more places than asked."""

    def call(part, key) -> str:
        if not part.is_number:
            return key_text(part, key)
        places = (part.decimals or 0) + 2 if part.decimals else 0
        rows = [" ".join(f"{x / 1e9:.{places}f}" for x in row) for row in key]
        return "[" + "; ".join(rows) + "]" if part.kind == "array" else rows[0]

    return call


@pytest.fixture(scope="session")
def crowd(bank, written, tmp_path_factory):
    """An exam of so many students with a variant each, and a CSV of answers of which three in ten are those
    of a misconception; its folder. It is made once."""
    from quizengine.sheets.compose import compose
    from quizengine.sheets.manifest import keep_on_disk
    from quizengine.sheets.plan import Blueprint, Heading, Section
    from quizengine.sheets.roster import Student

    made: dict[tuple[int, tuple[str, ...]], Path] = {}

    def call(size: int, *items: str) -> Path:
        if (size, items) in made:
            return made[size, items]
        folder = made[size, items] = tmp_path_factory.mktemp(f"crowd-{size}")
        heads = tuple(bank.item(id_).head for id_ in items)
        plan = Blueprint(Heading(), (Section(heads, len(heads), named=True),))
        students = [Student(f"s{i:06}") for i in range(size)]
        keep = keep_on_disk(folder / "sheets.lines")
        manifest = compose(bank, plan, students, b"a secret of a crowd, 32 bytes ..", keep)
        manifest.save(folder / "manifest.json")
        with (folder / "answers.csv").open("w", encoding="utf-8", newline="") as file:
            out = csv.writer(file)
            out.writerow(["student", *manifest.labels])
            for number, sheet in enumerate(manifest.sheets):
                cells = []
                for place, problem in enumerate(sheet.problems):
                    astray = (7 * number + 3 * place) % 10 >= 7 and problem.rivals
                    values = problem.rivals[number // 10 % len(problem.rivals)].values if astray else {}
                    cells += [written(part, values.get(part.id, part.key)) for part in problem.parts]
                out.writerow([sheet.student, *cells])
        return folder

    return call
