"""Attributes of ndarrays on traced arrays: those that write, and those that have no meaning in a graph.

    a.real = x               written through the view
    a.flat = x               all elements, from the beginning of x again where it ends
    a.shape = (2, 3)         refused: a.reshape(2, 3) is a view of the same memory
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import isclass
from typing import Any, Final, NoReturn

import numpy as np

from autograph.errors import StagingTypeError
from runtime.dtypes import DType, as_dtype
from runtime.ndarrays.bits import Bits
from runtime.ndarrays.layout import known_layout, laid_out
from runtime.ndarrays.traced import TracedArray
from runtime.ndarrays.views import flat
from runtime.ops.text.strings import CONVERSIONS
from runtime.tensor.array_numbers import as_number
from runtime.tensor.methods import no_attribute
from runtime.tensor.numpy_calls.operands import call
from runtime.tensor.symbolic import OF_NUMBERS, SymbolicTensor
from runtime.tensor.text import mark

__all__ = ["install"]

_BEFORE: Final = "do it before the call, and pass the result"

_REFUSED: Final[Mapping[str, str]] = {
    "resize": "np.resize(a, shape) makes a new array", "byteswap": _BEFORE, "getfield": _BEFORE, "tofile": "return a",
    "setfield": "a[...] = x writes the elements", "dump": "return a", "dumps": "return a", "data": _BEFORE,
    "ctypes": _BEFORE, "setflags": _BEFORE, "newbyteorder": _BEFORE, "flags": _BEFORE, "base": "keep the array itself",
    "to_device": "leave it out", "device": "leave it out", "choose": "np.select takes arrays",
    "argpartition": "np.argsort(a) has all of them in order",
}  # fmt: skip
"""What has no operation, with what to do instead."""

_FIXED: Final[Mapping[str, str]] = {
    "shape": "b = a.reshape(shape) is a view of the same memory", "strides": "a[::k], a.T are views of the same memory",
    "dtype": "b = a.astype(dtype) is a copy",
}  # fmt: skip
"""What cannot be set, with what to do instead."""


def _refused(name: str, remedy: str) -> Callable[..., Any]:
    def refuse(self: TracedArray, *args: Any, **kwargs: Any) -> NoReturn:
        raise StagingTypeError(f"a.{name} of an array that a graph works on has no operation: {remedy}")

    return refuse


def _fixed(name: str, remedy: str) -> Any:
    def refuse(self: TracedArray, value: Any) -> NoReturn:
        raise TypeError(f"a.{name} = ... would change an array that a graph works on under all its names: {remedy}")

    return refuse


def _strides(self: TracedArray) -> tuple[int, ...]:
    return tuple(stride * self.dtype.size for stride in known_layout(self, "a.strides").strides)


def _view(self: TracedArray, dtype: Any = None, type: Any = None) -> TracedArray:
    if isclass(dtype) and issubclass(dtype, np.ndarray):
        dtype, type = None, dtype
    if type not in (None, np.ndarray):
        raise TypeError(f"a.view(...) as another class of array has no operation: {_BEFORE}")
    wanted = self.dtype if dtype is None else _dtype_of(dtype)
    if wanted is self.dtype:
        return self.through(layout=self.layout)
    layout, size = known_layout(self, "a.view(dtype)"), self.dtype.size
    strides = [stride * size for stride in layout.strides]
    view = np.lib.stride_tricks.as_strided(np.empty(0, self.dtype.numpy), layout.shape, strides).view(wanted.numpy)
    steps = tuple(stride // wanted.size for stride in view.strides)
    return self.through(Bits(wanted, self.dtype), layout=laid_out(view.shape, steps))


def _dtype_of(dtype: Any) -> DType:
    return as_dtype(np.dtype(getattr(dtype, "numpy", dtype)))


def _view_of_number(number: Any) -> Callable[..., Any]:
    """`a[0].view(dtype)`: the bits of a number of an array as another number."""
    if not number.of_array:
        raise no_attribute("view")

    def view(dtype: Any) -> Any:
        wanted = _dtype_of(dtype)
        if wanted.size != number.dtype.size:
            raise ValueError("Changing the dtype of a 0d array is only supported if the itemsize is unchanged")
        return as_number(call("bitcast", number, dtype=wanted))

    return view


def _set_all(self: TracedArray, value: Any) -> None:
    flat(self)[:] = value


def _part(name: str) -> Any:
    get: Any = getattr(np, name)

    def write(self: TracedArray, value: Any) -> None:
        if not self.dtype.is_complex and name == "imag":
            raise TypeError("array does not have imaginary part to set")
        get(self).write(value)

    return property(get, write)


def _text(conversion: str) -> Callable[..., str]:
    def text(self: TracedArray, spec: str = "") -> str:
        shown = self.shown()
        marked = mark(shown, f"n{conversion}", spec) if isinstance(shown, SymbolicTensor) else None
        return marked or CONVERSIONS[conversion](shown, spec)

    return text


def install() -> None:
    """Gives the class its attributes."""
    owned: Any = TracedArray
    for name, remedy in _REFUSED.items():
        setattr(owned, name, _refused(name, remedy) if callable(getattr(np.ndarray, name, None)) else property(
            _refused(name, remedy)))  # fmt: skip
    for name, remedy in _FIXED.items():
        get = _strides if name == "strides" else owned.__dict__[name].fget
        setattr(owned, name, property(get, _fixed(name, remedy)))
    owned.real, owned.imag = _part("real"), _part("imag")
    owned.flat = property(flat, _set_all)
    owned.view, OF_NUMBERS["view"] = _view, _view_of_number
    owned.__format__, owned.__str__, owned.__repr__ = _text(""), _text("s"), _text("r")
    owned.T = property(np.transpose)

