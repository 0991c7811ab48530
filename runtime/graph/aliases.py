"""Values that the program knows as a Variable: a graph took the value, and Python would look again.

    y = v if p else w            # v is a Variable: in Python `y` is v itself, in a graph it is the value that v had
    v.assign(0)
    z = y + 1                    # refused: Python would add to the new value

Everything works as long as nothing is assigned in between; otherwise the use is refused, with both lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from autograph.errors import StagingError
from runtime.context import outwards
from runtime.graph.location import Location, user_location
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Aliases"]


@dataclass(slots=True)
class Alias:
    """A tensor that stands for the values of Variables: of which, by handle, and how often they had been written."""

    tensor: SymbolicTensor
    name: str
    versions: dict[int, int]


@dataclass(slots=True)
class Aliases:
    """Those of one trace."""

    found: dict[int, Alias] = field(default_factory=dict)
    written: dict[int, int] = field(default_factory=dict)
    places: dict[int, tuple[str, Location | None]] = field(default_factory=dict)

    def add(self, tensor: SymbolicTensor, name: str, handles: Sequence[SymbolicTensor]) -> None:
        """`name`: what the program calls the tensor."""
        known = self.found.get(id(tensor))
        versions = {} if known is None else known.versions
        versions |= {id(handle): self.written.get(id(handle), 0) for handle in handles}
        self.found[id(tensor)] = Alias(tensor, name, versions)

    def write(self, handle: SymbolicTensor, variable: str, graph: Any) -> None:
        """Takes note of a write in this graph. Raises StagingError where an earlier use comes round again in a loop."""
        for key in self._may_be(handle, graph.recording.tracing.resources):
            self.written[key] = self.written.get(key, 0) + 1
            self.places[key] = variable, user_location()
            for alias in self.found.values():
                if key in alias.versions and _is_used_in_loop(alias.tensor, graph):
                    raise self._error(alias, key)

    def _may_be(self, handle: SymbolicTensor, resources: dict[int, Any]) -> set[int]:
        """The ids of the handles that may stand for the same Variable: an argument may be one that is captured."""
        captured = {id(known) for _, known in resources.values()}
        others = {key for alias in self.found.values() for key in alias.versions}
        return {id(handle), *(key for key in others if (key in captured) != (id(handle) in captured))}

    def use(self, tensor: SymbolicTensor) -> None:
        """Raises StagingError for a tensor whose Variable has been written since."""
        alias = self.found.get(id(tensor))
        if alias is not None:
            for handle, version in alias.versions.items():
                if self.written.get(handle, 0) != version:
                    raise self._error(alias, handle)

    def _error(self, alias: Alias, handle: int) -> StagingError:
        variable, place = self.places[handle]
        plain = alias.name.replace(".", "_").isidentifier()
        called = repr(alias.name) if plain else f"what depends on `{alias.name}`"
        return StagingError(
            f"{called} may be the variable {variable!r}, and that is assigned ({place or 'at an unknown line'}) before"
            " it is used: the graph has the value from before, Python would see the new one. Say which is meant: the"
            " tensor `v.value()`, or the variable itself in a branch of its own."
        )


def _is_used_in_loop(tensor: SymbolicTensor, graph: Any) -> bool:
    """Whether a loop around this place, inside of the tensor's own graph, has used the tensor: it may do so again."""
    inside = takewhile(lambda around: around is not tensor.op.graph, outwards(graph))
    return any(g.recording.assumption is None and id(tensor) in g.recording.captured for g in inside)
