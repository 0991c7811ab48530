"""What `except` and `__exit__` cannot take: errors of the trace after staged code, a class that only a run knows."""

from __future__ import annotations

import pytest

import runtime
from autograph import StagingError
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


class Asking:
    """A manager that asks for the class that it is given."""

    def __init__(self, ask):
        self.ask = ask

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        if kind is not None:
            self.ask(kind)


def under_a_manager(ask, x):
    def again(p):
        if p <= 0:
            return 1
        return again(p - 1) + p

    with Asking(ask):
        if x >= 48:
            raise ValueError(x)
        x = again(x)  # a call of a graph that is not complete may raise anything
    return x


@pytest.mark.parametrize(
    "ask",
    [
        lambda kind: kind.__name__, lambda kind: issubclass(kind, ValueError), lambda kind: kind == ValueError,
        lambda kind: kind in (ValueError, KeyError), lambda kind: f"{kind}", repr, hash,
    ],
    ids=["name", "issubclass", "equal", "in", "text", "repr", "hash"],
)  # fmt: skip
def test_a_class_that_only_the_run_knows_is_not_made_up(ask):
    with pytest.raises(StagingError, match="[Ii]ts class cannot be asked for"):
        runtime.function(lambda x: under_a_manager(ask, x))(runtime.constant(3))


def test_a_manager_may_ask_whether_there_is_an_exception():
    staged = runtime.function(lambda x: under_a_manager(lambda kind: None, x))
    assert int(staged(runtime.constant(3))) == 7
    with pytest.raises(ValueError, match="50"):
        staged(runtime.constant(50))
