"""Arrays in and out: copies, DLPack, arguments that stay as they are, Variables in calls of numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import OperatorNotAllowedInGraphError
from tests.runtime.test_numpy_front_end import VALUE, traced


def test_an_array_is_changed_in_place_and_a_tensor_is_not() -> None:
    def f(x: Any) -> Any:
        x += 1
        return x

    for autograph in (True, False):
        array, tensor = VALUE.copy(), tf.constant(VALUE)
        for argument, left in ((array, VALUE + 1), (tensor, VALUE)):
            np.testing.assert_allclose(np.asarray(tf.function(f, autograph=autograph)(argument)), VALUE + 1)
            np.testing.assert_array_equal(np.asarray(argument), left)


def test_results_are_arrays_for_numpy() -> None:
    result = tf.function(lambda x: np.sqrt(np.abs(x)))(VALUE)
    assert isinstance(result, tf.Tensor)
    np.testing.assert_allclose(
        np.linalg.svd(np.asarray(result))[1], np.linalg.svd(np.sqrt(np.abs(VALUE)))[1], rtol=1e-5
    )
    assert np.asarray(result).flags.writeable is False


def test_copies_as_numpy_2_asks_for_them() -> None:
    t = tf.constant(VALUE)
    shared, copied = np.asarray(t), np.array(t)
    assert np.shares_memory(shared, np.asarray(t)) and not shared.flags.writeable
    assert not np.shares_memory(copied, shared) and copied.flags.writeable
    copied[:] = 0
    assert np.shares_memory(np.array(t, copy=False), shared) and np.shares_memory(np.array(t, copy=None), shared)
    assert np.asarray(t, dtype=np.float64).dtype == np.float64
    assert np.array(t, dtype=np.float32, copy=False).dtype == np.float32
    with pytest.raises(ValueError, match="copy"):
        np.array(t, dtype=np.float64, copy=False)
    np.testing.assert_array_equal(t.numpy(), VALUE)


def test_a_variable_is_copied_from_its_memory() -> None:
    v = tf.Variable(VALUE)
    before, shared = np.array(v), np.asarray(v)
    v.assign_add(np.ones_like(VALUE))
    np.testing.assert_array_equal(before, VALUE)
    np.testing.assert_array_equal(shared, VALUE)


def test_dlpack_out() -> None:
    t = tf.constant(VALUE)
    array = np.from_dlpack(t)
    np.testing.assert_array_equal(array, VALUE)
    assert np.shares_memory(array, np.asarray(t)) and not array.flags.writeable
    copied = np.from_dlpack(t, copy=True) if np.lib.NumpyVersion(np.__version__) >= "2.1.0" else np.array(array)
    copied[:] = 0
    np.testing.assert_array_equal(t.numpy(), VALUE)
    assert t.__dlpack_device__() == VALUE.__dlpack_device__()
    old = Exporter(t)
    assert not np.shares_memory(np.from_dlpack(old), array)
    np.testing.assert_array_equal(np.from_dlpack(tf.Variable(VALUE)), VALUE)
    with pytest.raises(OperatorNotAllowedInGraphError, match="__dlpack__"):
        traced(lambda x: np.from_dlpack(x), VALUE)


class Exporter:
    """What knows DLPack alone, of the version before read-only memory."""

    def __init__(self, holder: Any) -> None:
        self.holder = holder

    def __dlpack__(self, **options: Any) -> Any:
        return self.holder.__dlpack__()

    def __dlpack_device__(self) -> Any:
        return self.holder.__dlpack_device__()


def test_dlpack_in() -> None:
    source = VALUE.copy()
    t = tf.constant(Exporter(source))
    source[:] = 0
    np.testing.assert_array_equal(t.numpy(), VALUE)
    assert t.dtype is tf.float32
    np.testing.assert_array_equal(tf.add(Exporter(VALUE), 1.0), VALUE + 1)
    np.testing.assert_array_equal(tf.convert_to_tensor(Exporter(tf.constant(VALUE))), VALUE)


def test_variables_in_calls_of_numpy() -> None:
    v = tf.Variable([1.0, 2.0])

    @tf.function
    def step(x: Any) -> Any:
        v.assign(np.add(v, x).astype(np.float32))
        return np.sum(v * 2, axis=0), np.concatenate([v, x]), np.where(v > 2, v, 0), np.dot(v, v)

    for _ in range(2):
        step(np.ones(2, np.float32))
    total, joined, chosen, product = step(np.ones(2, np.float32))
    assert v.numpy().tolist() == [4.0, 5.0]
    assert total.numpy() == 18.0 and joined.numpy().tolist() == [4.0, 5.0, 1.0, 1.0]
    assert chosen.numpy().tolist() == [4.0, 5.0] and product.numpy() == 41.0
    assert step.experimental_get_tracing_count() == 1
