"""Tapes that are open: who is told of the operations that run eagerly, and of the Variables that are read.

    with opened(tape):
        y = x * x                 # tape.note(Record(multiply, (x, x), {}, (y,)))

While a tape is open anywhere, calls of operations take the way through `_noted`; while none is, nothing of this costs
anything. Operations of graphs are not told here: a graph tells its guards (`Recording.guards`).
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final, Protocol

from autograph.contexts import binding
from runtime import config
from runtime.context import current_recorder
from runtime.ops.records.record import Op, wrap_dispatcher
from runtime.tensor.composites import HANDLERS, handler_of
from runtime.tensor.dispatch import prepared
from runtime.tensor.quick import quick_operands
from runtime.tensor.tensor import Tensor

__all__ = [
    "Record", "Watcher", "is_watched", "note", "note_access", "note_read", "open_tapes", "opened", "without_tapes",
]  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """One operation that has run: which, on which tensors, with which attributes, and its results."""

    op: Op
    inputs: Sequence[Any]
    attributes: Mapping[str, Any]
    outputs: Sequence[Any]


class Watcher(Protocol):
    """What a tape is to this module."""

    def note(self, record: Record) -> None:
        """An operation has run eagerly."""
        ...

    records_itself: bool
    """Whether it may be asked for gradients of gradients that it has recorded while they were computed."""

    def note_access(self, variable: Any) -> None:
        """A Function that reads a Variable is about to run."""
        ...

    def note_read(self, variable: Any, tensor: Tensor) -> None:
        """A Variable has been read: `tensor` is its value, or will be when the graph runs."""
        ...

    def is_watched(self, value: Any) -> bool:
        """Whether something that the tape watches went into an eager tensor, or the memory of a Variable."""
        ...


_tapes: ContextVar[tuple[Watcher, ...]] = ContextVar("runtime_tapes", default=())

open_tapes = _tapes.get
"""The tapes of this context, outer ones first."""

active = False
"""Whether a tape is open in any thread."""

_count = 0
_lock: Final = threading.Lock()


@contextlib.contextmanager
def opened(tape: Watcher) -> Iterator[None]:
    """The tape is told of what happens inside the block."""
    _tapes.set((*_tapes.get(), tape))
    _change(1)
    try:
        yield
    finally:  # tapes need not be closed in the reverse order, nor in the context where they were opened
        _change(-1)
        _tapes.set(tuple([other for other in _tapes.get() if other is not tape]))


def without_tapes() -> binding[Any]:
    """No tape is told of what happens inside the block."""
    return binding(_tapes, ())


def _change(by: int) -> None:
    global _count, active
    with _lock:
        _count += by
        active = _count > 0
        config.let_functions_look(active)
        wrap_dispatcher(_noted if active else None)


def _noted(base: Any, op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Runs an operation, and tells the tapes of it."""
    if current_recorder() is not None or not _tapes.get():
        return base(op, args, kwargs)
    if HANDLERS and handler_of(args, kwargs) is not None:
        return base(op, args, kwargs)  # it calls operations on the parts
    tensors: Sequence[Any] | None = None if kwargs else quick_operands(op, args)
    attributes: dict[str, Any] = {}
    if tensors is not None:
        result = base(op, tensors, kwargs)
    else:
        operands, attributes, _ = prepared(op, args, kwargs)
        tensors = [operands[n] for n in op.tensors]
        given = [*tensors, operands[op.variadic]] if op.variadic else tensors
        result = base(op, given, attributes)
        if op.variadic:
            tensors = [*tensors, *operands[op.variadic]]
    if result is not None:
        note(op, tensors, attributes, result if type(result) is tuple else (result,))
    return result


def note(op: Op, inputs: Sequence[Any], attributes: Mapping[str, Any], outputs: Sequence[Any]) -> None:
    """Tells the tapes of this context of an operation that has run."""
    record = Record(op, tuple(inputs), attributes, tuple(outputs))
    for tape in _tapes.get():
        tape.note(record)


def note_read(variable: Any, tensor: Tensor) -> None:
    """Tells the tapes of this context that a Variable has been read."""
    for tape in _tapes.get():
        tape.note_read(variable, tensor)


def note_access(variable: Any) -> None:
    """Tells the tapes of this context that a Variable is read in what is one operation to them."""
    for tape in _tapes.get():
        tape.note_access(variable)


def is_watched(values: Sequence[Any]) -> bool:
    """Whether a tape of this context has watched what went into one of these eager tensors and memories."""
    return any(tape.is_watched(value) for tape in _tapes.get() for value in values)
