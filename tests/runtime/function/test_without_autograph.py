"""`function(autograph=False)`: what it calls, and gives to functions of ours, runs as it is, too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from runtime.library.data import Dataset


def turned(y: Any, *others: Any) -> Any:
    return -y if y > 0 else y


@tf.custom_gradient
def with_gradient(y: Any) -> Any:
    return turned(y), lambda upstream: upstream


class Turned(tf.experimental.ExtensionType):
    y: tf.Tensor

    def __validate__(self) -> None:
        turned(self.y)


WAYS: dict[str, Callable[[Any], Any]] = {
    "map_fn": lambda x: tf.map_fn(turned, x),
    "foldl": lambda x: tf.foldl(turned, x),
    "vectorized_map": lambda x: tf.vectorized_map(turned, x),
    "map": lambda x: Dataset.from_tensor_slices(x).map(turned).reduce(0, lambda a, b: a + b),
    "filter": lambda x: Dataset.from_tensor_slices(x).filter(lambda y: turned(y) < 0).reduce(0, lambda a, b: a + b),
    "reduce": lambda x: Dataset.from_tensor_slices(x).reduce(0, turned),
    "custom_gradient": lambda x: with_gradient(x[0]),
    "__validate__": lambda x: Turned(x[0]).y,
    "inside": lambda x: tf.function(lambda x: tf.map_fn(turned, x), autograph=False)(x),
}


@pytest.mark.parametrize("name", WAYS)
def test_nothing_below_is_converted(name: str) -> None:
    x = tf.constant([1, 2])
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="test_without_autograph"):
        tf.function(WAYS[name], autograph=False)(x)
    if name != "inside":
        tf.function(WAYS[name])(x)
        assert tf.function(lambda x: tf.function(WAYS[name])(x), autograph=False)(x) is not None


def test_a_function_of_its_own_is_converted() -> None:
    inner = tf.function(turned)
    assert int(tf.function(lambda x: inner(x), autograph=False)(tf.constant(3))) == -3
    mapped = tf.function(lambda x: tf.map_fn(inner, x), autograph=False)
    assert mapped(tf.constant([1, -2])).numpy().tolist() == [-1, -2]
