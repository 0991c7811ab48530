"""Operations and tensors of a graph are found by name, and an unknown name is answered with the known ones."""

from __future__ import annotations

import pytest

import runtime as tf
from runtime.errors import NotFoundError


def sums(count: int) -> tf.Graph:
    graph = tf.Graph("sums")
    x = graph.placeholder(tf.int32, [], "x")
    with graph.as_default():
        for i in range(count):
            x = tf.add(x, x, name=f"sum{i}")
    return graph


def test_tensors_are_found() -> None:
    graph = sums(2)
    assert graph.get_tensor_by_name("sum1:0") is graph.get_tensor_by_name("sum1") is graph.operations[-1].outputs[0]
    assert [operation.name for operation in graph.get_operations()] == ["x", "sum0", "sum1"]


@pytest.mark.parametrize("name", ["sum1:1", "sum1:x", "sum1:-1"])
def test_an_output_that_is_not_there(name: str) -> None:
    with pytest.raises(NotFoundError, match="'sum1' has 1 output"):
        sums(2).get_tensor_by_name(name)


def test_an_operation_that_is_not_there() -> None:
    with pytest.raises(NotFoundError, match="'sums' has no operation 'total'; it has x, sum0, sum1$"):
        sums(2).get_operation_by_name("total")
    with pytest.raises(NotFoundError, match="sum18 and 11 more$"):
        sums(30).get_operation_by_name("total")
    with pytest.raises(NotFoundError, match="it has none$"):
        tf.Graph("empty").get_operation_by_name("x")
