"""Lists and TensorArrays in machine code: arrays that have room to grow, whose first axis counts the elements.

    types = Types(graph)
    types.of(tensor)            # what a list is to machine code: int64[?, 3] for a list of vectors of 3 integers

All elements of a list have one dtype and one shape: that is what its operations say in their attributes. A handle has
no type of its own, so lists that may be one another (the state of a loop before and after a turn, what branches give)
are found and take the type that any operation on one of them says.

Between a plan and a region a list changes its form: `ListValue` of arrays here, one array there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from runtime.dtypes import DType, resource, variant
from runtime.graph.graph import Graph
from runtime.graph.nesting import nested_graphs
from runtime.graph.operation import Operation
from runtime.native.rules import Refused
from runtime.native.types import is_supported
from runtime.ops.flow.control import call_node, cond_node, switch_node, try_node, while_node
from runtime.ops.flow.state import READS, WRITES
from runtime.ops.kernels.list_value import ListValue
from runtime.ops.lists.lists import list_concat, list_new
from runtime.ops.lists.tensor_array import array_new
from runtime.ops.records.record import Array
from runtime.shapes import TensorShape
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["NO_TYPES", "Type", "Types", "as_array", "as_list"]


_HANDLES: Final = (resource, variant)
"""What stands for values of a type that operations say."""

_MOST: Final = 1 << 24
"""The most numbers in one element."""


class Type(NamedTuple):
    """What machine code holds for a tensor: single numbers where the shape has no axes, else an array."""

    dtype: DType
    shape: TensorShape

    @property
    def element_dims(self) -> tuple[int, ...]:
        """The dims of an element of a list."""
        return tuple(d or 0 for d in (self.shape.dims or ())[1:])


class Types:
    """The types of the tensors of a graph, its library, and the graphs inside of them."""

    def __init__(self, root: Graph | None = None) -> None:
        self._same: dict[int, int] = {}
        self._said: dict[int, Type] = {}
        self._wrong: dict[int, str] = {}
        self._sized: set[int] = set()
        functions = {} if root is None else root.functions
        for graph in () if root is None else (root, *functions.values()):
            for inner in nested_graphs(graph):
                for operation in inner.operations:
                    self._look(operation, functions)

    def of(self, tensor: SymbolicTensor) -> Type:
        """The type of a tensor. Raises Refused for a list of which it is not known."""
        if tensor.dtype not in _HANDLES:
            return Type(tensor.dtype, tensor.shape)
        root = self._root(id(tensor))
        if root in self._wrong:
            raise Refused(tensor.op, self._wrong[root])
        if root not in self._said:
            raise Refused(tensor.op, "nothing says what its values are")
        return self._said[root]

    def is_sized(self, tensor: SymbolicTensor) -> bool:
        """Whether it is a TensorArray, which machine code fills with zeros where nothing is written."""
        return self._root(id(tensor)) in self._sized

    def _root(self, key: int) -> int:
        while (above := self._same.get(key, key)) != key:
            self._same[key] = self._same.get(above, above)
            key = above
        return key

    def _join(self, one: SymbolicTensor, other: SymbolicTensor) -> None:
        if one.dtype is not other.dtype or one.dtype not in _HANDLES:
            return
        root, below = self._root(id(one)), self._root(id(other))
        if root == below:
            return
        self._same[below] = root
        if below in self._said:
            self._say(root, self._said.pop(below))
        if below in self._wrong:
            self._wrong[root] = self._wrong.pop(below)
        if below in self._sized:
            self._sized.add(root)

    def _say(self, root: int, type_: Type) -> None:
        if self._said.setdefault(root, type_) != type_:
            self._wrong[root] = "its elements have several types"

    def _look(self, operation: Operation, functions: dict[str, Graph]) -> None:
        for one, other in _flows(operation, functions):
            self._join(one, other)
        said = operation.attributes
        if operation.op in READS or operation.op in WRITES:
            value = (*operation.outputs, *operation.inputs[1:])[0]
            self._say(self._root(id(operation.inputs[0])), Type(value.dtype, said["shape"]))
            return
        handles = [t for t in (*operation.inputs[:1], *operation.outputs[:1]) if t.dtype is variant]
        if operation.op is array_new:
            self._sized.add(self._root(id(operation.outputs[0])))
        if not handles or "element_shape" not in said or (operation.op is list_new and not operation.inputs):
            return
        root = self._root(id(handles[0]))
        if "element_shape" not in said:  # list_cast
            self._wrong[root] = "its elements are cast, which is not compiled"
            return
        dtype, shape = said["element_dtype"], said["element_shape"]
        if not is_supported(dtype) or not shape.is_fully_defined() or shape.num_elements() > _MOST:
            self._wrong[root] = f"elements {dtype.name}{shape} of lists are not compiled"
        else:
            self._say(root, Type(dtype, TensorShape([None, *shape.as_tuple()])))


NO_TYPES: Final = Types()
"""Of graphs without lists."""


def _flows(operation: Operation, functions: dict[str, Graph]) -> Iterator[tuple[SymbolicTensor, SymbolicTensor]]:
    """Pairs of tensors of which one hands on what the other one is, if they are lists."""
    if operation.op is while_node:
        test, body = operation.attributes["cond_graph"], operation.attributes["body_graph"]
        for graph in (test, body):
            yield from zip(operation.inputs, graph.inputs, strict=True)
        yield from zip(body.outputs, operation.outputs, strict=True)
        yield from zip(operation.inputs, operation.outputs, strict=False)
    elif operation.op in (cond_node, switch_node, try_node):
        given = operation.inputs if operation.op is try_node else operation.inputs[1:]
        for graph in operation.subgraphs:
            yield from zip(given, graph.inputs, strict=True)
            yield from zip(graph.outputs, operation.outputs, strict=True)
    elif operation.op is call_node:
        function = functions[operation.attributes["function"]]
        yield from zip(operation.inputs, function.inputs, strict=True)
        yield from zip(function.outputs, operation.outputs, strict=True)
    elif operation.inputs and operation.outputs and not operation.subgraphs:
        yield operation.inputs[0], operation.outputs[0]
        if operation.op is list_concat:
            yield operation.inputs[1], operation.outputs[0]


# -- lists of a plan ----------------------------------------------------------------------------------------------


def as_array(value: Any, type_: Type) -> Array | None:
    """The elements of a list of a plan in one array; None where they are not all of this type."""
    if type(value) is not ListValue:
        return None
    items, dtype, dims = list(value), type_.dtype.numpy, type_.element_dims
    if any(type(item) is not np.ndarray or item.dtype != dtype or item.shape != dims for item in items):
        return None
    if not dims:
        return np.array([item.item() for item in items], dtype)
    return np.stack(items) if items else np.empty((0, *dims), dtype)


def as_list(array: Array) -> ListValue:
    """The rows of an array as a list of a plan, which nobody writes to."""
    return ListValue.of([array[i, ...] for i in range(len(array))])
