"""How often a loop turns, where its test compares a counter with a number that is known before it starts.

    turns_of(operation, given)          # Turns(exact=10, bound=10); a `break` beside the counter leaves the bound
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from runtime.exits.xla.rules import is_known
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.ops.elementwise.arithmetic import add
from runtime.ops.elementwise.compare import greater, less
from runtime.ops.elementwise.logic import logical_and
from runtime.ops.flow.core import constant_node, identity, placeholder
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Turns", "turns_of"]

SAME: Final = frozenset({identity})


@dataclass(frozen=True)
class Turns:
    """How often a loop turns: exactly, and at most; None where that is not known."""

    exact: int | None
    bound: int | None


def turns_of(operation: Operation, given: Sequence[Any]) -> Turns:
    """The turns of a `while` with these operands."""
    test, limit = operation.attributes["cond_graph"], operation.attributes["maximum_iterations"]
    body: Graph = operation.attributes["body_graph"]
    parts, work = [], [test.outputs[0]]
    while work:
        tensor = work.pop()
        if tensor.op.op is logical_and:
            work += tensor.op.inputs
        else:
            parts.append(tensor)
    fixed = _fixed(test, body, given)
    counts = [_count(tensor.op, test, body, given, fixed) for tensor in parts]
    known = [count for count in (*counts, None if limit is None else max(int(limit), 0)) if count is not None]
    bound = min(known) if known else None
    return Turns(bound if None not in counts else None, bound)


def _count(
    comparison: Operation, test: Graph, body: Graph, given: Sequence[Any], fixed: Mapping[int, Any]
) -> int | None:
    """How often a comparison of a counter is true."""
    if comparison.op not in (less, greater) or any(t.shape.rank != 0 for t in comparison.inputs):
        return None
    first, second = _source(comparison.inputs[0]), comparison.inputs[1]
    place = next((i for i, tensor in enumerate(test.inputs[: len(body.outputs)]) if tensor is first), None)
    if place is None or not first.dtype.is_integer or not is_known(given[place]):
        return None
    end, step = fixed.get(id(second)), _step(body, place)
    if end is None or not step or (step > 0) != (comparison.op is less):
        return None
    count = max(-(-(int(end) - int(given[place])) // step), 0)
    limits = np.iinfo(first.dtype.numpy)
    return count if limits.min <= int(given[place]) + count * step <= limits.max else None


def _source(tensor: SymbolicTensor) -> SymbolicTensor:
    while tensor.op.op in SAME:
        tensor = tensor.op.inputs[0]
    return tensor


def _fixed(test: Graph, body: Graph, given: Sequence[Any]) -> dict[int, Any]:
    """What is known in the test of a loop, and is the same in each turn."""
    found: dict[int, Any] = {}
    for place, (tensor, value) in enumerate(zip(test.inputs, given, strict=True)):
        changes = place < len(body.outputs) and _source(body.outputs[place]) is not body.inputs[place]
        if is_known(value) and not changes:
            found[id(tensor)] = np.asarray(value)
    for operation in test.operations:
        if operation.op is placeholder or operation.stateful or len(operation.outputs) != 1:
            continue
        if all(id(tensor) in found for tensor in operation.inputs):
            with contextlib.suppress(Exception):  # it is told when the loop is carried out
                found[id(operation.outputs[0])] = np.asarray(
                    operation.op.run([found[id(t)] for t in operation.inputs], operation.attributes)
                )
    return found


def _step(body: Graph, place: int) -> int | None:
    """What a turn adds to a counter."""
    after = _source(body.outputs[place])
    if after.op.op is not add:
        return None
    operands = [_source(tensor) for tensor in after.op.inputs]
    for one, other in (operands, operands[::-1]):
        if one is body.inputs[place] and other.op.op is constant_node:
            return int(other.op.attributes["value"])
    return None
