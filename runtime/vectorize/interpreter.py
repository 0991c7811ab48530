"""Graphs on blocks: the operations of a graph for one element, carried out for many elements at once.

    on_block(graph, [Part(X, True, 0)], count, exact=False)      # the graph's outputs, with a new first dimension

What does not depend on the elements is computed once. A `cond` whose condition differs from element to element computes
both branches and chooses; so it must be sure that neither can raise, or that its caller can do without it (`daring`).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from runtime.context import current_recorder, recording
from runtime.dtypes import resource, variant
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.graph.risks import may_raise
from runtime.ops.control import cond_node, while_node
from runtime.ops.core import constant_node, placeholder
from runtime.ops.record import REGISTRY, Op
from runtime.tensor import taping
from runtime.tensor.convert import make_constant
from runtime.tensor.eager import EagerTensor
from runtime.vectorize.placed import SAME_FOR_ALL
from runtime.vectorize.rules import NotVectorizable, Part, Step, repeated, rule_of, with_rank

__all__ = ["block_graph", "on_block"]


def block_graph(graph: Graph, elements: int) -> Graph | None:
    """The graph for blocks: its first `elements` inputs have a new first dimension, as its outputs have.

    None if it cannot be known to give exactly what the graph gives for one element after the other, where it gives
    something at all: a block may raise, or not, for other reasons.
    """
    if any(not t.shape.is_fully_defined() for t in graph.inputs[:elements]) or not elements:
        return None
    made = Graph(f"{graph.name}_of_blocks")
    parts = []
    for i, tensor in enumerate(graph.inputs):
        shape = [None, *tensor.shape.as_tuple()] if i < elements else tensor.shape
        if tensor.dtype in (resource, variant):
            return None
        parts.append(Part(made.placeholder(tensor.dtype, shape, tensor.op.name), i < elements, tensor.shape.rank))
    with recording(made):
        try:
            count = REGISTRY["shape"](parts[0].tensor)[0]
            made.outputs = [
                made.localize(t, graph.name) for t in on_block(graph, parts, count, exact=True, daring=True)
            ]
        except NotVectorizable:
            return None
    return made


def on_block(graph: Graph, parts: Sequence[Part], count: Any, exact: bool, daring: bool = False) -> list[Any]:
    """The outputs for a block of `count` elements. Raises NotVectorizable."""
    outputs = _Work(count, exact, daring).graph(graph, parts)
    return [part.tensor if part.batched else repeated(part.tensor, count) for part in outputs]


class _Work:
    def __init__(self, count: Any, exact: bool, daring: bool) -> None:
        self.count, self.exact, self.daring = count, exact, daring

    def graph(self, graph: Graph, inputs: Sequence[Part]) -> list[Part]:
        values = {id(tensor): part for tensor, part in zip(graph.inputs, inputs, strict=True)}
        for eager, constant in graph._constants.values():  # these tensors themselves: tapes may know them
            values[id(constant)] = Part(eager, False, eager.shape.rank)
        for operation in graph.operations:
            if operation.op is placeholder or (operation.outputs and id(operation.outputs[0]) in values):
                continue
            parts = [values[id(t)] for t in operation.inputs]
            for tensor, part in zip(operation.outputs, self._operation(operation, parts), strict=True):
                values[id(tensor)] = part
        return [values[id(tensor)] for tensor in graph.outputs]

    def _operation(self, operation: Operation, parts: list[Part]) -> list[Part]:
        if operation.stateful:
            raise NotVectorizable(f"{operation.type!r} has an effect{_place(operation)}")
        if operation.op is cond_node and parts[0].batched:
            return self._both(operation, parts)
        if operation.op in _RUN and current_recorder() is None:
            return _RUN[operation.op](self, operation, parts)
        if operation.subgraphs or operation.type in ("call", "py_function"):
            raise NotVectorizable(f"{operation.type!r} is done for one row at a time{_place(operation)}")
        if all(output.value is not None for output in operation.outputs):
            return [Part(make_constant(np.asarray(o.value)), False, o.shape.rank) for o in operation.outputs]
        if operation.op in SAME_FOR_ALL and parts[0].batched:
            made = SAME_FOR_ALL[operation.op](parts[0].tensor, operation)
            return [Part(made, False, operation.outputs[0].shape.rank)]
        batched = any(part.batched for part in parts)
        if batched:
            try:
                made = rule_of(operation, self.exact)(Step(operation, parts, self.count))
            except NotVectorizable:
                raise NotVectorizable(f"{operation.type!r} has no form for many rows{_place(operation)}") from None
        else:
            made = _alone(operation, [part.tensor for part in parts])
        results = list(made) if isinstance(made, list | tuple) else [made]
        return [Part(t, batched, o.shape.rank) for t, o in zip(results, operation.outputs, strict=True)]

    def _both(self, operation: Operation, parts: list[Part]) -> list[Part]:
        predicate, *others = parts
        graphs = [operation.attributes[name] for name in ("then_graph", "else_graph")]
        if not self.daring and any(may_raise(o) for graph in graphs for o in graph.operations):
            raise NotVectorizable(f"a branch may raise{_place(operation)}")
        results = zip(*(self.graph(graph, others) for graph in graphs), operation.outputs, strict=True)
        return [self._chosen(predicate, first, second, output) for first, second, output in results]

    def _one(self, operation: Operation, parts: list[Part]) -> list[Part]:
        """A `cond` whose condition is the same for all, and known."""
        predicate, *others = parts
        return self.graph(operation.attributes["then_graph" if predicate.tensor else "else_graph"], others)

    def _repeat(self, operation: Operation, parts: list[Part]) -> list[Part]:
        """A `while` of which all elements go through the same iterations."""
        state, count, limit = list(parts), len(operation.outputs), operation.attributes["maximum_iterations"]
        for _ in itertools.repeat(None) if limit is None else range(limit):
            (test,) = self.graph(operation.attributes["cond_graph"], state)
            if test.batched:
                raise NotVectorizable(f"the length of a loop differs from row to row{_place(operation)}")
            if not test.tensor:
                break
            state[:count] = self.graph(operation.attributes["body_graph"], state)
        return state[:count]

    def _chosen(self, predicate: Part, first: Part, second: Part, output: Any) -> Part:
        rank = output.shape.rank
        if rank is None or not output.shape.is_fully_defined():
            raise NotVectorizable("the branches of a condition give results of unknown shape")
        condition = with_rank(predicate.tensor, 0, rank)
        return Part(REGISTRY["where"](condition, first.tensor, second.tensor), True, rank)


_RUN: Final[dict[Op, Callable[[_Work, Operation, list[Part]], list[Part]]]] = {
    cond_node: _Work._one,
    while_node: _Work._repeat,
}
"""Control flow that is decided while a graph is carried out with values."""


def _place(operation: Operation) -> str:
    return "" if operation.location is None else f" ({operation.location})"


def _alone(operation: Operation, tensors: list[Any]) -> Any:
    """An operation that is the same for all elements."""
    if operation.op is constant_node:
        return make_constant(operation.attributes["value"])
    recorder = current_recorder()
    if recorder is not None:
        return recorder.record(operation.op, tensors, operation.attributes, None)
    made = operation.op.run([t._array for t in tensors], operation.attributes)
    results = [EagerTensor(array) for array in (made if isinstance(made, tuple) else (made,))]
    if taping.active:
        taping.note(operation.op, tensors, operation.attributes, results)
    return results
