"""numpy's windows, and the Bessel function that one is made of: `np.hanning(n)`, `np.kaiser(n, beta)`, `np.i0(x)`.

    np.hanning(n)     int32   ->   0.5 + 0.5 * cos(pi * k / (n - 1)),  k = 1 - n, 3 - n, ..., n - 1
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from runtime.tensor.numpy_calls.operands import Table, call, floating, tensor, to

__all__ = ["TABLE", "bessel_i0"]

TABLE: Final = Table()

_ANGLES: Final = (np.arange(128) + 0.5) * np.pi / 128
"""Enough for all arguments whose value is finite: the error of the midpoint rule falls like exp(-4 n² / (2 x))."""


def bessel_i0(x: Any) -> Any:
    """The modified Bessel function of order 0, as the mean of exp(x cos t) over half a turn. x: a float tensor."""
    angles = to(np.cos(_ANGLES), x.dtype.numpy)
    return call("reduce_mean", call("exp", call("multiply", call("expand_dims", x, axis=-1), angles)), -1)


TABLE[np.i0] = lambda x: bessel_i0(floating(x))


def _window(shape: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """A window as a function of k and of n - 1, which is not 0."""

    def window(M: Any) -> Any:
        n = to(tensor(M), np.float64)
        numbers = call("range", call("subtract", 1, n), n, to(2, np.float64))
        last = call("where", call("equal", n, 1), to(1, np.float64), call("subtract", n, 1))
        found = shape(numbers, last)
        return call("where", call("equal", n, 1), call("ones_like", found), found)

    return window


def _cosine(k: Any, last: Any, factor: int = 1) -> Any:
    return np.cos(np.multiply(k, factor * np.pi) / last)


TABLE.update(
    {
        np.bartlett: _window(lambda k, last: 1 - np.absolute(k) / last),
        np.blackman: _window(lambda k, last: 0.42 + 0.5 * _cosine(k, last) + 0.08 * _cosine(k, last, 2)),
        np.hamming: _window(lambda k, last: 0.54 + 0.46 * _cosine(k, last)),
        np.hanning: _window(lambda k, last: 0.5 + 0.5 * _cosine(k, last)),
    }
)


@TABLE.of(np.kaiser)
def _kaiser(M: Any, beta: Any) -> Any:
    width = to(tensor(beta), np.float64)

    def shape(k: Any, last: Any) -> Any:
        inside = np.maximum(1 - np.square(k / last), 0)
        return bessel_i0(np.multiply(np.sqrt(inside), width)) / bessel_i0(width)

    return _window(shape)(M)
