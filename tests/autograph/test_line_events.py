"""Breakpoints and coverage: the converted code runs the same lines of the user's file as the original.

Debuggers and coverage tools live on line events; a line that the original runs must give one in the converted
function too, and no other line may.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import autograph

from . import program_classes, programs

CALLS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    *[(programs.lines_of_everything, (x, items)) for x in (0, 2, 3) for items in ([], [3, 1], [3, 0, 5])],
    (programs.raises_deep, (5,)),
    (programs.divides, (4, 2)),
    (programs.finally_after_return, (2, [])),
    *[(programs.handles_anything, (x,)) for x in (0, 2, "text")],
    (programs.reraises, (1,)),
    *[(programs.else_of_try, (x,)) for x in (0, 1)],
    *[(programs.else_without_effect, (x,)) for x in (0, 9)],
    (programs.inner_generator, (4,)),
    (programs.late_binding, (3,)),
    (program_classes.makes_class, (True,)),
]


def line_events(function: Callable[..., Any], arguments: tuple[Any, ...]) -> list[int]:
    """Lines of the function's file in the order in which their events come."""
    filename, lines = function.__code__.co_filename, list[int]()

    def local(frame: FrameType, event: str, argument: object) -> Any:
        if event == "line":
            lines.append(frame.f_lineno)
        return local

    before = sys.gettrace()
    sys.settrace(lambda frame, event, argument: local if frame.f_code.co_filename == filename else None)
    try:
        function(*arguments)
    finally:
        sys.settrace(before)
    return lines


@pytest.mark.parametrize(("function", "arguments"), CALLS, ids=lambda value: getattr(value, "__name__", None))
def test_the_same_lines_run_and_first_in_the_same_order(
    function: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    converted = autograph.to_graph(function)
    header = {function.__code__.co_firstlineno}
    expected = [line for line in dict.fromkeys(line_events(function, arguments)) if line not in header]
    found = [line for line in dict.fromkeys(line_events(converted, arguments)) if line not in header]
    assert found == expected != []


def test_a_breakpoint_on_a_plain_statement_stops_as_often_as_in_the_original() -> None:
    function, arguments = programs.lines_of_everything, (3, [3, 1, 4])
    source = Path(programs.__file__).read_text(encoding="utf-8").splitlines()
    expected = Counter(line_events(function, arguments))
    found = Counter(line_events(autograph.to_graph(function), arguments))
    plain = [line for line in expected if source[line - 1].strip().startswith("total ")]
    assert len(plain) > 5
    assert {line: found[line] for line in plain} == {line: expected[line] for line in plain}
