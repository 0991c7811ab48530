"""`@ag__.late_annotations`: annotations that are evaluated later see no placeholder in the place of a variable.

From Python 3.14 on a function or class has a function that evaluates its annotations, by value, as text, or with the
names that are unknown left open. A variable that has no value yet must be unknown to it, as in the original:

    @late_annotations
    def g(a: T): ...        # T holds Undefined('T')

    g.__annotations__       # NameError: cannot access free variable 'T' where it is not associated with a value
"""

from __future__ import annotations

import sys
from types import CellType, FunctionType
from typing import Any, TypeVar

from autograph.operators.variables import Undefined

__all__ = ["late_annotations"]

Annotated = TypeVar("Annotated")


def late_annotations(annotated: Annotated) -> Annotated:
    """Let the annotations of a function or class take placeholders for missing values; changes and returns it."""
    if sys.version_info >= (3, 14):
        from annotationlib import Format, call_annotate_function

        evaluate: Any = annotated.__annotate__  # type: ignore[attr-defined]

        def annotate(format: int, /) -> dict[str, Any]:
            if format == Format.VALUE_WITH_FAKE_GLOBALS:
                raise NotImplementedError(format)  # as Python asks of functions that were not made by the compiler
            return call_annotate_function(_without_placeholders(evaluate), Format(format), owner=annotated)

        if evaluate is not None:
            annotated.__annotate__ = annotate  # type: ignore[attr-defined]
    return annotated


def _without_placeholders(function: FunctionType) -> FunctionType:
    cells = tuple(CellType() if _has_placeholder(cell) else cell for cell in function.__closure__ or ())
    made = FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__, cells)
    made.__qualname__ = function.__qualname__
    return made


def _has_placeholder(cell: CellType) -> bool:
    try:
        return isinstance(cell.cell_contents, Undefined)
    except ValueError:  # it is empty
        return False
