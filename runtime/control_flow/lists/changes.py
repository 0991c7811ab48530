"""What Python's lists can do by slices and by numbers, for lists that grow in a graph.

    items[1:] = [5, x]      set_slice(items, slice(1, None), [5, x])
    del items[:2]           delete(items, slice(None, 2))
    items *= 2              repeated(items, 2)
"""

from __future__ import annotations

from typing import Any

from autograph.errors import StagingTypeError
from runtime.control_flow.lists.collecting import collected
from runtime.control_flow.lists.element_types import ElementType
from runtime.control_flow.lists.tensor_list import CHANGES, TensorList
from runtime.dtypes import int32
from runtime.ops import lists
from runtime.ops.record import REGISTRY
from runtime.tensor.eager import EagerTensor
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["delete", "extend", "repeated", "set_slice"]


def extend(items: TensorList, elements: Any) -> None:
    """`items.extend(elements)` of another list that grows, or of the rows of a tensor."""
    if isinstance(elements, TensorList):
        if elements.elements is not None:
            wanted = elements.elements if items.elements is None else items.elements.join(elements.elements)
            pairs = zip(items.handles_as(wanted), elements.handles_as(wanted), strict=True)
            items.take(TensorList.like(wanted, [lists.list_concat(*pair) for pair in pairs]))
        return
    if elements.shape.rank == 0:
        raise TypeError("a scalar tensor has no rows that could be added to a list")
    row = ElementType.rows_of(elements)
    wanted = row if items.elements is None else items.elements.join(row)
    (handle,), (leaf,) = items.handles_as(wanted), wanted.leaves
    items.take(TensorList.like(wanted, [lists.list_extend(handle, leaf.convert(elements), **leaf.attributes)]))


def set_slice(items: TensorList, key: slice, elements: Any) -> None:
    """`items[key] = elements`. Raises TypeError for what has no elements."""
    if not (isinstance(elements, Tensor) or hasattr(type(elements), "__iter__")):
        raise TypeError("can only assign an iterable")
    _replace(items, key, elements if isinstance(elements, Tensor | TensorList) else collected(elements))


def delete(items: TensorList, key: Any) -> None:
    """`del items[key]`, of a position or slice. Raises IndexError when there is no such element."""
    if isinstance(key, slice):
        _replace(items, key, ())
        return
    length = items.length()
    fits = REGISTRY["logical_and"](REGISTRY["greater_equal"](key, -length), REGISTRY["less"](key, length))
    REGISTRY["check"](fits, message="list assignment index out of range", exception="IndexError")
    items.pop(key)


def repeated(items: TensorList, times: Any) -> TensorList:
    """`items * times`: a new list. Raises TypeError for what is no integer, StagingTypeError where it is a tensor."""
    if isinstance(times, EagerTensor | SymbolicTensor) and times.shape.rank == 0 and times.dtype.is_integer:
        known = times.numpy() if isinstance(times, EagerTensor) else times.value
        times = times if known is None else int(known)
    if isinstance(times, Tensor):
        raise StagingTypeError(
            "a list that grows in a graph is repeated as often as only the run knows. Write"
            " `[l[i % len(l)] for i in range(len(l) * n)]`"
        )
    if not hasattr(type(times), "__index__"):
        raise TypeError(f"can't multiply sequence by non-int of type '{type(times).__name__}'")
    left = max(0, times.__index__())
    made: TensorList = items[:0]
    power = items.copy()
    while left:
        if left % 2:
            made.extend(power)
        left //= 2
        if left:
            power = power + power
    return made


def _replace(items: TensorList, key: slice, elements: Any) -> None:
    """Puts elements in the place of those of a slice. Raises StagingTypeError where they do not stand together."""
    if key.step is not None and not (type(key.step) is int and key.step == 1):
        raise StagingTypeError(
            "a slice with a step of a list that grows in a graph cannot be set or deleted. Assign element by element,"
            " or write the list anew (`l = [... for ... in l]`)"
        )
    made = items[: 0 if key.start is None else key.start]
    made.extend(elements)
    if key.stop is not None:
        made.extend(items[_behind(items, key) :])
    items.take(made)


def _behind(items: TensorList, key: slice) -> Any:
    """Where the elements behind a slice begin: never before its start."""
    start = 0 if key.start is None else key.start
    if all(type(bound) is int and bound >= 0 for bound in (start, key.stop)):
        return max(start, key.stop)
    length = items.length()
    positions = (REGISTRY["cast"](bound, int32) for bound in (start, key.stop))
    first, behind = (REGISTRY["where"](p < 0, REGISTRY["maximum"](p + length, 0), p) for p in positions)
    return REGISTRY["maximum"](first, behind)


CHANGES.update(delete=delete, extend=extend, repeated=repeated, set_slice=set_slice)
