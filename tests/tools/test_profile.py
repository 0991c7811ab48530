"""cProfile counts the user's functions under their names, files and lines, whether they are converted or not."""

from __future__ import annotations

import cProfile
import pstats
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import autograph
import runtime as tf
from tests.tools.program import PROGRAM, imported, python

Row = tuple[str, int, str]  # file, first line, name: what a profile knows of a function


def profiled(function: Callable[..., Any], *arguments: Any) -> dict[Row, int]:
    """How often each function was called."""
    profile = cProfile.Profile()
    profile.runcall(function, *arguments)
    stats: dict[Row, tuple[Any, ...]] = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    return {row: numbers[1] for row, numbers in stats.items()}


@pytest.mark.parametrize("convert", [autograph.to_graph, tf.function], ids=["to_graph", "function"])
def test_functions_have_the_names_and_lines_of_the_user(convert: Any, tmp_path: Path) -> None:
    module = imported(tmp_path, PROGRAM)
    path = str(module.__file__)
    plain = {row for row in profiled(module.steps, 2.0, 3) if row[0] == path}
    first_lines = {(path, each.__code__.co_firstlineno, each.__name__) for each in (module.steps, module.grown)}
    found = {row for row in profiled(convert(module.steps), 2.0, 3) if row[0] == path}
    assert plain == first_lines <= found
    assert {name for _, _, name in found} == {"steps", "grown"}  # parts made by the converter go by the user's name
    rows = PROGRAM.splitlines()
    # Each part is named by the line of its statement, not by one of the converter.
    assert all(rows[line - 1].lstrip().startswith(("def ", "if ", "for ", "while ")) for _, line, _ in found)


def test_the_profiler_as_a_program(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    done = python(tmp_path, "-m", "cProfile", "program.py")
    assert done.returncode == 0 and "result 9.0" in done.stdout, done.stderr
    line = PROGRAM.splitlines().index("def steps(x, n):") + 1
    assert f"program.py:{line}(steps)" in done.stdout
