"""Products of vectors and matrices, by numpy's function alone where it gives what the kernel gives.

    v2 = dot(v0, v1).item()                                        # the sizes were compared before
    v2 = dot(v0, v1).item() if len(v0) == len(v1) else ...         # the kernel has the error
    v3 = matmul(v0.T, v1)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from runtime.dtypes import bfloat16
from runtime.engine.buffers import exact, kernel_call
from runtime.engine.values import is_python_number
from runtime.graph.operation import Operation
from runtime.graph.overflow import may_leave
from runtime.ops.linear.products import axis_pairs, matmul, tensordot

if TYPE_CHECKING:
    from runtime.engine.emitter import Emitter

__all__ = ["emit_product", "has_product"]

_RANKS: Final = (1, 2)


def has_product(operation: Operation) -> bool:
    """Whether the operation is written here: of vectors or matrices, over the last axis of the first one."""
    if operation.op not in (tensordot, matmul) or may_leave(operation):
        return False
    a, b = operation.inputs
    if a.shape.rank not in _RANKS or b.shape.rank not in _RANKS or a.dtype is bfloat16:
        return False
    if operation.op is matmul:
        return a.shape.rank == b.shape.rank == 2
    return axis_pairs(operation.attributes["axes"], a.shape.rank, b.shape.rank) == (
        (a.shape.rank - 1,), (max(b.shape.rank - 2, 0),)
    )  # fmt: skip


def emit_product(emitter: Emitter, operation: Operation) -> None:
    """Writes the statement."""
    emitter.can_warn = True
    result = operation.outputs[0]
    arrays = [emitter.array_of(t) for t in operation.inputs]
    swapped = [operation.op is matmul and operation.attributes[name] for name in ("transpose_a", "transpose_b")]
    function = np.matmul if operation.op is matmul else np.dot
    operands = [f"{array}.T" if swap else array for array, swap in zip(arrays, swapped, strict=True)]
    text = f"{emitter.names.bind(function, function.__name__)}({', '.join(operands)})"
    kernel = exact(emitter, kernel_call(emitter, operation, arrays), result.dtype)
    is_number = result.shape.rank == 0
    if is_number:
        take = ".item()" if is_python_number(result.dtype) else "[()]"
        text, kernel = f"{text}{take if is_python_number(result.dtype) else ''}", f"{kernel}{take}"
    sizes = [
        (t.shape[axis], f"{array}.shape[{axis}]")
        for t, array, axis in zip(operation.inputs, arrays, _summed(operation, swapped), strict=True)
    ]
    (first, of_first), (second, of_second) = sizes
    if first is None or second is None:
        text = f"{text} if {of_first} == {of_second} else {kernel}"
    emitter.define(operation, text, scalar=is_number, owned=not is_number)


def _summed(operation: Operation, swapped: list[bool]) -> tuple[int, int]:
    """The axis of each operand that is summed over."""
    a, b = operation.inputs
    last, first = (a.shape.rank or 1) - 1, max((b.shape.rank or 1) - 2, 0)
    return (0 if swapped[0] else last), (1 if swapped[1] else first)
