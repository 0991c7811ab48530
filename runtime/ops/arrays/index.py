"""Elements by position: x[...], gather, boolean_mask, reverse, roll.

>>> runtime.gather(runtime.constant([10, 20, 30]), [2, 0])
<tf.Tensor: shape=(2,), dtype=int32, numpy=array([30, 10], dtype=int32)>

`x[i]` outside of the shape raises OutOfRangeError, `x[lo:hi]` is clamped, `gather` takes no negative positions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.array_errors import AxisError, IndexShapeError
from runtime.dtypes import ANY, BOOLS, INTEGERS, int64
from runtime.errors import DtypeMismatchError, InvalidArgumentError, OutOfRangeError, ShapeMismatchError
from runtime.ops.arrays.shape import INDEXES
from runtime.ops.kernels.index_spec import ARRAY, AT, filled, item_shape, numpy_index, shown, used_axes
from runtime.ops.kernels.values import elements
from runtime.ops.records.gradients import ops, zeros_for
from runtime.ops.records.raises import PLACES, SHAPES, VALUES, Raises
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, calls, each
from runtime.ops.records.shape_rules import known_parts, normalized_axes, normalized_axis
from runtime.shapes import TensorShape

__all__ = ["boolean_mask", "gather", "getitem", "reverse", "roll", "wrong_index"]


def _item_parts(x: Operand, *indices: Operand, spec: tuple[Any, ...]) -> tuple[int | None, ...] | None:
    """Of a vector of which only some elements are known: `shape(x)[1:]` and `shape(x)[-1]`."""
    known = known_parts(x)
    if x.shape.rank != 1 or known is None or indices or len(spec) != 1:
        return None
    if isinstance(spec[0], int):
        return (known[spec[0]],)
    return known[slice(*spec[0])] if isinstance(spec[0], tuple) else None


def _scalar(value: int) -> Array:
    return np.array(value, np.int32)


COLON = (None, None, None)
INDICES = INTEGERS | BOOLS


@op(
    numpy_view=True, of_text=True,
    raises=Raises(PLACES.kinds, indices=1),
    shape=item_shape, dtypes={"x": ANY, "indices": INDICES}, mixed=True, view=True, static_parts=_item_parts,
    samples=calls(lambda x: [
        ((x(4),), {"spec": (1,)}), ((x(4),), {"spec": (-1,)}), ((x(2, 3),), {"spec": (1,)}),
        ((x(2, 3),), {"spec": ((None, None, -1), 2)}), ((x(5),), {"spec": ((1, 9, 2),)}),
        ((x(2, 3, 4),), {"spec": ("...", 0)}), ((x(2, 3),), {"spec": (None, COLON, None, (-2, None, None))}),
        ((x(),), {"spec": ()}), ((x(),), {"spec": (None, "...")}), ((x(0),), {"spec": ((None, None, 2),)}),
        ((x(2, 3).T, _scalar(2)), {"spec": (AT,)}), ((x(5), _scalar(1), _scalar(4)), {"spec": ((AT, AT, None),)}),
        ((x(2, 3), _scalar(0), _scalar(-1)), {"spec": (AT, "...", AT)}), ((x(3),), {"spec": (COLON,)}),
        ((x(4), _positions(-1, 0, 2)), {"spec": (ARRAY,)}), ((x(2, 3), _positions([0], [1])), {"spec": (COLON, ARRAY)}),
        ((x(2, 3, 4), _positions(1, 0), _positions(2, 2)), {"spec": (ARRAY, COLON, ARRAY)}),
        ((x(2, 3, 4), _positions(1, 0), _scalar(2)), {"spec": (COLON, ARRAY, AT)}),
        ((x(3, 2), _mask(True, False, True)), {"spec": (ARRAY, 1)}), ((x(0), _positions()), {"spec": (ARRAY,)}),
    ]),
    reference=lambda x, *indices, spec: x[
        tuple(slice(*e) if isinstance(e, tuple) else ... if str(e) == "..." else e for e in filled(spec, indices))
    ],
    errors=[Failure((np.ones(2, np.float32),), OutOfRangeError, ("5", "(2,)"), {"spec": (5,)}),
            Failure((np.ones(2, np.float32), [5]), OutOfRangeError, ("5", "(2,)"), {"spec": (AT,)}),
            Failure((np.ones(2, np.float32),), IndexShapeError, ("too many", "(2,)"), {"spec": (0, 0)}),
            Failure((np.ones((2, 3), np.float32), [[0], [2]]), ShapeMismatchError, ("scalar",), {"spec": (ARRAY, AT)}),
            Failure((np.ones(2, np.float32), [[0, 2]]), OutOfRangeError, ("2", "(2,)"), {"spec": (ARRAY,)}),
            Failure((np.ones(2, np.float32), [[True]]), IndexShapeError, ("mask", "(1,)"), {"spec": (ARRAY,)}),
            Failure((np.ones(2, np.float32),), InvalidArgumentError, ("step",), {"spec": ((None, None, 0),)})],
)  # fmt: skip
def getitem(x: Array, *indices: Array, spec: tuple[Any, ...]) -> Any:
    """x[...] by numpy's rules. x: any tensor; what `spec` holds, for each part of the index:

    an integer, (start, stop, step) of a slice, None (a new axis), "..."; "at" (also in a slice) stands for the next of
    `indices`, an integer scalar; "array" for one that holds positions or a mask. An index outside of the shape raises
    OutOfRangeError; slices are clamped.
    """
    array = elements(x)
    key = numpy_index(spec, indices)
    try:
        return array[key]
    except IndexError as error:
        raise wrong_index("getitem", key, array, error) from None
    except ValueError:
        raise InvalidArgumentError(f"getitem: the step of a slice must not be 0; the index is {shown(key)}") from None


@getitem.gradient
def _(upstream: Any, x: Any, indices: Any, spec: Any) -> Any:
    return ops.add_item(zeros_for(x), upstream, indices, spec=spec), [None] * len(indices)


def wrong_index(what: str, key: tuple[Any, ...], array: Array, error: IndexError) -> Exception:
    """The error for an index that numpy refuses."""
    where = f"{what}: the index {shown(key)} is out of range for the shape {array.shape}"
    if sum(used_axes(e) or 0 for e in key if e is not ...) > array.ndim:
        return IndexShapeError(where.replace("out of range", "too many indices"))
    if _is_out_of_range(key, array.shape):
        return OutOfRangeError(where)
    return IndexShapeError(f"{what}: the index {shown(key)} does not fit the shape {array.shape}: {error}")


def _is_out_of_range(key: tuple[Any, ...], shape: tuple[int, ...]) -> bool:
    """Whether a position is outside of its axis. key: of no more axes than the shape has."""
    used = [0 if entry is ... else used_axes(entry) or 0 for entry in key]
    positions: list[tuple[Any, int]] = []
    masks = True
    axis = 0
    for entry, count in zip(key, used, strict=True):
        if entry is ...:
            axis += len(shape) - sum(used)
        elif np.asarray(entry).dtype == np.bool_:
            masks = masks and np.shape(entry) in (shape[axis : axis + count], (0,))
            positions += zip(np.nonzero(entry), shape[axis:], strict=False)
        elif count == 1 and not isinstance(entry, slice):
            positions.append((np.asarray(entry), shape[axis]))
        axis += count
    if not masks:  # numpy does not come to look at the positions
        return False
    try:
        np.broadcast_shapes(*(array.shape for array, _ in positions))
    except ValueError:
        positions = [(array, size) for array, size in positions if not array.ndim]
    return any(bool(((array < -size) | (array >= size)).any()) for array, size in positions)


def _gathered(params: Operand, indices: Operand, axis: int | None) -> TensorShape:
    dims = params.shape.dims
    if dims is None:
        return TensorShape(None)
    place = normalized_axis(axis or 0, len(dims))
    return TensorShape(dims[:place]).concatenate(indices.shape).concatenate(dims[place + 1 :])


def _positions(*items: Any) -> Array:
    return np.array(items, np.int32)


def _gather_reference(params: Array, indices: Array, axis: int = 0) -> Array:
    moved = np.moveaxis(params, axis, 0)
    rows = np.empty((*indices.shape, *moved.shape[1:]), object)
    for index in np.ndindex(indices.shape):
        rows[index] = moved[int(indices[index])]
    place = axis % params.ndim
    order = [*range(indices.ndim, indices.ndim + place), *range(indices.ndim), *range(indices.ndim + place, rows.ndim)]
    return rows.transpose(order)


@op(
    raises=VALUES,
    shape=_gathered, dtypes={"params": ANY, "indices": INTEGERS}, of_text=True,
    samples=calls(lambda x: [((x(4), _positions(2, 0, 2)), {}), ((x(4), np.array(1, np.int64)), {}),
                             ((x(2, 3), _positions(1, 0)), {"axis": 0}), ((x(2, 3), _positions(2, 1)), {"axis": -1}),
                             ((x(3, 2).T, _positions([0, 1], [2, 2])), {"axis": 1}),
                             ((x(4), np.zeros(0, np.int32)), {}), ((x(2, 3, 4), _positions([0, 1])), {"axis": 1})]),
    reference=_gather_reference,
    errors=[Failure((np.ones(3, np.float32), [0, 3]), InvalidArgumentError, ("indices[1] = 3", "[0, 3)")),
            Failure((np.ones(3, np.float32), -1), InvalidArgumentError, ("-1", "[0, 3)")),
            Failure((np.ones(3, np.float32), [0.5]), DtypeMismatchError, ("indices", "float32")),
            Failure((np.ones(3, np.float32), [0], 1), AxisError, ("axis 1", "(3,)"))],
)  # fmt: skip
def gather(params: Array, indices: Array, axis: int | None = 0) -> Any:
    """The slices of params at `indices` along an axis; the shape of indices replaces that axis.

    indices: integers >= 0 of any shape. One that is out of range (negative ones are) raises InvalidArgumentError.
    """
    params, indices = elements(params), elements(indices)
    axis = normalized_axis(axis or 0, params.ndim)
    size = params.shape[axis]
    try:
        if not np.less(indices, 0).any():
            return params.take(indices, axis)
    except IndexError:
        pass
    place = tuple(np.argwhere((indices < 0) | (indices >= size))[0].tolist())
    label = f"indices{list(place) if place else ''}"
    raise InvalidArgumentError(f"gather: {label} = {indices[place]} is not in [0, {size})")


@gather.gradient
def _(upstream: Any, params: Any, indices: Any, axis: int | None) -> Any:
    """Dense: rows that were taken more than once add up."""
    if not axis:
        rows = params.shape[0] if params.shape.rank and params.shape[0] is not None else ops.shape(params)[0]
        places = indices if indices.dtype in INDEXES else ops.cast(indices, int64)
        return ops.unsorted_segment_sum(upstream, places, rows), None
    spec = (*(COLON,) * axis, ARRAY) if axis >= 0 else ("...", ARRAY, *(COLON,) * (-1 - axis))
    return ops.add_item(zeros_for(params), upstream, [indices], spec=spec), None


def _masked(tensor: Operand, mask: Operand, axis: int | None) -> TensorShape:
    axis = axis or 0
    dims, rank = tensor.shape.dims, mask.shape.rank
    if rank == 0:
        raise ValueError("the mask must not be a scalar")
    if dims is None or rank is None:
        return TensorShape(None)
    if len(dims) < axis + rank or not mask.shape.is_compatible_with(dims[axis : axis + rank]):
        raise IndexError(f"the mask {mask.shape} does not fit the axes {axis} to {axis + rank - 1} of {tensor.shape}")
    return TensorShape([*dims[:axis], None, *dims[axis + rank :]])


def _mask(*items: Any) -> Array:
    return np.array(items, np.bool_)


@op(
    raises=Raises((*SHAPES, IndexShapeError), shapes=True),
    shape=_masked, dtypes={"tensor": ANY, "mask": BOOLS},
    samples=calls(lambda x: [((x(3), _mask(True, False, True)), {}), ((x(2, 3), _mask(False, True)), {}),
                             ((x(2, 3), _mask([True, False, True], [False, False, True])), {}),
                             ((x(2, 3), _mask(True, False, False)), {"axis": 1}), ((x(0), _mask()), {}),
                             ((x(3)[::-1], _mask(False, False, False)), {})]),
    reference=lambda tensor, mask, axis=None: np.stack(
        [np.moveaxis(tensor, axis or 0, 0)[i] for i in range(len(mask)) if mask[i]], axis or 0)
    if mask.ndim == 1 and mask.any() else np.array([tensor[i] for i in np.ndindex(mask.shape) if mask[i]], object),
    errors=[Failure((np.ones(3, np.float32), [True, False]), IndexShapeError, ("(2,)", "(3,)")),
            Failure((np.ones(3, np.float32), [1, 0, 1]), DtypeMismatchError, ("mask", "int32"))],
)  # fmt: skip
def boolean_mask(tensor: Array, mask: Array, axis: int | None = None) -> Any:
    """The slices of a tensor where the mask is true, in order. mask: bool, its shape that of the tensor's axes from
    `axis` on. How many there are is known only when it runs."""
    tensor, mask = elements(tensor), elements(mask)
    first = axis or 0
    if mask.ndim == 0 or mask.shape != tensor.shape[first : first + mask.ndim]:
        raise IndexShapeError(f"boolean_mask: the mask {mask.shape} does not fit the shape {tensor.shape}")
    return tensor[(slice(None),) * first + (mask,)]


@boolean_mask.gradient
def _(upstream: Any, tensor: Any, mask: Any, axis: int | None) -> Any:
    return ops.add_item(zeros_for(tensor), upstream, [mask], spec=(*(COLON,) * (axis or 0), ARRAY)), None


def _reversed_shape(tensor: Operand, axis: Any) -> TensorShape:
    if tensor.shape.rank is not None:
        normalized_axes(axis, tensor.shape.rank)
    return tensor.shape


MATRICES = calls(lambda x: [(x(3),), (x(2, 3),), (x(3, 2).T,), (x(2, 0),), (x(2, 3, 4)[::-1],)])
BAD_AXIS = (Failure((np.ones((2, 3), np.float32), 2), ShapeMismatchError, ("axis 2", "(2, 3)")),)


def _reverse_reference(tensor: Array, axis: Any) -> Array:
    result = tensor
    for a in axis:
        result = result.take(range(result.shape[a])[::-1], a)
    return result


@op(
    shape=_reversed_shape, view=True,
    samples=each(MATRICES, axis=((0,), (-1,), (0, 1), ())), reference=_reverse_reference, errors=BAD_AXIS,
)  # fmt: skip
def reverse(tensor: Array, *, axis: int | tuple[int, ...]) -> Any:
    """The elements in the opposite order along each axis of a list. tensor: any."""
    return np.flip(elements(tensor), axis)


@reverse.gradient
def _(upstream: Any, axis: Any) -> Any:
    return reverse(upstream, axis=axis)


def _refuse_pairs(shift: Any, axis: Any) -> None:
    if isinstance(shift, tuple) != isinstance(axis, tuple) or (isinstance(axis, tuple) and len(axis) != len(shift)):
        raise ValueError("shift and axis must be two integers, or two lists of one length")


def _rolled_shape(input: Operand, shift: Any, axis: Any) -> TensorShape:
    _refuse_pairs(shift, axis)
    if input.shape.rank is not None:
        for a in axis if isinstance(axis, tuple) else (axis,):
            normalized_axis(a, input.shape.rank)
    return input.shape


def _roll_reference(input: Array, shift: int, axis: int) -> Array:
    size = input.shape[axis]
    return input.take([(i - shift) % size for i in range(size)], axis)


@op(
    raises=VALUES,
    shape=_rolled_shape,
    samples=each(MATRICES, shift=(1, -2, 7), axis=(0, -1)), reference=_roll_reference,
    errors=[Failure((np.ones((2, 3), np.float32), 1, 2), ShapeMismatchError, ("axis 2", "(2, 3)")),
            Failure((np.ones((2, 3), np.float32), [1, 1], 0), ShapeMismatchError, ("one length",))],
)  # fmt: skip
def roll(input: Array, *, shift: int | tuple[int, ...], axis: int | tuple[int, ...]) -> Any:
    """The elements moved by `shift` places along an axis; those pushed out come back on the other side.
    input: any tensor; shift, axis: two integers, or two lists of one length."""
    _refuse_pairs(shift, axis)
    return np.roll(elements(input), shift, axis)


@roll.gradient
def _(upstream: Any, shift: Any, axis: Any) -> Any:
    return roll(upstream, shift=tuple(-s for s in shift) if isinstance(shift, tuple) else -shift, axis=axis)
