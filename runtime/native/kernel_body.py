"""The body of a kernel: rows, blocks, stages, and where each value is read and written.

A stage is what runs over a block between two calls of numpy's functions: stage 0 fills what the first ones take, stage
1 reads their results, and so on. A value that a later stage or such a function reads lies in a buffer of one block,
or where it is stored anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from runtime.dtypes import DType, bool_
from runtime.graph.operation import Operation
from runtime.native.loops import call_loop, is_even
from runtime.native.rules import Refused
from runtime.native.types import in_memory, in_register
from runtime.native.values import Memory, NativeValue, Number
from runtime.native.writer import function_text

if TYPE_CHECKING:
    from runtime.native.build import Build

__all__ = ["BLOCK", "KernelBody", "Step", "bare", "fits"]

BLOCK: Final = 1024
"""Elements that are computed at once where a function of numpy's is among the operations."""


def fits(array: Memory, dims: Sequence[str]) -> bool:
    """Whether an array has the shape of the results of a kernel, so that it is not broadcast."""
    pairs = zip(array.dims, dims, strict=False)
    return len(array.dims) == len(dims) and all(d != "1" or e == "1" for d, e in pairs)


def bare(kind: str) -> str:
    """The type of a parameter without what is said of it."""
    return kind.removesuffix(" noalias")


@dataclass(slots=True)
class Step:
    """One operation of a group: its rule for single numbers, or the name of numpy's loop; operands are numbers, arrays
    from outside, or results of earlier steps."""

    operation: Operation
    rule: Callable[..., Any]
    loop: str | None
    operands: list[NativeValue]
    result: Memory = field(default_factory=lambda: Memory("", "", (), bool_, True))
    """It has no data before it is stored."""


