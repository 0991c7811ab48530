"""A place of the program in which a trace leaves tensors, while it is traced: see `runtime.function.places`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from runtime.function.left import Left
from runtime.function.whole_places import Added, Whole
from runtime.heap.holder import Holder

__all__ = ["Slot"]


@dataclass(eq=False, slots=True)
class Slot:
    """A place that the function leaves tensors in. inputs: whether its tensors and numbers are inputs of the graph;
    seen: what stands there when a trace begins."""

    holder: Holder
    key: Any
    place: Any
    """A `Place`, or a `Whole`."""
    before: Any
    inputs: bool = False
    form: Any = None
    is_used: bool = True
    seen: Any = None
    left: Left | None = None
    added: Added | None = None
    """Where runs append to a list, of which the trace depends on nothing."""

    @property
    def is_whole(self) -> bool:
        """Whether it is all that a container holds."""
        return isinstance(self.place, Whole)
