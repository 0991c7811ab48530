"""Graphs on blocks: the operations of a graph for one element, carried out for many elements at once.

    on_block(graph, [Part(X, True, 0)], count, exact=False)      # the graph's outputs, with a new first dimension

What does not depend on the elements is computed once. Branches and loops whose conditions are the same for all elements
are graphs on blocks, too (staged.py), or are run here where there are values; for others see differing.py.
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
from runtime.ops.flow.control import call_node, cond_node, switch_node, while_node
from runtime.ops.flow.core import constant_node
from runtime.ops.records.record import REGISTRY, Op
from runtime.tensor import taping
from runtime.tensor.convert import make_constant
from runtime.tensor.eager import EagerTensor
from runtime.vectorize import differing, staged
from runtime.vectorize import indexing as _indexing  # noqa: F401 - which knows rules
from runtime.vectorize import lists as _lists  # noqa: F401 - as this does, of lists
from runtime.vectorize.placed import SAME_FOR_ALL
from runtime.vectorize.rules import NotVectorizable, Part, Step, rule_of

__all__ = ["Work", "block_graph", "on_block"]


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
                made.recording.localize(t, graph.name) for t in on_block(graph, parts, count, exact=True, daring=True)
            ]
        except NotVectorizable:
            return None
    return made


def on_block(graph: Graph, parts: Sequence[Part], count: Any, exact: bool, daring: bool = False) -> list[Any]:
    """The outputs for a block of `count` elements. Raises NotVectorizable.

    exact: bit by bit what they are for one element after the other. daring: whether it may raise where they do not;
    then no loop is carried out, for elements that nobody may ask for.
    """
    return Work(count, exact, daring).whole(graph, parts)


class Work:
    """A block of `count` elements that graphs are carried out for."""

    def __init__(
        self, count: Any, exact: bool = False, daring: bool = False, memory: staged.Memory | None = None
    ) -> None:
        self.count, self.exact, self.daring = count, exact, daring
        self.memory = staged.Memory() if memory is None else memory

    def of(self, count: Any) -> Work:
        """The same work for another number of elements."""
        return Work(count, self.exact, self.daring, self.memory)

    def whole(self, graph: Graph, inputs: Sequence[Part]) -> list[Any]:
        """The outputs of a graph, each for the whole block."""
        return [staged.in_rows(part, self.count) for part in self.graph(graph, inputs)]

    def graph(self, graph: Graph, inputs: Sequence[Part]) -> list[Part]:
        """The outputs of a graph. Raises NotVectorizable."""
        values = {id(tensor): part for tensor, part in zip(graph.inputs, inputs, strict=True)}
        for eager, constant in graph.recording.constants.values():  # these tensors themselves: tapes may know them
            values[id(constant)] = Part(eager, False, eager.shape.rank)
        for operation in self.memory.needed(graph):
            if operation.outputs and id(operation.outputs[0]) in values:
                continue
            parts = [values[id(t)] for t in operation.inputs]
            for tensor, part in zip(operation.outputs, self._operation(operation, parts), strict=True):
                values[id(tensor)] = part
        return [values[id(tensor)] for tensor in graph.outputs]

    def _operation(self, operation: Operation, parts: list[Part]) -> list[Part]:
        if operation.stateful:
            raise NotVectorizable(f"{operation.type!r} has an effect{_place(operation)}")
        batched = any(part.batched for part in parts)
        if operation.subgraphs or operation.op is call_node:
            return self._control_flow(operation, parts, batched)
        if operation.op.facts.runs_code:
            raise _row_by_row(operation)
        if all(output.value is not None for output in operation.outputs):
            return [Part(make_constant(np.asarray(o.value)), False, o.shape.rank) for o in operation.outputs]
        if operation.op in SAME_FOR_ALL and parts[0].batched:
            made = SAME_FOR_ALL[operation.op](parts[0].tensor, operation)
            return [Part(made, False, operation.outputs[0].shape.rank)]
        if batched:
            try:
                made = rule_of(operation, self.exact)(Step(operation, parts, self.count))
            except NotVectorizable:
                raise NotVectorizable(f"{operation.type!r} has no form for many rows{_place(operation)}") from None
        else:
            made = _alone(operation, parts)
        return _parts(made, batched, operation)

    def _control_flow(self, operation: Operation, parts: list[Part], batched: bool) -> list[Part]:
        traced = current_recorder() is not None
        if self.daring and not (operation.op is cond_node and parts[0].batched):
            raise _row_by_row(operation)
        if traced and not batched:
            return _parts(_alone(operation, parts), False, operation)
        if operation.op in (cond_node, switch_node) and parts[0].batched:
            return differing.choice(self, operation, parts)
        found = (_STAGED if traced else _RUN).get(operation.op)
        if found is None:
            raise _row_by_row(operation)
        return found(self, operation, parts)

    def _loop(self, operation: Operation, parts: list[Part]) -> list[Part]:
        made = staged.loop(self, operation, parts)
        return differing.loop(self, operation, parts) if made is None else made

    def _one(self, operation: Operation, parts: list[Part]) -> list[Part]:
        """A choice that is the same for all, and known."""
        choice, *others = parts
        branches = operation.subgraphs
        number = int(choice.tensor)
        if operation.op is cond_node:
            return self.graph(branches[0 if number else 1], others)
        return self.graph(branches[number if 0 <= number < len(branches) else -1], others)

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


_RUN: Final[dict[Op, Callable[[Work, Operation, list[Part]], list[Part]]]] = {
    cond_node: Work._one,
    switch_node: Work._one,
    while_node: Work._repeat,
}
"""Control flow that is decided while a graph is carried out with values."""

_STAGED: Final[dict[Op, Callable[[Work, Operation, list[Part]], list[Part]]]] = {
    call_node: staged.call,
    cond_node: staged.choice,
    switch_node: staged.choice,
    while_node: Work._loop,
}
"""Control flow that is recorded."""


def _row_by_row(operation: Operation) -> NotVectorizable:
    return NotVectorizable(f"{operation.type!r} is done for one row at a time{_place(operation)}")


def _place(operation: Operation) -> str:
    return "" if operation.location is None else f" ({operation.location})"


def _parts(made: Any, batched: bool, operation: Operation) -> list[Part]:
    """The results of an operation: one, or several."""
    results = list(made) if isinstance(made, list | tuple) else [made]
    return [Part(t, batched, o.shape.rank) for t, o in zip(results, operation.outputs, strict=True)]


def _alone(operation: Operation, parts: Sequence[Part]) -> Any:
    """An operation that is the same for all elements."""
    if operation.op is constant_node:
        return make_constant(operation.attributes["value"])
    tensors = [part.tensor for part in parts]
    recorder = current_recorder()
    if recorder is not None:
        return recorder.record(operation.op, tensors, operation.attributes, None)
    made = operation.op.run([t._array for t in tensors], operation.attributes)
    results = [EagerTensor(array) for array in (made if isinstance(made, tuple) else (made,))]
    if taping.active:
        taping.note(operation.op, tensors, operation.attributes, results)
    return results
