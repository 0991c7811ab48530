"""What the table of docs/exports.md says of each record: whether it is a program of XLA, and how, or why not."""

from __future__ import annotations

from typing import Final

from runtime.exits.xla.lowering import reason_of
from runtime.exits.xla.rules import DIRECT, RULES
from runtime.ops.flow.control import call_node, cond_node, switch_node, while_node
from runtime.ops.flow.core import placeholder
from runtime.ops.records.record import Op

__all__ = ["how"]

_CONTROL: Final[dict[Op, str]] = {
    call_node: "carried out where it is called", cond_node: "`lax.cond`", switch_node: "`lax.switch`",
    while_node: "`lax.while_loop`, `lax.fori_loop`", placeholder: "an argument",
}  # fmt: skip


def how(op: Op) -> str:
    """The function of JAX that it is, or in words; "no:" and why, where it is none."""
    if reason := reason_of(op):
        return f"no: {reason}"
    if op in DIRECT:
        return f"`{DIRECT[op] if '.' in DIRECT[op] else f'numpy.{DIRECT[op]}'}`"
    return _CONTROL.get(op) or ("a rule" if op in RULES else "simpler operations")
