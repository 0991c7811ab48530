"""The debugger stops by line in staged branches, loops and called functions, and shows their variables."""

from __future__ import annotations

import io
import pdb  # noqa: T100
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import autograph
import runtime as tf
from tests.tools.program import PROGRAM, imported, line_of, python


def debugged(commands: list[str], function: Callable[..., Any], *arguments: Any) -> tuple[Any, str]:
    """The result of a call under pdb that is told `commands`, and what pdb wrote."""
    output = io.StringIO()
    debugger = pdb.Pdb(stdin=io.StringIO("\n".join([*commands, ""])), stdout=output, nosigint=True, readrc=False)
    debugger.use_rawinput = False
    before = sys.gettrace()
    try:
        result = debugger.runcall(function, *arguments)
    finally:
        sys.settrace(before)
        debugger.clear_all_breaks()
    return result, output.getvalue()


def stops(output: str, path: str) -> list[tuple[int, str]]:
    """The lines at which pdb stopped in the file, with the function that it named."""
    return [(int(line), name) for line, name in re.findall(rf"> {re.escape(path)}\((\d+)\)(\w+)\(\)", output)]


def test_breakpoints_in_a_staged_function(tmp_path: Path) -> None:
    module = imported(tmp_path, PROGRAM)
    path = str(module.__file__)
    lines = {name: line_of(PROGRAM, name) for name in ("branch", "other", "body", "again", "callee", "last")}
    commands = [*(f"break {path}:{line}" for line in lines.values()), "continue"]
    commands += ["p ('branch', sign, x.dtype.name)", "continue", "p ('callee', x.dtype.name)", "continue"]
    commands += ["p ('other', sign)", "continue", "p ('body', y.shape, i.dtype.name)", "continue"]
    commands += ["p ('again', total.dtype.name)", "continue", "p ('last', total.dtype.name)", "continue"]
    result, output = debugged(commands, tf.function(module.steps), tf.constant(2.0), tf.constant(3))
    assert float(result) == 9.0
    expected = [("branch", "steps"), ("callee", "grown"), ("other", "steps")]
    expected += [("body", "steps"), ("again", "steps"), ("last", "steps")]
    # Both branches are traced, each body once.
    assert stops(output, path) == [(lines[name], function) for name, function in expected]
    assert "('branch', 'up', 'float32')" in output and "('callee', 'float32')" in output
    assert "('other', 'down')" in output and "('body', TensorShape([]), 'int64')" in output
    assert "('again', 'float32')" in output and "('last', 'float32')" in output
    assert "-> y = grown(x)  # at: branch" in output  # pdb shows the user's text
    assert "Error" not in output


@pytest.mark.parametrize("convert", [autograph.to_graph, tf.function, lambda function: function])
def test_breakpoints_with_python_values_stop_as_often_as_python_does(convert: Any, tmp_path: Path) -> None:
    module = imported(tmp_path, PROGRAM)
    path, body = str(module.__file__), line_of(PROGRAM, "body")
    commands = [f"break {path}:{line_of(PROGRAM, 'other')}", f"break {path}:{body}", "continue"]
    commands += ["p ('body', i, total)", "continue"] * 3
    result, output = debugged(commands, convert(module.steps), 2.0, 3)
    assert float(result) == 9.0
    assert [stop for stop in stops(output, path) if stop[0] != line_of(PROGRAM, "other")].count((body, "steps")) == 3
    assert (line_of(PROGRAM, "other"), "steps") not in stops(output, path)
    for i in range(3):
        assert f"('body', {i}, " in output


def test_a_conditional_and_a_temporary_breakpoint(tmp_path: Path) -> None:
    module = imported(tmp_path, PROGRAM)
    path, body = str(module.__file__), line_of(PROGRAM, "body")
    commands = [f"break {path}:{body}, i == 2", f"tbreak {path}:{line_of(PROGRAM, 'callee')}", "continue", "continue"]
    result, output = debugged([*commands, "p ('i is', i)", "continue"], autograph.to_graph(module.steps), 2.0, 4)
    assert result == 12.0
    assert stops(output, path)[-2:] == [(line_of(PROGRAM, "callee"), "grown"), (body, "steps")]
    assert "('i is', 2)" in output


