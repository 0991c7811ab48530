"""What picks, orders, fills and counts as machine code, with sizes that only the run knows."""

import itertools

import numpy as np
import pytest

import runtime as tf
from tests.one_in import one_in
from tests.runtime.native.looped import folded, run, total

TABLE = np.random.default_rng(5).normal(size=(37, 53))


@pytest.mark.parametrize("rows", [0, 1, 5])
def test_masks(rows):
    def program(x, n):
        y = x[:n]
        kept = y[y > 0.0]
        lines = y[y[:, 0] > 0.0]
        places = np.argwhere(y < 0.0)
        first, second = np.nonzero(y > 0.5)
        numbers = folded(places[:, 0] * 3 + places[:, 1]) + folded(first * 7 + second)
        return folded(kept) + folded(lines.sum(axis=1)) + numbers + np.count_nonzero(y > 0.0) + np.sum(kept)

    run(program, TABLE[:5, :4], np.int64(rows))


def test_masks_along_the_second_axis():
    def program(x):
        return total(x[:, x[0] > 0.0]) + total(tf.boolean_mask(x, x[0] < -1.0, axis=1))

    run(program, TABLE, expected=lambda x: total(x[:, x[0] > 0.0]) + total(x[:, x[0] < -1.0]))


def test_what_is_written_by_masks():
    def program(x, n):
        y = x.copy()
        y[y < 0.0] = 7.0
        y[n] = -1.0
        y[y[:, 1] > 6.0] = y[0] * 2.0
        y[y > 6.0] *= 0.5
        y[:, y[1] < 0.1] += 3.0
        z = y[0].copy()
        z[z > 0.5] = np.arange(1.0, 1.0 + np.count_nonzero(z > 0.5))
        return total(y) + folded(z)

    run(program, TABLE[:9, :12], np.int64(3))


def test_gradients_of_what_masks_pick():
    def slope(backend):
        def gradient(x, n):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = x[0]
                for _ in range(n):
                    y = y * 0.5 + tf.reduce_sum(x[x > 0.0] * y)
            return tape.gradient(y, x)

        return np.asarray(tf.function(gradient, backend=backend)(tf.constant([0.5, -1.25, 2.0], tf.float64), 3))

    np.testing.assert_array_equal(slope("native"), slope("numpy"))


@pytest.mark.parametrize(
    ("dtype", "size"),
    one_in(2, itertools.product(["float64", "float32", "int32", "uint8", "int64"], [33, 2, 0, 1, 3]), several=True),
)
def test_order(dtype, size):
    def program(x, n):
        y = x[:n]
        ranks = np.argsort(y, kind="stable")
        return folded(np.sort(y)) + folded(y[ranks]) + 0.001 * folded(ranks)

    values = np.random.default_rng(6).integers(0, 20, 40).astype(dtype)
    if values.dtype.kind == "f":
        values[::5], values[1::7], values[2::9] = np.nan, -0.0, np.inf
        run(lambda x, n: folded(np.where(np.isnan(np.sort(x[:n])), 77.0, np.sort(x[:n]))), values, np.int64(size))
        values[::5] = 3
        run(lambda x, n: folded(np.where(np.isinf(np.sort(x[:n])), 9.0, np.sort(x[:n]))), values, np.int64(size))
        values[2::9] = 4
    run(program, values, np.int64(size))


@pytest.mark.parametrize("direction", ["ASCENDING", "DESCENDING"])
@pytest.mark.parametrize("values", [TABLE[:4, :5], np.array([[0.0, -0.0, 2.0, 0.0], [2.0, -0.0, 2.0, 0.0]])])
def test_orders_of_tensors(direction, values):
    """Also which zero comes first."""

    def program(x):
        ordered = tf.sort(x, axis=0, direction=direction)
        best, places = tf.math.top_k(x, 2)
        ranks = tf.cast(tf.argsort(x, axis=-1, direction=direction), tf.float64)
        signs = tf.cast(tf.math.signbit(tf.sort(x, direction=direction)), tf.float64)
        found = total(ordered) + total(best) + total(tf.cast(places, tf.float64)) + total(ranks)
        return found + 0.125 * total(signs)

    def of_numpy(x):
        sign = 1 if direction == "ASCENDING" else -1
        ranks = np.argsort(sign * x, axis=-1, kind="stable").astype(float)
        places = np.argsort(-x, axis=-1, kind="stable")[:, :2]
        line = np.sort(x, axis=-1, kind="stable")[:, ::sign]
        found = total(np.sort(x, axis=0)[::sign]) + total(np.take_along_axis(x, places, 1))
        return found + total(places.astype(float)) + total(ranks) + 0.125 * total(np.signbit(line).astype(float))

    run(program, values, expected=of_numpy)


@pytest.mark.parametrize("side", ["left", "right"])
def test_searches(side):
    def program(x, values):
        found = np.searchsorted(x, values, side)
        return folded(found) + 100 * np.searchsorted(x, values[2], side) + np.searchsorted(x[:0], values[0], side)

    run(program, np.array([-1.0, 0.0, 0.0, 2.0, np.inf, np.nan]), np.array([0.0, -2.0, 2.0, np.inf, np.nan, 1.0]))


