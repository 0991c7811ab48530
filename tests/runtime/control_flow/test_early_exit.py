"""`return`, `break` and `continue` on a condition on tensors, in each statement and in each pair of statements.

Every program of the table (a statement, a statement in it, a way to leave) is written to a file, imported, and run
beside Python for several inputs: values, what is printed, and errors are the same.
"""

from __future__ import annotations

import contextlib
import importlib.util
import itertools
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.one_in import one_in
from tests.runtime.comparing import assert_same

STATEMENTS = {
    "for_range": "for {i} in range(n):\n{body}",
    "for_tensor": "for {i} in tf.range(n):\n{body}",
    "while_tensor": "{i} = -1\nwhile {i} + 1 < n:\n    {i} += 1\n{body}",
    "while_true": "{i} = n - n - 1\nwhile True:\n    {i} += 1\n    if {i} > 3:\n        break\n{body}",
    "for_list": "for {i} in [0, 1, 2, 3]:\n{body}",
    "while_python": "{i} = -1\nwhile {i} < 3:\n    {i} += 1\n{body}",
    "for_else": "for {i} in range(n):\n{body}\nelse:\n    say('else', s)\n    s += 1000",
    "if_tensor": "{i} = n\nif n > 1:\n{body}\n    s += 1\nelse:\n    s -= 1",
    "if_python": "{i} = 2\nif len('text') == 4:\n{body}",
    "with": "{i} = 1\nwith quiet():\n{body}\n    s += 2",
    "try_finally": "{i} = 1\ntry:\n{body}\n    s += 2\nfinally:\n    say('finally')",
}
"""Each sets its variable {i}."""

LOOPS = ("for_range", "for_tensor", "while_tensor", "while_true", "for_list", "while_python", "for_else")

EXITS = {
    "return_value": "return s * 100 + {i}",
    "return_pair": "return s, {i}",
    "return_none": "return",
    "break": "break",
    "continue": "continue",
}

HEADER = '''
import contextlib

import runtime as tf
from tests.runtime.comparing import say


@contextlib.contextmanager
def quiet():
    yield
'''

INPUTS = (0, 1, 2, 3, 4, 5, 6)


def program(outer: str, inner: str | None, way: str) -> str | None:
    """The text of one program, or None where Python has none: `break` and `continue` need a loop around them."""
    inside = [s for s in (outer, inner) if s is not None]
    if way in ("break", "continue") and not any(s in LOOPS for s in inside):
        return None
    innermost = "j" if inner else "i"
    both = "n + s + i + j" if inner else "n + s + i"
    leave = f"s += {innermost}\nif ({both}) * 7 % 5 == 3:\n    {EXITS[way].format(i=innermost)}\ns += 10"
    body = statement(inner, "j", leave) + "\ns += 3" if inner else leave
    result = {"return_pair": "return s, -1", "return_none": "say('end', s)"}.get(way, "return s")
    text = f"s = 0\n{statement(outer, 'i', body)}\n{result}"
    name = "_".join(["leave", *inside, way])
    return f"def {name}(n):\n{textwrap.indent(text, '    ')}\n"


def statement(kind: str, variable: str, body: str) -> str:
    return STATEMENTS[kind].format(i=variable, body=textwrap.indent(body, "    "))


TABLE = [
    (outer, inner, way)
    for outer, inner, way in itertools.product(STATEMENTS, (None, *STATEMENTS), EXITS)
    if program(outer, inner, way) is not None
]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    path: Path = tmp_path_factory.mktemp("early") / "early_exit_programs.py"
    path.write_text(HEADER + "\n\n".join(program(*row) or "" for row in TABLE))
    spec = importlib.util.spec_from_file_location("early_exit_programs", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    with contextlib.ExitStack() as stack:
        stack.callback(sys.modules.pop, spec.name)
        spec.loader.exec_module(module)
        return module


@pytest.mark.parametrize("row", one_in(5, TABLE), ids=lambda row: "-".join(str(part) for part in row))
def test_leave(row: tuple[str, str | None, str], programs: ModuleType) -> None:
    name = "_".join(["leave", *(part for part in row if part is not None)])
    function: Callable[[Any], Any] = getattr(programs, name)
    assert_same(function, *INPUTS)
