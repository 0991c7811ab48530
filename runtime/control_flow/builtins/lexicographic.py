"""The order of many tuples, which are given by their columns: an integer for each that orders them so.

    ranks([column, column])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.ops.records.record import REGISTRY

__all__ = ["ranks"]


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
