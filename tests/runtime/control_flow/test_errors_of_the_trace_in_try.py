"""What `except` and `__exit__` cannot take: errors of the trace after staged code."""

from __future__ import annotations

import pytest

import runtime
from runtime.errors import OperatorNotAllowedInGraphError
from tests.runtime.comparing import assert_same


def handler_of_an_error_of_the_trace(x, y):
    b = 1
    try:
        if y < 30:
            raise ValueError(x)
        b -= len([(lambda: x) for _ in range(3) if x < 30])  # a lambda here is not staged
    except Exception:
        pass
    return b


def handler_of_an_error_of_python(x, y):
    b = 1
    try:
        if y < 30:
            raise ValueError(x)
        b -= {}["missing"]
    except Exception:
        b = 7
    return b


def jump_out_of_a_cleanup(x, y):
    for _ in range(2):
        try:
            if y < 30:
                raise ValueError(x)
            range(3)[len([(lambda: x) for _ in range(3) if x < 30])]
        finally:
            continue
    return y


def jump_out_of_a_cleanup_alone(x, y):
    try:
        y += len([(lambda: x) for _ in range(3) if x < 30])
    finally:
        return y


@pytest.mark.parametrize(
    "program", [handler_of_an_error_of_the_trace, jump_out_of_a_cleanup, jump_out_of_a_cleanup_alone]
)
def test_no_handler_or_jump_takes_an_error_of_the_trace(program):
    with pytest.raises(OperatorNotAllowedInGraphError, match="has no value while the function"):
        runtime.function(program)(runtime.constant(3), runtime.constant(5))


def test_a_handler_takes_what_python_raises_after_staged_code():
    for y in (5, 50):
        assert_same(lambda x, y=y: handler_of_an_error_of_python(x, runtime.constant(y)), 3)
