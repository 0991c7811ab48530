"""What arrays of positions pick, alone or beside slices and numbers: `x[places]`, `x[rows, columns]`, `x[:, places]`.

    pick = Pick(build, x, [places, Axis("0", "5")])
    pick.dims                       # those of places, then the other axes of x
    pick.number(("%i", "%j"))       # the number in x of the element at this place of the result
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.dtypes import bool_
from runtime.graph.operation import Operation
from runtime.native.build import Build
from runtime.native.elementwise import broadcast_dims, place_of
from runtime.native.lowerings.operands import as_int64
from runtime.native.lowerings.places import Axis, entries_of, flat_number, position, source_of
from runtime.native.rules import Refused
from runtime.native.values import Memory, Number
from runtime.ops.kernels.index_spec import ARRAY

__all__ = ["Pick", "has_arrays", "mask_of", "picked_by"]

_WHOLE = (None, None, None)


class Pick:
    """entries: for each axis of the array what of it is picked: a piece, a number, or an array of numbers. from_end:
    whether negative numbers count from the end; others out of range make the region give up.

    Arrays are broadcast to each other. Their axes stand where the first one did, if no slice is between arrays and
    numbers, else before all others. `at`: how many axes stand before them.
    """

    def __init__(
        self, build: Build, array: Memory, entries: Sequence[Axis | Memory | Number], from_end: bool = True
    ) -> None:
        self.build, self.array, self.from_end = build, array, from_end
        self.entries = [
            Axis(self._position(entry, dim), None) if isinstance(entry, Number) else entry
            for entry, dim in zip(entries, array.dims, strict=True)
        ]
        arrays = [entry for entry in self.entries if isinstance(entry, Memory)]
        self.joined = broadcast_dims(build, arrays) if arrays else ()
        places = [place for place, e in enumerate(self.entries) if isinstance(e, Memory) or e.length is None]
        self.at = places[0] if places == list(range(places[0], places[-1] + 1)) else 0
        others = [e.length for e in self.entries if isinstance(e, Axis) and e.length is not None]
        self.dims = (*others[: self.at], *self.joined, *others[self.at :])

    def _position(self, index: Number, dim: str) -> str:
        if self.from_end:
            return position(self.build, index, dim)
        text = as_int64(self.build, index)
        self.build.w.fail_unless(self.build.w.let(f"icmp ult i64 {text}, {dim}"))
        return text

    def number(self, places: Sequence[str]) -> str:
        build, end = self.build, self.at + len(self.joined)
        picked, others = places[self.at : end], iter((*places[: self.at], *places[end:]))
        line = flat_number(build, self.joined, picked)
        found = []
        for entry, dim in zip(self.entries, self.array.dims, strict=True):
            if isinstance(entry, Memory):
                place = place_of(build, entry, self.joined, picked, line)
                found.append(self._position(build.load(entry.data, place, entry), dim))
            else:
                found.append(source_of(build, entry, others))
        return flat_number(build, self.array.dims, found)


def has_arrays(operation: Operation) -> bool:
    """Whether an array is in the index of getitem or setitem."""
    return any(isinstance(part, str) and part == ARRAY for part in operation.attributes["spec"])


def picked_by(build: Build, operation: Operation, array: Memory, operands: Sequence[Any]) -> Pick:
    """What the index of getitem or setitem picks, in which arrays of integers are."""
    if any(operand.dtype is bool_ for operand in operands):
        raise Refused(operation, "a mask is in the index, and not alone")
    if None in operation.attributes["spec"]:
        raise Refused(operation, "an array and a new axis are in the index")
    return Pick(build, array, entries_of(build, operation, array, operands))


def mask_of(operation: Operation, array: Memory, operands: Sequence[Any]) -> tuple[Memory, int] | None:
    """The mask in the index of getitem or setitem, if there is one, and the axis from which on it picks: then only
    whole axes may be beside it."""
    spec = operation.attributes["spec"]
    arrays = [number for number, part in enumerate(spec) if isinstance(part, str) and part == ARRAY]
    others = [part for number, part in enumerate(spec) if number not in arrays]
    if len(arrays) != 1 or operands[0].dtype is not bool_ or any(part not in (_WHOLE, "...") for part in others):
        return None
    mask = operands[0]
    if not isinstance(mask, Memory):
        raise Refused(operation, "a single truth value is the index")
    missing = len(array.dims) - len(spec) + 2 - len(mask.dims)
    return mask, sum(missing if part == "..." else 1 for part in spec[: arrays[0]])
