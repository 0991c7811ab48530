"""Where tapes are open: graphs in graphs while a function is traced, and what of them is still there later.

    with tape:                      # the graph of a branch, which is a part of the graph around it
        y = x * x
    tape.gradient(y, x)             # there it is; after the `if` statement it is a `cond`, which the tape did not see

A tensor that captures another one stands for that (`capture_key`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from autograph.errors import StagingError
from runtime.autodiff.rules import carries
from runtime.context import current_recorder, outwards
from runtime.control_flow.tries.regions import Region
from runtime.graph.graph import Graph
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Place", "capture_key", "chain_of_graphs", "loop_states", "refuse_ended"]


def chain_of_graphs() -> list[Graph]:
    """The graph that records now, and those around it, inner ones first."""
    return [*outwards(current_recorder())]


def capture_key(graphs: Iterable[Graph] | None = None) -> Callable[[Any], int]:
    """What identifies tensors of some graphs: if they are not given, of the one that records now and those around."""
    known = chain_of_graphs() if graphs is None else graphs
    outer = {id(inner): tensor for graph in known for tensor, inner in graph.recording.captures}

    def key(tensor: Any) -> int:
        while (found := outer.get(id(tensor))) is not None:
            tensor = found
        return id(tensor)

    return key


def loop_states(chain: Iterable[Graph], end: Graph | None = None) -> list[SymbolicTensor]:
    """The variables of loops whose bodies are being traced, within a graph: what made them is not there."""
    found: list[SymbolicTensor] = []
    for graph in chain:
        if graph is end or graph.recording.outer is None:
            break
        captured = {id(inner) for _, inner in graph.recording.captures}
        found += [t for t in graph.inputs if id(t) not in captured and carries(t)]
    return found


@dataclass(frozen=True, slots=True)
class Place:
    """Where a tape was opened: in a graph, and in the body of each of some `try` statements."""

    graph: Graph
    regions: tuple[Region, ...]

    @classmethod
    def here(cls) -> Place:
        graph: Any = current_recorder()
        return cls(graph, tuple([guard for guard in graph.recording.guards if isinstance(guard, Region)]))

    def has_ended(self) -> bool:
        """Whether that is behind the program: a statement that was staged since, which the tape did not see as one.

        It is not if that was a trace that has been given up, or is another branch.
        """
        chain = chain_of_graphs()
        moved = [region.moved for region in self.regions if region.moved is not None]
        return any(_is_behind(graph, chain) for graph in (self.graph, *moved))


def refuse_ended(graph: Graph, places: Iterable[Place]) -> None:
    """Raises StagingError where a statement in which a tape was opened has been staged since. graph: its own."""
    if all(around is not graph for around in chain_of_graphs()) or any(place.has_ended() for place in places):
        raise StagingError(
            "gradient: the tape was opened inside of a staged branch, loop or `try` (or Function), which has come to"
            " its end: what was recorded there is a part of that statement now. Ask for the gradient inside of it, or"
            " open the tape around it"
        )


def _is_behind(graph: Graph, chain: list[Graph]) -> bool:
    around = set(map(id, chain))
    while id(graph) not in around:
        outer = graph.recording.outer
        if outer is None:
            return False
        if not any(inner is graph for operation in outer.operations for inner in operation.subgraphs):
            # The body of a `try` is left before its operation is there, while a handler is traced.
            return graph.name == "try" and id(outer) in around and outer is not chain[0]
        graph = outer
        if id(graph) in around:
            return True
    return False
