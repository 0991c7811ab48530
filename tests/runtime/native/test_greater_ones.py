"""The greater and the smaller one of floats: those of NumPy, but for the sign of zero with `jit_compile=True`."""

import numpy as np
import pytest

import runtime as tf

EDGES = [0.0, -0.0, 1.5, -2.5, np.inf, -np.inf, np.nan, 1e-310]
PAIRS = np.array([(a, b) for a in EDGES for b in EDGES])


def both(x, y):
    return np.maximum(x, y) + 1.0, np.minimum(x, y) * 2.0


def in_a_loop(x, y):
    greatest, least = x[0], y[0]
    total = greatest * 0.0
    for i in range(x.shape[0]):
        greatest = np.maximum(x[i], y[i])
        least = np.minimum(x[i], y[i])
        total = total * 0.5 + np.maximum(greatest, -1e3) - np.minimum(least, 1e3)
    return total, greatest, least


def scattered(x, y, n):
    for i in range(n):
        x = tf.tensor_scatter_nd_max(x, [[1], [3], [1]], y[i : i + 3])
        x = tf.tensor_scatter_nd_min(x, [[2], [3], [2]], y[i + 1 : i + 4])
    return x


@pytest.mark.parametrize("how", [{"backend": "native"}, {"jit_compile": True}], ids=["native", "jit_compile"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("program", [both, in_a_loop])
def test_floats(program, dtype, how):
    staged = tf.function(program, **how)
    for pairs in (PAIRS, PAIRS[:1], PAIRS[np.isfinite(PAIRS).all(axis=1)], np.resize(PAIRS, (1003, 2))):
        x, y = (np.ascontiguousarray(column, dtype) for column in pairs.T)
        for found, expected in zip(staged(x, y), program(x, y), strict=True):
            np.testing.assert_array_equal(found.numpy(), expected)
            if how == {"backend": "native"}:
                np.testing.assert_array_equal(np.signbit(found.numpy()), np.signbit(expected))


def test_elements_that_positions_list():
    given = tf.constant([1.0, 2.0, 3.0, 4.0]), tf.constant([5.0, -1.0, float("nan"), 7.0, 0.5]), tf.constant(2)
    staged = tf.function(scattered, jit_compile=True)
    np.testing.assert_array_equal(staged(*given).numpy(), tf.function(scattered, backend="numpy")(*given).numpy())
    assert [region.given_up for region in staged.get_concrete_function(*given).plan.regions] == [0]
