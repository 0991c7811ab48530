"""The order of what is no single number: of objects by their `__lt__`, and of tuples, which are given by their columns.

    order_of([a, b, c], False)       # a list of places where Python knows them, or a tensor of places
    in_order(values, order)          # each is one of the objects, and a tensor says which
    ranks([column, column])          # for each row an integer that orders them so
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Sequence
from typing import Any, Final

from autograph.errors import StagingTypeError
from autograph.operators.slices import get_item
from runtime.control_flow.builtins.comparisons import equal_items, ordered, runs_no_code
from runtime.control_flow.objects.refs import Ref
from runtime.heap.code import is_user_class
from runtime.ops.records.record import REGISTRY
from runtime.structures import items_within
from runtime.tensor.tensor import Tensor

__all__ = ["has_objects", "in_order", "order_of", "ranks"]

_MOST: Final = 64
"""So many objects are compared with each other."""


def has_objects(values: Sequence[Any]) -> bool:
    """Whether there are some of the user's classes among the values, or in tuples and lists of these."""
    items = items_within(value for value in values if not runs_no_code(value))
    return any(type(item) is Ref or is_user_class(type(item)) for item in items)


def order_of(keys: Sequence[Any], reverse: bool) -> Any:
    """The places of the keys in their order: a list, or a tensor where a comparison depends on one."""
    places = builtins.range(builtins.len(keys))
    try:
        return builtins.sorted(places, key=[_Key(key) for key in keys].__getitem__, reverse=reverse)
    except _DependsOnTensor:
        pass
    if builtins.len(keys) > _MOST:
        raise StagingTypeError(
            f"sorting {builtins.len(keys)} objects by comparisons that depend on tensors would compare each with each;"
            " give a key= that makes a number, or a tuple of numbers, of each"
        )
    behind: list[Any] = [0 for _ in places]  # how many stand before each
    for later in places:
        for earlier in places[:later]:
            first, second = (keys[earlier], keys[later]) if reverse else (keys[later], keys[earlier])
            goes_before = REGISTRY["cast"](equal_items(ordered(operator.lt, first, second), True), "int32")
            behind[earlier] += goes_before
            behind[later] += 1 - goes_before
    return REGISTRY["argsort"](REGISTRY["stack"](behind))


def in_order(values: Sequence[Any], order: Any) -> list[Any]:
    """The values at the places that `order` gives."""
    return [get_item(values, order[place]) for place in builtins.range(builtins.len(values))]


class _DependsOnTensor(Exception):
    """A comparison has no answer now."""


class _Key:
    """A key that Python sorts by, as long as it gets answers."""

    __slots__ = ("_key",)

    def __init__(self, key: Any) -> None:
        self._key = key

    def __lt__(self, other: _Key) -> bool:
        answer = ordered(operator.lt, self._key, other._key)
        if isinstance(answer, Tensor):
            raise _DependsOnTensor
        return bool(answer)

def ranks(columns: Sequence[Any]) -> Any:
    """For each row of columns of one length its place in their order, from 0 on; equal rows have one place."""
    for column in columns:
        if column.shape.rank not in (1, None):
            raise TypeError(f"tuples of tensors of shape {column.shape[1:]} cannot be compared; give another key")
    columns = [REGISTRY["cast"](column, "int32") if column.dtype.is_bool else column for column in columns]
    order = REGISTRY["argsort"](columns[-1])
    for column in reversed(columns[:-1]):  # each sort keeps the order of those before where this column is equal
        order = REGISTRY["gather"](order, REGISTRY["argsort"](REGISTRY["gather"](column, order)))
    differs: Any = None
    for column in columns:
        ordered = REGISTRY["gather"](column, order)
        new = REGISTRY["not_equal"](ordered[1:], ordered[:-1])
        differs = new if differs is None else REGISTRY["logical_or"](differs, new)
    places = REGISTRY["cumsum"](REGISTRY["cast"](differs, "int32"))
    first = REGISTRY["zeros_like"](order[:1])
    places = REGISTRY["concat"]([REGISTRY["cast"](first, "int32"), places], axis=0)
    return REGISTRY["gather"](places, REGISTRY["argsort"](order))
