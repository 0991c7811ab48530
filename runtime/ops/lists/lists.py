"""Growing lists: `list_new`, `list_push`, `list_get`, `list_stack`, ... on handles of dtype variant.

    handle = list_new([1, 2], element_dtype=int32, element_shape=[])
    handle = list_push(handle, 3, element_dtype=int32, element_shape=[])
    list_stack(handle, element_dtype=int32, element_shape=[])                 # [1, 2, 3]

A handle is a value like any other: an operation makes a new one and leaves the old one as it is, so handles can be the
state of loops and the results of branches. Positions count as in Python, from the end where they are negative, and
one outside of the list raises IndexError. The attributes say what the elements are: `element_dtype` exactly,
`element_shape` as far as it is known; what does not keep to them is an InvalidArgumentError.
`runtime.control_flow.lists.tensor_list.TensorList` is the list that users see.

Each record's work is done by a function on `ListValue`s, which the engine calls without any boxing (`WORK`).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from runtime.dtypes import ANY, INTEGERS, VARIANTS, DType, float32, from_numpy, int32, variant
from runtime.errors import InvalidArgumentError
from runtime.ops.arrays.shape import cast
from runtime.ops.kernels.list_value import ListValue, boxed, unboxed
from runtime.ops.kernels.sparse_list import SparseList
from runtime.ops.records.raises import NOTHING, SHAPES, VALUES, Raises
from runtime.ops.records.record import Array, Op, Operand, op
from runtime.shapes import TensorShape

__all__ = ["WORK", "check_element", "element_shape_of_read", "handle_shape", "list_cast", "list_concat",
           "list_extend", "list_get", "list_insert", "list_length", "list_new", "list_pop",
           "list_push", "list_record", "list_rows", "list_set", "list_slice", "list_stack"]  # fmt: skip

SCALAR: Final = TensorShape([])
UNKNOWN: Final = TensorShape(None)

LISTS: Final = frozenset({ListValue, SparseList})
"""What the handle of a list holds."""

HELD: Final = LISTS | {dict}
"""What a handle in a list holds: a list, or what a `try` remembers."""

WORK: Final[dict[Op, Callable[..., Any]]] = {}
"""By the record: what does its work, on ListValues in the place of handles and arrays (or Python integers) else."""


def list_record(**fields: Any) -> Callable[[Callable[..., Any]], Op]:
    """`op` for a kernel that is written on ListValues, with boxes around it."""

    def decorate(work: Callable[..., Any]) -> Op:
        def kernel(*arrays: Array, **attributes: Any) -> Any:
            return _box(work(*map(_unbox, arrays), **attributes))

        kernel.__wrapped__ = work  # type: ignore[attr-defined]  # inspect.signature reads the parameters from here
        kernel.__name__, kernel.__doc__, kernel.__module__ = work.__name__, work.__doc__, work.__module__
        record = op(**fields)(kernel)
        WORK[record] = work
        return record

    return decorate


def _unbox(array: Array) -> Any:
    return unboxed(array) if array.dtype == variant.numpy else array


def _box(result: Any) -> Any:
    if type(result) is tuple:
        return tuple(map(_box, result))
    return boxed(result) if type(result) in LISTS else result


# -- what elements must be ----------------------------------------------------------------------------------------


def check_element(item: Array, element_dtype: DType, element_shape: TensorShape, what: str) -> Array:
    """The element, if it is what the attributes say; a list in a list is no array. Raises InvalidArgumentError."""
    dims = element_shape.dims
    if type(item) in HELD and element_dtype is variant:
        return item
    if item.dtype != element_dtype.numpy or (dims is not None and not _fits(item.shape, dims)):
        dtype = from_numpy(item.dtype)
        raise InvalidArgumentError(
            f"{what} is {dtype.name if dtype else item.dtype}{TensorShape(item.shape)}, but the elements of this list"
            f" are {element_dtype.name}{element_shape}"
        )
    return item


def _fits(shape: tuple[int, ...], dims: tuple[int | None, ...]) -> bool:
    return len(shape) == len(dims) and all(b is None or a == b for a, b in zip(shape, dims, strict=True))


def _same_elements(what: str, element: Operand, element_dtype: DType, element_shape: TensorShape) -> None:
    if element.dtype is not element_dtype or not element.shape.is_compatible_with(element_shape):
        raise InvalidArgumentError(
            f"{what}: the element is {element.dtype.name}{element.shape}, but the elements of this list are"
            f" {element_dtype.name}{element_shape}"
        )


def handle_shape(*operands: Operand, **attributes: Any) -> TensorShape:
    for operand in operands:
        if operand.dtype is variant and operand.shape.rank not in (0, None):
            raise ValueError("the handle of a list is a scalar")
    return SCALAR


def _with_elements(what: str, position: int) -> Callable[..., TensorShape]:
    """The shape rule of an operation that puts its operand number `position` into a list."""

    def rule(*operands: Operand, element_dtype: DType, element_shape: TensorShape) -> TensorShape:
        for element in operands[position:]:
            _same_elements(what, element, element_dtype, element_shape)
        return handle_shape(*operands)

    return rule


def _element_dtype(*operands: Operand, element_dtype: DType, element_shape: TensorShape) -> DType:
    return element_dtype


def element_shape_of_read(*operands: Operand, element_dtype: DType, element_shape: TensorShape) -> TensorShape:
    handle_shape(*operands)
    _scalar_index(operands[1])
    return element_shape


def _position(index: Any) -> int:
    try:
        return operator.index(index)
    except TypeError:
        raise InvalidArgumentError(f"a position in a list is a scalar; its shape is {np.shape(index)}") from None


def _scalar_index(index: Operand) -> None:
    if index.shape.rank not in (0, None):
        raise ValueError("a position in a list is a scalar")


# -- making and growing -------------------------------------------------------------------------------------------


@list_record(
    shape=_with_elements("list_new", 0), dtypes=ANY | VARIANTS, result=variant, mixed=True, holds=True, raises=NOTHING,
)  # fmt: skip
def list_new(*elements: Array, element_dtype: DType = float32, element_shape: TensorShape = UNKNOWN) -> ListValue:
    """A list of these elements, in the order in which they are given. Returns its handle."""
    return ListValue.of(check_element(e, element_dtype, element_shape, "list_new: an element") for e in elements)


@list_record(
    raises=NOTHING,
    shape=_with_elements("list_push", 1), dtypes={"handle": VARIANTS, "element": ANY | VARIANTS}, result=variant,
    holds=True,
)  # fmt: skip
def list_push(
    handle: Any, element: Array, *, element_dtype: DType = float32, element_shape: TensorShape = UNKNOWN
) -> Any:
    """The list with one more element at its end."""
    return handle.push(check_element(element, element_dtype, element_shape, "list_push: the element"))


def _rows_shape(handle: Operand, rows: Operand, *, element_dtype: DType, element_shape: TensorShape) -> TensorShape:
    if rows.shape.rank == 0:
        raise ValueError("a scalar has no rows")
    _same_elements("list_extend", Operand(rows.dtype, rows.shape[1:]), element_dtype, element_shape)
    return handle_shape(handle)


@list_record(shape=_rows_shape, dtypes={"handle": VARIANTS, "rows": ANY}, result=variant, holds=True)
def list_extend(
    handle: Any, rows: Array, *, element_dtype: DType = float32, element_shape: TensorShape = UNKNOWN
) -> Any:
    """The list with the rows of a tensor at its end."""
    if not rows.ndim:
        raise InvalidArgumentError("list_extend: a scalar has no rows")
    added = [rows[i, ...] for i in range(len(rows))]
    return handle.extend(check_element(row, element_dtype, element_shape, "list_extend: a row") for row in added)


@list_record(shape=handle_shape, dtypes={"handle": VARIANTS, "other": VARIANTS}, result=variant)
def list_concat(handle: Any, other: Any) -> Any:
    """The list with the elements of another one at its end."""
    return handle.extend(other)


@list_record(
    raises=Raises((*SHAPES, IndexError)),
    shape=lambda handle, index, element, **kinds: _with_elements("list_set", 1)(handle, element, **kinds),
    dtypes={"handle": VARIANTS, "index": INTEGERS, "element": ANY | VARIANTS}, result=variant, holds=True,
)  # fmt: skip
def list_set(
    handle: Any, index: Any, element: Array, *, element_dtype: DType = float32, element_shape: TensorShape = UNKNOWN
) -> Any:
    """The list with another element at a position. index: integer scalar. Raises IndexError."""
    return handle.set(_position(index), check_element(element, element_dtype, element_shape, "list_set: the element"))


@list_record(
    raises=Raises((*SHAPES, IndexError)),
    shape=lambda handle, index, element, **kinds: _with_elements("list_insert", 1)(handle, element, **kinds),
    dtypes={"handle": VARIANTS, "index": INTEGERS, "element": ANY | VARIANTS}, result=variant, holds=True,
)  # fmt: skip
def list_insert(
    handle: Any, index: Any, element: Array, *, element_dtype: DType = float32, element_shape: TensorShape = UNKNOWN
) -> Any:
    """The list with one more element before a position; one outside of the list counts as its begin or end."""
    checked = check_element(element, element_dtype, element_shape, "list_insert: the element")
    return handle.insert(_position(index), checked)


# -- reading ------------------------------------------------------------------------------------------------------


@list_record(shape=handle_shape, dtypes={"handle": VARIANTS}, result=int32, raises=NOTHING)
def list_length(handle: Any) -> Any:
    """How many elements the list has, an int32 scalar."""
    return len(handle)


@list_record(
    raises=Raises((*SHAPES, IndexError)),
    shape=element_shape_of_read, dtypes={"handle": VARIANTS, "index": INTEGERS}, result=_element_dtype,
)
def list_get(handle: Any, index: Any, *, element_dtype: DType = float32, element_shape: TensorShape = UNKNOWN) -> Any:
    """The element at a position. index: integer scalar. Raises IndexError."""
    return check_element(handle.get(_position(index)), element_dtype, element_shape, "list_get: the element")


@list_record(
    raises=Raises((*SHAPES, IndexError)),
    shape=lambda handle, index, **kinds: (SCALAR, element_shape_of_read(handle, index, **kinds)),
    dtypes={"handle": VARIANTS, "index": INTEGERS},
    result=lambda *operands, element_dtype, element_shape: (variant, element_dtype), outputs=2,
)  # fmt: skip
def list_pop(handle: Any, index: Any, *, element_dtype: DType = float32, element_shape: TensorShape = UNKNOWN) -> Any:
    """The list without the element at a position, and that element. index: integer scalar, -1 for the last."""
    rest, element = handle.pop(_position(index))
    return rest, check_element(element, element_dtype, element_shape, "list_pop: the element")


def _slice_shape(handle: Operand, start: Operand, stop: Operand, step: Operand, **given: bool) -> TensorShape:
    for bound in (start, stop, step):
        _scalar_index(bound)
    return handle_shape(handle)


@list_record(
    shape=_slice_shape, dtypes={"handle": VARIANTS, ("start", "stop", "step"): INTEGERS}, result=variant,
)  # fmt: skip
def list_slice(handle: Any, start: Any, stop: Any, step: Any, *, has_start: bool = True, has_stop: bool = True) -> Any:
    """The list `handle[start:stop:step]`. has_start, has_stop: False where that bound is left out."""
    if not _position(step):
        raise InvalidArgumentError("list_slice: slice step cannot be zero")
    bounds = slice(_position(start) if has_start else None, _position(stop) if has_stop else None, _position(step))
    return ListValue.of(list(handle)[bounds])


@list_record(
    raises=VALUES,
    shape=lambda handle, *, element_dtype, element_shape: TensorShape([None]).concatenate(element_shape),
    dtypes={"handle": VARIANTS}, result=_element_dtype,
)  # fmt: skip
def list_stack(handle: Any, *, element_dtype: DType = float32, element_shape: TensorShape = UNKNOWN) -> Any:
    """The elements as one tensor with a new first axis. They must have one shape.

    An empty list gives shape [0, ...] where the shape of the elements is known, else it raises InvalidArgumentError.
    """
    items = list(handle)
    if not items:
        if not element_shape.is_fully_defined():
            raise InvalidArgumentError(
                f"list_stack: the list is empty, and the shape of its elements is not known ({element_shape}); say it"
                " with runtime.autograph.set_element_type(list, dtype, shape)"
            )
        return np.empty((0, *element_shape.as_tuple()), element_dtype.numpy)
    dtype, shape = items[0].dtype, items[0].shape
    check_element(items[0], element_dtype, element_shape, "list_stack: an element")
    for number, item in enumerate(items):
        if item.dtype is not dtype:
            check_element(item, element_dtype, element_shape, "list_stack: an element")
        if item.shape != shape:
            raise InvalidArgumentError(
                f"list_stack: element 0 has shape {TensorShape(shape)}, element {number} {TensorShape(item.shape)};"
                " the elements of a list that is stacked must have one shape"
            )
    stacked = np.empty((len(items), *shape), element_dtype.numpy)
    if shape:
        np.stack(items, out=stacked)
    else:
        stacked[:] = [item.item() for item in items]
    return stacked


@list_record(
    shape=handle_shape, dtypes={"handle": VARIANTS}, result=variant,
)  # fmt: skip
def list_cast(handle: Any, *, element_dtype: DType = float32) -> Any:
    """The list, and lists in it, with elements in another dtype: what Python literals take on beside tensors."""
    made: ListValue = _cast(handle, element_dtype)
    return made


def _cast(item: Any, dtype: DType) -> Any:
    if type(item) is ListValue:
        return ListValue.of(_cast(x, dtype) for x in item)
    return cast.kernel(np.asarray(item), dtype=dtype, exact=dtype.is_integer)


@list_record(shape=handle_shape, dtypes={"handles": VARIANTS}, result=variant)
def list_rows(*handles: Any) -> ListValue:
    """Of lists of one length: the list of the lists of what they have at each position."""
    rows: Iterator[Any] = (ListValue.of(row) for row in zip(*handles, strict=True))
    return ListValue.of(rows)
