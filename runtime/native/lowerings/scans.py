"""Running sums and products along an axis, one element after the other as numpy's `accumulate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.graph.operation import Operation
from runtime.graph.overflow import is_checked
from runtime.native.build import Build
from runtime.native.lowerings.operands import memory, write
from runtime.native.rules import Refused, lowers
from runtime.native.values import Memory, Number
from runtime.ops.records.shape_rules import normalized_axis
from runtime.ops.reductions.scan import cumprod, cumsum

__all__: list[str] = []


@lowers(cumsum, cumprod, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Memory:
    """The array is blocks of lines of rows: each row is the one before it and the row of the array."""
    array, w, dtype = memory(operation, operands[0]), build.w, operation.outputs[0].dtype
    if is_checked(operation.outputs[0]):
        raise Refused(operation, "integers that must not wrap around are left to numpy")
    axis = normalized_axis(operation.attributes["axis"], len(array.dims))
    blocks, rows = (
        build.elements(Memory("", "", dims, dtype)) for dims in (array.dims[:axis], array.dims[axis + 1 :])
    )
    length, backwards, exclusive = array.dims[axis], operation.attributes["reverse"], operation.attributes["exclusive"]
    result = build.new(array.dims, dtype)
    instruction = ("f" if dtype.is_floating else "") + ("add" if operation.op is cumsum else "mul")
    start = Number(f"{int(operation.op is cumprod)}{'.0' if dtype.is_floating else ''}", dtype)

    def place(block: str, turn: str, number: str) -> str:
        line = w.let(f"sub i64 {w.let(f'sub i64 {length}, 1')}, {turn}") if backwards else turn
        line = w.let(f"add i64 {w.let(f'mul i64 {block}, {length}')}, {line}")
        return w.let(f"add i64 {w.let(f'mul i64 {line}, {rows}')}, {number}")

    some = w.let(f"zext i1 {w.let(f'icmp ne i64 {length}, 0')} to i64")
    with build.each(blocks) as block:
        with build.each(w.let(f"mul i64 {rows}, {some}")) as number:
            here = place(block, "0", number)
            build.store(result.data, here, start if exclusive else build.load(array.data, here, array))
        with build.each(w.let(f"sub i64 {length}, {some}")) as turn, build.each(rows) as number:
            before, here = place(block, turn, number), place(block, w.let(f"add i64 {turn}, 1"), number)
            given = build.load(array.data, before if exclusive else here, array)
            so_far = build.load(result.data, before, result)
            build.store(result.data, here, write(build, f"{instruction} {{t}} {{0}}, {{1}}", dtype, so_far, given))
    return result.lies_as(array)
