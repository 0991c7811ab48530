"""State of loops that never changes: what each turn hands on as it got it is an operand that the loop only reads.

    while(%s, %w): body (%s, %w) -> (%t, %w)      ->      while(%s, %w): body (%s, %w) -> (%t)

What came out of the loop is what went in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.graph.rebuild import Change, Rebuild, owners_of, with_changes
from runtime.ops.flow.control import while_node

__all__ = ["fix_state"]


def fix_state(graph: Graph) -> Graph:
    """Every value is computed as before: only who holds a loop's operand changes.

    State whose shape in the loop is less known than that of its operand stays.
    """
    owners = owners_of(graph)

    def find(operation: Operation) -> Change | None:
        places = _constant(operation, owners) if operation.op is while_node else None
        return partial(_copy, fixed=places) if places else None

    return with_changes(graph, find)


def _constant(loop: Operation, owners: Mapping[int, int]) -> list[int]:
    """The places of the state that never changes."""
    body = loop.attributes["body_graph"]
    if any(owners[id(inner)] > 1 for inner in loop.subgraphs):
        return []
    pairs = enumerate(zip(body.outputs, body.inputs, loop.inputs, loop.outputs, strict=False))
    return [i for i, (end, start, given, made) in pairs if end is start and _is_same(given, start, made)]


def _is_same(given: Any, start: Any, made: Any) -> bool:
    dims = given.shape.dims
    return bool(dims == start.shape.dims == made.shape.dims and given.weak == made.weak == start.weak)


def _copy(build: Rebuild, loop: Operation, attributes: Mapping[str, Any], fixed: Sequence[int]) -> None:
    """Adds the loop: the fixed state comes behind the rest, before what it only read already."""
    count = len(loop.outputs)
    kept = [i for i in range(count) if i not in set(fixed)]
    order = [*kept, *fixed, *range(count, len(loop.inputs))]
    for place in fixed:
        build.replace(loop.outputs[place], build.tensor(loop.inputs[place]))
    condition, body = attributes["cond_graph"], attributes["body_graph"]
    graphs = {
        "cond_graph": _reordered(condition, order, range(1)),
        "body_graph": _reordered(body, order, kept),
    }
    inputs = [build.tensor(loop.inputs[i]) for i in order]
    build.narrow(loop, kept, inputs, {**attributes, **graphs})


def _reordered(graph: Graph, inputs: Sequence[int], outputs: Sequence[int]) -> Graph:
    build = Rebuild(graph)
    for operation in graph.operations:
        build.copy(operation)
    return build.finish([graph.inputs[i] for i in inputs], [graph.outputs[i] for i in outputs])
