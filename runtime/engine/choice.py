"""`where` of one condition for the whole: one of two arrays, and nothing is copied.

    v3 = v1 if v0 else v2

The result is one of its operands under another name, so nothing writes to the buffers of either from then on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.engine.values import is_scalar
from runtime.graph.operation import Operation
from runtime.ops.elementwise.logic import where

if TYPE_CHECKING:
    from runtime.engine.emitter import Emitter

__all__ = ["emit_choice", "is_choice"]


def is_choice(operation: Operation) -> bool:
    """Whether the operation takes one of two arrays as it is: of one shape, so that nothing is broadcast."""
    if operation.op is not where or not is_scalar(operation.inputs[0]):
        return False
    x, y = (t.shape for t in operation.inputs[1:])
    return bool(x.rank) and x.is_fully_defined() and x.dims == y.dims


def emit_choice(emitter: Emitter, operation: Operation) -> None:
    """Writes the statement."""
    condition, x, y = operation.inputs
    for tensor in (x, y):
        emitter.values[id(tensor)].storage.escape()
    emitter.define(operation, f"{emitter.array_of(x)} if {emitter.scalar_of(condition)} else {emitter.array_of(y)}")
