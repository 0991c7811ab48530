"""What an operation can raise when a graph runs, as its record says it: `@op(..., raises=VALUES)`.

    raises=NOTHING                                  never anything
    raises=VALUES                                   refuses some values of operands whose types fit
    raises=DIVISION                                 only of integers

An operation whose record says nothing raises what comes of shapes that do not fit, unless they are known beforehand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from runtime.array_errors import AxisError, IndexShapeError, LinAlgError, MatrixShapeError
from runtime.errors import DivisionByZeroError, InvalidArgumentError, OutOfRangeError, ShapeMismatchError

__all__ = [
    "ANYTHING", "CHECKED", "DIVISION", "NOTHING", "OF_INTEGERS", "OF_MATRICES", "OF_SHAPES", "PLACES", "REGULAR",
    "SHAPES", "VALUES", "Kinds", "Raises",
]  # fmt: skip

Kinds = tuple[type[BaseException], ...]

SHAPES: Final = (InvalidArgumentError, ShapeMismatchError)
"""What an operation raises whose operands have shapes that do not fit."""
OF_SHAPES: Final = (*SHAPES, AxisError, IndexShapeError, MatrixShapeError)
"""All that nothing but shapes is the cause of."""


@dataclass(frozen=True, slots=True)
class Raises:
    """See the module's docstring. kinds: the classes of what it raises for some values."""

    kinds: Kinds
    shapes: bool = False
    """Whether it raises `misfits` besides, where shapes that are not known might not fit; else `kinds` are all."""
    misfits: Kinds = SHAPES
    """What those are."""
    integers: bool = False
    """Whether it raises `kinds` only if one of its operands is a tensor of integers."""
    indices: int | None = None
    """From which operand on there are indices: known ones were checked while the graph was built."""
    rule: Callable[[Sequence[Any], Mapping[str, Any]], Kinds] | None = None
    """Says it of the operands (symbolic tensors) and the attributes, where they decide; then that is all."""


PLACES: Final = Raises((*SHAPES, IndexShapeError, OutOfRangeError))
"""It reads or writes elements at positions."""
DIVISION: Final = Raises((DivisionByZeroError,), shapes=True, integers=True)
"""It divides: integers by zero raise, floats give infinity or nan."""
OF_INTEGERS: Final = Raises((InvalidArgumentError,), shapes=True, integers=True)
"""It refuses some integers: shifts, exponents and casts that have no result."""
NOTHING: Final = Raises(())
VALUES: Final = Raises(SHAPES, shapes=True)
OF_MATRICES: Final = Raises((), shapes=True, misfits=(*SHAPES, MatrixShapeError))
"""It takes all matrices of a shape that fits."""
REGULAR: Final = Raises((LinAlgError,), shapes=True, misfits=(*SHAPES, MatrixShapeError))
"""It refuses singular matrices, or those with nan."""
CHECKED: Final = Raises((InvalidArgumentError,), shapes=True)
"""It checks the values of an operand: ids, positions, degrees."""
ANYTHING: Final = Raises((BaseException,))
"""It runs code of the program."""
