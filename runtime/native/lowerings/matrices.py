"""Equations, inverses and determinants of matrices, by the loops of `numpy.linalg`, which call LAPACK.

Such a loop leaves nan where there is no answer; then the region gives up, and the plan raises, or finds nan again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from runtime.dtypes import float64
from runtime.graph.operation import Operation
from runtime.native.build import Build
from runtime.native.loops import call_loop, loop_of
from runtime.native.lowerings.operands import memory
from runtime.native.rules import Refused, lowers
from runtime.native.values import Memory, Number
from runtime.ops.linear.square import matrix_determinant, matrix_inverse, matrix_solve
from runtime.ops.records.record import Op

__all__: list[str] = []

_LOOPS: Final[dict[Op, str]] = {matrix_solve: "solve", matrix_inverse: "inv", matrix_determinant: "det"}


def _matrix(operation: Operation, value: Any) -> Memory:
    matrix = memory(operation, value)
    if len(matrix.dims) != 2 or matrix.dtype is not float64 or loop_of(_LOOPS[operation.op], "d") is None:
        raise Refused(operation, "other matrices than single ones of float64 are left to numpy")
    return matrix


def _square(build: Build, operation: Operation, value: Any) -> tuple[Memory, str]:
    """A square matrix, and the length of its side, which is not 0."""
    matrix, w = _matrix(operation, value), build.w
    rows, columns = matrix.dims
    if rows != columns:
        w.fail_unless(w.let(f"icmp eq i64 {rows}, {columns}"))
    w.fail_if(w.let(f"icmp eq i64 {rows}, 0"))
    return matrix, rows


def _row(build: Build, columns: str) -> str:
    return build.w.let(f"mul i64 {columns}, 8")


def _checked(build: Build, result: Memory) -> Memory:
    first, w = build.load(result.data, "0", result).text, build.w
    w.fail_if(w.let(f"fcmp uno double {first}, {first}"))
    return result


@lowers(matrix_solve, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Memory:
    matrix, side = _square(build, operation, operands[0])
    given, w = _matrix(operation, operands[1]), build.w
    rows, columns = given.dims
    if rows != side:
        w.fail_unless(w.let(f"icmp eq i64 {rows}, {side}"))
    w.fail_if(w.let(f"icmp eq i64 {columns}, 0"))
    result = build.new(given.dims, float64)
    strides = [_row(build, side), "8", _row(build, columns), "8", _row(build, columns), "8"]
    arrays = [matrix.data, given.data, result.data]
    call_loop(build, "solve", "d", ["1", side, columns], arrays, ["0", "0", "0", *strides])
    return _checked(build, result)


@lowers(matrix_inverse, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Memory:
    matrix, side = _square(build, operation, operands[0])
    result = build.new(matrix.dims, float64)
    strides = ["0", "0", *[_row(build, side), "8"] * 2]
    call_loop(build, "inv", "d", ["1", side], [matrix.data, result.data], strides)
    return _checked(build, result)


@lowers(matrix_determinant, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    matrix, side = _square(build, operation, operands[0])
    result = build.w.slot("double")
    call_loop(build, "det", "d", ["1", side], [matrix.data, result], ["0", "0", _row(build, side), "8"])
    return Number(build.w.let(f"load double, ptr {result}"), float64)
