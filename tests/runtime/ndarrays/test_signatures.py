"""ndarrays for the tensors of an input_signature, and for Functions within a trace: the caller sees what is written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf

OPEN = tf.TensorSpec([None, None], tf.float64)
TABLE = np.zeros((2, 3))


def put(a: Any) -> Any:
    a[0, 1] = 9.0
    return a.sum()


def put_into_a_row(a: Any) -> Any:
    row = a[0]
    row[1] = 9.0
    return a.sum()


def put_by_a_helper(a: Any) -> Any:
    put(a)
    return a.sum()


def put_in_a_loop(a: Any) -> Any:
    i = 0
    while i < a[1, 0] * 0 + 3:
        a[i % 2] += 2.0
        i += 1
    return a.sum()


def fill(a: Any) -> Any:
    np.copyto(a, 3.0)
    a[1].fill(4.0)
    return a.sum()


def add(a: Any) -> Any:
    a += 1
    return a.sum()


PROGRAMS = [put, put_into_a_row, put_by_a_helper, put_in_a_loop, fill, add]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("turned", [False, True])
def test_arrays_for_an_input_signature(program: Any, turned: bool) -> None:
    function = tf.function(program, input_signature=[OPEN])
    for sizes in ((2, 3), (4, 2)):
        wanted = np.zeros(sizes).T if turned else np.zeros(sizes)
        given = wanted.copy()
        total = program(wanted)
        np.testing.assert_array_equal(function(given), total)
        np.testing.assert_array_equal(given, wanted)
    for_arrays = function.experimental_get_tracing_count()
    if program in (put, put_into_a_row, put_in_a_loop, add):
        assert float(function(tf.constant(np.zeros((2, 3))))) == float(function(np.zeros((2, 3)).tolist()))
        assert function.experimental_get_tracing_count() == for_arrays <= 2 + turned


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("specs", [None, [OPEN]])
def test_functions_within_a_trace(program: Any, specs: Any) -> None:
    inner = tf.function(program, input_signature=specs)

    def made(x: Any) -> Any:
        a = np.zeros((2, 3))
        inner(a)
        return a + x

    def given(a: Any) -> Any:
        inner(a)
        return a * 2

    def taken(x: Any) -> Any:
        inner(TABLE)
        return TABLE + x

    wanted = np.zeros((2, 3))
    program(wanted)
    TABLE[...] = 0.0
    a = np.zeros((2, 3))
    x = tf.constant(0.0, tf.float64)
    np.testing.assert_array_equal(tf.function(made)(x), wanted)
    np.testing.assert_array_equal(tf.function(given)(a), wanted * 2)
    np.testing.assert_array_equal(a, wanted)
    np.testing.assert_array_equal(tf.function(taken)(x), wanted)
    np.testing.assert_array_equal(TABLE, wanted)


def test_one_array_for_two_arguments() -> None:
    def both(a: Any, b: Any) -> Any:
        a[0] = 5.0
        b[1] = a[0] + 1
        return a + b

    function = tf.function(both, input_signature=[tf.TensorSpec([None], tf.float64)] * 2)
    a, b = np.zeros(3), np.zeros(3)
    assert function(a, a).numpy().tolist() == [10.0, 12.0, 0.0] and a.tolist() == [5.0, 6.0, 0.0]
    assert function(a, b).numpy().tolist() == [5.0, 12.0, 0.0] and b.tolist() == [0.0, 6.0, 0.0]


def test_a_copy_in_another_dtype_is_not_written_to() -> None:
    function = tf.function(put, input_signature=[tf.TensorSpec([None, None], tf.float32)])
    a = np.zeros((2, 3))
    with pytest.raises(ValueError, match="an array of float64 is written to, but its input_signature says float32"):
        function(a)
    assert not a.any() and float(function(np.zeros((2, 3), np.float32))) == 9.0
    with pytest.raises(ValueError, match="read-only"):
        function(np.broadcast_to(np.float32(1.0), (2, 3)))


def test_what_only_reads_has_one_trace() -> None:
    function = tf.function(lambda a: (a * 2).sum(), input_signature=[OPEN])
    for value in (np.ones((2, 2)), np.ones((2, 2), np.float32), tf.constant(np.ones((2, 2))), np.ones((3, 2)).T):
        function(value)
    assert function.experimental_get_tracing_count() == 1
    assert type(next(iter(function._traces)).wanted["a"]) is tf.TensorSpec
