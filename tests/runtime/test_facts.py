"""Facts of operations stand on their records: nothing below keeps a table of the names of operations."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import runtime
from runtime.ops.records.families import load_all
from runtime.ops.records.record import REGISTRY, op
from runtime.ops.records.shape_rules import same_shape

ROOMS = ("autodiff", "engine", "exits", "graph", "native", "passes", "vectorize")


def tables(source: str, names: set[str]) -> list[tuple[int, list[str]]]:
    """Sets, lists and tuples with the names of several operations, and dicts from such names to numbers.

    A dict from names to functions, to code or to what code needs says how a room carries operations out; that is its
    own business.
    """
    tree, found = ast.parse(source), []
    listed = [n for n in ast.walk(tree) if isinstance(n, ast.Assign | ast.AnnAssign) and n.value is not None]
    exported = {id(c) for n in listed if "__all__" in ast.unparse(n) for c in ast.walk(n.value)}
    slots = {id(c) for n in listed if "__slots__" in ast.unparse(n) for c in ast.walk(n.value)}
    needs = {id(v) for d in ast.walk(tree) if isinstance(d, ast.Dict) for v in d.values if isinstance(v, ast.Tuple)}
    for node in ast.walk(tree):
        if id(node) in exported | slots | needs:
            continue
        if isinstance(node, ast.Set | ast.List | ast.Tuple):
            parts = node.elts
        elif isinstance(node, ast.Dict) and all(_is_number(v) for v in node.values):
            parts = [key for key in node.keys if key is not None]
        else:
            continue
        known = [p.value for p in parts if isinstance(p, ast.Constant) and p.value in names]
        if len(known) > 1:
            found.append((node.lineno, known))
    return found


@pytest.mark.parametrize("room", ROOMS)
def test_no_room_keeps_a_table_of_operations(room: str) -> None:
    load_all()
    package = Path(runtime.__file__).parent
    found = {
        f"{path.relative_to(package)}:{line}": known
        for path in (package / room).rglob("*.py")
        for line, known in tables(path.read_text(), set(REGISTRY))
    }
    assert not found, "put the fact on the records (runtime/ops/records/facts.py)"


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and not isinstance(node.value, str)


def test_a_table_is_found() -> None:
    names = {"add", "multiply"}
    assert tables('A = frozenset({"add", "multiply"})', names) == [(1, ["add", "multiply"])]
    assert tables('A = {"add": 1, "multiply": 2}', names) and not tables('A = {"add": f, "multiply": g}', names)
    assert not tables('__all__ = ["add", "multiply"]', names) and not tables('A = ("add", "other")', names)


def test_an_unknown_fact_is_an_error() -> None:
    with pytest.raises(TypeError, match="glows"):
        op(name="glowing", shape=same_shape, glows=True)(lambda x: x)
