"""Loops that other code may take over while they run, from the turn on at which it is ready.

    v9 = begin()                        # that code's: what the turns of one run are taken from
    for v1 in v9.count(v1, v2, 1):      # `for _ in v9.turns():` where nothing counts
        ...
    if v9.left:                         # the turns came to an end before the loop did
        v1, v3 = v9.rest(v1, v3, a2)    # the state as it is now, and what the loop only reads

Loops inside of others are left alone: what holds them is handed over with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from runtime.dtypes import variant
from runtime.engine.lists import as_value, from_value
from runtime.engine.values import is_python_number, is_scalar
from runtime.graph.operation import Operation

if TYPE_CHECKING:
    from runtime.engine.emitter import Emitter

__all__ = ["Begin", "Turns", "nothing", "open_loop", "pass_on"]


class Turns(Protocol):
    """The turns of one run of a loop."""

    left: bool
    """Whether there were fewer turns than the loop wants."""

    def count(self, start: int, stop: int, step: int) -> Iterable[int]:
        """The numbers of a range; at least one of them, if it has any."""
        ...

    def turns(self) -> Iterable[Any]:
        """Something for each turn."""
        ...

    def rest(self, *values: Any) -> tuple[Any, ...]:
        """The state after the remaining turns. Its arrays share no memory with each other, nor with what is read."""
        ...


Begin = Callable[[], Turns]


def nothing(operation: Operation) -> None:
    """For plans whose loops nobody takes over."""


def open_loop(emitter: Emitter, operation: Operation) -> str | None:
    """The name of the turns of a loop that is about to be written; None if nobody wants to take it over."""
    begin = emitter.begin_of(operation) if emitter.block.loops == 0 and operation.outputs else None
    if begin is None or operation.attributes["maximum_iterations"] is not None:
        return None
    name = emitter.registers.fresh()
    emitter.block.emit(f"{name} = {emitter.names.bind(begin, 'begin')}()", operation)
    return name


def pass_on(emitter: Emitter, operation: Operation, turns: str | None, registers: Sequence[str]) -> None:
    """Behind a loop: the rest of it, if it was left."""
    if turns is None:
        return
    block, state = emitter.block, len(registers)
    texts = [emitter.scalar_of(t) if is_scalar(t) else emitter.array_of(t) for t in operation.inputs[state:]]
    kinds = [emitter.lists.get(id(t)) for t in operation.inputs]
    pairs = zip([*registers, *texts], kinds, strict=True)
    given = [text if kind is None else as_value(emitter, text, kind) for text, kind in pairs]
    block.emit(f"if {turns}.left:", operation)
    lines = [f"{', '.join(registers)}{',' * (len(registers) == 1)} = {turns}.rest({', '.join(given)})"]
    lines += [f"{r} = {from_value(r, k)}" for r, k in zip(registers, kinds, strict=False) if k is not None]
    for tensor, register in zip(operation.outputs, registers, strict=True):
        if is_scalar(tensor) and tensor.dtype is not variant and not is_python_number(tensor.dtype):
            lines.append(f"{register} = {emitter.names.bind(tensor.dtype.numpy.type, tensor.dtype.name)}({register})")
    block.lines += [(block.depth + 1, line, operation) for line in lines]
