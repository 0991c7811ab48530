"""Which graph records the operations of this context, if any.

Tracing state is held in a context variable, so threads and asyncio tasks trace independently of each other.

    with recording(graph):       # operations called here are added to `graph` instead of being run
        ...
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextvars import ContextVar
from itertools import takewhile
from typing import Any, Protocol

from autograph.contexts import binding

__all__ = [
    "Recorder", "current_recorder", "executing_eagerly", "in_a_loop", "outermost_recorder", "outwards", "recording",
]  # fmt: skip


class Recorder(Protocol):
    """What records operations: `runtime.graph.Graph` is the one implementation."""

    def record(self, op: Any, arguments: Sequence[Any], attributes: Mapping[str, Any], name: str | None) -> Any:
        """Adds one operation and returns its result: a symbolic tensor, or a tuple of them."""
        ...

    @property
    def recording(self) -> Any:
        """What it knows of the program that is traced: `runtime.graph.recording.Recording`."""
        ...


_current: ContextVar[Recorder | None] = ContextVar("runtime_recorder", default=None)

current_recorder = _current.get
"""The recorder of this context or None: `current_recorder()`."""


def executing_eagerly() -> bool:
    """True where an operation runs at once; False while a function is traced or inside `Graph().as_default()`."""
    return _current.get() is None


def outermost_recorder() -> Recorder | None:
    """The recorder of the whole function that is traced here, if any."""
    recorder = _current.get()
    return None if recorder is None else recorder.recording.root


def outwards(recorder: Any) -> Iterator[Any]:
    """A graph, the one around it, and so on; nothing for None."""
    while recorder is not None:
        yield recorder
        recorder = recorder.recording.outer


def in_a_loop(graph: Any, outer: Any = None) -> bool:
    """Whether there is a loop around a graph, inside of another one that is around it."""
    return any(around.recording.repeats for around in takewhile(lambda around: around is not outer, outwards(graph)))


def recording(recorder: Recorder | None) -> binding[Any]:
    """Operations inside the block are recorded by `recorder`; None: they run at once."""
    return binding(_current, recorder)
