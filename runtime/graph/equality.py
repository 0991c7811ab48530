"""When two graphs, or two attributes, are the same: by value, to the bit.

>>> attribute_key(0.0) == attribute_key(-0.0), attribute_key(1) == attribute_key(True)
(False, False)
>>> graph_equal(Graph.from_text(graph.as_text()), graph)
True
"""

from __future__ import annotations

import struct
from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from runtime.dtypes import variant
from runtime.graph.graph import Graph
from runtime.graph.nesting import nested_graphs
from runtime.graph.operation import Operation
from runtime.ops.flow.core import placeholder
from runtime.ops.kernels.list_value import unboxed
from runtime.ops.records.record import Array
from runtime.ops.records.terms import Term

__all__ = ["attribute_key", "graph_equal"]


def attribute_key(value: Any) -> Hashable:
    """A hashable value that is equal for attributes that are the same: type and bits count, not Python's ==."""
    if isinstance(value, float):
        return float, struct.pack("<d", value)
    if isinstance(value, complex):
        return complex, struct.pack("<dd", value.real, value.imag)
    if isinstance(value, tuple):
        return tuple, *map(attribute_key, value)
    if isinstance(value, np.ndarray):
        return np.ndarray, value.dtype.str, value.shape, _contents(value)
    if isinstance(value, Graph):
        return Graph, id(value)
    if isinstance(value, Term):
        return Term, value.head, attribute_key(value.parts)
    return type(value), value


def _contents(array: Array) -> Hashable:
    if array.dtype == variant.numpy:
        return tuple(map(attribute_key, unboxed(array)))
    if array.dtype.hasobject:
        return tuple(array.ravel().tolist())
    return array.tobytes()


def graph_equal(a: Graph, b: Graph) -> bool:
    """Whether two graphs are the same operation by operation: names, types, attributes, weak flags, graphs inside.

    The user's lines and captures do not count, nor where among the operations a placeholder stands.
    """
    if list(a.functions) != list(b.functions):
        return False
    pairs = zip((a, *a.functions.values()), (b, *b.functions.values()), strict=True)
    return all(_equal(x, y) for x, y in pairs)


def _equal(a: Graph, b: Graph) -> bool:
    first, second = nested_graphs(a), nested_graphs(b)
    if len(first) != len(second):
        return False
    numbers = {id(g): i for graphs in (first, second) for i, g in enumerate(graphs)}
    return all(_describe(x, numbers) == _describe(y, numbers) for x, y in zip(first, second, strict=True))


def _describe(graph: Graph, numbers: Mapping[int, int]) -> list[Any]:
    """Everything that counts in a graph, as plain data; graphs inside by their number."""
    inputs = [_describe_operation(t.op, numbers) for t in graph.inputs]
    operations = [_describe_operation(o, numbers) for o in graph.operations if o.op is not placeholder]
    return [graph.name, inputs, [t.name for t in graph.outputs], *operations]


def _describe_operation(operation: Operation, numbers: Mapping[int, int]) -> tuple[Any, ...]:
    attributes = {k: _numbered(v, numbers) for k, v in operation.attributes.items()}
    outputs = [(t.dtype.name, t.shape.dims, t.weak) for t in operation.outputs]
    return operation.type, operation.name, [t.name for t in operation.inputs], attributes, outputs


def _numbered(value: Any, numbers: Mapping[int, int]) -> Any:
    if isinstance(value, Graph):
        return Graph, numbers[id(value)]
    if isinstance(value, tuple):
        return tuple, *(_numbered(v, numbers) for v in value)
    return attribute_key(value)
