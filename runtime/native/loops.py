"""NumPy's own loops, called from machine code: the C functions that its ufuncs hold, by name and type.

    address, data = loop_of("add", "dd->d")
    add = declared(build, "add", "dd->d")       # a function of the module: (counts, arrays, strides)

A loop takes an array of addresses, one of counts, one of strides in bytes, and data of its own. What it computes is
what numpy computes, to the last bit. The layout is the public one of `PyUFuncObject` (numpy/ufuncobject.h); where its
numbers are not those that Python shows, there is no loop.
"""

from __future__ import annotations

import ctypes
import functools
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from runtime.dtypes import DType

if TYPE_CHECKING:
    from runtime.native.build import Build

__all__ = ["call_loop", "is_even", "loop_of", "loops_in"]


_LETTERS: Final = {"?": "Z"}
"""For letters of numpy's types that are none to LLVM."""


class _UFunc(ctypes.Structure):
    """The beginning of a `PyUFuncObject`."""

    _fields_ = (
        ("count", ctypes.c_ssize_t), ("kind", ctypes.c_void_p), ("nin", ctypes.c_int), ("nout", ctypes.c_int),
        ("nargs", ctypes.c_int), ("identity", ctypes.c_int), ("functions", ctypes.POINTER(ctypes.c_void_p)),
        ("data", ctypes.POINTER(ctypes.c_void_p)), ("ntypes", ctypes.c_int),
    )  # fmt: skip


_OF_MATRICES: Final = {
    "det": "(m,m)->()", "inv": "(m,m)->(m,m)", "matmul": "(n?,k),(k,m?)->(n?,m?)", "solve": "(m,m),(m,n)->(m,n)",
}  # fmt: skip
"""By name the ufuncs that work with matrices, and how they say that, as the rules that call them count on it."""


def _ufunc_of(name: str) -> np.ufunc | None:
    """The ufunc with this name; None if numpy has none any more, which it may not of linear algebra: those are private
    there, or one that takes other arrays."""
    places = (np, getattr(np.linalg, "_umath_linalg", None))
    found = next((u for place in places if isinstance(u := getattr(place, name, None), np.ufunc)), None)
    said = None if found is None or found.signature is None else found.signature.replace(" ", "")
    return found if said == _OF_MATRICES.get(name) else None


_SIZES: Final = {("absolute", "F"): "f", ("absolute", "D"): "d"}
"""What the sizes of complex numbers are."""


def loop_of(name: str, char: str) -> tuple[int, int] | None:
    """The addresses of numpy's loop where all operands and results have one type, but for sizes of complex numbers, and
    of its data; None if there is none."""
    ufunc = _ufunc_of(name)
    if ufunc is None:
        return None
    wanted = f"{char * ufunc.nin}->{_SIZES.get((name, char), char) * ufunc.nout}"
    if wanted not in ufunc.types:
        return None
    fields, place = _UFunc.from_address(id(ufunc)), ufunc.types.index(wanted)
    if (fields.nin, fields.nout, fields.ntypes) != (ufunc.nin, ufunc.nout, ufunc.ntypes):
        return None
    address = fields.functions[place]
    data = ctypes.addressof(fields.data.contents) + place * ctypes.sizeof(ctypes.c_void_p)
    return (address, data) if address else None


@functools.cache
def is_even(name: str, dtype: DType) -> bool:
    """Whether there is a loop, and it computes an element in the same way wherever in an array, of whatever length, it
    stands: then it may be called for parts of an array. Found by trying."""
    if loop_of(name, dtype.numpy.char) is None:
        return False
    ufunc = getattr(np, name)
    drawn = np.random.default_rng(0).uniform(-8.0, 8.0, (ufunc.nin, 203))
    drawn[:, ::29] = [[0.0], [np.inf], [np.nan]][: ufunc.nin]
    with np.errstate(all="ignore"):
        operands = list((drawn + 1j * drawn[:, ::-1] if dtype.is_complex else drawn).astype(dtype.numpy))
        whole = ufunc(*operands)
        for length in (1, 2, 3, 5, 7, 13, 31, 64, 101):
            parts = [ufunc(*(o[i : i + length] for o in operands)) for i in range(0, 203, length)]
            if np.concatenate(parts).tobytes() != whole.tobytes():
                return False
    return True


def call_loop(
    build: Build, name: str, char: str, counts: Sequence[str], arrays: Sequence[str], strides: Sequence[str]
) -> None:
    """Writes a call of a loop that there is. All are texts of machine code: numbers of elements, addresses, bytes."""
    symbol = f"numpy.{name}.{_LETTERS.get(char, char)}"
    helper = f"loop.{name}.{_LETTERS.get(char, char)}.{len(counts)}"
    shape = (len(counts), len(arrays), len(strides))
    build.module.declare(symbol, f"declare void @{symbol}(ptr, ptr, ptr, ptr)\n@{symbol}.data = external global ptr")
    build.module.declare(helper, _helper(helper, symbol, shape))
    given = [f"i64 {n}" for n in counts] + [f"ptr {a}" for a in arrays] + [f"i64 {s}" for s in strides]
    build.w.do(f"call void @{helper}({', '.join(given)})")
    total = counts[0]
    for count in counts[1:]:
        total = count if total == "1" else build.w.let(f"mul i64 {total}, {count}")
    if total != "1":
        build.spend(total)


def _helper(helper: str, symbol: str, shape: tuple[int, int, int]) -> str:
    """A function that puts its arguments into the three arrays that a loop takes."""
    parts = [("i64", "n", shape[0]), ("ptr", "a", shape[1]), ("i64", "s", shape[2])]
    parameters = ", ".join(f"{kind} %{letter}{i}" for kind, letter, count in parts for i in range(count))
    lines = [f"define internal void @{helper}({parameters}) {{"]
    for kind, letter, count in parts:
        lines.append(f"  %{letter} = alloca [{count} x {kind}]")
        for i in range(count):
            lines.append(f"  %p{letter}{i} = getelementptr [{count} x {kind}], ptr %{letter}, i32 0, i32 {i}")
            lines.append(f"  store {kind} %{letter}{i}, ptr %p{letter}{i}")
    lines.append(f"  %data = load ptr, ptr @{symbol}.data")
    lines.append(f"  call void @{symbol}(ptr %a, ptr %n, ptr %s, ptr %data)")
    return "\n".join([*lines, "  ret void", "}"])


def loops_in(text: str) -> dict[str, int]:
    """The addresses for the names of loops that the text of a module declares."""
    found: dict[str, int] = {}
    for name, char in re.findall(r"^declare void @numpy\.(\w+)\.(\S)\(", text, re.MULTILINE):
        loop = loop_of(name, next((own for own, letter in _LETTERS.items() if letter == char), char))
        assert loop is not None, f"numpy has no loop {name} of {char}"
        found[f"numpy.{name}.{char}"], found[f"numpy.{name}.{char}.data"] = loop
    return found
