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
from runtime.ops.records.record import Op
from runtime.ops.records.tables import enter

if TYPE_CHECKING:
    from runtime.native.build import Build

__all__ = [
    "COPIES", "EXTREMES", "KERNELS", "MOVES", "NUMPY_LOOPS", "OF_COMPLEX", "RULES", "SUMS", "Refused", "Rule",
    "is_elementwise",
    "loop_name", "lowers", "lowers_complex", "lowers_ufuncs", "rule_of",
]  # fmt: skip


class Refused(Exception):
    """An operation that machine code does not know, or not for these operands; the text says why."""

    def __init__(self, operation: Operation, reason: str) -> None:
        super().__init__(f"{operation.type}: {reason}")
        self.operation, self.reason = operation, reason


Rule = Callable[["Build", Operation, Sequence[Any]], Any]
"""Writes one operation. Operands of rank 0 are Numbers, others Memory. It gives the result, a tuple of several, None
where there is none, or the task (runtime.graph.nesting) that writes graphs inside of it and gives the tuple."""

RULES: Final[dict[Op, Rule]] = {}

EXTREMES: Final[set[Op]] = set()
"""Operations that need numpy's loop for nothing but the sign of zero."""

NUMPY_LOOPS: Final[dict[Op, str]] = {}
"""Operations with a rule for single numbers, of which floats in arrays are computed by the loop of this ufunc."""

_ELEMENTWISE: Final[set[Op]] = set()

_OF_UFUNCS: Final[list[Rule]] = []

COPIES: Final[set[Op]] = set()
"""Operations that only read arrays, and whose results share no memory with them."""


KERNELS: Final[set[Op]] = set()
"""Operations whose rules write kernels of several steps."""

SUMS: Final[set[Op]] = set()
"""Operations that may take the elements of their operand from a kernel that is still to be written."""


def lowers(*ops: Op, elementwise: bool = False, copies: bool = False) -> Callable[[Rule], Rule]:
    """Decorator: the function writes these operations. elementwise: for single numbers, and thus for arrays element by
    element, as is so of those whose records say it; copies: it only reads arrays, and its results share no memory."""

    def register(rule: Rule) -> Rule:
        enter(RULES, ops, rule, "has a rule for machine code")
        _ELEMENTWISE.update(ops if elementwise else ())
        COPIES.update(ops if copies else ())
        return rule

    return register


MOVES: Final[set[Op]] = set()
"""Operations whose rules only move elements, so that they hold for complex numbers, too."""

OF_COMPLEX: Final[dict[Op, Rule]] = {}
"""The rules of operations on complex numbers."""

_COMPLEX_LOOPS: Final = {"divide": "divide", "multiply": "multiply", "square": "square"}
"""The loops of numpy that round complex numbers in another way than what is written out."""


def lowers_complex(*ops: Op) -> Callable[[Rule], Rule]:
    """Decorator: the function writes these operations where one of their tensors is complex, element by element."""

    def register(rule: Rule) -> Rule:
        enter(OF_COMPLEX, ops, rule, "has a rule for complex numbers")
        _ELEMENTWISE.update(ops)
        return rule

    return register


def lowers_ufuncs(rule: Rule) -> Rule:
    """Decorator: the function writes all operations of floats that are ufuncs, and have no rule of their own."""
    _OF_UFUNCS.append(rule)
    return rule


def rule_of(operation: Operation) -> Rule | None:
    """The function that writes an operation, if there is one."""
    if _is_complex(operation):
        moved = RULES.get(operation.op) if operation.op in MOVES else None
        return moved or OF_COMPLEX.get(operation.op) or (_OF_UFUNCS[0] if _is_complex_ufunc(operation) else None)
    found = RULES.get(operation.op)
    return _OF_UFUNCS[0] if found is None and _is_ufunc(operation) else found


def _is_ufunc(operation: Operation) -> bool:
    given = operation.op.float_ufunc is not None and operation.op.raises is None
    return given and all(t.dtype.is_floating for t in (*operation.inputs, *operation.outputs))


def _is_complex(operation: Operation) -> bool:
    return any(t.dtype.is_complex for t in (*operation.inputs, *operation.outputs))


def _is_complex_ufunc(operation: Operation) -> bool:
    given = operation.op.float_ufunc is not None and operation.op.raises is None
    return given and len({t.dtype for t in (*operation.inputs, *operation.outputs)}) == 1


def is_elementwise(op: Op) -> bool:
    """Whether the rule is for single numbers, and is carried out element by element for arrays."""
    return op.elementwise or op in _ELEMENTWISE


def loop_name(operation: Operation, exact: bool = True) -> str | None:
    """The ufunc whose loop computes an operation on arrays of floats: what is no instruction of the processor. exact:
    products of complex numbers, and which of two zeros is the greater one, are as numpy has them."""
    op = operation.op
    if _is_complex(operation):
        if op in OF_COMPLEX or op in MOVES:
            return _COMPLEX_LOOPS.get(op.name) if exact or op.name == "divide" else None
        return op.float_ufunc.__name__ if op.float_ufunc is not None else None
    if not operation.inputs[0].dtype.is_floating:
        return None
    if not exact and op in EXTREMES:
        return None
    if op in RULES or op.float_ufunc is None:
        return NUMPY_LOOPS.get(op)
    return op.float_ufunc.__name__
