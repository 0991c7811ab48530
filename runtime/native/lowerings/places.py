"""What an index of integers, slices, new axes and "..." picks of an array, axis by axis.

    axes_of(build, operation, array, indices)     # a[i, 2:, None]: Axis("%v3", None), Axis("2", "%v5"), Axis("0", "1")
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from runtime.engine.ranges import range_of
from runtime.errors import OutOfRangeError
from runtime.graph.operation import Operation
from runtime.native.build import Build
from runtime.native.lowerings.operands import as_int64, moved
from runtime.native.rules import Refused
from runtime.native.values import Memory, Number
from runtime.ops.kernels.index_spec import ARRAY, AT

__all__ = ["Axis", "axes_of", "entries_of", "flat_number", "position", "slice_of", "source_of"]


@dataclass(frozen=True, slots=True)
class Axis:
    """A position (no length), or a piece of an axis; a new axis is one of length 1 that the array does not have."""

    start: str
    length: str | None
    whole: bool = False
    is_new: bool = False
    step: int | str = 1


def axes_of(build: Build, operation: Operation, array: Memory, operands: Sequence[Any]) -> list[Axis]:
    """What an index without arrays picks; positions out of range make the region give up."""
    entries = entries_of(build, operation, array, operands)
    found = [entry for entry in entries if isinstance(entry, Axis)]
    if len(found) < len(entries):
        raise Refused(operation, "an array is the index")
    return found


def entries_of(
    build: Build, operation: Operation, array: Memory, operands: Sequence[Any]
) -> list[Axis | Memory | Number]:
    """What an index picks, arrays of numbers as they are."""
    spec = operation.attributes["spec"]
    given, axes, dims = iter(operands), list[Axis | Memory | Number](), iter(array.dims)
    used = sum(part is not None and part != "..." for part in spec)
    for part in spec:
        if part is None:
            axes.append(Axis("0", "1", is_new=True))
        elif isinstance(part, tuple):
            axes.append(slice_of(build, operation, part, given, next(dims)))
        elif part == "...":
            axes += [Axis("0", next(dims), whole=True) for _ in range(len(array.dims) - used)]
        elif part == ARRAY:
            axes.append(next(given))
            next(dims)
        else:
            axes.append(Axis(position(build, next(given) if part == AT else part, next(dims)), None))
    return axes + [Axis("0", dim, whole=True) for dim in dims]


def source_of(build: Build, axis: Axis, places: Iterator[str]) -> str:
    """The position on an axis of the array for the next place in what was picked, if it has one there."""
    if axis.length is None:
        return axis.start
    place = next(places)
    if axis.step != 1:
        place = build.w.let(f"mul i64 {place}, {axis.step}")
    return place if axis.start == "0" else moved(build, axis.start, place)


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
        length = int(dim) if dim.isdecimal() else _MOST
        if length > 0 and not w.puts_off:  # what comes after it is only reached by an index
            index.range = max(least, -length), min(greatest, length - 1)
        if least >= 0 and greatest < 1 << 63:
            w.fail_unless(w.let(f"icmp slt i64 {text}, {dim}"), build.handler(OutOfRangeError))
            return text
    w.fail_unless(w.let(f"icmp ult i64 {text}, {dim}"), build.handler(OutOfRangeError))
    return text


_MOST = 1 << 47
"""No axis is longer than what a process can address; one without elements has no index."""


def _from_the_end(build: Build, text: str, dim: str) -> str:
    w = build.w
    below = w.let(f"icmp slt i64 {text}, 0")
    moved = w.let(f"add i64 {text}, {dim}")
    return w.let(f"select i1 {below}, i64 {moved}, i64 {text}")


def slice_of(build: Build, operation: Operation, part: tuple[Any, ...], given: Iterator[Any], dim: str) -> Axis:
    """A slice; Python clamps its ends, which backwards are the last position and the one before the first."""
    ends = [next(given) if end == AT else end for end in part[:2]]
    step = 1 if part[2] is None else part[2]
    if step == AT:
        return _with_steps(build, ends, next(given), dim)
    if ends == [None, None] and step == 1:
        return Axis("0", dim, whole=True)
    if step > 0:
        start, stop = (_end(build, end, "0", dim, dim) for end in ends)
        start, stop = start or "0", stop or dim
    else:
        last = _difference(build, dim, "1")
        start, stop = (_end(build, end, "-1", last, dim) for end in ends)
        start, stop = start or last, stop or "-1"
    length = _difference(build, stop, start) if step > 0 else _difference(build, start, stop)
    return Axis(start, _count(build, length, abs(step), start != "0" or step != 1), step=step)


def _with_steps(build: Build, ends: Sequence[Any], given: Any, dim: str) -> Axis:
    """A slice with steps that only the run knows; those backwards make the region give up."""
    w, step = build.w, as_int64(build, given)
    w.fail_unless(w.let(f"icmp sgt i64 {step}, 0"))
    start, stop = (_end(build, end, "0", dim, dim) for end in ends)
    length = _difference(build, stop or dim, start or "0")
    below = w.let(f"icmp slt i64 {length}, 0")
    length = w.let(f"select i1 {below}, i64 0, i64 {length}")
    most = w.let(f"add i64 {length}, {w.let(f'sub i64 {step}, 1')}")
    return Axis(start or "0", w.let(f"udiv i64 {most}, {step}"), step=step)


def _difference(build: Build, x: str, y: str) -> str:
    if y == "0":
        return x
    return str(int(x) - int(y)) if _is_known(x) and _is_known(y) else build.w.let(f"sub i64 {x}, {y}")


def _count(build: Build, length: str, step: int, may_be_negative: bool) -> str:
    """How many steps a length has, the last one perhaps not whole; none of a negative one."""
    if _is_known(length):
        return str(max(-(-int(length) // step), 0))
    w = build.w
    if may_be_negative:
        below = w.let(f"icmp slt i64 {length}, 0")
        length = w.let(f"select i1 {below}, i64 0, i64 {length}")
    return length if step == 1 else w.let(f"udiv i64 {w.let(f'add i64 {length}, {step - 1}')}, {step}")


def _is_known(text: str) -> bool:
    return text.lstrip("-").isdecimal()


def _end(build: Build, end: Any, least: str, greatest: str, dim: str) -> str | None:
    """An end of a slice, counted from the beginning, between the least and the greatest that it can be."""
    if end is None:
        return None
    known = end.constant if isinstance(end, Number) else int(end)
    if known is not None and dim.isdecimal():
        return str(min(max(known + int(dim) if known < 0 else known, int(least)), int(greatest)))
    w = build.w
    text = as_int64(build, end) if isinstance(end, Number) else str(end)
    if known is None or known < 0:
        text = _from_the_end(build, text, dim)
        below = w.let(f"icmp slt i64 {text}, {least}")
        text = w.let(f"select i1 {below}, i64 {least}, i64 {text}")
    beyond = w.let(f"icmp sgt i64 {text}, {greatest}")
    return w.let(f"select i1 {beyond}, i64 {greatest}, i64 {text}")
