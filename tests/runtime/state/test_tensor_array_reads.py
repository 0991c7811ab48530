"""Elements of a TensorArray that are read a second time: `clear_after_read`, as TensorFlow takes it.

Eagerly the second read is an error unless `clear_after_read=False`. In graphs TensorFlow gives the value; here it is an
error where `clear_after_read=True` was written and the trace sees both reads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import InvalidArgumentError, OutOfRangeError

Way = Callable[[Any], Any]


def array(clear: bool | None) -> Any:
    return tf.TensorArray(tf.float32, 3, clear_after_read=clear).unstack([1.0, 2.0, 3.0])


def twice(a: Any) -> Any:
    return a.read(0) + a.read(0)


def after_the_same_array(a: Any) -> Any:
    first = a.read(2)
    b = a.identity()
    return first + b.read(tf.constant(2))


def of_another_position_written(a: Any) -> Any:
    first = a.read(0)
    a = a.write(1, 5.0)
    return first + a.read(np.int64(0))


def both_in_a_branch(a: Any) -> Any:
    if a.size() > 1:
        x = a.read(1) + a.read(1)
    else:
        x = 0.0
    return x


REPEATED = [twice, after_the_same_array, of_another_position_written, both_in_a_branch]


def written_between(a: Any) -> Any:
    first = a.read(0)
    a = a.write(0, 5.0)
    return first + a.read(0)


def of_two_positions(a: Any) -> Any:
    return a.read(0) + a.read(1)


def before_the_others(a: Any) -> Any:
    return a.read(0) + tf.reduce_sum(a.stack()) + a.gather([0, 0])[0]


def filled_again(a: Any) -> Any:
    first = a.read(0)
    b = a.unstack([7.0])
    c = a.scatter([0], [8.0])
    return first + b.read(0) + c.read(0)


def one_in_each_branch(a: Any) -> Any:
    if a.size() > 1:
        x = a.read(0)
    else:
        x = a.read(0) + 1.0
    return x


def in_a_loop(a: Any) -> Any:
    total = 0.0
    for i in tf.range(a.size()):
        total += a.read(i)
    return total


def by_iteration(a: Any) -> Any:
    total = 0.0
    for x in a:
        total += x
    for x in a:
        total += x
    return total


ONCE = {
    written_between: 6.0, of_two_positions: 3.0, before_the_others: 8.0, filled_again: 16.0, one_in_each_branch: 1.0,
    in_a_loop: 6.0, by_iteration: 12.0,
}  # fmt: skip


def staged(program: Any, clear: bool | None) -> Any:
    return tf.function(lambda: program(array(clear)))()


@pytest.mark.parametrize("program", REPEATED, ids=lambda p: p.__name__)
def test_an_element_that_is_read_twice(program: Any) -> None:
    for clear in (None, True):
        with pytest.raises(InvalidArgumentError, match=r"index \d twice because it was cleared after a previous read"):
            program(array(clear))
    with pytest.raises(InvalidArgumentError, match=r"index \d twice .*clear_after_read=False"):
        staged(program, True)
    kept = program(array(False)).numpy()
    assert kept == staged(program, None).numpy() == staged(program, False).numpy()


@pytest.mark.parametrize("program", ONCE, ids=lambda p: p.__name__)
@pytest.mark.parametrize("clear", [None, True, False])
def test_elements_that_are_read_once(program: Any, clear: bool | None) -> None:
    assert program(array(clear)).numpy() == staged(program, clear).numpy() == ONCE[program]


def test_a_read_that_fails_clears_nothing() -> None:
    a = array(True)
    for index in (3, -1):
        with pytest.raises(OutOfRangeError):
            a.read(index)
    assert a.read(0).numpy() == 1


def test_an_array_that_a_function_is_given_may_be_read_in_each_trace() -> None:
    a = array(True)
    read = tf.function(lambda x: a.read(0) + tf.reduce_sum(x))
    assert [read(tf.zeros([n])).numpy() for n in (1, 1, 2)] == [1, 1, 1]
    assert read.experimental_get_tracing_count() == 2
    assert tf.function(lambda b: b.read(0))(a).numpy() == a.read(0).numpy() == 1


def test_gradients_of_elements_that_are_kept() -> None:
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        a = tf.TensorArray(tf.float32, 3, clear_after_read=False).unstack(x)
        y = a.read(0) * a.read(0)
    assert tape.gradient(y, x).numpy().tolist() == [2, 0, 0]
