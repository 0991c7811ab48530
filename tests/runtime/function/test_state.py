"""What a Function leaves in objects, variables and containers of the program: in each run what plain Python leaves."""

from __future__ import annotations

import collections
import warnings
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf

from . import programs_with_state as programs
from .programs_with_state import Model, Slotted

t = tf.constant

CALLS = (2.0, -1.0, 3.0, 3.0, -2.0)


def shown(value: Any) -> Any:
    """The value with Python's values in the place of tensors, and its types."""
    if isinstance(value, tf.Tensor):
        return value.dtype.name, value.numpy().tolist()
    if isinstance(value, Model):
        return {name: shown(held) for name, held in vars(value).items()}
    if isinstance(value, Slotted):
        return shown(value.total)
    if isinstance(value, dict):
        return type(value), [(key, shown(held)) for key, held in value.items()]
    if isinstance(value, set):
        return sorted(value)
    if isinstance(value, list | tuple | collections.deque):
        return type(value), [shown(held) for held in value]
    return type(value), value


def history(call: Callable[[Model, Any], Any], model: Model) -> list[Any]:
    """What each of several calls gives, and leaves."""
    programs.TOTAL, programs.COUNT, Model.shared = t(0.0), 0, t(0.0)
    programs.TABLE.clear()
    found = []
    for value in CALLS:
        result = float(call(model, t(value)))
        held = (programs.TOTAL, programs.TABLE, programs.COUNT, Model.shared)
        found.append((result, shown(model), shown(held)))
    return found


def by_argument(program: Any, model: Model) -> Any:
    return tf.function(program)


def by_closure(program: Any, model: Model) -> Any:
    @tf.function
    def run(x: Any) -> Any:
        return program(model, x)

    return lambda model, x: run(x)


def by_a_function_inside(program: Any, model: Model) -> Any:
    inner = tf.function(program)

    @tf.function
    def run(model: Any, x: Any) -> Any:
        return inner(model, x) + 0.0

    return run


def by_a_method(program: Any, model: Model) -> Any:
    class Other(Model):
        @tf.function
        def step(self, x: Any) -> Any:
            return program(self, x)

    model.__class__ = Other
    return Other.step


@pytest.mark.parametrize("way", [by_argument, by_closure, by_a_function_inside, by_a_method])
@pytest.mark.parametrize("program", programs.PROGRAMS, ids=lambda program: program.__name__)
def test_as_in_plain_python(program: Any, way: Any) -> None:
    model = Model()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert history(way(program, model), model) == history(program, Model())


def test_running_eagerly_agrees() -> None:
    tf.config.run_functions_eagerly(True)
    try:
        assert history(tf.function(programs.on_one_way), Model()) == history(programs.on_one_way, Model())
    finally:
        tf.config.run_functions_eagerly(False)


ONE_TRACE = ("added_up", "on_one_way", "a_number", "tuples", "a_new_list", "a_new_list_in_each_iteration", "keys")
TWO_TRACES = ("elements", "made_on_one_way", "set_up_by_the_first_call")


@pytest.mark.parametrize(("name", "traces"), [*((n, 1) for n in ONE_TRACE), *((n, 2) for n in TWO_TRACES)])
def test_there_is_no_trace_for_each_value(name: str, traces: int) -> None:
    f, model = tf.function(getattr(programs, name)), Model()
    for value in CALLS:
        f(model, t(value))
    assert f.experimental_get_tracing_count() == traces


class WithDefault:
    """An attribute that the class has a value for, until a call gives the object its own."""

    last = 3


def test_an_attribute_that_the_class_has_a_value_for() -> None:
    def in_a_branch(model, x):
        if x > 0:
            model.last = x
        return x

    def in_each_call(model, x):
        model.last = x
        return x

    for program in (in_a_branch, in_each_call):
        for x in (2, -3):
            model, plain = WithDefault(), WithDefault()
            program(plain, x)
            tf.function(lambda x, model=model, program=program: program(model, x))(tf.constant(x))
            assert int(model.last) == plain.last


def test_text_that_a_branch_leaves_is_text() -> None:
    model, seen = WithDefault(), {"k": "a"}

    def program(x):
        if x > 0:
            model.last, seen["k"], model.raw = "é", "pos", b"pos"
        return x

    traced = tf.function(program)
    for x in (2, -3):
        kept = []
        for call, value in ((program, x), (traced, tf.constant(x))):
            model.last, model.raw, seen["k"] = "b", b"c", "a"
            call(value)
            kept.append((model.last, model.raw, seen["k"]))
        assert kept[0] == kept[1]
