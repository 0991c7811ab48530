"""Sums of what a kernel computes: its elements are summed as they are made, and never lie in an array.

    sum_of_kernel(build, array, (1,), keeps=False, stored=False)        # None: it takes the array

numpy adds up elements that lie side by side in pairs: the sum of more than 128 is that of both halves, of which the
first one has a multiple of 8 elements. Here the halves are taken in the same way down to a block, which a kernel fills
and numpy's own loop sums. So the sum is numpy's to the last bit, whatever the number of threads. Whether this numpy
does it so is found by trying.

Sums over the first axis add one row after the other, as numpy does, for a block of columns at a time.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from runtime.dtypes import DType
from runtime.native.kernel_body import BLOCK, KernelBody, bare
from runtime.native.kernels import Call, cost_of
from runtime.native.loops import call_loop
from runtime.native.sharing import WORTH
from runtime.native.types import in_register
from runtime.native.values import Memory, NativeValue, Number
from runtime.native.writer import function_text

if TYPE_CHECKING:
    from runtime.native.build import Build

__all__ = ["adds_in_halves", "sum_of_kernel"]

_PARTS: Final = 16
"""Into how many parts threads take a large sum: halves of halves."""

_LEAST_PARTED: Final = 2 * _PARTS * BLOCK
"""So many elements have that many parts."""

_LEAST_ROW: Final = 32
"""Rows shorter than that take as long as the calls of two functions: they are put into an array."""


def sum_of_kernel(build: Build, array: Memory, axes: Sequence[int], keeps: bool, stored: bool) -> NativeValue | None:
    """The sum over axes of what the open group of a kernel computes; ends the group. None if that takes the array.
    stored: whether others read the array, too."""
    fusion, rank = build.fusion, len(array.dims)
    whole, flat = tuple(axes) == tuple(range(rank)), fusion.is_flat()
    if not adds_in_halves(array.dtype) or (whole and not flat and rank > 1):
        return None
    along = array.dims if whole else array.dims[-1:] if tuple(axes) == (rank - 1,) else array.dims[1:]
    if not whole and not (all(d.isdecimal() for d in along) and _size(along) >= _LEAST_ROW):
        return None
    by_columns = not whole and tuple(axes) != (rank - 1,)
    if by_columns and (tuple(axes) != (0,) or not (flat or rank == 2)):
        return None
    sums = _Sums(build, array, along, stored)
    if whole:
        number = sums.whole()
        return _in_array(build, number, rank) if keeps else number
    kept = ("1",) if keeps else ()
    if by_columns:
        return sums.columns((*kept, *array.dims[1:]))
    return sums.rows((*array.dims[:-1], *kept))


def _size(dims: Sequence[str]) -> int:
    """The product of lengths that are known."""
    return int(np.prod([int(d) for d in dims]))


def _in_array(build: Build, number: Number, rank: int) -> Memory:
    made = build.new(("1",) * rank, number.dtype)
    build.store(made.data, "0", number)
    return made


class _Sums:
    """The functions of one sum, which all take the arguments of the kernel behind their own: `piece` computes some
    elements of a row, `leaf` sums a block of them, `halves` any number."""

    def __init__(self, build: Build, array: Memory, along: Sequence[str], stored: bool) -> None:
        self.build, self.array, self.dtype = build, array, array.dtype
        self.kind, self.size = in_register(array.dtype), str(array.dtype.size)
        self.add = f"{'f' if self.dtype.is_floating else ''}add {self.kind}"
        self.group = build.fusion.taken(build, None if stored else array)
        if not stored:
            array.header = "null"  # nobody finds it anywhere
        self.length = build.elements(Memory("", "", tuple(along), array.dtype))
        self.name = build.module.new_name("sum")
        self.body = KernelBody(build, self.group.dims, self.group.steps)
        self.length_inside, self.rows_inside = (self.body.inside("i64", t) for t in (self.length, array.dims[0]))
        build.module.declare(f"{self.name}_piece", self.body.piece(f"{self.name}_piece", self.length_inside, array))
        self._declare("leaf", ["ptr %result", *_PLACE], self._leaf, "noinline")

    def whole(self) -> Number:
        """The sum of all elements."""
        build, w, result = self.build, self.build.w, self.build.w.slot(self.kind)
        self._declare("halves", ["ptr %result", *_PLACE], self._halves)
        self._declare("parts", ["i64 %from", "i64 %to", "ptr %result"], self._parts)
        parts = w.slot(f"[{_PARTS} x {self.kind}]")
        call = Call(build, f"{self.name}_parts", [("ptr", parts), *self._outside()], str(_PARTS), 1)

        def few() -> str:
            given = [f"ptr {result}", "i64 0", f"i64 {self.length}", "i64 0", *map(" ".join, self._outside())]
            return w.let(f"call i1 @{self.name}_halves({', '.join(given)})")

        def many() -> str:
            failed, texts = call.shared(), [self._load(build, parts, i) for i in range(_PARTS)]
            while len(texts) > 1:
                texts = [w.let(f"{self.add} {a}, {b}") for a, b in zip(texts[::2], texts[1::2], strict=True)]
            w.do(f"store {self.kind} {texts[0]}, ptr {result}")
            return failed

        call.write(self.length, max(WORTH // cost_of(self.group.steps), _LEAST_PARTED), few, many)
        self._end()
        return Number(w.let(f"{self.add} {self._zero()}, {self._load(build, result, 0)}"), self.dtype)

    def rows(self, dims: Sequence[str]) -> Memory:
        """The sum of each row."""
        self._declare("halves", ["ptr %result", *_PLACE], self._halves)
        return self._each("rows", dims, self._rows, 1)

    def columns(self, dims: Sequence[str]) -> Memory:
        """The sum of each column."""
        return self._each("columns", dims, self._columns, BLOCK)

    def _each(self, hint: str, dims: Sequence[str], write: Callable[[Build], None], grain: int) -> Memory:
        build, result = self.build, self.build.new(dims, self.dtype)
        self._declare(hint, ["i64 %from", "i64 %to", "ptr %result"], write)
        arguments = [("ptr", result.data), *self._outside()]
        call = Call(build, f"{self.name}_{hint}", arguments, build.elements(result), grain)
        call.write(build.elements(self.array), WORTH // cost_of(self.group.steps), call.alone, call.shared)
        self._end()
        return result

    def _end(self) -> None:
        for value in self.group.done_with:
            self.build.drop(value)
        self.build.spend(self.build.elements(self.array))

    # -- what is written ------------------------------------------------------------------------------------------

    def _declare(self, hint: str, own: Sequence[str], write: Callable[[Build], None], how: str = "") -> None:
        build = self.build.inner()
        write(build)
        build.w.do("ret i1 false")
        given = ", ".join([*own, *(f"{bare(kind)} {name}" for kind, _, name in self.body.parameters)])
        name = f"{self.name}_{hint}"
        self.build.module.declare(name, function_text(name, given, build.w, how))

    def _outside(self) -> list[tuple[str, str]]:
        """The arguments of the kernel as the function calls them that holds the sum."""
        return [(bare(kind), text) for kind, text, _ in self.body.parameters]

    def _call(self, build: Build, hint: str, *own: str) -> None:
        """Calls one of the functions from within another one."""
        given = [*own, *(f"{bare(kind)} {name}" for kind, _, name in self.body.parameters)]
        build.w.fail_if(build.w.let(f"call i1 @{self.name}_{hint}({', '.join(given)})"))

    def _load(self, build: Build, data: str, place: int) -> str:
        return build.w.let(f"load {self.kind}, ptr {build.address(data, str(place), self.dtype)}")

    def _zero(self, sign: str = "") -> str:
        return f"{sign}0.0" if self.dtype.is_floating else "0"

    def _elements(self, build: Build, start: str, count: str, row: str) -> str:
        """Where so many elements of a row are, which are computed now."""
        w, end, block = build.w, build.w.let(f"add i64 {start}, {count}"), build.w.slot(f"[{BLOCK} x {self.kind}]")
        self._call(build, "piece", f"i64 {start}", f"i64 {end}", f"i64 {row}", f"ptr {block}")
        if not self.array.data:
            return block
        first = w.let(f"add i64 {w.let(f'mul i64 {row}, {self.length_inside}')}, {start}")
        return build.address(self.body.inside("ptr noalias", self.array.data), first, self.dtype)

    def _leaf(self, build: Build) -> None:
        block = self._elements(build, "%from", "%count", "%row")
        build.w.do(f"store {self.kind} {self._zero('-')}, ptr %result")  # what is added to it stays as it is
        char = self.dtype.numpy.char
        call_loop(build, "add", char, ["%count"], ["%result", block, "%result"], ["0", self.size, "0"])

    def _halves(self, build: Build) -> None:
        w, second = build.w, build.w.slot(self.kind)
        small, large, end = (w.label(hint) for hint in ("small", "large", "end"))
        w.branch(w.let(f"icmp ule i64 %count, {BLOCK}"), small, large)
        w.block(small)
        self._call(build, "leaf", "ptr %result", "i64 %from", "i64 %count", "i64 %row")
        w.jump(end)
        w.block(large)
        half = _half(build, "%count")
        self._call(build, "halves", "ptr %result", "i64 %from", f"i64 {half}", "i64 %row")
        start, count = w.let(f"add i64 %from, {half}"), w.let(f"sub i64 %count, {half}")
        self._call(build, "halves", f"ptr {second}", f"i64 {start}", f"i64 {count}", "i64 %row")
        total = w.let(f"{self.add} {self._load(build, '%result', 0)}, {self._load(build, second, 0)}")
        w.do(f"store {self.kind} {total}, ptr %result")
        w.jump(end)
        w.block(end)

    def _parts(self, build: Build) -> None:
        """Some of the halves of halves of all elements."""
        w = build.w
        with build.each(w.let("sub i64 %to, %from")) as turn:
            number = w.let(f"add i64 %from, {turn}")
            start, count, bit = "0", self.length_inside, _PARTS // 2
            while bit:
                half = _half(build, count)
                later = w.let(f"icmp ne i64 {w.let(f'and i64 {number}, {bit}')}, 0")
                start = w.let(f"add i64 {start}, {w.let(f'select i1 {later}, i64 {half}, i64 0')}")
                count = w.let(f"select i1 {later}, i64 {w.let(f'sub i64 {count}, {half}')}, i64 {half}")
                bit //= 2
            target = build.address("%result", number, self.dtype)
            self._call(build, "halves", f"ptr {target}", f"i64 {start}", f"i64 {count}", "i64 0")

    def _rows(self, build: Build) -> None:
        w = build.w
        with build.each(w.let("sub i64 %to, %from")) as turn:
            row = w.let(f"add i64 %from, {turn}")
            target = build.address("%result", row, self.dtype)
            self._call(build, "halves", f"ptr {target}", "i64 0", f"i64 {self.length_inside}", f"i64 {row}")
            total = w.let(f"{self.add} {self._zero()}, {self._load(build, target, 0)}")
            w.do(f"store {self.kind} {total}, ptr {target}")

    def _columns(self, build: Build) -> None:
        w = build.w
        length = w.let("sub i64 %to, %from")
        with build.each(w.let(f"udiv i64 {w.let(f'add i64 {length}, {BLOCK - 1}')}, {BLOCK}")) as number:
            done = w.let(f"mul i64 {number}, {BLOCK}")
            start, left = w.let(f"add i64 %from, {done}"), w.let(f"sub i64 {length}, {done}")
            count = w.let(f"select i1 {w.let(f'icmp ult i64 {left}, {BLOCK}')}, i64 {left}, i64 {BLOCK}")
            target = build.address("%result", start, self.dtype)
            with build.each(count) as place:
                build.store(target, place, Number(self._zero(), self.dtype))
            with build.each(self.rows_inside) as row:
                block = self._elements(build, start, count, row)
                given = [target, block, target]
                call_loop(build, "add", self.dtype.numpy.char, [count], given, [self.size] * 3)


_PLACE: Final = ("i64 %from", "i64 %count", "i64 %row")


def _half(build: Build, count: str) -> str:
    return build.w.let(f"and i64 {build.w.let(f'lshr i64 {count}, 1')}, -8")


@functools.cache
def adds_in_halves(dtype: DType) -> bool:
    """Whether numpy's sums of elements that lie side by side are those of halves. Found by trying."""
    if not dtype.is_floating:
        return True
    drawn = np.random.default_rng(0)
    for count in (BLOCK + 1, BLOCK + 9, 2 * BLOCK, 2 * BLOCK + 17, 5 * BLOCK + 3, 100_003):
        array = (drawn.normal(size=count) * np.exp(3 * drawn.normal(size=count))).astype(dtype.numpy)
        if np.add.reduce(array).tobytes() != np.asarray(_by_halves(array)).tobytes():
            return False
    return True


def _by_halves(array: np.ndarray[Any, Any]) -> Any:
    if len(array) <= BLOCK:
        return np.add.reduce(array)
    half = len(array) // 2 // 8 * 8
    return _by_halves(array[:half]) + _by_halves(array[half:])
