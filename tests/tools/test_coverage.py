"""coverage sees the same lines of the user's file run in a converted function as in the original."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import coverage
import pytest

import autograph
import runtime as tf
from tests.tools.program import PROGRAM, imported, line_of, python

JUMPS = """\
def search(x, limit):
    found = None
    for i in range(limit):
        if i % 2:
            continue
        if i * x > 6.0:
            found = i
            break
    else:
        found = limit
        if x < 0.0:
            return "negative"
    while limit > 0:
        try:
            limit = limit - 1
            if limit == 3:
                raise ValueError(limit)
        except ValueError as error:
            found = error.args[0]
        finally:
            x = x + 1.0
    return [found for _ in range(2)] if x else None


def never(x):
    return x
"""

CALLS: list[tuple[str, str, tuple[Any, ...]]] = [
    *[(PROGRAM, "steps", arguments) for arguments in [(2.0, 3), (-1.0, 0), (100.5, 1)]],
    *[(JUMPS, "search", arguments) for arguments in [(2.0, 6), (2.0, 2), (-1.0, 3), (0.0, 0)]],
]


def measured(path: str, function: Callable[..., Any], *arguments: Any) -> tuple[set[int], set[tuple[int, int]]]:
    """The lines of the file that ran in a call and the steps between them, as coverage records them for branches.

    The lines of `def` are left out: importing the file runs them.
    """
    measurement = coverage.Coverage(branch=True, include=[path], data_file=None, config_file=False)
    before = sys.gettrace()
    measurement.start()
    try:
        function(*arguments)
    finally:
        measurement.stop()
        sys.settrace(before)
    rows = Path(path).read_text(encoding="utf-8").splitlines()
    data = measurement.get_data()
    lines = {line for line in data.lines(path) or () if not rows[line - 1].startswith("def ")}
    return lines, set(data.arcs(path) or ())


def entered(text: str, steps: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """The steps from a statement into one of its bodies. A negative line is that of the code that was entered."""
    depth = [len(row) - len(row.lstrip()) for row in text.splitlines()]
    pairs = {(abs(before), after) for before, after in steps if after > 0}
    return {(line, inside) for line, inside in pairs if 0 < depth[line - 1] < depth[inside - 1]}


@pytest.mark.parametrize(("text", "name", "arguments"), CALLS)
def test_lines_and_bodies_of_a_converted_function(
    text: str, name: str, arguments: tuple[Any, ...], tmp_path: Path
) -> None:
    function = getattr(imported(tmp_path, text), name)
    path = function.__code__.co_filename
    lines, steps = measured(path, function, *arguments)
    found_lines, found_steps = measured(path, autograph.to_graph(function), *arguments)
    assert len(lines) > 4
    assert found_lines == lines
    # Bodies are functions of their own there, entered from the line of their statement.
    assert entered(text, found_steps) >= entered(text, steps) != set()


def test_a_staged_function_has_run_all_that_was_traced(tmp_path: Path) -> None:
    function = imported(tmp_path, PROGRAM).steps
    path = function.__code__.co_filename
    found, _ = measured(path, tf.function(function), tf.constant(2.0), tf.constant(3))
    calls = [(2.0, 3), (-1.0, 3), (200.0, 3)]  # with these, each line runs in plain Python too
    assert found == set().union(*(measured(path, function, *arguments)[0] for arguments in calls))
    assert {line_of(PROGRAM, name) for name in ("branch", "other", "body", "again", "callee", "last")} <= found


def test_what_was_not_traced_has_not_run(tmp_path: Path) -> None:
    function = imported(tmp_path, PROGRAM).steps
    found, _ = measured(function.__code__.co_filename, tf.function(function), -2.0, 0)
    assert line_of(PROGRAM, "other") in found
    assert not {line_of(PROGRAM, name) for name in ("branch", "callee", "body", "again")} & found


def test_the_report_of_a_program(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    done = python(tmp_path, "-m", "coverage", "run", "--include=program.py", "program.py")
    assert done.returncode == 0 and "result 9.0" in done.stdout, done.stderr
    done = python(tmp_path, "-m", "coverage", "json", "-o", "report.json")
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert report["files"]["program.py"]["missing_lines"] == []  # every branch and loop was traced
