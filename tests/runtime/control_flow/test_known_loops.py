"""Loops over what Python knows are one loop of the graph where their body is one program, and as in Python else."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.graph.nesting import operations_within


def weighted(x):
    s = 0.0
    for i in range(1000):
        s = s + x * i
    return s


def nested(x):
    for i in range(70):
        for j in range(3):
            for k in range(70):
                x = x + i * j - k
    return x


def counted_in_a_nest(x):
    k = 0
    for i in range(70):
        for j in range(80):
            k += 1
            x = x + k
    return x, k, i, j


def short_loops_in_one_another(x):
    for i in range(30):
        for j in range(30):
            x = x + i * j
    return x


def time_goes_on(x):
    t = 0.0
    for i in range(1000):
        x = x + 0.01 * (t - x)
        t += 0.01
    return x, t, i


def by_turns(x):
    for i in range(100):
        if i % 3 == 0:
            x = x + 1
        elif i % 5 == 0:
            x = x * 1.001
        else:
            x = x - 0.5
    return x


def backwards_in_steps(x):
    for i in range(400, 7, -5):
        x = x * 0.9 + i / 7
    return x, i


def numbered(x):
    for i, w in enumerate([0.5 * k for k in range(100)], start=3):
        x = x * 1.01 + i * w
    return x, i, w


def together(x):
    for a, b in zip(range(100), reversed(range(200))):
        x = x + a * b
    return x, a, b


def from_a_table(x):
    table = [1.5, 2.5, 0.1]
    for i in range(100):
        x = x + table[i % 3]
    return x


def into_an_array(x):
    a = np.zeros(200)
    for i in range(1, 199):
        a[i] = a[i - 1] + x * i
    return a


def left_in_between(x):
    for i in range(1000):
        if x > 50:
            break
        x = x + i
    return x, i


def never_left(x):
    for i in range(100):
        if x > 1e9:
            break
        x = x + i
    else:
        x = -x
    return x, i


def first_given_inside(x):
    for i in range(100):
        y = x * i
    return y + 1


def pseudo_random(x):
    seed = 12345
    for i in range(200):
        seed = (seed * 1103515245 + 12345) % 2147483648
        x = x + seed / 2147483648
    return x, seed


def changes_an_attribute(x):
    box = Box(0.0)
    for i in range(100):
        box.v = box.v + x * i
        box.n += 2
    return box.v, box.n


class Box:
    def __init__(self, v):
        self.v, self.n = v, 1


def asks_for_the_kind(x):
    for i in range(100):
        if not isinstance(i, int):
            raise TypeError("a whole number is wanted")
        x = x + i
    return x


def gradient_of(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for i in range(100):
            y = y * 1.01 + i * x
    return tape.gradient(y, x)


def keys(x):
    names = {f"w{i}": i for i in range(100)}
    for i in range(100):
        x = x + names[f"w{i}"]
    return x


ONE_LOOP = [
    weighted, nested, counted_in_a_nest, short_loops_in_one_another, time_goes_on, by_turns, backwards_in_steps,
    numbered, together, from_a_table, into_an_array, left_in_between, never_left, first_given_inside, pseudo_random,
    changes_an_attribute, asks_for_the_kind, keys,
]  # fmt: skip


def factorials(x):
    f = 1
    for i in range(1, 100):
        f = f * i
        x = x + f / 1e150
    return x


def large_powers(x):
    for i in range(100):
        x = x + i**20 / 1e30
    return x


def large_behind_the_loop(x):
    k = 1
    for i in range(100):
        k += i
        x = x + k
    return x + k**10 / 1e30


def growing_shape(x):
    rows = tf.reshape(x, [1])
    for i in range(100):
        rows = tf.concat([rows, rows[:1]], 0)
    return rows.shape[0] + x


def draws(x):
    r = random.Random(3)
    for i in range(100):
        x = x + r.random()
    return x


def divides_by_zero(x):
    try:
        for i in range(100):
            x = x + 1 / (50 - i)
    except ZeroDivisionError:
        x = -x
    return x


UNROLLED = [factorials, large_powers, large_behind_the_loop, growing_shape, draws, divides_by_zero]


def value(result: Any) -> Any:
    parts = result if isinstance(result, tuple | list) else [result]
    return np.concatenate([np.ravel(np.asarray(part, np.float64)) for part in parts])


def loops_in(function: Any, *args: Any) -> int:
    graph = function.get_concrete_function(*args).graph
    return sum(operation.type == "while" for operation in operations_within(graph.operations))


@pytest.mark.parametrize("program", ONE_LOOP)
def test_one_loop_of_the_graph(program: Callable[[Any], Any]) -> None:
    function = tf.function(program)
    x = tf.constant(1.5, tf.float64)
    assert loops_in(function, x) > 0
    np.testing.assert_allclose(value(function(x)), value(program(np.float64(1.5))), rtol=1e-12)


@pytest.mark.parametrize("program", UNROLLED)
def test_unrolled_where_the_body_is_no_such_program(program: Callable[[Any], Any]) -> None:
    function = tf.function(program)
    x = tf.constant(1.5, tf.float64)
    assert loops_in(function, x) == 0
    wanted = program(np.float64(1.5)) if program is not growing_shape else 102.5
    np.testing.assert_allclose(value(function(x)), value(wanted), rtol=1e-12)


def test_gradients_go_through_it() -> None:
    x = tf.constant(1.5, tf.float64)
    found = tf.function(gradient_of)(x)
    with tf.config.set_unroll_limit(1000):
        wanted = tf.function(gradient_of)(x)
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_what_is_printed_while_tracing_appears_for_each_item(capsys: pytest.CaptureFixture[str]) -> None:
    @tf.function
    def told(x):
        for i in range(100):
            if i < 2:
                print("item", i)
            x += 1
        return x

    assert float(told(tf.constant(1.0))) == 101.0
    assert capsys.readouterr().out == "item 0\nitem 1\n"


def test_an_iteration_costs_no_trace() -> None:
    @tf.function
    def long(x):
        for i in range(100_000):
            x = x + i
        return x

    assert float(long(tf.constant(0.0, tf.float64))) == sum(range(100_000))
    assert len(list(operations_within(long.get_concrete_function(tf.constant(0.0, tf.float64)).graph.operations))) < 40


@pytest.mark.parametrize("unroll", [True, 200, False, 10])
def test_the_program_may_say_it(unroll: Any) -> None:
    @tf.function
    def f(x):
        for i in range(100):
            tf.autograph.experimental.set_loop_options(unroll=unroll)
            x = x + i
        return x

    x = tf.constant(0.5)
    assert loops_in(f, x) == (0 if unroll is True or unroll == 200 else 1)
    assert float(f(x)) == 4950.5


def test_one_loop_that_cannot_be_is_refused_with_the_reason() -> None:
    @tf.function
    def f(x):
        out = []
        for i in range(100):
            tf.autograph.experimental.set_loop_options(unroll=False)
            if x > i:
                out.append(x)
        return out

    with pytest.raises(tf.autograph.StagingError, match="unroll=False.: the loop cannot be one loop .* gets longer"):
        f(tf.constant(1.0))


def test_the_limit_is_a_setting() -> None:
    @tf.function
    def f(x):
        for i in range(20):
            x = x + i
        return x

    with tf.config.set_unroll_limit(10):
        assert loops_in(f, tf.constant(0.5)) == 1
    with pytest.raises(ValueError, match="0 or more; got -1"):
        tf.config.set_unroll_limit(-1)
