"""Where the extremes are, by numpy's method: `v1 = v0.argmin(0).item()`. The kernel tests whether there are any."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from runtime.dtypes import bfloat16, int64
from runtime.graph.operation import Operation
from runtime.ops.positions import argmax, argmin
from runtime.ops.shape_rules import normalized_axis

if TYPE_CHECKING:
    from runtime.engine.emitter import Emitter

__all__ = ["emit_extreme", "has_extreme"]

_METHODS: Final = {argmax: "argmax", argmin: "argmin"}


def has_extreme(operation: Operation) -> bool:
    """Whether the operation is written here: along an axis that is known to have elements."""
    if operation.op not in _METHODS or operation.outputs[0].dtype is not int64:
        return False
    (source,) = operation.inputs
    return bool(source.shape.rank) and source.dtype is not bfloat16 and bool(source.shape[_axis(operation)])


def _axis(operation: Operation) -> int:
    return normalized_axis(operation.attributes["axis"] or 0, operation.inputs[0].shape.rank or 0)


def emit_extreme(emitter: Emitter, operation: Operation) -> None:
    """Writes the statement."""
    text = f"{emitter.array_of(operation.inputs[0])}.{_METHODS[operation.op]}({_axis(operation)})"
    is_number = operation.outputs[0].shape.rank == 0
    emitter.define(operation, f"{text}.item()" if is_number else text, scalar=is_number, owned=not is_number)
