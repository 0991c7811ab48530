"""A block of a tensor by its corner and size, and a shape that is checked: slice, ensure_shape.

>>> runtime.slice([1, 2, 3, 4], [1], [2])
<tf.Tensor: shape=(2,), dtype=int32, numpy=array([2, 3], dtype=int32)>
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import ANY
from runtime.errors import ShapeMismatchError
from runtime.ops.arrays.shape import INDEXES
from runtime.ops.kernels.values import elements, integers
from runtime.ops.records.gradients import ops
from runtime.ops.records.raises import Raises
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, calls, unary
from runtime.ops.records.shape_rules import known_parts
from runtime.shapes import TensorShape

__all__ = ["ensure_shape", "slice_"]


def _block(dims: tuple[int | None, ...], begin: Any, size: Any) -> list[int | None]:
    """The sizes of a block as far as they are known. Raises ValueError for one that leaves the tensor."""
    if not len(begin) == len(size) == len(dims):
        raise ValueError(f"begin has {len(begin)} and size {len(size)} entries for {len(dims)} dimensions")
    found: list[int | None] = []
    for axis, (whole, start, length) in enumerate(zip(dims, begin, size, strict=True)):
        rest = None if whole is None or start is None else whole - start
        wrong = (start is not None and start < 0) or (length is not None and length < -1)
        if wrong or (rest is not None and (rest < 0 or (length is not None and length > rest))):
            raise ValueError(f"axis {axis} has {whole} elements: begin={start}, size={length} is no part of it")
        found.append(rest if length == -1 else length)
    return found


def _block_shape(input_: Operand, begin: Operand, size: Operand) -> TensorShape:
    corner, lengths, dims = known_parts(begin), known_parts(size), input_.shape.dims
    if dims is None:
        return TensorShape(None if lengths is None else [None if n == -1 else n for n in lengths])
    unknown = (None,) * len(dims)
    return TensorShape(_block(dims, unknown if corner is None else corner, unknown if lengths is None else lengths))


def _at(*items: int) -> Array:
    return np.array(items, np.int32)


def _by_index(input_: Array, begin: Array, size: Array) -> Array:
    sizes = [n - b if s == -1 else s for n, b, s in zip(input_.shape, begin.tolist(), size.tolist(), strict=True)]
    result = np.empty(sizes, object)
    for index in np.ndindex(result.shape):
        result[index] = input_[tuple(i + b for i, b in zip(index, begin.tolist(), strict=True))]
    return result


@op(
    raises=Raises((ShapeMismatchError,), shapes=True),
    shape=_block_shape, dtypes={"input_": ANY, ("begin", "size"): INDEXES}, view=True, reference=_by_index,
    samples=calls(lambda x: [(x(4), _at(1), _at(2)), (x(2, 3), _at(0, 1), _at(2, -1)), (x(), _at(), _at()),
                             (x(3, 2).T, _at(1, 0), _at(0, 3)), (x(0), _at(0), _at(-1)),
                             (x(6)[::-2], np.array([2]), np.array([1]))]),
    errors=[Failure((np.ones(3, np.float32), [2], [2]), ShapeMismatchError, ("3", "begin=2", "size=2")),
            Failure((np.ones(3, np.float32), [-1], [1]), ShapeMismatchError, ("begin=-1",)),
            Failure((np.ones(3, np.float32), [1, 0], [1, 1]), ShapeMismatchError, ("2", "1 dimensions"))],
)  # fmt: skip
def slice_(input_: Array, begin: Array, size: Array) -> Any:
    """The block of size[i] elements from begin[i] on along each axis i; -1 stands for all that follow.

    input_: any tensor; begin, size: one integer for each of its dimensions. A block that leaves the tensor raises
    ShapeMismatchError (an InvalidArgumentError).
    """
    input_ = elements(input_)
    corner, lengths = integers(begin, "slice"), integers(size, "slice")
    try:
        found = _block(input_.shape, corner, lengths)
    except ValueError as error:
        raise ShapeMismatchError(f"slice: {error}") from None
    return input_[tuple([slice(b, b + (n or 0)) for b, n in zip(corner, found, strict=True)])]


@slice_.gradient
def _(upstream: Any, input_: Any, begin: Any) -> Any:
    after = ops.cast(ops.shape(input_) - ops.shape(upstream), begin.dtype) - begin
    return ops.pad(upstream, ops.stack([begin, after], axis=1), 0, mode="CONSTANT"), None, None


def _ensured(x: Operand, shape: TensorShape) -> TensorShape:
    if not x.shape.is_compatible_with(shape):
        raise ValueError(f"the shape is {x.shape}, not {shape}")
    return x.shape.merge_with(shape)


def _plain(dtype: Any) -> Any:
    for sample in unary()(dtype):
        dims = np.shape(sample.operands[0])
        for shape in (TensorShape(None), TensorShape(dims), TensorShape([None] * len(dims))):
            yield type(sample)(sample.operands, {"shape": shape})


@op(
    shape=_ensured, view=True, samples=_plain, reference=lambda x, shape: x,
    errors=[Failure((np.ones((2, 3), np.float32),), ShapeMismatchError, ("(2, 3)", "(None, 4)"),
                    {"shape": TensorShape([None, 4])})],
)  # fmt: skip
def ensure_shape(x: Array, *, shape: TensorShape) -> Any:
    """x itself, whose shape is known from here on to be compatible with `shape`, a TensorShape. x: any tensor.

    Raises ShapeMismatchError where it is not, while the graph is built or when it runs.
    """
    if not TensorShape(np.shape(elements(x))).is_compatible_with(shape):
        raise ShapeMismatchError(f"ensure_shape: the shape is {np.shape(elements(x))}, not {shape}")
    return x


@ensure_shape.gradient
def _(upstream: Any) -> Any:
    return upstream
