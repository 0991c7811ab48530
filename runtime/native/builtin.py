"""Regions of numbers as builtin functions of Python: machine code that takes Python's objects and makes them.

The code is that of a C function with the flag METH_FASTCALL: (self, array of arguments, how many). It looks into the
objects by functions of Python's C API and gives a tuple; None where the region gives up, NULL where a signal raised.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, Final

from runtime.dtypes import DType, bool_
from runtime.native.types import in_memory, in_register
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["PYTHON_FUNCTIONS", "builtin_function", "builtin_text", "takes_only_numbers"]

PYTHON_FUNCTIONS: Final = (
    "PyBool_FromLong", "PyErr_Clear", "PyErr_Occurred", "PyFloat_AsDouble", "PyFloat_FromDouble", "PyLong_AsLongLong",
    "PyLong_AsUnsignedLongLong", "PyLong_FromLongLong", "PyLong_FromUnsignedLongLong", "PyObject_IsTrue",
    "PyTuple_New", "PyTuple_SetItem", "Py_IncRef",
)  # fmt: skip
"""What the text calls."""

_DECLARED: Final = """
declare ptr @PyBool_FromLong(i64)
declare void @PyErr_Clear()
declare ptr @PyErr_Occurred()
declare double @PyFloat_AsDouble(ptr)
declare ptr @PyFloat_FromDouble(double)
declare i64 @PyLong_AsLongLong(ptr)
declare i64 @PyLong_AsUnsignedLongLong(ptr)
declare ptr @PyLong_FromLongLong(i64)
declare ptr @PyLong_FromUnsignedLongLong(i64)
declare i32 @PyObject_IsTrue(ptr)
declare ptr @PyTuple_New(i64)
declare i32 @PyTuple_SetItem(ptr, i64, ptr)
declare void @Py_IncRef(ptr)
@_Py_NoneStruct = external global i8
"""


def takes_only_numbers(inputs: Sequence[SymbolicTensor], outputs: Sequence[SymbolicTensor]) -> bool:
    """Whether a region can be such a function: numbers in and out, at least one."""
    return bool(outputs) and all(t.shape.rank == 0 for t in (*inputs, *outputs))


def builtin_text(inputs: Sequence[SymbolicTensor], outputs: Sequence[SymbolicTensor]) -> str:
    """The function `call`, to be added to a module with `entry`."""
    words, made = max(len(inputs), 1), max(len(outputs), 1)
    lines = [
        _DECLARED, "define ptr @call(ptr %self, ptr %given, i64 %count) {",
        f"  %arguments = alloca [{words} x i64]", f"  %results = alloca [{made} x i64]",
    ]  # fmt: skip
    for i, tensor in enumerate(inputs):
        lines += _taken(i, tensor.dtype)
    lines += [
        "  %status = call i32 @entry(ptr %arguments, ptr %results)",
        "  switch i32 %status, label %give_up [i32 0, label %made i32 2, label %stopped]",
        "stopped:", "  ret ptr null",
        "wrong:", "  call void @PyErr_Clear()", "  br label %give_up",
        "give_up:", "  call void @Py_IncRef(ptr @_Py_NoneStruct)", "  ret ptr @_Py_NoneStruct",
        "made:", f"  %tuple = call ptr @PyTuple_New(i64 {len(outputs)})",
    ]  # fmt: skip
    for i, tensor in enumerate(outputs):
        lines += _given_back(i, tensor.dtype)
    return "\n".join([*lines, "  ret ptr %tuple", "}"])


def _taken(i: int, dtype: DType) -> list[str]:
    """An argument as a word; what is no number of this kind gives up."""
    lines = [
        f"  %p{i} = getelementptr ptr, ptr %given, i64 {i}", f"  %o{i} = load ptr, ptr %p{i}",
        f"  %w{i} = getelementptr i64, ptr %arguments, i64 {i}",
    ]  # fmt: skip
    if dtype is bool_:
        lines += [
            f"  %x{i} = call i32 @PyObject_IsTrue(ptr %o{i})", f"  %y{i} = trunc i32 %x{i} to i8",
            f"  store i8 %y{i}, ptr %w{i}", f"  %e{i} = icmp eq i32 %x{i}, -1",
        ]  # fmt: skip
    elif dtype.is_floating:
        lines += [f"  %x{i} = call double @PyFloat_AsDouble(ptr %o{i})", f"  %e{i} = fcmp oeq double %x{i}, -1.0"]
        if in_register(dtype) == "float":
            lines += [f"  %y{i} = fptrunc double %x{i} to float", f"  store float %y{i}, ptr %w{i}"]
        else:
            lines.append(f"  store double %x{i}, ptr %w{i}")
    else:
        function = "PyLong_AsUnsignedLongLong" if dtype.is_unsigned and dtype.size == 8 else "PyLong_AsLongLong"
        lines += [
            f"  %x{i} = call i64 @{function}(ptr %o{i})", f"  store i64 %x{i}, ptr %w{i}",
            f"  %e{i} = icmp eq i64 %x{i}, -1",
        ]  # fmt: skip
    return [
        *lines, f"  br i1 %e{i}, label %ask{i}, label %next{i}", f"ask{i}:",
        f"  %q{i} = call ptr @PyErr_Occurred()", f"  %n{i} = icmp eq ptr %q{i}, null",
        f"  br i1 %n{i}, label %next{i}, label %wrong", f"next{i}:",
    ]  # fmt: skip


def _given_back(i: int, dtype: DType) -> list[str]:
    """A word as an object, in its place of the tuple."""
    kind = in_memory(dtype)
    lines = [f"  %r{i} = getelementptr i64, ptr %results, i64 {i}", f"  %v{i} = load {kind}, ptr %r{i}"]
    if dtype.is_floating:
        wide = f"%v{i}" if kind == "double" else f"%d{i}"
        lines += [] if kind == "double" else [f"  %d{i} = fpext float %v{i} to double"]
        lines.append(f"  %b{i} = call ptr @PyFloat_FromDouble(double {wide})")
    else:
        signed = not (dtype is bool_ or dtype.is_unsigned)
        wide = f"%v{i}" if kind == "i64" else f"%d{i}"
        lines += [] if kind == "i64" else [f"  %d{i} = {'sext' if signed else 'zext'} {kind} %v{i} to i64"]
        function = "PyBool_FromLong" if dtype is bool_ else f"PyLong_From{'' if signed else 'Unsigned'}LongLong"
        lines.append(f"  %b{i} = call ptr @{function}(i64 {wide})")
    return [*lines, f"  %t{i} = call i32 @PyTuple_SetItem(ptr %tuple, i64 {i}, ptr %b{i})"]


class _MethodDef(ctypes.Structure):
    """`PyMethodDef` (methodobject.h)."""

    _fields_ = (
        ("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p)
    )  # fmt: skip


_FASTCALL: Final = 0x80


def builtin_function(address: int, owner: Any) -> tuple[Any, Any]:
    """The builtin function for machine code at an address, and what must live as long as it; it holds its owner."""
    definition = _MethodDef(b"region", address, _FASTCALL, None)
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype = ctypes.py_object
    make.argtypes = (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    return make(ctypes.addressof(definition), owner, None), definition
