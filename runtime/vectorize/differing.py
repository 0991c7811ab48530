"""Choices that differ from element to element, and loops whose length does.

    cond(X > 0) {sqrt(X)} {-X}      ->      sqrt of the rows where X > 0, - of the others, put together again
    while(X > 1) {X / 2}            ->      each iteration for the rows that are in it; what ends is put aside

So nothing is computed for an element for which it would not be: it cannot raise, and its gradient cannot be nan. Where
that makes no difference, both branches are computed for all, which takes less time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.context import current_recorder, recording
from runtime.control_flow.statement.subgraph import align_captures, current_graph
from runtime.dtypes import int64, variant
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.graph.risks import may_raise
from runtime.ops.elementwise.arithmetic import multiply
from runtime.ops.flow.control import call_node, cond_node, while_node
from runtime.ops.flow.core import constant_node, placeholder
from runtime.ops.records.gradients import ops
from runtime.shapes import TensorShape
from runtime.tensor.convert import make_constant
from runtime.vectorize import staged
from runtime.vectorize.rules import NotVectorizable, Part, repeated, with_rank

if TYPE_CHECKING:
    from runtime.vectorize.interpreter import Work

__all__ = ["choice", "loop"]


def _is_tame(operation: Operation) -> bool:
    if operation.op is multiply:  # by a number that is known
        return any(t.value is not None and bool(np.all(np.isfinite(t.value))) for t in operation.inputs)
    return operation.op.facts.tame or operation.op in (constant_node, placeholder)


def choice(work: Work, operation: Operation, parts: Sequence[Part]) -> list[Part]:
    """A `cond` or `switch` that takes different branches. Raises NotVectorizable."""
    selector, *others = parts
    branches, outputs = operation.subgraphs, operation.outputs
    _check_shapes(operation, "a condition that differs from row to row")
    inside = [o for branch in branches for o in branch.operations]
    simple = operation.op is cond_node and not any(o.subgraphs or o.op is call_node for o in inside)
    if work.daring or (simple and all(_is_tame(o) and not may_raise(o) for o in inside)):
        return _both(work, operation, selector, others)
    number = selector.tensor
    if operation.op is cond_node:
        number = ops.cast(ops.logical_not(number), "int32")
    else:
        number = ops.where(ops.logical_and(number >= 0, number < len(branches)), number, len(branches) - 1)
    taken = [_places(ops.equal(number, k)) for k in range(len(branches))]
    shapes = [t.shape for t in outputs]
    found = [_of_some(work, branch, others, rows, shapes) for branch, rows in zip(branches, taken, strict=True)]
    order = ops.expand_dims(ops.concat(taken, axis=0), axis=1)
    back = ops.scatter_nd(order, ops.range(0, ops.cast(work.count, int64), 1), ops.shape(order, int64)[:1])
    joined = [ops.gather(ops.concat(list(results), axis=0), back) for results in zip(*found, strict=True)]
    return [
        Part(staged.fitted(t, staged.rows_shape(o, work.count)), True, o.shape.rank)
        for t, o in zip(joined, outputs, strict=True)
    ]


def _check_shapes(operation: Operation, what: str) -> None:
    """Raises NotVectorizable for results of rows that may differ in shape: those that nobody reads do, too."""
    if any(t.dtype is variant for t in operation.outputs):
        raise NotVectorizable(f"{what} has lists")
    if not all(t.shape.is_fully_defined() for t in operation.outputs):
        raise NotVectorizable(f"{what} has results of unknown shape")


def _places(mask: Any) -> Any:
    """The numbers of the elements for which this is true."""
    return ops.reshape(ops.argwhere(mask), [-1])


def _both(work: Work, operation: Operation, selector: Part, others: Sequence[Part]) -> list[Part]:
    """Both branches for all elements, and what belongs to each of these."""
    made = []
    results = zip(*(work.graph(branch, others) for branch in operation.subgraphs), operation.outputs, strict=True)
    for first, second, output in results:
        rank = output.shape.rank or 0
        condition = with_rank(selector.tensor, 0, rank)
        made.append(Part(ops.where(condition, first.tensor, second.tensor), True, rank))
    return made


def _of_some(work: Work, branch: Graph, others: Sequence[Part], rows: Any, shapes: Sequence[TensorShape]) -> list[Any]:
    """The results of a branch, of these shapes, for some elements. Where it may raise it does not run for none."""
    inner = work.of(ops.size(rows))

    def run() -> list[Any]:
        return inner.whole(branch, _taken(others, rows))

    if not any(may_raise(o) or o.subgraphs for o in branch.operations):
        return run()

    def nothing() -> list[Any]:
        dtypes = [t.dtype for t in branch.outputs]
        blank = [make_constant(np.array(b"" if d.family == "string" else 0, d.numpy)) for d in dtypes]
        return [ops.fill([0, *shape.as_tuple()], b) for shape, b in zip(shapes, blank, strict=True)]

    if current_recorder() is None:
        return run() if int(inner.count) else nothing()
    graphs = [Graph.within(current_graph(), "some_rows"), Graph.within(current_graph(), "no_rows")]
    for graph, code in zip(graphs, (run, nothing), strict=True):
        with recording(graph):
            graph.outputs = [graph.recording.localize(t, "rows") for t in code()]
    return list(staged.chosen(ops.greater(inner.count, 0), graphs, is_cond=True))


def _taken(parts: Sequence[Part], rows: Any) -> list[Part]:
    """The values of some elements."""
    if any(part.batched and part.tensor.dtype is variant for part in parts):
        raise NotVectorizable("what differs from row to row reads a list of rows")
    return [Part(ops.gather(p.tensor, rows), True, p.rank) if p.batched else p for p in parts]


# -- loops --------------------------------------------------------------------------------------------------------


def loop(work: Work, operation: Operation, parts: Sequence[Part]) -> list[Part]:
    """A `while` whose length differs. Raises NotVectorizable.

    Its states are: which rows are in the loop, their values (those that are the same for all of them once), and the
    values of all rows, as they were when each left it.
    """
    count = len(operation.outputs)
    state, read = parts[:count], parts[count:]
    _check_shapes(operation, "a loop whose length differs from row to row")
    (goes_on,) = work.graph(operation.attributes["cond_graph"], parts)
    rows = _places(staged.in_rows(goes_on, work.count))
    first = [ops.gather(p.tensor, rows) if p.batched else p.tensor for p in state]
    finals = [staged.in_rows(p, work.count) for p in state]
    flags = tuple([part.batched for part in state])
    while True:
        body, results = _body(work, operation, read, flags)
        found = tuple([flag or part.batched for flag, part in zip(flags, results, strict=True)])
        if found == flags:
            break
        flags = found
    pairs = zip(first, state, flags, strict=True)
    first = [staged.in_rows(Part(t, p.batched, p.rank), ops.size(rows)) if b else t for t, p, b in pairs]
    ends = _recorded(operation, body, [rows, *first, *finals])
    left, running, finals = ends[0], ends[1 : count + 1], [*ends[count + 1 :]]
    if operation.attributes["maximum_iterations"] is not None:  # some may be in the loop still
        places = ops.expand_dims(left, axis=1)
        running = [t if b else repeated(t, ops.size(left)) for t, b in zip(running, flags, strict=True)]
        finals = [ops.tensor_scatter_nd_update(f, places, t) for f, t in zip(finals, running, strict=True)]
    return [
        Part(staged.fitted(t, staged.rows_shape(o, work.count)), True, o.shape.rank)
        for t, o in zip(finals, operation.outputs, strict=True)
    ]


def _body(work: Work, operation: Operation, read: Sequence[Part], flags: Sequence[bool]) -> tuple[Graph, list[Part]]:
    """The body for the rows that are in the loop, and what it gives of their values; if that differs from row to row
    where the flags say no, it is not finished."""
    inner = operation.attributes["body_graph"]
    states = inner.inputs[: len(flags)]
    graph = Graph.within(current_graph(), f"{inner.name}_of_some_rows")
    rows = graph.placeholder(int64, [None], "rows")
    running = [
        Part(graph.placeholder(t.dtype, staged.rows_shape(t, None) if b else t.shape, t.op.name), b, t.shape.rank)
        for t, b in zip(states, flags, strict=True)
    ]
    finals = [graph.placeholder(t.dtype, staged.rows_shape(t, work.count), "ended") for t in states]
    with recording(graph):
        some = work.of(ops.size(rows))
        others = _taken(read, rows)
        results = some.graph(inner, [*running, *others])
        if any(part.batched and not flag for part, flag in zip(results, flags, strict=True)):
            return graph, results
        (goes_on,) = some.graph(operation.attributes["cond_graph"], [*results, *others])
        mask = staged.in_rows(goes_on, some.count)
        ended = ops.logical_not(mask)
        places = ops.expand_dims(ops.boolean_mask(rows, ended), axis=1)
        made = [ops.boolean_mask(rows, mask)]
        for part, flag in zip(results, flags, strict=True):
            made.append(ops.boolean_mask(staged.in_rows(part, some.count), mask) if flag else part.tensor)
        for part, final in zip(results, finals, strict=True):
            values = ops.boolean_mask(staged.in_rows(part, some.count), ended)
            made.append(ops.tensor_scatter_nd_update(final, places, values))
        shapes = [t.shape for t in graph.inputs[: len(made)]]
        graph.outputs = [
            graph.recording.localize(staged.fitted(t, s), "rows") for t, s in zip(made, shapes, strict=True)
        ]
    return graph, results


def _recorded(operation: Operation, body: Graph, first: Sequence[Any]) -> Sequence[Any]:
    """The loop, as long as rows are in it."""
    outer = current_graph()
    test = Graph.within(outer, f"{operation.attributes['cond_graph'].name}_of_some_rows")
    for tensor in body.inputs[: len(first)]:
        test.placeholder(tensor.dtype, tensor.shape, tensor.op.name)
    with recording(test):
        test.outputs = [ops.greater(ops.size(test.inputs[0]), 0)]
    captured = align_captures([test, body], len(first))
    attributes = {**operation.attributes, "cond_graph": test, "body_graph": body}
    starts = [
        outer.recording.localize(staged.fitted(t, s.shape), "rows") for t, s in zip(first, body.inputs, strict=False)
    ]
    return outer.add(while_node, [*starts, *captured], attributes).outputs
