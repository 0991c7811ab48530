"""The oracle itself: silent on equal functions, and loud on each way in which two may differ."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .grammar import Program, program
from .oracle import Function, Verdict, check, compare_lines, deadline, loaded
from .stateful import check_stateful

TEXT = """g0 = 1
def program(x, y, box, items, table):
    a = note(x)
    if a > 3:
        items[0] = a
    {line}
    return a
"""
VALUES = (5, 1, 2, 3, 4, 5, 6, 7, 8, 9)


def against(line: str, other_line: str) -> Verdict:
    """Compare a program with one that has another line."""

    def make(function: Function) -> Function:
        names = dict(function.__globals__)
        exec(compile(TEXT.format(line=other_line), function.__code__.co_filename, "exec"), names)
        other: Function = names["program"]
        return lambda *arguments: other(*arguments)

    return check(Program(1, TEXT.format(line=line), (VALUES,)), make)


def test_a_function_equals_itself() -> None:
    assert all(check(program(seed), lambda function: function).kind == "same" for seed in range(100))


@pytest.mark.parametrize(
    ("line", "other", "word"),
    [
        ("log(1)", "pass", "event"),
        ("log(1)", "log(1); log(1)", "event"),
        ("log(1); log(2)", "log(2); log(1)", "event 1"),
        ("log(1)", "log(1.0)", "event 1"),
        ("return 1", "return 2", "result"),
        ("return 1", "return True", "result"),
        ("box.v = 1", "pass", "state"),
        ("table['q'] = 1", "table['z'] = 1", "state"),
        ("raise Stop(1)", "raise Stop(2)", "error"),
        ("raise Stop", "raise ValueError", "error"),
        ("raise Stop", "return", "error"),
        ("raise Stop from None", "raise Stop", "error"),
        ("assert a < 0", "pass; raise AssertionError('')", ""),
        ("if a: raise Stop", "\n    if a: raise Stop", "line 7"),
    ],
)
def test_each_difference_is_seen(line: str, other: str, word: str) -> None:
    verdict = against(line, other)
    assert verdict.kind == ("differs" if word else "same"), verdict
    assert word in verdict.detail


def test_an_endless_run_is_stopped() -> None:
    token = deadline.set(0.05)
    assert "Endless" in against("pass", "while True: pass").detail
    assert against("while True: pass", "pass").kind == "same"  # such a program is no test
    deadline.reset(token)


def test_lines_are_compared() -> None:
    def make(function: Function) -> Callable[..., Any]:
        text = TEXT.format(line="log(1)").replace("\n    if a > 3:\n        items[0] = a", "\n\n    items[0] = a")
        names = dict(function.__globals__)
        exec(compile(text, function.__code__.co_filename, "exec"), names)
        other: Function = names["program"]
        return lambda *arguments: other(*arguments)

    program_text = TEXT.format(line="log(1)")
    with loaded(program_text, "<lines>") as namespace:
        original = namespace["program"]
        same = compare_lines(original, original, VALUES, "<lines>", namespace)
        verdict = compare_lines(original, make(original), VALUES, "<lines>", namespace)
    assert same.kind == "same"
    assert verdict.kind == "differs" and "missing" in verdict.detail


def test_an_error_that_only_what_nothing_needs_would_raise_is_no_difference() -> None:
    text = """class Model:
    shared, v = 0, 0
    def __init__(self): self.kind = [1, 2]
    @function
    def m0(self, x):
        if x > 0:
            self.kind.clear()
        s = self.kind[0]
        return x
Base, Model.shared = Model, 0
def program(see, T):
    o = Model()
    for _ in range(2):
        see(o.m0(T(1.5)), o)
"""
    assert check_stateful(Program(1, text, ((),))).kind == "same"