def test_counts():
    def program(x, n):
        return folded(np.bincount(x[:n])) + folded(np.bincount(x, minlength=12))

    for n in (0, 1, 7):
        run(program, np.array([3, 0, 3, 1, 7, 3, 0]), np.int64(n))


def test_a_negative_number_that_is_counted_is_the_error_of_the_plan():
    def program(x, n):
        found = 0
        for _ in range(n):
            found += np.bincount(x)[0]
        return found

    with pytest.raises(tf.errors.InvalidArgumentError, match="-4"):
        tf.function(program, backend="native")(np.array([3, -4]), tf.constant(2))


@pytest.mark.parametrize("axis", [0, 1])
def test_running_sums(axis):
    def program(x, k):
        sums, products = np.cumsum(x, axis=axis), np.cumprod(x, axis=axis)
        return total(sums) + total(products) + folded(np.cumsum(k[:4])) + folded(np.diff(np.cumsum(x[0])))

    run(program, TABLE[:9, :11], np.array([2**62, 2**62, 2**62, 5, 7]))


def test_what_is_filled_and_spread():
    def program(x, n):
        y = np.zeros_like(x[:n])
        z = np.broadcast_to(x[0], (3, 53)) + np.ones((3, 53)) * np.full((3, 1), x[1, 1])
        w = np.tile(x[:n, :3], (2, 2)) + np.pad(x[:n, :4], ((0, 2), (1, 1)))
        return total(y + 1.0) + total(z) + total(w) + folded(np.pad(x[0], (3, 1)))

    run(program, TABLE, np.int64(2))


def test_lengths_that_the_run_knows():
    def program(x, n):
        padded = tf.pad(x, [[n, 1]], constant_values=2.0)
        rows = tf.reshape(tf.tile(x[: n * 2], [n]), [n, -1])
        table = tf.reshape(x[: n * 2], tf.stack([n, tf.constant(2, tf.int64)]))
        return folded(padded) + total(rows) + total(table) + folded(tf.zeros([n], tf.float64) + 1.0)

    def of_numpy(x, n):
        n = int(n)
        padded, rows = np.pad(x, (n, 1), constant_values=2.0), np.tile(x[: n * 2], n).reshape(n, -1)
        return folded(padded) + total(rows) + total(x[: n * 2].reshape(n, 2)) + folded(np.ones(n))

    for n in (1, 3):
        run(program, TABLE[0], np.int64(n), expected=of_numpy)


def test_lengths_that_are_none():
    def program(x, n):
        found = 0.0
        for _ in range(2):
            found += tf.reduce_sum(tf.zeros([n]) + x[0])
        return found

    for length in (-1, 2**62):
        with pytest.raises(tf.errors.OpError):
            tf.function(program, backend="native")(tf.constant([1.0]), tf.constant(length, tf.int64))


@pytest.mark.parametrize(("start", "stop", "step"), [(0, 5, 1), (7, -3, -3), (3, 3, 1), (1, -4, 2), (-8, 9, 4)])
def test_ranges(start, stop, step):
    def program(a, b, c):
        whole = tf.cast(tf.range(a, b, c), tf.float64)
        found = folded(whole) + folded(tf.range(tf.cast(a, tf.float64), tf.cast(b, tf.float64) + 0.3, 0.7))
        return found + folded(np.arange(a, b) * 0.5)

    def of_numpy(a, b, c):
        floats = float(a) + np.arange(max(0, int(np.ceil((float(b) + 0.3 - float(a)) / 0.7)))) * 0.7
        return folded(np.arange(a, b, c) * 1.0) + folded(floats) + folded(np.arange(a, b) * 0.5)

    run(program, np.int64(start), np.int64(stop), np.int64(step), expected=of_numpy)


def test_a_range_without_steps_is_the_error_of_the_plan():
    def program(n, by):
        found = 0
        for _ in range(2):
            found += tf.reduce_sum(tf.range(0, n, by))
        return found

    with pytest.raises(tf.errors.InvalidArgumentError, match="delta must not be 0"):
        tf.function(program, backend="native")(tf.constant(3), tf.constant(0))


def test_what_is_turned_around():
    def program(x, n):
        y = np.roll(np.roll(x[:n], 2, axis=1), (-1, 60), axis=(0, 1))
        z = np.flip(x[:n]) + x[:n, ::-1]
        return total(y) + total(z) + total(np.outer(y[1], y[2]))

    run(program, TABLE, np.int64(4))


def test_what_is_taken_apart():
    def program(x):
        rows, columns = tf.unstack(x[:3]), tf.unstack(x[:, :2], axis=1)
        found = folded(rows[0]) + folded(rows[2]) + folded(columns[1])
        return found + np.sum(columns[0] * 2.0)

    run(program, TABLE, expected=lambda x: folded(x[0]) + folded(x[2]) + folded(x[:, 1]) + np.sum(x[:, 0] * 2.0))


