"""What leaves, and why the rest does not: one table of reasons, and one of rules that need no format of their own.

    @expands(softplus)
    def _(features):
        return ops.logaddexp(features, 0)          # in the place of the operation, in whatever format it leaves

    stays("it asks for files of this machine", read_file, write_file)

A rule of expansion is written like a gradient rule: with public operations, on symbolic tensors. It is given operands
and attributes by their names. NotImplemented says that the operation is to stay as it is.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

from runtime.graph.operation import Operation
from runtime.ops.records.record import Op
from runtime.ops.records.tables import enter

__all__ = ["EXPANSIONS", "STAYS", "Expansion", "Refused", "arguments_of", "expands", "stays"]


class Refused(Exception):
    """An operation that a format has not, or not for these operands; the text says why."""


Expansion = Callable[..., Any]

EXPANSIONS: Final[dict[Op, Expansion]] = {}
"""By the operation, what computes the same by simpler ones."""

STAYS: Final[dict[Op, str]] = {}
"""By the operation, why no format has it."""


def expands(*ops: Op) -> Callable[[Expansion], Expansion]:
    """Decorator: the function gives what these operations give."""

    def register(rule: Expansion) -> Expansion:
        enter(EXPANSIONS, ops, rule, "has an expansion")
        return rule

    return register


def stays(reason: str, *ops: Op) -> None:
    """Says why these operations have no rule."""
    enter(STAYS, ops, reason, "has a reason")


def arguments_of(rule: Callable[..., Any], operation: Operation, given: Sequence[Any]) -> dict[str, Any]:
    """What a rule asks for by the names of its parameters: operands, attributes, the `operation` itself, and all
    `operands` in a row."""
    op, fixed = operation.op, len(operation.op.tensors)
    known: dict[str, Any] = {**dict(zip(op.tensors, given, strict=False)), **operation.attributes}
    if op.variadic is not None:
        known[op.variadic] = list(given[fixed:])
    known["operation"] = operation
    known.setdefault("operands", given)
    return {name: known[name] for name in _parameters(rule)}


@lru_cache(maxsize=4096)
def _parameters(rule: Callable[..., Any]) -> tuple[str, ...]:
    return tuple(inspect.signature(rule).parameters)
