"""Writing graphs as machine code: one graph after another into one function, with the counts of holders of its arrays.

    build = Build(module)
    outputs = drive(build.graph(graph, inputs))

Each graph holds what its operations make, and what was handed over to it; what it holds it hands on, writes to in
place, or releases where it is read for the last time. What it is only lent it releases never.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from runtime.dtypes import DType, variant
from runtime.engine.ranges import result_range, whole, within
from runtime.graph.graph import Graph
from runtime.graph.nesting import Task
from runtime.graph.operation import Operation
from runtime.graph.own_numbers import is_of_numbers
from runtime.native.expansion import expanded
from runtime.native.fusion import Fusion
from runtime.native.in_place import Flows
from runtime.native.kernel_body import Step
from runtime.native.lists import Types, as_array
from runtime.native.own_functions import call_own, own_name
from runtime.native.prelude import POLL_EVERY
from runtime.native.rules import SUMS, Refused, is_elementwise, loop_name, rule_of
from runtime.native.transposes import last_uses, reads, spared_transposes
from runtime.native.types import access, in_memory, in_register, is_supported, literal
from runtime.native.values import Memory, NativeValue, Number
from runtime.native.writer import FAIL, Writer
from runtime.ops.flow.control import call_node
from runtime.ops.flow.core import constant_node, placeholder
from runtime.ops.kernels.list_value import unboxed
from runtime.tensor.symbolic import SymbolicTensor

if TYPE_CHECKING:
    from runtime.ops.records.record import Array

__all__ = ["Build", "Module"]

MOST_CONSTANTS = 1 << 16
"""The most elements of a constant that is written into the module."""


class Module(Protocol):
    """What functions of one module share."""

    types: Types
    exact: bool
    def new_name(self, hint: str) -> str:
        """A name for a function that nothing else has."""
        ...

    def constant(self, array: Array) -> str:
        """The name of an array in the module that holds these elements."""
        ...

    def declare(self, name: str, text: str) -> None:
        """Adds a function that comes from outside, or a helper, once."""

    def function(self, operation: Operation) -> str:
        """The name of a function of the graph's library, for a call of it."""
        ...


