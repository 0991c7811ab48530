"""Variables in graphs: `read_variable`, `assign_variable`, ... on handles of dtype resource.

    %w = read_variable(%weights) {dtype=float32, shape=shape[3]} : float32[3]
    assign_sub_variable(%weights, %step) {shape=shape[3]}
    setitem_variable(%weights, %one, %i) {shape=shape[3], spec=("at",)}

A handle is an input of a graph, never computed. The operations on one handle keep their order; a read may be dropped,
and reads with no write in between are one (`runtime.graph.effects` tells which operations touch which handles).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from runtime.dtypes import ANY, NARROW, NUMERIC, RESOURCES, DType
from runtime.errors import InvalidArgumentError, ShapeMismatchError
from runtime.ops.arrays.index import INDICES
from runtime.ops.arrays.item_update import updated_shape, write_item
from runtime.ops.arrays.shape import INDEXES
from runtime.ops.kernels.resource import Resource, checked_indices
from runtime.ops.records.raises import PLACES, SHAPES, VALUES, Raises
from runtime.ops.records.record import Array, Op, Operand, op
from runtime.shapes import TensorShape

__all__ = [
    "READS", "SCATTERS", "UPDATES", "WRITES", "advance_variable", "assign_add_variable", "assign_sub_variable",
    "assign_variable", "read_variable", "scatter_nd_variable", "scatter_variable", "setitem_variable",
]  # fmt: skip


@op(
    shape=lambda resource, *, dtype, shape: shape,
    result=lambda resource, *, dtype, shape: dtype,
    dtypes={"resource": RESOURCES},
)
def read_variable(resource: Any, *, dtype: DType, shape: TensorShape) -> Array:
    """The value that a variable has now. resource: its handle; dtype, shape: what is known of all its values."""
    memory: Resource = resource
    return memory.read()


def _fits(resource: Operand, value: Operand, *, shape: TensorShape) -> tuple[TensorShape, ...]:
    if not shape.is_compatible_with(value.shape):
        raise ValueError(f"the variable has the shape {shape}, the value has the shape {value.shape}")
    return ()


def _no_dtypes(*operands: Operand, **attributes: Any) -> tuple[DType, ...]:
    return ()


def _misfits(operands: Sequence[Any], attributes: Mapping[str, Any]) -> tuple[type[BaseException], ...]:
    """What comes if the value has another shape, unless that was checked while the graph was built."""
    shapes = [attributes["shape"], *(t.shape for t in operands)]
    return () if all(shape.is_fully_defined() for shape in shapes) else SHAPES


_OF_SHAPES: Final = Raises((), rule=_misfits)


def _write(raises: Raises = _OF_SHAPES, **fields: Any) -> Callable[[Callable[..., Any]], Op]:
    return op(result=_no_dtypes, outputs=0, stateful=True, raises=raises, **fields)


@_write(shape=_fits, dtypes={"resource": RESOURCES, "value": ANY})
def assign_variable(resource: Any, value: Array, *, shape: TensorShape) -> tuple[()]:
    """Gives a variable a new value. value: of the variable's dtype and shape. It has no result."""
    resource.assign(value)
    return ()


@_write(shape=_fits, dtypes={"resource": RESOURCES, "value": NUMERIC})
def assign_add_variable(resource: Any, value: Array, *, shape: TensorShape) -> tuple[()]:
    """Adds to a variable, in place. value: of the variable's dtype and shape. It has no result."""
    resource.update(np.add, value)
    return ()


@_write(shape=_fits, dtypes={"resource": RESOURCES, "value": NUMERIC})
def assign_sub_variable(resource: Any, value: Array, *, shape: TensorShape) -> tuple[()]:
    """Subtracts from a variable, in place. value: of the variable's dtype and shape. It has no result."""
    resource.update(np.subtract, value)
    return ()


@op(
    shape=lambda resource, value, *, dtype, shape: shape,
    result=lambda resource, value, *, dtype, shape: dtype,
    dtypes={"resource": RESOURCES, "value": NUMERIC}, stateful=True, raises=_OF_SHAPES,
)  # fmt: skip
def advance_variable(resource: Any, value: Array, *, dtype: DType, shape: TensorShape) -> Array:
    """Adds to a variable and returns its value before, in one step. resource: its handle; value: of the variable's
    dtype and shape; dtype, shape: what is known of all its values."""
    memory: Resource = resource
    return memory.advance(value)


# -- parts of variables -------------------------------------------------------------------------------------------


def _put(array: Array, index: Any, values: Array) -> None:
    array[index] = values


def _one_by_one(ufunc: np.ufunc) -> Callable[[Array, Any, Array], None]:
    def change(array: Array, index: Any, values: Array) -> None:
        if NARROW and array.dtype in NARROW:  # many values at one position are rounded once
            wide = array.astype(np.float32)
            ufunc.at(wide, index, values.astype(np.float32))
            array[...] = wide
        else:
            ufunc.at(array, index, values)

    return change


