"""`bitcast`: the bytes of numbers, read as numbers of another dtype.

    bitcast([1.0], dtype=int32)            ->    [1065353216]
    bitcast([1, 2], dtype=int16)           ->    [[1, 0], [2, 0]]; from those as int32 again [1, 2]
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from runtime.dtypes import BOOLS, NUMERIC, DType, bfloat16, int32
from runtime.errors import DtypeMismatchError, ShapeMismatchError
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample
from runtime.shapes import TensorShape

__all__ = ["bitcast"]


def _shape(x: Operand, dtype: DType) -> TensorShape:
    size, wanted = x.dtype.size, dtype.size
    if size >= wanted:
        return x.shape if size == wanted else x.shape.concatenate([size // wanted])
    if x.shape.rank is None:
        return x.shape
    _check(x.shape, wanted // size)
    return x.shape[:-1]


def _check(shape: TensorShape, many: int) -> None:
    """Raises ShapeMismatchError where rows do not have as many numbers as a wider one is made of."""
    if not shape[-1:].is_compatible_with([many]):
        raise ShapeMismatchError(f"bitcast: {many} numbers, the last axis, are one of the wider dtype; got {shape}")


def _samples(dtype: DType) -> Any:
    for target in sorted(NUMERIC - {bfloat16}, key=lambda d: d.name):
        many = max(target.size // dtype.size, 1)
        for shape in ((many,), (2, many)) if target.size > dtype.size else ((), (3,), (2, 2), (0,)):
            x = np.arange(int(np.prod(shape)), dtype=np.int64).reshape(shape).astype(dtype.numpy)
            yield Sample((x,), {"dtype": target})


def _by_hand(x: Array, dtype: DType) -> Any:
    """The bytes of each number or row, one by one."""
    letters = {"bool": "?", "float16": "e", "complex64": "ff", "complex128": "dd", "int64": "q", "uint64": "Q"}
    many = max(dtype.size // x.dtype.itemsize, 1)
    code = letters.get(dtype.name) or dtype.numpy.char
    found = []
    rows = x.reshape(-1, many)
    for row in rows:
        found += list(struct.iter_unpack("=" + code, b"".join(number.tobytes() for number in row)))
    numbers = [complex(*part) if dtype.is_complex else part[0] for part in found]
    leading = x.shape if many == 1 else x.shape[:-1]
    each = x.dtype.itemsize // dtype.size
    return np.array(numbers, dtype.numpy).reshape((*leading, each) if each > 1 else leading)


@op(
    shape=_shape, view=True, dtypes=(NUMERIC | BOOLS) - {bfloat16}, result=lambda x, dtype: dtype, samples=_samples,
    reference=_by_hand, no_gradient="bits are no function that has a slope",
    errors=[Failure(("a",), DtypeMismatchError, ("string",), {"dtype": int32}),
            Failure((np.zeros(3, np.int16),), ShapeMismatchError, ("2 numbers", "(3,)"), {"dtype": int32})],
)  # fmt: skip
def bitcast(x: Array, *, dtype: DType) -> Any:
    """The bytes of x as numbers of another dtype. x: numeric or bool tensor.

    A wider number becomes several narrow ones, along a new last axis; several narrow ones, which are the last axis,
    become a wider one. Raises ShapeMismatchError where there are not just as many.
    """
    memory = np.asarray(x, order="C")
    if memory.itemsize > dtype.size:
        return memory[..., None].view(dtype.numpy)
    if memory.itemsize == dtype.size:
        return memory.view(dtype.numpy)
    _check(TensorShape(memory.shape), dtype.size // memory.itemsize)
    return memory.view(dtype.numpy)[..., 0]
