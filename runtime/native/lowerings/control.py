"""Branches, calls, and what stops: control flow of a graph as control flow of the machine.

Arrays change hands with their counts: into a branch that is the last to read them, into a loop's state, and out again.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, Final

from runtime.dtypes import variant
from runtime.engine.ranges import Range, joined_ranges
from runtime.graph.graph import Graph
from runtime.graph.nesting import Task
from runtime.graph.operation import Operation
from runtime.graph.risks import exceptions_of
from runtime.native.build import Build
from runtime.native.lowerings.operands import as_int64
from runtime.native.rules import Refused, lowers
from runtime.native.slots import Slot
from runtime.native.types import in_register
from runtime.native.values import Memory, NativeValue, Number
from runtime.native.writer import FAIL, Writer
from runtime.ops.arrays.shape import cast
from runtime.ops.elementwise.arithmetic import add, floordiv, floormod, multiply, negative, subtract
from runtime.ops.elementwise.bitwise import bitwise_and, bitwise_or, bitwise_xor, invert
from runtime.ops.elementwise.compare import equal, greater, greater_equal, less, less_equal, not_equal
from runtime.ops.elementwise.logic import logical_and, logical_not, logical_or, logical_xor
from runtime.ops.flow.check import EXCEPTIONS, check
from runtime.ops.flow.control import call_node, cond_node, switch_node
from runtime.ops.flow.core import constant_node, identity, placeholder
from runtime.ops.flow.raising import raise_, reraise

__all__ = ["lent", "loaded"]


@lowers(cond_node)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Any:
    graphs = [operation.attributes["then_graph"], operation.attributes["else_graph"]]
    if all(_is_cheap(graph) for graph in graphs):
        return _chosen(build, operation, operands, graphs)
    then, other = (build.w.label(hint) for hint in ("then", "else"))
    build.w.branch(operands[0].text, then, other)
    return _branches(build, operation, operands[1:], graphs, [then, other])


_CHEAP: Final = frozenset({
    add, bitwise_and, bitwise_or, bitwise_xor, cast, equal, greater, greater_equal, identity, invert, less, less_equal,
    logical_and, logical_not, logical_or, logical_xor, multiply, negative, not_equal, subtract,
})  # fmt: skip
"""Operations that take about one instruction, and that may be carried out for any number, whatever comes of it."""

_MOST_CHEAP: Final = 6
"""How many operations a branch may have that is carried out in any case."""


def _is_cheap(graph: Graph) -> bool:
    """Whether a branch costs less than a jump that was foreseen wrongly: then both are carried out."""
    work = [o for o in graph.operations if o.op not in (constant_node, placeholder)]
    numbers = all(t.shape.rank == 0 and t.dtype is not variant for o in graph.operations for t in o.outputs)
    return numbers and len(work) <= _MOST_CHEAP and all(o.op in _CHEAP or _halves(o) for o in work)


def _halves(operation: Operation) -> bool:
    """Whether it is the quotient, or the rest, of an integer by a power of two that is known."""
    if operation.op not in (floordiv, floormod) or operation.inputs[1].op.op is not constant_node:
        return False
    by = operation.inputs[1].op.attributes["value"]
    return operation.inputs[1].dtype.is_integer and int(by) > 0 and int(by) & (int(by) - 1) == 0


def _chosen(build: Build, operation: Operation, operands: Sequence[Any], graphs: Sequence[Graph]) -> Task:
    """Both branches, then a choice among their results; what would make the one that is not taken give up does not."""
    w, test = build.w, operands[0].text
    all_ends: list[list[Number]] = []
    failures = []
    for graph in graphs:
        with w.putting_off() as conditions:
            all_ends.append((yield build.graph(graph, operands[1:])))
        failed = "false"
        for condition in conditions:  # behind the first one that holds, others may be anything
            failed = condition if failed == "false" else w.let(f"select i1 {failed}, i1 true, i1 {condition}")
        failures.append(failed)
    if failures != ["false", "false"]:
        _fail_of_one(w, test, *failures)
    found = []
    for then, other, known in zip(*all_ends, joined_ranges(operation, all_ends), strict=True):
        kind = in_register(then.dtype)
        text = then.text
        if text != other.text:
            text = w.let(f"select i1 {test}, {kind} {text}, {kind} {other.text}")
        found.append(Number(text, then.dtype, known if then.dtype.is_integer else None))
    return tuple(found)


def _fail_of_one(w: Writer, test: str, then: str, other: str) -> None:
    """Gives up where the branch that is taken would. Which one that is, is asked only where one of them would: a branch
    that is foreseen costs less than a condition made of both."""
    exactly = f"select i1 {test}, i1 {then}, i1 {other}"
    if w.puts_off:
        w.fail_if(w.let(exactly))
        return
    rare, onward = w.label("rare"), w.label("onward")
    either = other if then == "false" else then if other == "false" else w.let(f"or i1 {then}, {other}")
    w.do(f"br i1 {either}, label %{rare}, label %{onward}, !prof !0")
    w.block(rare)
    w.do(f"br i1 {w.let(exactly)}, label %{FAIL}, label %{onward}, !prof !0")
    w.block(onward)


@lowers(switch_node)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Any:
    graphs = list(operation.attributes["branches"])
    labels = [build.w.label("case") for _ in graphs]
    cases = " ".join(f"i64 {i}, label %{label}" for i, label in enumerate(labels[:-1]))
    build.w.do(f"switch i64 {as_int64(build, operands[0])}, label %{labels[-1]} [{cases}]")
    return _branches(build, operation, operands[1:], graphs, labels)


def _branches(
    build: Build, operation: Operation, values: Sequence[Any], graphs: Sequence[Graph], labels: Sequence[str]
) -> Task:
    w, end = build.w, build.w.label("end")
    tensors = operation.inputs[1:]
    moved = [
        isinstance(v, Memory) and v.owned and id(t) in build.dying and sum(o is t for o in operation.inputs) == 1
        for t, v in zip(tensors, values, strict=True)
    ]
    slots = [Slot(w, build.module.types.of(t)) for t in operation.outputs]
    all_ends: list[list[NativeValue]] = []
    for graph, label in zip(graphs, labels, strict=True):
        w.block(label)
        inputs = [lent(value, own) for value, own in zip(values, moved, strict=True)]
        ends = yield build.graph(graph, inputs)
        all_ends.append(ends)
        for slot, value in zip(slots, ends, strict=True):
            slot.store(w, value)
        w.jump(end)
    for value, own in zip(values, moved, strict=True):
        if own:
            value.owned = False
    w.block(end)
    found = loaded(w, slots, joined_ranges(operation, all_ends), True)
    firsts = all_ends[0]
    return tuple(first if _stays(first) else value for first, value in zip(firsts, found, strict=True))


def _stays(value: NativeValue) -> bool:
    """Whether a value at the end of a branch is an array that is at the end of all of them."""
    return isinstance(value, Memory) and value.fixed


def loaded(w: Writer, slots: Sequence[Slot], ranges: Sequence[Range | None], owned: bool) -> tuple[NativeValue, ...]:
    """The values in slots, with what is known of them."""
    values = tuple(slot.load(w, owned) for slot in slots)
    for value, found in zip(values, ranges, strict=True):
        if isinstance(value, Number) and value.dtype.is_integer:
            value.range = found
    return values


def lent(value: NativeValue, owned: bool = False) -> NativeValue:
    """A value as a branch or a turn has it: what it finds out about it holds there alone."""
    if isinstance(value, Memory) and value.fixed:
        return value
    return dataclasses.replace(value) if isinstance(value, Number) else dataclasses.replace(value, owned=owned)


@lowers(check)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> None:
    if not isinstance(operands[0], Number):
        raise Refused(operation, "its condition may not be a scalar")
    build.w.fail_unless(operands[0].text, build.handler(EXCEPTIONS[operation.attributes["exception"]]))


@lowers(raise_)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> None:
    (kind,) = exceptions_of(operation)
    build.w.fail_if("true", FAIL if kind is BaseException else build.handler(kind))  # else only the run knows the class


@lowers(reraise)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> None:
    build.w.fail_if("true")


@lowers(call_node)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> tuple[NativeValue, ...]:
    w, callee = build.w, build.module.function(operation)
    given = ["ptr %context"]
    for tensor, value in zip(operation.inputs, operands, strict=True):
        held = value if isinstance(value, Number) else build.take(tensor, operation)
        given += Slot.parts_of(held, build.module.types.of(tensor))
    slots = [Slot(w, build.module.types.of(t)) for t in operation.outputs]
    given += [f"ptr {name}" for slot in slots for name in slot.names]
    w.fail_if(w.let(f"call i1 @{callee}({', '.join(given)})"))
    return tuple(slot.load(w, True) for slot in slots)
