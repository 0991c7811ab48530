"""Regions as builtin functions of Python: machine code that takes Python's objects and makes them.

The code is that of a C function with the flag METH_FASTCALL: (self, array of arguments, how many). It looks into
numbers by functions of Python's C API, into arrays by their fields, and gives a tuple; None where the region gives up,
NULL where a signal raised. Arrays that the region writes to are copied first; a result is such a copy, one of the
arguments, or a new array.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, Final

from runtime.dtypes import bool_, complex64, float16, float32
from runtime.graph.graph import Graph
from runtime.native.lists import NO_TYPES, Type, Types
from runtime.native.objects import OBJECT_TEXT
from runtime.native.slots import kinds_of
from runtime.native.types import in_memory, in_register, words
from runtime.ops.flow.control import while_node

__all__ = ["BY_OBJECT", "Definition", "builtin_text"]


def builtin_text(graph: Graph, types: Types = NO_TYPES) -> str:
    """The function `call`, to be added to the module of a region."""
    return _Text(graph, types).text()


class _Text:
    """The lines of one function, and what has been given a place in the two arrays of words that `entry` takes."""

    def __init__(self, graph: Graph, types: Types) -> None:
        self.inputs, self.outputs = list(map(types.of, graph.inputs)), list(map(types.of, graph.outputs))
        self.taken = _taken(graph, self.inputs)
        self.places: list[int] = []
        self.words = 0
        for type_ in self.inputs:
            self.places.append(self.words)
            self.words += _words(type_)
        self.made = sum(map(_words, self.outputs))
        self.lines: list[str] = []

    def text(self) -> str:
        self.lines = [
            "define ptr @call(ptr %self, ptr %given, i64 %count) {",
            f"  %arguments = alloca [{max(self.words, 1)} x i64]", f"  %results = alloca [{max(self.made, 1)} x i64]",
            *(f"  %header{i} = alloca %header\n  %copy{i} = alloca ptr\n  store ptr null, ptr %copy{i}"
              for i, taken in enumerate(self.taken) if taken),
        ]  # fmt: skip
        for i, type_ in enumerate(self.inputs):
            (self._take_array if type_.shape.rank else self._take_number)(i, type_)
        self.lines += [
            "  %status = call i32 @entry(ptr %arguments, ptr %results)",
            "  switch i32 %status, label %give_up [i32 0, label %made i32 2, label %stopped]",
            "stopped:", *self._drop_copies(), "  ret ptr null",
            "wrong:", "  call void @PyErr_Clear()", "  br label %give_up",
            "give_up:", *self._drop_copies(),
            "  call void @Py_IncRef(ptr @_Py_NoneStruct)", "  ret ptr @_Py_NoneStruct",
            "made:", f"  %tuple = call ptr @PyTuple_New(i64 {len(self.outputs)})",
        ]  # fmt: skip
        place = 0
        for i, type_ in enumerate(self.outputs):
            (self._give_array if type_.shape.rank else self._give_number)(i, type_, place)
            place += _words(type_)
        if not self.outputs:
            self.lines += ["  call void @Py_DecRef(ptr %tuple)", "  %true = call ptr @PyBool_FromLong(i64 1)"]
        return "\n".join([OBJECT_TEXT, *self.lines, *self._drop_copies(), f"  ret ptr {self._result()}", "}"])

    def _result(self) -> str:
        return "%tuple" if self.outputs else "%true"

    def _drop_copies(self) -> list[str]:
        return [f"  call void @drop_object(ptr %copy{i})" for i, taken in enumerate(self.taken) if taken]

    # -- arguments ------------------------------------------------------------------------------------------------

    def _argument(self, i: int) -> list[str]:
        return [
            f"  %p{i} = getelementptr ptr, ptr %given, i64 {i}", f"  %o{i} = load ptr, ptr %p{i}",
            f"  %w{i} = getelementptr i64, ptr %arguments, i64 {self.places[i]}",
        ]  # fmt: skip

    def _take_number(self, i: int, type_: Type) -> None:
        """An argument as a word; what is no number of this kind gives up."""
        dtype, lines = type_.dtype, self._argument(i)
        if dtype is bool_:
            lines += [
                f"  %x{i} = call i32 @PyObject_IsTrue(ptr %o{i})", f"  %y{i} = trunc i32 %x{i} to i8",
                f"  store i8 %y{i}, ptr %w{i}", f"  %e{i} = icmp eq i32 %x{i}, -1",
            ]  # fmt: skip
        elif dtype is complex64:
            lines += [
                f"  %z{i} = call {{double, double}} @PyComplex_AsCComplex(ptr %o{i})",
                f"  %x{i} = extractvalue {{double, double}} %z{i}, 0", f"  %fr{i} = fptrunc double %x{i} to float",
                f"  %y{i} = extractvalue {{double, double}} %z{i}, 1", f"  %fi{i} = fptrunc double %y{i} to float",
                f"  store float %fr{i}, ptr %w{i}", f"  %wi{i} = getelementptr float, ptr %w{i}, i64 1",
                f"  store float %fi{i}, ptr %wi{i}", f"  %e{i} = fcmp oeq double %x{i}, -1.0",
            ]  # fmt: skip
        elif dtype.is_complex:
            lines += [
                f"  %x{i} = call double @PyComplex_RealAsDouble(ptr %o{i})", f"  store double %x{i}, ptr %w{i}",
                f"  %y{i} = call double @PyComplex_ImagAsDouble(ptr %o{i})",
                f"  %z{i} = getelementptr i64, ptr %w{i}, i64 1", f"  store double %y{i}, ptr %z{i}",
                f"  %e{i} = fcmp oeq double %x{i}, -1.0",
            ]  # fmt: skip
        elif dtype.is_floating:
            lines += [f"  %x{i} = call double @PyFloat_AsDouble(ptr %o{i})", f"  %e{i} = fcmp oeq double %x{i}, -1.0"]
            narrow = _NARROW.get(dtype)
            lines += [f"  %y{i} = {narrow} %x{i}{_BEHIND[dtype]}"] if narrow else []
            lines.append(f"  store {in_register(dtype)} %{'y' if narrow else 'x'}{i}, ptr %w{i}")
        else:
            function = "PyLong_AsUnsignedLongLong" if dtype.is_unsigned and dtype.size == 8 else "PyLong_AsLongLong"
            lines += [
                f"  %x{i} = call i64 @{function}(ptr %o{i})", f"  store i64 %x{i}, ptr %w{i}",
                f"  %e{i} = icmp eq i64 %x{i}, -1",
            ]  # fmt: skip
        self.lines += [
            *lines, f"  br i1 %e{i}, label %ask{i}, label %next{i}", f"ask{i}:",
            f"  %q{i} = call ptr @PyErr_Occurred()", f"  %n{i} = icmp eq ptr %q{i}, null",
            f"  br i1 %n{i}, label %next{i}, label %wrong", f"next{i}:",
        ]  # fmt: skip

    def _take_array(self, i: int, type_: Type) -> None:
        """An array as words: where its elements are, its header, and the dims that its type leaves open."""
        lines = [
            *self._argument(i), f"  %f{i} = call i1 @is_plain(ptr %o{i})",
            f"  br i1 %f{i}, label %plain{i}, label %give_up", f"plain{i}:",
        ]  # fmt: skip
        source, header = f"%o{i}", "null"
        if self.taken[i]:
            source, header = f"%c{i}", f"%header{i}"
            lines += [
                f"  %c{i} = call ptr @numpy.NewCopy(ptr %o{i}, i32 0)", f"  store ptr %c{i}, ptr %copy{i}",
                f"  %z{i} = icmp eq ptr %c{i}, null", f"  br i1 %z{i}, label %stopped, label %copied{i}", f"copied{i}:",
                f"  store %header {{i64 1, i64 -1, ptr null, ptr null}}, ptr %header{i}",
            ]  # fmt: skip
        lines += [
            f"  %d{i} = call ptr @data_of(ptr {source})", f"  store ptr %d{i}, ptr %w{i}",
            f"  %h{i} = getelementptr i64, ptr %w{i}, i64 1", f"  store ptr {header}, ptr %h{i}",
            f"  %m{i} = call ptr @dims_of(ptr {source})",
        ]  # fmt: skip
        place = 2
        for axis, dim in enumerate(type_.shape.dims or ()):
            if dim is None:
                lines += [
                    f"  %a{i}_{axis} = getelementptr i64, ptr %m{i}, i64 {axis}",
                    f"  %l{i}_{axis} = load i64, ptr %a{i}_{axis}",
                    f"  %g{i}_{axis} = getelementptr i64, ptr %w{i}, i64 {place}",
                    f"  store i64 %l{i}_{axis}, ptr %g{i}_{axis}",
                ]  # fmt: skip
                place += 1
        self.lines += lines

    # -- results --------------------------------------------------------------------------------------------------

    def _give_number(self, i: int, type_: Type, place: int) -> None:
        """A word as an object, in its place of the tuple."""
        dtype, kind = type_.dtype, in_memory(type_.dtype)
        lines = [f"  %r{i} = getelementptr i64, ptr %results, i64 {place}"]
        lines.append(f"  %v{i} = load {kind}, ptr %r{i}, align 8")
        if dtype.is_complex:
            given = f"%u{i}" if dtype is complex64 else f"%v{i}"
            lines += [f"  %u{i} = fpext {kind} %v{i} to <2 x double>"] if dtype is complex64 else []
            for at, name in enumerate(("re", "im")):
                lines.append(f"  %{name}{i} = extractelement <2 x double> {given}, i32 {at}")
            lines.append(f"  %b{i} = call ptr @PyComplex_FromDoubles(double %re{i}, double %im{i})")
        elif dtype.is_floating:
            wide = f"%v{i}" if kind == "double" else f"%u{i}"
            lines += [] if kind == "double" else [f"  %u{i} = fpext {kind} %v{i} to double"]
            lines.append(f"  %b{i} = call ptr @PyFloat_FromDouble(double {wide})")
        else:
            signed = not (dtype is bool_ or dtype.is_unsigned)
            wide = f"%v{i}" if kind == "i64" else f"%u{i}"
            lines += [] if kind == "i64" else [f"  %u{i} = {'sext' if signed else 'zext'} {kind} %v{i} to i64"]
            function = "PyBool_FromLong" if dtype is bool_ else f"PyLong_From{'' if signed else 'Unsigned'}LongLong"
            lines.append(f"  %b{i} = call ptr @{function}(i64 {wide})")
        self.lines += [*lines, f"  %t{i} = call i32 @PyTuple_SetItem(ptr %tuple, i64 {i}, ptr %b{i})"]

    def _give_array(self, i: int, type_: Type, place: int) -> None:
        """The object whose elements these are, if it has this shape, else a new array."""
        dims, lines = type_.shape.dims or (), self.lines
        lines += [
            f"  %r{i} = getelementptr i64, ptr %results, i64 {place}", f"  %v{i} = load ptr, ptr %r{i}",
            f"  %k{i} = getelementptr i64, ptr %results, i64 {place + 1}", f"  %j{i} = load ptr, ptr %k{i}",
            f"  %s{i} = alloca [{len(dims)} x i64]",
        ]  # fmt: skip
        open_place = place + 2
        for axis, dim in enumerate(dims):
            text = str(dim)
            if dim is None:
                lines.append(f"  %ap{i}_{axis} = getelementptr i64, ptr %results, i64 {open_place}")
                lines.append(f"  %al{i}_{axis} = load i64, ptr %ap{i}_{axis}")
                text, open_place = f"%al{i}_{axis}", open_place + 1
            lines.append(f"  %as{i}_{axis} = getelementptr i64, ptr %s{i}, i64 {axis}")
            lines.append(f"  store i64 {text}, ptr %as{i}_{axis}")
        for number, candidate in enumerate(self.inputs):
            if candidate.shape.rank == len(dims) and candidate.dtype is type_.dtype:
                source = f"%c{number}" if self.taken[number] else f"%o{number}"
                lines += [
                    f"  %is{i}_{number} = call i1 @is_same(ptr {source}, ptr %v{i}, ptr %s{i}, i64 {len(dims)})",
                    f"  br i1 %is{i}_{number}, label %old{i}_{number}, label %not{i}_{number}", f"old{i}_{number}:",
                    f"  call void @Py_IncRef(ptr {source})",
                    f"  %ot{i}_{number} = call i32 @PyTuple_SetItem(ptr %tuple, i64 {i}, ptr {source})",
                    f"  br label %given{i}", f"not{i}_{number}:",
                ]  # fmt: skip
        of = f"i32 {len(dims)}, i32 {type_.dtype.numpy.num}, i64 {type_.dtype.size}"
        lines += [
            f"  %b{i} = call ptr @new_array(ptr %v{i}, ptr %j{i}, ptr %s{i}, {of})",
            f"  %t{i} = call i32 @PyTuple_SetItem(ptr %tuple, i64 {i}, ptr %b{i})",
            f"  %z{i}r = icmp eq ptr %b{i}, null", f"  br i1 %z{i}r, label %lost{i}, label %given{i}", f"lost{i}:",
            "  call void @Py_DecRef(ptr %tuple)", "  br label %stopped", f"given{i}:",
        ]  # fmt: skip


_NARROW: Final = {float16: "call half @half_of(double", float32: "fptrunc double"}
_BEHIND: Final = {float16: ")", float32: " to float"}
"""What stands before and behind a float of Python's that becomes a narrower one."""


