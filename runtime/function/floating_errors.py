"""Errors that a program asks numpy for where a float leaves the numbers: a graph gives inf and nan, as IEEE says.

    with np.errstate(divide="raise"):     # or np.seterr, or warnings.simplefilter("error")
        return 1 / x                      # StagingError: numpy would raise FloatingPointError, the graph would go on

What holds where the function is called is no part of the program, and no graph looks at it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.errors import StagingError

__all__ = ["floating_guard"]


def floating_guard() -> Callable[[Any], None]:
    """What is told of each operation of a trace that begins now. It raises StagingError."""
    outside = _asked()

    def check(operation: Any) -> None:
        is_computed = operation.inputs and any(t.dtype.is_floating or t.dtype.is_complex for t in operation.outputs)
        if is_computed and (asked := _asked()) != outside and asked:
            raise StagingError(
                f"{asked} holds here, by which numpy raises where a float divides by zero, overflows or is not a"
                " number, and a graph gives inf and nan and raises nothing. Look at the values"
                " (`if not np.isfinite(y): ...`)"
            )

    return check


def _asked() -> str:
    """What numpy was asked to raise by, as the user wrote it; nothing, where it was not."""
    raising = [f"{error}={how!r}" for error, how in np.geterr().items() if how in ("raise", "call")]
    found = [f"np.errstate({', '.join(raising)})"] if raising else []
    action, _, kind, *_ = warnings.filters[0] if warnings.filters else ("default", None, Warning)
    if action == "error" and issubclass(RuntimeWarning, kind):
        found.append('the filter "error" of warnings')
    return " and ".join(found)
