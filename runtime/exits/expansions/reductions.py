"""Reductions that are made of sums and extremes."""

from __future__ import annotations

import math
from typing import Any

from runtime.dtypes import float16, float32
from runtime.exits.expansions.arithmetic import constant
from runtime.exits.rules import expands
from runtime.ops.gradients import ops
from runtime.ops.linalg import norm, tensordot
from runtime.ops.recurrence import kept_shape
from runtime.ops.reduce import reduce_logsumexp, reduce_std, reduce_variance

__all__: list[str] = []

LETTERS = "abcdefghijklmnopqrstuvwxyz"


@expands(reduce_variance)
def _(input_tensor: Any, axis: Any, keepdims: bool) -> Any:
    x = ops.cast(input_tensor, dtype=float32) if input_tensor.dtype is float16 else input_tensor
    distance = ops.subtract(x, ops.reduce_mean(x, axis=axis, keepdims=True))
    return ops.cast(ops.reduce_mean(ops.square(distance), axis=axis, keepdims=keepdims), dtype=input_tensor.dtype)


@expands(reduce_std)
def _(input_tensor: Any, axis: Any, keepdims: bool) -> Any:
    return ops.sqrt(ops.reduce_variance(input_tensor, axis=axis, keepdims=keepdims))


@expands(reduce_logsumexp)
def _(input_tensor: Any, axis: Any, keepdims: bool) -> Any:
    x = input_tensor
    top = ops.reduce_max(x, axis=axis, keepdims=True)
    top = ops.where(ops.is_finite(top), top, constant(x, 0))
    total = ops.reduce_sum(ops.exp(ops.subtract(x, top)), axis=axis, keepdims=keepdims)
    return ops.add(ops.log(total), ops.reduce_sum(top, axis=axis, keepdims=keepdims))


@expands(norm)
def _(tensor: Any, ord: Any, axis: Any, keepdims: bool) -> Any:
    """Lengths of vectors; of matrices that of Frobenius."""
    given = {"axis": axis, "keepdims": keepdims}
    if ord in ("euclidean", "fro") or (ord == 2 and not isinstance(axis, tuple)):
        return ops.sqrt(ops.reduce_sum(ops.square(tensor), **given))
    if isinstance(axis, tuple) or isinstance(ord, str):
        return NotImplemented
    size = ops.abs(tensor)
    if ord == math.inf:
        return ops.reduce_max(size, **given)
    if ord == 1:
        return ops.reduce_sum(size, **given)
    if ord in (0, -math.inf):
        return NotImplemented
    return ops.pow(ops.reduce_sum(ops.pow(size, constant(size, ord)), **given), constant(size, 1 / ord))


@expands(tensordot)
def _(a: Any, b: Any, axes: Any) -> Any:
    ranks = a.shape.rank, b.shape.rank
    if None in ranks or sum(ranks) > len(LETTERS):
        return NotImplemented
    if isinstance(axes, int):
        pairs = [*zip(range(ranks[0] - axes, ranks[0]), range(axes), strict=True)]
    else:
        both = [(side,) if isinstance(side, int) else tuple(side) for side in axes]
        pairs = [(i % ranks[0], j % ranks[1]) for i, j in zip(*both, strict=True)]
    left, right = list(LETTERS[: ranks[0]]), list(LETTERS[ranks[0] : sum(ranks)])
    for i, j in pairs:
        right[j] = left[i]
    shared = {left[i] for i, _ in pairs}
    result = [c for c in (*left, *right) if c not in shared]
    return ops.einsum([a, b], equation=f"{''.join(left)},{''.join(right)}->{''.join(result)}")


@expands(kept_shape)
def _(shape: Any, axis: Any) -> Any:
    if axis is None:
        return ops.ones_like(shape)
    count = ops.size(shape)
    places = ops.range(ops.zeros_like(count), count, ops.ones_like(count))
    for one in axis if isinstance(axis, tuple) else (axis,):
        place = ops.add(count, constant(count, one)) if one < 0 else constant(count, one)
        shape = ops.where(ops.equal(places, place), constant(shape, 1), shape)
    return shape
