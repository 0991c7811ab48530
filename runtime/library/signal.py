"""`runtime.signal`: Fourier transforms, frames of signals and their spectra, windows.

>>> runtime.signal.stft(runtime.ones([8]), frame_length=4, frame_step=2).shape
TensorShape([3, 3])

The names and the order of the arguments are those of TensorFlow's functions. Each has its gradient.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.dtypes import as_dtype, float32
from runtime.errors import InvalidArgumentError
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.dispatch import integer_of
from runtime.tensor.numpy_calls.fourier import resized, shifted
from runtime.tensor.numpy_calls.operands import axis_of, call, rank_of, shape_of, size_of, to
from runtime.tensor.numpy_calls.windows import bessel_i0
from runtime.tensor.switches import switches
from runtime.tensor.tensor import Tensor

__all__ = [
    "fft", "fft2d", "fft3d", "fftshift", "frame", "hamming_window", "hann_window", "ifft", "ifft2d", "ifft3d",
    "ifftshift", "inverse_stft", "inverse_stft_window_fn", "irfft", "irfft2d", "kaiser_window", "overlap_and_add",
    "rfft", "rfft2d", "stft",
]  # fmt: skip


# -- transforms


def _over_axes(x: Any, axes: int, inverse: bool, name: str | None) -> Any:
    x = convert_to_tensor(x)
    for axis in range(-axes, 0):
        x = call("fft", x, axis=axis, inverse=inverse, name=name)
    return x


def fft(input: Any, name: str | None = None) -> Tensor:
    """The discrete Fourier transform along the last axis. input: complex, of rank 1 or more; same shape and dtype."""
    return _over_axes(input, 1, False, name)


def ifft(input: Any, name: str | None = None) -> Tensor:
    """The inverse of `fft`, along the last axis. input: complex; same shape and dtype."""
    return _over_axes(input, 1, True, name)


def fft2d(input: Any, name: str | None = None) -> Tensor:
    """The transform along the last two axes. input: complex, of rank 2 or more; same shape and dtype."""
    return _over_axes(input, 2, False, name)


def ifft2d(input: Any, name: str | None = None) -> Tensor:
    """The inverse transform along the last two axes. input: complex, of rank 2 or more; same shape and dtype."""
    return _over_axes(input, 2, True, name)


def fft3d(input: Any, name: str | None = None) -> Tensor:
    """The transform along the last three axes. input: complex, of rank 3 or more; same shape and dtype."""
    return _over_axes(input, 3, False, name)


def ifft3d(input: Any, name: str | None = None) -> Tensor:
    """The inverse transform along the last three axes. input: complex, of rank 3 or more; same shape and dtype."""
    return _over_axes(input, 3, True, name)


def _lengths(fft_length: Any, count: int) -> list[Any]:
    """The sizes along the last axes that are asked for; None for those that are there."""
    if fft_length is None:
        return [None] * count
    values = [fft_length] if np.ndim(fft_length) == 0 else list(fft_length)
    if len(values) != count:
        raise InvalidArgumentError(f"fft_length has {count} elements; got {fft_length!r}")
    return [integer_of("rfft", "fft_length", value) for value in values]


def rfft(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The first n // 2 + 1 numbers of the transform of real numbers along the last axis. fft_length: n, if other than
    the size of the axis: zeros follow, or elements are left out."""
    (n,) = _lengths(fft_length, 1)
    return call("rfft", resized(convert_to_tensor(input_tensor), n, -1), axis=-1, name=name)


