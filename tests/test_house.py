"""The house rules: forbidden arrows, one home for each foreign library, sizes, words in the catalogue."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from quizengine.lang.messages import CATALOGUE

ROOT = Path(__file__).parent.parent / "quizengine"
FILES = sorted(ROOT.rglob("*.py"))

ALLOWED = {
    "errors": set(),
    "lang": {"lang"},
    "files": {"files"},
    "attention": {"attention"},
    "items": {"items", "lang", "files"},
    "problems": {"problems", "items", "attention", "lang"},
    "responses": {"responses", "problems", "items", "lang"},
    "render": {"render", "problems", "items", "lang"},
    "marking": {"marking", "responses", "problems", "items", "attention", "lang"},
    "sheets": {"sheets", "render", "problems", "items", "lang", "files"},
    "feedback": {"feedback", "marking", "responses", "render", "problems", "items", "attention", "lang"},
}
ALLOWED["reports"] = {"reports"} | ALLOWED["feedback"]
ALLOWED["authoring"] = {"authoring", "reports"} | ALLOWED["feedback"]
BELOW_DOORS = ALLOWED["reports"] | ALLOWED["authoring"]
ALLOWED["sessions"] = {"sessions", "files"} | BELOW_DOORS
ALLOWED["grading"] = {"grading", "files"} | BELOW_DOORS
NARROW = {  # file: what it may not import though its folder may
    "sessions/session.py": {"store", "datetime", "time", "random", "secrets", "dice"},
    "items/item.py": {"pydantic", "yaml", "numpy"},
}
HOMES = {
    "click": ("cli/",),
    "sqlite3": ("sessions/", "grading/record/"),
    "yaml": ("files/document.py",),
    "pydantic": (
        "items/",
        "files/document.py",
        "sessions/exchange.py",
        "grading/intake/submissions.py",
        "grading/intake/column_map.py",
        "sheets/blueprint.py",
        "sheets/manifest.py",
    ),
    "pydantic_core": ("items/",),
    "random": (),
    "distributed": ("grading/cluster.py",),
    "fsrs": ("sessions/schedule.py",),
}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imports(path: Path) -> set[str]:
    """Every module that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)}: imports are absolute"
            found.add(node.module or "")
    return found


def forbidden(path: str, module: str) -> str:
    """Why this import is not allowed; empty when it is."""
    package, _, inside = module.partition(".")
    room = path.split("/", maxsplit=1)[0].removesuffix(".py")
    if package == "quizengine" and inside and room not in ("cli", "__main__", "__init__"):
        target = inside.split(".")[0]
        grading = room == "grading" and inside == "sheets.manifest"
        if target != "errors" and target not in ALLOWED[room] and not grading:
            return f"{path} may not import {module}"
    homes = HOMES.get(package)
    if homes is not None and not any(path.startswith(home) for home in homes):
        return f"{path}: {package} lives in {homes or 'nowhere'}"
    if any(part in NARROW.get(path, ()) for part in module.split(".")):
        return f"{path} may not import {module}"
    return ""


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_arrows(path: Path) -> None:
    assert not [why for module in imports(path) if (why := forbidden(name_of(path), module))]


@pytest.mark.parametrize(
    ("path", "module"),
    [
        ("attention/solver.py", "quizengine.items.item"),
        ("items/bank.py", "quizengine.problems.pose"),
        ("marking/judge.py", "quizengine.render.blocks"),
        ("render/blocks.py", "quizengine.marking.mark"),
        ("sheets/sheet.py", "quizengine.responses.read"),
        ("grading/batch.py", "quizengine.sheets.sheet"),
        ("sessions/session.py", "quizengine.sessions.store"),
        ("reports/tally.py", "quizengine.cli.screen"),
        ("sessions/practice.py", "quizengine.cli.screen"),
        ("attention/solution.py", "quizengine.items.catalogue"),
        ("render/matrix.py", "quizengine.attention.stage"),
        ("problems/dice.py", "random"),
        ("marking/judge.py", "click"),
    ],
)
def test_a_forbidden_arrow_is_seen(path: str, module: str) -> None:
    assert forbidden(path, module)