def _words(type_: Type) -> int:
    """How many words a value takes."""
    return sum(map(words, kinds_of(type_)))


def _taken(graph: Graph, types: Sequence[Type]) -> list[bool]:
    """For each input whether it is the first state of a loop that changes it, so that the region gets a copy."""
    changed: set[int] = set()
    for operation in graph.operations:
        if operation.op is while_node:
            body = operation.attributes["body_graph"]
            states = zip(operation.inputs, body.inputs, body.outputs, strict=False)
            changed |= {id(given) for given, before, after in states if before is not after}
    return [bool(type_.shape.rank) and id(t) in changed for t, type_ in zip(graph.inputs, types, strict=True)]


class _MethodDef(ctypes.Structure):
    """`PyMethodDef` (methodobject.h)."""

    _fields_ = (
        ("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p)
    )  # fmt: skip


BY_OBJECT, BY_ARRAY = 0x08, 0x80
"""METH_O, METH_FASTCALL: how machine code is given its arguments."""


class Definition:
    """Machine code that builtin functions can be made of. It must live as long as they do."""

    def __init__(self, address: int, owner: Any, flags: int = BY_ARRAY) -> None:
        """owner: what holds the memory of the machine code."""
        self._owner = owner
        self._method = _MethodDef(b"region", address, flags, None)

    def function(self, of: Any) -> Any:
        """A builtin function; it holds this object, which is the first argument of the machine code."""
        make = ctypes.pythonapi.PyCFunction_NewEx
        make.restype = ctypes.py_object
        make.argtypes = (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
        return make(ctypes.addressof(self._method), of, None)
