"""A tensor with some of its elements replaced: what `x[...] = value` comes to, for tensors never change.

>>> setitem(runtime.constant([1, 2, 3]), 9, spec=(-1,))
<tf.Tensor: shape=(3,), dtype=int32, numpy=array([1, 2, 9], dtype=int32)>
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import ANY
from runtime.errors import DtypeMismatchError, InvalidArgumentError, OutOfRangeError, ShapeMismatchError
from runtime.ops.arrays.index import COLON, INDICES, wrong_index
from runtime.ops.kernels.index_spec import ARRAY, AT, filled, item_shape, numpy_index, shown
from runtime.ops.kernels.values import elements
from runtime.ops.records.gradients import ops, shape_of, sum_to_shape
from runtime.ops.records.raises import SHAPES, Raises
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, calls
from runtime.shapes import TensorShape

__all__ = ["setitem", "updated_shape", "write_item"]


def updated_shape(x: Operand, value: Operand, *indices: Operand, spec: tuple[Any, ...]) -> TensorShape:
    """That of x; the value must fit the place that it is written to."""
    place = item_shape(x, *indices, spec=spec, what="setitem").dims
    given = value.shape.dims
    if place is not None and given is not None:
        extra = max(len(given) - len(place), 0)
        fits = all(size in (1, None) for size in given[:extra]) and all(
            a in (1, None) or b is None or a == b for a, b in zip(given[::-1], place[::-1], strict=False)
        )
        if not fits:
            shape = TensorShape(place)
            raise ValueError(f"could not broadcast input array from shape {value.shape} into shape {shape}")
    return x.shape


def _at(*items: Any) -> Array:
    return np.array(items, np.int32)


def _scalar(value: int) -> Array:
    return np.array(value, np.int32)


def _reference(x: Array, value: Array, *indices: Array, spec: tuple[Any, ...]) -> Array:
    """Position by position: which flat positions the index picks, then one element at a time."""
    key = tuple(slice(*e) if isinstance(e, tuple) else ... if str(e) == "..." else e for e in filled(spec, indices))
    places = np.arange(x.size).reshape(x.shape)[key]
    values = np.broadcast_to(value.reshape(value.shape[max(value.ndim - np.ndim(places), 0) :]), np.shape(places))
    result = np.array(x, dtype=x.dtype).reshape(-1)
    for place, item in zip(np.ravel(places), values.reshape(-1), strict=True):
        result[place] = item
    return result.reshape(x.shape)


@op(
    raises=Raises((*SHAPES, OutOfRangeError), indices=2),
    shape=updated_shape, dtypes={("x", "value"): ANY, "indices": INDICES}, mixed=True,
    samples=calls(lambda x: [
        ((x(4), x()), {"spec": (1,)}), ((x(4), x()), {"spec": (-1,)}), ((x(2, 3), x(3)), {"spec": (1,)}),
        ((x(2, 3), x(2)), {"spec": ((None, None, -1), 2)}), ((x(5), x(2)), {"spec": ((1, 4, 2),)}),
        ((x(2, 3, 4), x()), {"spec": ("...", 0)}), ((x(2, 3), x(1, 1, 2, 1)), {"spec": (COLON, (-2, None, None))}),
        ((x(), x()), {"spec": ()}), ((x(0), x(0)), {"spec": (COLON,)}), ((x(3, 2).T, x(3)), {"spec": (0,)}),
        ((x(2, 3), x(2, 1, 3)), {"spec": (COLON, None)}), ((x(6)[::-2], x()), {"spec": ((1, None, None),)}),
        ((x(2, 3).T, x(2), _scalar(2)), {"spec": (AT,)}),
        ((x(5), x(3), _scalar(1), _scalar(4)), {"spec": ((AT, AT, None),)}),
        ((x(4), x(3), _at(-1, 0, 2)), {"spec": (ARRAY,)}), ((x(4), x(2), _at(1, 1)), {"spec": (ARRAY,)}),
        ((x(2, 3, 4), x(2, 3), _at(1, 0), _at(2, 2)), {"spec": (ARRAY, COLON, ARRAY)}),
        ((x(3, 2), x(), np.array([True, False, True])), {"spec": (ARRAY,)}),
        ((x(2, 2), x(2), np.array([[True, False], [False, True]])), {"spec": (ARRAY,)}),
    ]),
    reference=_reference,
    errors=[
        Failure((np.ones(2, np.float32), np.float32(0)), OutOfRangeError, ("5", "(2,)"), {"spec": (5,)}),
        Failure((np.ones(2, np.float32), np.float32(0), [-3]), OutOfRangeError, ("-3", "(2,)"), {"spec": (AT,)}),
        Failure((np.ones(2, np.float32), np.ones(3, np.float32)), ShapeMismatchError, ("(3,)",), {"spec": (COLON,)}),
        Failure((np.ones(2, np.float32), np.ones(2, np.float32)), ShapeMismatchError, ("(2,)",), {"spec": (0,)}),
        Failure((np.ones(2, np.int32), 0.5), DtypeMismatchError, ("int32",), {"spec": (0,)}),
        Failure((np.ones(2, np.float32), np.float32(0)), InvalidArgumentError, ("step",), {"spec": ((None, None, 0),)}),
    ],
)  # fmt: skip
def setitem(x: Array, value: Array, *indices: Array, spec: tuple[Any, ...]) -> Any:
    """x with x[...] replaced by value, which is broadcast to that place. x, value: tensors of one dtype.

    `spec` and `indices` say the place, as for `getitem`. Where positions repeat, the last value stays. An index outside
    of the shape raises OutOfRangeError.
    """
    return write_item(np.array(elements(x)), value, *indices, spec=spec)


@setitem.gradient
def _(upstream: Any, x: Any, value: Any, indices: Any, spec: Any, needed: Any) -> Any:
    nothing = [None] * len(indices)
    kept = setitem(upstream, 0, indices, spec=spec) if needed[0] else None
    if not needed[1]:
        return kept, None, nothing
    taken = ops.getitem(upstream, indices, spec=spec)
    if any(entry == ARRAY for entry in spec if isinstance(entry, str)):
        taken = ops.where(_stays(x, taken, indices, spec), taken, ops.zeros_like(taken))
    return kept, _in_shape_of(value, taken), nothing


def _stays(x: Any, taken: Any, indices: Any, spec: Any) -> Any:
    """Which of the elements that are written stay: of those for one position the last one."""
    numbers = ops.reshape(ops.range(0, ops.size(taken), 1), shape_of(taken))
    board = setitem(ops.fill(ops.shape(x), -1), numbers, indices, spec=spec)
    return ops.equal(ops.getitem(board, indices, spec=spec), numbers)


def _in_shape_of(value: Any, taken: Any) -> Any:
    """Summed where the value was broadcast; numpy lets it have more axes of size 1 than its place."""
    if value.shape.rank is not None and taken.shape.rank is not None and value.shape.rank <= taken.shape.rank:
        return sum_to_shape(taken, value)
    shape = ops.shape(value)
    extra = ops.maximum(ops.rank(value) - ops.rank(taken), 0)
    inner = ops.getitem(shape, [extra], spec=((AT, None, None),))
    return ops.reshape(ops.sum_to(taken, inner), shape)


def write_item(x: Array, value: Array, *indices: Array, spec: tuple[Any, ...]) -> Array:
    """`setitem` into x itself: for a plan, where nobody else sees x and nobody reads the old x any more."""
    key = numpy_index(spec, indices)
    value = elements(value)
    try:
        x[key] = value if value.ndim else value[()]
    except IndexError as error:
        raise wrong_index("setitem", key, x, error) from None
    except ValueError as error:
        if any(isinstance(entry, slice) and entry.step == 0 for entry in key):
            raise InvalidArgumentError(
                f"setitem: the step of a slice must not be 0; the index is {shown(key)}"
            ) from None
        raise ShapeMismatchError(
            f"setitem: a value of shape {value.shape} cannot be written to the place {shown(key)}"
            f" of a tensor of shape {x.shape}: {error}"
        ) from None
    return x
