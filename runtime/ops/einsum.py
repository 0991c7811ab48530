"""Sums of products that an equation names: einsum.

>>> runtime.einsum("ij,jk->ik", runtime.constant([[1, 2]]), runtime.constant([[3], [4]]))
<tf.Tensor: shape=(1, 1), dtype=int32, numpy=array([[11]], dtype=int32)>
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from runtime.dtypes import NUMERIC
from runtime.errors import InvalidArgumentError, ShapeMismatchError
from runtime.ops.gradients import conjugated, ops
from runtime.ops.record import Array, Operand, op
from runtime.ops.samples import Failure, calls
from runtime.ops.values import show_shape
from runtime.shapes import TensorShape, broadcast_shapes

__all__ = ["einsum"]


def _letters(equation: str, count: int) -> tuple[list[str], str]:
    """The letters of each operand and of the result. Raises ValueError for an equation that does not fit."""
    text = equation.replace(" ", "")
    left, arrow, right = text.partition("->")
    terms = left.split(",")
    if len(terms) != count:
        raise ValueError(f"the equation {equation!r} has {len(terms)} operands, {count} were given")
    if not arrow:
        letters = left.replace(",", "").replace("...", "")
        right = ("..." if "..." in left else "") + "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    return terms, right


def _sum_shape(*inputs: Operand, equation: str) -> TensorShape:
    terms, result = _letters(equation, len(inputs))
    if any(i.shape.dims is None for i in inputs):
        return TensorShape(None)
    sizes: dict[str, int | None] = {}
    batch = TensorShape([])
    for term, operand in zip(terms, inputs, strict=True):
        dims = list(operand.shape.dims or ())
        before, dots, after = term.partition("...")
        extra = len(dims) - len(before) - len(after)
        if extra < 0 or (extra and not dots):
            raise ValueError(f"the term {term!r} of {equation!r} does not fit the shape {operand.shape}")
        batch = broadcast_shapes(batch, TensorShape(dims[len(before) : len(before) + extra]))
        for letter, size in zip(before + after, dims[: len(before)] + dims[len(before) + extra :], strict=True):
            if sizes.get(letter) is not None and size is not None and sizes[letter] != size:
                raise ValueError(f"{letter!r} in {equation!r} stands for {sizes[letter]} and {size}")
            sizes[letter] = size if size is not None else sizes.get(letter)
    return _named(result, sizes, batch, equation)


def _named(result: str, sizes: Mapping[str, int | None], batch: TensorShape, equation: str) -> TensorShape:
    before, dots, after = result.partition("...")
    unknown = [c for c in before + after if c not in sizes]
    if unknown:
        raise ValueError(f"the result of {equation!r} names {unknown[0]!r}, which no operand has")
    middle = batch if dots else TensorShape([])
    return TensorShape([sizes[c] for c in before]).concatenate(middle).concatenate([sizes[c] for c in after])


@op(
    shape=_sum_shape, dtypes=NUMERIC, view=True,
    samples=calls(lambda x: [((x(2, 3), x(3, 4)), {"equation": "ij,jk->ik"}), ((x(3),), {"equation": "i->"}),
                             ((x(3, 3),), {"equation": "ii->i"}), ((x(2, 3),), {"equation": "ij->ji"}),
                             ((x(2), x(3)), {"equation": "i,j"}),
                             ((x(4, 2, 3), x(3, 2)), {"equation": "...ij,jk->...ik"})]),
    reference=lambda *inputs, equation: np.einsum(equation, *(i.astype(object) for i in inputs)),
    errors=[Failure(([np.ones((2, 3), np.float32)],), ShapeMismatchError, ("'i'", "(2, 3)"), {"equation": "ii->i"}),
            Failure(([np.ones(2, np.float32)],), ShapeMismatchError, ("2 operands",), {"equation": "i,j->ij"}),
            Failure(([np.ones(2, np.float32)],), ShapeMismatchError, ("'k'",), {"equation": "i->k"})],
)  # fmt: skip
def einsum(*inputs: Array, equation: str) -> Any:
    """The sum of products that the equation names: "ij,jk->ik" is the matrix product. inputs: numeric, one dtype."""
    try:
        return np.einsum(equation, *inputs, dtype=inputs[0].dtype)
    except ValueError:
        shapes = ", ".join(map(show_shape, inputs))
        raise ShapeMismatchError(f"einsum: the shapes {shapes} do not fit the equation {equation!r}") from None


@einsum.gradient
def _(upstream: Any, inputs: Any, equation: str, needed: Any) -> Any:
    terms, result = _letters(equation, len(inputs))
    return [_of_operand(i, upstream, inputs, terms, result) if needed[i] else None for i in range(len(inputs))]


def _of_operand(place: int, upstream: Any, inputs: Any, terms: list[str], result: str) -> Any:
    """The sum of products of the upstream and the other operands, with the letters of this one.

    A letter that this operand alone has was summed over: the gradient is the same along it. One that it has twice
    stood for a diagonal: the gradient is zero beside it.
    """
    x, term = inputs[place], terms[place]
    others = [(t, conjugated(v)) for i, (t, v) in enumerate(zip(terms, inputs, strict=True)) if i != place]
    known = set("".join([result, *(t for t, _ in others)]))
    before, dots, after = term.partition("...")
    once = "".join(dict.fromkeys(before + after))
    kept = "".join(c for c in once if c in known)
    wide = dots if dots and "..." in "".join([result, *(t for t, _ in others)]) else ""
    equation = ",".join([result, *(t for t, _ in others)]) + "->" + wide + kept
    found = einsum([upstream, *(v for _, v in others)], equation=equation)
    if not dots and kept == term:
        return found
    return _spread(found, x, term, kept, bool(wide))


def _spread(found: Any, x: Any, term: str, kept: str, wide: bool) -> Any:
    """What has the letters `kept`, after the axes of an ellipsis, in the shape of the operand."""
    before, dots, after = term.partition("...")
    if dots and (x.shape.rank is None or found.shape.rank is None):
        raise InvalidArgumentError("einsum: the gradient with ... needs to know the ranks; see ensure_shape")
    extra = x.shape.rank - len(before + after) if dots else 0
    names = [*before, *(f"axis {i}" for i in range(extra)), *after]
    once = list(dict.fromkeys(names))
    if wide:  # the ellipsis of the operand may be shorter than that of the result, or of size 1 in it
        sizes = ops.shape(x)[len(before) : len(before) + extra]
        found = ops.sum_to(found, ops.concat([sizes, ops.shape(found)[found.shape.rank - len(kept) :]], axis=0))
    mine = [*(f"axis {i}" for i in range(extra) if wide), *kept]
    order = sorted(range(len(mine)), key=lambda i: once.index(mine[i]))
    found = ops.transpose(found, order)
    for i, name in enumerate(once):
        if name not in mine:
            found = ops.expand_dims(found, axis=i)
    shape = ops.shape(x)
    found = ops.broadcast_to(found, [shape[names.index(name)] for name in once])
    return _on_diagonals(found, x, names, once)


def _on_diagonals(found: Any, x: Any, names: list[str], once: list[str]) -> Any:
    """The axes of letters that stand more than once, each as many times, with zeros beside the diagonal."""
    for name in once:
        for _ in range(names.count(name) - 1):
            axis = once.index(name)
            found = ops.expand_dims(found, axis=len(once))
            size = ops.shape(found)[axis]
            line = [1] * (len(once) + 1)
            matrix = ops.eye(size, size, dtype=found.dtype)
            line[axis], line[-1] = size, size
            found = found * ops.reshape(matrix, line)
            once = [*once, f"{name} again"]
    if len(once) == len(names):
        left = [n.removesuffix(" again") for n in once]
        order = []
        for name in names:
            order.append(left.index(name))
            left[order[-1]] = ""
        return ops.transpose(found, order)
    raise AssertionError(f"the axes {once} do not become {names}")