class Build:
    """The state of one function: what is written so far, and what stands for each tensor."""

    def __init__(self, module: Module) -> None:
        self.w = Writer()
        self.module = module
        self.values: dict[int, NativeValue] = {}
        self.flows = Flows()
        self.fusion = Fusion()
        self.spared: dict[int, SymbolicTensor] = {}
        """By their ids transposed matrices that are not made, and what they are made of."""
        self.results: set[int] = set()
        """The ids of the tensors that the region gives."""
        self.dying: set[int] = set()
        """The ids of the tensors that the present operation is the last to read."""
        self.handlers: list[Callable[[type[BaseException]], str | None]] = []
        """Of the `try` that are open, the inner ones last: which of their blocks takes an exception of a class."""
        self._left: str | None = None
        self.doubts: str | None = None
        """In a kernel: the variable that says whether a number was met that is left to others."""

    def left(self) -> str:
        """The variable that counts down to the next look at signals: one of the function for all of its loops, so that
        short ones in long ones are seen, too."""
        if self._left is None:
            self._left = self.w.slot("i64")
            self.w.slots.append(f"  store i64 {POLL_EVERY}, ptr {self._left}")
        return self._left

    def spend(self, count: str) -> str:
        """Says that work on so many elements, or turns, is done; gives what is left."""
        left = self.w.let(f"sub nsw i64 {self.w.let(f'load i64, ptr {self.left()}')}, {count}")
        self.w.do(f"store i64 {left}, ptr {self.left()}")
        return left

    def handler(self, kind: type[BaseException]) -> str:
        """Where to go with an exception of this class: the block that takes it, else the one that gives up."""
        return next((label for of in reversed(self.handlers) if (label := of(kind)) is not None), FAIL)

    def doubt(self, condition: str) -> None:
        """Gives up if the condition holds; a kernel does so at its end, so that its loops have one way out."""
        if self.doubts is None:
            self.w.fail_if(condition)
            return
        so_far = self.w.let(f"load i1, ptr {self.doubts}")
        self.w.do(f"store i1 {self.w.let(f'or i1 {so_far}, {condition}')}, ptr {self.doubts}")

    def inner(self) -> Build:
        """For another function of the module."""
        return Build(self.module)

    # -- graphs ---------------------------------------------------------------------------------------------------

    def graph(self, graph: Graph, inputs: Sequence[NativeValue]) -> Task:
        """Writes the operations; returns the outputs, each with a count of its own."""
        spared = spared_transposes(graph)
        self.spared.update(spared)
        last = last_uses(graph, spared)
        around, self.dying = self.dying, set()
        for tensor, value in zip(graph.inputs, inputs, strict=True):
            self._define(tensor, value, last)
        for number, operation in enumerate(graph.operations):
            if operation.op is placeholder:
                continue
            read = reads(operation, spared)
            self.dying = {id(t) for t in read if last.get(id(t)) == number}
            operands = [self.values[id(t)] for t in operation.inputs]
            results = self.operation(operation, operands)
            if not isinstance(results, tuple):
                results = yield results
            for t in read:
                if id(t) in self.dying:
                    self.release(self.values[id(t)])
            for tensor, value in zip(operation.outputs, results, strict=True):
                self._define(tensor, value, last)
        self.dying = around
        return self._ends(graph)

    def _define(self, tensor: SymbolicTensor, value: NativeValue, last: dict[int, int]) -> None:
        self.values[id(tensor)] = value
        if id(tensor) not in last:
            self.release(value)

    def _ends(self, graph: Graph) -> list[NativeValue]:
        self.fusion.close(self)
        found: list[NativeValue] = []
        left = [id(t) for t in graph.outputs]
        for tensor in graph.outputs:
            left.remove(id(tensor))
            value = self.values[id(tensor)]
            self.side_by_side(value, tensor.op)
            found.append(self.hold(value, keep=id(tensor) in left))
        return found

    def operation(self, operation: Operation, operands: list[NativeValue]) -> Any:
        """The results, or the task that writes it."""
        if operation.op is constant_node:
            return (self._constant(operation),)
        exact = self.module.exact or not operation.inputs or is_of_numbers(operation)
        own = not exact and own_name(operation) is not None
        rule, loop = call_own if own else rule_of(operation), None
        if rule is None:
            return (self._expanded(operation, operands),)
        if own or is_elementwise(operation.op):
            loop = None if own else loop_name(operation, self.module.exact)
            if operation.outputs[0].shape.rank != 0:
                return (self.fusion.add(self, Step(operation, rule, loop, operands)),)
        if not (_is_of_numbers(operation) or (operation.op in SUMS and self.fusion.is_pending(operands[0]))):
            self.fusion.close(self)
        result = rule(self, operation, operands)
        if result is None:
            return ()
        if isinstance(result, Number) and result.range is None and result.dtype.is_integer:
            found = result_range(operation.op.int_scalar or "", operands)
            result.range = found if found is not None and within(found, whole(result.dtype)) else None
        return (result,) if isinstance(result, Number | Memory) else result

    def _expanded(self, operation: Operation, operands: list[NativeValue]) -> NativeValue:
        """The result of an operation that has no rule, by the operations that are its kernel."""
        parts = expanded(operation)
        if parts is None:
            raise Refused(operation, "there is no machine code for it")
        known = {id(t): value for t, value in zip(operation.inputs, operands, strict=True)}
        for part in parts:
            (known[id(part.outputs[0])],) = self.operation(part, [known[id(t)] for t in part.inputs])
        for part in parts[:-1]:
            self.release(known[id(part.outputs[0])])
        return known[id(operation.outputs[0])]

    def _constant(self, operation: Operation) -> NativeValue:
        value, dtype = operation.attributes["value"], operation.outputs[0].dtype
        if dtype is variant:
            value = as_array(unboxed(value), self.module.types.of(operation.outputs[0]))
            if value is None:
                raise Refused(operation, "a list of elements of several types is a constant")
            dtype = self.module.types.of(operation.outputs[0]).dtype
        if not is_supported(dtype):
            raise Refused(operation, f"values of {dtype.name} are not compiled")
        if np.ndim(value) == 0:
            return Number(literal(np.asarray(value).item(), dtype), dtype)
        if value.size > MOST_CONSTANTS:
            raise Refused(operation, "a large constant is handed over")
        return Memory(self.module.constant(value), "null", tuple(map(str, value.shape)), dtype)

    # -- arrays ---------------------------------------------------------------------------------------------------

    def hold(self, value: NativeValue, keep: bool = False) -> NativeValue:
        """The value with a count of its own, to be handed on: that of this graph, unless it must `keep` it."""
        if isinstance(value, Number) or value.fixed:
            return value
        if value.owned and not keep:
            value.owned = False
        elif value.header != "null":
            self.w.do(f"call void @retain(ptr {value.header})")
        return dataclasses.replace(value, owned=True)

    def side_by_side(self, value: NativeValue, operation: Operation) -> None:
        """Raises Refused for a copy of what numpy has as a view with gaps, where each bit is to be numpy's, and may
        depend on them."""
        if not (isinstance(value, Memory) and value.scattered and self.module.exact):
            return
        if value.turned or value.dtype.is_floating or value.dtype.is_complex:
            raise Refused(operation, "a part of an array that has gaps is left to numpy")

    def take(self, tensor: SymbolicTensor, operation: Operation, scattered: bool = False) -> Memory:
        """An operand with a count of its own: what the operation writes to, or hands on. scattered: what becomes of it
        is marked as a copy of a view with gaps where it is one."""
        value = self.values[id(tensor)]
        assert isinstance(value, Memory)
        if not scattered:
            self.side_by_side(value, operation)
        once = sum(t is tensor for t in operation.inputs) == 1
        held = self.hold(value, keep=id(tensor) not in self.dying or not once)
        assert isinstance(held, Memory)
        return held

    def release(self, value: NativeValue) -> None:
        """Gives back what this graph holds of a value, if anything."""
        if isinstance(value, Memory) and value.owned:
            value.owned = False
            if not self.fusion.keeps(value):
                self.drop(value)

    def drop(self, value: Memory) -> None:
        """Gives a count of an array back."""
        if value.header != "null":
            self.w.do(f"call void @release(ptr %context, ptr {value.header})")

    def unique(self, value: Memory) -> Memory:
        """The array as one that nobody else holds: itself, or a copy. The value must have a count of its own."""
        if value.fixed:
            return value
        w = self.w
        size = w.let(f"mul i64 {self.elements(value)}, {max(value.dtype.size, 1)}")
        pair = w.let(f"call {{ptr, ptr}} @unique(ptr %context, ptr {value.data}, ptr {value.header}, i64 {size})")
        data, header = (w.let(f"extractvalue {{ptr, ptr}} {pair}, {i}") for i in (0, 1))
        w.fail_if(w.let(f"icmp eq ptr {data}, null"))
        return Memory(data, header, value.dims, value.dtype, True).lies_as(value)

    def new(self, dims: Sequence[str], dtype: DType) -> Memory:
        """A new array, whose elements are not set."""
        w, made = self.w, Memory("", "", tuple(dims), dtype, True)
        size = w.let(f"mul i64 {self.elements(made)}, {max(dtype.size, 1)}")
        made.header = w.let(f"call ptr @allocate(ptr %context, i64 {size})")
        w.fail_if(w.let(f"icmp eq ptr {made.header}, null"))
        made.data = w.let(f"getelementptr i8, ptr {made.header}, i64 32")
        return made

    def new_result(self, tensor: SymbolicTensor, dims: Sequence[str]) -> Memory:
        """A new array, which the region gives where that is known: large ones are not copied then."""
        if id(tensor) not in self.results:
            return self.new(dims, tensor.dtype)
        w, made = self.w, Memory("", "", tuple(dims), tensor.dtype, True)
        size = w.let(f"mul i64 {self.elements(made)}, {tensor.dtype.size}")
        places = w.slot(f"[{len(dims)} x i64]")
        for axis, dim in enumerate(dims):
            w.do(f"store i64 {dim}, ptr {w.let(f'getelementptr i64, ptr {places}, i64 {axis}')}")
        given = f"ptr %context, i64 {size}, ptr {places}, i32 {len(dims)}, i32 {tensor.dtype.numpy.num}"
        pair = w.let(f"call {{ptr, ptr}} @allocate_result({given})")
        made.data, made.header = (w.let(f"extractvalue {{ptr, ptr}} {pair}, {i}") for i in (0, 1))
        w.fail_if(w.let(f"icmp eq ptr {made.header}, null"))
        return made

    @contextlib.contextmanager
    def each(self, count: str, rolled: bool = False) -> Iterator[str]:
        """What is written inside runs for each number below the count, which it gives. rolled: it stays a loop, so that
        it is vectorised, and not the one around it, with an element of each of several rows."""
        w = self.w
        slot = w.slot("i64")
        test, turn, end = (w.label(hint) for hint in ("each", "one", "all"))
        w.do(f"store i64 0, ptr {slot}")
        w.jump(test)
        w.block(test)
        number = w.let(f"load i64, ptr {slot}")
        w.branch(w.let(f"icmp ult i64 {number}, {count}"), turn, end)
        w.block(turn)
        yield number
        w.do(f"store i64 {w.let(f'add nuw i64 {number}, 1')}, ptr {slot}")
        w.do(f"br label %{test}{', !llvm.loop !20' if rolled else ''}")
        w.block(end)
        self.spend(count)

    def elements(self, value: Memory) -> str:
        """How many elements an array has."""
        total = "1"
        for dim in value.dims:
            if total == "1" or dim == "1":
                total = dim if total == "1" else total
            else:
                known = total.isdecimal() and dim.isdecimal()
                total = str(int(total) * int(dim)) if known else self.w.let(f"mul i64 {total}, {dim}")
        return total

    def address(self, data: str, place: str, dtype: DType) -> str:
        """Where the element with this number is."""
        return self.w.let(f"getelementptr inbounds {in_memory(dtype)}, ptr {data}, i64 {place}")

    def load(self, data: str, place: str, value: Memory) -> Number:
        """The element with this number."""
        w, kind = self.w, in_memory(value.dtype)
        address = self.address(data, place, value.dtype)
        text = w.let(f"load {kind}, ptr {address}{access(kind)}")
        if kind != in_register(value.dtype):
            text = w.let(f"icmp ne i8 {text}, 0")
        return Number(text, value.dtype)

    def store(self, data: str, place: str, number: Number) -> None:
        """Writes the element with this number."""
        w, kind = self.w, in_memory(number.dtype)
        text = number.text if kind == in_register(number.dtype) else w.let(f"zext i1 {number.text} to i8")
        address = self.address(data, place, number.dtype)
        w.do(f"store {kind} {text}, ptr {address}{access(kind)}")


def _is_of_numbers(operation: Operation) -> bool:
    """Whether an operation neither reads nor writes arrays, so that a kernel may wait until after it."""
    tensors = (*operation.inputs, *operation.outputs)
    return not operation.subgraphs and operation.op is not call_node and all(t.shape.rank == 0 for t in tensors)
