"""What picks, orders, fills and counts as machine code, with sizes that only the run knows; and in which order numpy
sums what lies in memory in another order than its axes."""

import numpy as np
import pytest

import runtime as tf
from tests.runtime.native.looped import folded, run

TABLE = np.random.default_rng(5).normal(size=(37, 53))


def total(values):
    """The elements of a table, in one number that depends on their order."""
    result = 0.0
    for row in values:
        result = result * 0.5 + folded(row)
    return result


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


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32, np.uint8, np.int64])
@pytest.mark.parametrize("size", [0, 1, 2, 3, 33])
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


ELSEWHERE = {
    "reverse": lambda x: tf.reverse(x, [0]) * 2.0,
    "roll": lambda x: np.roll(x, 3, axis=1),
    "roll of a transpose": lambda x: np.roll(x.T, 3, axis=0),
    "the best": lambda x: tf.math.top_k(x, 7)[0],
    "sort of a transpose": lambda x: np.sort(x.T),
    "sort downwards": lambda x: tf.sort(x, direction="DESCENDING") * 3.0,
    "cumsum": lambda x: np.cumsum(x, axis=1),
    "cumsum of a transpose": lambda x: np.cumsum(x.T, axis=1),
    "columns by a mask": lambda x: x[:, x[0] > 0] * 2.0,
    "rows by a mask": lambda x: (x.T + 1.0)[x[0] > 0] * 2.0,
    "columns by indices": lambda x: x[:, np.array([1, 2, 9])] * 2.0,
    "stack": lambda x: np.stack([x.T + 1.0, x.T]),
    "concatenate": lambda x: np.concatenate([x.T, x.T + 1.0]),
    "tile": lambda x: np.tile(x.T, (2, 2)),
    "broadcast": lambda x: np.broadcast_to(x[0], (5, 53)) * 2.0,
    "slice": lambda x: x[:, 3:20] * 2.0,
    "slice with steps": lambda x: x[:, ::2] * x[:, ::-2],
    "new axis": lambda x: np.expand_dims(x.T, 0) * 2.0,
    "no values": lambda x: np.zeros_like(x.T) + 0.1,
    "products": lambda x: (x.T @ x) * 2.0,
    "means": lambda x: x - np.mean(x, axis=0),
}


@pytest.mark.parametrize("name", ELSEWHERE)
def test_sums_of_what_lies_in_other_places(name):
    """Whatever machine code makes of it, its own or the plan: the sums have numpy's bits."""

    def program(x, n):
        found = 0.0
        for _ in range(n):
            found = found * 0.5 + np.sum(ELSEWHERE[name](x)) + np.mean(ELSEWHERE[name](x), axis=-1)[0]
        return found

    given = TABLE, tf.constant(3)
    found, wanted = (np.asarray(tf.function(program, backend=engine)(*given)) for engine in ("native", "numpy"))
    np.testing.assert_array_equal(found, wanted)


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


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_transposed_products(dtype):
    def program(x, y):
        return total(x.T @ y) + total(x @ y.T) + total(x.T @ x) + total(x @ x.T)

    run(program, TABLE[:9, :7].astype(dtype), TABLE[9:18, 10:17].astype(dtype))


def test_products_of_integers():
    run(lambda x: folded((x @ x.T).reshape(-1)), np.arange(12).reshape(3, 4))


def test_equations():
    def program(a, b):
        found = np.linalg.solve(a, b) + folded(np.linalg.solve(a, b[:, 0].copy()))
        return total(found) + total(np.linalg.inv(a)) + np.linalg.det(a)

    run(program, TABLE[:5, :5], TABLE[5:10, :3])


def test_a_matrix_without_an_inverse_is_the_error_of_the_plan():
    def program(a, n):
        found = 0.0
        for _ in range(n):
            found += np.sum(np.linalg.inv(a))
        return found

    with pytest.raises(tf.errors.InvalidArgumentError, match="singular"):
        tf.function(program, backend="native")(np.zeros((2, 2)), tf.constant(2))


def test_spreads_and_norms():
    def program(x):
        found = np.var(x) + np.std(x) + folded(np.var(x, axis=1)) + folded(np.std(x, axis=0)) + np.var(x[:, 3])
        return found + np.linalg.norm(x[0], np.inf) + np.linalg.norm(x[0], 1) + np.linalg.norm(x[:, 2])

    run(program, TABLE)


def test_sums_of_columns():
    """They have gaps, which changes nothing in a sum along one axis."""
    run(lambda x: np.sum(x[:, 1]) + np.mean(x[:, 2]) + np.prod(x[:, 3]) + folded(x[1:, 3][::2]), TABLE)


def test_the_order_in_memory_decides_how_a_table_is_summed():
    def program(x, n):
        found = 0.0
        for _ in range(n):
            found = found * 0.5 + np.sum(x.T * 2.0) + np.sum(np.flip(x.T, 0) + 1.0)
        return found

    given = TABLE, tf.constant(3)
    found, wanted = (np.asarray(tf.function(program, backend=name)(*given)) for name in ("native", "numpy"))
    np.testing.assert_array_equal(found, wanted)


def test_with_jit_compile_the_last_bit_may_differ():
    """So what numpy rounds in another way because of gaps is compiled."""

    def program(x, n):
        found = 0.0
        for _ in range(n):
            found = found * 0.5 + np.sum(np.exp(x.T) * 2.0) + np.dot(x[:, 1], x[:, 2]) + np.max(x[:, 3])
        return found

    found = tf.function(program, jit_compile=True)(TABLE, tf.constant(3))
    np.testing.assert_allclose(found, program(TABLE, 3), rtol=1e-13)


def test_the_sign_of_zero_in_the_gradient_of_a_norm():
    """`signbit` is a function of numpy's of floats whose result is none."""

    def program(x, n):
        found = 0
        for _ in range(n):
            found += tf.reduce_sum(tf.cast(tf.math.signbit(x), tf.int64))
        return found

    assert int(tf.function(program, backend="native")(np.array([-0.0, 0.0, -2.0, -np.inf]), tf.constant(2))) == 6
