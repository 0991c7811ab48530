"""`np.lib.stride_tricks.as_strided` of traced arrays: views whose strides the program says.

    w = as_strided(a, (3, 2), (8, 8))     # windows: several elements of w are one element of a
    w[0, 1] = x                           # written to a[1], and seen in w[1, 0]

What the run writes to all of such windows at once has several values for one element: that is refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view

from autograph.errors import StagingError
from runtime.ndarrays.buffer import Buffer
from runtime.ndarrays.layout import laid_out
from runtime.ndarrays.steps import Flat, Positions, ReadOnly, unchanged
from runtime.ndarrays.traced import TracedArray
from runtime.ndarrays.views import VIEWS

__all__ = ["STRIDED"]

_KNOWN: Final = "needs to know where the elements lie: pass an array in C order of a known shape (np.ascontiguousarray)"


def _as_strided(
    x: Any, shape: Any = None, strides: Any = None, subok: bool = False, writeable: bool = True, **others: Any
) -> Any:
    if not isinstance(x, TracedArray):
        raise TypeError(
            "as_strided of a tensor: a tensor has no memory of its own. Take slices, or"
            " np.lib.stride_tricks.sliding_window_view, or pass an array"
        )
    layout = x.layout
    if layout is None:
        raise StagingError(f"as_strided {_KNOWN}")
    size = x.dtype.size
    wanted = tuple(np.atleast_1d(layout.shape if shape is None else shape).tolist())
    usual = [stride * size for stride in layout.strides]
    steps = tuple(np.atleast_1d(usual if strides is None else strides).tolist())
    if any(step % size for step in steps):
        raise StagingError(
            f"as_strided with strides of {steps} bytes: an element of {x.dtype.name} has {size}; give multiples of that"
        )
    return _strided(x, wanted, tuple(step // size for step in steps), writeable)


def _strided(x: TracedArray, shape: tuple[int, ...], strides: tuple[int, ...], writeable: bool) -> TracedArray:
    """The view. strides: in elements."""
    first, count = _first_of(x)
    step = Positions.at(first, shape, strides)
    if step.numbers.size and not (step.numbers.min() >= 0 and step.numbers.max() < count):
        raise StagingError(
            "as_strided would reach memory outside of the array, of which nobody knows what it is: give a shape and"
            " strides that stay inside"
        )
    made = TracedArray(x.buffer, (step,), laid_out(shape, strides))
    return made if writeable else made.through(ReadOnly(unchanged, "as_strided"), layout=made.layout)


def _first_of(x: TracedArray) -> tuple[int, int]:
    """The number of the first element of a view in its memory, and how many that has."""
    buffer = x.buffer
    shape = TracedArray(buffer).shape
    is_usual = buffer.layout is None or buffer.layout.flags.c_contiguous
    is_known = shape.is_fully_defined() and is_usual and not any(isinstance(step, Flat) for step in x.steps)
    dims = shape.as_tuple() if is_known else ()
    numbers = TracedArray(Buffer(np.arange(math.prod(dims)).reshape(dims)), x.steps).known() if is_known else None
    if numbers is None:
        raise StagingError(f"as_strided {_KNOWN}")
    return int(numbers.flat[0]) if numbers.size else 0, math.prod(dims)


def _sliding_window_view(x: Any, *args: Any, writeable: bool = False, **kwargs: Any) -> Any:
    if not writeable or not isinstance(x, TracedArray) or x.layout is None:
        return VIEWS[sliding_window_view](x, *args, **kwargs) if isinstance(x, TracedArray) else sliding_window_view(
            x, *args, writeable=writeable, **kwargs)  # fmt: skip
    made = sliding_window_view(x.layout, *args, **kwargs)
    return _strided(x, made.shape, made.strides, True)


STRIDED: Final[dict[Any, Callable[..., Any]]] = {as_strided: _as_strided, sliding_window_view: _sliding_window_view}
"""What stands for numpy's own."""
