"""numpy's functions that give their argument back, or a view of it, where there is nothing to compute.

    np.real_if_close(a)            a itself, of reals
    np.diff(a, n=0)                a itself
    np.einsum("ii->i", a)          the diagonal, which can be written to
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from runtime.ndarrays.layout import known_layout
from runtime.ndarrays.steps import Permute, Positions
from runtime.ndarrays.traced import TracedArray, fresh
from runtime.ndarrays.views import VIEWS
from runtime.tensor.numpy_calls.creation import SCALARS
from runtime.tensor.numpy_calls.elements import TABLE
from runtime.tensor.numpy_calls.operands import rank_of
from runtime.tensor.numpy_calls.polynomials import ends_without_zeros

__all__ = ["view_by_einsum"]


@VIEWS.of(np.real_if_close)
def _real_if_close(a: TracedArray, tol: Any = 100) -> Any:
    return NotImplemented if a.dtype.is_complex else a


@VIEWS.of(np.asarray_chkfinite)
def _asarray_chkfinite(a: TracedArray, dtype: Any = None, order: Any = None) -> Any:
    checked = TABLE[np.asarray_chkfinite](a.value(), dtype, order)
    return a if checked.dtype is a.dtype and order is None else fresh(checked)


@VIEWS.of(np.trim_zeros)
def _trim_zeros(filt: TracedArray, trim: str = "fb", axis: Any = None) -> Any:
    start, stop = ends_without_zeros(filt.value(), trim)
    return filt[start:stop]


@VIEWS.of(np.diff)
def _diff(a: TracedArray, n: Any = 1, *args: Any, **kwargs: Any) -> Any:
    return a if type(n) is int and n == 0 else NotImplemented


@VIEWS.of(np.meshgrid)
def _meshgrid(*xi: Any, copy: bool = True, **kwargs: Any) -> Any:
    if not copy:
        raise TypeError("np.meshgrid(..., copy=False) gives views that a graph has not: a.reshape(-1, 1) is one")
    return NotImplemented


@VIEWS.of(np.linalg.matrix_power)
def _matrix_power(a: TracedArray, n: Any) -> Any:
    return a if type(n) is int and n == 1 else NotImplemented


if hasattr(np, "astype"):  # since numpy 2.1

    @VIEWS.of(np.astype)
    def _astype(x: TracedArray, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Any:
        return x.astype(dtype, copy=copy)


def _of_type(kind: Any) -> Callable[[TracedArray], Any]:
    """`np.float64(a)`, which is the array itself where it has this dtype."""
    return lambda a: a if a.dtype == kind and rank_of(a, kind.__name__) else a.astype(kind)


VIEWS.update({kind: _of_type(kind) for kind in SCALARS})


def view_by_einsum(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """The view that np.einsum gives of one array of which nothing is added up; else None."""
    if len(args) != 2 or not isinstance(args[0], str) or not isinstance(args[1], TracedArray) or "out" in kwargs:
        return None
    equation, array = args
    axes = np.zeros((2,) * rank_of(array, "einsum"), np.bool_)
    view = np.einsum(equation, axes)
    if not np.shares_memory(view, axes):
        return None
    if view.ndim == axes.ndim:
        order = tuple(axes.strides.index(stride) for stride in view.strides)
        return array.through(Permute(order), layout=None if array.layout is None else array.layout.transpose(order))
    layout = known_layout(array, f"np.einsum({equation!r}, a)")
    numbers = np.arange(layout.size).reshape(layout.shape)
    return array.through(Positions.of(np.einsum(equation, numbers), numbers), layout=np.einsum(equation, layout))
