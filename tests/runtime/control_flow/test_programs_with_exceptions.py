"""Programs with managers, handlers, cleanups and jumps, staged as in Python, also inside of branches, loops and try."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.one_in import one_in
from tests.runtime.comparing import assert_same, say
from tests.runtime.control_flow import (
    programs_with_cleanups,
    programs_with_cleanups_in_loops,
    programs_with_handlers,
    programs_with_handlers_in_loops,
    programs_with_managers,
    programs_with_managers_in_loops,
    programs_with_places_in_nested_try,
    programs_with_places_in_try,
    programs_with_risks,
)

PROGRAMS = [
    *programs_with_cleanups.PROGRAMS, *programs_with_cleanups_in_loops.PROGRAMS, *programs_with_handlers.PROGRAMS,
    *programs_with_handlers_in_loops.PROGRAMS, *programs_with_managers.PROGRAMS,
    *programs_with_managers_in_loops.PROGRAMS, *programs_with_places_in_try.PROGRAMS,
    *programs_with_places_in_nested_try.PROGRAMS, *programs_with_risks.PROGRAMS,
]  # fmt: skip
INPUTS = (-1, 0, 1, 2, 3, 4, 5, 6, 7)
OTHERS = ("division_in_and", "floats_in_a_handler", "text_in_a_handler")
NUMBERS = [program for program in PROGRAMS if program.__name__ not in OTHERS]
"""Those that give an integer, which a branch or a loop may give as well as another one."""



def each(programs: list[Any]) -> Any:
    return pytest.mark.parametrize("program", programs, ids=lambda program: program.__name__)


@each(PROGRAMS)
def test_a_program_is_as_in_python(program: Callable[[Any], Any]) -> None:
    assert_same(program, *INPUTS)


@each(one_in(3, NUMBERS, 0))
def test_a_program_is_as_in_python_inside_of_a_branch(program: Callable[[Any], Any]) -> None:
    def in_a_branch(x):
        result = -99
        if x != 2:
            result = program(x)
        return result

    assert_same(in_a_branch, *INPUTS)


@each(one_in(3, NUMBERS, 1))
def test_a_program_is_as_in_python_inside_of_a_loop(program: Callable[[Any], Any]) -> None:
    def in_a_loop(x):
        result = 0
        for _ in range(x % 2 + 1):
            result = program(x)
        return result

    assert_same(in_a_loop, *INPUTS)


@each(one_in(3, PROGRAMS, 2))
def test_a_program_is_as_in_python_inside_of_a_try(program: Callable[[Any], Any]) -> None:
    def in_a_try(x):
        try:
            return program(x)
        except Exception:
            say("raised")
        finally:
            say("end")

    assert_same(in_a_try, *INPUTS)
