"""What an index of integers, slices, new axes and "..." picks of an array, axis by axis.

    axes_of(build, operation, array, indices)     # a[i, 2:, None]: Axis("%v3", None), Axis("2", "%v5"), Axis("0", "1")
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from runtime.engine.ranges import range_of
from runtime.graph.operation import Operation
from runtime.native.build import Build
from runtime.native.lowerings.operands import as_int64
from runtime.native.rules import Refused
from runtime.native.values import Memory, Number
from runtime.ops.index_spec import ARRAY, AT

__all__ = ["Axis", "axes_of", "flat_number", "position"]


@dataclass(frozen=True, slots=True)
class Axis:
    """A position (no length), or a piece of an axis; a new axis is one of length 1 that the array does not have."""

    start: str
    length: str | None
    whole: bool = False
    is_new: bool = False


def axes_of(build: Build, operation: Operation, array: Memory, operands: Sequence[Any]) -> list[Axis]:
    """What an index picks; positions out of range make the region give up."""
    spec = operation.attributes["spec"]
    if any(isinstance(part, str) and part == ARRAY for part in spec) or any(isinstance(o, Memory) for o in operands):
        raise Refused(operation, "an array is the index")
    given, axes, dims = iter(operands), list[Axis](), iter(array.dims)
    used = sum(part is not None and part != "..." for part in spec)
    for part in spec:
        if part is None:
            axes.append(Axis("0", "1", is_new=True))
        elif isinstance(part, tuple):
            axes.append(_slice(build, operation, part, given, next(dims)))
        elif part == "...":
            axes += [Axis("0", next(dims), whole=True) for _ in range(len(array.dims) - used)]
        else:
            axes.append(Axis(position(build, next(given) if part == AT else part, next(dims)), None))
    return axes + [Axis("0", dim, whole=True) for dim in dims]


def flat_number(build: Build, dims: Sequence[str], places: Sequence[str]) -> str:
    """The number of an element in C order."""
    w, number = build.w, places[0] if places else "0"
    for dim, place in zip(dims[1:], places[1:], strict=True):
        scaled = number if number == "0" else w.let(f"mul nsw i64 {number}, {dim}")
        number = place if scaled == "0" else scaled if place == "0" else w.let(f"add i64 {scaled}, {place}")
    return number


def position(build: Build, index: Any, dim: str) -> str:
    """A position on an axis of this length, counted from its begin; one outside of it makes the region give up."""
    w = build.w
    known = index.constant if isinstance(index, Number) else int(index)
    if known is not None:
        if dim.isdecimal() and -int(dim) <= known < int(dim):
            return str(known % int(dim))
        text = str(known) if known >= 0 else w.let(f"add i64 {dim}, {known}")
    else:
        least, greatest = range_of(index)
        text = as_int64(build, index)
        if least < 0:
            text = _from_the_end(build, text, dim)
        elif dim.isdecimal() and greatest < int(dim):
            return text
    w.fail_unless(w.let(f"icmp ult i64 {text}, {dim}"))
    return text


def _from_the_end(build: Build, text: str, dim: str) -> str:
    w = build.w
    below = w.let(f"icmp slt i64 {text}, 0")
    moved = w.let(f"add i64 {text}, {dim}")
    return w.let(f"select i1 {below}, i64 {moved}, i64 {text}")


def _slice(build: Build, operation: Operation, part: tuple[Any, ...], given: Iterator[Any], dim: str) -> Axis:
    """A slice with steps of 1; Python clamps its ends."""
    if part[2] not in (None, 1):
        raise Refused(operation, "a slice has steps")
    if part[:2] == (None, None):
        return Axis("0", dim, whole=True)
    start, stop = (_end(build, next(given) if end == AT else end, dim) for end in part[:2])
    start, stop = start or "0", stop or dim
    if start.isdecimal() and stop.isdecimal():
        return Axis(start, str(max(int(stop) - int(start), 0)))
    w = build.w
    length = stop if start == "0" else w.let(f"sub i64 {stop}, {start}")
    if start != "0":
        below = w.let(f"icmp slt i64 {length}, 0")
        length = w.let(f"select i1 {below}, i64 0, i64 {length}")
    return Axis(start, length)


def _end(build: Build, end: Any, dim: str) -> str | None:
    """An end of a slice, counted from the beginning, between 0 and the length of the axis."""
    if end is None:
        return None
    known = end.constant if isinstance(end, Number) else int(end)
    if known is not None and dim.isdecimal():
        return str(min(max(known + int(dim) if known < 0 else known, 0), int(dim)))
    w = build.w
    text = as_int64(build, end) if isinstance(end, Number) else str(end)
    if known is None or known < 0:
        text = _from_the_end(build, text, dim)
        below = w.let(f"icmp slt i64 {text}, 0")
        text = w.let(f"select i1 {below}, i64 0, i64 {text}")
    beyond = w.let(f"icmp sgt i64 {text}, {dim}")
    return w.let(f"select i1 {beyond}, i64 {dim}, i64 {text}")
