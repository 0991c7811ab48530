"""What the table of docs/exports.md says of each record: whether it leaves as ONNX, and how, or why not."""

from __future__ import annotations

from typing import Final

from runtime.exits import expansions as _fill_expansions
from runtime.exits.onnx.rules import DIRECT, RULES
from runtime.exits.onnx.writing import CONTROL, reason_of
from runtime.exits.rules import EXPANSIONS
from runtime.ops.flow.control import call_node, cond_node, switch_node, while_node
from runtime.ops.flow.core import placeholder
from runtime.ops.records.record import Op

__all__ = ["how", "leaves", "reason"]

del _fill_expansions


def leaves(op: Op) -> bool:
    """Whether there is a rule for an operation, for some of its operands at least."""
    return op is placeholder or op in RULES or op in EXPANSIONS or op in CONTROL


def how(op: Op) -> str:
    """The node that it is, in words where it is several."""
    if op in DIRECT:
        return DIRECT[op]
    if op in CONTROL:
        return _CONTROL[op]
    if op is placeholder:
        return "an input"
    return "nodes" if op in RULES else "simpler operations"


_CONTROL: Final[dict[Op, str]] = {
    call_node: "a function of the model", cond_node: "If", switch_node: "If in If", while_node: "Loop",
}  # fmt: skip


def reason(op: Op) -> str:
    """Why an operation does not leave; empty if it does."""
    return "" if leaves(op) else reason_of(op)
