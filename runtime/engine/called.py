"""Statements of other engines in a plan: a function of numbers and arrays in the place of operations.

    v3, v4 = loop(v0, a1)
    v3, v4 = loop(v0, v1) or loop_again(v0, v1)         # None: the function has given up

Numbers and lists come and go in scalar form (runtime.engine.values), numbers of Python as Python's. An engine puts the
operation into a graph that it compiles; it is in no graph that a user sees, and in none that is saved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from runtime.dtypes import EVERY, DType, variant
from runtime.engine.values import Storage, Value, is_python_number, is_scalar
from runtime.graph.operation import Operation
from runtime.ops.records.record import Op
from runtime.shapes import TensorShape

if TYPE_CHECKING:
    from runtime.engine.emitter import Emitter

__all__ = ["Target", "called_node", "emit_called"]


class Target(Protocol):
    """What is called. Both functions take the operands and give a tuple of the results."""

    @property
    def function(self) -> Callable[..., Any]:
        """May give None where there is `again`."""
        ...

    @property
    def again(self) -> Callable[..., Any] | None:
        """Does the same in another way, if the function may give up."""


def _run(*operands: Any, target: Any, dtypes: Any = (), shapes: Any = ()) -> Any:
    """The engine writes it (`emit_called`)."""
    raise RuntimeError("it has no kernel: the engine writes a call of its target")


def _shapes(*operands: Any, target: Any, dtypes: Sequence[DType], shapes: Sequence[TensorShape]) -> Any:
    return tuple(shapes)


def _dtypes(*operands: Any, target: Any, dtypes: Sequence[DType], shapes: Sequence[TensorShape]) -> Any:
    return tuple(dtypes)


called_node = Op(
    _run, name="called", shape=_shapes, result=_dtypes, dtypes=EVERY, mixed=True, outputs=0, holds=True, nests=True
)


def emit_called(emitter: Emitter, operation: Operation) -> None:
    """Writes the statement."""
    target: Target = operation.attributes["target"]
    operands = [emitter.scalar_of(t) if is_scalar(t) else emitter.array_of(t) for t in operation.inputs]
    given = ", ".join(operands)
    text = f"{emitter.names.bind(target.function, operation.name)}({given})"
    if target.again is not None:
        text += f" or {emitter.names.bind(target.again, f'{operation.name}_again')}({given})"
    registers = [emitter.register_for(t) for t in operation.outputs]
    listed = ", ".join(registers) + ("," if len(registers) == 1 else "")
    emitter.block.emit(f"{listed} = {text}" if registers else text, operation)
    for tensor, register in zip(operation.outputs, registers, strict=True):
        value = Value(tensor, emitter.block, Storage(False), registers=(register,))
        value.array, value.scalar = (None, register) if is_scalar(tensor) else (register, None)
        emitter.values[id(tensor)] = value
        if is_scalar(tensor) and tensor.dtype is not variant and not is_python_number(tensor.dtype):
            kind = emitter.names.bind(tensor.dtype.numpy.type, tensor.dtype.name)
            emitter.block.emit(f"{register} = {kind}({register})")
