"""`np.r_` and `np.c_`, which put together what stands in their brackets.

    np.r_[0, a, 1:4]        # one vector: 0, the elements of a, then 1, 2, 3
    np.c_[a, b]             # a matrix with the columns a and b
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from runtime.ndarrays.calls import array_call, is_mixed
from runtime.ndarrays.traced import TracedArray, fresh
from runtime.tensor.numpy_calls.operands import call, together
from runtime.tensor.tensor import Operators

__all__ = ["JOINERS", "joined"]

JOINERS: Final = (type(np.r_), type(np.c_))


def joined(joiner: Any, key: Any) -> Any:
    """What `np.r_[key]` or `np.c_[key]` gives, in numpy's dtype: an array, or a tensor where there is one."""
    parts = key if isinstance(key, tuple) else (key,)
    if any(isinstance(part, str) for part in parts):
        raise TypeError("np.r_['...'] with a text that says how takes no tensors: np.concatenate and np.stack do")
    as_columns = type(joiner) is type(np.c_)
    values = together(*map(_part, parts))
    found = call("concat", [_column(value) if as_columns else _row(value) for value in values], -1 if as_columns else 0)
    return found if is_mixed(parts) else fresh(found)


def _part(part: Any) -> Any:
    if isinstance(part, TracedArray):
        return part.value()
    if not isinstance(part, slice):
        return part
    if any(isinstance(end, Operators) for end in (part.start, part.stop, part.step)):
        start, step = (default if end is None else end for end, default in ((part.start, 0), (part.step, 1)))
        return _part(array_call(None, np.arange, (), (start, part.stop, step), {}))
    return np.r_[part]


def _row(value: Any) -> Any:
    return call("reshape", value, [1]) if value.shape.rank == 0 else value


def _column(value: Any) -> Any:
    if value.shape.rank == 0:
        return call("reshape", value, [1, 1])
    return call("expand_dims", value, axis=-1) if value.shape.rank == 1 else value
