"""Arrays in places of the program that runs bind anew: each run is given the content of those that are there.

    def step(self, dt):
        self.x = self.x + dt * self.v          # `self.x` is a new array after each call

As arrays that are arguments (`runtime.function.array_arguments`): what is written to one is copied into it when the run
is over, and which of them are one array, or share memory, is part of what the trace was made for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from runtime import structures as nest
from runtime.ndarrays.layout import owner_of
from runtime.ndarrays.overlaps import Shared, lie_as

__all__ = ["MeetsOthers", "arrays_in", "owners_of"]


def arrays_in(value: Any) -> list[Any]:
    """The ndarrays in a value, also those in tuples, which nothing else leads to."""
    if isinstance(value, np.ndarray):
        return [value]
    leaves = nest.flatten(value, _is_tuple) if _is_tuple(value) else ()
    return [leaf for leaf in leaves if isinstance(leaf, np.ndarray)]


def _is_tuple(value: Any) -> bool:
    return isinstance(value, tuple) and nest.is_plain(value)


def owners_of(values: Iterable[Any]) -> set[int]:
    """The ids of the arrays that own the memory of those in values."""
    return {id(owner_of(array)) for value in values for array in arrays_in(value)}


class MeetsOthers:
    """Whether arrays in places lie as they did, and apart from all others that the trace knows. Those are found when
    it is over: `others`, weakly, with words for each, and how the user calls it."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self.others: Sequence[tuple[Callable[[], Any], str, str]] = ()

    def same(self, arrays: Sequence[Any]) -> bool:
        """Whether these do."""
        if lie_as(arrays) != self._shared:
            return False
        owners = {id(owner_of(array)) for array in arrays}
        known = (find() for find, *_ in self.others)
        return not any(id(owner_of(other)) in owners for other in known if other is not None)
