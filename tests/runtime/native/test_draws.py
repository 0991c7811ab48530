"""Random numbers of a seed as machine code: the bits of NumPy's generator."""

import itertools

import numpy as np
import pytest

import runtime as tf
from runtime.native.lowerings import draws
from tests.one_in import one_in


@pytest.mark.parametrize(
    ("shape", "dtype"),
    one_in(3, itertools.product([[], [1], [3], [2, 4], [3, 3], [0, 2], [1000]], ["float32", "float64"]), several=True),
)
def test_draws(shape, dtype):
    def program(seed, least, n):
        total = tf.zeros(shape, dtype)
        for i in range(n):
            drawn = tf.random.stateless_uniform(shape, [seed, i], least, 2.5, dtype=dtype)
            total = total * 0.5 + drawn + tf.random.stateless_uniform(shape, seed=[-i, seed], dtype=dtype)
        return total

    native, plain = (tf.function(program, backend=name) for name in ("native", "numpy"))
    for seed in (0, -1, 2**62 + 3):
        given = tf.constant(seed, tf.int64), tf.constant(-1.25, dtype), tf.constant(5)
        np.testing.assert_array_equal(np.asarray(native(*given)), np.asarray(plain(*given)))
    plan = native.get_concrete_function(*given).plan
    assert not plan.refused and {region.given_up for region in plan.regions} == {0}


@pytest.mark.parametrize(
    ("shape", "dtype"),
    one_in(3, itertools.product([[], [1], [5], [3, 3], [0, 2], [9001]], [tf.float32, tf.float64]), several=True),
)
def test_normal_numbers(shape, dtype):
    def program(seed, n):
        total = tf.zeros(shape, dtype)
        for i in range(n):
            total = total * 0.5 + tf.random.stateless_normal(shape, [seed, i], dtype=dtype)
        return total

    native, plain = (tf.function(program, backend=name) for name in ("native", "numpy"))
    for seed in (0, -1, 2**62 + 3):
        given = tf.constant(seed, tf.int64), tf.constant(5)
        np.testing.assert_array_equal(np.asarray(native(*given)), np.asarray(plain(*given)))
    plan = native.get_concrete_function(*given).plan
    assert not plan.refused and {region.given_up for region in plan.regions} == {0}


def test_a_numpy_that_does_not_show_its_functions(monkeypatch):
    monkeypatch.setattr(draws, "has_normal", lambda: False)

    def program(n):
        total = tf.constant(0.0)
        for i in range(n):
            total = total + tf.random.stateless_normal([], [7, i])
        return total

    native = tf.function(program, backend="native")
    assert native(tf.constant(5)).numpy() == tf.function(program, backend="numpy")(tf.constant(5)).numpy()
    assert "left to numpy" in str(native.get_concrete_function(tf.constant(5)).plan.refused[0])


def test_areas_by_chance():
    def inside(n):
        hits = 0
        for i in range(n):
            x, y = tf.unstack(tf.random.stateless_uniform([2], seed=[i, 7], dtype=tf.float64))
            if x * x + y * y < 1:
                hits += 1
        return hits

    found = int(tf.function(inside, jit_compile=True)(tf.constant(2000)))
    assert found == int(tf.function(inside, backend="numpy")(tf.constant(2000)))
    assert abs(found / 500 - np.pi) < 0.2


def test_the_upper_bound_is_not_drawn():
    """1 and the number after it: rounding reaches the upper one, which becomes the lower one."""

    def least(n):
        hits = 0
        for i in range(n):
            drawn = tf.random.stateless_uniform([50], [i, 1], 1.0, np.nextafter(1.0, 2.0), tf.float64)
            hits += int(np.sum(drawn == 1.0))
        return hits

    native = tf.function(least, backend="native")
    assert int(native(tf.constant(4))) == 200
    assert not native.get_concrete_function(tf.constant(4)).plan.refused


def test_limits_that_are_not_finite_are_left_to_numpy():
    def program(most, n):
        total = tf.zeros([5], tf.float64)
        for i in range(n):
            total = total + tf.random.stateless_uniform([5], [i, 1], 0.0, most, tf.float64)
        return total

    native = tf.function(program, backend="native")
    given = tf.constant(np.inf, tf.float64), tf.constant(3)
    np.testing.assert_array_equal(np.asarray(native(*given)), np.asarray(tf.function(program, backend="numpy")(*given)))
