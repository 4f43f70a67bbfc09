"""The house rules: forbidden arrows, one home for each foreign library, sizes, words in the catalogue."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

from quizengine.attention.solver import solve
from quizengine.errors import PosingError
from quizengine.items.answer import Ask, Numeric
from quizengine.items.bank import Bank
from quizengine.lang.messages import CATALOGUE
from quizengine.problems.families import FAMILIES
from quizengine.problems.families.family import Family
from quizengine.problems.hints import hints
from quizengine.problems.pose import pose
from quizengine.problems.problem import Problem

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
ALLOWED["checking"] = {"checking", "files"} | BELOW_DOORS
ALLOWED["exchange"] = {"exchange", "files"} | BELOW_DOORS
SHEETS = ("sheets.manifest", "sheets.roster", "sheets.sheet_code")
ALSO = {"grading": SHEETS, "exchange": (*SHEETS, "grading.intake")}  # of other doors
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
        "sheets/lineup.py",
        "sheets/manifest.py",
    ),
    "pydantic_core": ("items/",),
    "random": (),
    "distributed": ("grading/cluster.py",),
    "fsrs": ("sessions/schedule.py",),
}


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imports(path: Path) -> set[str]:
    """Every module that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(tree_of(path)):
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
        also = any(f"{inside}.".startswith(f"{other}.") for other in ALSO.get(room, ()))
        if target != "errors" and target not in ALLOWED[room] and not also:
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
        ("exchange/moodle.py", "quizengine.sheets.compose"),
        ("exchange/moodle.py", "quizengine.grading.batch"),
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


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_sizes(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= 400
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert (node.end_lineno or 0) - node.lineno < 60, f"{node.name} has more than 60 lines"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_public_things_say_what_they_are(path: Path) -> None:
    tree = tree_of(path)
    assert ast.get_docstring(tree) or not tree.body
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            if name_of(path) == "items/form.py":
                continue  # the fields of the format say it themselves
            assert ast.get_docstring(node), f"{node.name} has no docstring"


def test_only_screen_prints() -> None:
    for path in FILES:
        tree = ast.walk(tree_of(path))
        names = [ast.unparse(node.func) for node in tree if isinstance(node, ast.Call)]
        prints = {"print", "input", "builtins.print", "builtins.input"} & {*names}
        assert not prints or name_of(path) == "cli/screen.py"


HEAVY = {  # NumPy, Pydantic, fsrs and the extras, with what comes with them
    *(
        "numpy",
        "pydantic",
        "pydantic_core",
        "fsrs",
        "jinja2",
        "markupsafe",
        "typst",
        "openpyxl",
        "distributed",
    ),
}
LATE = {  # what else is imported in a function, and why
    "quizengine.cli.house": "the collector is told first that little here is cyclic",
    "quizengine.files.loan": "a question borrows no folder",
    "quizengine.items.bank": "help needs no bank",
    "quizengine.sessions.clock": "help needs no store",
    "quizengine.sessions.day": "help needs no store",
    "quizengine.sessions.store": "help needs no store",
    "quizengine.sessions.reply": "the first question waits for nothing that only an answer needs",
    "quizengine.sessions.coach": "the first question has nothing before it to plan by",
    "quizengine.sessions.exam": "it imports the reply",
    "quizengine.sessions.mastery": "the very first question has no history",
    "quizengine.files.document": "a bank that is compiled needs no YAML",
    "quizengine.items.reference": "a bank that is compiled has been looked through",
    "quizengine.authoring.style": "help looks at no bank",
    "quizengine.cli.blueprint": "help draws nothing",
    "quizengine.cli.functions": "one file needs no pages",
    "quizengine.feedback.comparison": "help tells no mark",
    "quizengine.feedback.follow_up": "help tells no mark",
    "quizengine.feedback.sentences": "help tells no mark",
    "quizengine.grading.processes": "most calls are over before others could help",
    "concurrent.futures": "most calls are over before others could help",
    "importlib": "help reads no file",
    "pathlib": "a first question needs plain paths alone",
    "difflib": "where a name is unknown",
    "fcntl": "not on every system",
    "locale": "where no variable names a language",
    "readline": "where a person types",
}
ROOMS_IN_ING = {"marking", "grading", "checking", "authoring"}  # nouns of their own, as the design names them
MODULES = {
    "quizengine." + name_of(path).removesuffix(".py").replace("/", ".").removesuffix(".__init__"): path
    for path in FILES
}


class Imports(NamedTuple):
    """What a file imports: modules of others, and files of ours."""

    others: frozenset[str]
    ours: frozenset[Path]


def imported(nodes: Iterable[ast.AST]) -> Imports:
    """What these statements import; a name of a package that is a file of it stands for the file."""
    modules = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            parts = {f"{node.module}.{alias.name}" for alias in node.names}
            modules |= (parts & MODULES.keys()) | ({node.module} if parts - MODULES.keys() else set())
    others = {module.split(".")[0] for module in modules if module not in MODULES}
    return Imports(frozenset(others), frozenset(MODULES[module] for module in modules if module in MODULES))


def nodes_of(tree: ast.AST, *, late: bool = False) -> Iterator[tuple[ast.AST, bool]]:
    """Every node below, and whether it stands in a function; what only a type checker reads is left out."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        yield node, late
        yield from nodes_of(node, late=late or isinstance(node, (ast.FunctionDef, ast.Lambda)))


@cache
def at_once(path: Path) -> Imports:
    """What is imported when the file is."""
    return imported(node for node, late in nodes_of(tree_of(path)) if not late)


@cache
def loads(path: Path) -> frozenset[str]:
    """What of HEAVY is loaded with a file: what it and the files that it imports at once import at once."""
    seen, open_ = {path}, [path]
    while open_:
        new = at_once(open_.pop()).ours - seen
        seen |= new
        open_ += new
    return frozenset(HEAVY & {other for file in seen for other in at_once(file).others})


def late_imports(path: Path) -> tuple[list[str], set[Path]]:
    """The imports in functions that put nothing off: nothing of HEAVY that the file does not load anyway, be
    it the module itself or what is loaded with a file of ours. And the files of ours among them."""
    idle, files = [], set()
    for node, late in nodes_of(tree_of(path)):
        if late and isinstance(node, (ast.Import, ast.ImportFrom)):
            others, ours = imported([node])
            put_off = (HEAVY & others).union(*(loads(file) for file in ours)) - loads(path)
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module]
            names += [f"{node.module}.{a.name}" for a in node.names if isinstance(node, ast.ImportFrom)]
            if not put_off and not any(name in LATE for name in names):
                idle.append(f"{name_of(path)}:{node.lineno}: {ast.unparse(node)}")
                files |= ours
    return idle, files


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_only_what_is_heavy_is_imported_late(path: Path) -> None:
    """An import stands at the top of the file, unless it puts off numpy, pydantic, fsrs or an extra."""
    assert late_imports(path)[0] == []


def circles(edges: Mapping[Path, Iterable[Path]]) -> list[list[str]]:
    """The files that reach themselves, each circle once."""
    reached: dict[Path, set[Path]] = {}
    for start in edges:
        reached[start], open_ = set(), [start]
        while open_:
            new = set(edges[open_.pop()]) - reached[start]
            reached[start] |= new
            open_ += new
    groups = {frozenset(b for b in reached[a] if a in reached[b]) for a in edges if a in reached[a]}
    return sorted(sorted(map(name_of, group)) for group in groups)


def test_no_files_import_each_other_in_a_circle() -> None:
    """By imports at the top; those in functions count too, but where they put off what is heavy."""
    assert circles({path: at_once(path).ours | late_imports(path)[1] for path in FILES}) == []


def test_a_circle_is_seen() -> None:
    a, b, c = (ROOT / f"{name}.py" for name in "abc")
    assert circles({a: {b}, b: {c}, c: {b}}) == [["b.py", "c.py"]]
    assert circles({a: {b, c}, b: {c}, c: set()}) == []
    assert circles({a: {a}}) == [["a.py"]]


RUN = {"exec", "eval", "__import__", "importlib.import_module", "runpy.run_path", "runpy.run_module"}


def test_only_the_child_runs_the_code_of_a_learner() -> None:
    """Nobody imports the child but its own process, by the words that begin it."""
    runs = set()
    for path in (path for path in FILES if name_of(path).startswith(("checking/", "cli/check"))):
        assert "quizengine.checking.child" not in imports(path)
        names = {ast.unparse(node.func) for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call)}
        runs |= {name_of(path)} if names & RUN else set()
    assert runs == {"checking/child.py"}


def test_no_module_is_named_by_a_participle() -> None:
    names = {part for path in FILES for part in name_of(path).removesuffix(".py").split("/")}
    assert {name for name in names if name.endswith(("ing", "ed"))} - ROOMS_IN_ING == set()


def test_no_two_files_of_one_name() -> None:
    """But for commands, which are named for the room that they open."""
    rooms: dict[str, list[str]] = {}
    for path in FILES:
        if path.stem != "__init__" and not name_of(path).startswith("cli/"):
            rooms.setdefault(path.stem, []).append(name_of(path))
    assert [names for names in rooms.values() if len(names) > 1] == []


@cache
def errors_of_ours() -> set[str]:
    """The names of the exceptions in errors.py, and of those made of them."""
    names: set[str] = set()
    for path in (ROOT / "errors.py", *FILES):
        for node in ast.walk(tree_of(path)):
            bases = {ast.unparse(base) for base in node.bases} if isinstance(node, ast.ClassDef) else set()
            if isinstance(node, ast.ClassDef) and (bases & names or name_of(path) == "errors.py"):
                names.add(node.name)
    return names


def raised_by(function: ast.FunctionDef) -> set[str]:
    """The names of what a function's own body raises."""
    own = [node for node, late in nodes_of(function) if isinstance(node, ast.Raise) and not late]
    raised = [node.exc.func if isinstance(node.exc, ast.Call) else node.exc for node in own]
    return {ast.unparse(name) for name in raised if name is not None}


@pytest.mark.parametrize("path", [p for p in FILES if not name_of(p).startswith("cli/")], ids=name_of)
def test_public_functions_say_what_they_raise(path: Path) -> None:
    """(Of a command the docstring is its help, and its exit code says it.)"""
    ours = errors_of_ours()
    for node, late in nodes_of(tree_of(path)):
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and not late:
            said = re.search(r"\braises\b", ast.get_docstring(node) or "", re.IGNORECASE)
            assert said or not raised_by(node) & ours, f"{node.name}: its docstring says not what it raises"


def fields(message: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(message) if name}


@pytest.mark.parametrize("key", sorted(CATALOGUE["en"]))
def test_every_message_is_in_both_languages(key: str) -> None:
    english, japanese = CATALOGUE["en"][key], CATALOGUE["ja"][key]
    assert fields(english) == fields(japanese)
    assert japanese.strip()
    assert not re.search(
        r"[,;] |[A-Za-z]{3,}\s[a-z]{3,}\s[a-z]{3,}",
        re.sub(r"quizengine \w+|`[^`]*`|\(\d, \d\)", "", japanese),
    ) or (key.startswith(("unreadable.", "ask.", "worked.", "convention.", "family.")))


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_no_file_of_messages_speaks_over_another(lang: str) -> None:
    files = sorted((ROOT / "lang").glob(f"{lang}*.py"))
    keys = [key for file in files for key in import_module(f"quizengine.lang.{file.stem}").MESSAGES]
    assert len(files) == 9
    assert sorted(keys) == sorted(CATALOGUE[lang])


SPELLED = {  # messages called by a code, and the rooms that spell it out
    "advice": ("sheets",),
    "argument": ("checking",),
    **dict.fromkeys(("axes", "looks", "pattern", "rule", "symptom", "test"), ("problems",)),
    "because": ("grading",),
    "certain": ("checking",),
    "checked": ("checking",),
    "feedback": ("feedback", "grading"),
    "html": ("render",),
    "intake": ("exchange",),
    "kind": ("grading",),
    "lacks": ("checking",),
    "level": ("items",),
    "loss": ("exchange",),
    "map": ("sessions",),
    "mask": ("problems",),
    "masked": ("checking",),
    "matrix": ("problems",),
    "note": ("grading",),
    "observed": ("reports",),
    "parity": ("sheets",),
    "reason": ("marking",),
    "remark": ("reports",),
    "responses": ("exchange",),
    "result": ("checking",),
    "row": ("grading",),
    "state": ("marking", "grading"),
    "stats": ("cli", "authoring"),
    "strategy": ("authoring",),
    "task": ("checking", "problems"),
    "told": ("responses",),
    "tried": ("checking",),
    "unreadable": ("responses",),
    "verdict": ("marking",),
    "verify": ("sheets",),
}


def spelled(rooms: tuple[str, ...]) -> set[str]:
    """Every string that stands in the code of these rooms (a code may be put together of two by a point)."""
    trees = [tree_of(path) for path in FILES if name_of(path).split("/")[0] in rooms]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    words = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return words | {first + word for first in words if first.endswith(".") for word in words}


class Heard(dict[str, str]):
    """Messages of a language, and which of them were asked for."""

    def __init__(self, messages: Mapping[str, str]) -> None:
        super().__init__(messages)
        self.keys_heard: set[str] = set()

    def __getitem__(self, key: str) -> str:
        self.keys_heard.add(key)
        return super().__getitem__(key)


def hinted(problem: Problem) -> None:
    """Give every hint of a numeric problem."""
    for part in problem.parts if problem.type == "numeric" else ():
        hints(problem, part)


def heard_in_posing(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The messages that problems are made of: every item posed, and every stage of every family asked."""
    heard = Heard(CATALOGUE["en"])
    monkeypatch.setitem(CATALOGUE, "en", heard)
    for item in bank:
        hinted(pose(item, 1, "en", bank.catalogue))
    numeric = bank.item("masking.one-row")
    for name, family in FAMILIES.items():
        for stage in family.stages:
            asking = numeric._replace(answer=Numeric(name, {}, (Ask(stage),)))
            with suppress(PosingError):  # too little is asked to tell the misconceptions apart
                hinted(pose(asking, 1, "en", bank.catalogue))
    return heard.keys_heard


def left_over(keys: Iterable[str], posed: set[str], topics: Iterable[str]) -> list[str]:
    """Messages that nothing says: not quoted whole, and no code that anything makes."""
    pages = [path for path in ROOT.rglob("*") if path.suffix in (".py", ".html", ".js", ".typ")]
    languages = re.compile(r"(en|ja)(_class|_code|_exchange|_families|_hints|_lesson|_run|_session)?\.py")
    code = "\n".join(path.read_text("utf-8") for path in pages if not languages.fullmatch(path.name))
    stages = {stage for family in FAMILIES.values() for stage in family.stages}
    solved = {name for family in FAMILIES.values() for name in traced(family)}
    codes = {prefix: spelled(rooms) for prefix, rooms in SPELLED.items()}
    codes |= {
        "topic": set(topics),
        "stage": stages | solved,
        "solve": solved | {f"additive-{name}" for name in solved},
    }

    def said(key: str) -> bool:
        prefix, _, rest = key.partition(".")
        return f'"{key}"' in code or f"'{key}'" in code or key in posed or rest in codes.get(prefix, ())

    return [key for key in keys if not said(key)]


def traced(family: Family) -> set[str]:
    """The names of what a family gives and what comes of it."""
    inputs = family.generic(family.sized({}))
    return {*inputs, *solve(inputs, family.table)}


def test_no_message_is_left_over(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(CATALOGUE["en"]) == set(CATALOGUE["ja"])
    keys = list(CATALOGUE["en"])
    prefixes = {key.partition(".")[0] for key in keys}
    posed, topics = heard_in_posing(bank, monkeypatch), {item.topic for item in bank}
    assert left_over(keys, posed, topics) == []
    invented = [f"{prefix}.no-longer-said" for prefix in sorted(prefixes)]
    assert left_over(invented, posed, topics) == invented
