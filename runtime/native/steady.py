"""Loops whose turns can be foreseen: what counts up to a limit, and what changes by little in each turn.

    while i < n:            # `i` counts: turns come in strips, between which signals are looked at, so that the loop
        if x[i] > 0:        # itself has one test and one way out, as vectorised loops must
            count += 1      # drifts: a number below 2^62 does not leave 64 bits in one strip, so that no turn tests it
        i += 1
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from runtime.dtypes import bool_, int64
from runtime.engine.ranges import Range, range_of
from runtime.graph.nesting import Task, drive, operations_within
from runtime.graph.operation import Operation
from runtime.native.prelude import POLL_EVERY
from runtime.native.values import Number
from runtime.ops.arrays.shape import cast
from runtime.ops.elementwise.arithmetic import add, subtract
from runtime.ops.elementwise.compare import less
from runtime.ops.elementwise.logic import where
from runtime.ops.flow.control import call_node, cond_node, switch_node, while_node
from runtime.ops.flow.core import constant_node, identity, placeholder
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["DRIFTED", "FAR", "Steady", "drifts", "is_innermost", "steady"]

FAR: Final = 1 << 62
"""What counts by itself never comes there; what drifts is tested against it now and then."""

DRIFTED: Final = FAR + 4 * POLL_EVERY * POLL_EVERY
"""Where it is at most when it is tested again."""


@dataclass(frozen=True, slots=True)
class Steady:
    """A loop that goes on while a state, to which each turn adds a step of at least 1, is below a limit."""

    state: int
    limit: Number
    step: Number
    place: int | None
    """The operand of the loop that the limit is, where it is no constant."""

    @property
    def reach(self) -> int:
        """The logarithm of the turns of a strip."""
        return min(POLL_EVERY.bit_length() - 1, FAR.bit_length() - 1 - range_of(self.step)[1].bit_length())


def is_innermost(operation: Operation) -> bool:
    """Whether a loop has neither loops nor calls in it."""
    graphs = (operation.attributes["cond_graph"], operation.attributes["body_graph"])
    return all(o.op not in (call_node, while_node) for graph in graphs for o in operations_within(graph.operations))


def steady(operation: Operation, operands: Sequence[Any]) -> Steady | None:
    """What counts in a loop, if nothing else ends it."""
    test, body = operation.attributes["cond_graph"], operation.attributes["body_graph"]
    asked = test.outputs[0].op
    if asked.op is not less or any(o.op not in (placeholder, constant_node, less) for o in test.operations):
        return None
    positions = {id(t): i for i, t in enumerate(test.inputs)}
    state = positions.get(id(asked.inputs[0]), len(body.outputs))
    if state >= len(body.outputs) or asked.inputs[0].dtype is not int64 or asked.inputs[0].shape.rank != 0:
        return None
    limit, place = _fixed(asked.inputs[1], test.inputs, len(body.outputs), operands)
    following = body.outputs[state].op
    if limit is None or following.op is not add:
        return None
    for first, second in (following.inputs, following.inputs[::-1]):
        step, _ = _fixed(second, body.inputs, len(body.outputs), operands)
        if first is body.inputs[state] and step is not None and range_of(step)[0] >= 1:
            found = Steady(state, limit, step, place)
            return found if found.reach >= 8 else None
    return None


def _fixed(
    tensor: SymbolicTensor, inputs: Sequence[SymbolicTensor], states: int, operands: Sequence[Any]
) -> tuple[Number | None, int | None]:
    """An integer that no turn of a loop changes, and which operand of the loop it is."""
    if tensor.dtype is not int64 or tensor.shape.rank != 0:
        return None, None
    if tensor.op.op is constant_node:
        return Number(str(int(tensor.op.attributes["value"])), int64), None
    place = next((i for i, t in enumerate(inputs) if t is tensor and i >= states), None)
    return (None, None) if place is None else (operands[place], place)


def drifts(operation: Operation) -> dict[int, Range]:
    """By the number of a state of a loop what a turn adds to it, between which small numbers; others are left out."""
    body, found = operation.attributes["body_graph"], dict[int, Range]()
    for i, (state, following) in enumerate(zip(body.inputs, body.outputs, strict=False)):
        if state.dtype is int64 and state.shape.rank == 0 and following is not state:
            change = drive(_change(following, state, {}))
            if change is not None and -POLL_EVERY <= change[0] <= change[1] <= POLL_EVERY:
                found[i] = change
    return found


def _change(tensor: SymbolicTensor, state: SymbolicTensor | None, known: dict[int, Range | None]) -> Task:
    """Between what the difference of a tensor and a state lies; None: nothing is known of it."""
    if tensor is state:
        return 0, 0
    if id(tensor) not in known:
        known[id(tensor)] = yield _changed(tensor, state, known)
    return known[id(tensor)]


def _changed(tensor: SymbolicTensor, state: SymbolicTensor | None, known: dict[int, Range | None]) -> Task:
    operation = tensor.op
    if operation.op is identity:
        return (yield _change(operation.inputs[0], state, known))
    if operation.op is where:
        one = yield _change(operation.inputs[1], state, known)
        return _either(one, (yield _change(operation.inputs[2], state, known)))
    if operation.op in (cond_node, switch_node):
        return (yield _of_branches(tensor, state, known))
    if operation.op is not add and operation.op is not subtract:
        return None
    first, second = operation.inputs
    if operation.op is add and _amount(second) is None:
        first, second = second, first
    amount = _amount(second)
    before = None if amount is None else (yield _change(first, state, known))
    if amount is None or before is None:
        return None
    least, most = amount if operation.op is add else (-amount[1], -amount[0])
    return before[0] + least, before[1] + most


def _of_branches(tensor: SymbolicTensor, state: SymbolicTensor | None, known: dict[int, Range | None]) -> Task:
    operation, found = tensor.op, list[Range | None]()
    for graph in operation.subgraphs:
        end = graph.outputs[tensor.value_index]
        outside = {id(inner): given for inner, given in zip(graph.inputs, operation.inputs[1:], strict=True)}
        if id(end) in outside:
            found.append((yield _change(outside[id(end)], state, known)))
        else:
            inner = next((t for t in graph.inputs if state is not None and outside[id(t)] is state), None)
            found.append((yield _change(end, inner, {})))
    while len(found) > 1:
        found.append(_either(found.pop(), found.pop()))
    return found[0]


def _either(one: Range | None, other: Range | None) -> Range | None:
    return None if one is None or other is None else (min(one[0], other[0]), max(one[1], other[1]))


def _amount(tensor: SymbolicTensor) -> Range | None:
    """What is added: a constant, or a truth."""
    if tensor.shape.rank != 0:
        return None
    if tensor.op.op is constant_node:
        number = int(tensor.op.attributes["value"])
        return number, number
    return (0, 1) if tensor.op.op is cast and tensor.op.inputs[0].dtype is bool_ else None
