"""Elements and slices at positions that arrays list, read and written in loops: the values and layouts of NumPy."""

import numpy as np
import pytest

import runtime as tf
from tests.runtime.native.looped import folded, run, total

RNG = np.random.default_rng(0)
TABLE = RNG.normal(size=(5, 6))
CUBE = RNG.normal(size=(3, 4, 5))
ROWS, COLUMNS = np.array([0, -1, 2, 2]), np.array([1, 5, -6, 3])
SPREAD = np.arange(7.0)


def weighed(array):
    """All elements, one by one: sums over axes that numpy has in another order in memory are left to it."""
    if array.ndim < 3:
        return folded(array) if array.ndim == 1 else total(array)
    result = 0.0
    for table in array:
        result = result * 0.5 + total(table)
    return result


READS = {
    "rows and columns": lambda x, y, i, j: x[i, j], "broadcast": lambda x, y, i, j: x[i[:, None], j],
    "a number beside": lambda x, y, i, j: x[i, 2], "a number before": lambda x, y, i, j: y[1, i % 4],
    "slices beside": lambda x, y, i, j: x[1:4, j], "with steps": lambda x, y, i, j: x[::-2, j],
    "behind dots": lambda x, y, i, j: y[..., i], "in the middle": lambda x, y, i, j: y[:, i, 1:],
    "apart": lambda x, y, i, j: y[i % 3, :, i], "apart from a number": lambda x, y, i, j: y[0, :, i],
}  # fmt: skip


@pytest.mark.parametrize("name", READS)
def test_reads(name):
    run(lambda x, y, i, j: weighed(READS[name](x, y, i, j)), TABLE, CUBE, ROWS, COLUMNS)


def put_pairs(x, y, i, j):
    x[i, j] = j * 2.0
    return x


def put_a_number(x, y, i, j):
    x[i, 3] = 7.5
    return x


def put_beside_slices(x, y, i, j):
    x[1:4, j] = x[1:4, :4] * 2.0 + 1.0
    return x


def put_apart(x, y, i, j):
    y[i % 3, :, i] = SPREAD[:4]
    return y


def add_to_pairs(x, y, i, j):
    x[i, j] += 1.5
    return x


@pytest.mark.parametrize("write", [put_pairs, put_a_number, put_beside_slices, put_apart, add_to_pairs])
def test_writes(write):
    run(lambda x, y, i, j: weighed(write(np.copy(x), np.copy(y), i, j)), TABLE, CUBE, ROWS, COLUMNS)


def compiled(program, *arguments):
    """The result by machine code that comes to its end, beside that of the plan."""
    native, plain = (tf.function(program, backend=name) for name in ("native", "numpy"))
    found, wanted = native(*arguments), plain(*arguments)
    for one, other in zip(tf.nest.flatten(found), tf.nest.flatten(wanted), strict=True):
        np.testing.assert_array_equal(np.asarray(one), np.asarray(other))
    plan = native.get_concrete_function(*arguments).plan
    assert not plan.refused, [str(reason) for reason in plan.refused]
    assert [region.given_up for region in plan.regions] == [0] * len(plan.regions)
    return found


@pytest.mark.parametrize("dtype", [tf.int32, tf.int64, tf.float32, tf.complex128, tf.uint8])
def test_a_table_that_a_loop_scatters_to(dtype):
    def program(counts, values, n):
        old = counts
        for i in range(n):
            places = tf.stack([values % 5, values % 3 + tf.cast(i % 2, tf.int32)], axis=1)
            counts = tf.tensor_scatter_nd_add(counts, places, tf.cast(values, counts.dtype))
            counts = tf.tensor_scatter_nd_update(counts, places[:1], counts[0, :1])
            counts = tf.tensor_scatter_nd_sub(counts, places[1:3], tf.cast(values[:2], counts.dtype))
        return counts, old

    counts = tf.cast(tf.constant(RNG.integers(0, 9, (5, 6))), dtype)
    found, old = compiled(program, counts, tf.constant([3, 8, 8, 1, 13], tf.int32), tf.constant(4))
    np.testing.assert_array_equal(old, counts)
    assert not np.array_equal(found, counts)


def test_slices_and_extremes():
    def program(x, n):
        y, taken = x, x[:2] * 0
        for i in range(n):
            at = [[i % 3], [(i + 1) % 3]]
            y = tf.tensor_scatter_nd_max(y, at, x[:2] + i)
            y = tf.tensor_scatter_nd_min(y, at, y[1:] * 2)
            spread = tf.scatter_nd(at, y[:2], [3, 4])
            taken = taken + tf.gather_nd(y + spread, at)
        return y, taken

    compiled(program, tf.constant(RNG.integers(-9, 9, (3, 4))), tf.constant(5))


def test_batches_and_positions_of_no_numbers():
    def program(x, at, n):
        total = x[:, 0] * 0
        for _ in range(n):
            total = total * 0.5 + tf.gather_nd(x, at, batch_dims=1)
            x = tf.tensor_scatter_nd_update(x, np.zeros((2, 0), np.int32), tf.stack([x * 2, x + 1]))
        return total, x

    compiled(program, tf.constant(TABLE), tf.constant([[3], [0], [5], [1], [1]]), tf.constant(3))


@pytest.mark.parametrize("place", [5, -1])
def test_a_position_outside_leaves_it_to_the_plan(place):
    def program(x, place, n):
        for i in range(n):
            x = tf.tensor_scatter_nd_add(x, [[place * tf.cast(i == 2, tf.int32)]], [1.0])
        return x

    x = tf.zeros([5])
    for backend in ("native", "numpy"):
        with pytest.raises(tf.errors.InvalidArgumentError, match=rf"indices\[0\] = \[{place}\]"):
            tf.function(program, backend=backend)(x, tf.constant(place), tf.constant(4))
    np.testing.assert_array_equal(x, np.zeros(5))
