"""Long chains, sequences and nests take work in proportion to their size, also when several are traced in one process.

What is counted are calls of Python functions, which are the same in each run; a quadratic part shows as a growth of
nearly four where the size doubles.
"""

from __future__ import annotations

import gc
import linecache
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import _lru_cache_wrapper
from itertools import count
from types import CodeType, ModuleType
from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.one_in import one_in

_numbers = count()


def made(lines: list[str], name: str = "") -> Callable[[Any], Any]:
    """A function of x, of a text that has these lines, under a file name of its own."""
    text = "def f(x):\n" + "".join(f"    {line}\n" for line in lines)
    name = name or f"<text {next(_numbers)} of {__name__}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space: dict[str, Any] = {"__name__": __name__}
    exec(compile(text, name, "exec"), space)
    return space["f"]  # type: ignore[no-any-return]


def nested(size: int, header: Callable[[int], str], innermost: str) -> list[str]:
    return [" " * i + header(i) for i in range(size)] + [" " * size + innermost]


def in_lines(*parts: list[str] | str) -> list[str]:
    return [line for part in parts for line in ([part] if isinstance(part, str) else part)]


SHAPES: dict[str, Callable[[int], list[str]]] = {
    "elif": lambda k: in_lines("y = 0", "if x == -1: y = 5", [f"elif x == {i}: y = {i}" for i in range(k)], "return y"),
    "elif return": lambda k: in_lines(
        "if x == -1: return 5", [f"elif x == {i}: return {i}" for i in range(k)], "return -2"
    ),
    "ifs": lambda k: in_lines("y = 0", [f"if x >= {i}: y = y + {i}" for i in range(k)], "return y"),
    "ifs return": lambda k: in_lines([f"if x == {i}: return {i}" for i in range(k)], "return -2"),
    "fors": lambda k: in_lines("y = 0", [f"for i in range(x): y += i % {i + 1}" for i in range(k)], "return y"),
    "whiles": lambda k: in_lines("y = 0", [f"while y < x + {i}: y += 2" for i in range(k)], "return y"),
    "breaks": lambda k: in_lines(
        "y = 0", "for i in range(x):", [f"    if i * 10 == {i + 25}: break" for i in range(k)], "    y += i", "return y"
    ),
    "try": lambda k: in_lines(
        "y = 0",
        [
            f"try:\n        if x == {i}: raise ValueError\n        y += {i}\n    except ValueError: y = -1"
            for i in range(k)
        ],
        "return y",
    ),
    "handlers": lambda k: in_lines(
        "y = 0",
        "try:",
        "    if x == 7: raise ValueError",
        [f"except ({'KeyError, ' * (i % 3)} IndexError): y = {i}" for i in range(k)],
        "except ValueError: y = -1",
        "return y",
    ),
    "finally": lambda k: in_lines("y = 0", [f"try: y += {i}\n    finally: y -= x" for i in range(k)], "return y"),
    "match": lambda k: in_lines("match x:", [f"    case {i}: return {i + 1}" for i in range(k)], "return -2"),
    "and": lambda k: ["return " + " and ".join(f"x != {i + 50}" for i in range(k))],
    "variables": lambda k: in_lines(
        [f"v{i} = {i}" for i in range(k)],
        "if x > 0:",
        [f"    v{i} += x" for i in range(k)],
        "return " + " + ".join(f"v{i}" for i in range(k)),
    ),
    "appends": lambda k: in_lines("y = []", [f"if x > {i}: y.append({i})" for i in range(k)], "return len(y)"),
    "items": lambda k: in_lines("y = [0, 1]", [f"if x == {i}: y[0] = {i}" for i in range(k)], "return y[0] + y[1]"),
    "lambdas": lambda k: in_lines(
        "y = x", [f"y = (lambda v: v + 1 if v > {i} else v)(y)" for i in range(k)], "return y"
    ),
    "unrolled": lambda k: in_lines("y = 0", f"for i in list(range({k})):", "    if x == i: y = i", "return y"),
    "unrolled break": lambda k: in_lines(
        "y = 0", f"for i in list(range({k})):", "    if x == i: break", "    y += i", "return y"
    ),
    "unrolled return": lambda k: in_lines(f"for i in list(range({k})):", "    if x == i: return i", "return -2"),
    "list comprehension": lambda k: [f"return len([v for v in list(range({k})) if v < x])"],
    "sum": lambda k: [f"return sum(v for v in list(range({k})) if v < x)"],
    "any": lambda k: [f"return any(v == x for v in list(range({k})))"],
    "all": lambda k: [f"return all(v != x for v in list(range({k})))"],
    "max": lambda k: [f"return max(v * x for v in list(range({k})))"],
}
"""Pieces that stand side by side, or in one another where Python keeps them flat."""

