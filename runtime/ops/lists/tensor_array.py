"""Arrays of tensors with a size, whose elements are written and read by position: the work behind `TensorArray`.

    handle = array_new(3, element_dtype=float32)
    handle = array_write(handle, 0, [1.0, 2.0], element_dtype=float32, element_shape=[2])
    array_stack(handle, element_dtype=float32, element_shape=[2])        # rows that are not written are zeros

A handle is a growing list (`runtime.ops.lists.lists`) in which elements that are not written yet are None. Positions
count from 0; others raise OutOfRangeError.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from runtime.dtypes import ANY, INTEGERS, VARIANTS, DType, float32, variant
from runtime.errors import InvalidArgumentError, OutOfRangeError
from runtime.ops.kernels.list_value import ListValue
from runtime.ops.lists.lists import check_element, element_shape_of_read, handle_shape, list_record
from runtime.ops.records.raises import PLACES, VALUES
from runtime.ops.records.record import Array, Operand
from runtime.shapes import TensorShape

__all__ = ["array_concat", "array_gather", "array_new", "array_read", "array_scatter", "array_split", "array_stack",
           "array_write"]  # fmt: skip

UNKNOWN: Final = TensorShape(None)


def _new_shape(size: Operand, **kinds: Any) -> TensorShape:
    if size.shape.rank not in (0, None):
        raise ValueError("the size of a TensorArray is a scalar")
    return TensorShape([])


@list_record(raises=VALUES, shape=_new_shape, dtypes={"size": INTEGERS}, result=variant)
def array_new(size: Array) -> ListValue:
    """An array of this size, nothing written. size: integer scalar, not negative. Returns its handle."""
    count = _integer(size, "the size of a TensorArray")
    if count < 0:
        raise InvalidArgumentError(f"array_new: the size of a TensorArray is not negative; got {count}")
    return ListValue.of([None] * count)


def _integer(value: Any, what: str) -> int:
    if np.ndim(value):
        raise InvalidArgumentError(f"{what} is a scalar; its shape is {np.shape(value)}")
    return int(value)


def _write_shape(handle: Operand, index: Operand, element: Operand, *, dynamic_size: bool, **kinds: Any) -> TensorShape:
    _check_static("array_write", element.dtype, element.shape, **kinds)
    return handle_shape(handle)


def _check_static(
    what: str, dtype: DType, shape: TensorShape, *, element_dtype: DType, element_shape: TensorShape
) -> None:
    if dtype is not element_dtype or not shape.is_compatible_with(element_shape):
        raise InvalidArgumentError(
            f"{what}: the element is {dtype.name}{shape}, but the elements of this TensorArray are"
            f" {element_dtype.name}{element_shape}"
        )


@list_record(
    raises=PLACES,
    shape=_write_shape, dtypes={"handle": VARIANTS, "index": INTEGERS, "element": ANY}, result=variant, holds=True,
)  # fmt: skip
def array_write(
    handle: Any,
    index: Any,
    element: Array,
    *,
    dynamic_size: bool = False,
    element_dtype: DType = float32,
    element_shape: TensorShape = UNKNOWN,
) -> Any:
    """The array with an element at a position; with `dynamic_size` it grows as far as needed. index: integer scalar."""
    checked = check_element(element, element_dtype, element_shape, "array_write: the element")
    return _written(handle, _integer(index, "a position"), checked, dynamic_size)


def _written(handle: Any, position: int, element: Array, dynamic_size: bool) -> Any:
    size = len(handle)
    if position < 0 or (position >= size and not dynamic_size):
        raise OutOfRangeError(
            f"array_write: tried to write to index {position}, but the TensorArray has size {size}"
            + ("" if position < 0 else " and is not resizeable (dynamic_size=True lets it grow)")
        )
    if position < size:
        return handle.set(position, element)
    return handle.extend([None] * (position - size)).push(element)


@list_record(
    raises=PLACES,
    shape=element_shape_of_read, dtypes={"handle": VARIANTS, "index": INTEGERS},
    result=lambda *operands, element_dtype, element_shape: element_dtype,
)  # fmt: skip
def array_read(handle: Any, index: Any, *, element_dtype: DType = float32, element_shape: TensorShape = UNKNOWN) -> Any:
    """The element at a position; zeros if nothing is written there and the shape is known. index: integer scalar."""
    return _read(handle, _integer(index, "a position"), element_dtype, element_shape)


def _read(handle: Any, position: int, element_dtype: DType, element_shape: TensorShape) -> Array:
    if not 0 <= position < len(handle):
        raise OutOfRangeError(
            f"array_read: tried to read from index {position}, but the TensorArray has size {len(handle)}"
        )
    item = handle.get(position)
    if item is not None:
        return check_element(item, element_dtype, element_shape, "array_read: the element")
    return _zeros(element_dtype, element_shape, f"element {position} is")


def _zeros(element_dtype: DType, element_shape: TensorShape, which: str) -> Array:
    if not element_shape.is_fully_defined():
        raise InvalidArgumentError(
            f"{which} not written, and the shape of the elements is not known ({element_shape}), so that zeros cannot"
            " stand for it; write it first, or give element_shape"
        )
    zero = b"" if element_dtype.family == "string" else 0
    return np.full(element_shape.as_tuple(), zero, element_dtype.numpy)


def _rows(handle: Any, positions: Any, element_dtype: DType, element_shape: TensorShape) -> list[Array]:
    """The elements, all of one shape; zeros for those that are not written."""
    size = len(handle)
    items = [handle.get(i) if 0 <= i < size else _read(handle, i, element_dtype, element_shape) for i in positions]
    written = next((item for item in items if item is not None), None)
    shape = element_shape if written is None else TensorShape(written.shape)
    rows = [
        _zeros(element_dtype, shape, f"element {i} is") if item is None else item
        for i, item in zip(positions, items, strict=True)
    ]
    for i, row in zip(positions, rows, strict=True):
        check_element(row, element_dtype, element_shape, f"element {i}")
        if row.shape != rows[0].shape:
            raise InvalidArgumentError(
                f"element {i} has shape {TensorShape(row.shape)}, element {positions[0]} {TensorShape(rows[0].shape)};"
                " elements that are put together must have one shape"
            )
    return rows


def _stacked(rows: list[Array], element_dtype: DType, element_shape: TensorShape) -> Array:
    shape = rows[0].shape if rows else _zeros(element_dtype, element_shape, "there is no element: it is").shape
    stacked = np.empty((len(rows), *shape), element_dtype.numpy)
    for i, row in enumerate(rows):
        stacked[i] = row[()] if not shape else row
    return stacked


_of_elements: Final[dict[str, Any]] = {
    "shape": lambda handle, *more, element_dtype, element_shape: TensorShape([None]).concatenate(element_shape),
    "result": lambda *operands, element_dtype, element_shape: element_dtype,
}


@list_record(raises=VALUES, dtypes={"handle": VARIANTS}, **_of_elements)
def array_stack(handle: Any, *, element_dtype: DType = float32, element_shape: TensorShape = UNKNOWN) -> Array:
    """All elements as one tensor with a new first axis; zeros for what is not written. They must have one shape."""
    return _stacked(_rows(handle, range(len(handle)), element_dtype, element_shape), element_dtype, element_shape)


@list_record(raises=PLACES, dtypes={"handle": VARIANTS, "positions": INTEGERS}, **_of_elements)
def array_gather(
    handle: Any, positions: Array, *, element_dtype: DType = float32, element_shape: TensorShape = UNKNOWN
) -> Array:
    """The elements at these positions as one tensor with a new first axis. positions: vector of integers."""
    rows = _rows(handle, _vector(positions), element_dtype, element_shape)
    return _stacked(rows, element_dtype, element_shape)


def _vector(positions: Array) -> list[int]:
    if np.ndim(positions) != 1:
        raise InvalidArgumentError(f"positions in a TensorArray are a vector; the shape is {np.shape(positions)}")
    return [int(i) for i in positions]


def _concat_shape(handle: Operand, *, element_dtype: DType, element_shape: TensorShape) -> TensorShape:
    if element_shape.rank == 0:
        raise ValueError("elements that are scalars cannot be concatenated; stack them")
    return UNKNOWN if element_shape.rank is None else TensorShape([None]).concatenate(element_shape[1:])


@list_record(
    raises=VALUES,
    shape=_concat_shape, dtypes={"handle": VARIANTS},
    result=lambda *operands, element_dtype, element_shape: element_dtype,
)  # fmt: skip
def array_concat(handle: Any, *, element_dtype: DType = float32, element_shape: TensorShape = UNKNOWN) -> Array:
    """All elements one after the other along their first axis. All must be written and agree in the other axes."""
    items = [_read(handle, i, element_dtype, element_shape) for i in range(len(handle))]
    if not items:
        nothing = TensorShape([0]).concatenate(element_shape[1:]) if element_shape.rank else element_shape
        return _zeros(element_dtype, nothing, "there is no element: it is")[:0]
    if any(not item.ndim or item.shape[1:] != items[0].shape[1:] for item in items):
        shapes = ", ".join(str(TensorShape(item.shape)) for item in items)
        raise InvalidArgumentError(f"array_concat: the elements differ in more than the first axis: {shapes}")
    return np.concatenate(items)


def _scatter_shape(
    handle: Operand, positions: Operand, rows: Operand, *, dynamic_size: bool, **kinds: Any
) -> TensorShape:
    if rows.shape.rank == 0:
        raise ValueError("a scalar has no rows")
    _check_static("array_scatter", rows.dtype, rows.shape[1:], **kinds)
    return handle_shape(handle)


@list_record(
    raises=PLACES,
    shape=_scatter_shape, dtypes={"handle": VARIANTS, "positions": INTEGERS, "rows": ANY}, result=variant, holds=True,
)  # fmt: skip
def array_scatter(
    handle: Any,
    positions: Array,
    rows: Array,
    *,
    dynamic_size: bool = False,
    element_dtype: DType = float32,
    element_shape: TensorShape = UNKNOWN,
) -> Any:
    """The array with row i of `rows` at positions[i]. positions: vector of integers."""
    where = _vector(positions)
    if not np.ndim(rows) or len(rows) != len(where):
        raise InvalidArgumentError(
            f"array_scatter: {len(where)} positions need so many rows; the shape is {np.shape(rows)}"
        )
    for i, position in enumerate(where):
        row = check_element(rows[i, ...], element_dtype, element_shape, "array_scatter: a row")
        handle = _written(handle, position, row, dynamic_size)
    return handle


def _split_shape(handle: Operand, rows: Operand, lengths: Operand, **kinds: Any) -> TensorShape:
    if rows.shape.rank == 0:
        raise ValueError("a scalar has no rows")
    return handle_shape(handle)


@list_record(
    raises=PLACES,
    shape=_split_shape, dtypes={"handle": VARIANTS, "rows": ANY, "lengths": INTEGERS}, result=variant, holds=True,
)  # fmt: skip
def array_split(
    handle: Any,
    rows: Array,
    lengths: Array,
    *,
    dynamic_size: bool = False,
    element_dtype: DType = float32,
    element_shape: TensorShape = UNKNOWN,
) -> Any:
    """The array with `rows` cut into pieces of these lengths as its elements. lengths: vector of integers."""
    sizes = _vector(lengths)
    if min(sizes, default=0) < 0 or sum(sizes) != len(rows):
        raise InvalidArgumentError(f"array_split: pieces of lengths {sizes} do not make {len(rows)} rows")
    start = 0
    for i, size in enumerate(sizes):
        piece = check_element(rows[start : start + size], element_dtype, element_shape, "array_split: a piece")
        handle = _written(handle, i, piece, dynamic_size)
        start += size
    return handle
