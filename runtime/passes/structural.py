"""Rules of algebra that depend on more than the operations: on axes, dtypes, shapes, branches. `RULES` lists them.

Each is given an operation and what it has become so far, and returns what stands in its place, or None.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from runtime.dtypes import BOOLS, DType, bfloat16, float16
from runtime.graph.operation import Operation
from runtime.graph.own_numbers import is_of_numbers
from runtime.graph.risks import may_raise
from runtime.ops.arrays.repeating import broadcast_to
from runtime.ops.arrays.shape import cast, expand_dims, reshape, squeeze, transpose
from runtime.ops.elementwise.arithmetic import divide, multiply
from runtime.ops.elementwise.logic import logical_not
from runtime.ops.flow.control import cond_node
from runtime.ops.flow.core import constant_node
from runtime.ops.linear.products import matmul
from runtime.ops.records.record import Op
from runtime.passes.patterns import Made, stands_for
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["RULES"]

Found = Any
"""A tensor, what the operation becomes, or None."""

MOST_ELEMENTS: Final = 4096
"""Constants above this size stay as they are."""


def _order(operation: Operation | Made) -> tuple[int, ...] | None:
    """The axes of a transpose as numbers from 0 on; None where the rank is not known."""
    tensor: Any = operation.inputs[0]
    rank, perm = tensor.shape.rank, operation.attributes["perm"]
    if rank is None:
        return None
    return tuple(range(rank))[::-1] if perm is None else tuple([axis % rank for axis in perm])


def transposed(operation: Operation, made: Made) -> Found:
    """transpose(x) that keeps the order -> x;  transpose(transpose(x)) -> transpose(x)"""
    tensor, order = made.inputs[0], _order(made)
    if order is None or may_raise(operation):
        return None
    inner = tensor.op
    if inner.op is transpose and (first := _order(inner)) is not None and len(first) == len(order):
        tensor, order = inner.inputs[0], tuple([first[axis] for axis in order])
    if order == tuple(range(len(order))) and stands_for(tensor, operation.outputs[0]):
        return tensor
    return None if tensor is made.inputs[0] else Made(transpose, (tensor,), {"perm": order})


def reshaped(operation: Operation, made: Made) -> Found:
    """reshape(x) to its own shape -> x;  reshape(reshape(x)) -> reshape(x); also of expand_dims and squeeze"""
    tensor, result = made.inputs[0], operation.outputs[0]
    is_flat = made.op is reshape and tensor.shape.rank == 1 and result.shape.rank == 1 and _is_all(made.inputs[1])
    if not (is_flat or _is_known(operation)):
        return None
    if stands_for(tensor, result):
        return tensor
    inner = tensor.op
    if inner.op not in _SAME_ELEMENTS or not _is_known(inner):
        return None
    source = inner.inputs[0]
    if stands_for(source, result):
        return source
    return Made(reshape, (source, made.inputs[1]), made.attributes) if made.op is reshape else None


def broadcasted(operation: Operation, made: Made) -> Found:
    """broadcast_to(x) to its own shape -> x"""
    tensor, result = made.inputs[0], operation.outputs[0]
    known = made.inputs[1].value is not None and tensor.shape.is_fully_defined()
    return tensor if known and stands_for(tensor, result) else None


def _is_all(sizes: SymbolicTensor) -> bool:
    return sizes.value is not None and sizes.value.tolist() == [-1]


def _is_known(operation: Operation) -> bool:
    """Whether the shapes were compared while the graph was built."""
    (tensor, *target), (result,) = operation.inputs, operation.outputs
    known = all(t.value is not None for t in target)
    return known and tensor.shape.is_fully_defined() and result.shape.is_fully_defined()


_SAME_ELEMENTS: Final = frozenset({reshape, expand_dims, squeeze})


def recast(operation: Operation, made: Made) -> Found:
    """cast(x) to its own dtype -> x;  cast(cast(x)) -> cast(x), where the first one keeps all values"""
    tensor, target = made.inputs[0], made.attributes["dtype"]
    if tensor.dtype is target and stands_for(tensor, operation.outputs[0]):
        return tensor
    inner = tensor.op
    if inner.op is not cast or inner.attributes["exact"] or made.attributes["exact"]:
        return None
    source = inner.inputs[0]
    if not may_skip(source.dtype, tensor.dtype, target):
        return None
    if source.dtype is target and stands_for(source, operation.outputs[0]):
        return source
    return Made(cast, (source,), made.attributes)


def may_skip(source: DType, between: DType, target: DType) -> bool:
    """Whether a cast to `target` gives the same without the one to `between`. What does not fit an integer type is
    undefined if it comes from a float, and float16 may be rounded twice on its way from an integer."""
    if bfloat16 in (source, between, target) or not keeps_values(source, between):
        return False
    if target.is_integer:
        by_integers = source.is_integer and between.is_integer
        return by_integers or source in BOOLS or (source.is_integer and keeps_values(source, target))
    return target is not float16 or not source.is_integer or between.is_integer


def keeps_values(source: DType, target: DType) -> bool:
    """Whether all values of one dtype are values of another one."""
    if source is target or source in BOOLS:
        return True
    if target in BOOLS:
        return False
    if source.is_integer and not target.is_integer:
        limits, digits = np.iinfo(source.numpy), np.finfo(target.numpy).nmant + 1
        return int(limits.max).bit_length() <= digits
    return bool(np.can_cast(source.numpy, target.numpy, "safe"))


def product(operation: Operation, made: Made) -> Found:
    """matmul(transpose(a), b) -> matmul(a, b, transpose_a=True); also of b"""
    operands, flags = list(made.inputs), [made.attributes["transpose_a"], made.attributes["transpose_b"]]
    for i, tensor in enumerate(made.inputs):
        if tensor.op.op is transpose and _swaps_last(tensor.op):
            operands[i], flags[i] = tensor.op.inputs[0], not flags[i]
    if all(a is b for a, b in zip(operands, made.inputs, strict=True)):
        return None
    return Made(matmul, tuple(operands), {"transpose_a": flags[0], "transpose_b": flags[1]})


def _swaps_last(operation: Operation) -> bool:
    order = _order(operation)
    if order is None or len(order) < 2 or may_raise(operation):
        return False
    count = len(order)
    return order == (*range(count - 2), count - 1, count - 2)


def quotient(operation: Operation, made: Made) -> Found:
    """divide(x, 2**k) -> multiply(x, 2**-k)"""
    x, divisor = made.inputs
    if divisor.op.op is not constant_node or is_of_numbers(operation):
        return None
    array = divisor.op.attributes["value"]
    if array.dtype.kind != "f" or not 0 < array.size <= MOST_ELEMENTS or abs(math.frexp(array.flat[0])[0]) != 0.5:
        return None
    with np.errstate(all="ignore"):
        inverse = np.asarray(1 / array, array.dtype)
    limits = np.finfo(array.dtype)
    normal = (np.abs(inverse) >= limits.tiny) & (np.abs(inverse) <= limits.max)
    powers = np.isfinite(array) & (np.abs(np.frexp(array)[0]) == 0.5)
    return Made(multiply, (x, inverse), {}) if bool((normal & powers).all()) else None


def choice(operation: Operation, made: Made) -> Found:
    """cond(logical_not(p), a, b) -> cond(p, b, a)"""
    predicate = made.inputs[0].op
    if predicate.op is not logical_not:
        return None
    attributes = {"then_graph": made.attributes["else_graph"], "else_graph": made.attributes["then_graph"]}
    return Made(cond_node, (predicate.inputs[0], *made.inputs[1:]), attributes)


RULES: Final[Mapping[Op, Callable[[Operation, Made], Found]]] = {
    broadcast_to: broadcasted, cast: recast, cond_node: choice, divide: quotient, expand_dims: reshaped,
    matmul: product, reshape: reshaped, squeeze: reshaped, transpose: transposed,
}  # fmt: skip
