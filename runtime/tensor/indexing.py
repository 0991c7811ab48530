"""x[...] on tensors: the index is brought into the form that the operations `getitem` and `setitem` take.

    x[1, ..., ::2, i]        ->      getitem(x, i, spec=(1, "...", (None, None, 2), "at"))
    x[rows] = value          ->      x = setitem(x, value, rows, spec=("array",))

Parts that Python knows become part of the attribute `spec`; symbolic scalars, arrays of positions and masks become
operands. All of numpy's forms are there; where one bool mask is the whole index, reading is `runtime.boolean_mask`. A
mask of no dimensions, also True and False, is one of a new axis.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from runtime.array_errors import IndexKindError, IndexShapeError
from runtime.errors import DtypeMismatchError
from runtime.ops.arrays.index import boolean_mask, getitem
from runtime.ops.arrays.item_update import setitem
from runtime.ops.kernels.index_spec import ARRAY, AT
from runtime.ops.records.record import REGISTRY, Op
from runtime.tensor.convert import adopt, as_operand, convert_to_tensor
from runtime.tensor.tensor import Tensor

__all__ = ["index_tensor", "put_item", "spec_of", "written"]


def index_tensor(x: Any, key: Any) -> Any:
    """x[key]. Raises TypeError for a kind of index that tensors don't have, with what to use instead."""
    key = as_operand(key) if hasattr(type(key), "__as_tensor__") else key
    if (apart := _without_flags(key)) is not None:
        return index_tensor(index_tensor(x, apart[0]), apart[1])
    if _is_mask(key):
        return boolean_mask(x, key)
    spec, operands = spec_of(key)
    return getitem(x, operands, spec=spec)


def put_item(x: Any, key: Any, value: Any, op: Op = setitem) -> Any:
    """x with `value` at x[key]. value: of the dtype of x. op: what is done with it there."""
    apart = _without_flags(key)
    if apart is None:
        spec, operands = spec_of(key)
        return op(x, value, operands, spec=spec)
    widened = put_item(index_tensor(x, apart[0]), apart[1], value, op)
    return index_tensor(widened, tuple(0 if part is None else part for part in apart[0]))


def _is_flag(part: Any) -> bool:
    """Whether a part of an index is one bool: a mask of no dimensions, as which numpy takes True, too."""
    if isinstance(part, Tensor):
        return part.dtype.is_bool and part.shape.rank == 0
    return isinstance(part, bool | np.bool_) or (isinstance(part, np.ndarray) and part.dtype == bool and not part.ndim)


def _without_flags(key: Any) -> tuple[Any, Any] | None:
    """An index with masks of no dimensions as two without: `x[True, i]` is `x[None, :][[True], i]`. None for others."""
    parts = key if isinstance(key, tuple) else (key,)
    if not any(map(_is_flag, parts)):
        return None
    widening: list[Any] = []
    for part in parts:
        if _is_flag(part):
            widening.append(None)
        elif part is Ellipsis:
            widening.append(part)
        elif part is not None:
            widening += [slice(None)] * (len(np.shape(part)) if _is_mask(part) else 1)
    return tuple(widening), tuple(REGISTRY["reshape"](part, [1]) if _is_flag(part) else part for part in parts)


def written(x: Any, key: Any, value: Any) -> Any:
    """The tensor that x is after `x[key] = value`. A tensor of a narrower dtype is taken in, as numpy does."""
    if isinstance(value, Tensor) and value.dtype is not x.dtype and not (_is_weak(value) or _is_weak(x)):
        if "string" in (value.dtype.family, x.dtype.family) or not np.can_cast(value.dtype.numpy, x.dtype.numpy):
            raise DtypeMismatchError(
                f"an element of a tensor of dtype {x.dtype.name} is set to a value of dtype {value.dtype.name}: nothing"
                f" is cast silently; use runtime.cast(value, {x.dtype.name!r})"
            )
        value = adopt(value, x.dtype, "an assignment to an element")
    return put_item(x, key, value)


def _is_weak(x: Any) -> bool:
    return bool(getattr(x, "weak", False))


def spec_of(key: Any) -> tuple[tuple[Any, ...], list[Any]]:
    """An index as the attribute `spec` and the operands of `getitem` and `setitem`."""
    parts = key if isinstance(key, tuple) else (key,)
    operands: list[Any] = []
    spec = tuple(_entry(part, operands) for part in parts)
    if sum(1 for entry in spec if entry == "...") > 1:
        raise IndexShapeError("an index can hold only one ellipsis (...)")
    return spec, operands


def _is_mask(part: Any) -> bool:
    """A bool tensor or array; lists of bool count, too."""
    if isinstance(part, Tensor):
        return part.dtype.is_bool
    if isinstance(part, np.ndarray):
        return bool(part.dtype == np.bool_)
    return isinstance(part, list) and bool(part) and all(isinstance(p, bool | np.bool_) for p in part)


def _entry(part: Any, operands: list[Any]) -> Any:
    """One entry of the spec; what only the graph will know is added to the operands."""
    part = as_operand(part) if hasattr(type(part), "__as_tensor__") else part
    if part is None:
        return None
    if part is Ellipsis:
        return "..."
    if isinstance(part, slice):
        ends = (part.start, part.stop, part.step)
        return tuple(None if end is None else _scalar(end, operands, "slice bound") for end in ends)
    return _array(part, operands) if _is_array(part) else _scalar(part, operands, "index")


def _is_array(part: Any) -> bool:
    """Whether an entry is positions or a mask: anything of rank 1 or more."""
    if isinstance(part, Tensor):
        return part.shape.rank not in (0, None)
    return isinstance(part, list | tuple | range) or (isinstance(part, np.ndarray) and part.ndim > 0)


def _array(part: Any, operands: list[Any]) -> str:
    if isinstance(part, list | tuple | range) and not part:
        part = np.zeros(0, np.int32)
    positions = convert_to_tensor(list(part) if isinstance(part, range) else part)
    if not (positions.dtype.is_integer or positions.dtype.is_bool):
        raise IndexKindError(
            f"the positions in an index must be integers, or bool for a mask; got {positions.dtype.name}: {part!r}"
        )
    operands.append(positions)
    return ARRAY


def _scalar(part: Any, operands: list[Any], what: str) -> Any:
    """A Python integer, or "at" for a symbolic scalar."""
    if _is_flag(part) and not (what == "slice bound" and isinstance(part, bool)):
        raise TypeError(f"a bool is no {what} here; use runtime.where to choose between two values: got {part!r}")
    kind = IndexKindError if what == "index" else TypeError
    if isinstance(part, Tensor):
        if part.dtype.is_bool:
            raise TypeError(f"the rank of a mask must be known; fix it with set_shape or ensure_shape: got {part!r}")
        if not part.dtype.is_integer:
            raise kind(f"the {what} of a tensor must be an integer; got a tensor of dtype {part.dtype.name}")
        if part.shape.rank not in (0, None):
            raise TypeError(f"the {what} of a tensor must be a scalar: got {part!r}")
        value = getattr(part, "value", None)
        if value is not None:
            return int(value[()])
        if hasattr(part, "op"):
            operands.append(part)
            return AT
        return operator.index(part)
    if hasattr(part, "__index__"):
        return operator.index(part)
    raise kind(
        f"the {what} of a tensor must be an integer, a slice, ..., runtime.newaxis, positions or a bool mask;"
        f" got {part!r}"
    )
