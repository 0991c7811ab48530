"""The variables of a statement, as generated code hands them over: read all, write all, their names.

    state = State(get_state, set_state, ("i", "x"))
    state = state.with_cell([0], "position in the loop")       # one more variable in front, kept in a list

Two names may be one place, as `a.k` and `b.k` are where a is b: `State.twins` finds that, `State.without` leaves the
place in once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["State"]


@dataclass(frozen=True, slots=True)
class State:
    """What a statement reads and assigns. `get` returns the values in the order of `names`, `put` takes them."""

    get: Callable[[], tuple[Any, ...]]
    put: Callable[[tuple[Any, ...]], None]
    names: tuple[str, ...]

    def with_cell(self, cell: list[Any], name: str) -> State:
        """This state with the first item of `cell` in front."""

        def put(values: tuple[Any, ...]) -> None:
            cell[0] = values[0]
            self.put(tuple(values[1:]))

        return State(lambda: (cell[0], *self.get()), put, (name, *self.names))

    def twins(self, values: Sequence[Any]) -> dict[int, int]:
        """The positions that hold, right after all was set to `values`, what a later position was set to."""
        positions = {id(value): i for i, value in enumerate(values)}
        return {
            i: positions[id(now)]
            for i, (value, now) in enumerate(zip(values, self.get(), strict=True))
            if now is not value and positions.get(id(now), i) > i
        }

    def without(self, twins: Mapping[int, int]) -> State:
        """The state with each place once; its twins are set along with it."""
        size = len(self.names)
        kept = [i for i in range(size) if i not in twins]
        place = {i: position for position, i in enumerate(kept)}

        def get() -> tuple[Any, ...]:
            values = self.get()
            return tuple(values[i] for i in kept)

        def put(values: tuple[Any, ...]) -> None:
            self.put(tuple(values[place[twins.get(i, i)]] for i in range(size)))

        return State(get, put, tuple(self.names[i] for i in kept))
