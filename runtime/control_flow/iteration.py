"""What a staged `for` iterates over: how many items there are, and how to get the item at a position.

length, item = items_of(tensor)      # its rows
length, item = items_of(range_)      # computed, the range itself is never stored
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from runtime.errors import InvalidArgumentError
from runtime.ops.record import REGISTRY
from runtime.tensor.eager import EagerTensor
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["items_of", "unpacked"]

Item = Callable[[Any], Any]


def items_of(iterated: Any) -> tuple[Any, Item]:
    """The number of items (int, or an integer scalar tensor) and the function from position to item."""
    if not isinstance(iterated, SymbolicTensor | EagerTensor):
        raise TypeError(f"a value of type {type(iterated).__name__} cannot be iterated over in a graph")
    if isinstance(iterated, SymbolicTensor) and iterated.op.type == "range" and iterated.dtype.is_integer:
        return _range_items(*iterated.op.inputs)
    shape = iterated._shape if isinstance(iterated, SymbolicTensor) else iterated.shape
    if shape.rank == 0:
        raise InvalidArgumentError(
            f"cannot iterate over a scalar tensor: {iterated} has no rows; use runtime.range(x) to count up to it"
        )
    first = None if shape.dims is None else shape.dims[0]
    length = REGISTRY["shape"](iterated)[0] if first is None else first
    return length, lambda position: iterated[position]


def _range_items(start: Any, limit: Any, delta: Any) -> tuple[Any, Item]:
    step = _known(delta)
    origin = _known(start)
    span = limit if origin == 0 else limit - start
    if step == 1:
        length = span
    else:
        # ceil(span / delta) in whole numbers, for either sign of delta
        length = -((-span) // delta)
    if step == 1:
        return length, (lambda position: position) if origin == 0 else lambda position: start + position
    return length, lambda position: start + position * delta


def unpacked(item: Any, target: str) -> Any:
    """The item of `for a, b in tensor`: its rows, one for each name in the target `(a, b)`, also nested ones.

    A size that is not known while tracing stays a tensor, which then refuses to be unpacked.
    """
    return _rows(item, ast.parse(target.strip(), mode="eval").body) if "," in target else item


def _rows(item: Any, target: ast.expr) -> Any:
    if not isinstance(target, ast.Tuple | ast.List) or not isinstance(item, SymbolicTensor):
        return item
    dims = item._shape.dims
    if not dims or dims[0] is None:
        return item
    rows = [item[i] for i in range(dims[0])]
    if len(rows) != len(target.elts) or any(isinstance(part, ast.Starred) for part in target.elts):
        return rows  # Python counts and spreads them, and says what is wrong
    return [_rows(row, part) for row, part in zip(rows, target.elts, strict=True)]


def _known(tensor: SymbolicTensor) -> int | None:
    return None if tensor.value is None else int(tensor.value)
