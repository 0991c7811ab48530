"""What a Function changes in Python happens once a trace; a warning says so, once, and names the thing and the line."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from runtime.errors import TraceEffectWarning

ONE = tf.constant(1)

CALLS = 0
SEEN: list[Any] = []


def warned(function: Any, *args: Any) -> list[tuple[str, int]]:
    """The things that are named in the warnings of three calls, with the lines."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(3):
            function(*args)
        function(*args[:-1], tf.constant(1.5))
    found = [w for w in caught if w.category is TraceEffectWarning]
    assert all(w.filename == __file__ for w in found)
    return [(str(w.message).split("'")[1], w.lineno) for w in found]


def line_of(function: Any, text: str) -> int:
    lines, start = inspect.getsourcelines(function)
    return start + next(i for i, line in enumerate(lines) if text in line)


def appends(x):
    SEEN.append(x)
    return x


def counts(x):
    global CALLS
    CALLS += 1
    return x


def deeper(x):
    return appends(x) + counts(x)


@pytest.mark.parametrize(
    ("function", "names", "where"),
    [
        (appends, ["SEEN"], [(appends, "SEEN.append")]),
        (counts, ["CALLS"], [(counts, "CALLS += 1")]),
        (deeper, ["CALLS", "SEEN"], [(counts, "CALLS += 1"), (appends, "SEEN.append")]),
    ],
)
def test_globals(function: Callable[..., Any], names: list[str], where: list[tuple[Any, str]]) -> None:
    assert sorted(warned(tf.function(function), ONE)) == list(zip(names, [line_of(*w) for w in where], strict=True))


def test_closure_variables_and_iterators() -> None:
    count = 1
    numbers = iter([1, 2, 3, 4])

    def f(x):
        nonlocal count
        count += 1
        return x + next(numbers)

    found = warned(tf.function(f), ONE)
    assert sorted(found) == [("count", line_of(f, "count += 1")), ("numbers", line_of(f, "next(numbers)"))]


class Counter:
    def __init__(self) -> None:
        self.count = 0
        self.cache: Any = None
        self.names = {"a": 1}

    @tf.function
    def step(self, x):
        self.count += 1
        self.names["b"] = 2
        return x


def test_attributes_are_named_once_for_all_instances() -> None:
    step = Counter.__dict__["step"].python_function
    found = [*warned(Counter().step, ONE), *warned(Counter().step, ONE)]
    assert sorted(found) == [("self.count", line_of(step, "self.count")), ("self.names", line_of(step, "self.names"))]


def test_what_is_set_up_by_the_first_call_is_as_it_should_be() -> None:
    class Lazy:
        def __init__(self) -> None:
            self.v: Any = None

        @tf.function
        def step(self, x):
            if self.v is None:
                self.v = tf.Variable(1.0)
                self.extra = 3
            return x

    assert warned(Lazy().step, ONE) == []


def test_what_belongs_to_the_call_is_no_effect() -> None:
    def local(x):
        items = []
        items.append(x)
        table = {"x": x}
        table["y"] = x
        return items[0] + table["y"]

    v = tf.Variable(1)

    def assigns(x):
        v.assign_add(1)
        return x

    assert warned(tf.function(local), ONE) == []
    assert warned(tf.function(assigns), ONE) == []


def test_the_warning_can_be_made_an_error_and_tells_the_remedy() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", TraceEffectWarning)
        with pytest.raises(TraceEffectWarning, match="once for each trace, not once for each call.*runtime.Variable"):
            tf.function(appends)(ONE)
