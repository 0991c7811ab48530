"""Nodes that compute element by element."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.exits.onnx.reading import NodeView, Unreadable, dtype_of, reads, same
from runtime.ops.records.gradients import ops

__all__: list[str] = []

same({
    "Add": ops.add, "Sub": ops.subtract, "Mul": ops.multiply, "Neg": ops.negative, "Abs": ops.abs, "Sign": ops.sign,
    "And": ops.logical_and, "Or": ops.logical_or, "Xor": ops.logical_xor, "Not": ops.logical_not,
    "Equal": ops.equal, "Less": ops.less, "LessOrEqual": ops.less_equal, "Greater": ops.greater,
    "GreaterOrEqual": ops.greater_equal, "Where": ops.where,
    "BitwiseAnd": ops.bitwise_and, "BitwiseOr": ops.bitwise_or, "BitwiseXor": ops.bitwise_xor, "BitwiseNot": ops.invert,
    "Exp": ops.exp, "Log": ops.log, "Sqrt": ops.sqrt, "Reciprocal": ops.reciprocal, "Sin": ops.sin, "Cos": ops.cos,
    "Tan": ops.tan, "Asin": ops.asin, "Acos": ops.acos, "Atan": ops.atan, "Sinh": ops.sinh, "Cosh": ops.cosh,
    "Asinh": ops.asinh, "Acosh": ops.acosh, "Atanh": ops.atanh, "Tanh": ops.tanh, "Sigmoid": ops.sigmoid,
    "Floor": ops.floor, "Ceil": ops.ceil, "Round": ops.round, "IsNaN": ops.is_nan, "Erf": ops.erf, "Relu": ops.relu,
    "Softplus": ops.softplus, "Softsign": ops.softsign, "Identity": ops.identity,
})  # fmt: skip


@reads("Div")
def _(node: NodeView, x: Any, y: Any) -> Any:
    """Of integers it is cut off."""
    if x.dtype.is_floating:
        return ops.divide(x, y)
    quotient = ops.floordiv(x, y)
    if x.dtype.is_unsigned:
        return quotient
    rest = ops.subtract(x, ops.multiply(quotient, y))
    zero = ops.zeros_like(rest)
    is_off = ops.logical_and(ops.not_equal(rest, zero), ops.less(quotient, zero))
    return ops.add(quotient, ops.cast(is_off, dtype=x.dtype))


@reads("Mod")
def _(node: NodeView, x: Any, y: Any) -> Any:
    return ops.fmod(x, y) if node.get("fmod") else ops.floormod(x, y)


@reads("Pow")
def _(node: NodeView, x: Any, y: Any) -> Any:
    return ops.pow(x, ops.cast(y, dtype=x.dtype))


@reads("Max", "Min", "Sum")
def _(node: NodeView, first: Any, *others: Any) -> Any:
    combine = {"Max": ops.maximum, "Min": ops.minimum, "Sum": ops.add}[node.type]
    for other in others:
        first = combine(first, other)
    return first


@reads("Clip")
def _(node: NodeView, x: Any, low: Any = None, high: Any = None) -> Any:
    x = x if low is None else ops.maximum(x, low)
    return x if high is None else ops.minimum(x, high)


@reads("IsInf")
def _(node: NodeView, x: Any) -> Any:
    if node.get("detect_negative", 1) != 1 or node.get("detect_positive", 1) != 1:
        raise Unreadable("it asks for one infinity alone")
    return ops.is_inf(x)


@reads("Cast")
def _(node: NodeView, x: Any) -> Any:
    return ops.cast(x, dtype=dtype_of(node.get("to", 0)))


@reads("BitShift")
def _(node: NodeView, x: Any, y: Any) -> Any:
    return (ops.left_shift if node.get("direction") == "LEFT" else ops.right_shift)(x, y)


def _number(x: Any, value: Any) -> Any:
    return x.graph.constant(np.asarray(value, x.dtype.numpy))


@reads("LeakyRelu")
def _(node: NodeView, x: Any) -> Any:
    return ops.leaky_relu(x, alpha=node.get("alpha", 0.01))


@reads("Elu")
def _(node: NodeView, x: Any) -> Any:
    zero = _number(x, 0)
    low = ops.multiply(ops.expm1(ops.minimum(x, zero)), _number(x, node.get("alpha", 1.0)))
    return ops.where(ops.greater(x, zero), x, low)


@reads("Gelu")
def _(node: NodeView, x: Any) -> Any:
    return ops.gelu(x, approximate=node.get("approximate", "none") == "tanh")


@reads("Softmax", "LogSoftmax")
def _(node: NodeView, x: Any) -> Any:
    return (ops.softmax if node.type == "Softmax" else ops.log_softmax)(x, axis=node.get("axis", -1))


@reads("Range")
def _(node: NodeView, start: Any, limit: Any, delta: Any) -> Any:
    return ops.range(start, limit, delta)


@reads("MatMul")
def _(node: NodeView, a: Any, b: Any) -> Any:
    return ops.matmul(a, b)


@reads("Gemm")
def _(node: NodeView, a: Any, b: Any, c: Any = None) -> Any:
    found = ops.matmul(a, b, transpose_a=bool(node.get("transA")), transpose_b=bool(node.get("transB")))
    if node.get("alpha", 1.0) != 1.0:
        found = ops.multiply(found, _number(a, node.get("alpha")))
    if c is None:
        return found
    return ops.add(found, c if node.get("beta", 1.0) == 1.0 else ops.multiply(c, _number(a, node.get("beta"))))


@reads("Einsum")
def _(node: NodeView, *operands: Any) -> Any:
    return ops.einsum(list(operands), equation=node.get("equation"))
