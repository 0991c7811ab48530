"""Numbers as other numbers: casts, choices, and what hands its operand on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.dtypes import DType, bool_, float16, float32, float64
from runtime.engine.ranges import range_of, whole, within
from runtime.graph.operation import Operation
from runtime.native.build import Build
from runtime.native.lowerings.operands import is_signed, numbers, write
from runtime.native.rules import lowers
from runtime.native.types import in_register, literal
from runtime.native.values import NativeValue, Number
from runtime.ops.arrays.shape import cast, stop_gradient
from runtime.ops.elementwise.logic import where
from runtime.ops.flow.core import identity

__all__ = ["convert"]


@lowers(identity, stop_gradient)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> NativeValue:
    value: NativeValue = operands[0]
    return value if isinstance(value, Number) else build.take(operation.inputs[0], operation, scattered=True)


@lowers(where, elementwise=True)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    test, x, y = numbers(operation, operands)
    kind = in_register(x.dtype)
    return Number(build.w.let(f"select i1 {test.text}, {kind} {x.text}, {kind} {y.text}"), x.dtype)


@lowers(cast)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    (x,) = numbers(operation, operands)
    target, exact = operation.outputs[0].dtype, operation.attributes["exact"]
    result = convert(build, x, target)
    if not exact or x.dtype is bool_:
        return result
    if target.is_floating and x.dtype.is_floating:
        if target.size < x.dtype.size:
            _refuse_lost(build, x, result)
    else:
        back = convert(build, result, x.dtype)
        test = "fcmp oeq" if x.dtype.is_floating else "icmp eq"
        build.w.fail_unless(write(build, f"{test} {{t}} {{0}}, {{1}}", bool_, x, back).text)
    return result


def _refuse_lost(build: Build, x: Number, result: Number) -> None:
    """Gives up where a finite number has become an infinite one."""
    zero, gap = (write(build, "fsub {t} {0}, {0}", n.dtype, n) for n in (x, result))
    finite = write(build, "fcmp ord {t} {0}, {0}", bool_, zero).text
    lost = write(build, "fcmp uno {t} {0}, {0}", bool_, gap).text
    build.w.fail_if(build.w.let(f"and i1 {finite}, {lost}"))


def convert(build: Build, x: Number, target: DType) -> Number:
    """The number as one of another dtype. What C leaves open, a float that no integer stands for, gives up."""
    source = x.dtype
    if source is target:
        return x
    if target is bool_:
        return write(build, f"{'fcmp une' if source.is_floating else 'icmp ne'} {{t}} {{0}}, {_zero(source)}", bool_, x)
    kind = in_register(target)
    if target is float16:  # numpy goes by float32, but for float64
        text = "call half @half_of({t} {0})" if source is float64 else "fptrunc {t} {0} to half"
        return write(build, text, target, x if source.is_floating else convert(build, x, float32))
    if source.is_floating:
        if target.is_floating:
            step = "fptrunc" if target.size < source.size else "fpext"
            return write(build, f"{step} {{t}} {{0}} to {kind}", target, x)
        return _whole(build, convert(build, x, float32) if source is float16 else x, target)
    if target.is_floating:
        return write(build, f"{'sitofp' if is_signed(source) else 'uitofp'} {{t}} {{0}} to {kind}", target, x)
    found = (0, 1) if source is bool_ else range_of(x)
    kept = found if within(found, whole(target)) else None
    if x.constant is not None and kept is not None:
        return Number(x.text, target)
    if in_register(source) == kind:
        return Number(x.text, target, kept)
    wider = source is bool_ or target.size > source.size
    step = ("sext" if is_signed(source) else "zext") if wider else "trunc"
    return Number(write(build, f"{step} {{t}} {{0}} to {kind}", target, x).text, target, kept)


def _zero(dtype: DType) -> str:
    return "0.0" if dtype.is_floating else "0"


def _whole(build: Build, x: Number, target: DType) -> Number:
    """A float as an integer, truncated."""
    least, most = int(target.min), int(target.max) + 1
    outside = float(least - 1)
    exact = outside == least - 1 and np.float64(x.dtype.numpy.type(outside)) == outside
    test, bound = ("ogt", outside) if exact else ("oge", float(least))
    above = write(build, f"fcmp {test} {{t}} {{0}}, {literal(bound, x.dtype)}", bool_, x)
    below = write(build, f"fcmp olt {{t}} {{0}}, {literal(float(most), x.dtype)}", bool_, x)
    build.w.fail_unless(build.w.let(f"and i1 {above.text}, {below.text}"))
    step = "fptoui" if target.is_unsigned else "fptosi"
    return write(build, f"{step} {{t}} {{0}} to {in_register(target)}", target, x)
