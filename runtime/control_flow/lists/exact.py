"""Which elements went into lists of the graph as they are, and which were made to fit those beside them.

    items.append(x)        # a float32 tensor
    items.append(1)        # becomes one, too, where the list is one of the graph: note_pushes(...), INEXACT
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from runtime.context import current_recorder
from runtime.control_flow.lattice.leaf import LeafType
from runtime.control_flow.statement.trace_memory import PerTrace
from runtime.graph.graph import Graph

__all__ = ["INEXACT", "note_pushes"]

INEXACT: Final[PerTrace[dict[int, Any]]] = PerTrace(dict)
"""By id, the operations that have put an element of another kind into a list than that of the elements."""


def note_pushes(rows: Iterable[tuple[Any, Any, Any]]) -> None:
    """To be called for what was put into a list. rows: the new handle, what it is of, and the leaf of the element."""
    graph = current_recorder()
    if isinstance(graph, Graph):
        known = INEXACT.of(graph)
        for handle, kind, value in rows:
            if not (isinstance(kind, LeafType) and kind.is_kind_of(value)):
                known[id(handle.op)] = handle.op
