"""The order of tuples and lists, item by item, where tensors are among the items.

    precedes((x, 1), (2, y))      # x < 2 or (x == 2 and 1 < y)
    ranks([column, column])       # of many tuples, given by their columns: an integer for each that orders them so
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.control_flow.builtins import membership
from runtime.ops.records.record import REGISTRY
from runtime.tensor.tensor import Tensor

__all__ = ["precedes", "ranks"]


def precedes(a: Any, b: Any) -> Any:
    """`a < b`, as a bool or a bool scalar tensor. Raises TypeError as Python does."""
    if type(a) is not type(b) or type(a) not in (list, tuple):
        return a < b
    result: Any = len(a) < len(b)
    for x, y in reversed([*zip(a, b, strict=False)]):
        same = membership.equal(x, y)
        result = _either(_both(same, result), _both(_opposite(same), lambda x=x, y=y: precedes(x, y)))
    return result


def _opposite(value: Any) -> Any:
    return REGISTRY["logical_not"](value) if isinstance(value, Tensor) else not value


def _both(first: Any, second: Any) -> Any:
    """second: may be a function, which is not called where it does not count."""
    if not isinstance(first, Tensor):
        return (second() if callable(second) else second) if first else False
    second = second() if callable(second) else second
    if not isinstance(second, Tensor):
        return first if second else False
    return REGISTRY["logical_and"](first, second)


def _either(first: Any, second: Any) -> Any:
    if not isinstance(first, Tensor):
        return True if first else second
    if not isinstance(second, Tensor):
        return True if second else first
    return REGISTRY["logical_or"](first, second)


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