SCATTERS: Final[dict[str, Callable[[Array, Any, Array], None]]] = {
    "update": _put,
    "add": _one_by_one(np.add),
    "sub": _one_by_one(np.subtract),
    "mul": _one_by_one(np.multiply),
    "div": _one_by_one(np.divide),
    "min": _one_by_one(np.minimum),
    "max": _one_by_one(np.maximum),
}
"""What can be done with the parts of a variable at some positions; a position may come more than once."""


def _rows_shape(resource: Operand, indices: Operand, values: Operand, *, shape: TensorShape, how: str) -> tuple[()]:
    _check_how(how)
    if shape.rank == 0:
        raise ValueError("a scalar variable has no rows")
    if shape.dims is not None and indices.shape.dims is not None and values.shape.rank != 0:
        wanted = TensorShape([*indices.shape.dims, *shape.dims[1:]])
        if not wanted.is_compatible_with(values.shape):
            raise ValueError(
                f"for indices of shape {indices.shape} and a variable of shape {shape} the values must have the shape"
                f" {wanted} (or be a scalar); they have {values.shape}"
            )
    return ()


def _check_how(how: str) -> None:
    if how not in SCATTERS:
        raise InvalidArgumentError(f"how must be one of {', '.join(SCATTERS)}; got {how!r}")


_SCATTERED: Final = {"resource": RESOURCES, "indices": INDEXES, "values": ANY}


@_write(shape=_rows_shape, dtypes=_SCATTERED, raises=VALUES)
def scatter_variable(resource: Any, indices: Array, values: Array, *, shape: TensorShape, how: str) -> tuple[()]:
    """Changes rows of a variable: row indices[i] by values[i]. indices: integers of any shape; values: of the
    variable's dtype, for each index a row, or one scalar. how: a word in `SCATTERS`. It has no result."""

    def change(array: Array) -> None:
        wanted = (*indices.shape, *array.shape[1:])
        if values.ndim and values.shape != wanted:
            raise ShapeMismatchError(
                f"the variable {resource.name!r}: the values must have the shape {TensorShape(wanted)}; they have"
                f" {TensorShape(values.shape)}"
            )
        SCATTERS[how](array, checked_indices(indices, len(array), resource.name), values)

    resource.change(change)
    return ()


def _parts_shape(resource: Operand, indices: Operand, values: Operand, *, shape: TensorShape, how: str) -> tuple[()]:
    _check_how(how)
    if indices.shape.rank == 0:
        raise ValueError("indices must have a last axis: the positions within the variable")
    return ()


@_write(shape=_parts_shape, dtypes=_SCATTERED, raises=VALUES)
def scatter_nd_variable(resource: Any, indices: Array, values: Array, *, shape: TensorShape, how: str) -> tuple[()]:
    """Changes parts of a variable: the part at indices[i] by values[i]. indices: integers, the last axis holds one
    position in each of the first axes of the variable; values: for each index the part's value. It has no result."""

    def change(array: Array) -> None:
        depth = indices.shape[-1]
        wanted = (*indices.shape[:-1], *array.shape[depth:])
        if depth > array.ndim or values.shape != wanted:
            raise ShapeMismatchError(
                f"the variable {resource.name!r} of shape {TensorShape(array.shape)}: for indices of shape"
                f" {TensorShape(indices.shape)} the values must have the shape {TensorShape(wanted)}; they have"
                f" {TensorShape(values.shape)}"
            )
        places = [checked_indices(indices[..., i], array.shape[i], resource.name) for i in range(depth)]
        SCATTERS[how](array, tuple(places), values)

    resource.change(change)
    return ()


def _place_shape(
    resource: Operand, value: Operand, *indices: Operand, shape: TensorShape, spec: tuple[Any, ...]
) -> tuple[()]:
    updated_shape(Operand(value.dtype, shape), value, *indices, spec=spec)
    return ()


@_write(
    raises=PLACES,
    shape=_place_shape, dtypes={"resource": RESOURCES, "value": ANY, "indices": INDICES}, mixed=True,
)
def setitem_variable(
    resource: Any, value: Array, *indices: Array, shape: TensorShape, spec: tuple[Any, ...]
) -> tuple[()]:
    """Sets the elements of a variable at one place. value: of the variable's dtype, broadcast to the place; `spec` and
    `indices` say the place, as for `getitem`. It has no result."""
    resource.change(lambda array: write_item(array, value, *indices, spec=spec))
    return ()


READS: Final = frozenset({read_variable})
"""Operations that read what their handle stands for."""

WRITES: Final = frozenset(
    {
        assign_variable, assign_add_variable, assign_sub_variable, advance_variable, scatter_variable,
        scatter_nd_variable, setitem_variable,
    }
)  # fmt: skip
"""Operations that change what their handle stands for."""

UPDATES: Final = {assign_add_variable: np.add, assign_sub_variable: np.subtract}
"""Operations that are one ufunc on the memory of a variable."""
