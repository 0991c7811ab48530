"""Conditions: `a and b` and `a or b` of scalars that cost nothing to compute are one operation instead of a branch.

    cond(%p, { less(%i, %n) }, { False })      ->      %b = less(%i, %n); logical_and(%p, %b)

What the test of a loop says is then there for the engines to read: that it counts, and between what.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.graph.overflow import may_leave
from runtime.graph.rebuild import Rebuild, with_changes
from runtime.graph.risks import may_raise
from runtime.ops.arrays.shape import cast
from runtime.ops.elementwise.logic import logical_and, logical_not, logical_or
from runtime.ops.flow.control import cond_node
from runtime.ops.flow.core import constant_node, placeholder
from runtime.ops.lists.lists import list_length
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["join_conditions"]

MOST_OPERATIONS: Final = 3
"""What is computed though the first operand has decided."""
_PLAIN: Final = frozenset({cast, list_length})
"""What costs as little as operators of numbers."""


def join_conditions(graph: Graph) -> Graph:
    """Every value stays what it is; what can raise or has an effect still runs only where its branch is taken."""
    return with_changes(graph, lambda operation: _copy if operation.op is cond_node else None)


def _copy(build: Rebuild, operation: Operation, attributes: Mapping[str, Graph]) -> None:
    if not _join(build, operation, attributes):
        build.copy(operation, attributes=attributes)


def _join(build: Rebuild, operation: Operation, attributes: Mapping[str, Graph]) -> bool:
    """Adds what stands for a cond with one bool as its result, if one branch knows it and the other one is cheap."""
    if len(operation.outputs) != 1:
        return False
    predicate = build.tensor(operation.inputs[0])
    branches = attributes["then_graph"], attributes["else_graph"]
    for on_true, (known, other) in ((True, branches), (False, branches[::-1])):
        value = known.outputs[0].op.attributes.get("value") if known.outputs[0].op.op is constant_node else None
        if value is None or value.shape or value.dtype != bool or not (_does_nothing(known) and _is_cheap(other)):
            continue
        decides = bool(value)  # what the result is where the known branch is taken
        if decides is not on_true:
            (predicate,) = build.graph.add(logical_not, [predicate], {}).outputs
        answer = _inlined(build, operation, other)
        build.copy(operation, (predicate, answer), {}, op=logical_or if decides else logical_and)
        return True
    return False


def _does_nothing(graph: Graph) -> bool:
    """Whether a branch only has its result: it may give a bool that nobody gets, for it raises before."""
    return all(o.op in (placeholder, constant_node) for o in graph.operations)


def _is_cheap(graph: Graph) -> bool:
    """Whether a branch computes a few numbers of numbers, which cannot go wrong."""
    computed = [o for o in graph.operations if o.op not in (placeholder, constant_node)]
    return len(computed) <= MOST_OPERATIONS and graph.outputs[0].shape.rank == 0 and all(map(_is_number, computed))


def _is_number(operation: Operation) -> bool:
    if not (operation.op.scalar or operation.op in _PLAIN):
        return False
    if operation.acts or may_raise(operation) or may_leave(operation):
        return False
    return all(t.shape.rank == 0 and t.dtype.family != "string" for t in (*operation.inputs, *operation.outputs))


def _inlined(build: Rebuild, caller: Operation, branch: Graph) -> SymbolicTensor:
    """The result of a branch, whose operations come in the place of its caller."""
    for parameter, argument in zip(branch.inputs, caller.inputs[1:], strict=True):
        build.replace(parameter, build.tensor(argument))
    for operation in branch.operations:
        if operation.op is not placeholder:
            build.copy(operation, caller=caller)
    return build.tensor(branch.outputs[0])
