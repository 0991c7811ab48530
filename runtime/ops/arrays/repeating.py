"""A tensor several times: tile, broadcast_to.

>>> runtime.tile([1, 2], [2])
<tf.Tensor: shape=(4,), dtype=int32, numpy=array([1, 2, 1, 2], dtype=int32)>
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import ANY
from runtime.errors import ShapeMismatchError
from runtime.ops.arrays.shape import INDEXES
from runtime.ops.kernels.values import elements, integers, show_shape
from runtime.ops.records.gradients import ops, shape_of, sum_to_shape
from runtime.ops.records.raises import VALUES
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, by_element, calls
from runtime.ops.records.shape_rules import known_integers, shape_from
from runtime.shapes import TensorShape, broadcast_shapes

__all__ = ["broadcast_to", "tile"]


def _target(*dims: int) -> Array:
    return np.array(dims, np.int32)


def _tiled(input: Operand, multiples: Operand) -> TensorShape:
    dims, times = input.shape.dims, known_integers(multiples)
    if times is None:
        return TensorShape(None) if dims is None else TensorShape([None] * len(dims))
    if dims is None:
        return TensorShape([None] * len(times))
    if len(times) != len(dims):
        raise ValueError(f"multiples {list(times)} needs one entry for each of the {len(dims)} dimensions")
    if any(t < 0 for t in times):
        raise ValueError(f"multiples {list(times)} has a negative entry")
    return TensorShape([None if d is None else d * t for d, t in zip(dims, times, strict=True)])


def _by_modulus(input: Array, multiples: Array) -> Array:
    result = np.empty([n * t for n, t in zip(input.shape, multiples.tolist(), strict=True)], object)
    for index in np.ndindex(result.shape):
        result[index] = input[tuple(i % n for i, n in zip(index, input.shape, strict=True))]
    return result


@op(
    raises=VALUES,
    shape=_tiled, dtypes={"input": ANY, "multiples": INDEXES},
    samples=calls(lambda x: [(x(), _target()), (x(3), _target(2)), (x(2, 3), _target(2, 1)), (x(2, 3), _target(0, 2)),
                             (x(0), _target(3)), (x(3, 2).T, _target(1, 3))]),
    reference=_by_modulus,
    errors=[Failure((np.ones((2, 3), np.float32), [2]), ShapeMismatchError, ("[2]", "(2, 3)")),
            Failure((np.ones(2, np.float32), [-1]), ShapeMismatchError, ("negative",))],
)  # fmt: skip
def tile(input: Array, multiples: Array) -> Any:
    """The tensor repeated multiples[i] times along axis i. input: any tensor; multiples: one integer a dimension."""
    times = integers(multiples, "tile")
    array = elements(input)
    if len(times) != array.ndim or any(t < 0 for t in times):
        raise ShapeMismatchError(f"tile: multiples {list(times)} do not fit the shape {array.shape}")
    return np.tile(array, times)


@tile.gradient
def _(upstream: Any, input: Any) -> Any:
    return ops.sum_tiles(upstream, shape_of(input)), None


def _broadcasted(input: Operand, shape: Operand) -> TensorShape:
    target = shape_from(shape)
    if broadcast_shapes(input.shape, target).dims != target.dims and target.is_fully_defined() and input.shape:
        raise ValueError(f"the shape {input.shape} cannot be broadcast to {target}")
    return target


@op(
    numpy_view=True,
    raises=VALUES,
    shape=_broadcasted, dtypes={"input": ANY, "shape": INDEXES}, view=True,
    samples=calls(lambda x: [(x(), _target(2)), (x(3), _target(2, 3)), (x(2, 1), _target(2, 3)), (x(0), _target(2, 0)),
                             (x(), _target()), (x(3)[::-1], _target(1, 3))]),
    reference=lambda x, shape: by_element(lambda item, _: item)(x, np.zeros(shape)),
    errors=[Failure((np.ones((2, 3), np.float32), [2, 4]), ShapeMismatchError, ("(2, 3)", "(2, 4)")),
            Failure((np.ones((2, 3), np.float32), [3]), ShapeMismatchError, ("(2, 3)", "(3,)"))],
)  # fmt: skip
def broadcast_to(input: Array, shape: Array) -> Any:
    """The tensor repeated to a shape by numpy's broadcasting rules. input: any tensor; shape: integers."""
    target = integers(shape, "broadcast_to")
    try:
        return np.broadcast_to(elements(input), target)
    except ValueError:
        raise ShapeMismatchError(
            f"broadcast_to: the shape {show_shape(input)} cannot be broadcast to {target}"
        ) from None


@broadcast_to.gradient
def _(upstream: Any, input: Any) -> Any:
    return sum_to_shape(upstream, input), None
