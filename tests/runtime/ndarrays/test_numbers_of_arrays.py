"""Numbers taken out of ndarrays: NumPy's dtypes for what is computed from them, and arrays that can be written to."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf

X = np.array([3.0, 4.0, 5.0], np.float32)
Y = np.array([0.1, 2.0, 3.0])
SMALL = np.array([1, 2, 3], np.int32)
WHOLE = np.array([4, 5, 6])


def assert_as_in_numpy(function: Callable[..., Any], *arrays: Any) -> None:
    wanted = np.asarray(function(*arrays))
    found = np.asarray(tf.function(function)(*arrays))
    assert found.dtype == wanted.dtype
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, rtol=1e-6 if wanted.dtype == np.float32 else 1e-12)


OPERATIONS: list[Callable[..., Any]] = [
    lambda x, y: x[0] * y[0],
    lambda x, y: x[0] * y,
    lambda x, y: y * x[0],
    lambda x, y: x.sum() * y[0] + x.mean() * y,
    lambda x, y: np.float64(0.1) * x[0],
    lambda x, y: np.pi * x[0],
    lambda x, y: np.sqrt(2) * x[0],
    lambda x, y: np.sqrt(x[0]) * np.sqrt(2.0),
    lambda x, y: np.float64(0) + x[0] + x[1],
    lambda x, y: np.array([x[0], y[0]]),
    lambda x, y: np.array([x[0] * 2, 3]) * y[0],
    lambda x, y: np.where(x[0] > 0, x[0], y[0]),
    lambda x, y: y[0] + x @ x,
    lambda x, y: (x[0] ** 2) * y[0] + (-x[1]) * y[0] + x[2] // 2 * y[1] + x[0] % 2 * y[0],
    lambda x, y: abs(x[0]) * y[0] + pow(x[0], 2) * y[1] + divmod(x[0], 2)[0] * y[0],
    lambda x, y: min(x) * y[0] + max(x) * y[1] + sum(x) * y[2],
    lambda x, y: max(x[0], x[1]) * y[0] + max(0, x[1]) * y[0],
    lambda x, y: float(x[0]) * y[0] + math.sqrt(x[0]) * y[1],
    lambda x, y: math.floor(x[1]) * y,
    lambda x, y: float(x[0]) * x,
    lambda x, y: float(x.sum()) * np.float32(2) + x[1],
    lambda x, y: float(x.sum()) * x.sum() + x[0].item() * x[1],
    lambda x, y: x * float(x[0]) + math.sqrt(x[0]) * x + round(float(x[0]), 1) * x,
    lambda x, y: int(x[0]) * x + round(x[0]) * x[1] + len(x) * x,
    lambda x, y: abs(float(x[0])) * x + (float(x[0]) + 1) * x + max(float(x[0]), 1.0) * x + -float(x[1]) * x,
    lambda x, y: np.linalg.norm(x) * y + np.dot(x, x) * y + x.std() * y[1],
    lambda x, y: x.argmax() * y + (x > 3).sum() * y + len(x) * y,
    lambda x, y: sum(x > 3),
    lambda x, y: (x[0] > 1) * y[0] + (x[0] > 1) * 0.5,
    lambda x, y: (x[0] > 1) + (x[1] > 1),
    lambda x, y: (x[0] > 1) * (x[1] > 9),
    lambda x, y: 1 + (x[1] > 1),
    lambda x, y: np.hypot(x[0], x[1]) * y[0] + np.arctan2(x[0], 1) * y[1],
    lambda x, y: [v * 2 for v in x][1] * y[0],
    lambda x, y: np.sum([v * 2 for v in x]) * y[0],
    lambda x, y: x[[0, 2]][0] * y[0] + x[x > 2][0] * y[0] + x.flat[0] * y[0] + x.T[0] * y[0],
    lambda x, y: {"a": x[0]}["a"] * y[0],
    lambda x, y: (x[0] + 1j) * y[0],
    lambda x, y: 2 ** x[0] * y[0],
    lambda x, y: np.float32(2) * x[0] * np.int64(3),
]


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize(("x", "y"), [(X, Y), (SMALL, Y), (SMALL, WHOLE), (X, WHOLE)])
def test_dtypes_are_numpys(operation: Callable[..., Any], x: Any, y: Any) -> None:
    assert_as_in_numpy(operation, x, y)


def largest_times(x: Any, y: Any) -> Any:
    best, at = x[0], 0
    for i, v in enumerate(x):
        if v > best:
            best, at = v, i
    return best * y[at]


def sum_from_a_literal(x: Any, y: Any) -> Any:
    s = 0.0
    for v in x:
        s += v
    return s * y[0]


def while_over_elements(x: Any, y: Any) -> Any:
    m, i = x[0], 0
    while m < 4.5 and i < 2:
        i += 1
        m = x[i]
    return m * y


def one_of_two(x: Any, y: Any) -> Any:
    m = x[0] if x[0] > x[1] else x[2]
    r = 0.0
    if x[0] > 0:
        r = x[1]
    return m * y[0] + r * y


def list_that_grows(x: Any, y: Any) -> Any:
    out = []
    i = 0
    while i < 3 and x[i] > 0:
        out.append(x[i])
        i += 1
    return out[1] * y[0]


def recursion(x: Any, y: Any) -> Any:
    def g(n: Any) -> Any:
        return x[0] if n == 0 else g(n - 1) * y[0]

    return g(2)


@pytest.mark.parametrize(
    "program", [largest_times, sum_from_a_literal, while_over_elements, one_of_two, list_that_grows, recursion]
)
@pytest.mark.parametrize(("x", "y"), [(X, Y), (SMALL, Y), (X, WHOLE)])
def test_dtypes_through_statements(program: Callable[..., Any], x: Any, y: Any) -> None:
    assert_as_in_numpy(program, x, y)


MADE: list[Callable[..., Any]] = [
    lambda x, y: x[0] * y,
    lambda x, y: np.sqrt(x[0]) * y,
    lambda x, y: np.multiply(x[0], y),
    lambda x, y: np.array([x[0], y[0]]),
    lambda x, y: np.stack([x[0], y[0]]),
    lambda x, y: x[0] * np.ones(3),
    lambda x, y: np.ones(3) * x[0],
    lambda x, y: np.linspace(0, x[0], 3),
    lambda x, y: np.outer(x[0], [1, 2])[0],
    lambda x, y: np.arange(3) * x[0],
    lambda x, y: np.arange(3) - x.sum(),
    lambda x, y: [1.0, 2.0] + x[0],
    lambda x, y: x[0] + [1.0, 2.0],
    lambda x, y: np.repeat(x[0], 3),
    lambda x, y: np.exp(-np.arange(3) / x.sum()),
    lambda x, y: np.array([v + 1 for v in y]),
    lambda x, y: np.sort([y[2], y[0]]),
    lambda x, y: sum(np.array([[1, 2], [3, 4.0]]) * x[0]),
    lambda x, y: np.concatenate([x, [y[0]]]),
]


@pytest.mark.parametrize("make", MADE)
def test_arrays_made_of_numbers_are_memory(make: Callable[..., Any]) -> None:
    def two_names(x: Any, y: Any) -> Any:
        made = make(x, y)
        other = made
        made[0] = 7
        return other + made

    def helper(x: Any, y: Any) -> Any:
        def write(a: Any) -> None:
            a[1:] += 9

        made = make(x, y)
        write(made)
        return made

    assert_as_in_numpy(two_names, X, Y)
    assert_as_in_numpy(helper, X, Y)


def test_arrays_made_of_counted_numbers_are_memory() -> None:
    def of_a_loop(n: Any) -> Any:
        t = 0.0
        while t < n:
            t += 1.5
        made = t * np.ones(3, np.float32)
        other = made
        made[0] = 7
        collected = []
        while t > 0:
            collected.append(t)
            t -= 1.0
        rest = np.array(collected)
        same = rest
        rest[0] = 1
        return np.concatenate([other, same])

    wanted = of_a_loop(4)
    for n in (4, np.array(4)):
        np.testing.assert_array_equal(np.asarray(tf.function(of_a_loop)(n)), wanted)
    np.testing.assert_array_equal(np.asarray(tf.function(of_a_loop)(tf.constant(4.0))), wanted)


def test_beside_a_tensor_the_rules_of_tensors_hold() -> None:
    staged = tf.function(lambda x, t: x[0] * t)
    with pytest.raises(tf.errors.DtypeMismatchError, match="nothing is cast silently"):
        staged(X, tf.constant([1.0, 2.0], tf.float64))
    assert staged(X, tf.constant([1.0, 2.0])).dtype is tf.float32
    same = tf.function(lambda x, t: np.asarray(t) * 2)
    assert same(X, tf.constant(2.0)).dtype is tf.float32


def test_literals_of_a_higher_kind_beside_tensors() -> None:
    whole, real = tf.constant([1, 2]), tf.constant([1.5, 2.0])
    for run in (lambda f: f, tf.function):
        assert run(lambda t: np.sqrt(4.0) * t)(whole).numpy().tolist() == [2.0, 4.0]
        assert run(lambda t: t * 1j)(real).dtype is tf.complex64
        assert run(lambda t: 1j * t)(tf.cast(real, tf.float64)).dtype is tf.complex128
        assert run(lambda t: t + 2j)(whole).numpy().tolist() == [1 + 2j, 2 + 2j]


@pytest.mark.parametrize(
    "operation",
    [
        lambda x, y: np.maximum.reduce([x, x + 1, y]),
        lambda x, y: np.maximum.reduce((x, y)),
        lambda x, y: np.add.reduce([x[0], y[0], 3]),
        lambda x, y: np.add.accumulate([x[0], y[0], 3]),
        lambda x, y: np.logical_and.reduce([x > 1, y > 1, [True, False, True]]),
        lambda x, y: np.minimum([x, y], y),
        lambda x, y: np.array([int(v != 0) for v in x]),
        lambda x, y: float(x[0]) / 3,
        lambda x, y: math.sqrt(x[0]),
    ],
)
def test_methods_of_ufuncs_and_conversions(operation: Callable[..., Any]) -> None:
    assert_as_in_numpy(operation, X, Y)


def test_places_that_add_at_is_given_are_a_key() -> None:
    def scattered(x: Any, y: Any) -> Any:
        table = np.zeros((3, 3))
        np.add.at(table, ([0, 1, 0], [1, 2, 1]), x[0] * y)
        return table

    assert_as_in_numpy(scattered, X, Y)


def test_what_add_at_adds_to_may_be_a_view_and_bools() -> None:
    def counted(x: Any, y: Any) -> Any:
        counts, seen = np.zeros(4, np.int64), np.zeros(3, bool)
        for _ in range(3):
            np.add.at(counts, x.astype(np.int64) % 4, 1)
            np.add.at(counts[1:], 1, 2)
            np.add.at(seen, [0, 0], x[0] > -9)
        return np.concatenate([counts, seen])

    assert_as_in_numpy(counted, X, Y)


def test_rows_of_a_list_that_grows_are_an_array() -> None:
    def history(u: Any, steps: Any) -> Any:
        rows = [u[1:].copy()]
        for _ in range(steps):
            u[1:] = u[1:] * 0.5
            rows.append(u[1:].copy())
        return np.vstack(rows)

    wanted = history(Y.copy(), 3)
    np.testing.assert_allclose(np.asarray(tf.function(history)(Y.copy(), tf.constant(3))), wanted)


def test_a_value_that_does_not_fit_its_place_is_refused_in_numpys_words() -> None:
    def wrong(x: Any, y: Any) -> Any:
        x[0:2] = [y[0], y[1], y[2]]
        return x

    words = r"could not broadcast input array from shape \(3,\) into shape \(2,\)"
    for function in (wrong, tf.function(wrong)):
        with pytest.raises(ValueError, match=words):
            function(X.copy(), Y)
    with pytest.raises(ValueError, match=words):  # where only the run knows the sizes
        tf.function(lambda x, n: wrong(x.copy()[:n], x))(X, tf.constant(2))


@pytest.mark.parametrize("size", [4, 100])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_the_least_of_whole_numbers_may_begin_with_infinity(size: int, dtype: Any) -> None:
    def by_items(d: Any) -> Any:
        best = np.inf
        for i in range(len(d)):
            if d[i] < best:
                best = d[i]
        return best

    def by_rows(d: Any) -> Any:
        best = -np.inf
        for row in d.reshape(-1, 2):
            for value in row:
                best = max(best, value)
        return best * 2

    given = np.arange(size, 0, -1).astype(dtype)
    for function in (by_items, by_rows):
        found = np.asarray(tf.function(function)(given))
        assert (found.dtype, found) == (np.float64, function(given))  # int and float meet in float64


def test_percentiles_of_whole_numbers_wrap_around_as_in_numpy() -> None:
    for low, high in ((-100, 100), (-(2**63), 2**63 - 1)):
        given = np.array([low, high], np.int8 if low > -128 else np.int64)
        np.testing.assert_array_equal(tf.function(lambda x: np.percentile(x, [10, 30, 60]))(given),
                                      np.percentile(given, [10, 30, 60]))  # fmt: skip


def summed(n):
    total = 0.0
    for i in range(n):
        total += X[i] / WHOLE[i]
    return total


@pytest.mark.parametrize("index", [np.int64(1), tf.constant(1)], ids=["number", "tensor"])
@pytest.mark.parametrize(
    "program",
    [lambda i: Y[i] / WHOLE[i], lambda i: X[i] * SMALL[-i], lambda i: X[i] * WHOLE, lambda i: Y[i] + X, summed],
    ids=["divided", "of a lower kind", "beside an array", "of a higher precision", "in a loop"],
)
def test_elements_of_arrays_from_outside_are_numbers_of_numpys(program: Callable[..., Any], index: Any) -> None:
    wanted = np.asarray(program(np.int64(1)))
    found = np.asarray(tf.function(program)(index))
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(found, wanted, rtol=1e-6)
