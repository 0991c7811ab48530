"""Functions of floats, element by element, that are nodes of their own."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.dtypes import bool_
from runtime.exits.onnx.build import Build
from runtime.exits.onnx.nodes import Value
from runtime.exits.onnx.rules import lowers, writes
from runtime.graph.operation import Operation
from runtime.ops.elementwise.error_functions import erf
from runtime.ops.elementwise.functions import (
    acos,
    asin,
    atan,
    ceil,
    cos,
    cosh,
    exp,
    floor,
    is_inf,
    is_nan,
    log,
    reciprocal,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
)
from runtime.ops.networks.activations import relu
from runtime.ops.networks.softmax import log_softmax, softmax

__all__: list[str] = []

writes(
    {
        exp: "Exp", log: "Log", sqrt: "Sqrt", reciprocal: "Reciprocal", sin: "Sin", cos: "Cos", tan: "Tan",
        asin: "Asin", acos: "Acos", atan: "Atan", sinh: "Sinh", cosh: "Cosh", tanh: "Tanh",
        floor: "Floor", ceil: "Ceil", is_nan: "IsNaN", is_inf: "IsInf", erf: "Erf",
    }
)  # fmt: skip


@lowers(relu)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    (x,) = operands
    if x.dtype.is_unsigned:
        return x
    found = build.node("Max", x, build.number(x, 0))
    return build.where(build.node("IsNaN", x, dtype=bool_), x, found) if x.dtype.is_floating else found


@lowers(softmax)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    return build.node("Softmax", operands[0], axis=operation.attributes["axis"])


@lowers(log_softmax)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    return build.node("LogSoftmax", operands[0], axis=operation.attributes["axis"])
