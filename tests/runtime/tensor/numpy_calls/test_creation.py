"""What numpy makes of sizes and numbers that are tensors: in converted code as numpy does, elsewhere refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph
import runtime as tf
from tests.runtime.tensor.numpy_calls.test_functions import assert_same

OF_SIZES: dict[str, Callable[[Any, Any], Any]] = {
    "zeros": lambda n, m: np.zeros(n),
    "zeros of two": lambda n, m: np.zeros((n, 2, m), np.int16),
    "zeros of all": lambda n, m: np.zeros(shape=[m, n], dtype=bool, order="C"),
    "zeros of a vector": lambda n, m: np.zeros(np.stack([n, m])),
    "ones": lambda n, m: np.ones((2, n)),
    "ones of a dtype": lambda n, m: np.ones(n, dtype=np.complex64),
    "empty": lambda n, m: np.shape(np.empty((n, 3))),
    "full": lambda n, m: np.full(n, 7),
    "full of a float": lambda n, m: np.full((n, m), 0.5, np.float32),
    "full of values": lambda n, m: np.full((n, 2), [1, 2]),
    "full of what the run knows": lambda n, m: np.full((2, 2), n),
    "arange": lambda n, m: np.arange(n),
    "arange of two": lambda n, m: np.arange(n, n + m),
    "arange of steps": lambda n, m: np.arange(0, m, 2),
    "arange down": lambda n, m: np.arange(m, -2, -3),
    "arange of floats": lambda n, m: np.arange(np.float64(n), 5, 0.25),
    "arange of a dtype": lambda n, m: np.arange(m, dtype=np.float32),
    "arange by name": lambda n, m: np.arange(start=1, stop=m, step=n + 1),
    "eye": lambda n, m: np.eye(n),
    "eye of two": lambda n, m: np.eye(n, m, 1, np.int32),
    "eye with a tensor": lambda n, m: np.eye(4, k=n - m),
    "identity": lambda n, m: np.identity(m, np.float32),
    "tri": lambda n, m: np.tri(n, m, -1),
    "tri of one": lambda n, m: np.tri(m, dtype=int),
    "linspace": lambda n, m: np.linspace(0, 1, m),
    "linspace open": lambda n, m: np.linspace(n, 9.0, num=m, endpoint=False),
}

OF_NUMBERS: dict[str, Callable[[Any, Any], Any]] = {
    "array": lambda x, y: np.array([x, y]),
    "array of rows": lambda x, y: np.array([[x, y], [y, 1]]),
    "array of a tensor": lambda x, y: np.array(x),
    "array of a dtype": lambda x, y: np.array([x, 2], dtype=np.float32),
    "array with dims": lambda x, y: np.array([x, y], ndmin=3),
    "asarray": lambda x, y: np.asarray((x, y, 0.5)),
    "asarray of a tensor": lambda x, y: np.asarray(x, np.float64),
    "asanyarray": lambda x, y: np.asanyarray([x]),
    "ascontiguousarray": lambda x, y: np.ascontiguousarray(x),
    "sum of a list": lambda x, y: np.sum([x, y, 3]),
    "max of a list": lambda x, y: np.max((x, y)),
    "mean of rows": lambda x, y: np.mean([[x, y], [1, 2]], axis=0),
    "ufunc of a list": lambda x, y: np.add([x, y], 1),
    "ufunc of two lists": lambda x, y: np.maximum([x, 1], (y, 2)),
    "take": lambda x, y: np.take(np.arange(100) * 2, np.abs(np.array([x, y], np.int64))),
    "sort of a list": lambda x, y: np.sort([x, y, 1]),
    "float32": lambda x, y: np.float32(x),
    "int64": lambda x, y: np.int64(y) + np.int64(1),
    "bool": lambda x, y: np.bool_(x),
    "complex128": lambda x, y: np.complex128(x),
    "float64 of a list": lambda x, y: np.float64([x, y]),
}


def traced(call: Any, *arrays: Any) -> Any:
    return tf.function(call)(*map(tf.constant, arrays))


@pytest.mark.parametrize("call", OF_SIZES.values(), ids=OF_SIZES)
@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_sizes_that_the_run_knows(call: Callable[[Any, Any], Any], dtype: str) -> None:
    f = tf.function(call)
    for n, m in ((3, 2), (0, 1), (1, 5)):
        sizes = np.array(n, dtype)[()], np.array(m, dtype)[()]
        assert_same(f(*map(tf.constant, sizes)), call(*sizes))
        assert_same(call(*map(tf.constant, sizes)), call(*sizes), "eager")
    assert f.experimental_get_tracing_count() == 1


@pytest.mark.parametrize("call", OF_NUMBERS.values(), ids=OF_NUMBERS)
@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
def test_numbers_that_the_run_knows(call: Callable[[Any, Any], Any], dtype: str) -> None:
    f = tf.function(call)
    for x, y in ((3, -2), (0, 7)):
        numbers = np.array(x, dtype)[()], np.array(y, dtype)[()]
        assert_same(f(*map(tf.constant, numbers)), call(*numbers))
        assert_same(call(*map(tf.constant, numbers)), call(*numbers), "eager")
    assert f.experimental_get_tracing_count() == 1


@pytest.mark.parametrize("name", ["zeros", "zeros of two", "zeros of a vector", "full", "linspace"])
@pytest.mark.parametrize("dtype", ["uint8", "int16", "uint64"])
def test_sizes_of_other_dtypes(name: str, dtype: str) -> None:
    sizes = np.array(3, dtype)[()], np.array(2, dtype)[()]
    assert_same(traced(OF_SIZES[name], *sizes), OF_SIZES[name](*sizes))


def test_variables_are_read_when_the_graph_runs() -> None:
    n, x = tf.Variable(2), tf.Variable(1.5)
    f = tf.function(lambda: (np.ones(n), np.array([x, x + 1.0]), np.float64(x)))
    assert_same(f(), (np.ones(2), np.float32([1.5, 2.5]), np.float64(1.5)))
    n.assign(3)
    x.assign(4.0)
    assert_same(f(), (np.ones(3), np.float32([4, 5]), np.float64(4)))


def test_in_branches_loops_and_functions_that_are_called() -> None:
    def table(n: Any) -> Any:
        rows = np.zeros((n, n))
        for i in range(n):
            rows = rows + np.eye(n) * np.float64(i) if i % 2 == 0 else np.add(rows, np.full((n, n), i))
        return rows

    def program(n: Any) -> Any:
        if n > 2:
            return np.sum(table(n), axis=0)
        return np.float64(np.arange(n))

    f = tf.function(program)
    for n in (0, 2, 3, 5):
        assert_same(f(tf.constant(n)), program(n))
    assert f.experimental_get_tracing_count() == 1


def test_python_values_are_numpys_business() -> None:
    kinds = []

    @tf.function
    def f(x: Any) -> Any:
        made = np.zeros(3), np.array([1, 2]), np.arange(4), np.float32(2), np.add([1], 2), np.take([5, 6], 1)
        kinds.extend(map(type, made))
        return x + made[0]

    with pytest.warns(tf.errors.TraceEffectWarning):
        f(tf.constant(1.0, tf.float64))
    assert kinds == [np.ndarray] * 3 + [np.float32, np.ndarray, np.int64]


def test_what_no_tensor_can_be_is_refused() -> None:
    n = tf.constant(2)
    for call, words in (
        (lambda n: np.zeros(n, object), "dtype object"),
        (lambda n: np.zeros(n, "U3"), "dtype"),
        (lambda n: np.float64(n, n), "float64"),
    ):
        with pytest.raises(TypeError, match=words):
            tf.function(call)(n)
    with pytest.raises(ValueError, match="-2"):
        tf.function(lambda n: np.zeros(-n))(n)


def test_code_that_is_not_converted_is_told_what_to_do() -> None:
    x = tf.constant(2)
    for call, words in (
        (lambda x: np.array([x, x]), r"np\.stack.*runtime\.stack|runtime\.stack.*np\.stack"),
        (lambda x: np.asarray([x, x]), r"np\.stack"),
        (lambda x: [1, 2][x], r"runtime\.zeros\(\[n\]\).*runtime\.range"),
    ):
        with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match=words):
            tf.function(call, autograph=False)(x)
    made = tf.function(lambda x: (np.ones(x, like=x), np.arange(x, like=x)), autograph=False)(x)
    assert_same(made, (np.ones(2), np.arange(2)))


def test_explain_says_that_numpys_functions_run_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    @tf.function
    def f(x: Any) -> Any:
        return np.sum(x) + np.ones(3)[0]

    autograph.explain(f, tf.constant([1.0, 2.0], tf.float64))
    told = capsys.readouterr().out
    assert "sum: runs as it is: a _ArrayFunctionDispatcher object calls it" in told
    assert "ones: runs as it is: it belongs to the installed package 'numpy'" in told
