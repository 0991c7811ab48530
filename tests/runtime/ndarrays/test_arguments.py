"""ndarrays that are arguments: what a Function writes to them reaches the caller, as numpy would have it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.ndarrays.comparing import assert_same


def put(a: Any, i: Any, value: Any) -> None:
    a[i] = value


def add_one(a: Any, n: int) -> None:
    for i in range(n):
        a[i] += 1


def through_views(a: Any) -> Any:
    flat = a.ravel()
    flat[0] = 7.0
    a.T[1, 0] = 5.0
    row = a[1]
    row[1] *= 3
    a.reshape(3, 2)[2][1] = -1.0
    return a.sum(), row


def in_branches(a: Any, x: float) -> Any:
    first = a[:2]
    if x > 0:
        first[1] = x
    else:
        a[1:] = 0.0
    return a, first * 2


def in_a_loop(a: Any, n: int) -> None:
    i = 1
    while i < n:
        a[i] = a[i - 1] + a[i]
        i += 1


def by_helpers(a: Any) -> Any:
    put(a, 0, 9.0)
    put(a[1:], 0, 8.0)
    return a


def rows_of(a: Any) -> None:
    for row in a:
        row[0] = row[1]


def several_rows(a: Any, b: Any) -> None:
    for i, (row, other) in enumerate(zip(a, reversed(b))):
        row += other
        other[0] = i


def ufuncs(a: Any, b: Any) -> None:
    np.add(a, b, out=a)
    np.multiply(a, 2.0, out=b, where=a > 3)
    np.copyto(a, 0.0, where=b > 6)
    a -= b
    np.add.at(b, [0, 0, 1], 1.0)


def methods(a: Any) -> None:
    a.sort()
    a[1:].fill(4.0)
    np.put(a, [0], [11.0])


PROGRAMS = [
    (add_one, (np.zeros(4), 3)),
    (through_views, (np.arange(6.0).reshape(2, 3),)),
    (in_branches, (np.arange(3.0), 2.0)),
    (in_branches, (np.arange(3.0), -2.0)),
    (in_a_loop, (np.arange(5.0), 4)),
    (by_helpers, (np.zeros(3),)),
    (rows_of, (np.arange(6.0).reshape(3, 2),)),
    (several_rows, (np.arange(6.0).reshape(3, 2), np.ones((3, 2)))),
    (ufuncs, (np.arange(4.0), np.ones(4))),
    (methods, (np.array([3.0, 1.0, 2.0]),)),
]


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_what_is_written_reaches_the_caller(function: Any, arguments: tuple[Any, ...]) -> None:
    assert_same(function, *arguments)


def test_layouts() -> None:
    def write(a: Any) -> Any:
        flat = a.ravel()  # a copy, where the elements do not lie one after the other
        flat[0] = 5.0
        return flat

    def turned(a: Any) -> Any:
        return write(a.T)

    for function in (write, turned):
        for a in (np.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(2, 3).T, np.arange(12.0).reshape(2, 6)[:, ::2]):
            expected, given = a.copy(order="K"), a.copy(order="K")
            assert expected.strides == given.strides
            result = function(expected)
            np.testing.assert_array_equal(np.asarray(tf.function(function)(given)), result)
            np.testing.assert_array_equal(given, expected)


def test_one_array_in_two_places_is_one_array() -> None:
    def shift(a: Any, b: Any) -> Any:
        a[0] = 5.0
        b[1] = a[0] + b[0]

    expected, given = np.zeros(3), np.zeros(3)
    shift(expected, expected)
    tf.function(shift)(given, given)
    np.testing.assert_array_equal(given, expected)


def test_arrays_in_structures() -> None:
    def change(pair: Any, table: Any) -> None:
        pair[0][1] = 3.0
        table["w"] += pair[0]

    assert_same(change, [np.zeros(2), 1], {"w": np.ones(2), "b": 2})


def test_a_run_that_raises_writes_nothing() -> None:
    @tf.function
    def f(a: Any, n: Any) -> None:
        a[0] = 1.0
        if n > 2:
            raise ValueError("too large")
        a[1] = 2.0

    a = np.zeros(2)
    with pytest.raises(ValueError, match="too large"):
        f(a, tf.constant(3))
    np.testing.assert_array_equal(a, [0.0, 0.0])
    f(a, tf.constant(1))
    np.testing.assert_array_equal(a, [1.0, 2.0])


def test_read_only_arrays() -> None:
    a = np.zeros(2)
    a.flags.writeable = False
    with pytest.raises(ValueError, match="assignment destination is read-only"):
        tf.function(put)(a, 0, 1.0)
    tf.function(lambda x: x + 1)(a)


def test_a_function_calls_another_one() -> None:
    inner = tf.function(put)

    def outer(a: Any) -> Any:
        inner(a[1:], 0, 3.0)
        return a * 2

    a = np.zeros(3)
    result = tf.function(outer)(a)
    np.testing.assert_array_equal(a, [0.0, 3.0, 0.0])
    np.testing.assert_array_equal(result.numpy(), [0.0, 6.0, 0.0])


def test_tapes_see_what_was_written() -> None:
    @tf.function
    def f(a: Any, x: Any) -> Any:
        a[1] = x * x
        return np.sum(a * a)

    a, x = np.ones(2), tf.Variable(3.0, dtype=tf.float64)
    with tf.GradientTape() as tape:
        y = f(a, x)
    np.testing.assert_array_equal(a, [1.0, 9.0])
    assert float(y) == 82.0
    assert float(tape.gradient(y, x)) == pytest.approx(2 * 9 * 2 * 3)


def test_traces_of_arrays_are_kept() -> None:
    f = tf.function(add_one)
    for _ in range(3):
        f(np.zeros(4), 2)
    f(np.zeros((2, 4))[:, ::2][0], 2)
    assert f.experimental_get_tracing_count() == 2


def test_a_concrete_function_writes_too() -> None:
    concrete = tf.function(add_one).get_concrete_function(np.zeros(3), 2)
    a = np.zeros(3)
    concrete(a)
    np.testing.assert_array_equal(a, [1.0, 1.0, 0.0])
    with pytest.raises(TypeError, match="'a' is an array that the function writes to"):
        concrete(tf.zeros([3], tf.float64))
