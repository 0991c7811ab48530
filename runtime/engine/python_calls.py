"""Functions of Python's own on scalars, where they give what the kernel gives, many times faster.

    v1 = sqrt(v0) if v0 >= 0.0 else sqrt_2(v0).item()          # the root is exact, so it is the same in C and numpy
    v3 = trunc(v2)                                             # what `int(v2)` comes to
    if not -9223372036854775808 <= v3 <= 9223372036854775807: refuse_large(v3, 'trunc')
    v4 = v0 ** v1 if 0 <= v1 < 64 else pow_(v0, v1).item()     # exact, and not larger than 64 times 64 bits
    if not v5: check(False, message='...')                     # what raises if a number says so
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from runtime.dtypes import complex128, float64
from runtime.engine.buffers import exact, kernel_call
from runtime.engine.scalars import emit_integer
from runtime.engine.values import is_python_number, is_scalar
from runtime.graph.operation import Operation
from runtime.graph.own_numbers import power, refuse_shift
from runtime.ops.elementwise.arithmetic import abs_, divide, floordiv, floormod, pow_
from runtime.ops.elementwise.complex_numbers import complex_, conj, imag, real
from runtime.ops.elementwise.functions import sqrt
from runtime.ops.flow.check import check

if TYPE_CHECKING:
    from runtime.engine.emitter import Emitter

__all__ = ["emit_of_numbers", "emit_python_call", "emit_shift_test", "has_python_call"]

_OF_COMPLEX = {
    abs_: "{magnitude}({0})", real: "({0}).real", imag: "({0}).imag", conj: "({0}).conjugate()",
    complex_: "complex({0}, {1})",
}  # fmt: skip

_MOST_FACTORS = 64
"""Powers above this one, of numbers that are not 1, fit no dtype."""

_DIVISIONS = {divide: "/", floordiv: "//", floormod: "%"}


def magnitude(number: complex) -> float:
    """abs(number), infinity where Python raises."""
    try:
        return abs(number)
    except OverflowError:
        return math.inf


def has_python_call(operation: Operation) -> bool:
    """Whether the operation is a call of a function of Python's."""
    if operation.op is sqrt:
        return is_scalar(operation.inputs[0]) and operation.inputs[0].dtype is float64
    if operation.op in _OF_COMPLEX:
        is_complex = complex128 in (operation.inputs[0].dtype, operation.outputs[0].dtype)
        return is_complex and all(map(is_scalar, operation.inputs))
    if operation.op is pow_:
        return all(is_scalar(t) and t.dtype.is_integer for t in operation.inputs)
    if operation.op is check:
        return is_scalar(operation.inputs[0])
    if operation.type != "integer_call":
        return False
    return all(is_scalar(t) and is_python_number(t.dtype) for t in operation.inputs)


def emit_python_call(emitter: Emitter, operation: Operation) -> None:
    """Writes the statement, and the test of an integer."""
    if operation.op is check:
        _emit_check(emitter, operation)
        return
    operands = [emitter.scalar_of(t) for t in operation.inputs]
    if operation.op is sqrt:
        root = emitter.names.bind(math.sqrt, "sqrt")
        text = f"{root}({operands[0]}) if {operands[0]} >= 0.0 else {emitter.kernel_on_scalars(operation)}"
        emitter.define(operation, text, scalar=True)
        return
    if operation.op in _OF_COMPLEX:
        function = emitter.names.bind(magnitude, "magnitude")
        emitter.define(operation, _OF_COMPLEX[operation.op].format(*operands, magnitude=function), scalar=True)
        return
    if operation.op is pow_:
        x, y = operands
        text = f"({x}) ** {y} if 0 <= {y} < {_MOST_FACTORS} else {emitter.kernel_on_scalars(operation)}"
        emit_integer(emitter, operation, text)
        return
    from runtime.ops.elementwise.number_calls import INTEGER_CALLS, refuse_large  # a family that few programs need

    call = operation.attributes["call"]
    function = emitter.names.bind(INTEGER_CALLS[call], call)
    register = emitter.define(operation, f"{function}({', '.join(operands)})", scalar=True)
    refusal = emitter.names.bind(refuse_large, "refuse_large")
    emitter.block.emit(f"if not {-(2**63)} <= {register} <= {2**63 - 1}: {refusal}({register}, {call!r})", operation)


def _emit_check(emitter: Emitter, operation: Operation) -> None:
    """Writes the statement that raises; what the message shows is made then alone."""
    shown = []
    for tensor in operation.inputs[1:]:
        value = emitter.values[id(tensor)]
        if is_scalar(tensor) and value.array is None and value.constant is None:
            shown.append(exact(emitter, emitter.scalar(value), tensor.dtype))
        else:
            shown.append(emitter.array(value))
    call = kernel_call(emitter, operation, ["False", *shown])
    emitter.block.emit(f"if not {emitter.scalar_of(operation.inputs[0])}: {call}", operation)


def emit_of_numbers(emitter: Emitter, operation: Operation) -> None:
    """Writes an operator of Python on its own numbers, which raises by itself: see runtime.graph.own_numbers."""
    operands = [emitter.scalar_of(t) for t in operation.inputs]
    if operation.op in _DIVISIONS:
        text = f"({operands[0]}) {_DIVISIONS[operation.op]} ({operands[1]})"
    else:
        function, name = (power, "power") if operation.op is pow_ else (abs, "size")
        text = f"{emitter.names.bind(function, name)}({', '.join(operands)})"
    emitter.define(operation, text, scalar=True)


def emit_shift_test(emitter: Emitter, operation: Operation) -> None:
    """Writes the statement before a shift that refuses a negative number of bits."""
    bits = emitter.scalar_of(operation.inputs[1])
    emitter.block.emit(f"if {bits} < 0: {emitter.names.bind(refuse_shift, 'refuse_shift')}({bits})", operation)
