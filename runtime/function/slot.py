"""A place of the program in which a trace leaves tensors, while it is traced: see `runtime.function.places`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from runtime.function.left import Left
from runtime.function.whole_places import WHOLE, Added, Whole, whole_of
from runtime.heap.holder import Holder
from runtime.heap.place import place_of

__all__ = ["Slot", "slot_of", "slot_of_whole"]


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
    elements: Any = None
    """What is known of the elements of a list of which a tensor decides how many they are."""
    guessed: bool = False
    """Whether it is given because it holds another array than before, and nobody knows whether the trace asks for its
    elements."""
    beside: bool = False
    """Whether it is given because its array shares memory with another one that is."""

    @property
    def attribute(self) -> str:
        """The attribute by which code reaches it; an empty text where there is none."""
        name = self.key if self.holder.kind.has_attributes else self.holder.label.rpartition(".")[2]
        return name if name.isidentifier() and "." in self.place.words else ""

    @property
    def is_whole(self) -> bool:
        """Whether it is all that a container holds."""
        return isinstance(self.place, Whole)


def slot_of(slots: Mapping[Any, Slot], holder: Holder, key: Any, before: Any) -> Slot | None:
    """The place of a key, known or new; None where it cannot be written by itself."""
    slot = slots.get((holder.place, key))
    if slot is None and (place := place_of(holder, key)) is not None:
        slot = Slot(holder, key, place, before, seen=before)
    return slot


def slot_of_whole(slots: dict[Any, Slot], holder: Holder) -> Slot:
    """The place of all that a list or deque holds, which is known from then on."""
    found = whole_of(holder)
    assert found is not None
    return slots.setdefault((holder.place, WHOLE), Slot(holder, WHOLE, *found, seen=found[1]))
