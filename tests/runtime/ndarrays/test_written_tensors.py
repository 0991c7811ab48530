"""Tensors that a program writes to as if they were arrays: what would be lost for the caller is refused."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError

X = tf.constant([1, 2])
TABLE = tf.constant([1, 2])


def put(a: Any) -> Any:
    a[0] = 9
    return a


def put_in_a_branch(a: Any) -> Any:
    if a[0] > 0:
        a[0] = 9
    return a


def put_in_a_loop(a: Any) -> Any:
    for i in tf.range(2):
        a[i] = 9
    return a


def put_through_a_row(a: Any) -> Any:
    row = a[:1]
    row[0] = 9
    return row


def put_deeper(a: Any) -> Any:
    return put(a)


def in_a_row(a: Any, helper: Any) -> Any:
    helper(a)
    return a


def beside_its_result(a: Any, helper: Any) -> Any:
    b = helper(a)
    return a, b


def in_one_branch(a: Any, helper: Any) -> Any:
    if a[1] > 0:
        helper(a)
    return a


def in_an_iteration(a: Any, helper: Any) -> Any:
    total = a * 0
    for _ in tf.range(2):
        total += helper(a)
    return total


HELPERS = [put, put_in_a_branch, put_in_a_loop, put_through_a_row, put_deeper]


@pytest.mark.parametrize("helper", HELPERS)
@pytest.mark.parametrize("program", [in_a_row, beside_its_result, in_one_branch, in_an_iteration])
def test_a_tensor_that_a_helper_has_written_to_may_not_be_read(program: Any, helper: Any) -> None:
    with pytest.raises(StagingError, match=r"function that was called with it.*test_written_tensors.*`x = f\(x\)`"):
        tf.function(lambda a: program(a, helper))(X)


@pytest.mark.parametrize("program", [in_a_row, beside_its_result])
def test_a_captured_tensor_may_not_be_read_then(program: Any) -> None:
    with pytest.raises(StagingError, match="function that was called with it"):
        tf.function(lambda: program(TABLE, put))()


@pytest.mark.parametrize("helper", [put, put_in_a_branch, put_in_a_loop, put_deeper])
def test_the_result_of_a_helper_may_take_its_place(helper: Any) -> None:
    def f(a: Any) -> Any:
        a = helper(a)
        for _ in tf.range(1):
            a = helper(a)
        return helper(a) if a[0] > 0 else a

    assert tf.function(f)(X).numpy().tolist() == [9, 2] if helper is not put_in_a_loop else [9, 9]


def test_branches_apart() -> None:
    def f(a: Any) -> Any:
        if a[0] > 0:
            b = put(a)
        else:
            b = a * 2
        return b

    assert tf.function(f)(X).numpy().tolist() == [9, 2]
    assert tf.function(f)(-X).numpy().tolist() == [-2, -4]


def test_copies_and_names_of_ones_own() -> None:
    def shuffled(a: Any) -> Any:
        a = tf.gather(a, [1, 0])
        a[0] = 5
        return a

    def scaled(a: Any) -> Any:
        a = a * 2
        a[0] = 5
        a += 1
        return a

    found = tf.function(lambda a: (shuffled(a), scaled(a), a))(X)
    assert [t.numpy().tolist() for t in found] == [[5, 1], [6, 5], [1, 2]]


COPIES: list[Any] = [
    tf.identity, tf.stop_gradient, tf.constant, np.copy, np.array, copy.copy, lambda a: a.copy(),
    copy.deepcopy, lambda a: copy.deepcopy({"a": [a]})["a"][0],
    lambda a: tf.cast(a, a.dtype), lambda a: a.astype(np.int64),
    lambda a: np.array(a[:2]), lambda a: a[[0, 1]], lambda a: np.array(a, ndmin=1),
]  # fmt: skip


@pytest.mark.parametrize("copy_of", COPIES)
@pytest.mark.parametrize("helper", HELPERS)
def test_a_copy_may_be_written_to(copy_of: Any, helper: Any) -> None:
    def f(a: Any) -> Any:
        b = copy_of(a)
        c = helper(b)
        return a, c

    a = np.array([1, 2])
    before, after = tf.function(f)(tf.constant(a))
    assert before.numpy().tolist() == [1, 2]
    assert after.numpy()[0] == 9
    concrete = tf.function(f).get_concrete_function(tf.TensorSpec([2], tf.int64))
    assert concrete(a)[1].numpy()[0] == 9  # an array has not to see it
    assert a.tolist() == [1, 2]


NAMES: list[Any] = [
    np.asarray, lambda a: a, lambda a: a.astype(np.int64, copy=False), np.ravel, lambda a: a.reshape(2), lambda a: a.T,
    lambda a: a[::-1], np.squeeze, lambda a: a[None][0], lambda a: a[None, :][:, 1:].ravel(),
]  # fmt: skip


@pytest.mark.parametrize("same", NAMES)
def test_another_name_of_a_tensor_is_no_copy(same: Any) -> None:
    def f(a: Any) -> Any:
        put(same(a))
        return a

    with pytest.raises(StagingError, match="function that was called with it"):
        tf.function(f)(tf.constant(np.array([1, 2])))


def test_gradients_read_the_tensors_that_there_were() -> None:
    def f(a: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(a)
            b = a * a
            b = put(b)
            y = tf.reduce_sum(b * b)
        return tape.gradient(y, a)

    assert tf.function(f)(tf.constant([1.0, 2.0])).numpy().tolist() == [0.0, 32.0]


def write_to_a_view(a: Any) -> Any:
    a[:1][0] = 9
    return a


def add_in_place(a: Any) -> None:
    row = a[:2]
    row += 1


@pytest.mark.parametrize("write", [*HELPERS, write_to_a_view, add_in_place])
def test_a_trace_for_a_tensor_that_is_written_to_takes_no_array(write: Any) -> None:
    concrete = tf.function(write).get_concrete_function(tf.TensorSpec([2], tf.int64))
    concrete(tf.constant([1, 2], tf.int64))
    for call in (concrete, tf.function(lambda a: concrete(a))):
        with pytest.raises(TypeError, match="made for a tensor 'a', and the function writes to it"):
            call(np.array([1, 2]))


def sums(a: Any) -> Any:
    total = 0 * a[0]
    for i in tf.range(2):
        total += a[i]
    return total


def of_copies(a: Any) -> Any:
    b = a * 1
    b[0] = 7
    return b[0] + a[0]


@pytest.mark.parametrize(("read", "wanted"), [(sums, 3), (of_copies, 8)])
def test_a_trace_for_a_tensor_that_is_read_takes_arrays(read: Any, wanted: int) -> None:
    concrete = tf.function(read).get_concrete_function(tf.TensorSpec([2], tf.int64))
    assert int(concrete(np.array([1, 2]))) == wanted
