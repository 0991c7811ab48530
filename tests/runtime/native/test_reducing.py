"""Sums of what kernels compute, without an array in between: the bits of the plan over NumPy."""

import itertools

import numpy as np
import pytest

import runtime as tf
from runtime.native import reducing
from runtime.native.kernel_body import BLOCK
from runtime.native.sharing import WORTH
from tests.one_in import one_in


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def normalized(x, y):
    return (x - np.mean(x, axis=-1, keepdims=True)) / np.sqrt(np.var(x, axis=-1, keepdims=True) + 1e-5)


def with_itself(reduced):
    """The sum of what is read behind it, too."""

    def program(x, y):
        z = x * 2 + y
        return reduced(z) + z

    return program


def two_of_one_kernel(x, y):
    a, b = x * 2 + y, x * y - 1
    return np.sum(a) * np.sum(b), b


WHOLE = {
    "squares": lambda x, y: np.sum(x * x + y), "mean": lambda x, y: np.mean((x - y) ** 2),
    "a function": lambda x, y: np.sum(np.exp(-np.abs(x)) * 2.0), "keepdims": lambda x, y: np.sum(x * y, keepdims=True),
    "norm": lambda x, y: np.linalg.norm(x * 2), "spread": lambda x, y: np.var(x) + np.std(y),
    "with itself": with_itself(np.sum), "two": two_of_one_kernel,
    "counts": lambda x, y: np.sum((x > y).astype(np.int64) * 3),
}  # fmt: skip

ROWS = {
    "products": lambda x, y: np.sum(x * y + 1, axis=-1), "means": lambda x, y: np.mean(x * y, axis=-1, keepdims=True),
    "a number for each row": lambda x, y: np.sum((x - x[..., :1]) * 2.5, axis=-1),
    "a row for all": lambda x, y: np.sum((x - x[0]) * y, axis=-1), "softmax": lambda x, y: softmax(x),
    "normalized": normalized, "with itself": with_itself(lambda z: np.sum(z, axis=-1, keepdims=True)),
    "spread": lambda x, y: np.var(x, axis=-1),
}  # fmt: skip

COLUMNS = {
    "products": lambda x, y: np.sum(x * y - 2, axis=0), "means": lambda x, y: np.mean(x * y, axis=0, keepdims=True),
    "a row for all": lambda x, y: np.sum((x - x[0]) * 2, axis=0), "spread": lambda x, y: np.std(x, axis=0),
    "a function": lambda x, y: np.sum(np.tanh(x) * y, axis=0), "with itself": with_itself(lambda z: np.sum(z, axis=0)),
}  # fmt: skip


def check(program, shape, dtype, summed=True):
    """The bits of the plan, by machine code; `summed`: with a sum that is fused."""
    drawn = np.random.default_rng(len(shape) + shape[0])
    x, y = (drawn.normal(size=shape) * np.exp(3 * drawn.normal(size=shape)) for _ in range(2))
    given = [a.astype(dtype) for a in (x, y)]
    native = tf.function(program, backend="native")
    found, wanted = native(*given), tf.function(program, backend="numpy")(*given)
    for one, other in zip(tf.nest.flatten(found), tf.nest.flatten(wanted), strict=True):
        assert one.dtype == other.dtype and one.shape == other.shape
        np.testing.assert_array_equal(np.asarray(one), np.asarray(other))
    regions = native.get_concrete_function(*given).plan.regions
    assert [region.given_up for region in regions] == [0] * len(regions)
    assert any("_piece(" in region.text for region in regions) is summed


DTYPES = [np.float64, np.float32]


SHAPES = [(7,), (BLOCK + 1,), (3 * BLOCK + 5,), (33, 64), (2, 3, 401)]


@pytest.mark.parametrize(("name", "shape"), one_in(2, itertools.product(WHOLE, SHAPES), several=True))
def test_of_all_elements(name, shape):
    check(WHOLE[name], shape, DTYPES[len(name) % 2])


@pytest.mark.parametrize("shape", [(40, 33), (3, 2 * BLOCK + 11), (2, 3, 100)], ids=str)
@pytest.mark.parametrize("name", ROWS)
def test_of_rows(name, shape):
    check(ROWS[name], shape, DTYPES[len(name) % 2])


@pytest.mark.parametrize("shape", [(33, 64), (300, BLOCK + 70)], ids=str)
@pytest.mark.parametrize("name", COLUMNS)
def test_of_columns(name, shape):
    check(COLUMNS[name], shape, DTYPES[len(name) % 2])


@pytest.mark.parametrize("shape", [(WORTH + 12345,), (11, WORTH // 8)], ids=str)
@pytest.mark.parametrize("dtype", DTYPES)
def test_on_all_cores(shape, dtype):
    """The same halves, whoever sums them."""

    def program(x, y):
        return np.sum(x * y + 1), np.sum(x * 2 - y, axis=-1), np.sum(x * y - x, axis=0)

    check(program, shape, dtype)


def test_short_rows_are_put_into_an_array():
    check(lambda x, y: np.sum(x * y + 1, axis=-1), (40, 5), np.float64, summed=False)


def test_what_is_broadcast_to_several_rows_is_put_into_an_array():
    check(lambda x, y: np.sum((x - x[0]) * 2), (40, 50), np.float64, summed=False)


def test_a_numpy_that_sums_in_another_way(monkeypatch):
    reducing.adds_in_halves.cache_clear()
    monkeypatch.setattr(reducing, "_by_halves", lambda array: np.add.reduce(array[::-1]))
    try:
        check(lambda x, y: np.sum(x * y + 1), (3000,), np.float64, summed=False)
    finally:
        reducing.adds_in_halves.cache_clear()


def test_numbers_that_are_left_to_the_plan():
    """In the middle of a kernel: the quotient of integers that no float holds."""

    def program(x, y):
        return tf.reduce_sum(x / y * 2.0)

    x = np.arange(3000)
    x[2500] = 2**60 + 1
    given = tf.constant(x), tf.constant(np.full(3000, 3))
    native = tf.function(program, backend="native")
    np.testing.assert_array_equal(native(*given), tf.function(program, backend="numpy")(*given))
    (region,) = native.get_concrete_function(*given).plan.regions
    assert "_piece(" in region.text
    assert region.given_up == 1


def test_in_a_loop_that_writes_to_what_was_summed():
    def program(x, y, n):
        total = 0.0
        for i in range(n):
            z = x * y
            total = total * 0.5 + np.sum(z - x)
            z[i] = total
            x = z
        return x, total

    drawn = np.random.default_rng(3)
    given = drawn.normal(size=50), drawn.normal(size=50), tf.constant(40)
    found, wanted = (tf.function(program, backend=name)(*given) for name in ("native", "numpy"))
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, other)