def irfft(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The real numbers of which `rfft` gives these. fft_length: how many, 2 (m - 1) unless given, where m is the size
    of the last axis. input_tensor: complex."""
    x = convert_to_tensor(input_tensor)
    (given,) = _lengths(fft_length, 1)
    n = 2 * (size_of(x, -1) - 1) if given is None else given
    return call("irfft", resized(x, n // 2 + 1, -1), to(n, np.int64), axis=-1, name=name)


def rfft2d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """`rfft` along the last axis, then `fft` along the one before. fft_length: both sizes, if other than there are."""
    rows, columns = _lengths(fft_length, 2)
    x = rfft(resized(convert_to_tensor(input_tensor), rows, -2), columns)
    return call("fft", x, axis=-2, name=name)


def irfft2d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The inverse of `rfft2d`. fft_length: both sizes of the result, of which the last may be odd."""
    rows, columns = _lengths(fft_length, 2)
    x = resized(convert_to_tensor(input_tensor), rows, -2)
    return irfft(call("fft", x, axis=-2, inverse=True), columns, name)


def fftshift(x: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """The elements moved so that the zero frequency is in the middle of each axis (all of them, or `axes`)."""
    return call("identity", shifted(convert_to_tensor(x), axes, False), name=name)


def ifftshift(x: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """What `fftshift` does, undone."""
    return call("identity", shifted(convert_to_tensor(x), axes, True), name=name)


# -- windows


def _cosine_window(a: float, window_length: Any, periodic: bool, dtype: Any, name: str | None) -> Any:
    kind = as_dtype(dtype).numpy
    length = to(convert_to_tensor(window_length), np.int64)
    even = 1 - length % 2
    whole = to(length - 1 + even if periodic else length - 1, kind)
    turns = to(call("range", 0, length, 1), kind) / call("maximum", whole, to(1, kind))
    window = a - (1 - a) * call("cos", turns * (2 * math.pi))
    return call("where", call("equal", length, 1), call("ones_like", window), window, name=name)


@switches
def hann_window(window_length: Any, periodic: bool = True, dtype: Any = float32, name: str | None = None) -> Tensor:
    """A raised cosine, 0 at its ends: for each of window_length places. periodic: the last place is left out, so that
    windows one after the other join; for spectra."""
    return _cosine_window(0.5, window_length, periodic, dtype, name)


@switches
def hamming_window(window_length: Any, periodic: bool = True, dtype: Any = float32, name: str | None = None) -> Tensor:
    """As hann_window, 0.08 at its ends."""
    return _cosine_window(0.54, window_length, periodic, dtype, name)


def kaiser_window(window_length: Any, beta: Any = 12.0, dtype: Any = float32, name: str | None = None) -> Tensor:
    """The Kaiser window of so many places. beta: how narrow it is, a number >= 0."""
    length = to(convert_to_tensor(window_length), np.float64)
    place = 2 * to(call("range", 0, to(length, np.int64), 1), np.float64) / call("maximum", length - 1, 1) - 1
    inside = call("maximum", 1 - place * place, 0)
    width = to(convert_to_tensor(beta), np.float64)
    found = bessel_i0(call("sqrt", inside) * width) / bessel_i0(width)
    found = call("where", call("equal", length, 1), call("ones_like", found), found)
    return to(call("identity", found, name=name), as_dtype(dtype).numpy)


# -- frames


@switches
def frame(
    signal: Any, frame_length: Any, frame_step: Any, pad_end: bool = False, pad_value: Any = 0, axis: int = -1,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The pieces of frame_length elements that begin at every frame_step-th: [..., n, ...] becomes [..., frames,
    frame_length, ...]. pad_end: also those that end beyond it, filled with pad_value."""
    x = convert_to_tensor(signal)
    length, step = integer_of("frame", "frame_length", frame_length), integer_of("frame", "frame_step", frame_step)
    if length < 1 or step < 1:
        raise InvalidArgumentError(f"frame: length and step are at least 1; got {length} and {step}")
    place = axis_of(x, axis, "frame")
    n = size_of(x, place)
    if pad_end:
        frames = -(-n // step)
        missing = _at_least_0((frames - 1) * step + length - n)
        widths = [[0, missing if i == place else 0] for i in range(rank_of(x, "frame"))]
        x = call("pad", x, widths, to(pad_value, x.dtype.numpy))
    else:
        frames = _at_least_0((n - length) // step + 1)
    starts = call("range", 0, to(frames, np.int64), to(1, np.int64)) * step
    places = call("expand_dims", starts, axis=1) + to(np.arange(length), np.int64)
    return call("gather", x, places, place, name=name)


def _at_least_0(n: Any) -> Any:
    return max(n, 0) if isinstance(n, int) else call("maximum", n, 0)


def overlap_and_add(signal: Any, frame_step: Any, name: str | None = None) -> Tensor:
    """Frames put together again: each begins frame_step places after the one before, and what overlaps is added.

    signal: numeric, [..., frames, frame_length]; returns [..., (frames - 1) * frame_step + frame_length].
    """
    x, step = convert_to_tensor(signal), integer_of("overlap_and_add", "frame_step", frame_step)
    rank = rank_of(x, "overlap_and_add")
    frames, length = shape_of(x, "overlap_and_add")[-2:]
    starts = call("range", 0, to(frames, np.int64), to(1, np.int64)) * step
    places = call("expand_dims", starts, axis=1) + call("range", 0, to(length, np.int64), to(1, np.int64))
    parts = call("transpose", x, [rank - 2, rank - 1, *range(rank - 2)])
    total = call("unsorted_segment_sum", parts, places, to((frames - 1) * step + length, np.int64))
    return call("transpose", total, [*range(1, rank - 1), 0], name=name)


# -- spectra of frames


def stft(
    signals: Any, frame_length: Any, frame_step: Any, fft_length: Any = None,
    window_fn: Callable[..., Any] | None = hann_window, pad_end: bool = False, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The `rfft` of each frame of real signals, times a window: [..., n] becomes [..., frames, fft_length // 2 + 1].

    fft_length: the least power of two that is not below frame_length, unless given. window_fn: called with
    frame_length and dtype=; None for none.
    """
    x = convert_to_tensor(signals)
    length = integer_of("stft", "frame_length", frame_length)
    frames = frame(x, length, frame_step, pad_end)
    if window_fn is not None:
        frames = frames * window_fn(length, dtype=x.dtype)
    return rfft(frames, _enclosing(length) if fft_length is None else fft_length, name)


def _enclosing(length: int) -> int:
    return 1 << (length - 1).bit_length()


def inverse_stft(
    stfts: Any, frame_length: Any, frame_step: Any, fft_length: Any = None,
    window_fn: Callable[..., Any] | None = hann_window, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The signals whose `stft` this is, if the windows of both add up to 1: `inverse_stft_window_fn` makes such one."""
    length = integer_of("inverse_stft", "frame_length", frame_length)
    size = _enclosing(length) if fft_length is None else fft_length
    frames = resized(irfft(stfts, size), length, -1)
    if window_fn is not None:
        frames = frames * window_fn(length, dtype=frames.dtype)
    return overlap_and_add(frames, frame_step, name)


def inverse_stft_window_fn(
    frame_step: Any, forward_window_fn: Callable[..., Any] = hann_window, name: str | None = None
) -> Callable[..., Any]:
    """The window for `inverse_stft` that undoes forward_window_fn for frames at this distance; a function of
    frame_length and dtype."""
    step = integer_of("inverse_stft_window_fn", "frame_step", frame_step)

    def window(frame_length: Any, dtype: Any = float32) -> Any:
        length = integer_of("inverse_stft_window_fn", "frame_length", frame_length)
        forward = forward_window_fn(length, dtype=dtype)
        overlaps = -(-length // step)
        squares = call("reshape", resized(forward * forward, overlaps * step, -1), [overlaps, step])
        total = call("tile", call("reduce_sum", squares, 0), [overlaps])
        return call("divide", forward, total[:length], name=name)

    return window
