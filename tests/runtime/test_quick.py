"""The short way of simple calls gives what the long way gives, and leaves to it whatever is special."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.ops.records.record import REGISTRY, Op
from runtime.ops.records.samples import values
from runtime.tensor.quick import result_table, run_quickly

SIMPLE = [op for op in sorted(REGISTRY.values(), key=lambda op: op.name) if result_table(op)]
PAIRS = [op for op in SIMPLE if len(op.tensors) == 2]

NUMBERS = (0, 1, -1, 2, 300, 2**40, 2**70, 1.5, float("inf"), True, 1j, "a", None, np.float64(2), [1, 2])


def outcome(call: Any) -> Any:
    """The value and dtype of a call, or its error."""
    try:
        result = call()
    except Exception as error:
        return type(error), str(error)
    return result.dtype, np.asarray(result).tolist()


def test_the_common_operations_are_simple() -> None:
    assert {"add", "multiply", "less", "negative", "sqrt", "divide", "bitwise_and"} <= {op.name for op in SIMPLE}
    assert not {"print", "concat", "reduce_sum", "random_uniform", "where"} & {op.name for op in SIMPLE}


@pytest.mark.parametrize("op", SIMPLE, ids=lambda op: op.name)
def test_tensors(op: Op) -> None:
    for dtype in sorted(op.groups[0].allowed, key=lambda d: d.name):
        for shape in ((), (3,), (0,)):
            operands = [tf.constant(values(dtype, shape, 1, 3, seed)) for seed in range(len(op.tensors))]
            # A name makes the call take the long way.
            found = outcome(lambda: op(*operands))
            assert repr(found) == repr(outcome(lambda: op(*operands, name="long")))
            long = dtype.family == "string" or dtype is tf.bfloat16
            if not isinstance(found[0], type) and not long:  # errors find their words on the long way
                assert run_quickly(op, operands) is not None


@pytest.mark.parametrize("op", PAIRS, ids=lambda op: op.name)
def test_python_values_beside_a_tensor(op: Op) -> None:
    for dtype in sorted(op.groups[0].allowed, key=lambda d: d.name):
        x = tf.constant(values(dtype, (2,), 1, 3))
        for number in NUMBERS:
            for pair in ((x, number), (number, x)):
                quick, long = outcome(lambda: op(*pair)), outcome(lambda: op(*pair, name="long"))
                assert repr(quick) == repr(long), f"{op.name} of {dtype.name} and {number!r}"


@pytest.mark.parametrize("op", PAIRS, ids=lambda op: op.name)
def test_recording(op: Op) -> None:
    """The nodes are the same as on the long way: operands, constants, dtypes, shapes, weakness."""
    for dtype in sorted(op.groups[0].allowed, key=lambda d: d.name):
        for number in (*NUMBERS, tf.constant([1, 2], dtype) if dtype.is_numeric else tf.constant([True])):
            for order in (1, -1):
                quick, long = (recorded(op, dtype, number, order, name) for name in ({}, {"name": op.name}))
                assert quick == long, f"{op.name} of {dtype.name} and {number!r}"


def recorded(op: Op, dtype: tf.DType, number: Any, order: int, name: dict[str, str]) -> Any:
    graph = tf.Graph("g")
    x = graph.placeholder(dtype, [None], "x")
    with graph.as_default():
        try:
            result = op(*(x, number)[::order], **name)
        except Exception as error:
            return type(error), str(error)
    return graph.as_text(), repr(result), result.weak


def test_what_is_left_to_the_long_way() -> None:
    add = REGISTRY["add"]
    f32, i32 = tf.constant([1.0]), tf.constant([1])
    mixed = ((f32, i32), (i32, 1.5), (i32, 2**40), (f32, 2**70), (f32, True), (f32, np.ones(1)), (1, 2), (f32, "a"))
    for pair in (*mixed, (f32,)):
        assert run_quickly(add, pair) is None
    assert run_quickly(REGISTRY["floordiv"], (i32, 0)) is None
    assert run_quickly(add, (tf.ones([2, 3]), tf.ones([4]))) is None
