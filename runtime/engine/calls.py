"""Functions of the library: each is a function of the generated module, `call` is a call of it.

    def fact(a0):                     # a scalar comes and goes in scalar form
        if a0 < 2: v0 = 1
        else:
            v0 = a0 - 1
            v0 = fact(v0)
            ...
        return v0

What goes into a call may come out again, under another name or in a list, so nobody writes to it afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from runtime.engine.values import Block, Storage, Value, is_scalar
from runtime.graph.graph import Graph
from runtime.graph.nesting import drive
from runtime.graph.operation import Operation

if TYPE_CHECKING:
    from runtime.engine.emitter import Emitter

__all__ = ["Callee", "emit_call", "write_function"]


@dataclass(frozen=True, slots=True)
class Callee:
    """A function of the library and its name in the generated code."""

    name: str
    graph: Graph


def emit_call(emitter: Emitter, operation: Operation, library: Mapping[str, Callee]) -> None:
    """Writes the statement of a `call`."""
    callee = library[operation.attributes["function"]]
    arguments = [
        emitter.scalar_of(t) if is_scalar(parameter) else emitter.array_of(t)
        for t, parameter in zip(operation.inputs, callee.graph.inputs, strict=True)
    ]
    text = f"{callee.name}({', '.join(arguments)})"
    emitter.can_warn = True
    registers = []
    for tensor, result in zip(operation.outputs, callee.graph.outputs, strict=True):
        register = emitter.register_for(tensor)
        registers.append(register)
        value = Value(tensor, emitter.block, Storage(False), registers=(register,))
        value.array, value.scalar = (None, register) if is_scalar(result) else (register, None)
        emitter.values[id(tensor)] = value
    emitter.block.emit(f"{', '.join(registers)} = {text}" if registers else text, operation)


def write_function(emitter: Emitter, callee: Callee) -> None:
    """Writes a function of the library with an emitter of its own, which shares the names of the module."""
    block = emitter.block = Block(1, 0)
    inputs = []
    for i, tensor in enumerate(callee.graph.inputs):
        value = Value(tensor, block, Storage(False))
        value.array, value.scalar = (None, f"a{i}") if is_scalar(tensor) else (f"a{i}", None)
        inputs.append(value)
    outputs = drive(emitter.graph(callee.graph, inputs, {}))
    results = [
        emitter.scalar(value) if is_scalar(tensor) else emitter.array(value)
        for tensor, value in zip(callee.graph.outputs, outputs, strict=True)
    ]
    block.emit(f"return {', '.join(results)}" if results else "return")
    parameters = ", ".join(f"a{i}" for i in range(len(inputs)))
    emitter.functions.append((f"def {callee.name}({parameters}):", block))
