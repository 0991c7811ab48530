"""Operations on growing lists: a handle is a plain Python object in a register, `v1 = v1.push(v2)`.

    v1 = v1.push(v2)                  # the element is known to have the type that the list wants
    v3 = list_get(v1, v2, element_dtype=int32_type, element_shape=c0)
    v4 = list_stack(v1, element_dtype=int32_type, element_shape=c0)

Elements are arrays. What a list holds may be read much later, so its buffers are handed on: nothing writes to them.

A list that is the plan's own (`engine.own_lists`) is one of Python's, with numbers in it where all elements are:

    v1.append(v2)
    v3 = v1[-1]
    v4 = array(v1, int64)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from runtime.dtypes import variant
from runtime.engine.buffers import kernel_call
from runtime.engine.own_lists import CHANGES, Kind
from runtime.engine.values import Storage, Value, is_python_number, is_scalar
from runtime.graph.operation import Operation
from runtime.ops.kernels.list_value import ListValue, unboxed
from runtime.ops.lists.lists import (
    WORK,
    list_concat,
    list_extend,
    list_get,
    list_insert,
    list_length,
    list_new,
    list_pop,
    list_push,
    list_set,
    list_slice,
    list_stack,
)
from runtime.ops.records.record import Op
from runtime.tensor.symbolic import SymbolicTensor

if TYPE_CHECKING:
    from runtime.engine.emitter import Emitter

__all__ = ["as_value", "emit_constant_list", "emit_list", "from_value", "is_list_operation"]

POSITIONS: Final = frozenset({"index", "start", "stop", "step"})
"""The parameters that are integers for Python."""

_STATEMENTS: Final[dict[Op, str]] = {
    list_push: "{0}.append({1})",
    list_set: "{0}[{1}] = {2}",
    list_insert: "{0}.insert({1}, {2})",
    list_extend: "{0}.extend({1})",
    list_concat: "{0}.extend({1})",
    list_pop: "{0}.pop({1})",
    list_get: "{0}[{1}]",
    list_length: "len({0})",
}
"""How Python does it to a list of its own."""


def is_list_operation(operation: Operation) -> bool:
    """Whether the operation is written here: it works on handles whose rank is certain."""
    handles = [t for t in (*operation.inputs, *operation.outputs) if t.dtype is variant]
    return operation.op in WORK and all(map(is_scalar, handles))


def emit_list(emitter: Emitter, operation: Operation) -> None:
    """Writes the statement."""
    handle = operation.outputs[0] if operation.op is list_new else operation.inputs[0]
    kind = emitter.lists.get(id(handle))
    if kind is not None:
        _emit_own(emitter, operation, kind)
        return
    call = _call(emitter, operation)
    targets = [emitter.register_for(tensor) for tensor in operation.outputs]
    several = "," if operation.op.outputs != 1 else ""  # a tuple, also of one
    emitter.block.emit(f"{', '.join(targets)}{several} = {call}", operation)
    for tensor, register in zip(operation.outputs, targets, strict=True):
        _define(emitter, tensor, register, tensor.dtype is variant or operation.op is list_length)


def _define(emitter: Emitter, tensor: SymbolicTensor, register: str, scalar: bool) -> None:
    value = Value(tensor, emitter.block, Storage(False), registers=(register,))
    value.array, value.scalar = (None, register) if scalar else (register, None)
    emitter.values[id(tensor)] = value


def _call(emitter: Emitter, operation: Operation) -> str:
    if operation.op is list_length:
        return f"len({emitter.scalar_of(operation.inputs[0])})"
    texts = _operands(emitter, operation)
    if operation.op is list_push and _is_sure(operation):
        return f"{texts[0]}.push({texts[1]})"
    return kernel_call(emitter, operation, texts, WORK[operation.op])


def _operands(emitter: Emitter, operation: Operation, numbers: bool = False) -> list[str]:
    """Handles and positions as what they are in Python, elements as arrays, or as numbers."""
    texts = []
    names = operation.op.tensors
    for i, tensor in enumerate(operation.inputs):
        name = names[i] if i < len(names) else None  # one of a variable number of elements
        plain = tensor.dtype is variant or ((numbers or name in POSITIONS) and is_scalar(tensor))
        texts.append(emitter.scalar_of(tensor) if plain else emitter.array_of(tensor))
    return texts


def _is_sure(operation: Operation) -> bool:
    """Whether the element surely is what the list wants."""
    element, wanted = operation.inputs[1], operation.attributes
    return element.dtype is wanted["element_dtype"] and element.shape.is_subtype_of(wanted["element_shape"])


# -- lists that are the plan's own --------------------------------------------------------------------------------


def emit_constant_list(emitter: Emitter, operation: Operation, kind: Kind) -> None:
    """Writes the statement that makes a list of constants."""
    items: list[Any] = list(unboxed(operation.attributes["value"]))
    if kind.numbers:
        items = [item.item() if is_python_number(kind.dtype) else item[()] for item in items]
    emitter.define(operation, f"{emitter.names.bind_constant(items)}.copy()" if items else "[]", scalar=True)


def as_value(emitter: Emitter, items: str, kind: Kind) -> str:
    """A list of the plan's own as one that never changes."""
    if kind.numbers:
        dtype = emitter.names.bind(kind.dtype.numpy, kind.dtype.name)
        items = f"[{emitter.names.bind(np.asarray, 'asarray')}(item, {dtype}) for item in {items}]"
    return f"{emitter.names.bind(ListValue.of, 'list_of')}({items})"