NESTS: dict[str, Callable[[int], list[str]]] = {
    "if": lambda k: ["y = 0", *nested(k, lambda i: f"if x > {i - 50}:", "y = x"), "return y"],
    "else": lambda k: ["y = 0", *nested(k, lambda i: f"if x == {i}: y = {i}\n    {' ' * i}else:", "y = x"), "return y"],
    "for": lambda k: ["y = 0", *nested(k, lambda i: f"for i{i} in range(x - 6):", "y += 1"), "return y"],
    "while": lambda k: ["y = 0", *nested(k, lambda i: f"while y < x + {i}:", "y += 1"), "return y"],
    "try": lambda k: [
        "y = 0", *nested(k, lambda i: "try:", "if x == 7: raise ValueError"),
        *[" " * i + f"except KeyError: y = {i}" for i in reversed(range(1, k))], "except ValueError: y = -1",
        "return y",
    ],
}  # fmt: skip
"""Statements in statements: Python allows 20 loops and `try`, and a hundred levels of indentation."""


def calls(function: Callable[[], Any]) -> int:
    """How many Python functions a call runs."""
    number = 0

    def note(*_: object) -> None:  # and nothing of what happens in them
        nonlocal number
        number += 1

    before = sys.gettrace()
    sys.settrace(note)
    try:
        function()
    finally:
        sys.settrace(before)
    return number


def work(lines: list[str]) -> int:
    function = made(lines)
    return calls(lambda: tf.function(function)(tf.constant(7)))


@pytest.mark.parametrize("shape", one_in(2, SHAPES))
def test_twice_the_pieces_take_twice_the_work(shape: str) -> None:
    work(SHAPES[shape](3))  # what is done once in a process
    small, large, larger = (work(SHAPES[shape](size)) for size in (20, 40, 80))
    assert larger - large < 2.3 * (large - small), (small, large, larger)


@pytest.mark.slow
@pytest.mark.parametrize("size", [100, 200, 500, 1_000])
@pytest.mark.parametrize("shape", SHAPES)
def test_more_pieces_give_what_python_gives(shape: str, size: int) -> None:
    function = made(SHAPES[shape](size))
    np.testing.assert_array_equal(tf.function(function)(tf.constant(7)), function(7))


@pytest.mark.parametrize("shape", NESTS)
def test_nests_take_work_by_their_depth(shape: str) -> None:
    work(NESTS[shape](2))
    small, large, larger = (work(NESTS[shape](depth)) for depth in (4, 8, 16))
    assert larger - large < 3 * (large - small), (small, large, larger)
    deepest = made(NESTS[shape](90 if shape in ("if", "else") else 18))
    np.testing.assert_array_equal(tf.function(deepest)(tf.constant(7)), deepest(7))


PROGRAM = """
import linecache
import runtime as tf
from tests.one_in import one_in

for size in (50, 60, 55, 50):
    text = "def f(x):\\n    y = -1\\n    if x == 0: y = 0\\n"
    text += "".join(f"    elif x == {i}: y = {i}\\n" for i in range(1, size)) + "    return y\\n"
    linecache.cache["<text>"] = (len(text), None, text.splitlines(True), "<text>")
    space = {}
    exec(compile(text, "<text>", "exec"), space)
    print(int(tf.function(space["f"])(tf.constant(7))))
"""


def test_functions_that_begin_alike_are_traced_one_after_the_other() -> None:
    """Parts of their code are equal, and to compare equal code takes Python twice as long for each level of it."""
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == ["7"] * 4


def tables_of(module: ModuleType) -> Iterator[tuple[str, Any]]:
    for name, value in vars(module).items():
        if isinstance(value, dict | set | frozenset) and not name.startswith("__"):
            yield name, value
        elif isinstance(value, _lru_cache_wrapper) and value.__module__ == module.__name__:
            yield name, [part for part in gc.get_referents(value) if isinstance(part, dict)]


def holds_code(keys: Any) -> bool:
    return any(isinstance(key, CodeType) or (isinstance(key, tuple | list) and holds_code(key)) for key in keys)


def test_no_table_has_code_objects_as_keys() -> None:
    for shape in ("elif", "try", "any", "lambdas"):
        function = made(SHAPES[shape](3))
        tf.function(function)(tf.constant(7))
        tf.autograph.to_graph(function)(7)
    found = []
    for module_name, module in sys.modules.items():
        if module_name.partition(".")[0] in ("autograph", "runtime"):
            for name, table in tables_of(module):
                tables = table if isinstance(table, list) else [table]
                found += [f"{module_name}.{name}" for each in tables if holds_code(each)]
    assert found == []
