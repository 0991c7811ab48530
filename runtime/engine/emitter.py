"""The emitter: walks a graph and writes one statement an operation. It keeps what is known of each value.

    v1 = multiply(v0, c0)         # kernels on arrays: engine.buffers
    v2 = v2 + 1                   # Python expressions on scalars: engine.scalars
    while v2 < v3: ...            # control flow: engine.control

Nested graphs are written by generators that `runtime.graph.nesting.drive` runs, so that nesting needs no recursion.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

import numpy as np

from runtime.dtypes import variant
from runtime.engine.buffers import emit_kernel, kernel_call
from runtime.engine.called import called_node, emit_called
from runtime.engine.calls import Callee, emit_call
from runtime.engine.choice import emit_choice, is_choice
from runtime.engine.control import CONTROL
from runtime.engine.handing_over import Begin, nothing
from runtime.engine.indexing import emit_index, has_plain_index
from runtime.engine.layouts import emit_layout, has_layout
from runtime.engine.lists import emit_constant_list, emit_list, is_list_operation
from runtime.engine.methods import emit_method, has_method
from runtime.engine.naming import Names, Registers
from runtime.engine.own_lists import Kind
from runtime.engine.ownership import Ownership, last_uses
from runtime.engine.products import emit_product, has_product
from runtime.engine.python_calls import emit_of_numbers, emit_python_call, emit_shift_test, has_python_call
from runtime.engine.scalars import as_integers, emit_scalar, has_scalar_form, waiting
from runtime.engine.state import emit_state, is_state_operation
from runtime.engine.updates import emit_update, is_update
from runtime.engine.values import Block, Storage, Value, is_python_number, is_scalar
from runtime.graph.graph import Graph
from runtime.graph.nesting import Task
from runtime.graph.operation import Operation
from runtime.graph.overflow import checked, may_leave
from runtime.graph.own_numbers import is_of_numbers, is_shift
from runtime.ops.flow.control import call_node
from runtime.ops.flow.core import constant_node, identity, placeholder
from runtime.ops.kernels.list_value import boxed, unboxed
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Emitter"]

_TAKE: Final = {variant: ".item()[0]"}
"""How the scalar is taken out of an array of rank 0, where that is special."""


class Emitter:
    """The state of one compilation: names, registers, the block that is being written, the values in scope."""

    def __init__(
        self, ownership: Mapping[int, Ownership], lists: Mapping[int, Kind], library: Mapping[str, Callee]
    ) -> None:
        self.ownership = ownership
        """By its id, what each nested graph does with buffers."""
        self.lists = lists
        """By the tensor's id: handles of lists that are the plan's own."""
        self.library = library
        """The functions that may be called, by their names in the graph."""
        self.names = Names()
        self.registers = Registers()
        self.block = Block(1, 0)
        self.functions: list[tuple[str, Block]] = []
        """Blocks that nest too deeply for Python, as functions of their own: (header, lines)."""
        self.values: dict[int, Value] = {}
        self.hints: dict[int, str] = {}
        """By tensor: the register in which the end of the block wants to find it."""
        self.held: set[str] = set()
        """Registers that are kept for a hint; nothing else takes them."""
        self.dying: list[Value] = []
        self.read: Collection[int] = ()
        """By the tensor's id: what the graph reads, or gives."""
        self.waiting: set[int] = set()
        """By the tensor's id: integers that need not be wrapped around."""
        self.integers: set[int] = set()
        """By the tensor's id: floats that may be held as the integers that they are made of."""
        self.can_warn = False
        self.begin_of: Callable[[Operation], Begin | None] = nothing
        """For a loop what may take it over."""

    # -- graphs ---------------------------------------------------------------------------------------------------

    def graph(self, graph: Graph, inputs: Sequence[Value], hints: Mapping[int, str]) -> Task:
        """Writes the operations of a graph into the current block; returns the values of its outputs."""
        saved = self.values, self.hints, self.dying, self.waiting, self.integers, self.read
        self.values = {id(t): v for t, v in zip(graph.inputs, inputs, strict=True)}
        self.hints, self.waiting, self.integers = dict(hints), waiting(graph), as_integers(graph)
        self.read = last_use = last_uses(graph)
        self._drop([v for key, v in self.values.items() if key not in last_use])
        for index, operation in enumerate(graph.operations):
            if operation.op is placeholder:
                continue
            dying = [key for key in dict.fromkeys(map(id, operation.inputs)) if last_use[key] == index]
            self.dying = [self.values[key] for key in dying]
            control = CONTROL.get(operation.op)
            if control is not None:
                yield control(self, operation)
            else:
                self._operation(operation)
            self._drop(self.dying)
            self._drop([self.values[id(t)] for t in operation.outputs if id(t) not in last_use])
            for key in dying:
                del self.values[key]
        results = [self.values[id(t)] for t in graph.outputs]
        self.values, self.hints, self.dying, self.waiting, self.integers, self.read = saved
        return results

    def _operation(self, operation: Operation) -> None:
        if is_shift(operation):
            emit_shift_test(self, operation)
        if operation.op is constant_node:
            self._constant(operation)
        elif operation.op is identity:
            self._identity(operation)
        elif is_of_numbers(operation):
            emit_of_numbers(self, operation)
        elif has_scalar_form(operation):
            self.can_warn |= not is_python_number(operation.outputs[0].dtype)
            self.can_warn |= not is_python_number(operation.inputs[0].dtype)
            emit_scalar(self, operation)
        elif has_python_call(operation):
            emit_python_call(self, operation)
        elif has_plain_index(operation):
            emit_index(self, operation)
        elif has_layout(operation):
            emit_layout(self, operation)
        elif has_product(operation):
            emit_product(self, operation)
        elif has_method(operation):
            emit_method(self, operation)
        elif is_choice(operation):
            emit_choice(self, operation)
        elif is_update(operation):
            emit_update(self, operation)
        elif is_list_operation(operation):
            emit_list(self, operation)
        elif is_state_operation(operation):
            emit_state(self, operation)
        elif operation.op is called_node:
            emit_called(self, operation)
        elif operation.op is call_node:
            emit_call(self, operation, self.library)
        else:
            emit_kernel(self, operation)
        if operation.op.holds:
            for tensor in operation.inputs:
                self.values[id(tensor)].storage.escape()

    def _constant(self, operation: Operation) -> None:
        tensor = operation.outputs[0]
        if id(tensor) in self.lists:
            emit_constant_list(self, operation, self.lists[id(tensor)])
        else:
            self.values[id(tensor)] = Value(tensor, self.block, Storage(False), constant=operation.attributes["value"])

    def _identity(self, operation: Operation) -> None:
        """The same value under a new name: no statement at all when the old name dies here."""
        source, target = operation.inputs[0], operation.outputs[0]
        value = self.values[id(source)]
        if value in self.dying:
            self.dying.remove(value)
            self.values[id(target)] = value
        elif value.constant is not None:
            self.values[id(target)] = Value(target, self.block, value.storage, constant=value.constant)
        elif is_scalar(target) and value.array is None:
            self.define(operation, self.scalar_of(source), scalar=True)
        else:
            self.define(operation, self.array_of(source), storage=value.storage)

    # -- values ---------------------------------------------------------------------------------------------------

    def array_of(self, tensor: SymbolicTensor) -> str:
        """The tensor as an ndarray of its dtype: the name of it, after a conversion where one is needed."""
        return self.array(self.values[id(tensor)])

    def scalar_of(self, tensor: SymbolicTensor) -> str:
        """The tensor of rank 0 as a Python number or numpy scalar: a name or a literal."""
        return self.scalar(self.values[id(tensor)])

    def array(self, value: Value) -> str:
        if value.array is None:
            if value.constant is not None:
                value.array = self.names.bind_constant(value.constant)
            elif value.outer is not None:
                value.array = self.array(value.outer)
            elif value.dtype is variant:
                value.array = self._convert(value, f"{self.names.bind(boxed, 'boxed')}({value.scalar})")
            else:
                dtype = self.names.bind(value.dtype.numpy, value.dtype.name)
                value.array = self._convert(value, f"{self.names.bind(np.asarray, 'asarray')}({value.scalar}, {dtype})")
        return value.array

    def scalar(self, value: Value) -> str:
        if value.scalar is None:
            if value.constant is not None:
                value.scalar = self._literal(value)
            elif value.outer is not None:
                value.scalar = self.scalar(value.outer)
            else:
                take = _TAKE.get(value.dtype, ".item()" if is_python_number(value.dtype) else "[()]")
                value.scalar = self._convert(value, f"{value.array}{take}")
        return value.scalar

    def _literal(self, value: Value) -> str:
        assert value.constant is not None
        if value.dtype is variant:
            return self.names.bind_constant(unboxed(value.constant))
        if not is_python_number(value.dtype):
            return self.names.bind_constant(value.constant[()])
        number = value.constant.item()
        finite = not isinstance(number, float | complex) or (isinstance(number, float) and math.isfinite(number))
        return repr(number) if finite else self.names.bind_constant(number)

    def _convert(self, value: Value, text: str) -> str:
        """Writes a conversion where the value was made: before a loop that only reads it, not inside."""
        register = self.registers.take() if value.block is self.block else self.registers.fresh()
        value.block.emit(f"{register} = {text}")
        value.registers += (register,)
        return register

    def kernel_on_scalars(self, operation: Operation) -> str:
        """The operation by its kernel, as an expression from scalars to a scalar."""
        asarray = self.names.bind(np.asarray, "asarray")
        arrays = []
        for tensor in operation.inputs:
            dtype = self.names.bind(tensor.dtype.numpy, tensor.dtype.name)
            arrays.append(f"{asarray}({self.scalar_of(tensor)}, {dtype})")
        result = operation.outputs[0].dtype
        self.can_warn = True
        function = checked(operation.op) if may_leave(operation) else None
        dtype = self.names.bind(result.numpy, result.name)
        call = f"{asarray}({kernel_call(self, operation, arrays, function)}, {dtype})"
        return f"{call}{'.item()' if is_python_number(result) else '[()]'}"

    def define(
        self,
        operation: Operation,
        text: str,
        *,
        scalar: bool = False,
        owned: bool = False,
        storage: Storage | None = None,
        prefer: Value | None = None,
    ) -> str:
        """Writes `register = text` for the output of an operation, remembers the value and returns the register."""
        tensor = operation.outputs[0]
        register = self.register_for(tensor, prefer)
        if register != text:
            self.block.emit(f"{register} = {text}", operation)
        root = storage is None
        storage = storage if storage is not None else Storage(owned)
        value = Value(tensor, self.block, storage, registers=(register,), root=root)
        value.array, value.scalar = (None, register) if scalar else (register, None)
        self.values[id(tensor)] = value
        return register

    def register_for(self, tensor: SymbolicTensor, prefer: Value | None = None) -> str:
        """A register for a result: the one that its block hands on, or that of an operand which dies here."""
        wanted = self.hints.get(id(tensor))
        if wanted is not None:
            if self.take_hinted(wanted):
                return wanted
            for value in self.dying:
                if wanted in value.registers:
                    return self._inherit(value, wanted)
        candidates = [prefer] if prefer is not None and prefer.registers else self.dying
        for value in candidates:
            if value.registers:
                return self._inherit(value, value.registers[0])
        return self.registers.take()

    def take_hinted(self, register: str) -> bool:
        """Takes the register of a hint, if it holds nothing now."""
        if register in self.held:
            self.held.remove(register)
            return True
        return self.registers.take_exactly(register)

    def _inherit(self, value: Value, register: str) -> str:
        value.registers = tuple(r for r in value.registers if r != register)
        return register

    def _drop(self, values: Sequence[Value]) -> None:
        """Values that nothing reads any more: their memory is freed, their registers can be used again."""
        names: list[str] = []
        for value in values:
            value.storage.holders -= 1
            if not value.small:
                names += [r for r in value.registers if r == value.array]
            self.registers.release(value.registers)
            value.registers = ()
        if names:
            self.block.emit(f"del {', '.join(names)}")
