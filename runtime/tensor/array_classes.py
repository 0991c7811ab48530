"""Classes that derive from numpy's ndarray: those with rules of their own, which a graph would ignore, are refused.

    check_plain(np.zeros(3))                     fine, as is an np.memmap
    check_plain(np.matrix([[1.0]]), "x")         TypeError: x is a matrix, ...
"""

from __future__ import annotations

from typing import Any, Final, TypeVar

import numpy as np

from runtime.dtypes import NUMBERS

__all__ = ["check_plain", "holds_numbers", "is_plain_array", "plain_class"]

_PLAIN: Final[set[type]] = {np.ndarray, np.memmap}

T = TypeVar("T", bound=type)


def plain_class(kind: T) -> T:
    """Declares a class of ours whose arrays mean what numpy's own mean."""
    _PLAIN.add(kind)
    return kind


def is_plain_array(array: Any) -> bool:
    """Whether it is an array of numpy's own, or none."""
    return type(array) in _PLAIN or not isinstance(array, np.ndarray)


def holds_numbers(array: Any) -> bool:
    """Whether the elements of an array are numbers or bools, and no texts, objects, dates or structures."""
    return bool(array.dtype.kind in NUMBERS)


def check_plain(array: Any, what: str = "an argument", error: type[TypeError] = TypeError) -> None:
    """Raises `error` for arrays of classes that have rules of their own, as matrices and masked arrays have."""
    if not is_plain_array(array):
        plain = "x.filled(value)" if isinstance(array, np.ma.MaskedArray) else "np.asarray(x)"
        if array.dtype.names:
            plain = f"its fields by themselves, np.asarray(x[{array.dtype.names[0]!r}])"
        name = type(array).__name__
        raise error(f"{what} is a {name}, of whose own rules a graph knows nothing: pass {plain}")
