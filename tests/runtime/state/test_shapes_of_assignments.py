"""A value that cannot fit a Variable is an error while the function is traced, before anything of it has run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from runtime.errors import ShapeMismatchError

WRITES: dict[str, Callable[[Any, Any], Any]] = {
    "assign": lambda v, x: v.assign(x),
    "assign_add": lambda v, x: v.assign_add(x),
    "assign_sub": lambda v, x: v.assign_sub(x),
}


@pytest.mark.parametrize("name", WRITES)
def test_a_wrong_shape_is_an_error_of_the_trace(name: str) -> None:
    v, count = tf.Variable([1.0, 2.0], name="pair"), tf.Variable(0)

    @tf.function
    def step(x: Any) -> Any:
        count.assign_add(1)
        WRITES[name](v, x)
        return x

    with pytest.raises(ShapeMismatchError, match=rf"{name}: the variable 'pair:0' has the shape \(2,\).*\(3,\)"):
        step(tf.constant([1.0, 2.0, 3.0]))
    assert (count.numpy(), v.numpy().tolist()) == (0, [1.0, 2.0])
    step(tf.constant([1.0, 1.0]))
    assert count.numpy() == 1


@pytest.mark.parametrize("name", WRITES)
def test_a_shape_that_only_the_run_knows_is_an_error_of_the_run(name: str) -> None:
    v, count = tf.Variable([1.0, 2.0], name="pair"), tf.Variable(0)

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def step(x: Any) -> Any:
        count.assign_add(1)
        WRITES[name](v, x)
        return x

    step(tf.constant([1.0, 1.0]))
    before = v.numpy().tolist()
    with pytest.raises(ShapeMismatchError, match="pair"):
        step(tf.constant([1.0, 2.0, 3.0]))
    assert (count.numpy(), v.numpy().tolist()) == (2, before)
