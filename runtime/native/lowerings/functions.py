"""Functions of floats by the very loops that numpy has for them, so that the results are numpy's to the last bit.

A ufunc holds a table of C functions, one for each combination of types: (arrays, counts, strides, data). Machine code
calls the one for its type with arrays of one element. What is one instruction of the processor stays one.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from runtime.dtypes import DType, bool_, int64
from runtime.graph.operation import Operation
from runtime.native.build import Build
from runtime.native.lowerings.numbers import convert
from runtime.native.lowerings.operands import numbers, write
from runtime.native.rules import Refused, lowers, lowers_arrays
from runtime.native.types import in_register
from runtime.native.values import Memory, NativeValue, Number
from runtime.ops.arithmetic import floordiv, floormod, pow_, round_
from runtime.ops.elementwise import (
    acos,
    asin,
    atan,
    atan2,
    ceil,
    cos,
    cosh,
    exp,
    expm1,
    floor,
    is_finite,
    is_inf,
    is_nan,
    log,
    log1p,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
)  # fmt: skip
from runtime.ops.number_calls import in_domain, integer_call
from runtime.ops.record import Op

__all__ = ["call_ufunc", "loop_of"]

_BY_NUMPY: Final[tuple[Op, ...]] = (
    acos, asin, atan, atan2, cos, cosh, exp, expm1, log, log1p, sin, sinh, tan, tanh
)  # fmt: skip


@lowers(*_BY_NUMPY)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    ufunc = operation.op.ufunc
    assert ufunc is not None
    return call_ufunc(build, operation, ufunc.__name__, *numbers(operation, operands))


_INSTRUCTIONS: Final[dict[Op, str]] = {ceil: "ceil", floor: "floor", round_: "rint", sqrt: "sqrt"}


@lowers(*_INSTRUCTIONS)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    (x,) = numbers(operation, operands)
    if not x.dtype.is_floating:
        return x
    kind = in_register(x.dtype)
    name = f"llvm.{_INSTRUCTIONS[operation.op]}.{'f32' if kind == 'float' else 'f64'}"
    build.module.declare(name, f"declare {kind} @{name}({kind})")
    return write(build, f"call {{t}} @{name}({{t}} {{0}})", x.dtype, x)


@lowers(is_nan, is_inf, is_finite)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    (x,) = numbers(operation, operands)
    if operation.op is is_nan:
        return write(build, "fcmp uno {t} {0}, {0}", bool_, x)
    gap = write(build, "fsub {t} {0}, {0}", x.dtype, x)  # 0 for finite numbers, else nan
    if operation.op is is_finite:
        return write(build, "fcmp ord {t} {0}, {0}", bool_, gap)
    lost = write(build, "fcmp uno {t} {0}, {0}", bool_, gap).text
    real = write(build, "fcmp ord {t} {0}, {0}", bool_, x).text
    return Number(build.w.let(f"and i1 {lost}, {real}"), bool_)


@lowers(in_domain)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    result = numbers(operation, operands)[0]
    gap = write(build, "fsub {t} {0}, {0}", result.dtype, result)
    build.w.fail_if(write(build, "fcmp uno {t} {0}, {0}", bool_, gap).text)
    return result


_OTHERS: Final[dict[Op, str]] = {floordiv: "floor_divide", floormod: "remainder", pow_: "power"}
"""Ufuncs of other names, and of floats only."""


@lowers_arrays(*_BY_NUMPY, *_OTHERS)
def _(build: Build, operation: Operation, operands: Sequence[NativeValue]) -> Memory:
    """One call of the loop for all elements: it has ways of its own for many, which may round in another way."""
    ufunc = operation.op.ufunc
    name = _OTHERS[operation.op] if ufunc is None else ufunc.__name__
    arrays = [o for o in operands if isinstance(o, Memory)]
    if any(o.dims != arrays[0].dims for o in arrays):
        raise Refused(operation, "arrays of several shapes are taken together")
    result = build.new(arrays[0].dims, operation.outputs[0].dtype)
    helper = _declared(build, operation, name, operands[0].dtype, len(operands))
    w, kind, size = build.w, in_register(result.dtype), result.dtype.size
    count = build.elements(result)
    given = []
    for operand in operands:
        data, step = (operand.data, size) if isinstance(operand, Memory) else (w.slot(kind), 0)
        if isinstance(operand, Number):
            w.do(f"store {kind} {operand.text}, ptr {data}")
        given += [f"ptr {data}", f"i64 {step}"]
    w.do(f"call void @{helper}(i64 {count}, {', '.join(given)}, ptr {result.data}, i64 {size})")
    return result


def call_ufunc(build: Build, operation: Operation, name: str, *operands: Number) -> Number:
    """A ufunc from single floats to the same float, by numpy's own loop."""
    dtype = operands[0].dtype
    helper = _declared(build, operation, name, dtype, len(operands))
    w, kind = build.w, in_register(dtype)
    places = [w.slot(kind) for _ in (*operands, None)]
    for place, operand in zip(places, operands, strict=False):
        w.do(f"store {kind} {operand.text}, ptr {place}")
    given = ", ".join(f"ptr {place}, i64 0" for place in places[:-1])
    w.do(f"call void @{helper}(i64 1, {given}, ptr {places[-1]}, i64 {dtype.size})")
    return Number(w.let(f"load {kind}, ptr {places[-1]}"), dtype)


