"""Sums of products that an equation names: einsum.

>>> runtime.einsum("ij,jk->ik", runtime.constant([[1, 2]]), runtime.constant([[3], [4]]))
<tf.Tensor: shape=(1, 1), dtype=int32, numpy=array([[11]], dtype=int32)>
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from runtime.dtypes import NUMERIC, int32
from runtime.errors import InvalidArgumentError, ShapeMismatchError
from runtime.ops.flow.core import operand_of
from runtime.ops.kernels.values import show_shape
from runtime.ops.records.gradients import conjugated, ops
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, calls
from runtime.shapes import TensorShape, broadcast_shapes

__all__ = ["einsum", "letters_of"]


def letters_of(equation: str, count: int) -> tuple[list[str], str]:
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
    terms, result = letters_of(equation, len(inputs))
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
            Failure(([np.ones((2, 1), np.float32), np.ones((3, 2), np.float32)],), ShapeMismatchError,
                    ("'j'", "1 and 3"), {"equation": "ij,jk->ik"}),
            Failure(([np.ones(2, np.float32)],), ShapeMismatchError, ("'k'",), {"equation": "i->k"})],
)  # fmt: skip
def einsum(*inputs: Array, equation: str) -> Any:
    """The sum of products that the equation names: "ij,jk->ik" is the matrix product. inputs: numeric, one dtype."""
    if any(1 in np.shape(x) for x in inputs):
        _refuse_ones(inputs, equation)
    try:
        return np.einsum(equation, *inputs, dtype=inputs[0].dtype)
    except ValueError:
        shapes = ", ".join(map(show_shape, inputs))
        raise ShapeMismatchError(f"einsum: the shapes {shapes} do not fit the equation {equation!r}") from None


def _refuse_ones(inputs: Sequence[Array], equation: str) -> None:
    """Raises ShapeMismatchError where a letter stands for 1 and another size: numpy would broadcast."""
    try:
        _sum_shape(*map(operand_of, inputs), equation=equation)
    except ValueError as error:
        shapes = ", ".join(map(show_shape, inputs))
        raise ShapeMismatchError(f"einsum: {error} (operand shapes: {shapes})") from None


@einsum.gradient
def _(upstream: Any, inputs: Any, equation: str, needed: Any) -> Any:
    terms, result = letters_of(equation, len(inputs))
    return [_of_operand(i, upstream, inputs, terms, result) if needed[i] else None for i in range(len(inputs))]


def _of_operand(place: int, upstream: Any, inputs: Any, terms: list[str], result: str) -> Any:
    """The sum of products of the upstream and the other operands, with the letters of this one.

    A letter that this operand alone has was summed over: the gradient is the same along it. One that it has twice
    stood for a diagonal: the gradient is zero beside it.
    """
    x, term = inputs[place], terms[place]
    others = [(t, conjugated(v)) for i, (t, v) in enumerate(zip(terms, inputs, strict=True)) if i != place]
    given = "".join([result, *(t for t, _ in others)])
    kept = "".join(c for c in dict.fromkeys(term.replace("...", "")) if c in given)
    wide = "..." if "..." in given else ""
    equation = ",".join([result, *(t for t, _ in others)]) + "->" + wide + kept
    found = einsum([upstream, *(v for _, v in others)], equation=equation)
    return found if not wide and kept == term else _spread(found, x, term, kept, bool(wide))


def _spread(found: Any, x: Any, term: str, kept: str, wide: bool) -> Any:
    """What has the letters `kept`, after the axes of an ellipsis if `wide`, in the shape of the operand."""
    before, dots, after = term.partition("...")
    if dots and x.shape.rank is None:
        raise InvalidArgumentError("einsum: the gradient with ... needs to know the ranks; see runtime.ensure_shape")
    shape = ops.shape(x)
    extra = x.shape.rank - len(before + after) if dots else 0
    if wide:  # the ellipsis of the operand may be shorter than that of the others, or of size 1, or missing
        sizes = [shape[len(before) : len(before) + extra]] if extra else []
        sizes += [ops.shape(found)[-len(kept) :]] if kept else []
        found = ops.sum_to(found, ops.concat(sizes, axis=0) if sizes else ops.zeros([0], dtype=int32))
    names = [*before, *(f"axis {i}" for i in range(extra)), *after]
    once = list(dict.fromkeys(names))
    mine = [*(f"axis {i}" for i in range(extra) if wide), *kept]
    found = ops.transpose(found, sorted(range(len(mine)), key=lambda i: once.index(mine[i])))
    for i, name in enumerate(once):
        if name not in mine:
            found = ops.expand_dims(found, axis=i)
    found = ops.broadcast_to(found, [shape[names.index(name)] for name in once] if once else [])
    return _on_diagonals(found, names, once)


def _on_diagonals(found: Any, names: list[str], once: list[str]) -> Any:
    """An axis for each of the names, in their order: those that stand more than once get zeros beside the diagonal."""
    axes = list(once)
    for name in once:
        for _ in range(names.count(name) - 1):
            size = ops.shape(found)[once.index(name)]
            line: list[Any] = [1] * (len(axes) + 1)
            line[once.index(name)] = line[-1] = size
            axes.append(name)
            matrix = ops.eye(size, size, dtype=found.dtype)
            found = ops.expand_dims(found, axis=-1) * ops.reshape(matrix, line)
    order: list[int] = []
    for name in names:
        order.append(next(i for i, n in enumerate(axes) if n == name and i not in order))
    return ops.transpose(found, order)
