"""What only moves elements, or finds them, as machine code: transposes, joins, gathers, slices with steps, extremes,
norms, with sizes and indices of the run."""

import copy
import itertools

import numpy as np
import pytest

import runtime as tf
from tests.one_in import one_in
from tests.runtime.native.looped import folded, run

ENDS = (None, 0, 1, 4, -1, -2, 9, -9)
STEPS = (2, 3, -1, -2, -3)


@pytest.mark.parametrize(("step", "size"), one_in(6, itertools.product(STEPS, (6, 1)), several=True))
def test_slices_with_steps(step, size):
    """Every pair of ends: each in one program, as constants and as tensors in turns."""

    def program(x, ends):
        total = 0.0
        for start, stop in itertools.product(ENDS, ENDS):
            total = total * 0.5 + folded(x[start:stop:step])
        for i in range(7):
            total = total * 0.5 + folded(x[ends[i] : ends[i + 1] : step])
        return total

    run(program, np.arange(float(size)) + 1, np.array([0, 1, 4, -1, -2, 9, -9, 3]))


def test_steps_that_only_the_run_knows():
    def program(x, flags, n):
        total = 0.0
        for i in range(1, n):
            total = total * 0.5 + folded(x[::i]) + folded(x[i::i + 1]) + folded(x[:-i:i]) + folded(x[n + i : i : i])
            flags[i * i :: i] = False
            x[1 : n : i] = x[0]
        return total, x, flags

    drawn = np.random.default_rng(3).normal(size=40)
    given = drawn, np.ones(40, bool), tf.constant(30)
    staged = tf.function(program, backend="native")
    found = staged(*copy.deepcopy(given))
    plan = staged.get_concrete_function(*given).plan
    assert [str(reason) for reason in plan.refused] == []
    assert [region.given_up for region in plan.regions] == [0]
    wanted = program(drawn.copy(), np.ones(40, bool), 30)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("step", [-3, -1, 0, 2**62])
def test_steps_that_are_left_to_the_plan(step):
    """Those backwards, and 0, which is its error."""

    def program(x, step, n):
        total = 0.0
        for i in range(n):
            total = total * 0.5 + folded(x[i::step])
        return total

    given = np.arange(9.0), tf.constant(step, tf.int64), tf.constant(5)
    staged = tf.function(program, backend="native")
    if step == 0:
        with pytest.raises(ValueError, match="the step of a slice must not be 0"):
            staged(*given)
        return
    assert float(staged(*given)) == program(np.arange(9.0), step, 5)
    (region,) = staged.get_concrete_function(*given).plan.regions
    assert region.given_up == (step < 0)


def test_elements_are_written_with_steps():
    def program(x, n):
        y = x.copy()
        y[::2] = 7.0
        y[::-3] += x[:2]
        y[n:0:-2] *= 3.0
        return folded(y)

    run(program, np.arange(6.0), np.int64(4))


def test_transposes():
    def program(x, y):
        swapped = x.T * y
        turned = np.transpose(np.stack([x, x + 1.0]), (2, 0, 1))
        total = 0.0
        for row in swapped:
            total = total * 0.5 + folded(row)
        for table in turned + 1.0:
            for row in table:
                total = total * 0.5 + folded(row)
        return total

    run(program, np.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(3, 2) + 1)


def test_joins_of_lengths_that_the_run_knows():
    def program(x, n):
        parts = np.concatenate([x[:n], x[n:], x[1:n]])
        rows = np.stack([x[:n], x[:n] * 2.0], axis=1)
        total = folded(parts)
        for row in rows:
            total = total * 0.5 + folded(row)
        return total

    run(program, np.arange(5.0), np.int64(3))


def test_what_indices_pick():
    def program(x, table, places):
        total = folded(tf.gather(x, places))
        for row in tf.gather(table, places[:2], axis=1):
            total = total * 0.5 + folded(row)
        return total + tf.gather(x, places[0])

    run(program, np.arange(5.0), np.arange(12.0).reshape(3, 4), np.array([3, 0, 3, 2]))


def test_what_arrays_as_indices_pick_and_write():
    def program(x, table, places):
        y = x.copy()
        y[places] = x[: places.size] * 2.0
        y[places] += 1.0
        t = table.copy()
        t[places[:2]] = y[:4]
        t[:, places] *= 3.0
        total = folded(y) + folded(x[places[::-1]])
        for row in t:
            total = total * 0.5 + folded(row)
        for row in table[:, places]:
            total = total * 0.5 + folded(row)
        for rows in table[np.stack([places[:2], places[1:3]])]:
            for row in rows:
                total = total * 0.5 + folded(row)
        return total

    run(program, np.arange(5.0), np.arange(12.0).reshape(3, 4), np.array([-3, 0, 1, 0]))


def test_gradients_of_what_is_picked():
    def slope(backend):
        def program(x, places):
            total = x[0]
            for _ in range(3):
                total = total * 0.5 + tf.reduce_sum(x[places] * tf.gather(x, places) * total)
            return total

        @tf.function(backend=backend)
        def gradient(x, places):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = program(x, places)
            return tape.gradient(y, x)

        return np.asarray(gradient(tf.constant([0.5, -1.25, 2.0], tf.float64), tf.constant([1, 0, 1])))

    np.testing.assert_array_equal(slope("native"), slope("numpy"))


def test_an_index_out_of_range_is_the_error_of_the_plan():
    def program(x, places):
        total = 0.0
        for _ in range(2):
            total += folded(tf.gather(x, places))
        return total

    with pytest.raises(tf.errors.InvalidArgumentError, match=r"indices\[1\] = 5 is not in \[0, 5\)"):
        tf.function(program, backend="native")(np.arange(5.0), np.array([0, 5]))


@pytest.mark.parametrize("find", [np.argmax, np.argmin])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int8, np.uint16, np.bool_])
def test_extremes(find, dtype):
    def program(x):
        return find(x) + 10 * folded(find(x.reshape(3, 4), axis=0)) + 100 * folded(find(x.reshape(3, 4), axis=1))

    run(program, np.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 9, 1, 0]).astype(dtype))
    if np.dtype(dtype).kind == "f":
        run(program, np.array([3, 1, np.nan, 1, 5, np.nan, np.inf, -np.inf, 0.0, -0.0, np.nan, 0], dtype))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_means_norms_and_extremes_of_columns(dtype):
    def program(x):
        lengths = np.linalg.norm(x, axis=1) * np.mean(x, axis=1)
        return np.mean(x) + np.linalg.norm(x) + folded(lengths) + folded(np.max(x, axis=0) - np.min(x, axis=0))

    run(program, np.random.default_rng(3).normal(size=(37, 101)).astype(dtype))
