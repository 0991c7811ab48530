"""Variables: the lowering hands their values from one operation to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runtime.exits.xla.library import jnp
from runtime.exits.xla.rules import lowers
from runtime.exits.xla.values import Handle
from runtime.graph.operation import Operation
from runtime.ops.flow.state import (
    advance_variable,
    assign_add_variable,
    assign_sub_variable,
    assign_variable,
    read_variable,
)

if TYPE_CHECKING:
    from runtime.exits.xla.lowering import Lowering

__all__: list[str] = []


@lowers(read_variable)
def _(lowering: Lowering, operation: Operation, handle: Handle) -> Any:
    return lowering.memory[handle]


@lowers(assign_variable)
def _(lowering: Lowering, operation: Operation, handle: Handle, value: Any) -> Any:
    lowering.memory[handle] = jnp.asarray(value)
    return ()


@lowers(assign_add_variable)
def _(lowering: Lowering, operation: Operation, handle: Handle, value: Any) -> Any:
    before = lowering.memory[handle]
    lowering.memory[handle] = jnp.add(before, value).astype(before.dtype)
    return ()


@lowers(assign_sub_variable)
def _(lowering: Lowering, operation: Operation, handle: Handle, value: Any) -> Any:
    before = lowering.memory[handle]
    lowering.memory[handle] = jnp.subtract(before, value).astype(before.dtype)
    return ()


@lowers(advance_variable)
def _(lowering: Lowering, operation: Operation, handle: Handle, value: Any) -> Any:
    before = lowering.memory[handle]
    lowering.memory[handle] = jnp.add(before, value).astype(before.dtype)
    return before
