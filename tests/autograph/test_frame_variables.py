"""Reading the variables of a running function leaves nothing behind in it, and takes nothing away from others."""

from __future__ import annotations

import sys
import weakref
from types import FrameType
from typing import Any

from autograph.operators.frame_variables import variables_of


class Thing:
    pass


def look() -> dict[str, Any]:
    return variables_of(sys._getframe(1))


def test_variables_of_a_function_with_cells() -> None:
    a, b = 1, 2

    def inner() -> tuple[dict[str, Any], int]:
        c = 3
        return look(), b + c

    found, total = inner()
    mine = look()
    assert (found, total) == ({"b": 2, "c": 3}, 5)
    assert mine == {"a": a, "b": b, "inner": inner, "found": found, "total": total}


def test_what_the_function_forgets_is_gone() -> None:
    thing = Thing()
    reference = weakref.ref(thing)
    assert look()["thing"] is thing
    thing = None
    assert reference() is None
    assert look()["thing"] is None


def test_what_a_generator_forgets_is_gone() -> None:
    def numbers() -> Any:
        thing = Thing()
        yield weakref.ref(thing)
        thing = None
        yield thing

    generator = numbers()
    reference = next(generator)
    assert set(variables_of(generator.gi_frame)) == {"thing"}
    next(generator)
    assert reference() is None


def test_a_dict_that_the_program_has_keeps_its_contents() -> None:
    number = 5
    mine = locals()
    found = look()
    assert mine["number"] == found["number"] == number


def test_a_debugger_may_write_the_variables_back() -> None:
    found: list[dict[str, Any]] = []

    def traced() -> tuple[int, int]:
        a = 1
        b = 2
        return a, b

    def tracer(frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code is traced.__code__:
            found.append(variables_of(frame))
        return tracer

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        result = traced()
    finally:
        sys.settrace(before)
    assert result == (1, 2)
    assert found[-1] == {"a": 1, "b": 2}


def test_namespaces_of_modules_and_classes_stay() -> None:
    space = {"look": look, "number": 5}
    exec("found = look()\nclass Made:\n    number = 6\n    found = look()\n", space)
    assert space["number"] == space["found"]["number"] == 5  # type: ignore[index]
    assert space["Made"].number == space["Made"].found["number"] == 6  # type: ignore[attr-defined]
