"""A number of Python among the arguments that is an input of the trace, and no part of it: any value uses that trace.

    Number(7)      # in the place of the argument 7: an int64 input, weak as the numbers are that a staged loop computes
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from runtime.dtypes import DType, float64, int64
from runtime.shapes import TensorShape
from runtime.tensor.eager import EagerTensor

__all__ = ["Number", "array_of_number", "is_number", "plain_number"]

DTYPES: Final[dict[type, DType]] = {int: int64, float: float64}

_MOST: Final = 2**31
"""Greater integers are constants of their traces: they are near to what 64 bits cannot hold."""

_SHAPE: Final = TensorShape([])


def is_number(value: Any) -> bool:
    """Whether it can be an input: a float, or an integer of no more than 32 bits; no bool."""
    kind = type(value)
    return kind is float or (kind is int and -_MOST <= value < _MOST)


def array_of_number(value: Any) -> Any:
    """The number as a plan takes it."""
    return np.asarray(value, DTYPES[type(value)].numpy)


def plain_number(value: Any) -> Any:
    """The number that it stands for; all else as it is."""
    return value.value if type(value) is Number else value


class Number:
    """See the module's docstring."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    @property
    def dtype(self) -> DType:
        """That of all numbers of its type."""
        return DTYPES[type(self.value)]

    @property
    def shape(self) -> TensorShape:
        """()"""
        return _SHAPE

    def tensor(self) -> EagerTensor:
        """What a run is given."""
        return EagerTensor(array_of_number(self.value))

    def __repr__(self) -> str:
        return f"any {type(self.value).__name__}"
