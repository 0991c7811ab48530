"""Unpacking of what is staged: `a, b = t` for a tensor or a list that grows, whose length only a run may know.

    first, second = unpacked(t, 2, False)      # t of shape [None]: checks in Python's words when the graph runs
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from autograph.errors import StagingError
from runtime.context import current_recorder
from runtime.control_flow.builtins.iterables import PushedIterator, StagedIterator
from runtime.control_flow.lists.collecting import collected
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.objects.refs import Ref
from runtime.graph.graph import Graph
from runtime.ops.records.record import REGISTRY
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["unpacked"]


def unpacked(value: Any, count: int, starred: bool) -> Iterable[Any]:
    """The rows of a tensor, for `count` targets and perhaps a starred one; other values are unpacked by themselves."""
    if isinstance(value, Ref):
        return iter(value)
    if isinstance(value, StagedIterator | PushedIterator) and isinstance(current_recorder(), Graph):
        value = collected(value)
    if isinstance(value, TensorList) and isinstance(current_recorder(), Graph):
        if starred:
            raise StagingError(
                "a starred target takes as many elements as the list has, and this one grows in the graph; name them by"
                " slices instead (`first, rest = items[0], items[1:]`)"
            )
        return _counted(value, count, value.length())
    if not isinstance(value, SymbolicTensor) or value._shape.rank == 0:
        return value
    dims = value._shape.dims
    if dims is not None and dims[0] is not None:
        return iter(value)
    if starred:
        raise StagingError(
            f"a starred target takes as many rows as the tensor has, and the first dimension of {value} is known only"
            " when the graph runs; name the rows by slices instead (`first, rest = x[0], x[1:]`), or fix the dimension"
            " with set_shape or an input_signature"
        )
    return _counted(value, count, REGISTRY["shape"](value)[0])


def _counted(value: Any, count: int, rows: Any) -> list[Any]:
    """The rows after checks, in Python's words, that there are as many as targets."""
    for short in range(count):
        message = f"not enough values to unpack (expected {count}, got {short})"
        REGISTRY["check"](REGISTRY["not_equal"](rows, short), message=message, exception="ValueError")
    message = f"too many values to unpack (expected {count})"
    REGISTRY["check"](REGISTRY["less_equal"](rows, count), message=message, exception="ValueError")
    return [value[place] for place in range(count)]
