"""What gradients know of a graph: of one that they go back through, and of one that goes back.

    graph.recording.gradients.saved     results of the operation around that give values of this graph to gradients
    back.recording.gradients.source     what stands in `back` for a tensor of the graph that it goes back through

`runtime.autodiff` fills it; a graph asks the `source` when it captures a tensor.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from runtime.tensor.symbolic import SymbolicTensor

if TYPE_CHECKING:
    from runtime.graph.graph import Graph
    from runtime.graph.operation import Operation

__all__ = ["GradientState", "Source"]


class Source(Protocol):
    """What stands for the tensors of `graph` in one that goes back through it."""

    graph: Graph

    def __call__(self, tensor: SymbolicTensor) -> SymbolicTensor | None:
        """What stands for a tensor, in the graph of gradients or one around it; None for one of another graph."""
        ...


@dataclass(slots=True)
class GradientState:
    """What gradients have found and made of one graph."""

    source: Source | None = None
    """In a graph that goes back through another one: says what stands for a tensor of that one."""
    owner: Operation | None = None
    """The operation that this graph is in, where it is surely in no other one and may be changed with it."""
    saved: dict[int, SymbolicTensor] = field(default_factory=dict)
    """Results of `owner` that give values of this graph to gradients, by the ids of the tensors here."""
    derived: dict[Any, SymbolicTensor] = field(default_factory=dict)
    """Shapes of its tensors that gradients have asked for (see `runtime.graph.derived`)."""
    pairs: dict[str, Any] = field(default_factory=dict)
    """The two functions that take the place of one of the library in gradients, by the name of that one."""
    pairs_by_forward: dict[str, Any] = field(default_factory=dict)
    """The same by the name of the function that goes forward (see `runtime.autodiff.calls`)."""
