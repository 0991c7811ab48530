"""The table of what machine code knows: for each operation a function that writes it, and may say that it cannot.

    @lowers(add)
    def _(build, operation, operands):
        ...
        return Number(build.w.let(f"fadd double {x}, {y}"), float64)

The rules stand in runtime/native/lowerings, one file per family.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from runtime.graph.operation import Operation
from runtime.ops.record import Op

if TYPE_CHECKING:
    from runtime.native.build import Build

__all__ = ["ARRAY_RULES", "COPIES", "ELEMENTWISE", "RULES", "Refused", "Rule", "lowers", "lowers_arrays"]


class Refused(Exception):
    """An operation that machine code does not know, or not for these operands; the text says why."""

    def __init__(self, operation: Operation, reason: str) -> None:
        super().__init__(f"{operation.type}: {reason}")
        self.operation, self.reason = operation, reason


Rule = Callable[["Build", Operation, Sequence[Any]], Any]
"""Writes one operation. Operands of rank 0 are Numbers, others Memory. It gives the result, a tuple of several, None
where there is none, or the task (runtime.graph.nesting) that writes graphs inside of it and gives the tuple."""

RULES: Final[dict[Op, Rule]] = {}

ARRAY_RULES: Final[dict[Op, Rule]] = {}
"""Of elementwise operations that are not computed one element after the other, where floats are in arrays."""


def lowers_arrays(*ops: Op) -> Callable[[Rule], Rule]:
    """Decorator: the function writes these operations on whole arrays of floats."""

    def register(rule: Rule) -> Rule:
        ARRAY_RULES.update(dict.fromkeys(ops, rule))
        return rule

    return register


ELEMENTWISE: Final[set[Op]] = set()
"""Operations whose rules are for single numbers, and are carried out element by element for arrays."""


COPIES: Final[set[Op]] = set()
"""Operations that only read arrays, and whose results share no memory with them."""


def lowers(*ops: Op, elementwise: bool = False, copies: bool = False) -> Callable[[Rule], Rule]:
    """Decorator: the function writes these operations. elementwise: for arrays element by element, too; copies: it only
    reads arrays, and its results share no memory with them."""

    def register(rule: Rule) -> Rule:
        for op in ops:
            if op in RULES:
                raise TypeError(f"{op.name} has a rule for machine code already")
            RULES[op] = rule
        ELEMENTWISE.update(op for op in ops if elementwise or op.elementwise)
        COPIES.update(ops if copies else ())
        return rule

    return register