def from_value(value: str, kind: Kind) -> str:
    """The other way."""
    take = ".item()" if is_python_number(kind.dtype) else "[()]"
    return f"[item{take} for item in {value}]" if kind.numbers else f"list({value})"


def _emit_own(emitter: Emitter, operation: Operation, kind: Kind) -> None:
    texts = _operands(emitter, operation, kind.numbers)
    op, scalar = operation.op, kind.numbers or kind.dtype is variant
    if op is list_extend and kind.numbers and is_python_number(kind.dtype):
        texts[1] += ".tolist()"
    if op in CHANGES:
        _change(emitter, operation, texts[0], _STATEMENTS[op].format(*texts), scalar)
    elif op is list_new:
        emitter.define(operation, f"[{', '.join(texts)}]", scalar=True)
    elif op is list_slice:
        emitter.define(operation, _slice(emitter, operation, texts), scalar=True)
    elif op is list_stack:
        emitter.define(operation, _stack(emitter, operation, texts, kind))
    else:
        emitter.define(operation, _STATEMENTS[op].format(*texts), scalar=scalar or op is list_length)


def _change(emitter: Emitter, operation: Operation, items: str, text: str, scalar: bool) -> None:
    """The statement that changes the list; the new handle is another name of it, in the place of the old one."""
    rest, *elements = operation.outputs
    register = emitter.register_for(rest, emitter.values[id(operation.inputs[0])])
    targets = {} if register == items else {register: items}
    if elements:  # of list_pop
        target = emitter.register_for(elements[0])
        emitter.block.emit(f"{', '.join([*targets, target])} = {', '.join([*targets.values(), text])}", operation)
        _define(emitter, elements[0], target, scalar)
    else:
        emitter.block.emit(text, operation)
        for name, value in targets.items():
            emitter.block.emit(f"{name} = {value}", operation)
    _define(emitter, rest, register, True)


def _slice(emitter: Emitter, operation: Operation, texts: list[str]) -> str:
    step, given = operation.inputs[3].value, operation.attributes
    if step is None or not step:
        return f"list({kernel_call(emitter, operation, texts, WORK[list_slice])})"
    start, stop = texts[1] if given["has_start"] else "", texts[2] if given["has_stop"] else ""
    return f"{texts[0]}[{start}:{stop}{'' if step == 1 else f':{texts[3]}'}]"


def _stack(emitter: Emitter, operation: Operation, texts: list[str], kind: Kind) -> str:
    if not kind.numbers:
        return kernel_call(emitter, operation, texts, WORK[list_stack])
    dtype = emitter.names.bind(kind.dtype.numpy, kind.dtype.name)
    return f"{emitter.names.bind(np.array, 'array')}({texts[0]}, {dtype})"
