"""`register_tensor_conversion_function`: values of a program's own classes as tensors.

    runtime.register_tensor_conversion_function(Money, lambda value, dtype=None, name=None, as_ref=False:
                                                runtime.constant(value.cents, dtype))
    runtime.add(Money(3), 4)                  # an operand is converted as `convert_to_tensor` does it

Functions of lower priority numbers are asked first, then those that were registered first. One that is not responsible
returns NotImplemented.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from runtime.dtypes import DType
from runtime.tensor.tensor import Tensor

__all__ = ["converted", "has_conversion", "register_tensor_conversion_function"]

Conversion = Callable[..., Any]

Rows = tuple[tuple[float, type, Conversion], ...]
Known = weakref.WeakKeyDictionary[type, tuple[Conversion, ...]]

_registered: tuple[Rows, Known] = (), weakref.WeakKeyDictionary()
"""The functions, and those that were found for classes that were asked for: exchanged together, as other threads look
for one meanwhile."""

_registering: Final = threading.Lock()

_OWN: Final = (bool, int, float, complex, str, bytes, np.ndarray, np.generic, Tensor)
"""Classes whose conversion is that of this package."""


def register_tensor_conversion_function(
    base_type: type | tuple[type, ...], conversion_func: Conversion, priority: float = 100
) -> None:
    """From now on `conversion_func(value, dtype=, name=, as_ref=)` makes tensors of values of `base_type`.

    It returns a tensor of dtype `dtype` where that is not None, or NotImplemented. Raises TypeError for what is no
    class or no function, and for classes that are converted anyway: Python's and numpy's numbers, arrays, tensors.
    """
    kinds = base_type if isinstance(base_type, tuple) else (base_type,)
    for kind in kinds:
        if not isinstance(kind, type):
            raise TypeError(f"base_type is a class or a tuple of classes; got {kind!r}")
        if issubclass(kind, _OWN):
            raise TypeError(f"values of {kind.__name__} become tensors anyway; no function can be registered for them")
    if not callable(conversion_func):
        raise TypeError(f"conversion_func is a function; got {conversion_func!r}")
    global _registered
    with _registering:
        rows = [*_registered[0], *((priority, kind, conversion_func) for kind in kinds)]
        rows.sort(key=lambda row: row[0])  # stable: among equals the first one stays first
        _registered = tuple(rows), weakref.WeakKeyDictionary()


def _conversions(kind: type) -> tuple[Conversion, ...]:
    rows, known = _registered
    found = known.get(kind)
    if found is None:
        found = known[kind] = tuple(function for _, base, function in rows if issubclass(kind, base))
    return found


def has_conversion(value: Any) -> bool:
    """Whether a function was registered for a value."""
    return bool(_registered[0]) and bool(_conversions(type(value)))


def converted(value: Any, dtype: DType | None = None, name: str | None = None) -> Any:
    """The tensor that the functions make of a value; NotImplemented if none does. Raises TypeError for no tensor."""
    for function in _conversions(type(value)):
        made = function(value, dtype=dtype, name=name, as_ref=False)
        if made is NotImplemented:
            continue
        shown = getattr(function, "__name__", repr(function))
        if not isinstance(made, Tensor):
            raise TypeError(f"{shown}(), registered for {type(value).__name__}, returned no tensor but {made!r}")
        if dtype is not None and made.dtype is not dtype:
            raise TypeError(
                f"{shown}(), registered for {type(value).__name__}, returned {made.dtype.name} where {dtype.name} was"
                " asked for"
            )
        return made
    return NotImplemented
