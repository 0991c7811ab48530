"""`and` and `or` over tensors: the operand that decides is the value, and a value in a graph has one dtype.

    x > 0 and y > 0      cond(x > 0, then y > 0, else False)
    n and n - 1          cond(n != 0, then n - 1, else n)
    x > 0 and 5          refused: False or 5 in Python; 0 in the place of False would be another answer
    if x > 0 and 5:      only the truth is asked: cond(x > 0, then True, else False)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from autograph.errors import StagingTypeError
from autograph.operators.logic import Truth
from runtime.control_flow.branches.if_statement import one_of
from runtime.control_flow.lattice.leaf import TENSOR_LIKE
from runtime.control_flow.optional.values import NONE, MaybeNone, inside_of
from runtime.control_flow.statement.reaching import given
from runtime.control_flow.statement.subgraph import as_bool_scalar
from runtime.tensor.literals import literal_dtype
from runtime.tensor.tensor import Tensor

__all__ = ["and_", "or_"]

RAISES_AS_PYTHON = True  # see runtime.control_flow.tries.raised

Thunk = Callable[[], Any]


def and_(left: Any, right: Thunk) -> Any:
    """`left and right()`; with a `Truth` at the right, the truth of that."""
    predicate = as_bool_scalar(left, "left operand of `and`")
    falsy = False if predicate is left or isinstance(right, Truth) else left
    same = given(falsy)
    return one_of(predicate, (_Operand(left, right, "and"), same), "the value of `and`", "an operand of `and`")


def or_(left: Any, right: Thunk) -> Any:
    """`left or right()`; with a `Truth` at the right, the truth of that."""
    predicate = as_bool_scalar(left, "left operand of `or`")
    truthy = True if predicate is left or isinstance(right, Truth) else inside_of(left)
    same = given(truthy)
    return one_of(predicate, (same, _Operand(left, right, "or")), "the value of `or`", "an operand of `or`")


@dataclass(frozen=True, slots=True)
class _Operand:
    """The right operand: its truth, or its value where that may stand in the place of the left one."""

    _left: Any
    _right: Thunk
    _word: str

    def __call__(self) -> Any:
        found = self._right()
        if not isinstance(self._right, Truth):
            _check(self._left, found, self._word)
            return found
        return found if isinstance(found, bool) else as_bool_scalar(found, f"right operand of `{self._word}`")

    def __ag_watched__(self) -> tuple[Any, ...]:
        """The user's code in it, whose effects on objects are part of the graph."""
        return self._right.__ag_watched__() if isinstance(self._right, Truth) else (self._right,)


def _check(left: Any, right: Any, word: str) -> None:
    """Raises StagingTypeError where one operand is a bool and the other one something else, None excepted."""
    if right is None or isinstance(right, MaybeNone) or inside_of(left) is NONE:
        return
    if _is_bool(left) == _is_bool(right):
        return
    raise StagingTypeError(
        f"the left operand of `{word}` is {_described(left)} and the right operand is {_described(right)}: Python gives"
        " the one that decides, but a value in a graph has one dtype. Compare the one that is no bool (`!= 0`), or"
        " write a ternary whose two values have one dtype"
    )


def _is_bool(value: Any) -> bool:
    value = inside_of(value)
    if isinstance(value, Tensor):
        return bool(value.dtype.is_bool)
    return isinstance(value, TENSOR_LIKE) and bool(literal_dtype(value).is_bool)


def _described(value: Any) -> str:
    value = inside_of(value)
    if isinstance(value, Tensor):
        return f"a tensor of dtype {value.dtype.name}"
    return f"{value!r}" if isinstance(value, TENSOR_LIKE) else f"an object of type {type(value).__name__!r}"