class KernelBody:
    """Writes one function; `flat`: it counts elements, else rows."""

    def __init__(self, outer: Build, dims: Sequence[str], steps: Sequence[Step]) -> None:
        self.build = outer.inner()
        self.build.doubts = self.build.w.slot("i1")
        self.build.w.slots.append(f"  store i1 false, ptr {self.build.doubts}")
        self.dims, self.steps = tuple(dims), steps
        self.parameters: list[tuple[str, str, str]] = []
        """Type and attributes, the text outside, the name inside."""
        self._known: dict[tuple[str, str], str] = {}
        own = {id(step.result) for step in steps}
        self.read = {id(o): o for step in steps for o in step.operands if isinstance(o, Memory) and id(o) not in own}
        self.stored = [step.result for step in steps if step.result.data]
        self.flat = all(fits(array, self.dims) for array in self.read.values())
        self.stages = _Stages(steps)
        for step in steps:
            self._check(step)

    def _check(self, step: Step) -> None:
        if step.loop is None:
            return
        if not is_even(step.loop, step.result.dtype):
            raise Refused(step.operation, f"numpy's loop of it for {step.result.dtype.name} is not one for parts")
        for operand in step.operands:
            self.build.side_by_side(operand, step.operation)
            if id(operand) in self.read and not fits(self.read[id(operand)], self.dims):
                raise Refused(step.operation, "arrays of several shapes are taken together")

    # -- parameters -----------------------------------------------------------------------------------------------

    def inside(self, kind: str, text: str) -> str:
        """What a register of the caller is called in the kernel; literals and globals are what they are."""
        if not text.startswith("%"):
            return text
        if (kind, text) not in self._known:
            name = f"%p{len(self.parameters)}"
            self.parameters.append((kind, text, name))
            self._known[kind, text] = name
        return self._known[kind, text]

    def function(self, name: str) -> tuple[str, list[tuple[str, str]]]:
        """The text of the function, and the arguments of a call after the first two: types and texts."""
        build, w = self.build, self.build.w
        bases = self._bases()
        length = w.let("sub i64 %to, %from")
        if self.flat:
            self._row({key: build.address(base, "%from", self._dtype(key)) for key, base in bases.items()}, {}, length)
        else:
            with build.each(length) as number:
                row = w.let(f"add i64 %from, {number}")
                self._row(*self._of_row(bases, row), self.inside("i64", self.dims[-1]))
        w.do(f"ret i1 {w.let(f'load i1, ptr {build.doubts}')}")
        given = ["i64 %from", "i64 %to", *(f"{kind} {inner}" for kind, _, inner in self.parameters)]
        arguments = [(bare(kind), text) for kind, text, _ in self.parameters]
        return function_text(name, ", ".join(given), w), arguments

    def piece(self, name: str, length: str, result: Memory) -> str:
        """The text of a function that computes some elements of one row, and puts those of one result side by side,
        where that has no data. length: of a row, inside, where no array is broadcast."""
        build, w = self.build, self.build.w
        bases = self._bases()
        if self.flat:
            numbers: dict[int, Number] = {}
            first = w.let(f"mul i64 %row, {length}")
            starts = {key: build.address(base, first, self._dtype(key)) for key, base in bases.items()}
        else:
            starts, numbers = self._of_row(bases, "%row")
        starts = {key: build.address(start, "%from", self._dtype(key)) for key, start in starts.items()}
        if not result.data:
            starts[id(result)] = "%block"
        self._row(starts, numbers, w.let("sub i64 %to, %from"), [result])
        w.do(f"ret i1 {w.let(f'load i1, ptr {build.doubts}')}")
        own = ["i64 %from", "i64 %to", "i64 %row", "ptr noalias %block"]
        return function_text(name, ", ".join([*own, *(f"{kind} {inner}" for kind, _, inner in self.parameters)]), w)

    def _bases(self) -> dict[int, str]:
        """By their ids where the arrays begin that are stored or read."""
        bases = {id(m): self.inside("ptr noalias", m.data) for m in self.stored}
        return bases | {key: self.inside("ptr", array.data) for key, array in self.read.items()}

    def _dtype(self, key: int) -> DType:
        return self.read[key].dtype if key in self.read else next(m.dtype for m in self.stored if id(m) == key)

    def _of_row(self, bases: dict[int, str], row: str) -> tuple[dict[int, str], dict[int, Number]]:
        """Where the elements of a row begin, and what all of them read as one number."""
        build, w = self.build, self.build.w
        last = self.inside("i64", self.dims[-1])
        first = w.let(f"mul i64 {row}, {last}")
        places: list[str] = []
        starts = {id(m): build.address(bases[id(m)], first, m.dtype) for m in self.stored}
        numbers: dict[int, Number] = {}
        for key, array in self.read.items():
            if fits(array, self.dims):
                starts[key] = build.address(bases[key], first, array.dtype)
                continue
            places = places or self._places(row)
            start = build.address(bases[key], self._start(array, places), array.dtype)
            if array.dims[-1] == "1" != self.dims[-1]:
                numbers[key] = build.load(start, "0", array)
            else:
                starts[key] = start
        return starts, numbers

    def _places(self, row: str) -> list[str]:
        """The place on each axis but the last that a row belongs to."""
        w, left, found = self.build.w, row, list[str]()
        for dim in reversed(self.dims[1:-1]):
            length = self.inside("i64", dim)
            found.append(w.let(f"urem i64 {left}, {length}"))
            left = w.let(f"udiv i64 {left}, {length}")
        return [left, *reversed(found)]

    def _start(self, array: Memory, places: Sequence[str]) -> str:
        """The number of the first element of an array that belongs to a row at these places."""
        w, found = self.build.w, "0"
        leading = array.dims[:-1]
        for dim, place in zip(leading, places[len(places) - len(leading) :], strict=True):
            if dim != "1":
                scaled = found if found == "0" else w.let(f"mul i64 {found}, {self.inside('i64', dim)}")
                found = place if scaled == "0" else w.let(f"add i64 {scaled}, {place}")
        return found if found == "0" else w.let(f"mul i64 {found}, {self.inside('i64', array.dims[-1])}")

    # -- rows and blocks ------------------------------------------------------------------------------------------

    def _row(
        self, starts: dict[int, str], numbers: dict[int, Number], length: str, more: Sequence[Memory] = ()
    ) -> None:
        """All stages over elements that lie side by side from these addresses on. more: what else has one."""
        if not self.stages.calls:
            self._stage(0, starts, numbers, length)
            return
        build, w = self.build, self.build.w
        buffers = {
            id(m): w.slot(f"[{BLOCK} x {in_memory(m.dtype)}]") for m in self.stages.kept if not m.data
        }
        dtypes = {id(m): m.dtype for m in (*self.stored, *self.read.values(), *more)}
        with build.each(w.let(f"udiv i64 {w.let(f'add i64 {length}, {BLOCK - 1}')}, {BLOCK}")) as number:
            first = w.let(f"mul i64 {number}, {BLOCK}")
            left = w.let(f"sub i64 {length}, {first}")
            count = w.let(f"select i1 {w.let(f'icmp ult i64 {left}, {BLOCK}')}, i64 {left}, i64 {BLOCK}")
            places = buffers | {key: build.address(start, first, dtypes[key]) for key, start in starts.items()}
            for stage in range(self.stages.count):
                self._stage(stage, places, numbers, count)
                for step in self.stages.calls.get(stage, ()):
                    self._call(step, places, count)

    def _call(self, step: Step, places: dict[int, str], count: str) -> None:
        """One of numpy's functions over a block."""
        w, dtype = self.build.w, step.result.dtype
        kind, size = in_register(dtype), str(dtype.size)
        given, strides = [], []
        for operand in step.operands:
            if isinstance(operand, Number):
                place = w.slot(kind)
                w.do(f"store {kind} {self.inside(kind, operand.text)}, ptr {place}")
            else:
                place = places[id(operand)]
            given.append(place)
            strides.append("0" if isinstance(operand, Number) else size)
        assert step.loop is not None
        target = places[id(step.result)]
        call_loop(self.build, step.loop, dtype.numpy.char, [count], [*given, target], [*strides, size])

    def _stage(self, stage: int, places: dict[int, str], numbers: dict[int, Number], count: str) -> None:
        """The simple operations of a stage, one element after the other."""
        steps = self.stages.simple.get(stage, ())
        if not steps:
            return
        build = self.build
        with build.each(count, rolled=True) as i:
            here = dict(numbers)
            for step in steps:
                given = [self._operand(operand, here, places, i) for operand in step.operands]
                found = step.rule(build, step.operation, given)
                here[id(step.result)] = found
                if id(step.result) in places:
                    build.store(places[id(step.result)], i, found)

    def _operand(self, operand: NativeValue, here: dict[int, Number], places: dict[int, str], i: str) -> Number:
        if isinstance(operand, Number):
            return Number(self.inside(in_register(operand.dtype), operand.text), operand.dtype, operand.range)
        if id(operand) not in here:
            here[id(operand)] = self.build.load(places[id(operand)], i, operand)
        return here[id(operand)]


class _Stages:
    """Which steps run when."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self.simple: dict[int, list[Step]] = {}
        self.calls: dict[int, list[Step]] = {}
        self.kept: list[Memory] = []
        """The results that are read from memory inside of the kernel."""
        made: dict[int, tuple[int, Step]] = {}
        kept: dict[int, Memory] = {}
        for step in steps:
            operands = [o for o in step.operands if id(o) in made]
            stage = max((made[id(o)][0] for o in operands), default=0)
            for operand in operands:
                earlier, source = made[id(operand)]
                if step.loop is not None or source.loop is not None or earlier < stage:
                    kept[id(operand)] = source.result
            (self.simple if step.loop is None else self.calls).setdefault(stage, []).append(step)
            made[id(step.result)] = (stage + (step.loop is not None), step)
            if step.loop is not None:
                kept[id(step.result)] = step.result
        self.kept = list(kept.values())
        self.count = 1 + max((stage for stage, _ in made.values()), default=0)
