"""Arrays of other libraries and buffers of Python: which classes they have, and what elements they hold.

    is_foreign_class(type(torch.ones(2)))     True, by `__dlpack__`
    is_foreign_class(memoryview)              True
    elements_of(jax_array)                    the ndarray that numpy makes of it, in the same memory where it can

No library is imported. A class of the user with `__array__` alone is one of objects, whose methods are converted.
"""

from __future__ import annotations

import array
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from autograph.cache import IdentityCache
from runtime.heap.code import is_own_class, is_user_class

__all__ = ["BUFFERS", "copy_of_elements", "elements_of", "is_foreign_class"]

BUFFERS: Final[Mapping[type, str]] = {
    memoryview: "memoryview", array.array: "array.array", bytearray: "bytearray",
}  # fmt: skip
"""Python's own, with their names for messages."""

_PROTOCOLS: Final = ("__array__", "__array_interface__")

_known: IdentityCache[type, bool] = IdentityCache()


def is_foreign_class(kind: type) -> bool:
    """Whether objects of a class are arrays of another library, or buffers of Python."""
    found = _known.by_id(id(kind))
    if found is None:
        _known.put(kind, found := _is_foreign_class(kind))
    return found


def _is_foreign_class(kind: type) -> bool:
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
