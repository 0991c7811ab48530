"""Calls that come often take the shortest way, in Python or in machine code, and do what they did before."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.engine.short_calls import missed
from tests.runtime.function.short_ways import is_short, often

RATE = 2.0
T = tf.constant([1.0, 2.0])


def test_results_are_those_of_the_long_way(maker: str) -> None:
    function = tf.function(lambda x, y: x * 2 + y)
    first = function(T, T)
    assert function._traces.short is missed
    assert often(function, T, T).numpy().tolist() == first.numpy().tolist() == [3, 6]
    assert is_short(function, maker, T, T)
    assert type(function(T, T)) is type(first) and function(tf.constant([5.0, 6.0]), T).numpy().tolist() == [11, 14]


def test_other_arguments_take_the_long_way(maker: str) -> None:
    function = tf.function(lambda x: x + 1)
    often(function, T)
    assert is_short(function, maker, T)
    for other in (tf.constant([1, 2]), tf.constant([1.0, 2.0, 3.0]), tf.constant([[1.0, 2.0]]), tf.constant(1.0),
                  tf.constant(2, tf.int8), np.ones(2, np.float32), 3, 4.5):  # fmt: skip
        assert not is_short(function, maker, other)
        assert np.array_equal(np.asarray(function(other)), np.asarray(other) + 1)
    assert not is_short(function, maker) and not is_short(function, maker, T, T)
    with pytest.raises(TypeError):
        function(T, T)
    with pytest.raises(TypeError):
        function()


@pytest.mark.parametrize("structure", [
    lambda x: (x, x + 1), lambda x: {"a": x + 1, "b": [x]}, lambda x: None, lambda x: [x * 2], lambda x: (x, None, 3),
])  # fmt: skip
def test_any_structure_of_results(structure: Callable[[Any], Any], maker: str) -> None:
    function = tf.function(structure)
    expected = function(T)
    assert tf.nest.map_structure(repr, often(function, T)) == tf.nest.map_structure(repr, expected)
    assert is_short(function, maker, T)


def test_without_arguments(maker: str) -> None:
    function = tf.function(lambda: tf.constant(3) + 4)
    assert int(often(function)) == 7 and is_short(function, maker)


# -- arrays of the caller


def test_ndarrays(maker: str) -> None:
    function, x = tf.function(lambda x, y: x * 2 + y), np.array([1.0, 2.0])
    assert often(function, x, x + 1).numpy().tolist() == [4, 7]
    assert is_short(function, maker, x, x + 1)
    for other in (x[::-1], np.zeros(4)[::2], x.astype(">f8"), x.astype(np.float32)):
        assert not is_short(function, maker, x, other)
        assert np.array_equal(function(x, other).numpy(), x * 2 + np.asarray(other))
    frozen = np.array([7.0, 8.0])
    frozen.flags.writeable = False
    assert not is_short(function, maker, x, frozen) and not is_short(function, maker, x, x)
    assert function(x, x).numpy().tolist() == [3, 6] and function(x, frozen).numpy().tolist() == [9, 12]


@pytest.mark.parametrize("returned", [lambda x: x, lambda x: x[1:], lambda x: x.reshape(2, 2), lambda x: x.T + 0])
def test_a_result_shares_no_memory_with_the_callers_array(returned: Callable[[Any], Any], maker: str) -> None:
    function, x = tf.function(returned), np.arange(4.0)
    result = often(function, x)
    assert is_short(function, maker, x)
    assert not np.shares_memory(result.numpy(), x)
    x[:] = 9
    assert np.array_equal(result.numpy(), returned(np.arange(4.0)))


def test_arrays_that_are_written_to_take_the_long_way(maker: str) -> None:
    def fill(x):
        x[0] = x[1] + 1
        return x

    function, x = tf.function(fill), np.arange(3.0)
    often(function, x)
    assert function._traces.short is missed and x[0] == 2


# -- what a trace has taken from Python


def test_a_global_that_changes(maker: str, monkeypatch: pytest.MonkeyPatch) -> None:
    function = tf.function(lambda x: x * RATE)
    often(function, T)
    assert is_short(function, maker, T)
    monkeypatch.setitem(globals(), "RATE", 3.0)
    assert not is_short(function, maker, T) and function(T).numpy().tolist() == [3, 6]
    monkeypatch.delitem(globals(), "RATE")
    with pytest.raises(NameError):
        function(T)


def test_a_variable_of_a_closure_that_changes(maker: str) -> None:
    rate, power = 2.0, [1]

    def change(to: float) -> None:
        nonlocal rate
        rate = to

    function = tf.function(lambda x: x * rate + power[0])
    assert often(function, T).numpy().tolist() == [3, 5] and is_short(function, maker, T)
    change(4.0)
    assert not is_short(function, maker, T) and often(function, T).numpy().tolist() == [5, 9]
    assert is_short(function, maker, T)
    power[0] = 5
    assert not is_short(function, maker, T) and function(T).numpy().tolist() == [9, 13]


def test_a_number_of_the_same_value_may_be_another_object(maker: str) -> None:
    settings = types.SimpleNamespace(rate=2.5)
    function = tf.function(lambda x: x * settings.rate)
    often(function, T)
    settings.rate = float("2.5")
    assert often(function, T).numpy().tolist() == [2.5, 5] and function.experimental_get_tracing_count() == 1
    often(function, T)
    assert is_short(function, maker, T)
    settings.rate = 1.0
    assert function(T).numpy().tolist() == [1, 2]


def test_an_attribute_of_a_module_and_the_code(maker: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def scaled(x, by=2.0):
        return np.sin(x) * by

    function = tf.function(scaled)
    often(function, T)
    assert is_short(function, maker, T)
    monkeypatch.setattr(np, "sin", np.cos)
    assert not is_short(function, maker, T) and np.allclose(function(T).numpy(), 2 * np.cos(T.numpy()))
    often(function, T)
    assert is_short(function, maker, T)

    def moved(x, by=2.0):
        return x + by

    scaled.__code__ = moved.__code__
    assert not is_short(function, maker, T) and function(T).numpy().tolist() == [3, 4]


# -- what else decides about calls


def test_tapes_eager_runs_and_other_traces_are_told(maker: str) -> None:
    function = tf.function(lambda x: x * x)
    often(function, T)
    assert is_short(function, maker, T)
    with tf.GradientTape() as tape:
        tape.watch(T)
        y = function(T)
    assert tape.gradient(y, T).numpy().tolist() == [2, 4]
    outer = tf.function(lambda x: function(x) + 1)
    assert often(outer, T).numpy().tolist() == [2, 5]
    seen: list[Any] = []
    eager = tf.function(lambda x: seen.append(1) or x)
    often(eager, T)
    with tf.config.run_functions_eagerly(True):
        eager(T)
    assert len(seen) == 2


def test_numerics_are_checked_where_that_is_asked(maker: str) -> None:
    function = tf.function(lambda x: tf.math.log(x))
    often(function, T)
    tf.debugging.enable_check_numerics()
    try:
        with pytest.raises(tf.errors.InvalidArgumentError, match="log"):
            function(tf.constant([-1.0, 1.0]))
    finally:
        tf.debugging.disable_check_numerics()
    assert np.isnan(function(tf.constant([-1.0, 1.0])).numpy()[0])


def test_variables_are_read_and_written(maker: str) -> None:
    total = tf.Variable(0.0)
    function = tf.function(lambda x: total.assign_add(tf.reduce_sum(x)))
    assert float(often(function, T)) == 120 and float(total) == 120
    assert is_short(function, maker, T) and float(total) == 123


def test_errors_name_the_users_line(maker: str) -> None:
    function = tf.function(lambda x, i: x[i])
    zero = tf.constant(0)
    often(function, T, zero)
    assert is_short(function, maker, T, zero)
    for _ in range(3):
        with pytest.raises((IndexError, tf.errors.InvalidArgumentError), match=r"5|out of"):
            function(T, tf.constant(5))
    assert float(function(T, zero)) == 1


def test_a_cleared_cache(maker: str) -> None:
    function = tf.function(lambda x: x + 1)
    often(function, T)
    function.cache_clear()
    assert function._traces.short is missed
    assert often(function, T).numpy().tolist() == [2, 3] and is_short(function, maker, T)


# -- constants and keywords


def test_constants_of_python(maker: str) -> None:
    function = tf.function(lambda x, power, training=False, name=None: x**power if training else -x)
    assert often(function, T, 2, True, "a").numpy().tolist() == [1, 4]
    assert is_short(function, maker, T, 2, True, "a")
    for others, expected in (((3, True, "a"), [1, 8]), ((2, False, "a"), [-1, -2]), ((2, 1, "a"), [1, 4])):
        assert not is_short(function, maker, T, *others)
        assert function(T, *others).numpy().tolist() == expected


def test_numbers_that_are_inputs_take_the_long_way(maker: str) -> None:
    function = tf.function(lambda x, n: x * n, reduce_retracing=True)
    for n in range(60):
        assert function(T, n).numpy().tolist() == [n, 2 * n]
    assert often(function, T, 7).numpy().tolist() == [7, 14] and function(T, 8).numpy().tolist() == [8, 16]


def test_keywords_in_the_order_of_the_parameters(maker: str) -> None:
    def f(x, y=1.0, *rest, scale=1.0, **others):
        return (x - y) * scale + len(rest) + len(others)

    function = tf.function(f)
    for _ in range(40):
        for args, kwargs in [((T,), {"y": T}), ((), {"x": T, "y": 2 * T}), ((), {"y": T, "x": 2 * T}),
                             ((T,), {"scale": 3.0}), ((T,), {"y": T, "scale": 2.0}), ((T, T), {"more": 1}),
                             ((T, T, T), {})]:  # fmt: skip
            assert function(*args, **kwargs).numpy().tolist() == f(*args, **kwargs).numpy().tolist()
    for args, kwargs in [((T,), {"x": T}), ((), {"y": T}), ((T, T), {"y": T})]:
        with pytest.raises(TypeError):
            function(*args, **kwargs)
    assert function(T, y=T).numpy().tolist() == [0, 0]


def test_methods_and_attributes(maker: str) -> None:
    class Model:
        def __init__(self) -> None:
            self.rate, self.weight = 2.0, tf.Variable(1.0)

        def scaled(self, x):
            return x * self.rate

        @tf.function
        def step(self, x):
            return self.scaled(x) * self.weight

    model, other = Model(), Model()
    other.rate = 5.0
    assert often(model.step, T).numpy().tolist() == [2, 4] and often(other.step, T).numpy().tolist() == [5, 10]
    assert is_short(model.step, maker, T) and is_short(other.step, maker, T)
    model.weight.assign(3.0)
    assert is_short(model.step, maker, T) and model.step(T).numpy().tolist() == [6, 12]
    model.rate = 1.0
    assert not is_short(model.step, maker, T) and model.step(T).numpy().tolist() == [3, 6]
    often(model.step, T)
    model.weight = tf.Variable(-1.0)
    assert model.step(T).numpy().tolist() == [-1, -2] and other.step(T).numpy().tolist() == [5, 10]
    Model.scaled = lambda self, x: x + self.rate
    assert other.step(T).numpy().tolist() == [6, 7]