HEAVY = {"numpy", "pydantic", "fsrs", "jinja2", "markupsafe", "typst", "openpyxl", "distributed"}
LATE = {  # what else is imported in a function, and why
    "quizengine.cli.house": "the collector is told first that little here is cyclic",
    "quizengine.sessions.reply": "the first question waits for nothing that only an answer needs",
    "quizengine.sessions.exam": "it imports the reply",
    "quizengine.sessions.mastery": "the very first question has no history",
    "quizengine.files.document": "a bank that is compiled needs no YAML",
    "difflib": "where a name is unknown",
    "fcntl": "not on every system",
    "locale": "where no variable names a language",
    "readline": "where a person types",
}


def imports_of(node: ast.AST) -> Iterator[str]:
    """The modules of one import; what comes from a folder may be a module itself."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield node.module or ""
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def brings(module: str) -> bool:
    """Does importing this load something heavy?"""
    package, _, inside = module.partition(".")
    path = ROOT.joinpath(*inside.split(".")).with_suffix(".py")
    if package != "quizengine" or not path.exists():
        return package in HEAVY
    at_top = ast.parse(path.read_text("utf-8")).body
    return any(brings(name) for node in at_top for name in imports_of(node) if name != module)


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_imports_stand_at_the_top(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for node in (inner for function in functions for inner in ast.walk(function)):
        names = list(imports_of(node))
        assert not names or any(name in LATE or brings(name) for name in names), f"line {node.lineno}"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_sizes(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= 400
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert (node.end_lineno or 0) - node.lineno < 60, f"{node.name} has more than 60 lines"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_public_things_say_what_they_are(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    assert ast.get_docstring(tree) or not tree.body
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            if name_of(path) == "items/form.py":
                continue  # the fields of the format say it themselves
            assert ast.get_docstring(node), f"{node.name} has no docstring"


def test_a_name_means_one_thing() -> None:
    """No two files have one name, but for groups of commands: they are named for what they work on."""
    names = [path.stem for path in FILES if path.parent.name != "cli" and path.stem != "__init__"]
    assert sorted({*names}) == sorted(names)


def test_only_screen_prints() -> None:
    for path in FILES:
        tree = ast.walk(ast.parse(path.read_text("utf-8")))
        names = [ast.unparse(node.func) for node in tree if isinstance(node, ast.Call)]
        prints = {"print", "input", "builtins.print", "builtins.input"} & {*names}
        assert not prints or name_of(path) == "cli/screen.py"


def fields(message: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(message) if name}


@pytest.mark.parametrize("key", sorted(CATALOGUE["en"]))
def test_every_message_is_in_both_languages(key: str) -> None:
    english, japanese = CATALOGUE["en"][key], CATALOGUE["ja"][key]
    assert fields(english) == fields(japanese)
    assert japanese.strip()
    assert not re.search(
        r"[,;] |[A-Za-z]{3,}\s[a-z]{3,}\s[a-z]{3,}", re.sub(r"quizengine \w+", "", japanese)
    ) or (key.startswith(("unreadable.", "ask.", "worked.", "convention.", "family.")))


def test_no_message_is_left_over() -> None:
    assert set(CATALOGUE["en"]) == set(CATALOGUE["ja"])
    code = "\n".join(
        path.read_text("utf-8") for path in FILES if not re.fullmatch(r"(en|ja)(_class)?\.py", path.name)
    )
    dynamic = (
        "ask.",
        "unreadable.",
        "reason.",
        "verdict.",
        "convention.",
        "family.",
        "worked.",
        "topic.",
        "stage.",
        "note.",
        "solve.",
        "html.",
        "verify.",
        "remark.",
        "parity.",
        "because.",
        "kind.",
        "state.",
        "row.",
        "feedback.",
    )
    unused = [
        k
        for k in CATALOGUE["en"]
        if not k.startswith(dynamic) and f'"{k}"' not in code and f"'{k}'" not in code
    ]
    assert not unused
