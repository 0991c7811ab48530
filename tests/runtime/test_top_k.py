"""top_k of long rows, which are not sorted: what sorting them gives, by both engines, with equals, nan, infinities."""

import numpy as np
import pytest

import runtime as tf

SHAPES = [((100,), 1), ((1000,), 7), ((3, 500), 5), ((2, 2, 90), 4), ((80,), 70), ((0, 90), 2)]


def rows(dtype, shape, kind):
    drawn = np.random.default_rng(len(kind)).integers(-9, 10, shape)
    if kind == "many":
        drawn = np.random.default_rng(0).permutation(drawn.size).reshape(shape)
    values = drawn.astype(dtype)
    if np.dtype(dtype).kind == "f":
        if kind == "nan":
            values[..., ::5], values[..., 3::7] = np.nan, np.inf
        elif kind == "all nan":
            values[...] = np.nan
        values[values == 0] = np.where(np.arange(np.count_nonzero(values == 0)) % 2, 0.0, -0.0)
    return values


def sorted_as_a_whole(x, k):
    """nan is the greatest; the lower position comes first among equals."""
    key = np.where(np.isnan(x), np.inf, x) if x.dtype.kind == "f" else x.astype(np.float64)
    found = np.lexsort((-key, ~np.isnan(x) if x.dtype.kind == "f" else key * 0), axis=-1)[..., :k]
    return np.take_along_axis(x, found, -1), found


@pytest.mark.parametrize("kind", ["few", "many", "nan", "all nan"])
@pytest.mark.parametrize(("shape", "k"), SHAPES)
@pytest.mark.parametrize("dtype", ["float64", "float32", "int32", "uint8"])
def test_long_rows(dtype, shape, k, kind):
    x = rows(dtype, shape, kind)
    values, places = sorted_as_a_whole(x, k)

    def looped(x, n):
        best, found = tf.math.top_k(x, k)
        for _ in range(n):
            best, found = tf.math.top_k(x, k)
        return best, found

    for found in (tf.math.top_k(x, k), tf.function(looped, backend="native")(tf.constant(x), tf.constant(1))):
        np.testing.assert_array_equal(found[1], places)
        assert np.asarray(found[0]).tobytes() == values.tobytes()
