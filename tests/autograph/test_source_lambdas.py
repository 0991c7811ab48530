"""Finding the definition of a lambda: by column among several on a line, by content where there are no columns."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from autograph import source
from autograph.source import find_definition


def text_of(function: Any) -> str:
    return ast.unparse(find_definition(function).node)


def test_two_lambdas_on_a_line_are_told_apart_by_column() -> None:
    one, two, three = (lambda x: x + 1), (lambda x: x + 1 + 0 * x), (lambda x: x + 1)
    assert text_of(one) == text_of(three) == "lambda x: x + 1"
    assert text_of(two) == "lambda x: x + 1 + 0 * x"
    columns = [find_definition(each).node.col_offset for each in (one, two, three)]
    assert columns == sorted(set(columns))


def test_lambdas_inside_lambdas() -> None:
    outer = lambda x: lambda x: lambda: x
    assert text_of(outer) == "lambda x: lambda x: lambda: x"
    assert text_of(outer(1)) == "lambda x: lambda: x"
    assert text_of(outer(1)(2)) == "lambda: x"
    constant, conditional = (lambda: None), (lambda c: 1 if c else 2)
    assert text_of(constant) == "lambda: None"
    assert text_of(conditional) == "lambda c: 1 if c else 2"
    with_default, empty = (lambda f=lambda: 0: f), (lambda: ...)
    assert text_of(with_default) == "lambda f=lambda: 0: f"
    assert text_of(with_default()) == "lambda: 0"
    assert text_of(empty) == "lambda: ..."


def test_lambda_over_several_lines_and_wide_characters() -> None:
    pair = ["äöü", lambda x: (
        x +
        1
    ), "ß", lambda x: x]  # fmt: skip
    assert text_of(pair[1]) == "lambda x: x + 1"
    assert text_of(pair[3]) == "lambda x: x"


def test_lambdas_without_columns(tmp_path: Path) -> None:
    script = tmp_path / "no_columns.py"
    script.write_text(
        "import ast\n"
        "from autograph.errors import SourceUnavailableError\n"
        "from autograph.source import find_definition\n"
        "y = 1\n"
        "same = [lambda x: x + y, lambda x: x + y]\n"
        "differ = [lambda x: x + y, lambda x: x - y]\n"
        "starred = [lambda: 0, lambda *a: 0, lambda **k: 0]\n"
        "def closures(a): return [lambda: a, lambda: (a, a)]\n"
        "print(*(ast.unparse(find_definition(f).node) for f in same + differ + starred), sep='; ')\n"
        "try:\n"
        "    find_definition(closures(1)[0])\n"
        "except SourceUnavailableError as error:\n"
        "    print(error)\n",
        encoding="utf-8",
    )
    ran = subprocess.run(
        [sys.executable, "-X", "no_debug_ranges", str(script)],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(Path(source.__file__).parents[1])},
        check=True,
    )
    first, second = ran.stdout.splitlines()
    assert first == (
        "lambda x: x + y; lambda x: x + y; lambda x: x + y; lambda x: x - y; lambda: 0; lambda *a: 0; lambda **k: 0"
    )
    assert "no_columns.py:8: several lambdas stand on this line" in second
