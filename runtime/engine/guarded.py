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
from runtime.engine.blocks import define_joined, nested, write_blocks
from runtime.engine.values import Block
from runtime.errors import DivisionByZeroError, IntegerRangeError
from runtime.graph.nesting import Task
from runtime.graph.operation import Operation
from runtime.ops.flow.exceptions import resolve_class

if TYPE_CHECKING:
    from runtime.engine.emitter import Emitter

__all__ = ["emit_try"]


def emit_try(emitter: Emitter, operation: Operation) -> Task:
    return nested(emitter, operation, _try)


def _try(emitter: Emitter, operation: Operation) -> Task:
    graphs = [operation.attributes["body_graph"], *operation.attributes["handlers"]]
    before = emitter.block
    values = [emitter.values[id(t)] for t in operation.inputs]
    blocks = [Block(before.depth + (1 if number else 2), before.loops + 2) for number in range(len(graphs))]
    written = yield write_blocks(emitter, operation, graphs, values, [False] * len(values), blocks)
    _write(emitter, operation, blocks)
    define_joined(emitter, operation, written)


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
    for kind in (DivisionByZeroError, IntegerRangeError):
        by_python = _first(classes, partial(issubclass, kind))
        by_meaning = _first(classes, partial(matches, kind))
        if by_python != by_meaning:
            taken = [(depth + 1, "raise", None)] if by_meaning is None else bodies[by_meaning]
            clauses.insert(0, ((kind,), taken))
    for kinds, lines in clauses:
        before.lines.append((depth, f"except {emitter.names.bind_constant(kinds)}:", operation))
        before.lines += lines


def _first(classes: list[Any], takes: Callable[[Any], bool]) -> int | None:
    """The number of the first handler that takes an exception."""
    return next((i for i, kinds in enumerate(classes) if takes(kinds)), None)
