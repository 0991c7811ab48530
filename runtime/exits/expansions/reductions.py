"""Reductions that are made of sums and extremes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.dtypes import float16, float32, int64
from runtime.exits.expansions.arithmetic import constant
from runtime.exits.rules import expands
from runtime.ops.arrays.sum_to import sum_to
from runtime.ops.linear.einsum import einsum
from runtime.ops.linear.products import norm, tensordot
from runtime.ops.records.gradients import ops
from runtime.ops.records.shape_rules import normalized_axes
from runtime.ops.reductions.recurrence import kept_shape
from runtime.ops.reductions.reduce import reduce_logsumexp, reduce_prod, reduce_std, reduce_variance

__all__: list[str] = []

COLON = (None, None, None)
LETTERS = "abcdefghijklmnopqrstuvwxyz"


@expands(reduce_prod)
def _(input_tensor: Any, axis: Any, keepdims: bool) -> Any:
    """Of integers: each bit is right, where nodes go by floats."""
    x, rank = input_tensor, input_tensor.shape.rank
    if not x.dtype.is_integer or rank is None:
        return NotImplemented
    axes = normalized_axes(axis, rank)
    for along in axes:
        amounts = np.zeros((rank, 2), np.int32)
        amounts[along, 1] = 1
        longer = ops.cumprod(ops.pad(x, x.graph.constant(amounts), constant(x, 1)), axis=along)
        x = ops.getitem(longer, spec=(*(COLON,) * along, (-1, None, None)))
    return ops.squeeze(x, axis=axes) if axes and not keepdims else x


@expands(sum_to)
def _(x: Any, shape: Any) -> Any:
    """Of integers: each element is added where it belongs."""
    if not x.dtype.is_integer:
        return NotImplemented
    sizes = ops.cast(shape, dtype=int64)
    count = ops.reduce_prod(sizes)
    numbers = ops.reshape(ops.range(ops.zeros_like(count), count, ops.ones_like(count)), sizes)
    flat = ops.reshape(ops.size(x), [1])
    places = ops.reshape(ops.broadcast_to(numbers, ops.shape(x)), flat)
    return ops.reshape(ops.unsorted_segment_sum(ops.reshape(x, flat), places, count), sizes)


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


@expands(einsum)
def _(inputs: Any, equation: str) -> Any:
    """Of integers: all products side by side, and their exact sum."""
    terms, arrow, result = equation.replace(" ", "").partition("->")
    parts = terms.split(",")
    if not inputs[0].dtype.is_integer or not arrow or "." in equation or any(len(set(t)) != len(t) for t in parts):
        return NotImplemented
    letters = [*result, *sorted({c for c in terms if c not in (*result, ",")})]
    total = None
    for x, term in zip(inputs, parts, strict=True):
        order = sorted(range(len(term)), key=lambda i, term=term: letters.index(term[i]))  # type: ignore[misc]
        x = ops.transpose(x, perm=tuple(order))
        for place, letter in enumerate(letters):
            if letter not in term:
                x = ops.expand_dims(x, axis=place)
        total = x if total is None else ops.multiply(total, x)
    return ops.reduce_sum(total, axis=tuple(range(len(result), len(letters))))


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
