"""What the operations of a graph cost in a run of the interpreter: seconds, bytes, and when each of them ran.

    times = Times()
    run_graph(graph, arrays, times)
    times[operation], times.bytes[operation], times.spans
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Final

from runtime.graph.operation import Operation

__all__ = ["Times"]

MOST_SPANS: Final = 200_000
"""So many runs of operations are kept one by one; sums are kept of all."""


class Times(dict[Operation, float]):
    """Seconds by operation, over all its runs. Those of graphs inside of an operation are not its own."""

    def __init__(self) -> None:
        super().__init__()
        self.bytes: dict[Operation, int] = {}
        """Bytes of the arrays that an operation made, over all its runs: none for views of what there was."""
        self.spans: list[tuple[Operation, float, float]] = []
        """The first runs in their order: when each began, in seconds since the start, and how long it took."""
        self._began = time.perf_counter()

    def add(self, operation: Operation, started: float, given: Sequence[Any], results: Sequence[Any]) -> None:
        """An operation has run. started: by `time.perf_counter`; given, results: its arrays."""
        taken = time.perf_counter() - started
        self[operation] = self.get(operation, 0.0) + taken
        if len(self.spans) < MOST_SPANS:
            self.spans.append((operation, started - self._began, taken))
        held = {id(_memory(array)) for array in (*given, *operation.attributes.values())}
        made = {id(memory): memory for array in results if id(memory := _memory(array)) not in held}
        size = sum(getattr(memory, "nbytes", 0) for memory in made.values())
        self.bytes[operation] = self.bytes.get(operation, 0) + size


def _memory(array: Any) -> Any:
    """The array whose memory another one is a view of; itself if it is no view."""
    while getattr(array, "base", None) is not None:
        array = array.base
    return array
