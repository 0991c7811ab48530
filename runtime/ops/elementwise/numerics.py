"""Values that are no numbers: the check that finds NaN and infinity while a graph runs.

check_finite(x, message="in operation 'log'")      # InvalidArgumentError: in operation 'log': ... 2 NaN values ...
"""

from __future__ import annotations

import numpy as np

from runtime.dtypes import COMPLEX, FLOATS, DType
from runtime.errors import InvalidArgumentError
from runtime.ops.records.raises import Raises
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure
from runtime.shapes import TensorShape

__all__ = ["NotFinite", "check_finite", "complaint"]


class NotFinite(BaseException):
    """What a `check_finite` that watches (`escapes`) raises: no `except` of the program may take it for its own."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def _nothing(x: Operand, **attributes: object) -> tuple[TensorShape, ...]:
    return ()


def _no_dtypes(x: Operand, **attributes: object) -> tuple[DType, ...]:
    return ()


def complaint(x: Array) -> str:
    """How many elements are NaN or infinite, in words; "" if none is. x: floats or complex numbers."""
    if np.isfinite(x).all():
        return ""
    nans, infinite = int(np.isnan(x).sum()), int(np.isinf(x).sum())
    found = [f"{count} {kind}" for count, kind in ((nans, "NaN"), (infinite, "infinite")) if count]
    return f"{' and '.join(found)} of {np.size(x)} values (shape {TensorShape(np.shape(x))}, {np.asarray(x).dtype})"


@op(
    raises=Raises((InvalidArgumentError,)),
    shape=_nothing, result=_no_dtypes, dtypes=FLOATS | COMPLEX, outputs=0, stateful=True,
    errors=[Failure(([np.nan, 1.0],), InvalidArgumentError, ("here: 1 NaN of 2 values",), {"message": "here"}),
            Failure(([np.inf, np.nan],), InvalidArgumentError, ("1 NaN and 1 infinite of 2",), {"message": "here"})],
)  # fmt: skip
def check_finite(x: Array, *, message: str, escapes: bool = False) -> tuple[()]:
    """Raises InvalidArgumentError, "message: what was found", if an element of x is NaN or infinite. It has no result.

    x: floats or complex numbers of any shape. escapes: raise what no `except` in the graph catches (NotFinite).
    """
    found = complaint(x)
    if found:
        raise NotFinite(f"{message}: {found}") if escapes else InvalidArgumentError(f"{message}: {found}")
    return ()
