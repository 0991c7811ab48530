"""What arrays tell by numpy's own methods, without a kernel around them.

    v1 = v0.argmin(0).item()                        # the axis has elements
    v1 = v0.size
    v1 = minimum_reduce(v0, axis=None, initial=c0).item()
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from runtime.dtypes import bfloat16, int32, int64
from runtime.engine.buffers import exact, kernel_call
from runtime.engine.values import is_python_number
from runtime.graph.operation import Operation
from runtime.graph.overflow import may_leave
from runtime.ops.arrays.shape import size
from runtime.ops.records.shape_rules import normalized_axis
from runtime.ops.reductions.positions import argmax, argmin
from runtime.ops.reductions.reduce import (
    highest,
    lowest,
    reduce_all,
    reduce_any,
    reduce_max,
    reduce_min,
    reduce_prod,
    reduce_sum,
)

if TYPE_CHECKING:
    from runtime.engine.emitter import Emitter

__all__ = ["emit_method", "has_method"]

_POSITIONS: Final = {argmax: "argmax", argmin: "argmin"}
_REDUCTIONS: Final = {
    reduce_sum: np.add.reduce, reduce_prod: np.multiply.reduce, reduce_max: np.maximum.reduce,
    reduce_min: np.minimum.reduce, reduce_all: np.logical_and.reduce, reduce_any: np.logical_or.reduce,
}  # fmt: skip
_STARTS: Final = {reduce_max: lowest, reduce_min: highest}
_MOST: Final = {int32: 2**31 - 1, int64: 2**63 - 1}


def has_method(operation: Operation) -> bool:
    """Whether the operation is written here."""
    if not operation.inputs or not operation.inputs[0].shape.rank or operation.inputs[0].dtype is bfloat16:
        return False
    if operation.op in _POSITIONS:
        return operation.outputs[0].dtype is int64
    if operation.op in _REDUCTIONS:
        return operation.attributes["axis"] != () and not may_leave(operation)
    return operation.op is size


def emit_method(emitter: Emitter, operation: Operation) -> None:
    """Writes the statement."""
    (result,) = operation.outputs
    is_number = result.shape.rank == 0
    array = emitter.array_of(operation.inputs[0])
    if operation.op is size:
        emitter.define(operation, f"{array}.size", scalar=True)
        emitter.values[id(result)].range = 0, _MOST[result.dtype]
        return
    take = ".item()" if is_number and is_python_number(result.dtype) else ""
    if operation.op in _POSITIONS:
        text = f"{_position(emitter, operation, array)}{take}"
    else:
        text = f"{_reduction(emitter, operation, array)}{take}"
        emitter.can_warn = True
    emitter.define(operation, text, scalar=is_number, owned=not is_number)


def _position(emitter: Emitter, operation: Operation, array: str) -> str:
    source = operation.inputs[0]
    axis = normalized_axis(operation.attributes["axis"] or 0, source.shape.rank or 0)
    text = f"{array}.{_POSITIONS[operation.op]}({axis})"
    if source.shape[axis]:
        return text
    kernel = exact(emitter, kernel_call(emitter, operation, [array]), int64)  # it refuses an axis without elements
    return f"({text} if {array}.shape[{axis}] else {kernel})"


def _reduction(emitter: Emitter, operation: Operation, array: str) -> str:
    op, dtype = operation.op, operation.inputs[0].dtype
    reduce = _REDUCTIONS[op]
    arguments = [array, f"axis={operation.attributes['axis']}"]
    if operation.attributes["keepdims"]:
        arguments.append("keepdims=True")
    if op in _STARTS:
        arguments.append(f"initial={emitter.names.bind_constant(_STARTS[op](dtype.numpy))}")
    elif op in (reduce_sum, reduce_prod) and dtype.is_integer and dtype.size < 8:  # numpy would take 64 bits
        arguments.append(f"dtype={emitter.names.bind(dtype.numpy, dtype.name)}")
    return f"{emitter.names.bind(reduce, f'{op.name}_by_ufunc')}({', '.join(arguments)})"
