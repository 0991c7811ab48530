"""Arrays of other libraries and buffers of Python: which classes they have, and what elements they hold.

    is_foreign_class(type(torch.ones(2)))     True, by `__dlpack__`
    is_foreign_class(memoryview)              True
    elements_of(jax_array)                    the ndarray that numpy makes of it, in the same memory where it can

No library is imported. A class of the user with `__array__` alone is one of objects, whose methods are converted.
"""

from __future__ import annotations

import array
import contextlib
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from autograph.cache import kept_by_identity
from runtime.heap.code import is_own_class, is_user_class
from runtime.ndarrays.layout import same_bits

__all__ = ["BUFFERS", "copy_of_elements", "elements_of", "is_foreign_class", "write_elements"]

BUFFERS: Final[Mapping[type, str]] = {
    memoryview: "memoryview", array.array: "array.array", bytearray: "bytearray",
}  # fmt: skip
"""Python's own, with their names for messages."""

_PROTOCOLS: Final = ("__array__", "__array_interface__")


@kept_by_identity
def is_foreign_class(kind: type) -> bool:
    """Whether objects of a class are arrays of another library, or buffers of Python."""
    if kind in BUFFERS:
        return True
    if issubclass(kind, np.ndarray | np.generic | type) or is_own_class(kind):
        return False
    if hasattr(kind, "__dlpack__"):
        return True
    return any(hasattr(kind, name) for name in _PROTOCOLS) and not is_user_class(kind)


def elements_of(value: Any) -> Any:
    """Its elements as an ndarray. Raises what the library raises where it has none."""
    kind = type(value)
    if kind not in BUFFERS and not any(hasattr(kind, protocol) for protocol in _PROTOCOLS):
        return np.from_dlpack(value)
    return np.asarray(value)


def copy_of_elements(value: Any) -> Any:
    """What it holds now; nothing of one whose elements are not here: on another device, or traced by its library."""
    try:
        return np.array(elements_of(value))
    except Exception:
        return np.empty(0)


def write_elements(value: Any, contents: Any) -> None:
    """Gives a table of pandas its elements back, without columns that were put behind them. Other arrays have no way
    that is theirs: they are left as they are."""
    if not hasattr(type(value), "iloc"):
        return
    while value.ndim == contents.ndim == 2 and value.shape[1] > contents.shape[1]:
        del value[value.columns[-1]]
    if value.shape != contents.shape or same_bits(np.array(elements_of(value)), contents):
        return
    with contextlib.suppress(Exception):  # what it does not take it has not held
        if contents.ndim == 1:
            value.iloc[:] = contents
        else:
            for column in range(contents.shape[1]):
                value.iloc[:, column] = contents[:, column].tolist()
