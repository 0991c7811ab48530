"""The methods of ufuncs: `reduce`, `accumulate`, `reduceat`, `outer`.

    np.maximum.accumulate(x)      ->     x = maximum(x, x one place before), then 2 places, 4, 8, ...
    np.add.reduceat(x, [0, 2])    ->     unsorted_segment_sum(x, [0, 0, 1, 1, ...], 2)

What has an operation of its own takes that. Of the others those for which it makes no difference where one begins go in
halves, and the rest is a loop over rows, which is traced once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

import autograph
from runtime.tensor.numpy_calls.lines import as_lines, with_ones
from runtime.tensor.numpy_calls.masked import ABSENT, filled, mask_of
from runtime.tensor.numpy_calls.operands import (
    NotCovered,
    axis_of,
    call,
    kind_of,
    operand,
    positions,
    rank_of,
    size_of,
    tensor,
    to,
)  # fmt: skip
from runtime.tensor.numpy_calls.reductions import WIDE
from runtime.tensor.numpy_calls.shapes import TABLE as SHAPES
from runtime.tensor.numpy_calls.shapes import steps
from runtime.tensor.numpy_calls.ufuncs import UFUNCS, called, loop_dtypes
from runtime.tensor.tensor import Tensor

__all__ = ["METHODS", "ufunc_call"]

REDUCTIONS: Final[Mapping[np.ufunc, Callable[..., Any]]] = {
    np.add: np.sum, np.multiply: np.prod, np.maximum: np.max, np.minimum: np.min,
    np.logical_and: np.all, np.logical_or: np.any,
}  # fmt: skip
"""What `ufunc.reduce` does; its axis is the first one unless given."""

_IN_ORDER: Final = frozenset({np.maximum, np.minimum})
"""Reductions that no operation does for complex numbers, which only numpy puts in order."""

_OF_TRUTH: Final = frozenset({np.logical_and, np.logical_or})

ACCUMULATIONS: Final[Mapping[np.ufunc, Callable[..., Any]]] = {np.add: np.cumsum, np.multiply: np.cumprod}
"""The same of `ufunc.accumulate`."""

_SEGMENTS: Final = {
    np.add: "unsorted_segment_sum", np.multiply: "unsorted_segment_prod", np.maximum: "unsorted_segment_max",
    np.minimum: "unsorted_segment_min",
}  # fmt: skip
"""The same of `ufunc.reduceat`."""

_ANY_ORDER: Final = frozenset(
    {
        np.maximum, np.minimum, np.fmax, np.fmin, np.logical_and, np.logical_or, np.logical_xor, np.bitwise_and,
        np.bitwise_or, np.bitwise_xor, np.gcd, np.lcm, np.hypot, np.logaddexp, np.add, np.multiply,
    }
)  # fmt: skip
"""(a o b) o c is a o (b o c)."""


def ufunc_call(ufunc: np.ufunc, method: str, inputs: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """The operations that stand for a call of a ufunc. Raises NotCovered where there are none."""
    if method == "__call__":
        return called(ufunc, inputs, kwargs)
    if method not in METHODS:
        raise NotCovered(f"{ufunc.__name__}.{method} has no operation")
    if ufunc not in UFUNCS:
        raise NotCovered("it has no operation")
    if method != "outer" and (ufunc.nin, ufunc.nout) != (2, 1):
        raise ValueError(f"{method} only supported for binary functions")
    return METHODS[method](ufunc, *inputs, **{k: v for k, v in kwargs.items() if v is not None or k == "axis"})


def _reduce(
    ufunc: np.ufunc, array: Any, axis: Any = 0, dtype: Any = None, out: Any = None, keepdims: bool = False,
    initial: Any = ABSENT, where: Any = True,
) -> Any:  # fmt: skip
    named = {"keepdims": keepdims, "initial": initial, "where": where}
    if ufunc in _OF_TRUTH:
        del named["initial"]
        found = REDUCTIONS[ufunc](array, axis=axis, **named)
        return found if initial is ABSENT else ufunc(initial, found)
    if ufunc in REDUCTIONS and not (ufunc in _IN_ORDER and tensor(array).dtype.is_complex):
        kind = {} if dtype is None or ufunc in (np.maximum, np.minimum) else {"dtype": dtype}
        return REDUCTIONS[ufunc](array, axis=axis, **kind, **{k: v for k, v in named.items() if v is not ABSENT})
    x = _worked_on(ufunc, array, dtype)
    if where is not True:
        if ufunc.identity is None:
            raise ValueError(f"reduction operation '{ufunc.__name__}' does not have an identity, so to use a where mask"
                             " one has to specify 'initial'")  # fmt: skip
        x = filled(x, mask_of(x, where), ufunc.identity)
    lines, axes = as_lines(x, axis, ufunc.__name__)
    if len(axes) > 1 and ufunc not in _ANY_ORDER:
        raise ValueError(
            f"reduction operation '{ufunc.__name__}' is not reorderable, so at most one axis may be specified"
        )
    rows = SHAPES[np.moveaxis](lines, -1, 0)
    if initial is not ABSENT:
        first = call("broadcast_to", to(operand(initial), x.dtype.numpy), call("shape", rows)[1:])
        rows = call("concat", [call("expand_dims", first, axis=0), rows], axis=0)
    found = _folded(ufunc, rows)
    return with_ones(found, axes, rank_of(x, ufunc.__name__)) if keepdims else found


def _worked_on(ufunc: np.ufunc, array: Any, dtype: Any) -> Any:
    """The operand in the dtype in which the ufunc works on two of them, which has to be that of its result."""
    value = operand(array)
    if dtype is None and ufunc in (np.add, np.multiply):
        x = tensor(value)
        return to(x, WIDE.get(x.dtype.numpy.kind, x.dtype.numpy))
    kind = kind_of(value)
    taken, _, given = loop_dtypes(ufunc, (kind, kind), None if dtype is None else np.dtype(dtype))
    if taken != given:
        raise NotCovered("its result has another dtype than its operands")
    return to(value, taken)


def _folded(ufunc: np.ufunc, rows: Any) -> Any:
    """All rows together."""
    size = size_of(rows, 0)
    if isinstance(size, int) and not size:
        if ufunc.identity is None:
            raise ValueError(f"zero-size array to reduction operation {ufunc.__name__} which has no identity")
        return call("broadcast_to", to(ufunc.identity, rows.dtype.numpy), call("shape", rows)[1:])
    if not isinstance(size, int) or ufunc not in _ANY_ORDER:
        each: Any = autograph.converted(_one_by_one)
        return each(ufunc, rows[0], rows[1:])
    while size > 1:
        half = size // 2
        pairs = ufunc(rows[:half], rows[half : 2 * half])
        rows = call("concat", [pairs, rows[2 * half :]], axis=0) if size % 2 else pairs
        size -= half
    return rows[0]


def _one_by_one(ufunc: Any, total: Any, rows: Any) -> Any:
    for row in rows:
        total = ufunc(total, row)
    return total


def _accumulate(ufunc: np.ufunc, array: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
    if ufunc in ACCUMULATIONS:
        return ACCUMULATIONS[ufunc](array, axis=axis, **({} if dtype is None else {"dtype": dtype}))
    x = _worked_on(ufunc, array, dtype)
    place = axis_of(x, axis, f"{ufunc.__name__}.accumulate")
    rows = SHAPES[np.moveaxis](x, place, 0)
    size = size_of(rows, 0)
    if ufunc not in _ANY_ORDER:
        each: Any = autograph.converted(_each_so_far)
        found = each(ufunc, rows, size)
    elif isinstance(size, int):
        found = _doubled(ufunc, rows, size)
    else:
        found = autograph.converted(_doubled)(ufunc, rows, size)
        found.set_shape(rows.shape)
    return SHAPES[np.moveaxis](found, 0, place)


def _doubled(ufunc: Any, rows: Any, size: Any) -> Any:
    """Each row with the one before it, then with what the one two places before has of it, and so on."""
    shift = 1
    while shift < size:
        rows = np.concatenate([rows[:shift], ufunc(rows[:-shift], rows[shift:])])
        shift = shift * 2
    return rows


def _each_so_far(ufunc: Any, rows: Any, size: Any) -> Any:
    found, total = rows, rows[0]
    for i in steps(size)[1:]:
        total = ufunc(total, rows[i])
        found = _put(found, i, total)
    return found


def _put(rows: Any, place: Any, row: Any) -> Any:
    at = call("reshape", place, [1, 1])
    return call("tensor_scatter_nd_update", rows, at, call("expand_dims", row, axis=0))


def _reduceat(ufunc: np.ufunc, array: Any, indices: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
    if ufunc not in _SEGMENTS:
        known = ", ".join(one.__name__ for one in _SEGMENTS)
        raise NotCovered(f"{ufunc.__name__}.reduceat has no operation; that of {known} has")
    x = _worked_on(ufunc, array, dtype)
    place = axis_of(x, axis, f"{ufunc.__name__}.reduceat")
    rows = SHAPES[np.moveaxis](x, place, 0)
    starts = to(positions(indices), np.int64)
    ends = call("concat", [starts[1:], call("reshape", to(size_of(rows, 0), np.int64), [1])], axis=0)
    lengths = call("maximum", call("subtract", ends, starts), 1)  # what does not end behind its start is one element
    until = call("cumsum", lengths, 0)
    numbers = steps(call("reduce_sum", lengths))
    owners = call("searchsorted", until, numbers, side="right")
    moved = call("subtract", starts, call("subtract", until, lengths))
    taken = call("gather", rows, call("add", numbers, call("gather", moved, owners, 0)), 0)
    found = call(_SEGMENTS[ufunc], taken, owners, size_of(starts, 0))
    return SHAPES[np.moveaxis](found, 0, place)


def _outer(ufunc: np.ufunc, a: Any, b: Any, **kwargs: Any) -> Any:
    left, right = operand(a), operand(b)
    if not isinstance(right, Tensor):
        right = np.asarray(right)
    added = [1] * (rank_of(right, "outer") if isinstance(right, Tensor) else right.ndim)
    if not isinstance(left, Tensor):
        return ufunc(np.reshape(left, (*np.shape(left), *added)), right, **kwargs)
    for _ in added:
        left = call("expand_dims", left, axis=-1)
    return ufunc(left, right, **kwargs)


METHODS: Final[Mapping[str, Callable[..., Any]]] = {
    "reduce": _reduce, "accumulate": _accumulate, "reduceat": _reduceat, "outer": _outer,
}  # fmt: skip
"""By the name of the method."""
