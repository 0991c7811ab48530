"""Elements and slices at positions that an array lists: gather_nd, scatter_nd, tensor_scatter_nd_update, ...

A position outside of the array makes the region give up. Where positions repeat, one is written after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from runtime.dtypes import bool_
from runtime.graph.operation import Operation
from runtime.graph.overflow import is_checked
from runtime.native.build import Build
from runtime.native.elementwise import over_places
from runtime.native.lowerings.functions import extreme_float
from runtime.native.lowerings.operands import as_int64, check_size, is_signed, lengths, memory, write
from runtime.native.lowerings.places import flat_number
from runtime.native.rules import MOVES, Refused, lowers
from runtime.native.types import in_register, literal
from runtime.native.values import Memory, NativeValue, Number
from runtime.ops.arrays.scatter import (
    gather_nd,
    scatter_nd,
    tensor_scatter_nd_add,
    tensor_scatter_nd_max,
    tensor_scatter_nd_min,
    tensor_scatter_nd_sub,
    tensor_scatter_nd_update,
)
from runtime.ops.records.record import Op

__all__: list[str] = []

_SUMS: Final[dict[Op, str]] = {scatter_nd: "add", tensor_scatter_nd_add: "add", tensor_scatter_nd_sub: "sub"}
_EXTREMES: Final[dict[Op, str]] = {tensor_scatter_nd_max: "gt", tensor_scatter_nd_min: "lt"}
MOVES.update({gather_nd, tensor_scatter_nd_update, *_SUMS})  # sums of complex numbers are those of their parts


class _Positions:
    """Where the last axis of `indices` points in an array with these dims, of which the first `batch` axes are those of
    indices, too; `dims` are those of all slices together."""

    def __init__(
        self, build: Build, operation: Operation, indices: Any, dims: Sequence[str], batch: int = 0
    ) -> None:
        self.build, self.indices, self.array_dims, self.batch = build, memory(operation, indices), dims, batch
        depth = self.indices.dims[-1]
        if not depth.isdecimal():
            raise Refused(operation, "how many numbers a position has is known to the run alone")
        self.depth, self.outer = int(depth), self.indices.dims[:-1]
        self.dims = (*self.outer, *dims[batch + self.depth :])
        for own, wanted in zip(self.outer[:batch], dims[:batch], strict=True):
            if own != wanted:
                build.w.fail_unless(build.w.let(f"icmp eq i64 {own}, {wanted}"))

    def number(self, places: Sequence[str]) -> str:
        """The number in the array of the element at this place of the slices."""
        build, w, outer = self.build, self.build.w, places[: len(self.outer)]
        line = flat_number(build, self.outer, outer)
        found = list(places[: self.batch])
        for part in range(self.depth):
            place = w.let(f"add i64 {w.let(f'mul i64 {line}, {self.depth}')}, {part}")
            text = as_int64(build, build.load(self.indices.data, place, self.indices))
            w.fail_unless(w.let(f"icmp ult i64 {text}, {self.array_dims[self.batch + part]}"))
            found.append(text)
        return flat_number(build, self.array_dims, [*found, *places[len(self.outer) :]])


@lowers(gather_nd, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    array = memory(operation, operands[0])
    found = _Positions(build, operation, operands[1], array.dims, operation.attributes["batch_dims"])
    if not found.dims:
        return build.load(array.data, found.number(()), array)
    result = build.new(found.dims, array.dtype)

    def one(places: Sequence[str], number: str) -> None:
        build.store(result.data, number, build.load(array.data, found.number(places), array))

    over_places(build, found.dims, one)
    return result


@lowers(scatter_nd, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Memory:
    dims, dtype = lengths(build, operation, operands[2]), operation.outputs[0].dtype
    if not dims:
        raise Refused(operation, "it gives a single number")
    check_size(build, [dim for dim in dims if not dim.isdecimal()])
    found = _Positions(build, operation, operands[0], dims)
    result = build.new(dims, dtype)
    with build.each(build.elements(result)) as number:
        build.store(result.data, number, Number(literal(0, dtype), dtype))
    _change(build, operation, result, found, operands[1])
    return result


@lowers(tensor_scatter_nd_update, tensor_scatter_nd_add, tensor_scatter_nd_sub, *_EXTREMES)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Memory:
    array = memory(operation, operands[0])
    if operation.op in _EXTREMES and array.dtype.is_floating and build.module.exact:
        raise Refused(operation, "which zero, and which nan, it gives depends on numpy")
    found = _Positions(build, operation, operands[1], array.dims)
    mine = build.unique(build.take(operation.inputs[0], operation, scattered=True))
    _change(build, operation, mine, found, operands[2])
    return mine


def _change(build: Build, operation: Operation, array: Memory, found: _Positions, updates: Any) -> None:
    """Writes the updates to their places, or what they come to with what is there."""
    if is_checked(operation.outputs[0]):
        raise Refused(operation, "integers that must not wrap around are left to numpy")
    given = updates.dims if isinstance(updates, Memory) else ()
    if len(given) != len(found.dims):
        raise Refused(operation, "the updates have not the shape of the slices")
    for own, wanted in zip(given, found.dims, strict=True):
        if own != wanted:
            build.w.fail_unless(build.w.let(f"icmp eq i64 {own}, {wanted}"))
    combined = _combination(build, operation.op)

    def one(places: Sequence[str], number: str) -> None:
        place = found.number(places)
        update = build.load(updates.data, number, updates) if isinstance(updates, Memory) else updates
        build.store(array.data, place, combined(build.load(array.data, place, array), update))

    over_places(build, found.dims, one)


def _combination(build: Build, op: Op) -> Callable[[Number, Number], Number]:
    """What becomes of an element and an update."""

    def combined(x: Number, y: Number) -> Number:
        dtype, kind = x.dtype, in_register(x.dtype)
        if op in _SUMS:
            return write(build, f"{'' if dtype.is_integer else 'f'}{_SUMS[op]} {{t}} {{0}}, {{1}}", dtype, x, y)
        if op in _EXTREMES:
            if dtype.is_floating:
                return extreme_float(build, op is tensor_scatter_nd_max, x, y)
            sign = "s" if is_signed(dtype) else "u"
            test = write(build, f"icmp {sign}{_EXTREMES[op]} {{t}} {{0}}, {{1}}", bool_, x, y)
            return Number(build.w.let(f"select i1 {test.text}, {kind} {x.text}, {kind} {y.text}"), dtype)
        return y

    return combined
