"""autograph.debugger goes over converted code as pdb goes over the original: the user's lines, in their order."""

from __future__ import annotations

import io
import pdb  # noqa: T100
import re
import sys
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

import autograph
import runtime as tf
from autograph.debugger import Debugger
from tests.tools.program import PROGRAM, imported, line_of, python


def debugged(kind: type[pdb.Pdb], commands: list[str], function: Callable[..., Any], *arguments: Any) -> str:
    """What the debugger wrote in a call, told the commands."""
    output = io.StringIO()
    debugger = kind(stdin=io.StringIO("\n".join([*commands, ""])), stdout=output, nosigint=True, readrc=False)
    debugger.use_rawinput = False
    before = sys.gettrace()
    try:
        debugger.runcall(function, *arguments)
    finally:
        sys.settrace(before)
        debugger.clear_all_breaks()
    return output.getvalue()


def visited(output: str) -> list[tuple[str, int]]:
    """The stops, as function and line; several in a row on one line are one. The line of `def` is left out."""
    stops = [(name, int(line)) for line, name in re.findall(r"> \S*program\.py\((\d+)\)(\w+)\(\)", output)]
    rows = PROGRAM.splitlines()
    return [stop for stop, _ in groupby(stop for stop in stops if not rows[stop[1] - 1].startswith("def "))]


@pytest.mark.parametrize("command", ["next", "step"])
@pytest.mark.parametrize("arguments", [(2.0, 3), (-1.0, 1), (30.0, 3)])
def test_the_same_lines_as_in_the_original(command: str, arguments: tuple[Any, ...], tmp_path: Path) -> None:
    steps = imported(tmp_path, PROGRAM).steps
    commands = [command] * 100
    expected = visited(debugged(pdb.Pdb, commands, steps, *arguments))
    found = visited(debugged(Debugger, commands, autograph.to_graph(steps), *arguments))
    header = ("steps", line_of(PROGRAM, "body") - 1)  # python asks once more for an item, in the line of `for`
    assert len(expected) > 8
    assert [stop for stop in found if stop != header] == [stop for stop in expected if stop != header]
    assert 0 < found.count(header) <= expected.count(header)


@pytest.mark.parametrize("command", ["next", "step"])
def test_a_trace_goes_through_the_text_from_top_to_bottom(command: str, tmp_path: Path) -> None:
    steps = imported(tmp_path, PROGRAM).steps
    commands = [f"tbreak {steps.__code__.co_filename}:{line_of(PROGRAM, 'other') - 5}", "continue", *[command] * 100]
    output = debugged(Debugger, commands, tf.function(steps), tf.constant(2.0), tf.constant(3))
    lines = [line for name, line in visited(output) if name == "steps"]
    assert lines == sorted(lines) and set(lines) > {
        line_of(PROGRAM, name) for name in ("branch", "other", "body", "again", "last")
    }
    assert ("grown", line_of(PROGRAM, "callee")) in visited(output) or command == "next"
    packages = str(Path(autograph.__file__).parent.parent)
    assert f"> {packages}" not in output  # no stop in the packages


def test_where_up_and_down_know_the_users_frames_only(tmp_path: Path) -> None:
    steps = imported(tmp_path, PROGRAM).steps
    path, callee = steps.__code__.co_filename, line_of(PROGRAM, "callee")
    commands = [f"break {path}:{callee}", "continue", "where", "up", "up", "p sign", "down", "down", "p x.dtype.name"]
    output = debugged(Debugger, commands, tf.function(steps), tf.constant(2.0), tf.constant(3))
    _, _, shown = output.partition("-> return x + 1.0")
    frames = re.findall(r"[> ] (\S+)\((\d+)\)(\w+)\(\)", shown.partition("'up'")[0])
    assert {file for file, _, _ in frames if "runtime" in file or "operators" in file} == set()
    assert (path, str(line_of(PROGRAM, "branch")), "steps") in frames
    assert "'up'" in shown and "'float32'" in shown


def test_until_and_return(tmp_path: Path) -> None:
    steps = imported(tmp_path, PROGRAM).steps
    path, again = steps.__code__.co_filename, line_of(PROGRAM, "again")
    commands = [f"tbreak {path}:{line_of(PROGRAM, 'branch')}", "continue", f"until {again}", "return"]
    output = debugged(Debugger, commands, tf.function(steps), tf.constant(2.0), tf.constant(3))
    assert [line for _, line in visited(output)] == [line_of(PROGRAM, "branch"), again]
    assert "--Return--" in output  # of the function, not of the body of the loop


def test_breakpoint_by_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONBREAKPOINT", "autograph.debugger.set_trace")
    text = PROGRAM.replace('sign = "down"', "breakpoint()")
    (tmp_path / "program.py").write_text(text, encoding="utf-8")
    done = python(tmp_path, "program.py", script="p 'x is', x.dtype.name\nnext\np 'then', y.dtype.name\ncontinue\n")
    assert "('x is', 'float32')" in done.stdout and "result 9.0" in done.stdout, done.stdout + done.stderr
    assert f"program.py({line_of(PROGRAM, 'other')})steps()" in done.stdout


@pytest.mark.parametrize("decorated", [False, True])
def test_the_def_line_is_not_met_again_where_a_trace_leaves(decorated: bool, tmp_path: Path) -> None:
    text = f"def same(f): return f\n\n{'@same' if decorated else ''}\ndef half(x):\n    y = x / 2\n    return y\n"
    function = imported(tmp_path, text).half
    output = debugged(Debugger, [f"tbreak {function.__code__.co_filename}:5", *["next"] * 9], tf.function(function), X)
    stops = [int(line) for line in re.findall(r"> \S*program\.py\((\d+)\)half\(\)(?!->)", output)]
    assert stops == [4, 4, 5, 6]  # the call, and its lines
    assert "--Return--" in output


X = tf.constant(3.0)
