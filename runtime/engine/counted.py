"""Loops that count: `for v1 in range(v1, v2):`, which Python runs in half of the time of `while` with an addition.

    while v1 < v2 and v3:             # the test compares a state with something that stays as it is,
        ...                           # and asks nothing else that could raise or have an effect
        v1 = v1 + 1                   # each turn adds the same constant
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from runtime.engine.ranges import SIDES, keeps_all, step_of
from runtime.engine.values import is_scalar
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.graph.risks import may_raise
from runtime.ops.arrays.shape import cast
from runtime.ops.elementwise.logic import logical_and
from runtime.ops.flow.core import constant_node, placeholder
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Counted", "counted"]

_SIMPLE: Final = frozenset({constant_node, placeholder})


@dataclass(frozen=True, slots=True)
class Counted:
    """What counts in a loop, and what is left of its graphs."""

    state: int
    """Which state it is."""
    step: int
    stop: int | None
    """The input of the loop that it is compared with, if that is no constant."""
    end: int
    """The first value for which there is no turn; less `stop`, if there is one."""
    rest: Graph | None
    """What else the test asks, at the beginning of a turn."""
    body: Graph


def counted(operation: Operation) -> Counted | None:
    """The form of a loop that counts; None for others. That the state does not leave its dtype is to be known."""
    test, body = operation.attributes["cond_graph"], operation.attributes["body_graph"]
    if not all(map(_only_computes, test.operations)):
        return None  # it must run before each turn, and after the last one
    for comparison, rest in _conjuncts(test.outputs[0]):
        left, right = map(_uncast, comparison.inputs)
        below, distance = SIDES[comparison.op]
        for state, stop, is_below, apart in ((left, right, below, distance), (right, left, not below, -distance)):
            index, step = _counting(test, body, state)
            if step == 0 or (step > 0) != is_below:
                continue
            fixed = _fixed(test, body, stop)
            if fixed is not None:
                position, constant = fixed
                end = constant + apart + (1 if is_below else -1)
                others = None if rest is None else _alone(test, rest)
                return Counted(index, step, position, end, others, _without(body, index))
    return None


def _conjuncts(outcome: SymbolicTensor) -> Iterator[tuple[Operation, SymbolicTensor | None]]:
    """The comparisons that must hold, each with what else must."""
    operation = outcome.op
    if operation.op in SIDES:
        yield operation, None
    elif operation.op is logical_and:
        first, second = operation.inputs
        for one, other in ((first, second), (second, first)):
            if one.op.op in SIDES:
                yield one.op, other


def _uncast(tensor: SymbolicTensor) -> SymbolicTensor:
    while tensor.op.op is cast and keeps_all(tensor.op.inputs[0].dtype, tensor.dtype):
        (tensor,) = tensor.op.inputs
    return tensor


def _counting(test: Graph, body: Graph, tensor: SymbolicTensor) -> tuple[int, int]:
    """Which state of the loop this is in its test, and what each turn adds to it; 0 where that is not known."""
    for index, given in enumerate(test.inputs[: len(body.outputs)]):
        if given is tensor and is_scalar(given) and given.dtype.is_integer:
            return index, step_of(body.inputs[index], body.outputs[index]) or 0
    return 0, 0


def _fixed(test: Graph, body: Graph, tensor: SymbolicTensor) -> tuple[int | None, int] | None:
    """An input of the loop that no turn changes, and 0; or None and the constant that it is."""
    if not is_scalar(tensor) or not tensor.dtype.is_integer:
        return None
    if tensor.op.op is constant_node:
        return None, int(tensor.op.attributes["value"])
    for position, given in enumerate(test.inputs):
        if given is tensor and position >= len(body.outputs):
            return position, 0
    return None


def _only_computes(operation: Operation) -> bool:
    return operation.op in _SIMPLE or not (operation.stateful or operation.op.nests or may_raise(operation))


def _alone(test: Graph, outcome: SymbolicTensor) -> Graph:
    """The test reduced to this part of it."""
    wanted, operations = {id(outcome)}, []
    for operation in reversed(test.operations):
        if not wanted.isdisjoint(map(id, operation.outputs)):
            wanted.update(map(id, operation.inputs))
            operations.append(operation)
    rest = Graph(test.name)
    rest.inputs, rest.outputs, rest.operations = test.inputs, [outcome], operations[::-1]
    return rest


def _without(body: Graph, index: int) -> Graph:
    """The body, in which the state stays as it is, without the addition if nothing else reads it."""
    following = body.outputs[index]
    made = Graph(body.name)
    made.inputs, made.outputs = body.inputs, [*body.outputs]
    made.outputs[index] = body.inputs[index]
    read = {id(t) for operation in body.operations for t in operation.inputs} | set(map(id, made.outputs))
    made.operations = [o for o in body.operations if o is not following.op or id(following) in read]
    return made
