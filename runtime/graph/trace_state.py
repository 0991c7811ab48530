"""What all graphs of one trace share: the outermost one of the function, and those of its branches, loops and handlers.

    graph.recording.tracing.resources     the Variables that the trace has met, whichever of its graphs records

A graph that is made by hand has one of its own, which nothing fills.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from runtime.graph.aliases import Aliases
from runtime.graph.tensor_writes import TensorWrites
from runtime.ops.kernels.resource import Resource
from runtime.tensor.symbolic import SymbolicTensor

if TYPE_CHECKING:
    from runtime.graph.graph import Graph

__all__ = ["TraceState"]


@dataclass(slots=True)
class TraceState:
    """What one trace has met, and what it must not forget until it is over."""

    failure: str | None = None
    """The exception that left a staged part of this trace, if any: the graph must not be used then."""
    creations: Any = None
    """What creates Variables while the function is traced; see `runtime.state.creation`."""
    resources: dict[int, tuple[Resource, SymbolicTensor]] = field(default_factory=dict)
    """The memory of the Variables that the trace has met, by id, and their handles: inputs of the outermost graph."""
    aliases: Aliases = field(default_factory=Aliases)
    """The tensors that the program knows as Variables."""
    writes: TensorWrites = field(default_factory=TensorWrites)
    """The writes of the program to tensors."""
    called: dict[Any, Callable[[], Any]] = field(default_factory=dict)
    """Weak references of the program's functions that the trace has called, but for those it made."""
    asked: dict[str, tuple[Callable[[], Any], Any]] = field(default_factory=dict)
    """What the trace was told of the place where the function is called, by the names of what told it: what tells it
    again, and the answer."""
    copied_functions: dict[int, tuple[Graph, str]] = field(default_factory=dict)
    """Functions of other graphs that are in the library too, by their ids, and their names there."""
    memory: dict[Any, Any] = field(default_factory=dict)
    """What is remembered while it is traced; see `runtime.control_flow.statement.trace_memory`."""
