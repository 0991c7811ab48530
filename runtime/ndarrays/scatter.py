"""`ufunc.at` on traced arrays: each position is worked on as often as it comes.

    np.add.at(a, [0, 0, 2], 1)       a[0] += 1; a[0] += 1; a[2] += 1
    np.negative.at(a, [0, 1])        a[0] = -a[0]; a[1] = -a[1]

Sums, differences, least and greatest values have an operation; all the others are a loop over the positions.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

import autograph
from runtime.as_python import raise_as_python
from runtime.errors import ShapeMismatchError
from runtime.ndarrays.keys import plain_key
from runtime.ndarrays.steps import Index
from runtime.ndarrays.traced import as_value
from runtime.ndarrays.views import flat
from runtime.ndarrays.writes import WRITES, counted, target_of
from runtime.ops.records.record import REGISTRY
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.indexing import index_tensor, put_item
from runtime.tensor.numpy_calls.operands import call

__all__: list[str] = []

_SCATTERED: Final = {
    np.subtract: "tensor_scatter_nd_sub", np.maximum: "tensor_scatter_nd_max", np.minimum: "tensor_scatter_nd_min",
}  # fmt: skip


@WRITES.of(np.ufunc.at)
def _at(ufunc: np.ufunc, a: Any, indices: Any, b: Any = None) -> None:
    a = target_of(f"{ufunc.__name__}.at", a)
    if (b is None) != (ufunc.nin == 1) or ufunc.nout != 1:
        raise TypeError(f"np.{ufunc.__name__}.at: the ufunc takes {ufunc.nin} operands and gives {ufunc.nout} results")
    if ufunc is np.add and not a.dtype.is_bool:
        try:
            a.write(put_item(a.value(), plain_key(indices), as_value(b, a.dtype), REGISTRY["add_item"]))
        except ShapeMismatchError as error:
            raise_as_python(error)
        return
    places = index_tensor(_numbers(a), indices)
    board = flat(a)
    if b is None:
        board.write(autograph.converted(_each_one)(board.value(), call("reshape", places, [-1]), ufunc))
        return
    if ufunc in _SCATTERED:
        values = call("broadcast_to", as_value(b, a.dtype), call("shape", places))
        rows = call("reshape", places, [-1, 1])
        board.write(call(_SCATTERED[ufunc], board.value(), rows, call("reshape", values, [-1])))
        return
    values = call("broadcast_to", convert_to_tensor(b), call("shape", places))
    each = autograph.converted(_each)
    board.write(each(board.value(), call("reshape", places, [-1]), call("reshape", values, [-1]), ufunc))


def _numbers(a: Any) -> Any:
    """Of each element its number."""
    if a.layout is not None:
        return convert_to_tensor(np.arange(a.layout.size).reshape(a.layout.shape))
    return call("reshape", counted(call("size", a.value(), np.int64)), call("shape", a.value()))


def _each(elements: Any, places: Any, values: Any, ufunc: Any) -> Any:
    for place, value in zip(places, values, strict=True):
        elements = Index(place).put(elements, as_value(ufunc(elements[place], value), elements.dtype))
    return elements


def _each_one(elements: Any, places: Any, ufunc: Any) -> Any:
    for place in places:
        elements = Index(place).put(elements, as_value(ufunc(elements[place]), elements.dtype))
    return elements
