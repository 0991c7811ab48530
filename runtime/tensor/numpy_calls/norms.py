"""Lengths of vectors and sizes of matrices: `np.linalg.norm`, `vector_norm`, `matrix_norm`, `cond`.

    np.linalg.norm(x, axis=1)     ->    norm(x, "euclidean", 1)
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from runtime.tensor.numpy_calls.lines import as_lines, with_ones
from runtime.tensor.numpy_calls.operands import Table, call, floating, rank_of, to
from runtime.tensor.numpy_calls.shapes import TABLE as SHAPES

__all__ = ["TABLE", "real"]

TABLE: Final = Table()

_OF_MATRICES: Final = (None, "fro", "f", "nuc", 1, -1, 2, -2, np.inf, -np.inf)


def real(x: Any) -> Any:
    """The real part of complex numbers; others as they are."""
    return call("real", x) if x.dtype.is_complex else x


@TABLE.of(np.linalg.norm)
def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    values = floating(x)
    if axis is None and ord is None:
        return real(call("norm", values, "euclidean", None, keepdims))
    axes = tuple(range(rank_of(values, "norm"))) if axis is None else axis
    axes = tuple(axes) if isinstance(axes, tuple | list) else (axes,)
    if len(axes) == 1:
        return _of_vectors(values, ord, axes[0], keepdims)
    if len(axes) != 2:
        raise ValueError("Improper number of dimensions to norm.")
    return _of_matrices(values, ord, axes, keepdims)


def _of_vectors(x: Any, ord: Any, axis: int, keepdims: bool) -> Any:
    if isinstance(ord, str):
        raise ValueError(f"Invalid norm order {ord!r} for vectors")
    if ord == 0:
        return to(call("count_nonzero", x, axis, keepdims), call("abs", x).dtype.numpy)
    return real(call("norm", x, "euclidean" if ord in (None, 2) else ord, axis, keepdims))


def _of_matrices(x: Any, ord: Any, axes: tuple[int, ...], keepdims: bool) -> Any:
    if ord not in _OF_MATRICES:
        raise ValueError("Invalid norm order for matrices.")
    if ord != "nuc":
        return real(call("norm", x, "fro" if ord in (None, "f") else ord, axes, keepdims))
    found = call("reduce_sum", call("svdvals", SHAPES[np.moveaxis](x, axes, (-2, -1))), -1)
    return with_ones(found, axes, rank_of(x, "norm")) if keepdims else found


@TABLE.of(np.linalg.vector_norm)
def _vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    values = floating(x)
    if axis is not None and not isinstance(axis, tuple | list):
        return _of_vectors(values, ord, axis, keepdims)
    lines, axes = as_lines(values, axis, "vector_norm")
    found = _of_vectors(lines, ord, -1, False)
    return with_ones(found, axes, rank_of(values, "vector_norm")) if keepdims else found


@TABLE.of(np.linalg.matrix_norm)
def _matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    return _of_matrices(floating(x), ord, (-2, -1), keepdims)


@TABLE.of(np.linalg.cond)
def _cond(x: Any, p: Any = None) -> Any:
    values = floating(x)
    if p in (None, 2, -2):
        s = call("svdvals", values)
        ends = s[..., 0], s[..., -1]
        return call("divide", *(ends[::-1] if p == -2 else ends))
    inverse = call("matrix_inverse", values)
    return np.multiply(_of_matrices(values, p, (-2, -1), False), _of_matrices(inverse, p, (-2, -1), False))
