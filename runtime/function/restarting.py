"""Traces that begin again, because an array of numpy turns out to be written to by what only the graph knows.

    trace, owners = traced_with_arrays(world, make)      # `make` may run several times

The first time all arrays but those of the arguments are numpy's own. What the trace has changed in Python until it is
given up is put back. What Python prints while it is traced appears once more.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from autograph.errors import StagingError
from runtime.errors import OperatorNotAllowedInGraphError
from runtime.function.captured_arrays import CapturedArrays, captured, reached_arrays
from runtime.function.tracing import Trace
from runtime.heap.kinds import ARRAY, LARGE_ARRAY
from runtime.heap.reach import World
from runtime.ndarrays.captured import owner_of
from runtime.ndarrays.restart import Restart, can_be_memory, tracing_arrays

__all__ = ["Arrays", "traced_with_arrays"]


class Arrays:
    """Which arrays are memory of the graph, in one round. See `traced_with_arrays`."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._reached = {id(owner_of(array)) for array in reached_arrays(world)}
        self.owners: list[Any] = []
        self.are_traced = False

    def captured(self) -> AbstractContextManager[CapturedArrays]:
        """To be entered while the graph is recorded."""
        return captured(self.owners, self._world)

    def _is_new(self, owner: Any) -> bool:
        """Whether it was there before the trace, and is not memory of the graph yet."""
        return id(owner) in self._reached and not any(owner is known for known in self.owners)

    def can_add(self, array: Any) -> bool:
        """Whether another round would help."""
        return not self.are_traced or self._is_new(owner_of(array))

    def add(self, array: Any) -> None:
        """For the next round; None: none but those that converted code makes. Raises StagingError where that would be
        as this one."""
        if array is None:
            self.are_traced = True
            return
        owner = owner_of(array)
        is_new = self._is_new(owner)
        if self.are_traced and not is_new:
            raise StagingError(
                "an array that code without conversion made is written to by what only the graph knows: make the array"
                " in this function, as np.array(a) does, or write to a copy"
            )
        if is_new:
            if not can_be_memory(owner):
                raise StagingError(
                    "an array that the function does not make itself is written to, and is no array of numbers in C"
                    " order: pass it as an argument, or write to a copy"
                )
            self.owners.append(owner)
        self.are_traced = True

    def changed(self) -> Any:
        """An array that the trace itself has written to, and that is none of the graph's memory yet."""
        for holder in self._world.changes():
            if holder.kind in (ARRAY, LARGE_ARRAY) and can_be_memory(holder.owner):
                return holder
        return None


def traced_with_arrays(world: World, make: Callable[[Arrays], Trace]) -> tuple[Trace, list[Any]]:
    """A trace, and the arrays that are memory of its graph. world: what the function can reach."""
    arrays = Arrays(world)
    first: Exception | None = None
    while True:
        try:
            with tracing_arrays(arrays):
                trace = make(arrays)
            holder = arrays.changed()
            if holder is None:
                return trace, arrays.owners
            if holder.kind.write is None:
                raise StagingError(
                    f"the array {holder.label!r}, which has {holder.owner.size} elements, is written to while the"
                    " function is traced: pass it as an argument"
                )
            array = holder.owner
        except Restart as found:
            array = found.array
        except (TypeError, ValueError) as error:
            if arrays.are_traced or not _asks_for_a_value(error):
                raise (first or error) from (first or error).__cause__
            first, array = error, None  # it may be an array of numpy's that asks: `a.real = x`, `a.fill(x)`
        world.restore()
        arrays.add(array)


def _asks_for_a_value(error: BaseException) -> bool:
    """Whether something wanted to know what only the graph knows; numpy says something else, and names the cause."""
    return any(isinstance(e, OperatorNotAllowedInGraphError) for e in (error, error.__cause__))
