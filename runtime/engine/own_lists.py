"""Which growing lists a plan holds as lists of Python's, and changes in place: those that nothing else reads later.

    v1 = [1, 2]                       # list_new
    v1.append(v2)                     # list_push: the handle that it takes is read for the last time
    v3 = v1[-1]                       # list_get: a number, where all elements are

The handle of a list is a value (`runtime.ops.kernels.list_value`): an operation makes a new one and leaves the old one.
Handles that flow into each other (states of loops, ends of branches, what an operation makes of one) are one class. A
class is the plan's own if each change, loop and branch that takes one of its handles is the last to read it, and if no
handle of it comes from outside or goes into an operation that is not known here. This is read off the graphs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

import numpy as np

from runtime.dtypes import DType, from_numpy, string, uint64, variant
from runtime.graph.graph import Graph
from runtime.graph.nesting import nested_graphs
from runtime.graph.operation import Operation
from runtime.ops.flow.control import cond_node, switch_node, while_node
from runtime.ops.flow.core import constant_node, identity, placeholder
from runtime.ops.kernels.list_value import ListValue, unboxed
from runtime.ops.lists.lists import (
    list_concat,
    list_extend,
    list_get,
    list_insert,
    list_length,
    list_new,
    list_pop,
    list_push,
    list_set,
    list_slice,
    list_stack,
)
from runtime.shapes import TensorShape
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["CHANGES", "Kind", "own_lists"]

CHANGES: Final = {
    list_push: 1, list_set: 2, list_insert: 2, list_extend: 1, list_concat: None, list_pop: None,
}  # fmt: skip
"""The operations that change a list, and which operand is the new element, or the rows."""

_READS: Final = frozenset({list_get, list_length, list_slice, list_stack})
_POSITIONS: Final = {list_set: (1,), list_insert: (1,), list_get: (1,), list_pop: (1,), list_slice: (1, 2, 3)}


class Kind(NamedTuple):
    """What the lists of one class hold."""

    dtype: DType
    numbers: bool
    """Whether elements are held in scalar form; else they are arrays, or lists that never change."""


def own_lists(root: Graph) -> Mapping[int, Kind]:
    """By the tensor's id: the handles that a plan holds as lists of Python's, in the graph and in its library."""
    return _Classes(root).found()


class _Element(NamedTuple):
    dtype: DType
    shape: TensorShape


class _Classes:
    """Handles by the class that they are in."""

    def __init__(self, root: Graph) -> None:
        self.same: dict[int, int] = {}
        self.made: set[int] = set()
        """Handles of which it is known where they come from."""
        self.wrong: set[int] = set()
        self.changed: set[int] = set()
        self.put: dict[int, list[_Element]] = {}
        self.asked: dict[int, list[_Element]] = {}
        """By a handle, what goes in and what is expected of what comes out."""
        self.taken: dict[int, set[int]] = {}
        """By the graph's id: the positions of the inputs that it changes or gives."""
        for graph in (root, *root.functions.values()):
            for inner in nested_graphs(graph):
                if any(t.dtype is variant for o in inner.operations for t in (*o.inputs, *o.outputs)):
                    self._read(inner, inner is root)
                else:
                    self.taken[id(inner)] = set()
            self.wrong.update(id(t) for t in graph.inputs)
        self.wrong.update(id(t) for graph in root.functions.values() for t in graph.outputs)

    def found(self) -> dict[int, Kind]:
        """The handles of the classes that are the plan's own."""
        classes: dict[int, list[int]] = {}
        for key in self.made | self.wrong:
            classes.setdefault(self._root(key), []).append(key)
        own: dict[int, Kind] = {}
        for members in classes.values():
            kind = self._kind(members)
            if kind is not None:
                own.update(dict.fromkeys(members, kind))
        return own

    def _kind(self, members: list[int]) -> Kind | None:
        if not self.made.issuperset(members) or not self.wrong.isdisjoint(members):
            return None
        if self.changed.isdisjoint(members):
            return None
        put = [element for key in members for element in self.put.get(key, ())]
        asked = [element for key in members for element in self.asked.get(key, ())]
        dtypes = {element.dtype for element in (*put, *asked)}
        if len(dtypes) > 1 or not all(one.shape.is_subtype_of(other.shape) for one in set(put) for other in set(asked)):
            return None
        dtype = dtypes.pop() if dtypes else variant
        scalar = dtype is not variant and dtype is not string
        return Kind(dtype, scalar and all(element.shape.dims == () for element in put))

    # -- what flows into what -----------------------------------------------------------------------------------------

    def _root(self, key: int) -> int:
        while (above := self.same.get(key, key)) != key:
            self.same[key] = self.same.get(above, above)
            key = above
        return key

    def _join(self, pairs: Iterable[tuple[SymbolicTensor, SymbolicTensor]]) -> None:
        """The second of each pair is what the first one hands on."""
        for one, other in pairs:
            if one.dtype is variant:
                self.same[self._root(id(one))] = self._root(id(other))
                self.made.add(id(other))

    def _read(self, graph: Graph, is_root: bool) -> None:
        """Reads a graph from its first operation to its last; the graphs inside of it come first."""
        gone: set[int] = set()
        for operation in graph.operations:
            if operation.op is placeholder:
                continue
            handles = [t for t in operation.inputs if t.dtype is variant]
            if not handles and not any(t.dtype is variant for t in operation.outputs):
                continue
            self.wrong.update(id(t) for t in handles if id(t) in gone)
            used_up = self._look(operation)
            times = Counter(map(id, operation.inputs))
            self.wrong.update(id(t) for t in used_up if times[id(t)] > 1)
            gone.update(map(id, used_up))
        ends = [id(t) for t in graph.outputs if t.dtype is variant]
        self.wrong.update(gone.intersection(ends))
        if not is_root:  # what a plan gives is copied
            self.wrong.update(key for key, count in Counter(ends).items() if count > 1)
            gone.update(ends)
        self.taken[id(graph)] = {i for i, t in enumerate(graph.inputs) if id(t) in gone}

    def _look(self, operation: Operation) -> list[SymbolicTensor]:
        """Reads an operation; returns the handles that are to be read no more."""
        op, inputs, outputs = operation.op, operation.inputs, operation.outputs
        if op is while_node:
            return self._loop(operation)
        if op is cond_node or op is switch_node:
            return self._branches(operation)
        if op is identity:
            self._join([(inputs[0], outputs[0])])
            return [inputs[0]]
        if op is constant_node:
            self._constant(operation)
            return []
        if op in CHANGES or op is list_new or op in _READS:
            return self._list(operation)
        self._refuse((*inputs, *outputs))
        for graph in operation.subgraphs:
            self._refuse((*graph.inputs, *graph.outputs))
        return []

    def _refuse(self, tensors: Iterable[SymbolicTensor]) -> None:
        self.wrong.update(id(t) for t in tensors if t.dtype is variant)

    def _loop(self, operation: Operation) -> list[SymbolicTensor]:
        test, body = operation.attributes["cond_graph"], operation.attributes["body_graph"]
        count = len(body.outputs)
        state = operation.inputs[:count]
        self._join(zip(operation.inputs, body.inputs, strict=True))
        self._join(zip(operation.inputs, test.inputs, strict=True))
        self._join(zip(body.outputs, body.inputs, strict=False))
        self._join(zip(state, operation.outputs, strict=True))
        self._refuse(body.inputs[i] for i in self.taken[id(body)] if i >= count)
        self._refuse(test.inputs[i] for i in self.taken[id(test)])
        return [t for t in state if t.dtype is variant]

    def _branches(self, operation: Operation) -> list[SymbolicTensor]:
        operands, used_up = operation.inputs[1:], set()
        for graph in operation.subgraphs:
            self._join(zip(operands, graph.inputs, strict=True))
            self._join(zip(graph.outputs, operation.outputs, strict=True))
            used_up |= self.taken[id(graph)]
        return [operands[i] for i in used_up if operands[i].dtype is variant]

    # -- operations on lists ------------------------------------------------------------------------------------------

    def _constant(self, operation: Operation) -> None:
        held, key = unboxed(operation.attributes["value"]), id(operation.outputs[0])
        items = list(held) if type(held) is ListValue else [None]
        arrays = [item for item in items if isinstance(item, np.ndarray)]
        found = [(from_numpy(array.dtype), TensorShape(array.shape)) for array in arrays]
        self.put[key] = [_Element(dtype, shape) for dtype, shape in found if dtype is not None]
        (self.made if len(self.put[key]) == len(items) else self.wrong).add(key)

    def _list(self, operation: Operation) -> list[SymbolicTensor]:
        op, inputs = operation.op, operation.inputs
        handle = inputs[0] if op is not list_new else operation.outputs[0]
        if handle.shape.rank != 0 or any(not _is_position(inputs[i]) for i in _POSITIONS.get(op, ())):
            self._refuse((*inputs, *operation.outputs))
            return []
        self._elements(operation, id(handle))
        if op is list_new:
            self.made.add(id(handle))
            self._refuse(inputs)
        elif op in CHANGES or op is list_slice:
            self._join([(handle, operation.outputs[0])])
            self._refuse(() if op is list_concat else inputs[1:])
        self._refuse(operation.outputs[1:] if op in CHANGES else operation.outputs if op is list_get else ())
        if op is list_concat:
            self._join([(inputs[1], operation.outputs[0])])
        if op in CHANGES or op is list_slice:
            self.changed.add(id(handle))
        return [handle] if op in CHANGES else []

    def _elements(self, operation: Operation, key: int) -> None:
        """Notes what goes into a list, and what is expected of what comes out of it."""
        op, inputs = operation.op, operation.inputs
        put: Iterator[SymbolicTensor] = iter(())
        if op is list_new:
            put = iter(inputs)
        elif op is list_extend:
            rows = inputs[1]
            if not rows.shape.rank or (rows.shape.rank == 1 and rows.dtype is string):
                self.wrong.add(key)  # what Python iterates over are no arrays
            else:
                self.put.setdefault(key, []).append(_Element(rows.dtype, rows.shape[1:]))
        elif (place := CHANGES.get(op)) is not None:
            put = iter(inputs[place : place + 1])
        self.put.setdefault(key, []).extend(_Element(t.dtype, t.shape) for t in put)
        if "element_shape" in operation.attributes and not (op is list_new and not inputs):
            said = _Element(operation.attributes["element_dtype"], operation.attributes["element_shape"])
            self.asked.setdefault(key, []).append(said)


def _is_position(tensor: SymbolicTensor) -> bool:
    """Whether Python takes it as an index of a list as the kernel does."""
    return tensor.shape.dims == () and tensor.dtype is not uint64


