"""What a Function changes in Python happens once a trace; a warning says so, once, and names the thing and the line."""

from __future__ import annotations

import enum
import inspect
import queue
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
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


class Base:
    count = 0


class Derived(Base):
    pass


class Bare:
    pass


FIRST: Any = None


def asked_for(o, x):
    is_known = hasattr(o, "known")
    o.known = 1.0
    return x + 10 if is_known else x


def none_at_first(o, x):
    global FIRST
    if FIRST is None:
        FIRST = 3.0
        return x
    return x * FIRST


def an_object(o, x):
    if getattr(o, "known", None) is None:
        o.known = Bare()
        return x + 10
    return x


def an_object_of_an_object(o, x):
    if not hasattr(o, "known"):
        o.known = [Bare()]
    o = o.known[0]
    if getattr(o, "inner", None) is not None:
        return x
    o.inner = {"a": 1}
    return x + 10


@pytest.mark.parametrize("program", [asked_for, none_at_first, an_object, an_object_of_an_object])
def test_what_the_first_call_finds_nothing_of_is_found_by_the_next(program: Any) -> None:
    def history(call: Any) -> list[float]:
        global FIRST
        FIRST, o = None, Bare()
        return [float(call(o, tf.constant(2.0))) for _ in range(4)]

    staged = tf.function(program)
    assert history(staged) == history(program)
    assert staged.experimental_get_tracing_count() == 2


def test_a_number_that_only_the_base_has_is_told_from_the_second_call_on() -> None:
    @tf.function
    def counted(x):
        Derived.count += 1
        return x * Derived.count

    with pytest.warns(TraceEffectWarning, match="Derived.count"):
        assert [float(counted(tf.constant(2.0))) for _ in range(2)] == [2.0, 4.0]


class Mode(enum.Flag):
    READ = 1
    WRITE = 2


class File:
    mode = Mode.READ


def test_a_flag_that_only_the_class_has_is_told_from_the_second_call_on() -> None:
    file = File()

    @tf.function
    def toggled(x):
        file.mode ^= Mode.WRITE
        return x * file.mode.value

    with pytest.warns(TraceEffectWarning, match="file.mode"):
        assert [float(toggled(tf.constant(2.0))) for _ in range(2)] == [6.0, 2.0]


def test_what_is_put_into_a_queue_of_c_is_told() -> None:
    waiting: Any = queue.SimpleQueue()

    def put(x):
        waiting.put(1)
        return x

    assert warned(tf.function(put), ONE) == [("waiting", line_of(put, "waiting.put"))]


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


def test_numbers_that_a_trace_draws_are_told_of_as_such() -> None:
    numbers = np.random.default_rng(1)
    f = tf.function(lambda x: x + numbers.random())
    with pytest.warns(TraceEffectWarning, match="'numbers' is changed .*: numbers are drawn once for each trace"):
        f(tf.constant(1.0))