def test_the_debugger_as_a_program(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    branch, body = line_of(PROGRAM, "branch"), line_of(PROGRAM, "body")
    commands = f"break {branch}\nbreak {body}\ncontinue\np 'sign is', sign\ncontinue\np 'i is', i.dtype.name\n"
    done = python(tmp_path, "-m", "pdb", "program.py", script=commands + "continue\nquit\n")
    assert done.returncode == 0, done.stderr
    assert "('sign is', 'up')" in done.stdout and "('i is', 'int64')" in done.stdout, done.stdout
    assert [line for line, _ in stops(done.stdout, str(tmp_path / "program.py"))] == [branch, body]
    assert "result 9.0" in done.stdout


def test_breakpoint_in_the_source_stops_in_the_branch(tmp_path: Path) -> None:
    text = PROGRAM.replace('sign = "down"', "breakpoint()")
    (tmp_path / "program.py").write_text(text, encoding="utf-8")
    done = python(tmp_path, "program.py", script="p 'x is', x.dtype.name\nup\nnext\ncontinue\n")
    assert "('x is', 'float32')" in done.stdout and "result 9.0" in done.stdout, done.stdout + done.stderr


def test_a_breakpoint_on_a_header_stops_where_the_statement_is_met_and_where_it_goes_on(tmp_path: Path) -> None:
    module = imported(tmp_path, PROGRAM)
    path = str(module.__file__)
    headers = {"if": line_of(PROGRAM, "branch") - 2, "for": line_of(PROGRAM, "body") - 1}
    headers["while"] = line_of(PROGRAM, "again") - 1
    counts = {}
    for name, line in headers.items():
        commands = [f"break {path}:{line}", *["continue"] * 40]
        _, output = debugged(commands, tf.function(module.steps), tf.constant(2.0), tf.constant(3))
        found = stops(output, path)
        assert {line for line, _ in found[1:]} <= {line}
        counts[name] = sum(each == line for each, _ in found)
    # Once for the statement; in loops once more for the next item, and for the test of the loop.
    assert counts["if"] == 1 and counts["for"] == 2 and 2 <= counts["while"] <= 3


def test_a_breakpoint_in_a_branch_that_first_defines_a_variable_stops_once(tmp_path: Path) -> None:
    text = "def f(x):\n    if x > 0:\n        y = x\n        z = y + 1\n        x = z\n    return x\n"
    module = imported(tmp_path, text)
    path = str(module.__file__)
    for line in (2, 3, 4):
        commands = [f"break {path}:{line}", *["continue"] * 10]
        _, output = debugged(commands, tf.function(module.f), tf.constant(2.0))
        assert [each for each, _ in stops(output, path)].count(line) == 1


def test_after_an_error_the_debugger_shows_the_users_frames(tmp_path: Path) -> None:
    text = "def g(x):\n    return x + missing\n\n\ndef f(x):\n    for i in range(2):\n        y = g(x)\n    return y\n"
    module = imported(tmp_path, text)
    with pytest.raises(NameError) as caught:
        tf.function(module.f)(tf.constant(2.0))
    output = io.StringIO()
    script = io.StringIO("where\np x.dtype.name\nup\np i\nquit\n")
    debugger = pdb.Pdb(stdin=script, stdout=output, nosigint=True, readrc=False)
    debugger.use_rawinput = False
    debugger.reset()
    assert caught.value.__traceback__ is not None
    debugger.interaction(None, caught.value.__traceback__.tb_next)
    shown = output.getvalue()
    assert set(re.findall(r"^[> ] (\S+)\(\d+\)", shown, re.MULTILINE)) == {str(module.__file__)}
    assert "-> return x + missing" in shown and "-> y = g(x)" in shown
    assert "(Pdb) 'float32'\n" in shown and "(Pdb) 0\n" in shown
