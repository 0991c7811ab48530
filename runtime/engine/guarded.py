"""`try`, written as Python's own: the body, then an `except` clause for each handler.

    try:
        try:
            v1 = floordiv(v0, c0)
        except Exception as error:
            explain(error)              # the note with the user's line, or our error in the place of numpy's
            raise
    except c1:                          # the classes of the first handler
        v1 = c2

An exception may come when half of the body has run, so that nothing which a handler reads may be written to in it:
the body borrows the operands, it never takes them over.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from autograph.operators.handlers import matches
from runtime.engine.blocks import all_exclusive, define_results, escape, hand_on, hints, lend, nested, reserve
from runtime.engine.values import Block, Value, is_scalar
from runtime.errors import DivisionByZeroError
from runtime.graph.nesting import Task
from runtime.graph.operation import Operation
from runtime.ops.exceptions import resolve_class

if TYPE_CHECKING:
    from runtime.engine.emitter import Emitter
    from runtime.engine.naming import RegisterState

__all__ = ["emit_try"]


def emit_try(emitter: Emitter, operation: Operation) -> Task:
    return nested(emitter, operation, _try)


def _try(emitter: Emitter, operation: Operation) -> Task:
    graphs = [operation.attributes["body_graph"], *operation.attributes["handlers"]]
    before = emitter.block
    values = [emitter.values[id(t)] for t in operation.inputs]
    registers = [reserve(emitter, t) for t in operation.outputs]
    free = emitter.registers.snapshot()
    blocks: list[Block] = []
    ends: list[list[Value]] = []
    at_end: list[RegisterState] = []
    for number, graph in enumerate(graphs):
        emitter.block = Block(before.depth + (1 if number else 2), before.loops + 2)
        emitter.held.update(registers)
        inputs = [lend(emitter, t, v, False) for t, v in zip(graph.inputs, values, strict=True)]
        ends.append((yield emitter.graph(graph, inputs, hints(graph, registers))))
        blocks.append(emitter.block)
        at_end.append(emitter.registers.snapshot())
        emitter.held.difference_update(registers)
        emitter.registers.reset(free)
    forms = [
        is_scalar(t) and any(end[i].scalar is not None or end[i].constant is not None for end in ends)
        for i, t in enumerate(operation.outputs)
    ]
    for block, end, state in zip(blocks, ends, at_end, strict=True):
        emitter.block = block
        emitter.registers.reset(state)
        hand_on(emitter, end, registers, forms, operation)
    emitter.registers.reset(free)
    emitter.block = before
    _write(emitter, operation, blocks)
    fresh = [all_exclusive(ends, i) for i in range(len(registers))]
    for end in ends:
        escape(end)
    define_results(emitter, operation, registers, forms, fresh)


def _write(emitter: Emitter, operation: Operation, blocks: list[Block]) -> None:
    before, (body, *handlers) = emitter.block, blocks
    depth = before.depth
    before.emit("try:", operation)
    before.lines.append((depth + 1, "try:", None))
    before.lines += body.lines or [(depth + 2, "pass", None)]
    before.lines += [
        (depth + 1, "except Exception as error:", None),
        (depth + 2, "explain(error)", None),
        (depth + 2, "raise", None),
    ]
    classes = [tuple(map(resolve_class, kinds)) for kinds in operation.attributes["classes"]]
    bodies: list[Any] = [handler.lines or [(depth + 1, "pass", None)] for handler in handlers]
    clauses = list(zip(classes, bodies, strict=True))
    by_python = _first(classes, partial(issubclass, DivisionByZeroError))
    by_meaning = _first(classes, partial(matches, DivisionByZeroError))
    if by_python != by_meaning:
        taken = [(depth + 1, "raise", None)] if by_meaning is None else bodies[by_meaning]
        clauses.insert(0, ((DivisionByZeroError,), taken))
    for kinds, lines in clauses:
        before.lines.append((depth, f"except {emitter.names.bind_constant(kinds)}:", operation))
        before.lines += lines


def _first(classes: list[Any], takes: Callable[[Any], bool]) -> int | None:
    """The number of the first handler that takes an exception."""
    return next((i for i, kinds in enumerate(classes) if takes(kinds)), None)
