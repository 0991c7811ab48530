"""The operations that graphs themselves are made of: placeholder, constant, identity.

They have records like all others, so that passes, plans and the text form treat nothing specially.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import EVERY, DType, float32, from_numpy
from runtime.ops.records.raises import NOTHING
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import unary
from runtime.ops.records.shape_rules import same_shape
from runtime.shapes import TensorShape

__all__ = ["constant_node", "identity", "placeholder"]


def _declared_shape(*, dtype: DType, shape: TensorShape) -> TensorShape:
    return shape


def _declared_dtype(*, dtype: DType, shape: TensorShape) -> DType:
    return dtype


@op(name="placeholder", shape=_declared_shape, result=_declared_dtype, stateful=True, raises=NOTHING)
def placeholder(*, dtype: DType = float32, shape: TensorShape = TensorShape(None)) -> Any:  # noqa: B008
    """An input of a graph. It has no kernel: the plan receives its value as an argument."""
    raise RuntimeError("a placeholder has no value")


def _value_shape(*, value: Array) -> TensorShape:
    return TensorShape(value.shape)


def _value_dtype(*, value: Array) -> DType:
    found = from_numpy(value.dtype)
    assert found is not None
    return found


@op(name="constant", shape=_value_shape, result=_value_dtype, raises=NOTHING)
def constant_node(*, value: Array = np.zeros((), np.float32)) -> Any:  # noqa: B008
    """A value that is fixed in the graph. The array is never written to."""
    return value


@op(
    tame=True,
    raises=NOTHING,
    shape=same_shape, dtypes=EVERY, view=True, scalar="{0}", samples=unary(), reference=lambda input: input,
)  # fmt: skip
def identity(input: Array) -> Any:
    """The same value under a new name. input: any tensor; returns a tensor of the same shape and dtype."""
    return input


@identity.gradient
def _(upstream: Any) -> Any:
    return upstream


def operand_of(array: Array) -> Operand:
    """What is known of a constant: all of it."""
    return Operand(_value_dtype(value=array), TensorShape(array.shape), array)
