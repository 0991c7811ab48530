"""`runtime.sets`: sets of integers or texts along the last axis of tensors.

>>> runtime.sparse.to_dense(runtime.sets.union([[1, 2], [3, 4]], [[2, 3], [4, 5]]))
<tf.Tensor: shape=(2, 3), dtype=int32, numpy=
array([[1, 2, 3],
       [3, 4, 5]], dtype=int32)>

The rows of a tensor of rank 2 (or higher) are sets; of a SparseTensor, what is kept of each row. The results are
sparse, each set in ascending order from the beginning of its row on.
"""

from __future__ import annotations

from typing import Any

from runtime.composite.sparse_calls import check_same_shape
from runtime.composite.sparse_tensor import SparseTensor
from runtime.dtypes import int64
from runtime.errors import ShapeMismatchError
from runtime.ops.records.gradients import ops
from runtime.ops.rows.cells import set_operation
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.switches import switches
from runtime.tensor.tensor import Tensor

__all__ = ["difference", "intersection", "size", "union"]


@switches
def union(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """What is in the set of `a` or in that of `b`."""
    return _combined("union", a, b)


@switches
def intersection(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """What is in the set of `a` and in that of `b`."""
    return _combined("intersection", a, b)


@switches
def difference(a: Any, b: Any, aminusb: bool = True, validate_indices: bool = True) -> SparseTensor:
    """What is in the set of `a` and not in that of `b`; aminusb=False: the other way round."""
    return _combined("difference", a, b) if aminusb else _combined("difference", b, a)


@switches
def size(a: Any, validate_indices: bool = True) -> Tensor:
    """How many different elements each set of a SparseTensor has, int32, of the shape without the last axis."""
    if not isinstance(a, SparseTensor):
        raise TypeError(f"sets.size: a SparseTensor is needed; got {a!r}")
    groups = set_operation(a.values, a.values, _numbers(a), _numbers(a), operation="union")[1]
    outer = a.dense_shape[:-1]
    count = ops.reduce_prod(outer)
    ones = ops.cast(ops.ones_like(groups), "int32")
    return ops.reshape(ops.unsorted_segment_sum(ones, groups, count), outer)


def _combined(operation: str, a: Any, b: Any) -> SparseTensor:
    left, right = _elements(operation, a), _elements(operation, b)
    if left.rank != right.rank:
        raise ShapeMismatchError(f"sets.{operation}: one rank is needed; got {left.shape} and {right.shape}")
    outer = left.dense_shape[:-1]
    check_same_shape(f"sets.{operation}, but for the last axis", outer, right.dense_shape[:-1])
    values, groups, places = set_operation(
        left.values, right.values, _numbers(left), _numbers(right), operation=operation
    )
    strides = ops.cumprod(ops.maximum(outer, convert_to_tensor(1, int64)), exclusive=True, reverse=True)
    cells = ops.floormod(ops.floordiv(ops.expand_dims(groups, axis=1), strides), outer)
    largest = ops.reduce_max(ops.concat([convert_to_tensor([0], int64), ops.add(places, 1)], axis=0), keepdims=True)
    sizes = ops.concat([outer, largest], axis=0)
    return SparseTensor.of(ops.concat([cells, ops.expand_dims(places, axis=1)], axis=1), values, sizes)


def _elements(operation: str, value: Any) -> SparseTensor:
    """All elements of a dense tensor with their cells. Raises ShapeMismatchError for one of rank 0 or 1."""
    if isinstance(value, SparseTensor):
        found = value
    else:
        dense = convert_to_tensor(value)
        sizes = ops.shape(dense, out_type=int64)
        cells = ops.argwhere(ops.fill(sizes, True))
        found = SparseTensor.of(cells, ops.reshape(dense, [-1]), sizes)
    if found.rank is None or found.rank < 2:
        raise ShapeMismatchError(f"sets.{operation}: a tensor of known rank, 2 or more, is needed; got {found.shape}")
    return found


def _numbers(x: SparseTensor) -> Any:
    """The number of the set of each element, row by row."""
    outer = x.dense_shape[:-1]
    strides = ops.cumprod(ops.maximum(outer, convert_to_tensor(1, int64)), exclusive=True, reverse=True)
    return ops.reduce_sum(ops.multiply(x.indices[:, :-1], strides), axis=1)

