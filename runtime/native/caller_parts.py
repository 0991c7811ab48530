"""What the machine code of short calls (`caller_text`) calls, as text for LLVM: functions of the C API of Python,
one that makes the tensor of a result, and one that asks one test of a guard (`runtime.engine.short_calls.Test`).

    call ptr @wrapped(ptr %results, i64 %i, ptr %tensor, i64 %place)
    call i1 @is_still(i64 %kind, ptr %holder, ptr %key, ptr %value, ptr %find)
"""

from __future__ import annotations

from typing import Final

__all__ = ["PARTS_TEXT"]

PARTS_TEXT: Final = """
declare ptr @PyDict_GetItem(ptr, ptr)
declare ptr @PyCell_Get(ptr)
declare ptr @PyFunction_GetClosure(ptr)
declare ptr @PyFunction_GetCode(ptr)
declare void @PyErr_Clear()
declare i64 @PyTuple_Size(ptr)
declare ptr @PyTuple_GetItem(ptr, i64)
declare ptr @PySequence_GetItem(ptr, i64)
declare ptr @PyBytes_AsString(ptr)
declare ptr @PyObject_GetAttr(ptr, ptr)
declare ptr @PyObject_GetItem(ptr, ptr)
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare ptr @PyType_GenericAlloc(ptr, i64)
declare void @Py_DecRef(ptr)
declare void @Py_IncRef(ptr)
declare i64 @PySequence_Size(ptr)
declare ptr @PyTuple_New(i64)
declare i32 @PyTuple_SetItem(ptr, i64, ptr)
@PyTuple_Type = external global i8
@_Py_NoneStruct = external global i8
@_Py_TrueStruct = external global i8
@numpy.ndarray = external global i8
@dict.name = external global i8

define internal ptr @wrapped(ptr %results, i64 %i, ptr %tensor, i64 %place) {
  %content = call ptr @PySequence_GetItem(ptr %results, i64 %i)
  if eq ptr %content, null, label %failed, label %wrap
wrap:
  %new = call ptr @PyType_GenericAlloc(ptr %tensor, i64 0)
  if eq ptr %new, null, label %drop, label %fill
fill:
  put ptr %content, i8, ptr %new, i64 %place
  ret ptr %new
drop:
  call void @Py_DecRef(ptr %content)
  br label %failed
failed:
  ret ptr null
}

define internal i1 @is_still(i64 %kind, ptr %holder, ptr %key, ptr %value, ptr %find) {
entry:
  if eq i64 %kind, 0, label %look, label %ask
ask:
  %o = call ptr @PyObject_Vectorcall(ptr %holder, ptr null, i64 0, ptr null)
  %no.o = icmp eq ptr %o, null
  %none.o = icmp eq ptr %o, @_Py_NoneStruct
  %gone = or i1 %no.o, %none.o
  br i1 %gone, label %no, label %which
which:
  switch i64 %kind, label %dict [i64 2, label %code i64 3, label %cell]
cell:
  %cells = call ptr @PyFunction_GetClosure(ptr %o)
  call void @Py_DecRef(ptr %o)
  if eq ptr %cells, null, label %no, label %pick
pick:
  %place = ptrtoint ptr %key to i64
  %one = call ptr @PyTuple_GetItem(ptr %cells, i64 %place)
  if eq ptr %one, null, label %no, label %open
open:
  %v.c = call ptr @PyCell_Get(ptr %one)
  if eq ptr %v.c, null, label %no, label %held
held:
  call void @Py_DecRef(ptr %v.c)
  br label %compare
code:
  %c = call ptr @PyFunction_GetCode(ptr %o)
  call void @Py_DecRef(ptr %o)
  br label %compare
dict:
  %d = call ptr @PyObject_GetAttr(ptr %o, ptr @dict.name)
  call void @Py_DecRef(ptr %o)
  if eq ptr %d, null, label %no, label %inside
inside:
  %v.d = call ptr @PyObject_GetItem(ptr %d, ptr %key)
  call void @Py_DecRef(ptr %d)
  if eq ptr %v.d, null, label %no, label %got
got:
  call void @Py_DecRef(ptr %v.d)
  br label %compare
look:
  %v = call ptr @PyDict_GetItem(ptr %holder, ptr %key)
  br label %compare
compare:
  %now = phi ptr [%c, %code], [%v.d, %got], [%v, %look], [%v.c, %held]
  %no.now = icmp eq ptr %now, null
  %by.value = icmp eq ptr %find, null
  br i1 %no.now, label %no, label %how
how:
  br i1 %by.value, label %with.value, label %with.found
with.value:
  %same = icmp eq ptr %now, %value
  ret i1 %same
with.found:
  %was = call ptr @PyObject_Vectorcall(ptr %find, ptr null, i64 0, ptr null)
  if eq ptr %was, null, label %no, label %found
found:
  call void @Py_DecRef(ptr %was)
  %same.found = icmp eq ptr %now, %was
  %none = icmp eq ptr %was, @_Py_NoneStruct
  %is.there = xor i1 %none, true
  %still = and i1 %same.found, %is.there
  ret i1 %still
no:
  ret i1 false
}
"""
