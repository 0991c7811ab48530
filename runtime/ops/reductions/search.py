"""Search and counting in one dimension: searchsorted, bincount, unique_sorted, convolve.

>>> np.searchsorted(runtime.constant([1.0, 2.0, 4.0]), [3.0])
<tf.Tensor: shape=(1,), dtype=int64, numpy=array([2])>
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import INTEGERS, NUMERIC, REALS, DType, int64
from runtime.errors import DtypeMismatchError, InvalidArgumentError, ShapeMismatchError
from runtime.ops.kernels.values import elements, show_shape
from runtime.ops.records.gradients import conjugated, ops
from runtime.ops.records.raises import VALUES
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample, calls, each, values
from runtime.ops.records.shape_rules import known_integers
from runtime.shapes import TensorShape

__all__ = ["bincount", "convolve", "searchsorted", "unique_sorted"]

SIDES = ("left", "right")
MODES = ("full", "same", "valid")


def _one_of(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise InvalidArgumentError(f"{name} is one of {', '.join(map(repr, allowed))}; got {value!r}")


def _vectors(name: str, *shapes: TensorShape) -> None:
    for shape in shapes:
        if shape.rank not in (1, None):
            raise ValueError(f"{name} takes vectors; got the shape {shape}")


def _found_shape(sorted_sequence: Operand, values: Operand, side: str) -> TensorShape:
    _one_of("searchsorted: side", side, SIDES)
    _vectors("searchsorted", sorted_sequence.shape)
    return values.shape


def _searched(dtype: DType) -> Any:
    for length, shape, low, high in ((5, (), -3, 3), (0, (3,), -3, 3), (6, (2, 4), -4, 4), (1, (0,), 0, 1)):
        for side in SIDES:
            line = np.sort(values(dtype, (length,), low, high))
            yield Sample((line, values(dtype, shape, low, high, 1)), {"side": side})


def _by_counting(sorted_sequence: Array, values: Array, side: str) -> Array:
    """How many elements are less than each value, or not greater."""
    line = sorted_sequence.reshape(-1, *(1,) * np.ndim(values))
    return np.asarray(np.sum(line < values if side == "left" else line <= values, axis=0))


@op(
    shape=_found_shape, dtypes=REALS, result=int64, samples=_searched, reference=_by_counting,
    errors=[Failure((np.ones((2, 2), np.float32), np.ones(2, np.float32)), ShapeMismatchError, ("vectors", "(2, 2)")),
            Failure((np.ones(2, np.float32), np.ones(2, np.float32)), InvalidArgumentError, ("'up'",), {"side": "up"})],
)  # fmt: skip
def searchsorted(sorted_sequence: Array, values: Array, side: str = "left") -> Any:
    """Where each value would go in a vector that is in order: before its equals (left) or after them (right).

    sorted_sequence: a real vector in ascending order. values: of the same dtype and any shape, which is that of the
    result, too; it is int64.
    """
    _one_of("searchsorted: side", side, SIDES)
    if np.ndim(sorted_sequence) != 1:
        raise ShapeMismatchError(f"searchsorted takes vectors; got the shape {show_shape(sorted_sequence)}")
    return np.searchsorted(sorted_sequence, values, side)  # type: ignore[call-overload]


def _counted_shape(values: Operand, minlength: Operand) -> TensorShape:
    _vectors("bincount", values.shape)
    known, least = known_integers(values), known_integers(minlength)
    return TensorShape([max((*known, -1)) + 1 if least is None else max(*known, least[0] - 1, -1) + 1]
                       if known is not None and least is not None else [None])  # fmt: skip


@op(
    raises=VALUES,
    shape=_counted_shape, dtypes={"values": INTEGERS, "minlength": INTEGERS}, result=int64,
    samples=calls(lambda x: [((x(8, low=0, high=5), np.array(n, np.int64)), {}) for n in (0, 3, 9)]
                  + [((x(0), np.array(2, np.int64)), {})]),
    reference=lambda values, minlength: [sum(1 for v in values.tolist() if v == i)
                                         for i in range(max([*values.tolist(), int(minlength) - 1], default=-1) + 1)],
    errors=[Failure((np.array([1, -2], np.int32), 0), InvalidArgumentError, ("-2",)),
            Failure((np.ones((2, 2), np.int32), 0), ShapeMismatchError, ("(2, 2)",)),
            Failure((np.ones(2, np.float32), 0), DtypeMismatchError, ("float32",))],
)  # fmt: skip
def bincount(values: Array, minlength: Array) -> Any:
    """How often each of 0, 1, 2, ... occurs, as an int64 vector up to the largest value; not shorter than minlength.

    values: a vector of integers that are not negative. minlength: an integer scalar.
    """
    if np.ndim(values) != 1:
        raise ShapeMismatchError(f"bincount takes vectors; got the shape {show_shape(values)}")
    try:
        return np.bincount(values.astype(np.int64, copy=False), minlength=int(minlength))
    except ValueError:
        if not values.size or values.min() >= 0:
            raise
        raise InvalidArgumentError(f"bincount: values are not negative; got {values.min()}") from None


def _unique_shapes(x: Operand) -> tuple[TensorShape, TensorShape, TensorShape, TensorShape]:
    some, size = TensorShape([None]), x.shape.num_elements()
    return some, some, TensorShape([size]), some


def _by_first_appearance(x: Array) -> tuple[Any, Any, Any, Any]:
    items = x.reshape(-1).tolist()
    found = sorted(set(items))
    return (
        found, [items.index(v) for v in found], np.array([found.index(v) for v in items], np.int64),
        [items.count(v) for v in found],
    )  # fmt: skip


@op(
    shape=_unique_shapes, dtypes=REALS, outputs=4, no_gradient="which elements there are changes by jumps",
    result=lambda x: (x.dtype, int64, int64, int64),
    samples=calls(lambda x: [(np.round(x(9)).astype(x().dtype),), (x(0),), (x(2, 3),), (x(3, 2).T,), (x(),)]),
    reference=_by_first_appearance,
    errors=[Failure((np.ones(2, np.bool_),), DtypeMismatchError, ("bool",))],
)  # fmt: skip
def unique_sorted(x: Array) -> Any:
    """The different elements in ascending order; where each comes first in the flat x; the number, in that order, of
    each element of the flat x; and how often each occurs. x: real tensor; the last three results are int64 vectors."""
    found, first, places, counts = np.unique(
        elements(x).reshape(-1), return_index=True, return_inverse=True, return_counts=True
    )
    return found, first.astype(np.int64), places.astype(np.int64).reshape(-1), counts.astype(np.int64)


def _convolved_shape(a: Operand, v: Operand, mode: str) -> TensorShape:
    _one_of("convolve: mode", mode, MODES)
    _vectors("convolve", a.shape, v.shape)
    n, m = a.shape[0], v.shape[0]
    if 0 in (n, m):
        raise ValueError("convolve: a vector is empty")
    if n is None or m is None:
        return TensorShape([None])
    return TensorShape([{"full": n + m - 1, "same": max(n, m), "valid": max(n, m) - min(n, m) + 1}[mode]])


def _sums_of_products(a: Array, v: Array, mode: str) -> Any:
    n, m = len(a), len(v)
    x, y = a.tolist(), v.tolist()
    full = [sum(x[j] * y[i - j] for j in range(max(0, i - m + 1), min(n, i + 1))) for i in range(n + m - 1)]
    short = min(n, m)
    start = {"full": 0, "same": (short - 1) // 2, "valid": short - 1}[mode]
    length = {"full": n + m - 1, "same": max(n, m), "valid": max(n, m) - short + 1}[mode]
    return full[start : start + length]


@op(
    shape=_convolved_shape, dtypes=NUMERIC,
    samples=each(calls(lambda x: [(x(5), x(3)), (x(2), x(6)), (x(4), x(1)), (x(6)[::-1], x(4)[::2])]), mode=MODES),
    reference=_sums_of_products,
    errors=[Failure((np.ones((2, 2), np.float32), np.ones(2, np.float32)), ShapeMismatchError, ("vectors", "(2, 2)")),
            Failure((np.ones(0, np.float32), np.ones(2, np.float32)), ShapeMismatchError, ("empty",)),
            Failure((np.ones(2, np.float32), np.ones(2, np.float32)), InvalidArgumentError, ("'all'",),
                    {"mode": "all"})],
)  # fmt: skip
def convolve(a: Array, v: Array, mode: str = "full") -> Any:
    """The discrete convolution of two vectors: sums of a[j] * v[i - j]. a, v: numeric, of one dtype, not empty.

    mode: "full" has all overlaps, "same" as many elements as the longer vector, "valid" only where they fully overlap.
    """
    _one_of("convolve: mode", mode, MODES)
    if np.ndim(a) != 1 or np.ndim(v) != 1:
        raise ShapeMismatchError(f"convolve takes vectors; got the shapes {show_shape(a)} and {show_shape(v)}")
    if not (a.size and v.size):
        raise ShapeMismatchError("convolve: a vector is empty")
    return np.convolve(a, v, mode)  # type: ignore[call-overload]


@convolve.gradient
def _(upstream: Any, a: Any, v: Any, mode: str, needed: Any) -> Any:
    """Of the full result each operand's gradient is the correlation with the other one."""
    whole = upstream if mode == "full" else _in_full(upstream, a, v, mode)
    by_a = convolve(whole, ops.reverse(conjugated(v), axis=0), "valid") if needed[0] else None
    by_v = convolve(whole, ops.reverse(conjugated(a), axis=0), "valid") if needed[1] else None
    return by_a, by_v


def _in_full(part: Any, a: Any, v: Any, mode: str) -> Any:
    """Zeros around a part of the result, which then has the length of all overlaps."""
    n, m = ops.size(a), ops.size(v)
    start = ops.minimum(n, m) - 1
    if mode == "same":
        start = start // 2
    return ops.pad(part, [[start, n + m - 1 - start - ops.size(part)]], 0)
