"""`Slots`: what an optimizer keeps for each variable, found by the variable itself, also in copies.

    slots = Slots()
    slots.of(w)["momentum"] = Variable(zeros)
    slots.of(w)                          # {"momentum": ...}; {} for a variable that is new

Variables have no hash, so they are found by identity. A copy of an optimizer (`copy.deepcopy`) knows the copies of the
variables, which are those of a model that is copied with it, and the variables themselves, for which it goes on.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

from runtime.state.variable import Variable

__all__ = ["Slots"]

Pair = tuple[Variable, dict[str, Variable]]


class Slots:
    """See the module's docstring. It keeps the variables alive, so that no other one gets their identity."""

    def __init__(self, pairs: Iterable[Pair] = ()) -> None:
        self._known: dict[int, Pair] = {id(variable): (variable, slots) for variable, slots in pairs}

    def of(self, variable: Variable) -> dict[str, Variable]:
        """The slots of a variable by name, to be filled by the caller."""
        return self._known.setdefault(id(variable), (variable, {}))[1]

    def pairs(self) -> list[Pair]:
        """The variables that it knows and their slots, in the order in which they came."""
        return list(self._known.values())

    def __deepcopy__(self, memo: dict[int, Any]) -> Slots:
        copies = [(copy.deepcopy(v, memo), copy.deepcopy(slots, memo)) for v, slots in self._known.values()]
        originals = [(v, slots) for (v, _), (_, slots) in zip(self._known.values(), copies, strict=True)]
        return Slots([*copies, *originals])

    def __reduce__(self) -> Any:
        return Slots, (list(self._known.values()),)
