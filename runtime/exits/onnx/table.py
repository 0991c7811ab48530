"""What the table of docs/exports.md says of each record: whether it leaves as ONNX, and how, or why not."""

from __future__ import annotations

from runtime.exits import expansions as _fill_expansions
from runtime.exits.onnx.rules import DIRECT, RULES
from runtime.exits.onnx.writing import CONTROL, reason_of
from runtime.exits.rules import EXPANSIONS
from runtime.ops.core import placeholder
from runtime.ops.record import Op

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
        return CONTROL_NODES[op.name]
    if op is placeholder:
        return "an input"
    return "nodes" if op in RULES else "simpler operations"


CONTROL_NODES = {"call": "a function of the model", "cond": "If", "switch": "If in If", "while": "Loop"}


def reason(op: Op) -> str:
    """Why an operation does not leave; empty if it does."""
    return "" if leaves(op) else reason_of(op)
