"""The table of what ONNX knows: for each operation a function that writes it as nodes, and may say that it cannot.

    writes({exp: "Exp", log: "Log"})          # one node, with the operands as they are

    @lowers(expand_dims)
    def _(build, operation, operands):
        return build.node("Unsqueeze", operands[0], build.integers(axis))

The rules stand in runtime/exits/onnx/lowerings, one file per family. What is made of simpler operations has its rule in
runtime/exits/expansions instead, and has left the graph when these are asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from runtime.exits.rules import Refused
from runtime.graph.operation import Operation
from runtime.ops.records.record import Op
from runtime.ops.records.tables import enter

if TYPE_CHECKING:
    from runtime.exits.onnx.build import Build
    from runtime.exits.onnx.nodes import Value

__all__ = ["DIRECT", "RULES", "Refused", "Rule", "lowers", "writes"]


Rule = Callable[["Build", Operation, Sequence[Any]], Any]
"""Writes one operation. It gives a Value, a tuple of several, or the task (runtime.graph.nesting) that writes graphs
inside of it and gives the tuple."""

RULES: Final[dict[Op, Rule]] = {}

DIRECT: Final[dict[Op, str]] = {}
"""Operations that are one node of the same meaning, with its type."""


def lowers(*ops: Op) -> Callable[[Rule], Rule]:
    """Decorator: the function writes these operations."""

    def register(rule: Rule) -> Rule:
        enter(RULES, ops, rule, "has a rule for ONNX")
        return rule

    return register


def _one_node(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    return build.node(DIRECT[operation.op], *operands, dtype=operation.outputs[0].dtype)


def writes(table: Mapping[Op, str]) -> None:
    """Says which operations are one node."""
    DIRECT.update(table)
    lowers(*table)(_one_node)
