"""Python's objects and numpy's arrays as machine code sees them: C functions by name, and fields of arrays.

The fields are those of numpy's public `PyArrayObject_fields` (ndarraytypes.h), and the functions those of its C API
(`_ARRAY_API`), whose numbers do not change. `check_layout` compares them with an array that is known.
"""

from __future__ import annotations

import ctypes
import functools
from typing import Any, Final

import numpy as np

from runtime.dtypes import float32, float64
from runtime.native.pool import POOL
from runtime.native.shorthand import written_out

__all__ = [
    "BASE", "DIMS", "DTYPE", "FLAGS", "NDIM", "NORMAL", "OBJECT_TEXT", "PYTHON_FUNCTIONS", "TYPE", "WRITEABLE_TOO",
    "addresses", "check_layout", "has_normal",
]  # fmt: skip

PYTHON_FUNCTIONS: Final = (
    "PyBool_FromLong", "PyBytes_AsString", "PyCell_Get", "PyComplex_AsCComplex", "PyComplex_FromDoubles",
    "PyComplex_ImagAsDouble", "PyComplex_RealAsDouble", "PyDict_GetItem", "PyErr_CheckSignals", "PyErr_Clear",
    "PyErr_Occurred", "PyEval_RestoreThread", "PyEval_SaveThread", "PyFloat_AsDouble", "PyFloat_FromDouble",
    "PyFunction_GetClosure", "PyFunction_GetCode", "PyLong_AsLongLong", "PyLong_AsUnsignedLongLong",
    "PyLong_FromLongLong", "PyLong_FromUnsignedLongLong", "PyObject_GetAttr", "PyObject_GetItem", "PyObject_IsTrue",
    "PyObject_Vectorcall", "PySequence_GetItem", "PySequence_Size", "PyTuple_GetItem", "PyTuple_New", "PyTuple_SetItem",
    "PyTuple_Size", "PyType_GenericAlloc", "Py_DecRef", "Py_IncRef",
)  # fmt: skip

TYPE, DATA, NDIM, DIMS, BASE, DTYPE, FLAGS = 8, 16, 24, 32, 48, 56, 64
_PLAIN: Final = 0x0001 | 0x0100
"""NPY_ARRAY_C_CONTIGUOUS and NPY_ARRAY_ALIGNED."""
WRITEABLE_TOO: Final = _PLAIN | 0x0400
"""And NPY_ARRAY_WRITEABLE: NPY_ARRAY_CARRAY."""

_API: Final = {"NewCopy": 85, "New": 93}
"""Places in numpy's table of functions: PyArray_NewCopy(array, order), PyArray_New(type, nd, dims, ...)."""

_CLASS: Final = 2
"""The place of PyArray_Type there."""

_DICT: Final = "__dict__"

OBJECT_TEXT: Final = written_out(f"""
declare ptr @PyBool_FromLong(i64)
declare {{double, double}} @PyComplex_AsCComplex(ptr)
declare ptr @PyComplex_FromDoubles(double, double)
declare double @PyComplex_ImagAsDouble(ptr)
declare double @PyComplex_RealAsDouble(ptr)
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
declare void @Py_DecRef(ptr)
declare void @Py_IncRef(ptr)
declare ptr @numpy.NewCopy(ptr, i32)
declare ptr @numpy.New(ptr, i32, ptr, i32, ptr, ptr, i32, i32, ptr)
@_Py_NoneStruct = external global i8
@numpy.ndarray = external global i8

define internal i1 @is_plain(ptr %o) alwaysinline {{
  %t = get ptr, i8, ptr %o, i64 {TYPE}
  if eq ptr %t, @numpy.ndarray, label %look, label %no
look:
  %f = get i32, i8, ptr %o, i64 {FLAGS}
  %both = and i32 %f, {_PLAIN}
  %plain = icmp eq i32 %both, {_PLAIN}
  ret i1 %plain
no:
  ret i1 false
}}

define internal ptr @data_of(ptr %o) alwaysinline {{
  %d = get ptr, i8, ptr %o, i64 {DATA}
  ret ptr %d
}}

define internal ptr @dims_of(ptr %o) alwaysinline {{
  %d = get ptr, i8, ptr %o, i64 {DIMS}
  ret ptr %d
}}

define internal void @drop_object(ptr %place) alwaysinline {{
  %o = load ptr, ptr %place
  if eq ptr %o, null, label %end, label %drop
drop:
  call void @Py_DecRef(ptr %o)
  br label %end
end:
  ret void
}}

define internal i1 @is_same(ptr %o, ptr %data, ptr %dims, i64 %rank) {{
entry:
  %d = call ptr @data_of(ptr %o)
  %here = icmp eq ptr %d, %data
  %m = call ptr @dims_of(ptr %o)
  br i1 %here, label %test, label %no
test:
  %i = phi i64 [0, %entry], [%n, %more]
  if eq i64 %i, %rank, label %yes, label %more
more:
  %x = get i64, i64, ptr %m, i64 %i
  %y = get i64, i64, ptr %dims, i64 %i
  %n = add i64 %i, 1
  if eq i64 %x, %y, label %test, label %no
yes:
  ret i1 true
no:
  ret i1 false
}}

define internal ptr @new_array(ptr %data, ptr %h, ptr %dims, i32 %rank, i32 %type, i64 %size) {{
entry:
  if eq ptr %h, null, label %create, label %look
look:
  %op = getelementptr %header, ptr %h, i64 1
  %alone = load i64, ptr %h
  %sort = get i64, i64, ptr %h, i64 1
  %single = icmp eq i64 %alone, 1
  %object = icmp eq i64 %sort, -2
  %mine = and i1 %single, %object
  br i1 %mine, label %compare, label %create
compare:
  %own = load ptr, ptr %op
  %ranked = zext i32 %rank to i64
  %same = call i1 @is_same(ptr %own, ptr %data, ptr %dims, i64 %ranked)
  br i1 %same, label %hand_over, label %create
hand_over:
  call void @free(ptr %h)
  ret ptr %own
create:
  %o = call ptr @numpy.New(
    ptr @numpy.ndarray, i32 %rank, ptr %dims, i32 %type, ptr null, ptr null, i32 0, i32 0, ptr null)
  if eq ptr %o, null, label %release, label %fill
fill:
  %wide = zext i32 %rank to i64
  br label %test
test:
  %i = phi i64 [0, %fill], [%n, %more]
  %bytes = phi i64 [%size, %fill], [%b, %more]
  if eq i64 %i, %wide, label %copy, label %more
more:
  %x = get i64, i64, ptr %dims, i64 %i
  %b = mul i64 %bytes, %x
  %n = add i64 %i, 1
  br label %test
copy:
  %to = call ptr @data_of(ptr %o)
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %data, i64 %bytes, i1 false)
  br label %release
release:
  if eq ptr %h, null, label %end, label %count
count:
  %held = load i64, ptr %h
  %left = sub i64 %held, 1
  store i64 %left, ptr %h
  %room = get i64, i64, ptr %h, i64 1
  %last = icmp eq i64 %left, 0
  %kept = icmp ne i64 %room, -1
  %gone = and i1 %last, %kept
  br i1 %gone, label %free, label %end
free:
  if eq i64 %room, -2, label %unmake, label %freed
unmake:
  %object_too = get ptr, %header, ptr %h, i64 1
  call void @Py_DecRef(ptr %object_too)
  br label %freed
freed:
  call void @free(ptr %h)
  br label %end
end:
  ret ptr %o
}}
""")
"""What the functions of `runtime.native.builtin` call. Memory of malloc is freed by the last result that holds it."""


