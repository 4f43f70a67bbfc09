"""Mutants of right functions: one operator, axis, constant, name or method changed, by `ast`."""

from __future__ import annotations

import ast
import copy
import inspect
import textwrap
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, NamedTuple

from .right import RIGHT

OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.MatMult)
NAMES = (
    "Q",
    "K",
    "V",
    "X",
    "C",
    "W_Q",
    "W_K",
    "W_V",
    "W_O",
    "q",
    "k",
    "v",
    "heads",
    "kv_heads",
    "n",
    "d",
    "i",
    "j",
)
METHODS = {
    "max": "min",
    "sum": "mean",
    "exp": "exp2",
    "tanh": "sinh",
    "tril": "triu",
    "sqrt": "square",
}


class Mutant(NamedTuple):
    id: str
    task: str
    function: Callable[..., Any]
    source: str


def mutants(every: int = 1) -> Iterator[Mutant]:
    """Every mutant of every right function that can be made of its text, or each so-many-th of them."""
    number = count()
    for name, (task, function) in RIGHT.items():
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
        tree.body[0].decorator_list = []  # type: ignore[attr-defined]
        nodes = list(ast.walk(tree))
        for at, other in ((at, other) for at, node in enumerate(nodes) for other in replacements(node)):
            if (n := next(number)) % every == 0:
                mutated = changed(tree, at, other)
                space = dict(inspect.getmodule(function).__dict__)
                exec(compile(mutated, name, "exec"), space)
                yield Mutant(f"{name}-{n}", task, space[name], ast.unparse(mutated))


def changed(tree: ast.Module, at: int, other: ast.AST) -> ast.Module:
    """The tree with another node in the place of one."""
    twin = copy.deepcopy(tree)
    node = list(ast.walk(twin))[at]
    node.__class__, node.__dict__ = other.__class__, copy.deepcopy(other.__dict__)
    return ast.fix_missing_locations(twin)


def replacements(node: ast.AST) -> Iterator[ast.AST]:
    """What may stand in the place of a node."""
    yield from OTHERS.get(type(node), lambda _: ())(node)


def _operators(node: ast.BinOp) -> Iterator[ast.AST]:
    for kind in OPERATORS:
        if not isinstance(node.op, kind):
            yield ast.BinOp(node.left, kind(), node.right)
    yield ast.BinOp(node.right, node.op, node.left)
    yield node.left


def _constants(node: ast.Constant) -> Iterator[ast.AST]:
    match node.value:
        case bool(value):
            yield ast.Constant(not value)
        case int(value):
            yield from (ast.Constant(x) for x in sorted({value + 1, value - 1, -value, 0} - {value}))
        case float(value):
            less = 1 / value if value else 1.0
            yield from (ast.Constant(x) for x in sorted({value * 2, -value, less, 0.0, 1.0} - {value}))


def _names(node: ast.Name) -> Iterator[ast.AST]:
    if isinstance(node.ctx, ast.Load) and node.id in NAMES:
        for other in NAMES:
            if other != node.id and len(other) == len(node.id) and other.isupper() == node.id.isupper():
                yield ast.Name(other, ast.Load())


def _attributes(node: ast.Attribute) -> Iterator[ast.AST]:
    if node.attr == "T":
        yield node.value
    elif node.attr in METHODS:
        yield ast.Attribute(node.value, METHODS[node.attr], node.ctx)


def _calls(node: ast.Call) -> Iterator[ast.AST]:
    if isinstance(node.func, ast.Attribute) and node.func.attr in ("swapaxes", "transpose"):
        yield node.func.value


def _choices(node: ast.IfExp) -> Iterator[ast.AST]:
    yield from (node.body, node.orelse, ast.IfExp(node.test, node.orelse, node.body))


def _unary(node: ast.UnaryOp) -> Iterator[ast.AST]:
    yield node.operand


def _assignments(node: ast.Assign) -> Iterator[ast.AST]:
    if isinstance(node.targets[0], ast.Name) and node.targets[0].id in ("s", "e", "w", "scores"):
        yield ast.Pass()


OTHERS: dict[type[ast.AST], Any] = {
    ast.BinOp: _operators,
    ast.Constant: _constants,
    ast.Name: _names,
    ast.Attribute: _attributes,
    ast.Call: _calls,
    ast.IfExp: _choices,
    ast.UnaryOp: _unary,
    ast.Assign: _assignments,
}
