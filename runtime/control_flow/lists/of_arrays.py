"""Lists of what arrays and tensors hold, where it has no value yet: `list(a)`, `items.extend(a)`, `a.tolist()`.

    x.tolist()                              [x[0].item(), x[1].item(), ...], in as many levels as x has axes
    list(np.flatnonzero(x > 0))             a `TensorList`, for only the run knows how many there are
"""

from __future__ import annotations

from typing import Any, Final

from runtime.control_flow.builtins.iterables import is_staged
from runtime.control_flow.lists.array_elements import note_rows
from runtime.control_flow.lists.collecting import collected
from runtime.control_flow.lists.element_types import ElementType, LeafType
from runtime.control_flow.lists.grown import Grown
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.ndarrays.guests import Guest
from runtime.ndarrays.traced import TracedArray
from runtime.ops.records.record import REGISTRY
from runtime.shapes import TensorShape
from runtime.tensor.symbolic import OF_PYTHON, SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["as_a_list", "install", "list_of", "numbers_of"]

_MOST: Final = 10_000
"""So many elements become values of their own at most."""


def list_of(array: TracedArray) -> TensorList:
    """The rows or numbers of an array, whose number only the run knows."""
    listed: TensorList = numbers_of(array, note_rows(array, TensorList(array.value())))
    return listed


def as_a_list(elements: Any) -> Any:
    """What the graph goes through, as a list; NotImplemented for what Python goes through by itself."""
    if isinstance(elements, TensorList):
        return elements
    if isinstance(elements, Grown):
        return elements.gone_through()
    if isinstance(elements, Tensor | TracedArray):
        dims = elements.shape.dims
        if dims and dims[0] is not None:
            return NotImplemented
        if isinstance(elements, TracedArray):
            return list_of(elements)
    return collected(elements) if is_staged(elements) else NotImplemented


def numbers_of(items: Any, result: Any) -> Any:
    """A list of the elements of an array, which are numbers of it."""
    if not isinstance(items, TracedArray) or isinstance(items, Guest) or items.shape.rank != 1:
        return result
    return _with_leaf(result, dtype=items.dtype, of_array=True) if isinstance(result, TensorList) else result


def _with_leaf(listed: TensorList, **leaf: Any) -> TensorList:
    return TensorList.like(ElementType(None, (LeafType(shape=TensorShape([]), **leaf),)), listed.handles)


def _tolist(tensor: SymbolicTensor) -> Any:
    """The elements as numbers that adapt to what stands beside them, in nested lists."""
    dims = tensor.shape.dims
    count = None if dims is None else tensor.shape.num_elements()
    if dims is None or (count is None and len(dims) != 1) or (count is not None and count > _MOST):
        tensor._refuse(
            "asked for its value by `.tolist()`",
            "work on with the tensor itself, and ask the result of the function for its value",
        )
    wide = OF_PYTHON.get(tensor.dtype.family, tensor.dtype)
    numbers = tensor if wide is tensor.dtype else REGISTRY["cast"](tensor, wide)
    if count is None:
        return _with_leaf(TensorList(numbers), dtype=wide, weak=True)
    return _nested(numbers, dims) if dims else numbers.item()


def _nested(tensor: Any, dims: Any) -> list[Any]:
    rows = list(REGISTRY["unstack"](tensor, dims[0])) if dims[0] else []
    if len(dims) > 1:
        return [_nested(row, dims[1:]) for row in rows]
    for number in rows:
        number.weak = number.dtype.family in OF_PYTHON
    return rows


def install() -> None:
    """Gives symbolic tensors, and arrays, the method."""
    tensors: Any = SymbolicTensor
    arrays: Any = TracedArray
    tensors.tolist, arrays.tolist = _tolist, lambda self: self.shown().tolist()
