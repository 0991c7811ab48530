"""State of loops that is there twice: what begins the same, and changes in the same way each turn, is one.

    while(%p, %p): body (%s, %t) -> (not %s, not %t)      ->      while(%p): body (%s) -> (not %s)

Two buffers that a loop swaps come with one flag each, of which either says all.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from runtime.dtypes import variant
from runtime.graph.equality import attribute_key
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.graph.rebuild import Change, Rebuild, owners_of, with_changes
from runtime.ops.flow.control import while_node
from runtime.ops.flow.core import constant_node
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["merge_twins"]

DEPTH: Final = 4
"""How many operations after each other are compared."""


def merge_twins(graph: Graph) -> Graph:
    """Every value is computed by the same operations on the same values as before, in one place of two."""
    owners = owners_of(graph)

    def find(operation: Operation) -> Change | None:
        twins = _twins(operation, owners) if operation.op is while_node else None
        return partial(_copy, twins=twins) if twins else None

    return with_changes(graph, find)


def _twins(loop: Operation, owners: Mapping[int, int]) -> dict[int, int]:
    """By the number of a state that of an earlier one that is always the same."""
    if any(owners[id(inner)] > 1 for inner in loop.subgraphs):
        return {}
    body, found = loop.attributes["body_graph"], dict[int, int]()
    for second in range(len(loop.outputs)):
        for first in range(second):
            if first in found or not _are_alike(loop, first, second):
                continue
            pair = body.inputs[first], body.inputs[second]
            if _is_same(body.outputs[first], body.outputs[second], pair, DEPTH):
                found[second] = first
                break
    return found


def _are_alike(loop: Operation, first: int, second: int) -> bool:
    """Whether two states begin the same, and are of one type."""
    types = [
        [(t.dtype, t.shape.dims, t.weak) for t in (loop.inputs[i], loop.outputs[i])] for i in (first, second)
    ]
    if types[0] != types[1] or loop.inputs[first].dtype is variant:
        return False
    return _is_same(loop.inputs[first], loop.inputs[second], None, 0)


def _is_same(one: SymbolicTensor, other: SymbolicTensor, pair: Any, depth: int) -> bool:
    """Whether tensors have one value where those of the pair have."""
    if one is other or (pair is not None and any(one is t for t in pair) and any(other is t for t in pair)):
        return True
    a, b = one.op, other.op
    if a.op is not b.op or one.value_index != other.value_index or a.acts or a.op.nests:
        return False
    if len(a.inputs) != len(b.inputs) or _attributes(a) != _attributes(b):
        return False
    operands = zip(a.inputs, b.inputs, strict=True)
    return a.op is constant_node or (depth > 0 < len(a.inputs) and all(_is_same(*o, pair, depth - 1) for o in operands))


def _attributes(operation: Operation) -> dict[str, Any]:
    return {name: attribute_key(value) for name, value in operation.attributes.items()}


def _copy(build: Rebuild, loop: Operation, attributes: Mapping[str, Any], twins: Mapping[int, int]) -> None:
    kept = [i for i in range(len(loop.outputs)) if i not in twins]
    order = [*kept, *range(len(loop.outputs), len(loop.inputs))]
    graphs = {
        "cond_graph": _without(attributes["cond_graph"], twins, order, range(1)),
        "body_graph": _without(attributes["body_graph"], twins, order, kept),
    }
    build.narrow(loop, kept, [build.tensor(loop.inputs[i]) for i in order], {**attributes, **graphs})
    for second, first in twins.items():
        build.replace(loop.outputs[second], build.tensor(loop.outputs[first]))


def _without(graph: Graph, twins: Mapping[int, int], inputs: Any, outputs: Any) -> Graph:
    """The graph without the inputs that are twins of others."""
    build, places = Rebuild(graph), {id(t): i for i, t in enumerate(graph.inputs)}
    for tensor in graph.inputs:  # they come first, so that each is there when its twin is
        if places[id(tensor)] not in twins:
            build.copy(tensor.op)
    for operation in graph.operations:
        place = places.get(id(operation.outputs[0])) if operation.outputs else None
        if place is None:
            build.copy(operation)
        elif place in twins:
            build.replace(operation.outputs[0], build.tensor(graph.inputs[twins[place]]))
    return build.finish([graph.inputs[i] for i in inputs], [graph.outputs[i] for i in outputs])
