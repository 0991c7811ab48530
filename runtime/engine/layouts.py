"""Operations that only lay out elements anew, as Python writes them: many times faster than their kernels.

    v1 = v0.reshape(2, 3)             # also what expand_dims and squeeze come to; the sizes were compared before
    v1 = v0.reshape(-1)
    v1 = array((v2, v3), float64)     # scalars that are stacked: no array of rank 0 is made of each
    v1 = v0.nonzero()[0].reshape(-1, 1)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from runtime.dtypes import NUMBERS, bfloat16
from runtime.engine.values import Storage, is_scalar
from runtime.engine.views import is_view
from runtime.graph.operation import Operation
from runtime.ops.arrays.join import stack
from runtime.ops.arrays.shape import expand_dims, reshape, squeeze
from runtime.ops.elementwise.logic import argwhere
from runtime.tensor.symbolic import SymbolicTensor

if TYPE_CHECKING:
    from runtime.engine.emitter import Emitter

__all__ = ["emit_layout", "has_layout"]

_SAME_ELEMENTS: Final = frozenset({reshape, expand_dims, squeeze})


def has_layout(operation: Operation) -> bool:
    """Whether the operation is written here."""
    if operation.op is stack:
        return len(operation.outputs) == 1 and all(map(_is_number, operation.inputs))
    if operation.op is argwhere:
        return operation.inputs[0].shape.rank == 1 and operation.inputs[0].dtype is not bfloat16
    if operation.op not in _SAME_ELEMENTS:
        return False
    (source, *sizes), (result,) = operation.inputs, operation.outputs
    if source.shape.rank and _is_flat(operation):
        return True
    known = all(t.value is not None for t in sizes) and result.shape.is_fully_defined()
    return known and source.shape.is_fully_defined() and source.shape.rank != 0 and result.shape.rank != 0


def _is_number(tensor: SymbolicTensor) -> bool:
    """Whether it is a scalar that numpy makes an array of as it is."""
    return is_scalar(tensor) and tensor.dtype.numpy.kind in NUMBERS and tensor.dtype is not bfloat16


def _is_flat(operation: Operation) -> bool:
    """Whether it gives all elements one after the other, which is no matter of sizes."""
    wanted = operation.inputs[1].value if operation.op is reshape else None
    return wanted is not None and wanted.tolist() == [-1]


def emit_layout(emitter: Emitter, operation: Operation) -> None:
    """Writes the statement."""
    result = operation.outputs[0]
    if operation.op is stack:
        items = ", ".join([emitter.scalar_of(t) for t in operation.inputs])
        array, dtype = emitter.names.bind(np.array, "array"), emitter.names.bind(result.dtype.numpy, result.dtype.name)
        emitter.define(operation, f"{array}(({items},), {dtype})", owned=True)
        return
    if operation.op is argwhere:
        text = f"{emitter.array_of(operation.inputs[0])}.nonzero()[0].reshape(-1, 1)"
        emitter.define(operation, text, storage=Storage(False))
        return
    sizes = "-1" if _is_flat(operation) else ", ".join(map(str, result.shape.as_tuple()))
    storage = emitter.values[id(operation.inputs[0])].storage if is_view(operation) else None
    emitter.define(operation, f"{emitter.array_of(operation.inputs[0])}.reshape({sizes})", storage=storage)
