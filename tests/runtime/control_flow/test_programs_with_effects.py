"""Many small programs that change what Python can change: each gives what Python gives, or is refused at its line.

Each runs by itself, in a branch, and in a loop that depends on a tensor.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError
from runtime.errors import OperatorNotAllowedInGraphError
from tests.runtime.comparing import observe
from tests.runtime.control_flow import programs_with_containers, programs_with_iterators, programs_with_objects

PROGRAMS = [
    *programs_with_containers.PROGRAMS, *programs_with_objects.PROGRAMS, *programs_with_iterators.PROGRAMS,
]  # fmt: skip


def in_a_branch(program: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def nested(n):
        if n > -10:
            result = program(n)
        else:
            result = program(n + 1)
        return result

    return nested


def in_a_loop(program: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def nested(n):
        k = n * 0
        while k < 1:
            result = program(n)
            k += 1
        return result

    return nested


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("within", [lambda program: program, in_a_branch, in_a_loop], ids=["alone", "branch", "loop"])
def test_as_python_or_refused(within: Callable[..., Any], program: Callable[[Any], Any]) -> None:
    staged = tf.function(within(program))
    try:
        staged.get_concrete_function(tf.constant(1))
    except Exception as error:
        shown = "".join(traceback.format_exception(error))
        code = program.__code__
        lines = range(code.co_firstlineno, max(line or 0 for *_, line in code.co_lines()) + 1)
        places = [f'{code.co_filename}", line {line},' for line in lines] + [f"{code.co_filename}:{n}" for n in lines]
        assert isinstance(error, StagingError | OperatorNotAllowedInGraphError), error
        assert any(place in shown for place in places), shown
        return
    for n in (2, 0, 3, 1, -1, 4):
        expected, _ = observe(program, n)
        result, _ = observe(staged, tf.constant(n))
        if isinstance(expected, Exception):
            assert isinstance(result, type(expected))
        else:
            assert repr(result) == repr(expected), n


def test_most_of_them_are_staged() -> None:
    def is_staged(program: Callable[[Any], Any]) -> bool:
        try:
            tf.function(program).get_concrete_function(tf.constant(1))
        except Exception:
            return False
        return True

    assert sum(map(is_staged, PROGRAMS)) >= 39
