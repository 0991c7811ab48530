"""coverage counts the same branches and lines in converted code as in the original, call by call."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import coverage
import pytest

import autograph
import runtime as tf
from autograph import trails
from tests.one_in import one_in
from tests.tools.branch_programs import PROGRAMS, ROWS, Calls
from tests.tools.program import PROGRAM, imported, python

Report = dict[str, list[Any]]

# In the copy of a `finally` that runs while an exception passes, CPython leaves an `if` that does not hold by way of
# the last line in it. No statement runs there, and converted code does not go there.
MISLED = [("if in finally", [(0, 0)])]

# Of these, the calls take some branches only.
SPARSE = {"early returns", "one line", "expressions", "a long chain"}

# What one trace over tensors does not go through as a whole.
UNSTAGED = {
    "return through finally": "one path returns a list, the other a number",
    "raise": "what follows a raise is traced for the sake of the other branch only",
    "a decorated function inside": "functools.cache takes no tensors",
    "a class inside": "an if in the body of a class",
    "expressions": "a list in one branch, a number in the other",
}


@cache
def measurement_in(folder: Path) -> coverage.Coverage:
    """One for all tests: to set it up takes longer than most programs."""
    return coverage.Coverage(branch=True, include=[f"{folder}/*"], data_file=None, config_file=False)


def report(path: Path, calls: list[tuple[Any, ...]], convert: Callable[[Any], Any]) -> tuple[list[str], Report]:
    """What the calls of `f` in the file gave, and what coverage tells of it."""
    measurement = measurement_in(path.parent.parent)
    measurement.erase()
    measurement.start()
    try:
        function = convert(imported(path.parent, path.read_text(encoding="utf-8"), path.stem).f)
        results = [result_of(function, arguments) for arguments in calls]
    finally:
        measurement.stop()
    target = path.with_suffix(".json")
    measurement.json_report(morfs=[str(path)], outfile=str(target))
    ((_, told),) = json.loads(target.read_text(encoding="utf-8"))["files"].items()
    return results, {name: sorted(told[name]) for name in ("missing_lines", "missing_branches", "executed_branches")}


def result_of(function: Callable[..., Any], arguments: tuple[Any, ...]) -> str:
    try:
        return repr(function(*arguments))
    except Exception as error:
        return repr(error)


@pytest.mark.parametrize(("name", "calls"), one_in(4, [row for row in ROWS if row not in MISLED], several=True))
def test_branches_of_a_converted_function_are_those_of_the_original(name: str, calls: Calls, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(PROGRAMS[name], encoding="utf-8")
    expected = report(path, [*calls], lambda function: function)
    assert report(path, [*calls], autograph.to_graph) == expected


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in SPARSE])
def test_the_calls_take_every_branch_of_the_programs(name: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(PROGRAMS[name], encoding="utf-8")
    calls = [arguments for row, calls in ROWS if row == name for arguments in calls]
    _, told = report(path, [*calls], lambda function: function)
    assert told["missing_branches"] == [] and len(told["executed_branches"]) > 1


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in UNSTAGED])
def test_one_trace_takes_every_branch(name: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(PROGRAMS[name], encoding="utf-8")
    results, told = report(path, [(tf.constant(1), tf.constant(2))], tf.function)
    assert told["missing_branches"] == [] and told["missing_lines"] == [], results


def reported(folder: Path, text: str) -> tuple[str, Any]:
    """What a program printed, and the report on it, when coverage runs it."""
    folder.mkdir()
    (folder / "program.py").write_text(text, encoding="utf-8")
    done = python(folder, "-m", "coverage", "run", "--branch", "--include=program.py", "program.py")
    assert done.returncode == 0, done.stderr
    measured = coverage.Coverage(data_file=str(folder / ".coverage"), config_file=False)
    measured.load()
    measured.json_report(outfile=str(folder / "report.json"))
    ((_, told),) = json.loads((folder / "report.json").read_text(encoding="utf-8"))["files"].items()
    return done.stdout, told["missing_branches"]


def test_the_report_on_a_program(tmp_path: Path) -> None:
    assert reported(tmp_path / "staged", PROGRAM)[1] == [[28, -1]]  # of `if __name__ ...`, the rest of the file
    for number, arguments in enumerate(["2.0, 3", "-1.0, 0", "200.0, 1"]):
        plain = "import autograph\n\n\n" + PROGRAM[PROGRAM.index("def grown") : PROGRAM.index("if __name__")]
        plain += f"steps = DECORATED(steps)\nprint(steps({arguments}))\n"
        expected = reported(tmp_path / f"plain{number}", plain.replace("DECORATED", ""))
        assert reported(tmp_path / f"converted{number}", plain.replace("DECORATED", "autograph.to_graph")) == expected


def test_text_for_people_has_no_trails(tmp_path: Path) -> None:
    function = imported(tmp_path, PROGRAMS["if"]).f
    expected = autograph.to_code(function)
    measurement = coverage.Coverage(branch=True, data_file=None, config_file=False)
    measurement.start()
    try:
        assert autograph.to_code(function) == expected
    finally:
        measurement.stop()


def test_variables_are_the_users_while_branches_are_measured(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text("def f(x):\n    y = 1\n    if x:\n        y = 2\n    return locals()\n", encoding="utf-8")
    results, _ = report(path, [(1,), (0,)], autograph.to_graph)
    assert results == ["{'x': 1, 'y': 2}", "{'x': 0, 'y': 1}"]


def test_a_module_of_the_user_with_the_name_of_the_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for contents in ({}, {"Coverage": 3}):
        module = ModuleType("coverage")
        vars(module).update(contents)
        monkeypatch.setitem(sys.modules, "coverage", module)
        assert autograph.to_graph(imported(tmp_path, PROGRAMS["if"]).f)(1, 2) == 1


def test_lines_alone_need_no_trails() -> None:
    for branch in (False, True):
        measurement = coverage.Coverage(branch=branch, data_file=None, config_file=False)
        measurement.start()
        try:
            assert trails.are_wanted() is branch
        finally:
            measurement.stop()