def addresses() -> dict[str, int]:
    """What the text of a module may name, by name."""
    found = {name: _address(getattr(ctypes.pythonapi, name)) for name in PYTHON_FUNCTIONS}
    found |= {"_Py_NoneStruct": id(None), "_Py_TrueStruct": id(True), "PyTuple_Type": id(tuple)}
    found |= {"numpy.ndarray": id(np.ndarray), "dict.name": id(_DICT), "pool": ctypes.addressof(POOL)}
    table = _table()
    if (power := _power()) is not None:
        found["python.pow"] = _address(power)
    if has_normal():
        found |= {name: _address(getattr(_random(), name)) for name in NORMAL.values()}
    return found | {f"numpy.{name}": table[place] for name, place in _API.items()}


NORMAL: Final = {float32: "random_standard_normal_fill_f", float64: "random_standard_normal_fill"}
"""The functions of numpy that draw normal numbers: of a `bitgen_t`, how many, and where to."""


@functools.cache
def _random() -> Any:
    """The library of numpy that has them."""
    return ctypes.CDLL(np.random._generator.__file__)


@functools.cache
def has_normal() -> bool:
    """Whether this numpy shows them, as its manual says for Linux and macOS."""
    try:
        return all(hasattr(_random(), name) for name in NORMAL.values())
    except (AttributeError, OSError, TypeError):
        return False


def _power() -> Any:
    """`pow` of the C library that Python is linked with, if it is found."""
    try:
        return ctypes.CDLL(None).pow
    except (AttributeError, OSError, TypeError):
        return None


def _address(function: Any) -> int:
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    return address


def _table() -> Any:
    """numpy's table of C functions."""
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    capsule = np._core._multiarray_umath._ARRAY_API  # type: ignore[attr-defined]
    return ctypes.cast(pointer(capsule, None), ctypes.POINTER(ctypes.c_size_t))


def _has_table() -> bool:
    """Whether numpy's table of C functions is where it was, with the class of arrays in its place."""
    try:
        return bool(_table()[_CLASS] == id(np.ndarray))
    except (AttributeError, TypeError, ValueError):  # it is private to Python
        return False


@functools.cache
def check_layout() -> str:
    """What is not where it should be in an array of this numpy; nothing where all is."""
    array = np.arange(6, dtype=np.int64).reshape(2, 3)
    base = id(array)
    found = {
        "the class": ctypes.c_size_t.from_address(base + TYPE).value == id(np.ndarray),
        "the data": ctypes.c_size_t.from_address(base + DATA).value == array.ctypes.data,
        "the base": ctypes.c_size_t.from_address(base + BASE).value == id(array.base),
        "the dtype": ctypes.c_size_t.from_address(base + DTYPE).value == id(array.dtype),
        "the rank": ctypes.c_int.from_address(base + NDIM).value == 2,
        "the table of functions": _has_table(),
        "the flags": all(
            ctypes.c_int.from_address(id(a) + FLAGS).value & 1 == a.flags.c_contiguous for a in (array, array.T)
        ),
    }
    if all(found.values()):
        dims = ctypes.c_size_t.from_address(base + DIMS).value
        found["the dims"] = [ctypes.c_ssize_t.from_address(dims + 8 * i).value for i in range(2)] == [2, 3]
    return ", ".join(name for name, is_there in found.items() if not is_there)
