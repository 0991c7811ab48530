"""Common calls of numpy on tensors with values run on their arrays: the same values and errors, nobody is passed by."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.tensor.numpy_calls.eager import SAME, called_on_arrays
from tests.runtime.tensor.numpy_calls.test_functions import DTYPES, assert_same, matrix

UNARY = sorted((f for f in SAME if isinstance(f, np.ufunc) and f.nin == 1), key=lambda f: f.__name__)
BINARY = sorted((f for f in SAME if isinstance(f, np.ufunc) and f.nin == 2), key=lambda f: f.__name__)
OTHERS = sorted((f for f in SAME if not isinstance(f, np.ufunc)), key=lambda f: f.__name__)


def outcome(call: Any) -> Any:
    try:
        return call()
    except (TypeError, ValueError, OverflowError) as error:
        return type(error)


def function_of_tensors(function: Any, given: list[Any]) -> Any:
    return lambda: function(*[tf.identity(x) if isinstance(x, tf.Tensor) else x for x in given])


def same(function: Any, *operands: Any) -> None:
    """The short way, the operations in a graph, and numpy itself."""
    given = [tf.constant(x) if isinstance(x, np.ndarray) else x for x in operands]
    with np.errstate(all="ignore"):
        wanted = outcome(lambda: function(*operands))
    found = outcome(lambda: function(*given))
    in_graph = outcome(lambda: tf.function(function_of_tensors(function, given))())
    if isinstance(wanted, type):
        assert isinstance(found, type) and isinstance(in_graph, type), f"numpy raises {wanted}"
    else:
        assert isinstance(found, tf.Tensor)
        assert_same(found, wanted, function.__name__)


@pytest.mark.parametrize("dtype", [*DTYPES, "float16", "int8", "uint64"])
@pytest.mark.parametrize("function", UNARY, ids=lambda f: f.__name__)
def test_one_operand(function: Any, dtype: str) -> None:
    same(function, matrix(dtype))
    same(function, np.array(0, dtype))
    same(function, np.zeros((0, 2), dtype))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", BINARY, ids=lambda f: f.__name__)
def test_two_operands(function: Any, dtype: str) -> None:
    x, y = matrix(dtype), matrix(dtype, 1)
    if function is np.matmul:
        y = y.T
    same(function, x, y)
    same(function, x, np.ones(5, dtype))
    for other in (2, 0.5, True, 300, np.array(3, "int64"), np.array([1.5] * 4, "float32")):
        same(function, x, other)
        same(function, other, x)


@pytest.mark.parametrize("dtype", [*DTYPES, "float16"])
@pytest.mark.parametrize("function", OTHERS, ids=lambda f: f.__name__)
def test_reductions(function: Any, dtype: str) -> None:
    x, t = matrix(dtype), tf.constant(matrix(dtype))
    for arguments in ({}, {"axis": 0}, {"axis": (0, 1)}, {"axis": -1, "keepdims": True}, {"axis": None, "out": None}):
        assert_same(function(t, **arguments), function(x, **arguments))
    for wrong in ({"axis": 5}, {"axis": "x"}):
        for call in (function, tf.function(lambda x, **given: function(x, **given))):
            with pytest.raises((ValueError, TypeError)):
                call(t, **wrong)


def test_results_are_tensors_of_their_own() -> None:
    x = tf.constant([1.0, 2.0])
    total, copied = np.add(x, 0), np.max(x, axis=())
    assert (total.numpy().tolist(), copied.numpy().tolist()) == ([1, 2], [1, 2])
    assert total is not x and not np.shares_memory(np.asarray(total), np.asarray(x))
    assert not np.shares_memory(np.asarray(copied), np.asarray(x))


def test_who_looks_at_operations_sees_these_too(capsys: pytest.CaptureFixture[str]) -> None:
    x = tf.constant([0.0, 1.0])
    assert called_on_arrays(np.log, (x,), {}) is not None
    tf.debugging.enable_check_numerics()
    tf.debugging.set_log_device_placement(True)
    try:
        assert called_on_arrays(np.log, (x,), {}) is None
        with pytest.raises(tf.errors.InvalidArgumentError, match="log"):
            np.log(x)
        assert "Executing op log" in capsys.readouterr().err
        tf.debugging.disable_check_numerics()
        assert np.isneginf(np.log(x).numpy()[0])
        assert "Executing op log" in capsys.readouterr().err
    finally:
        tf.debugging.disable_check_numerics()
        tf.debugging.set_log_device_placement(False)
    assert called_on_arrays(np.log, (x,), {}) is not None


def test_text_and_arrays_to_write_to_take_the_long_way() -> None:
    words, array = tf.constant(["a", "b"]), np.zeros(2)
    assert called_on_arrays(np.equal, (words, words), {}) is None
    assert called_on_arrays(np.add, (tf.constant([1.0, 2.0]), 1), {"out": (array,)}) is None
    array += tf.constant([1.0, 2.0], tf.float64)
    assert array.tolist() == [1, 2]


def test_in_a_trace_an_operation_is_recorded() -> None:
    kept = tf.constant([1.0, 4.0])
    f = tf.function(lambda x: np.sqrt(kept) + x)
    assert "sqrt" in f.get_concrete_function(tf.TensorSpec([2])).graph.as_text()
    assert f(tf.constant([1.0, 1.0])).numpy().tolist() == [2, 3]
