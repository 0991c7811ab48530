"""Errors of operations that are NumPy's as well: programs that are written for arrays catch them by NumPy's classes.

    try:
        inverse = np.linalg.inv(a)
    except np.linalg.LinAlgError:       # takes our LinAlgError, in a graph and outside of it
        inverse = np.linalg.pinv(a)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from runtime.errors import InvalidArgumentError, ShapeMismatchError

__all__ = [
    "OF_ARRAYS", "AxisError", "IndexKindError", "IndexShapeError", "LinAlgError", "MatrixShapeError", "ScalarError",
    "misfit",
]  # fmt: skip


class AxisError(ShapeMismatchError, np.exceptions.AxisError):
    """An axis is none of the operand's; it is a ValueError and an IndexError, as NumPy's class of this name.

        runtime.reduce_sum(runtime.ones([2, 3]), axis=2)

    Repair: an axis from -rank to rank - 1; the message has the shape.
    """


class IndexShapeError(ShapeMismatchError, IndexError):
    """An index has more parts than the operand has axes, or holds a mask or positions that do not fit.

        runtime.ones([2, 3])[0, 0, 0]

    Repair: an index for the shape that the message shows.
    """


class IndexKindError(TypeError, IndexError):
    """An index holds what is none: a float, a text.

        runtime.ones([3])[1.5]

    Repair: `int(x)`, or `runtime.cast`. In staged code `except IndexError` takes it, as for NumPy's arrays.
    """


IndexKindError.__ag_caught_as__ = tuple(  # type: ignore[attr-defined]
    kind for kind in IndexKindError.__mro__ if kind is not TypeError
)
"""NumPy's is no TypeError: a handler of the program for those does not take it."""


class LinAlgError(InvalidArgumentError, np.linalg.LinAlgError):
    """A matrix has no inverse, is not positive definite, or holds nan; NumPy has a class of this name.

        runtime.linalg.inv(runtime.zeros([2, 2]))

    Repair: the matrix; `runtime.linalg.pinv` and `lstsq` take singular ones.
    """


class MatrixShapeError(ShapeMismatchError, LinAlgError):
    """A matrix is not square where one is needed, or the operand has fewer than two dimensions.

        runtime.linalg.inv(runtime.ones([2, 3]))

    Repair: `runtime.linalg.pinv` and `lstsq` take matrices of every shape.
    """


class ScalarError(InvalidArgumentError, TypeError):
    """A scalar is asked for its length or its items.

        @runtime.function
        def count(x):
            return len(x)

        count(runtime.constant(3))

    Repair: a tensor of rank 1 or more, or `runtime.range(x)`. In staged code `except TypeError` takes it, as in Python.
    """


ScalarError.__ag_caught_as__ = tuple(  # type: ignore[attr-defined]
    kind for kind in ScalarError.__mro__ if kind is not ValueError
)


OF_ARRAYS: Final = (np.exceptions.AxisError, np.linalg.LinAlgError, IndexKindError, IndexShapeError, ScalarError)
"""What is raised for arrays, as NumPy raises it for their values."""

_MISFITS: Final[Mapping[type[Exception], type[ShapeMismatchError]]] = {
    np.exceptions.AxisError: AxisError, np.linalg.LinAlgError: MatrixShapeError, IndexError: IndexShapeError,
}  # fmt: skip


def misfit(error: Exception) -> type[ShapeMismatchError]:
    """The class for operands that do not fit, by what a rule, or numpy, raised."""
    return next((ours for raw, ours in _MISFITS.items() if isinstance(error, raw)), ShapeMismatchError)
