"""The check that a condition holds while a graph runs.

    check(x > 0, message="x must be positive", exception="AssertionError")

The class is named by text, so that a graph can be written down and read again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from runtime.dtypes import ANY, BOOLS, DType
from runtime.errors import InvalidArgumentError, OutOfRangeError, ShapeMismatchError
from runtime.ops.records.raises import Raises
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure
from runtime.ops.text.output import text_of
from runtime.shapes import TensorShape

__all__ = ["EXCEPTIONS", "check"]

EXCEPTIONS: Final[dict[str, type[Exception]]] = {
    c.__name__: c
    for c in (
        AssertionError, ArithmeticError, AttributeError, IndexError, InvalidArgumentError, KeyError, LookupError,
        NameError, NotImplementedError, OutOfRangeError, OverflowError, RuntimeError, ShapeMismatchError, StopIteration,
        TypeError, UnboundLocalError, ValueError, ZeroDivisionError,
    )
}  # fmt: skip
"""The classes that a check can raise, by name."""


def _nothing(condition: Operand, *values: Operand, **attributes: Any) -> tuple[TensorShape, ...]:
    if condition.shape.rank not in (0, None):
        raise ValueError(f"the condition must be a scalar; its shape is {condition.shape}; use runtime.reduce_all")
    return ()


def _no_dtypes(condition: Operand, *values: Operand, message: str, exception: str, summarize: int) -> tuple[DType, ...]:
    if exception not in EXCEPTIONS:
        raise InvalidArgumentError(f"check: {exception!r} is no known exception; known: {', '.join(EXCEPTIONS)}")
    return ()


def _kinds(operands: Sequence[Any], attributes: Mapping[str, Any]) -> tuple[type[BaseException], ...]:
    return EXCEPTIONS[attributes["exception"]], *(() if operands[0].shape.rank == 0 else (ShapeMismatchError,))


@op(
    statement=True, raises=Raises((), rule=_kinds),
    shape=_nothing, result=_no_dtypes, dtypes={"condition": BOOLS, "values": ANY}, mixed=True, outputs=0, stateful=True,
    errors=[Failure((False, []), AssertionError, ("nope",), {"message": "nope", "exception": "AssertionError"}),
            Failure((False, [1]), InvalidArgumentError, ("found 1",), {"message": "found "}),
            Failure(([True, True], []), ShapeMismatchError, ("scalar", "(2,)"), {"message": ""}),
            Failure((True, []), InvalidArgumentError, ("Nope",), {"message": "", "exception": "Nope"})],
)  # fmt: skip
def check(
    condition: Array, *values: Array, message: str, exception: str = "InvalidArgumentError", summarize: int = 3
) -> tuple[()]:
    """Raises the exception of this name with the message, followed by the text of `values`, if the condition is false.

    condition: bool scalar. It has no result.
    """
    if np.ndim(condition):
        raise ShapeMismatchError(f"check: the condition must be a scalar; its shape is {np.shape(condition)}")
    if not condition:
        raise EXCEPTIONS[exception](message + " ".join(text_of(v, summarize) for v in values))
    return ()
