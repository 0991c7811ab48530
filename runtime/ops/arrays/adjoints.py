"""What the gradients of operations on elements by position are made of: their transposes, as operations.

>>> add_item(runtime.zeros([3]), 2.0, spec=(1,))
<tf.Tensor: shape=(3,), dtype=float32, numpy=array([0., 2., 0.], dtype=float32)>

Each undoes what another operation does to positions, and adds where several of its elements came from one:
`add_item` for `getitem`, `add_along_axis` for `take_along_axis`, `fold_padding` for `pad`, `sum_tiles` for `tile`.
Being linear, each has the other one as its gradient.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import ANY, INTEGERS, NUMERIC
from runtime.errors import InvalidArgumentError, OutOfRangeError, ShapeMismatchError
from runtime.ops.arrays.index import COLON, INDICES, wrong_index
from runtime.ops.arrays.item_update import updated_shape
from runtime.ops.arrays.padding import MODES
from runtime.ops.arrays.shape import INDEXES
from runtime.ops.kernels.index_spec import ARRAY, AT, numpy_index, shown
from runtime.ops.kernels.values import elements, integers, show_shape
from runtime.ops.records.gradients import ops, sum_to_shape
from runtime.ops.records.raises import PLACES, Raises
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, calls, each
from runtime.ops.records.shape_rules import normalized_axis, shape_from
from runtime.shapes import TensorShape

__all__ = ["add_along_axis", "add_item", "add_to_item", "fold_padding", "sum_tiles", "take_along_axis"]


def _at(*items: Any) -> Array:
    return np.array(items, np.int32)


def _added_by_position(x: Array, value: Array, *indices: Array, spec: tuple[Any, ...]) -> Array:
    places = np.arange(x.size).reshape(x.shape)[numpy_index(spec, [np.asarray(i) for i in indices])]
    values = np.broadcast_to(value, np.shape(places))
    result = np.array(x, object).reshape(-1)
    for place, item in zip(np.ravel(places), values.reshape(-1), strict=True):
        result[place] += item
    return result.reshape(x.shape)


@op(
    raises=Raises((OutOfRangeError,), shapes=True, misfits=PLACES.kinds),
    shape=updated_shape, dtypes={("x", "value"): NUMERIC, "indices": INDICES}, mixed=True, reference=_added_by_position,
    samples=calls(lambda x: [
        ((x(4), x()), {"spec": (1,)}), ((x(2, 3), x(3)), {"spec": (-1,)}), ((x(5), x(2)), {"spec": ((1, 4, 2),)}),
        ((x(2, 3), x(2)), {"spec": ((None, None, -1), 2)}), ((x(2, 3, 4), x()), {"spec": ("...", 0)}),
        ((x(0), x(0)), {"spec": (COLON,)}), ((x(3, 2).T, x(3)), {"spec": (0,)}), ((x(), x()), {"spec": ()}),
        ((x(2, 3).T, x(2), np.array(2, np.int32)), {"spec": (AT,)}),
        ((x(4), x(3), _at(-1, 0, 2)), {"spec": (ARRAY,)}), ((x(4), x(3), _at(1, 1, 1)), {"spec": (ARRAY,)}),
        ((x(2, 3, 4), x(2, 3), _at(1, 1), _at(2, 2)), {"spec": (ARRAY, COLON, ARRAY)}),
        ((x(3, 2), x(2, 2), np.array([True, False, True])), {"spec": (ARRAY,)}),
    ]),
    errors=[
        Failure((np.ones(2, np.float32), np.float32(0)), OutOfRangeError, ("5", "(2,)"), {"spec": (5,)}),
        Failure((np.ones(2, np.float32), np.float32(0), [-3]), OutOfRangeError, ("-3", "(2,)"), {"spec": (AT,)}),
        Failure((np.ones(2, np.float32), np.ones(2, np.float32)), ShapeMismatchError, ("(2,)",), {"spec": (0,)}),
    ],
)  # fmt: skip
def add_item(x: Array, value: Array, *indices: Array, spec: tuple[Any, ...]) -> Any:
    """x with `value` added at x[...], as often as a position is named. x, value: numeric tensors of one dtype.

    `spec` and `indices` say the place, as for `getitem`; value is broadcast to it. An index outside of the shape raises
    OutOfRangeError.
    """
    return add_to_item(np.array(elements(x)), value, *indices, spec=spec)


@add_item.gradient
def _(upstream: Any, value: Any, indices: Any, spec: Any, needed: Any) -> Any:
    at_place = sum_to_shape(ops.getitem(upstream, indices, spec=spec), value) if needed[1] else None
    return upstream, at_place, [None] * len(indices)


def add_to_item(result: Array, value: Array, *indices: Array, spec: tuple[Any, ...]) -> Array:
    """As `add_item`, in place."""
    value = elements(value)
    key = numpy_index(spec, indices)
    try:
        if any(isinstance(entry, np.ndarray) and entry.dtype != np.bool_ for entry in key):
            np.add.at(result, key, value)
        else:
            result[key] += value if value.ndim else value[()]
    except IndexError as error:
        raise wrong_index("add_item", key, result, error) from None
    except ValueError as error:
        raise ShapeMismatchError(
            f"add_item: a value of shape {value.shape} does not fit the place {shown(key)} of a tensor of shape"
            f" {result.shape} ({error})"
        ) from None
    return result


def _taken_shape(x: Operand, positions: Operand, axis: int) -> TensorShape:
    dims, places = x.shape.dims, positions.shape.dims
    if dims is not None:
        axis = normalized_axis(axis, len(dims))
    if dims is not None and places is not None:
        if len(places) != len(dims):
            raise ValueError("the positions must have the rank of the tensor")
        if not TensorShape(dims).is_compatible_with([*places[:axis], dims[axis], *places[axis + 1 :]]):
            raise ValueError("the positions must have the sizes of the tensor but along the axis")
    return positions.shape


def _check_along(name: str, x: Array, positions: Array, axis: int) -> int:
    """The axis counted from the front. Raises the documented errors where the positions do not fit."""
    axis = normalized_axis(axis, x.ndim)
    if positions.shape[:axis] + positions.shape[axis + 1 :] != x.shape[:axis] + x.shape[axis + 1 :]:
        raise ShapeMismatchError(
            f"{name}: positions of shape {positions.shape} do not fit a tensor of shape {x.shape} along axis {axis}"
        )
    size = x.shape[axis]
    if positions.size and not -size <= positions.min() <= positions.max() < size:
        found = f"positions {positions.min()} to {positions.max()}"
        raise OutOfRangeError(f"{name}: {found} are not within {size} elements")
    return axis


def _taken_by_index(x: Array, positions: Array, axis: int = -1) -> Array:
    result = np.empty(positions.shape, object)
    for index in np.ndindex(positions.shape):
        place = list(index)
        place[axis] = int(positions[index])
        result[index] = x[tuple(place)]
    return result


WRONG_POSITIONS = (
    Failure((np.ones((2, 3), np.float32), [[0], [3]]), OutOfRangeError, ("3", "3 elements")),
    Failure((np.ones((2, 3), np.float32), [[0, 1]]), ShapeMismatchError, ("(2, 3)", "(1, 2)")),
)


@op(
    raises=Raises((OutOfRangeError,), shapes=True),
    shape=_taken_shape, dtypes={"x": ANY, "positions": INTEGERS}, reference=_taken_by_index, errors=WRONG_POSITIONS,
    samples=calls(lambda x: [((x(4), _at(2, 0, -1)), {}), ((x(2, 3), _at([0], [2])), {"axis": 1}), ((x(0), _at()), {}),
                             ((x(3, 2).T, _at([1, 0, 1])), {"axis": 0}), ((x(6)[::-2], np.array([1])), {"axis": -1})]),
)  # fmt: skip
def take_along_axis(x: Array, positions: Array, axis: int = -1) -> Any:
    """For each line along the axis the elements at positions of its own: result[i, j] is x[i, positions[i, j]].

    x: any tensor; positions: integers, of the shape of x but along the axis. One outside of the axis raises
    OutOfRangeError; negative ones count from the end.
    """
    x, positions = elements(x), elements(positions)
    return np.take_along_axis(x, positions, _check_along("take_along_axis", x, positions, axis))


@take_along_axis.gradient
def _(upstream: Any, x: Any, positions: Any, axis: int) -> Any:
    return add_along_axis(ops.zeros_like(x), positions, upstream, axis), None


def _added_shape(x: Operand, positions: Operand, values: Operand, axis: int) -> TensorShape:
    if not _taken_shape(x, positions, axis).is_compatible_with(values.shape):
        raise ValueError("the values must have the shape of the positions")
    return x.shape


def _added_by_index(x: Array, positions: Array, values: Array, axis: int = -1) -> Array:
    result = np.array(x, object)
    for index in np.ndindex(positions.shape):
        place = list(index)
        place[axis] = int(positions[index])
        result[tuple(place)] += values[index]
    return result


@op(
    raises=Raises((OutOfRangeError,), shapes=True),
    shape=_added_shape, dtypes={("x", "values"): NUMERIC, "positions": INTEGERS}, reference=_added_by_index,
    samples=calls(lambda x: [((x(4), _at(2, 0, -1), x(3)), {}), ((x(2, 3), _at([0], [2]), x(2, 1)), {"axis": 1}),
                             ((x(0), _at(), x(0)), {}), ((x(3, 2).T, _at([1, 0, 1]), x(1, 3)), {"axis": 0}),
                             ((x(6)[::-2], _at(1, 1), x(2)), {"axis": -1})]),
    errors=[Failure((np.ones(2, np.float32), [2], [1.0]), OutOfRangeError, ("2 elements",)),
            Failure((np.ones(2, np.float32), [0], [1.0, 2.0]), ShapeMismatchError, ("(2,)", "(1,)"))],
)  # fmt: skip
def add_along_axis(x: Array, positions: Array, values: Array, axis: int = -1) -> Any:
    """x with values[i, j] added at x[i, positions[i, j]], as often as a position is named: see `take_along_axis`.

    x, values: numeric tensors of one dtype; positions: integers of the shape of values.
    """
    result, positions, values = np.array(elements(x)), elements(positions), elements(values)
    axis = _check_along("add_along_axis", result, positions, axis)
    if values.shape != positions.shape:
        raise ShapeMismatchError(f"add_along_axis: values {values.shape} for positions {positions.shape}")
    places = np.ogrid[tuple(slice(n) for n in positions.shape)]
    np.add.at(result, (*places[:axis], positions, *places[axis + 1 :]), values)
    return result


@add_along_axis.gradient
def _(upstream: Any, positions: Any, axis: int) -> Any:
    return upstream, None, take_along_axis(upstream, positions, axis)


def _folded(x: Operand, paddings: Operand, mode: str) -> TensorShape:
    if mode not in MODES:
        raise ValueError(f"mode must be one of {', '.join(MODES)}; got {mode!r}")
    dims, amounts = x.shape.dims, paddings.value
    if dims is None:
        return TensorShape(None)
    if not paddings.shape.is_compatible_with([len(dims), 2]):
        raise ValueError(f"paddings must have the shape ({len(dims)}, 2): before and after, for each dimension")
    if amounts is None:
        return TensorShape([None] * len(dims))
    sizes = [None if d is None else d - int(b) - int(a) for d, (b, a) in zip(dims, amounts, strict=True)]
    if any(size is not None and size < 0 for size in sizes):
        raise ValueError(f"the shape has not as many elements as the paddings {amounts.tolist()}")
    return TensorShape(sizes)


def _folded_by_element(x: Array, paddings: Array, mode: str) -> Array:
    """What `pad` does to the positions says where each element belongs."""
    sizes = [n - b - a for n, (b, a) in zip(x.shape, paddings.tolist(), strict=True)]
    result = np.zeros(sizes, object)
    positions = np.arange(result.size).reshape(sizes)
    extra = {"constant_values": -1} if mode == "CONSTANT" else {}
    origins = np.pad(positions, paddings, MODES[mode], **extra)  # type: ignore[call-overload]
    for index in np.ndindex(x.shape):
        if origins[index] >= 0:
            result[np.unravel_index(origins[index], sizes)] += x[index]
    return result


def _around(*pairs: tuple[int, int]) -> Array:
    return np.array(pairs, np.int32)


@op(
    raises=Raises((ShapeMismatchError,), shapes=True),
    shape=_folded, dtypes={"x": NUMERIC, "paddings": INDEXES}, view=True, reference=_folded_by_element,
    samples=each(calls(lambda x: [(x(6), _around((1, 2))), (x(5)[::-1], _around((2, 0))),
                                  (x(4, 6), _around((0, 1), (2, 1))), (x(6, 3).T, _around((1, 0), (0, 2)))]),
                 mode=("CONSTANT", "REFLECT", "SYMMETRIC")),
    errors=[Failure((np.ones(2, np.float32), [[1, 2]], "CONSTANT"), ShapeMismatchError, ("(2,)", "1, 2")),
            Failure((np.ones(2, np.float32), [[1, 0]], "WRAP"), ShapeMismatchError, ("WRAP",)),
            Failure((np.ones((2, 3), np.float32), [[1, 1]], "CONSTANT"), ShapeMismatchError, ("(2, 3)",))],
)  # fmt: skip
def fold_padding(x: Array, paddings: Array, *, mode: str) -> Any:
    """Without the elements that `pad` with the same paddings and mode adds: what is there is added to the elements
    that it was mirrored from (REFLECT, SYMMETRIC) or dropped (CONSTANT). x: numeric tensor; paddings: integers."""
    amounts = elements(paddings)
    if mode not in MODES or amounts.shape != (x.ndim, 2) or np.any(amounts.sum(-1) > x.shape):
        raise ShapeMismatchError(
            f"fold_padding: the paddings {amounts.tolist()} do not fit the shape {show_shape(x)} in mode {mode}"
        )
    inner = tuple(slice(b, n - a) for n, (b, a) in zip(x.shape, amounts.tolist(), strict=True))
    if mode == "CONSTANT":
        return x[inner]
    result, edge = np.array(x), int(mode == "REFLECT")
    for axis, (before, after) in enumerate(amounts.tolist()):
        line = np.moveaxis(result, axis, 0)
        size = len(line) - before - after
        if max(before, after) > size - edge:
            raise InvalidArgumentError(f"fold_padding: {mode} adds at most {size - edge} elements a side to {size}")
        line[before + edge : 2 * before + edge] += line[:before][::-1]
        end = before + size
        line[end - edge - after : end - edge] += line[end:][::-1]
        result = result[(slice(None),) * axis + (slice(before, end),)]
    return result


@fold_padding.gradient
def _(upstream: Any, paddings: Any, mode: str) -> Any:
    return ops.pad(upstream, paddings, 0, mode=mode), None


def _are_tiles(sizes: Any, tile: Any) -> bool:
    return len(sizes) == len(tile) and all(n is None or t is None or n == (t and n // t * t)
                                           for n, t in zip(sizes, tile, strict=True))  # fmt: skip


def _one_tile(x: Operand, shape: Operand) -> TensorShape:
    found = shape_from(shape)
    if x.shape.dims is not None and found.dims is not None and not _are_tiles(x.shape.dims, found.dims):
        raise ValueError(f"the shape is not that of tiles {found}")
    return found


def _by_remainder(x: Array, shape: Array) -> Array:
    result = np.zeros(tuple(shape), object)
    for index in np.ndindex(x.shape):
        result[tuple(i % n for i, n in zip(index, result.shape, strict=True))] += x[index]
    return result


@op(
    raises=Raises((ShapeMismatchError,), shapes=True),
    shape=_one_tile, dtypes={"x": NUMERIC, "shape": INDEXES}, reference=_by_remainder,
    samples=calls(lambda x: [(x(), _at()), (x(6), _at(3)), (x(2, 6), _at(1, 2)), (x(4, 2).T, _at(2, 2)), (x(0), _at(3)),
                             (x(6)[::-1], _at(2))]),
    errors=[Failure((np.ones(3, np.float32), [2]), ShapeMismatchError, ("(3,)", "(2,)"))],
)  # fmt: skip
def sum_tiles(x: Array, shape: Array) -> Any:
    """The sum of the tiles of this shape that x is made of, as `tile` makes them. x: numeric; shape: integers, which
    divide the sizes of x."""
    sizes, tile = np.shape(x), integers(shape, "sum_tiles")
    if not _are_tiles(sizes, tile):
        raise ShapeMismatchError(f"sum_tiles: the shape {sizes} is not that of tiles {TensorShape(tile)}")
    if not np.size(x):
        return np.zeros(tile, x.dtype)
    split = [n for size, t in zip(sizes, tile, strict=True) for n in (size // t, t)]
    return np.add.reduce(np.reshape(x, split), axis=tuple(range(0, len(split), 2)), dtype=x.dtype)


@sum_tiles.gradient
def _(upstream: Any, x: Any, shape: Any) -> Any:
    whole = ops.cast(ops.shape(x), shape.dtype)
    return ops.tile(upstream, ops.floordiv(whole, ops.maximum(shape, 1))), None
