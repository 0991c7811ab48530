"""Writes to elements: dtypes, errors, numpy arrays that become tensors, and lists written at a tensor's position."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same, plain


def replaced(x: Any, key: Any, value: Any) -> Any:
    x[key] = value
    return x


def sieve(n, size):
    prime = np.ones(30, np.bool_)
    prime[:2] = False
    i = 2
    while i * i < n:
        if prime[i]:
            prime[i * i :: i] = False
        i += 1
    return prime


@pytest.mark.parametrize("n", [3, 20, 30])
def test_an_array_becomes_a_tensor(n: int) -> None:
    found = tf.function(sieve)(tf.constant(n), 30)
    assert plain(found) == sieve(n, 30).tolist()


def test_dtypes() -> None:
    @tf.function
    def write(x: Any, v: Any) -> Any:
        x[0] = 1
        x[1] = v
        return x

    assert plain(write(tf.zeros([2], tf.float64), tf.constant(0.5))) == [1.0, 0.5]  # float32 fits float64
    assert plain(write(tf.zeros([2], tf.float32), 0.5)) == [1.0, 0.5]
    with pytest.raises(tf.errors.DtypeMismatchError, match=r"runtime\.cast\(value, 'int32'\)"):
        write(tf.zeros([2], tf.int32), tf.constant(0.5))
    with pytest.raises(tf.errors.DtypeMismatchError, match=r"runtime\.cast\(value, 'float32'\)"):
        write(tf.zeros([2], tf.float32), tf.constant(0.5, tf.float64))


def test_out_of_range() -> None:
    write = tf.function(replaced)
    for i in (3, -4):
        with pytest.raises(IndexError, match=r"out of range for the shape \(3,\)"):
            write(tf.zeros([3]), tf.constant(i), 1)
    with pytest.raises(tf.errors.ShapeMismatchError, match=r"input array from shape \(2,\) into shape \(\)"):
        write(tf.zeros([3]), tf.constant(0), tf.ones([2]))


def test_the_old_tensor_stays_as_it_was() -> None:
    @tf.function
    def program(x: Any, i: Any) -> Any:
        before = x
        x[i] = 0
        return before, x

    assert plain(program(tf.constant([1, 2]), tf.constant(1))) == ([1, 2], [1, 0])


def test_an_array_that_two_names_refer_to_is_one_array() -> None:
    def straight(n: Any) -> Any:
        out = np.zeros(3, np.int32)
        other = out
        out[n] = 1
        return other

    def in_a_loop(n: Any) -> Any:
        out = np.zeros(3, np.int32)
        other = [out]
        for i in range(n):
            out[i] = i
        return other

    def of_the_caller(n: Any) -> Any:
        def fill(a: Any) -> None:
            a[n] = 1

        out = np.zeros(3, np.int32)
        fill(out)
        return out

    for program in (straight, in_a_loop, of_the_caller):
        np.testing.assert_array_equal(np.asarray(tf.function(program)(tf.constant(1))), np.asarray(program(1)))


def test_arrays_in_every_statement() -> None:
    def program(n: Any) -> Any:
        a = np.zeros(4, np.int32)
        b = np.zeros((2, 2), np.int32)
        a[n] = 1
        a[0] += n
        a[1:] -= n
        if n > 1:
            b[0] = n
        else:
            b[n, 0] = 5
        while n > 0:
            b[:, 1] += a[n]
            n -= 1
        return a, b

    for n in (1, 2, 3):
        assert plain(tf.function(program)(tf.constant(n))) == tuple(v.tolist() for v in program(n))


W = tf.constant([1, 2])


def test_what_cannot_be_bound_is_refused_by_name() -> None:
    @tf.function
    def program(i: Any) -> Any:
        W[i] = 3
        return W

    with pytest.raises(StagingError, match="'W' cannot be assigned here.*nonlocal or global"):
        program(tf.constant(0))


def test_deleting_an_element_is_refused() -> None:
    @tf.function
    def program(x: Any) -> Any:
        del x[0]
        return x

    with pytest.raises(TypeError, match=r"runtime\.concat"):
        program(tf.constant([1, 2]))


def written_by_position(i):
    items = [10, 20, 30]
    items[i] = i
    items[-1] += items[i]
    return items


def test_lists_by_position() -> None:
    assert_same(written_by_position, 0, 1, 2, -1, -3, 3, -4)


def read_of_two_kinds(n):
    values = [0, 1.5, n]
    return values[n - 1], values[n]


def written_in_two_kinds(n):
    best = [0] + [float("inf")] * 4
    for i in range(n, 5):
        best[i] = min(best[i], best[i - n] + 1)
    return best


def whole_number_among_floats(n):
    values = [1.5] * 4
    values[n] = n
    return values


def float_among_whole_numbers(n):
    values = [n] * 4
    values[n] = 2.5
    return values


@pytest.mark.parametrize(
    "program", [read_of_two_kinds, written_in_two_kinds, whole_number_among_floats, float_among_whole_numbers]
)
@pytest.mark.parametrize("dtype", [tf.int32, tf.int64])
def test_numbers_of_two_kinds_are_joined(program: Any, dtype: Any) -> None:
    found = tf.function(program)(tf.constant(2, dtype))
    assert [float(value) for value in found] == list(program(2))
    assert all(value.dtype is tf.float64 for value in found)
