"""x[...] on tensors: the index is brought into the form that the operation `getitem` takes.

    x[1, ..., ::2, i]      ->      getitem(x, i, spec=(1, "...", (None, None, 2), "at"))

Parts that Python knows become part of the attribute `spec`, symbolic scalars operands. One bool mask selects rows
(`runtime.boolean_mask`). A list of positions is refused: `x[[0, 2]]` is `runtime.gather(x, [0, 2])`.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from runtime.errors import InvalidArgumentError
from runtime.ops.index import AT, boolean_mask, getitem
from runtime.tensor.tensor import Tensor

__all__ = ["index_tensor"]


def index_tensor(x: Any, key: Any) -> Any:
    """x[key]. Raises TypeError for a kind of index that tensors don't have, with what to use instead."""
    if _is_mask(key):
        return boolean_mask(x, key)
    parts = key if isinstance(key, tuple) else (key,)
    operands: list[Any] = []
    spec = tuple(_entry(part, operands) for part in parts)
    if sum(1 for entry in spec if entry == "...") > 1:
        raise InvalidArgumentError("an index can hold only one ellipsis (...)")
    return getitem(x, operands, spec=spec)


def _is_mask(part: Any) -> bool:
    """A bool tensor or array; lists of bool count, too."""
    if isinstance(part, Tensor):
        return part.dtype.is_bool
    if isinstance(part, np.ndarray):
        return bool(part.dtype == np.bool_)
    return isinstance(part, list) and bool(part) and all(isinstance(p, bool | np.bool_) for p in part)


def _entry(part: Any, operands: list[Any]) -> Any:
    """One entry of the spec; what only the graph will know is added to the operands."""
    if part is None:
        return None
    if part is Ellipsis:
        return "..."
    if isinstance(part, slice):
        ends = (part.start, part.stop, part.step)
        return tuple(None if end is None else _scalar(end, operands, "slice bound") for end in ends)
    return _scalar(part, operands, "index")


def _scalar(part: Any, operands: list[Any], what: str) -> Any:
    """A Python integer, or "at" for a symbolic scalar."""
    if _is_mask(part):
        raise TypeError(f"a bool mask must be the only index; use runtime.boolean_mask(x, mask, axis): got {part!r}")
    if isinstance(part, bool | np.bool_):
        raise TypeError(f"a Python bool is no {what} of a tensor; got {part!r}")
    if isinstance(part, Tensor):
        if part.shape.rank not in (0, None):
            raise _not_scalar(part, what)
        if not part.dtype.is_integer:
            raise TypeError(f"the {what} of a tensor must be an integer; got a tensor of dtype {part.dtype.name}")
        value = getattr(part, "value", None)
        if value is not None:
            return int(value[()])
        if hasattr(part, "op"):
            operands.append(part)
            return AT
        return operator.index(part)  # type: ignore[arg-type]
    if isinstance(part, list | tuple | np.ndarray) and np.ndim(part):
        raise _not_scalar(part, what)
    if hasattr(part, "__index__"):
        return operator.index(part)
    raise TypeError(
        f"the {what} of a tensor must be an integer, a slice, ..., runtime.newaxis, a scalar tensor or a bool mask;"
        f" got {part!r}"
    )


def _not_scalar(part: Any, what: str) -> TypeError:
    return TypeError(
        f"the {what} of a tensor must be a scalar; to take elements at many positions use runtime.gather(x, positions):"
        f" got {part!r}"
    )
