"""Lists of blocks: lists whose elements have a new first axis, for each of many elements that are computed together.

    list_repeated(handle, count)       # each element `count` times
    list_row_sums(handle, count)       # each element summed over its first axis, which has this size
    swap_first_axes(x)                 # from rows of positions to positions of rows, and back

Each of the first two is what the gradient of the other is made of. An element that is not there stays so.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import ANY, INTEGERS, VARIANTS, variant
from runtime.errors import ShapeMismatchError
from runtime.ops.kernels.list_value import ListValue
from runtime.ops.kernels.sparse_list import SparseList
from runtime.ops.kernels.values import show_shape
from runtime.ops.lists.lists import LISTS, handle_shape, list_record
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, calls
from runtime.shapes import TensorShape

__all__ = ["list_repeated", "list_row_sums", "swap_first_axes"]


def _each(handle: Any, change: Any) -> Any:
    """The list with each of its elements changed, also in the lists that it holds."""

    def changed(item: Any) -> Any:
        if item is None:
            return None
        return _each(item, change) if type(item) in LISTS else change(np.asarray(item))

    if type(handle) is SparseList:
        return SparseList.of([(i, changed(item)) for i, item in handle.items()], lambda a, b: b)
    return ListValue.of(map(changed, handle))


@list_record(dtypes={"handle": VARIANTS, "count": INTEGERS}, shape=handle_shape, result=variant)
def list_repeated(handle: Any, count: Any) -> Any:
    """The list with each element `count` times, in a new first axis. count: integer scalar, not negative."""
    return _each(handle, lambda item: np.repeat(item[np.newaxis], int(count), axis=0))


@list_record(dtypes={"handle": VARIANTS, "count": INTEGERS}, shape=handle_shape, result=variant)
def list_row_sums(handle: Any, count: Any) -> Any:
    """The list with each element summed over its first axis. count: the size of that axis, in all of them."""
    return _each(handle, lambda item: np.asarray(item.sum(axis=0), item.dtype))


@list_repeated.gradient
def _(upstream: Any, count: Any) -> Any:
    return list_row_sums(upstream, count), None


@list_row_sums.gradient
def _(upstream: Any, count: Any) -> Any:
    return list_repeated(upstream, count), None


def _swapped_shape(x: Operand) -> TensorShape:
    dims = x.shape.dims
    if dims is None:
        return x.shape
    if len(dims) < 2:
        raise ValueError(f"two axes are swapped; the shape is {x.shape}")
    return TensorShape([dims[1], dims[0], *dims[2:]])


@op(
    shape=_swapped_shape, dtypes=ANY, view=True,
    samples=calls(lambda x: [((x(2, 3),), {}), ((x(2, 3, 4),), {}), ((x(3, 0),), {}), ((x(3, 2, 1).T,), {})]),
    reference=lambda x: np.array([[row[i] for row in x] for i in range(x.shape[1])], object).reshape(
        x.shape[1], x.shape[0], *x.shape[2:]),
    errors=[Failure((np.ones(3, np.float32),), ShapeMismatchError, ("two axes", "(3,)"))],
)  # fmt: skip
def swap_first_axes(x: Array) -> Any:
    """The tensor with its first two axes swapped. x: any tensor of rank 2 or more; the rank need not be known."""
    if np.ndim(x) < 2:
        raise ShapeMismatchError(f"swap_first_axes: two axes are swapped; the shape is {show_shape(np.shape(x))}")
    return x.swapaxes(0, 1)


@swap_first_axes.gradient
def _(upstream: Any) -> Any:
    return swap_first_axes(upstream)
