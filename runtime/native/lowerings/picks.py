"""What an array of indices picks along one axis: `x[places]`, `x[:, places]`, `gather(x, places, axis=1)`.

    pick = Pick(build, x, places, axis=0)
    pick.dims                       # those of places, then the other axes of x
    pick.number(("%i", "%j"))       # the number in x of the element at this place of the result
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.dtypes import bool_
from runtime.graph.operation import Operation
from runtime.native.build import Build
from runtime.native.lowerings.operands import as_int64
from runtime.native.lowerings.places import flat_number, position
from runtime.native.rules import Refused
from runtime.native.values import Memory, Number
from runtime.ops.kernels.index_spec import ARRAY

__all__ = ["Pick", "index_of"]

_WHOLE = (None, None, None)


class Pick:
    """from_end: whether negative indices count from the end; others out of range make the region give up."""

    def __init__(self, build: Build, array: Memory, index: Memory | Number, axis: int, from_end: bool) -> None:
        self.build, self.array, self.index, self.axis, self.from_end = build, array, index, axis, from_end
        self.given = index.dims if isinstance(index, Memory) else ()
        self.dims = (*array.dims[:axis], *self.given, *array.dims[axis + 1 :])

    def number(self, places: Sequence[str]) -> str:
        build, index, end = self.build, self.index, self.axis + len(self.given)
        if isinstance(index, Memory):
            index = build.load(index.data, flat_number(build, index.dims, places[self.axis : end]), index)
        dim = self.array.dims[self.axis]
        if self.from_end:
            text = position(build, index, dim)
        else:
            text = as_int64(build, index)
            build.w.fail_unless(build.w.let(f"icmp ult i64 {text}, {dim}"))
        return flat_number(build, self.array.dims, [*places[: self.axis], text, *places[end:]])


def index_of(operation: Operation, array: Memory, operands: Sequence[Any]) -> tuple[Memory, int] | None:
    """The array in the index of getitem or setitem, if there is one, and the axis from which on it picks: then only
    whole axes may be beside it."""
    spec = operation.attributes["spec"]
    arrays = [number for number, part in enumerate(spec) if isinstance(part, str) and part == ARRAY]
    if not arrays:
        return None
    others = [part for number, part in enumerate(spec) if number not in arrays]
    index = operands[0]
    if len(arrays) > 1 or any(part != _WHOLE and part != "..." for part in others):
        raise Refused(operation, "an array is the index, and not alone")
    if not isinstance(index, Memory):
        raise Refused(operation, "a single truth value is the index")
    covered = len(index.dims) if index.dtype is bool_ else 1
    missing = len(array.dims) - len(spec) + 2 - covered
    return index, sum(missing if part == "..." else 1 for part in spec[: arrays[0]])
