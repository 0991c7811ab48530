"""Variables in generated code: the memory of a Variable is a local, read and written straight.

    v0 = a2.read()                    # the array itself; it never changes afterwards, so nothing is copied
    a2.update(add, v1)                # in place, where nobody else sees the array
    a2.take(v2)                       # v2 is a buffer of the plan's own and dies here: it becomes the memory
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.engine.buffers import kernel_call
from runtime.graph.operation import Operation
from runtime.ops.flow.state import READS, UPDATES, WRITES, assign_variable

if TYPE_CHECKING:
    from runtime.engine.emitter import Emitter

__all__ = ["emit_state", "is_state_operation"]


def is_state_operation(operation: Operation) -> bool:
    """Whether the operation reads or writes a Variable."""
    return operation.op in READS or operation.op in WRITES


def emit_state(emitter: Emitter, operation: Operation) -> None:
    """Writes the statement."""
    memory = emitter.scalar_of(operation.inputs[0])
    emitter.can_warn |= operation.op not in READS and operation.op is not assign_variable
    if operation.op in READS:
        emitter.define(operation, f"{memory}.read()")
        return
    arrays = [emitter.array_of(t) for t in operation.inputs[1:]]
    if operation.op is assign_variable:
        method = "take" if _may_take(emitter, operation) else "assign"
        text = f"{memory}.{method}({arrays[0]})"
    elif operation.op in UPDATES:
        text = f"{memory}.update({emitter.names.bind(UPDATES[operation.op], operation.op.name)}, {arrays[0]})"
    else:
        text = kernel_call(emitter, operation, [memory, *arrays])
        if operation.outputs:
            emitter.define(operation, text)
            return
    emitter.block.emit(text, operation)


def _may_take(emitter: Emitter, operation: Operation) -> bool:
    """Whether the buffer of the value can become the Variable's memory: the plan made it, and it is not read again."""
    value = emitter.values[id(operation.inputs[1])]
    return value.exclusive and value in emitter.dying and value.array in value.registers
