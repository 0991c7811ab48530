"""`np.fft`: transforms along one axis, along several, of real numbers, and what belongs to them.

    np.fft.fft2(x)     float64   ->   fft(fft(cast(x, complex128), axis=-1), axis=-2)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from runtime.tensor.numpy_calls.operands import Table, axis_of, call, operand, rank_of, size_of, tensor, to, together
from runtime.tensor.numpy_calls.shapes import along, steps
from runtime.tensor.tensor import Tensor

__all__ = ["TABLE", "resized", "shifted"]

TABLE: Final = Table()

_SCALES: Final = {None: (0, 1), "backward": (0, 1), "ortho": (0.5, 0.5), "forward": (1, 0)}
"""The power of 1 / n that goes forward and the one that goes back, by the name of the norm."""


def _scale(norm: str | None, inverse: bool) -> float:
    if norm not in _SCALES:
        raise ValueError(f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".')
    return _SCALES[norm][inverse]


def _real(a: Any) -> Any:
    """An argument as float32 or float64, as numpy takes it."""
    x = tensor(a)
    if x.dtype.is_complex:
        raise TypeError("np.fft.rfft takes real numbers: np.fft.fft takes complex ones, x.real leaves a part out")
    narrow = x.dtype.family == "float" and x.dtype.size <= 4
    return to(x, np.float32 if narrow else np.float64)


def _complex(a: Any) -> Any:
    x = tensor(a)
    if x.dtype.is_complex:
        return x
    x = _real(x)
    return to(x, np.result_type(x.dtype.numpy, np.complex64))


def resized(x: Any, n: Any, axis: int) -> Any:
    """The first n elements along an axis, and zeros for those that are not there. axis: from the end."""
    if n is None:
        return x
    size = size_of(x, axis)
    known = isinstance(n, int) and isinstance(size, int)
    if known and n < 1:
        raise ValueError(f"Invalid number of FFT data points ({n}) specified.")
    if known and n == size:
        return x
    place = axis_of(x, axis, "fft")
    if not known or n < size:
        x = along(x, place, slice(None, n))
    if known and n < size:
        return x
    missing = n - size if known else call("maximum", call("subtract", to(n, np.int64), to(size, np.int64)), 0)
    widths = [[0, missing if i == place else 0] for i in range(rank_of(x, "fft"))]
    return call("pad", x, widths, to(0, x.dtype.numpy))


def _scaled(x: Any, n: Any, power: float) -> Any:
    """x / n ** power."""
    if not power:
        return x
    part = call("real", x).dtype.numpy if x.dtype.is_complex else x.dtype.numpy
    size = to(n, part)
    factor = to(size if abs(power) == 1 else call("sqrt", size), x.dtype.numpy)
    return call("divide" if power > 0 else "multiply", x, factor)


def _from_end(x: Any, axis: int) -> int:
    return axis_of(x, axis, "fft") - rank_of(x, "fft")


def _line(x: Any, n: Any, axis: int, norm: str | None, inverse: bool) -> Any:
    """The transform of complex numbers along one axis, and back."""
    place = _from_end(x, axis)
    x = resized(x, n, place)
    found = call("fft", x, axis=place, inverse=inverse)
    return _scaled(found, size_of(x, place), _scale(norm, inverse) - inverse)


def _of_line(inverse: bool) -> Callable[..., Any]:
    return lambda a, n=None, axis=-1, norm=None, out=None: _line(_complex(a), n, axis, norm, inverse)


def _rfft_line(x: Any, n: Any, axis: int, norm: str | None) -> Any:
    place = _from_end(x, axis)
    x = resized(x, n, place)
    return _scaled(call("rfft", x, axis=place), size_of(x, place), _scale(norm, False))


@TABLE.of(np.fft.rfft)
def _rfft(a: Any, n: Any = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Any:
    return _rfft_line(_real(a), n, axis, norm)


def _irfft_line(x: Any, n: Any, axis: int, norm: str | None) -> Any:
    place = _from_end(x, axis)
    length = (size_of(x, place) - 1) * 2 if n is None else n
    half = resized(x, length // 2 + 1, place)
    found = call("irfft", half, to(length, np.int64), axis=place)
    return _scaled(found, length, _scale(norm, True) - 1)


def _narrow(found: Any, a: Any) -> Any:
    """What comes back of half floats is of half floats."""
    return to(found, np.float16) if tensor(a).dtype.numpy == np.float16 else found


@TABLE.of(np.fft.irfft)
def _irfft(a: Any, n: Any = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Any:
    return _narrow(_irfft_line(_complex(a), n, axis, norm), a)


@TABLE.of(np.fft.hfft)
def _hfft(a: Any, n: Any = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Any:
    x = _complex(a)
    length = (size_of(x, _from_end(x, axis)) - 1) * 2 if n is None else n
    found = _irfft_line(call("conj", x), length, axis, None)
    return _narrow(_scaled(found, length, _scale(norm, False) - 1), a)


@TABLE.of(np.fft.ihfft)
def _ihfft(a: Any, n: Any = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Any:
    x = _real(a)
    place = _from_end(x, axis)
    x = resized(x, n, place)
    found = call("conj", call("rfft", x, axis=place))
    return _scaled(found, size_of(x, place), _scale(norm, True))


# -- several axes


def _plan(x: Any, s: Any, axes: Any) -> list[tuple[Any, int]]:
    """The size to take and the axis, of each transform; -1 stands for the size that is there."""
    if axes is None:
        axes = range(rank_of(x, "fft")) if s is None else range(-len(s), 0)
    sizes = [None] * len(axes) if s is None else [None if isinstance(n, int) and n == -1 else n for n in s]
    if len(sizes) != len(axes):
        raise ValueError("Shape and axes have different lengths.")
    return list(zip(sizes, axes, strict=True))


def _lines(x: Any, plan: Sequence[tuple[Any, int]], norm: str | None, inverse: bool) -> Any:
    for n, axis in reversed(plan):
        x = _line(x, n, axis, norm, inverse)
    return x


def _of_axes(inverse: bool, default: Any) -> Callable[..., Any]:
    def function(a: Any, s: Any = None, axes: Any = default, norm: str | None = None, out: Any = None) -> Any:
        x = _complex(a)
        return _lines(x, _plan(x, s, axes), norm, inverse)

    return function


def _real_axes(default: Any) -> Callable[..., Any]:
    def function(a: Any, s: Any = None, axes: Any = default, norm: str | None = None, out: Any = None) -> Any:
        x = _real(a)
        plan = _plan(x, s, axes)
        return _lines(_rfft_line(x, *plan[-1], norm), plan[:-1], norm, False)

    return function


def _back_to_real(default: Any) -> Callable[..., Any]:
    def function(a: Any, s: Any = None, axes: Any = default, norm: str | None = None, out: Any = None) -> Any:
        x = _complex(a)
        plan = _plan(x, s, axes)
        return _irfft_line(_lines(x, plan[:-1], norm, True), *plan[-1], norm)

    return function


TABLE.update(
    {
        np.fft.fft: _of_line(False), np.fft.ifft: _of_line(True),
        np.fft.fftn: _of_axes(False, None), np.fft.ifftn: _of_axes(True, None),
        np.fft.fft2: _of_axes(False, (-2, -1)), np.fft.ifft2: _of_axes(True, (-2, -1)),
        np.fft.rfftn: _real_axes(None), np.fft.rfft2: _real_axes((-2, -1)),
        np.fft.irfftn: _back_to_real(None), np.fft.irfft2: _back_to_real((-2, -1)),
    }
)  # fmt: skip

# -- what belongs to them


def shifted(x: Any, axes: Any, back: bool) -> Any:
    """The zero frequency moved to the middle of each axis, or back to the start."""
    if axes is None:
        axes = range(rank_of(x, "fftshift"))
    for axis in axes if isinstance(axes, tuple | list | range) else (axes,):
        place = axis_of(x, axis, "fftshift")
        size = size_of(x, place)
        cut = size // 2 if back else (size + 1) // 2
        x = call("concat", [along(x, place, slice(cut, None)), along(x, place, slice(None, cut))], place)
    return x


TABLE[np.fft.fftshift] = lambda x, axes=None: shifted(tensor(x), axes, False)
TABLE[np.fft.ifftshift] = lambda x, axes=None: shifted(tensor(x), axes, True)


def _count(n: Any) -> Any:
    n = operand(n)
    if isinstance(n, Tensor) and not n.dtype.is_integer:
        raise ValueError("n should be an integer")
    return to(n, np.int64) if isinstance(n, Tensor) else n


@TABLE.of(np.fft.fftfreq)
def _fftfreq(n: Any, d: Any = 1.0, device: Any = None) -> Any:
    size = _count(n)
    numbers = steps(size)
    negative = call("greater_equal", numbers, (size + 1) // 2)
    return np.multiply(call("where", negative, call("subtract", numbers, to(size, np.int64)), numbers), _step(size, d))


@TABLE.of(np.fft.rfftfreq)
def _rfftfreq(n: Any, d: Any = 1.0, device: Any = None) -> Any:
    size = _count(n)
    return np.multiply(steps(size // 2 + 1), _step(size, d))


def _step(size: Any, d: Any) -> Any:
    whole, width = together(size, tensor(d))
    return np.true_divide(1.0, call("multiply", whole, width))