def _declared(build: Build, operation: Operation, name: str, dtype: DType, count: int) -> str:
    """A function that takes the number of elements, and for each operand and the result its address and stride.

    As numpy has it for single numbers, these have strides of 0: some loops go ways of their own for them.
    """
    if not dtype.is_floating or loop_of(name, dtype.numpy.char) is None:
        raise Refused(operation, f"numpy has no loop of it for {dtype.name}")
    symbol, helper = f"numpy.{name}.{dtype.numpy.char}", f"{name}.{dtype.name}"
    build.module.declare(symbol, f"declare void @{symbol}(ptr, ptr, ptr, ptr)")
    parameters = ", ".join(f"ptr %a{i}, i64 %s{i}" for i in range(count + 1))
    lines = [f"@{symbol}.data = external global ptr", f"define internal void @{helper}(i64 %n, {parameters}) {{"]
    lines += [
        f"  %arrays = alloca [{count + 1} x ptr]", f"  %steps = alloca [{count + 1} x i64]", "  %count = alloca i64",
        "  store i64 %n, ptr %count",
    ]  # fmt: skip
    for i in range(count + 1):
        lines += [
            f"  %p{i} = getelementptr [{count + 1} x ptr], ptr %arrays, i32 0, i32 {i}",
            f"  store ptr %a{i}, ptr %p{i}",
            f"  %q{i} = getelementptr [{count + 1} x i64], ptr %steps, i32 0, i32 {i}",
            f"  store i64 %s{i}, ptr %q{i}",
        ]
    lines += [
        f"  %data = load ptr, ptr @{symbol}.data",
        f"  call void @{symbol}(ptr %arrays, ptr %count, ptr %steps, ptr %data)", "  ret void", "}",
    ]  # fmt: skip
    build.module.declare(helper, "\n".join(lines))
    return helper


class _UFunc(ctypes.Structure):
    """The public beginning of numpy's `PyUFuncObject` (numpy/ufuncobject.h)."""

    _fields_ = (
        ("count", ctypes.c_ssize_t), ("kind", ctypes.c_void_p), ("nin", ctypes.c_int), ("nout", ctypes.c_int),
        ("nargs", ctypes.c_int), ("identity", ctypes.c_int), ("functions", ctypes.POINTER(ctypes.c_void_p)),
        ("data", ctypes.POINTER(ctypes.c_void_p)), ("ntypes", ctypes.c_int),
    )  # fmt: skip


def loop_of(name: str, char: str) -> tuple[int, int] | None:
    """The addresses of numpy's loop for one type, and of its data; None where there is none."""
    ufunc = getattr(np, name)
    wanted = f"{char * ufunc.nin}->{char * ufunc.nout}"
    if wanted not in ufunc.types:
        return None
    fields, place = _UFunc.from_address(id(ufunc)), ufunc.types.index(wanted)
    if (fields.nin, fields.nout, fields.ntypes) != (ufunc.nin, ufunc.nout, ufunc.ntypes):
        return None
    address = fields.functions[place]
    data = ctypes.addressof(fields.data.contents) + place * ctypes.sizeof(ctypes.c_void_p)
    return (address, data) if address else None


_ROUNDED: Final = {"ceil": "ceil", "floor": "floor", "round": "rint", "trunc": "trunc"}


@lowers(integer_call)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Number:
    call = operation.attributes["call"]
    if call not in _ROUNDED or len(operands) != 1:
        raise Refused(operation, f"{call} is Python's own")
    (x,) = numbers(operation, operands)
    if not x.dtype.is_floating:
        return convert(build, x, int64)
    kind = in_register(x.dtype)
    name = f"llvm.{_ROUNDED[call]}.{'f32' if kind == 'float' else 'f64'}"
    build.module.declare(name, f"declare {kind} @{name}({kind})")
    return convert(build, write(build, f"call {{t}} @{name}({{t}} {{0}})", x.dtype, x), int64)
