"""Programs with managers, handlers, cleanups and jumps, staged as in Python, also inside of branches, loops and try."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

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

every_program = pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
every_number = pytest.mark.parametrize("program", NUMBERS, ids=lambda program: program.__name__)


@every_program
def test_a_program_is_as_in_python(program: Callable[[Any], Any]) -> None:
    assert_same(program, *INPUTS)


@every_number
def test_a_program_is_as_in_python_inside_of_a_branch(program: Callable[[Any], Any]) -> None:
    def in_a_branch(x):
        result = -99
        if x != 2:
            result = program(x)
        return result

    assert_same(in_a_branch, *INPUTS)


@every_number
def test_a_program_is_as_in_python_inside_of_a_loop(program: Callable[[Any], Any]) -> None:
    def in_a_loop(x):
        result = 0
        for _ in range(x % 2 + 1):
            result = program(x)
        return result

    assert_same(in_a_loop, *INPUTS)


@every_program
def test_a_program_is_as_in_python_inside_of_a_try(program: Callable[[Any], Any]) -> None:
    def in_a_try(x):
        try:
            return program(x)
        except Exception:
            say("raised")
        finally:
            say("end")

    assert_same(in_a_try, *INPUTS)
