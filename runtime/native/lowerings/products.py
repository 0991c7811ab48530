"""Products of vectors and matrices, by the loop of `numpy.matmul`, which calls BLAS as `numpy.dot` does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.graph.operation import Operation
from runtime.graph.overflow import is_checked
from runtime.native.build import Build
from runtime.native.loops import call_loop, loop_of
from runtime.native.rules import Refused, lowers
from runtime.native.types import in_register
from runtime.native.values import Memory, NativeValue, Number
from runtime.ops.linear.einsum import einsum, letters_of
from runtime.ops.linear.products import axis_pairs, matmul, tensordot

__all__: list[str] = []


@lowers(matmul, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    swapped = operation.attributes["transpose_a"], operation.attributes["transpose_b"]
    a, b = operands
    return _product(build, operation, a, b, swapped)


@lowers(tensordot, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    ranks = [t.shape.rank or 0 for t in operation.inputs]
    first, second = axis_pairs(operation.attributes["axes"], *ranks)
    if first != (ranks[0] - 1,) or second != (max(ranks[1] - 2, 0),):
        raise Refused(operation, "sums over these axes are left to numpy")
    a, b = (
        build.values[id(build.spared[id(t)])] if id(t) in build.spared else operand
        for t, operand in zip(operation.inputs, operands, strict=True)
    )
    if any(id(t) in build.spared for t in operation.inputs):
        a, b = b, a  # x.T @ v is v @ x
    return _product(build, operation, a, b)


@lowers(einsum, copies=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    """A product of vectors and matrices under another name. numpy adds its terms in another order: of floats that is
    left to it where each bit is to be numpy's."""
    if build.module.exact and not operation.outputs[0].dtype.is_integer:
        raise Refused(operation, "numpy rounds it in another way than products of matrices")
    terms, result = letters_of(operation.attributes["equation"], len(operands))
    found = _as_product(terms, result)
    if found is None:
        raise Refused(operation, "it is no product of two vectors or matrices")
    turned, swapped = found
    a, b = operands[::-1] if turned else operands
    return _product(build, operation, a, b, swapped)


def _as_product(terms: Sequence[str], result: str) -> tuple[bool, tuple[bool, bool]] | None:
    """Whether the operands change places, and which of them are transposed then; None if it is no product."""
    if len(terms) != 2 or any(len(set(t)) != len(t) or not 0 < len(t) < 3 or not t.isalpha() for t in terms):
        return None
    shared = set(terms[0]) & set(terms[1])
    if len(shared) != 1 or shared & set(result):
        return None
    (inner,) = shared
    for turned, (first, second) in enumerate((terms, terms[::-1])):
        if first.replace(inner, "") + second.replace(inner, "") == result:
            return bool(turned), (len(first) == 2 and first[0] == inner, len(second) == 2 and second[1] == inner)
    return None


def _product(
    build: Build, operation: Operation, a: Any, b: Any, swapped: tuple[bool, bool] = (False, False)
) -> NativeValue:
    """swapped: whether the axes of a matrix are exchanged. numpy's loop sees that by the strides, and tells BLAS."""
    dtype = operation.outputs[0].dtype
    build.side_by_side(a, operation)
    build.side_by_side(b, operation)
    if not (isinstance(a, Memory) and isinstance(b, Memory)) or max(len(a.dims), len(b.dims)) > 2:
        raise Refused(operation, "products of more than matrices are left to numpy")
    if is_checked(operation.outputs[0]) or loop_of("matmul", dtype.numpy.char) is None:
        raise Refused(operation, f"products of {dtype.name} are left to numpy")
    w, size, (swaps_a, swaps_b) = build.w, dtype.size, swapped
    rows, inner = ("1", a.dims[0]) if len(a.dims) == 1 else a.dims[:: -1 if swaps_a else 1]
    other, columns = (b.dims[0], "1") if len(b.dims) == 1 else b.dims[:: -1 if swaps_b else 1]
    if inner != other:
        w.fail_unless(w.let(f"icmp eq i64 {inner}, {other}"))
    dims = [rows] * (len(a.dims) == 2) + [columns] * (len(b.dims) == 2)
    result = build.new_result(operation.outputs[0], dims) if dims else None
    target = w.slot(in_register(dtype)) if result is None else result.data
    left, right = [_bytes(build, inner, size), str(size)], [_bytes(build, columns, size), str(size)]
    along = ([str(size), _bytes(build, rows, size)] if swaps_a else left) + (
        [str(size), _bytes(build, inner, size)] if swaps_b else right
    )
    out = [_bytes(build, columns, size), str(size)]
    call_loop(
        build, "matmul", dtype.numpy.char, ["1", rows, inner, columns], [a.data, b.data, target],
        ["0", "0", "0", *along, *out],
    )  # fmt: skip
    return result or Number(w.let(f"load {in_register(dtype)}, ptr {target}"), dtype)


def _bytes(build: Build, count: str, size: int) -> str:
    return str(int(count) * size) if count.isdecimal() else build.w.let(f"mul i64 {count}, {size}")
