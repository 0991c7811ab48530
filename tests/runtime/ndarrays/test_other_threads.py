"""Several threads that write to one array, each to elements of its own."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from tests.runtime.other_threads import at_each_line

SHARED = np.zeros((2, 3))
FILES = ("runtime/function/", "runtime/ndarrays/", "<plan")


class Table:
    def __init__(self, rows):
        self.rows = rows

    @tf.function
    def fill(self, x):
        self.rows[0] += x
        return x


@tf.function
def fill(rows, x):
    for i in range(rows.shape[1]):
        rows[0, i] += x
    return x


@tf.function
def fill_and_add(rows, x):
    rows[0] += x
    COUNT.assign_add(1)
    return x


COUNT = tf.Variable(0)
TABLE = Table(SHARED)


@tf.function
def fill_shared(x):
    SHARED[0] += x
    return x


@tf.function(backend="native")
def fill_natively(rows, x):
    for i in range(rows.shape[1]):
        rows[0, i] += x
    return x


@tf.function(input_signature=[tf.TensorSpec([2, 3], tf.float64), tf.TensorSpec([], tf.float64)])
def fill_specified(rows, x):
    rows[0] += x
    return x


def fill_under_a_tape(rows, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        fill(rows, x)


@pytest.mark.parametrize(
    "call",
    [
        fill, fill_and_add, lambda rows, x: fill_shared(x), lambda rows, x: TABLE.fill(x), fill_natively,
        fill_specified, fill_under_a_tape, lambda rows, x: fill.get_concrete_function(rows, x)(rows, x),
        lambda rows, x: fill(rows.view(), x), lambda rows, x: fill(rows.T[:, ::-1].T[::-1], x),
    ],
    ids=["argument", "effects", "captured", "place", "native", "specified", "tape", "trace", "view", "strides"],
)  # fmt: skip
def test_elements_that_another_thread_writes_meanwhile_are_its_own(call):
    rows = SHARED
    rows[...] = 0
    one = tf.constant(1.0, tf.float64)
    for _ in range(3):
        call(rows, one)
    row = 0 if rows[0, 0] else 1
    rows[...] = 0

    def write():
        rows[1 - row, 1] += 1

    with at_each_line(write, FILES) as calls:
        call(rows, one)
    assert rows[1 - row].tolist() == [0, len(calls), 0] and len(calls) > 10
    assert rows[row].tolist() == [1, 1, 1]


@pytest.mark.parametrize("dtype", ["float32", "complex128", "int8", ">f8", "bool", "float16", "longdouble"])
def test_signs_of_zeros_and_other_dtypes_are_written_back(dtype):
    @tf.function
    def swap(a):
        a[...] = a[::-1].copy()

    def change(a):
        a[...] = a[::-1].copy()

    values = np.array([0.0, 1.0, -0.0, np.nan] if "f" in dtype or dtype == "complex128" else [0, 1, 1, 0])
    given, expected = values.astype(dtype), values.astype(dtype)
    if dtype not in (">f8", "longdouble"):
        with at_each_line(lambda: None, FILES):
            swap(given)
        change(expected)
    assert given.tobytes() == expected.tobytes()
