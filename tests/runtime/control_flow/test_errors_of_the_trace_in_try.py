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
        b -= sum([(lambda _: x)(i) for i in range(3) if x < 30])  # a lambda here is not staged
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


def test_a_handler_takes_no_error_of_the_trace_from_staged_code():
    with pytest.raises(OperatorNotAllowedInGraphError, match="has no value while the function"):
        runtime.function(handler_of_an_error_of_the_trace)(runtime.constant(3), runtime.constant(5))


def test_a_handler_takes_what_python_raises_after_staged_code():
    for y in (5, 50):
        assert_same(lambda x, y=y: handler_of_an_error_of_python(x, runtime.constant(y)), 3)
