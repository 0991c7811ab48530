"""Variables: what each is now is a value; a write is another value from there on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.exits.onnx.build import Build
from runtime.exits.onnx.rules import lowers
from runtime.graph.operation import Operation
from runtime.ops.flow.state import (
    advance_variable,
    assign_add_variable,
    assign_sub_variable,
    assign_variable,
    read_variable,
)

__all__: list[str] = []


@lowers(read_variable)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Any:
    return build.handles[operands[0]]


@lowers(assign_variable)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Any:
    build.handles[operands[0]] = operands[1]
    return ()


@lowers(assign_add_variable, assign_sub_variable, advance_variable)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Any:
    handle, value = operands
    before = build.handles[handle]
    build.handles[handle] = build.node("Sub" if operation.op is assign_sub_variable else "Add", before, value)
    return before if operation.outputs else ()
