"""The first line of code can be another one; lines and columns stay."""

from __future__ import annotations

import argparse
import inspect
import textwrap
from types import CodeType

import pytest

from autograph.code_names import codes_in
from autograph.line_tables import statement_line, with_first_line

LONG = compile("\n" * 50 + "def f(x):\n" + "\n" * 700 + " " * 300 + "if x:\n" + " " * 301 + "y = 1\n", "", "exec")
MODULES = [compile("\n" * 50 + inspect.getsource(module), "", "exec") for module in (argparse, textwrap)]
CODES = [code for module in (LONG, *MODULES) for code in codes_in(module) if code is not module]


@pytest.mark.parametrize("distance", [-40, -1, 1, 31, 32, 5000])
def test_lines_and_columns_stay(distance: int) -> None:
    for code in CODES:
        moved = with_first_line(code, code.co_firstlineno + distance)
        assert moved.co_firstlineno == code.co_firstlineno + distance
        assert [*moved.co_positions()] == [*code.co_positions()]
        assert [*moved.co_lines()] == [*code.co_lines()]


def test_the_line_of_a_statement_is_known_all_the_same() -> None:
    code: CodeType = next(code for code in codes_in(compile("\n\ndef f(x):\n  return lambda: x\n", "", "exec")) if
                          code.co_name == "<lambda>")  # fmt: skip
    assert statement_line(with_first_line(code, 1)) == statement_line(code) == 4
