"""Common subexpressions: two operations that compute the same are one.

%a = multiply(%x, %x)
%b = multiply(%x, %x)        # everything that reads %b reads %a, also in branches

Two reads of a Variable are one if nothing between them may write it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence

import numpy as np

from runtime.dtypes import variant
from runtime.graph.effects import Touch, touches
from runtime.graph.equality import attribute_key
from runtime.graph.graph import Graph
from runtime.graph.nesting import nested_graphs
from runtime.graph.operation import Operation
from runtime.graph.rebuild import Rebuild, with_graphs
from runtime.ops.flow.control import cond_node, switch_node
from runtime.ops.flow.state import READS
from runtime.passes.handed_in import hand_in
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["merge_common"]

First = dict[Hashable, tuple[SymbolicTensor, ...]]
"""By what they compute: the results of the first operation of each kind."""

MOST_BYTES = 1 << 20
"""Constants above this size are compared by identity: reading them would cost more than it saves."""


def merge_common(graph: Graph) -> Graph:
    """Every value is computed from the same operation on the same operands as before, at its first place.

    Attributes are compared by value: constants by dtype, shape and bits, so 0.0 and -0.0 stay apart and equal nans
    merge. Operations with effects, control flow, and results whose static shapes differ are never merged, nor are
    lists: two that are equal now grow in different ways, each in place.
    """
    done: dict[int, Graph] = {}
    touched = touches(graph)
    for current in nested_graphs(graph):
        done[id(current)] = _merge(current, done, _Versions(touched, graph.distinct_handles))
    return done[id(graph)]


class _Versions:
    """How often each Variable may have been written so far, by its handle."""

    def __init__(self, touched: Mapping[int, Touch], distinct: bool) -> None:
        self._touched = touched
        self._distinct = distinct
        self._common = 0
        self._written: Counter[int] = Counter()

    def version(self, operation: Operation) -> Hashable:
        """Of what the operation reads; None for one that reads no Variable."""
        if operation.op not in READS:
            return None
        return self._common, self._written[id(operation.inputs[0])]

    def run(self, operation: Operation) -> None:
        """Takes note of what the operation writes."""
        touch = self._touched.get(id(operation))
        if touch is None or not (touch.writes or touch.anything):
            return
        if touch.anything or not self._distinct:
            self._common += 1
        self._written.update(touch.writes)


def _merge(graph: Graph, done: dict[int, Graph], versions: _Versions) -> Graph:
    build = Rebuild(graph)
    first: First = {}
    for operation in graph.operations:
        attributes = with_graphs(operation, done)
        versions.run(operation)
        if operation.op in (cond_node, switch_node):
            _copy_branches(build, operation, done, first)
            continue
        alone = operation.acts or any(t.dtype is variant for t in operation.outputs)
        if alone or attributes is not operation.attributes:
            build.copy(operation, attributes=attributes)
            continue
        key = _key(operation, [build.tensor(t) for t in operation.inputs]), versions.version(operation)
        known = first.get(key)
        if known is None:
            first[key] = build.copy(operation).outputs
        else:
            for old, new in zip(operation.outputs, known, strict=True):
                build.replace(old, new)
    return build.finish()


def _copy_branches(build: Rebuild, operation: Operation, done: Mapping[int, Graph], first: First) -> None:
    """Adds branches of which one runs; they take what they would compute again."""
    inputs = [build.tensor(t) for t in operation.inputs]
    known = lambda inner, operands: first.get((_key(inner, operands), None))
    branches, more = hand_in([done[id(branch)] for branch in operation.subgraphs], inputs[1:], known)
    graphs = {id(old): new for old, new in zip(operation.subgraphs, branches, strict=True)}
    build.copy(operation, (*inputs, *more), with_graphs(operation, graphs))


def _key(operation: Operation, inputs: Sequence[SymbolicTensor]) -> Hashable:
    attributes = tuple((k, _attribute(v)) for k, v in operation.attributes.items())
    return operation.op.name, tuple(map(id, inputs)), attributes, tuple([t.shape.dims for t in operation.outputs])


def _attribute(value: object) -> Hashable:
    if isinstance(value, np.ndarray) and value.nbytes > MOST_BYTES:
        return np.ndarray, id(value)
    return attribute_key(value)
