"""Operations on growing lists: a handle is a plain Python object in a register, `v1 = v1.push(v2)`.

    v1 = v1.push(v2)                  # the element is known to have the type that the list wants
    v3 = list_get(v1, v2, element_dtype=int32_type, element_shape=c0)
    v4 = list_stack(v1, element_dtype=int32_type, element_shape=c0)

Elements are arrays. What a list holds may be read much later, so its buffers are handed on: nothing writes to them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from runtime.dtypes import variant
from runtime.engine.buffers import kernel_call
from runtime.engine.values import Storage, Value, is_scalar
from runtime.graph.operation import Operation
from runtime.ops.lists import WORK, list_length, list_push

if TYPE_CHECKING:
    from runtime.engine.emitter import Emitter

__all__ = ["emit_list", "is_list_operation"]

POSITIONS: Final = frozenset({"index", "start", "stop", "step"})
"""The parameters that are integers for Python."""


def is_list_operation(operation: Operation) -> bool:
    """Whether the operation is written here: it works on handles whose rank is certain."""
    handles = [t for t in (*operation.inputs, *operation.outputs) if t.dtype is variant]
    return operation.op in WORK and all(map(is_scalar, handles))


def emit_list(emitter: Emitter, operation: Operation) -> None:
    """Writes the statement."""
    call = _call(emitter, operation)
    targets = []
    for tensor in operation.outputs:
        register = emitter.register_for(tensor)
        number = tensor.dtype is variant or operation.op is list_length
        value = Value(tensor, emitter.block, Storage(False), registers=(register,))
        value.array, value.scalar = (None, register) if number else (register, None)
        emitter.values[id(tensor)] = value
        targets.append(register)
    several = "," if operation.op.outputs != 1 else ""  # a tuple, also of one
    emitter.block.emit(f"{', '.join(targets)}{several} = {call}", operation)


def _call(emitter: Emitter, operation: Operation) -> str:
    if operation.op is list_length:
        return f"len({emitter.scalar_of(operation.inputs[0])})"
    texts = _operands(emitter, operation)
    if operation.op is list_push and _is_sure(operation):
        return f"{texts[0]}.push({texts[1]})"
    return kernel_call(emitter, operation, texts, WORK[operation.op])


def _operands(emitter: Emitter, operation: Operation) -> list[str]:
    """Handles and positions as what they are in Python, elements as arrays."""
    texts = []
    names = operation.op.tensors
    for i, tensor in enumerate(operation.inputs):
        name = names[i] if i < len(names) else None  # one of a variable number of elements
        plain = tensor.dtype is variant or (name in POSITIONS and is_scalar(tensor))
        texts.append(emitter.scalar_of(tensor) if plain else emitter.array_of(tensor))
    return texts


def _is_sure(operation: Operation) -> bool:
    """Whether the element surely is what the list wants."""
    element, wanted = operation.inputs[1], operation.attributes
    return element.dtype is wanted["element_dtype"] and element.shape.is_subtype_of(wanted["element_shape"])
