"""Gradients of lists: the gradients of some elements, by position; those that are not there are zero.

    gradient = list_add(list_new([]), 4, upstream)       # of `list_get(handle, 4)`: nothing but at position 4

So the gradient of a read takes no more time than the read, however long the list is, and a loop that reads each element
once has a gradient that is linear in the length (see `runtime.ops.kernels.sparse_list`; an empty list is zero, too).
The operations here are linear in lists and elements; the gradients of each are others of them.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from runtime.dtypes import ANY, EVERY, INTEGERS, VARIANTS, DType, float32, int32, variant
from runtime.ops.kernels.list_value import ListValue
from runtime.ops.kernels.sparse_list import SparseList
from runtime.ops.lists.lists import LISTS, handle_shape, list_record
from runtime.ops.records.record import Array, Operand
from runtime.ops.records.shape_rules import shape_from
from runtime.shapes import TensorShape

__all__ = ["bundle", "list_add", "list_add_rows", "list_at", "list_clear", "list_joined", "list_lengths", "list_put",
           "list_rows_at", "list_sum", "list_take", "unbundle"]  # fmt: skip

_handles: Final[dict[str, Any]] = {"shape": handle_shape, "result": variant}


def _dtype(*operands: Operand, element_dtype: DType) -> DType:
    return element_dtype


def _vector(values: Any) -> list[int]:
    return [int(i) for i in np.reshape(values, -1)]


def _sparse(handle: Any) -> SparseList:
    """The gradient; a plain list, such as an empty one, stands for its elements."""
    if type(handle) is SparseList:
        return handle
    return SparseList.of(((i, x) for i, x in enumerate(handle) if x is not None), _sum)


def _sum(a: Any, b: Any) -> Any:
    """The sum of two gradients of one element, which may be a list."""
    if type(a) in LISTS:
        return _sparse(a).sum(_sparse(b), _sum)
    return np.asarray(np.add(a, b), np.asarray(a).dtype)


@list_record(dtypes={"handles": VARIANTS}, **_handles)
def list_sum(*handles: Any) -> SparseList:
    """The sum of gradients of one list, element by element."""
    total = SparseList()
    for handle in handles:
        total = total.sum(_sparse(handle), _sum)
    return total


@list_record(dtypes={"handle": VARIANTS, "index": INTEGERS, "element": ANY | VARIANTS}, holds=True, **_handles)
def list_add(handle: Any, index: Any, element: Array) -> Any:
    """The gradient with `element` added at a position, which is not negative."""
    return _sparse(handle).add(int(index), element, _sum)


@list_record(
    shape=lambda handle, index, shape, *, element_dtype: shape_from(shape),
    dtypes={"handle": VARIANTS, "index": INTEGERS, "shape": INTEGERS}, result=_dtype,
)  # fmt: skip
def list_at(handle: Any, index: Any, shape: Array, *, element_dtype: DType = float32) -> Any:
    """The gradient of the element at a position; zeros of this shape (an empty list) where there is none."""
    found = _sparse(handle).get(int(index))
    if found is None and element_dtype is variant:
        return SparseList()
    return np.zeros(_vector(shape), element_dtype.numpy) if found is None else found


@list_record(dtypes={"handle": VARIANTS, ("start", "stop"): INTEGERS}, **_handles)
def list_clear(handle: Any, start: Any, stop: Any) -> Any:
    """The gradient with nothing at the positions from `start` to before `stop`."""
    return _sparse(handle).without(int(start), int(stop))


@list_record(
    shape=lambda handle, positions, shape, *, element_dtype: positions.shape.concatenate(shape_from(shape)),
    dtypes={"handle": VARIANTS, "positions": INTEGERS, "shape": INTEGERS}, result=_dtype,
)  # fmt: skip
def list_rows_at(handle: Any, positions: Array, shape: Array, *, element_dtype: DType = float32) -> Array:
    """The gradients of the elements at some positions, a vector, as one tensor; zeros of this shape for none."""
    where, gradient = _vector(positions), _sparse(handle)
    rows = np.zeros((len(where), *_vector(shape)), element_dtype.numpy)
    for row, position in enumerate(where):
        if (found := gradient.get(position)) is not None:
            rows[row] = found
    return rows


@list_record(dtypes={"handle": VARIANTS, "positions": INTEGERS, "rows": ANY}, holds=True, **_handles)
def list_add_rows(handle: Any, positions: Array, rows: Array) -> Any:
    """The gradient with row i added at positions[i]."""
    gradient = _sparse(handle)
    for row, position in enumerate(_vector(positions)):
        gradient = gradient.add(position, rows[row, ...], _sum)
    return gradient


@list_record(dtypes={"handle": VARIANTS, "positions": INTEGERS}, **_handles)
def list_take(handle: Any, positions: Array) -> SparseList:
    """The gradient of the list that has the elements at these positions; of a negative one, nothing."""
    gradient = _sparse(handle)
    found = [(i, gradient.get(position)) for i, position in enumerate(_vector(positions))]
    return SparseList.of([(i, value) for i, value in found if value is not None], _sum)


@list_record(dtypes={"handle": VARIANTS, "positions": INTEGERS}, **_handles)
def list_put(handle: Any, positions: Array) -> SparseList:
    """The opposite of `list_take`: element i is added at positions[i], dropped for a negative one."""
    where = _vector(positions)
    found = [(where[i], value) for i, value in _sparse(handle).items() if i < len(where)]
    return SparseList.of([(i, value) for i, value in found if i >= 0], _sum)


@list_record(shape=lambda handle: TensorShape([None]), dtypes={"handle": VARIANTS}, result=int32)
def list_lengths(handle: Any) -> Array:
    """The size of the first axis of each element, a vector; 0 for an element that is not there."""
    return np.array([0 if item is None else len(item) for item in handle], np.int32)


def _joined_shape(handle: Operand, lengths: Operand, shape: Operand, *, element_dtype: DType) -> TensorShape:
    return TensorShape([None]).concatenate(shape_from(shape))


@list_record(
    shape=_joined_shape, dtypes={"handle": VARIANTS, "lengths": INTEGERS, "shape": INTEGERS}, result=_dtype,
)  # fmt: skip
def list_joined(handle: Any, lengths: Array, shape: Array, *, element_dtype: DType = float32) -> Array:
    """The elements one after the other; for one that is not there so many rows of zeros, each of this shape."""
    row = _vector(shape)
    gradient = _sparse(handle)
    items = [(gradient.get(i), size) for i, size in enumerate(_vector(lengths))]
    parts = [np.zeros((size, *row), element_dtype.numpy) if item is None else item for item, size in items]
    return np.concatenate(parts) if parts else np.zeros((0, *row), element_dtype.numpy)


# -- bundles: several values of any types in one handle -----------------------------------------------------------


@list_record(shape=lambda *values: TensorShape([]), dtypes={"values": EVERY}, result=variant, mixed=True, holds=True)
def bundle(*values: Any) -> ListValue:
    """One handle for values of any types: what a recursive function keeps for its gradient, whatever its depth."""
    return ListValue.of(values)


@list_record(
    shape=lambda handle, *, dtypes, shapes: shapes, result=lambda handle, *, dtypes, shapes: dtypes,
    dtypes={"handle": VARIANTS}, outputs=0,
)  # fmt: skip
def unbundle(handle: Any, *, dtypes: tuple[DType, ...] = (), shapes: tuple[TensorShape, ...] = ()) -> tuple[Any, ...]:
    """The values of a bundle. dtypes, shapes: what they are."""
    return tuple(handle)
