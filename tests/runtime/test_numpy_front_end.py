"""numpy on tensors beside its functions: operators with arrays, Python numbers, and what is refused.

The functions and methods, with numpy's values and dtypes, are compared in tests/runtime/tensor/numpy_calls.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import OperatorNotAllowedInGraphError

VALUE = np.array([[-1.5, 2.0, 0.25], [3.0, -0.5, 1.0]], np.float32)


def traced(call: Any, *arrays: Any) -> Any:
    """The result of a Function that is not converted, called with tensors."""
    return tf.function(lambda *args: call(*args), autograph=False)(*map(tf.constant, arrays))


# -- operators between arrays and tensors: the rules of tensors, whatever the side -----------------------------------


@pytest.mark.parametrize(
    "call",
    [lambda a, t: a + t, lambda a, t: t + a, lambda a, t: a * t, lambda a, t: a - t, lambda a, t: a @ t,
     lambda a, t: np.float64(2) * t, lambda a, t: a / t],
)  # fmt: skip
def test_an_array_beside_a_tensor_takes_its_dtype_by_operators(call: Any) -> None:
    array = np.array([[1.0, 2.0], [3.0, 4.0]])
    value = np.array([[2.0, 0.5], [1.0, -1.0]], np.float32)
    for result in (call(array, tf.constant(value)), traced(lambda t: call(array, t), value)):
        assert result.dtype is tf.float32
        np.testing.assert_allclose(np.asarray(result), call(array, value.astype(np.float64)), rtol=1e-6)


@pytest.mark.parametrize(
    "call",
    [lambda m, v: m @ v, lambda m, v: v @ m.T, lambda m, v: v @ v, lambda m, v: m[None] @ v,
     lambda m, v: v @ m.T[None]],
)  # fmt: skip
def test_products_of_vectors_by_the_operator(call: Any) -> None:
    v = np.array([1.0, 2.0, -1.0], np.float32)
    wanted = call(VALUE, v)
    pairs = ((tf.constant(VALUE), tf.constant(v)), (VALUE, tf.constant(v)), (tf.Variable(VALUE), tf.Variable(v)))
    for m, x in pairs:
        np.testing.assert_allclose(np.asarray(call(m, x)), wanted, rtol=1e-6)
    np.testing.assert_allclose(np.asarray(traced(call, VALUE, v)), wanted, rtol=1e-6)
    np.testing.assert_allclose(np.asarray(traced(lambda x: call(VALUE, x), v)), wanted, rtol=1e-6)
    for m, x in ((VALUE, v[:2]), (v, v[:2]), (v[:2], VALUE.T)):
        with pytest.raises(tf.errors.ShapeMismatchError):
            tf.constant(m) @ tf.constant(x)


def test_comparisons_by_operators_and_by_functions() -> None:
    array = np.array([1.0, 2.0])
    t = tf.constant([1, 3])
    with pytest.raises(tf.errors.DtypeMismatchError):
        _ = array < t
    assert np.less(array, t).numpy().tolist() == [False, True]
    assert np.add(array, t).dtype is tf.float64


def test_tensors_stay_strict() -> None:
    with pytest.raises(tf.errors.DtypeMismatchError):
        _ = tf.constant([1]) + tf.constant([1.0])
    assert np.add(tf.constant([1]), tf.constant([1.0])).dtype is tf.float64


def test_an_array_that_is_added_to_stays_an_array() -> None:
    array = np.ones(2, np.float32)
    same = array
    array += tf.constant([1.0, 2.0])
    assert array is same and array.tolist() == [2.0, 3.0]


def test_python_numbers_of_loops_are_weak_in_numpy_calls() -> None:
    def f(x: Any) -> Any:
        i = 0
        total = np.zeros_like(x)
        while i < np.sum(x) * 0 + 3:
            total = total + np.add(x, i)
            i = i + 1
        return total

    result = tf.function(f)(VALUE)
    assert result.dtype is tf.float32
    np.testing.assert_allclose(result.numpy(), 3 * VALUE + 3)


# -- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda x: np.histogram(x, "auto"), ("np.histogram", "depends on the data", "np.histogram with other")),
        (lambda x: np.isnat(x), ("np.isnat", "it has no operation")),
        (lambda x: np.sum(x, initial=None), ("np.sum", "`initial=None` takes", "np.sum with other arguments")),
        (lambda x: np.add(x, 1, where=x > 0), ("np.add", "`where` has no operation")),
        (lambda x: np.pad(x, 9, "reflect", reflect_type="odd"), ("np.pad", "reflect_type='odd'")),
        (lambda x: np.add.at(x, 0, 1), ("np.add.at",)),
        (lambda x: np.less.accumulate(x), ("np.less.accumulate", "another dtype", "np.less with other arguments")),
        (lambda x: np.linalg.qr(x, "raw"), ("np.linalg.qr", "mode='raw'", "complete")),
    ],
)  # fmt: skip
def test_what_cannot_be_recorded_is_refused_with_the_nearest(call: Any, words: tuple[str, ...]) -> None:
    with pytest.raises(TypeError) as caught:
        traced(call, VALUE)
    for word in ("cannot be recorded for the symbolic tensor", *words):
        assert word in str(caught.value)


@pytest.mark.parametrize(
    "call",
    [lambda x: np.asarray(x), lambda x: np.array([x[0], x[1]]), lambda x: np.sum([x, x]),
     lambda x: np.take(np.arange(9), x), lambda x: np.float64(x[0, 0])],
)  # fmt: skip
def test_calls_that_numpy_does_not_pass_on(call: Any) -> None:
    with pytest.raises(OperatorNotAllowedInGraphError) as caught:
        tf.function(call, autograph=False)(VALUE)
    for word in ("converted to a numpy array", "leave np.asarray out", "np.stack", "runtime.constant(array)"):
        assert word in str(caught.value)


def test_numbers_that_do_not_fit_are_compared_by_value() -> None:
    x = tf.constant([3], "uint8")
    assert np.less(x, -1).numpy().tolist() == [False] and np.greater(x, -1).numpy().tolist() == [True]
    assert traced(lambda x: np.less(x, -1), np.array([3], np.uint8)).numpy().tolist() == [False]


@pytest.mark.parametrize(
    "call", [lambda x: np.histogram_bin_edges(x, "auto"), np.unpackbits, lambda x: np.sum(x, initial=None)]
)
def test_what_cannot_be_recorded_runs_on_the_value_of_an_eager_tensor(call: Any) -> None:
    value = VALUE.astype(np.uint8) if call is np.unpackbits else VALUE
    result = call(tf.constant(value))
    assert isinstance(result, tf.Tensor)
    np.testing.assert_allclose(np.asarray(result), call(value))


def test_nothing_is_baked_into_a_graph() -> None:
    """The function that numpy would have to run on values is refused before it sees one, also for a Variable."""
    v = tf.Variable(VALUE)
    with pytest.raises(TypeError, match="cannot be recorded"):
        traced(lambda: np.histogram(v, "auto"))
    np.testing.assert_allclose(np.asarray(np.histogram(v, "auto")[0]), np.histogram(VALUE, "auto")[0])


@pytest.mark.parametrize(
    "call",
    [lambda x: np.add(x, 1, out=x), lambda x: np.sum(x, axis=0, out=x), lambda x: np.copyto(x, 1),
     lambda x: np.exp(x, x), lambda x: np.fill_diagonal(x, 0), lambda x: np.add(np.ones((2, 3)), 1, out=x)],
)  # fmt: skip
def test_a_tensor_is_not_written_to(call: Any) -> None:
    for run in (lambda: call(tf.constant(VALUE)), lambda: traced(call, VALUE), lambda: call(tf.Variable(VALUE))):
        with pytest.raises(TypeError, match="never changes: take its result, as in `x = np"):
            run()


def test_an_array_is_a_place_for_what_a_graph_computes() -> None:
    array = np.zeros((2, 3), np.float32)
    traced(lambda x: np.add(x, 1, out=array), VALUE)
    np.testing.assert_allclose(array, VALUE + 1)
    traced(lambda x: np.cumsum(x, axis=0, out=array), VALUE)
    np.testing.assert_allclose(array, np.cumsum(VALUE, axis=0))
    np.add(tf.constant(VALUE), 2, out=array)
    np.testing.assert_allclose(array, VALUE + 2)


def test_elements_are_not_set() -> None:
    def f(x: Any) -> Any:
        x[0] = 1
        return x

    with pytest.raises(TypeError, match="in a converted function an assignment to an element makes a new tensor"):
        tf.function(f, autograph=False)(tf.constant(VALUE))
    given = tf.constant(VALUE)
    assert tf.function(f)(given).numpy().tolist() == [[1, 1, 1], VALUE[1].tolist()]
    np.testing.assert_array_equal(given.numpy(), VALUE)


@pytest.mark.parametrize(
    ("call", "word"),
    [(lambda x: x.sort(), "np.sort"), (lambda x: x.fill(1), "np.full_like"), (lambda x: x.resize(3), "reshape"),
     (lambda x: x.put(0, 1), "np.where"), (lambda x: x.partition(1), "np.sort")],
)  # fmt: skip
def test_methods_that_would_change_a_tensor(call: Any, word: str) -> None:
    for run in (lambda: call(tf.constant(VALUE)), lambda: traced(call, VALUE), lambda: call(tf.Variable(VALUE))):
        with pytest.raises(TypeError, match=word):
            run()
