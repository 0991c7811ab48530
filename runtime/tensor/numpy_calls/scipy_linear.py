"""SciPy's linear algebra on arrays and tensors: `scipy.linalg.cholesky(a)` is NumPy's of the other triangle.

    scipy.linalg.solve(a, b, assume_a="pos")     ->     solve, of the matrix whose upper triangle is that of a

The parameters are SciPy's. Whether SciPy may overwrite an operand, and looks for nan in it, changes no result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from runtime.tensor.numpy_calls.decompositions import adjoint, known_shape
from runtime.tensor.numpy_calls.operands import NotCovered, call, floating, rank_of, tensor, to, together
from runtime.tensor.numpy_calls.shapes import TABLE as SHAPES

__all__ = ["FUNCTIONS", "INSTEAD"]


def _without(**given: Any) -> None:
    """Refuses arguments that have no operation."""
    asked = [f"`{name}`" for name, value in given.items() if value is not None and value is not False]
    if asked:
        raise NotCovered(f"its argument {' and '.join(asked)} has no operation")


# -- equations


def _of_triangle(x: Any, lower: bool, turned: Callable[[Any], Any]) -> Any:
    """The symmetric or Hermitian matrix that has this triangle."""
    return np.tril(x) + turned(np.tril(x, -1)) if lower else np.triu(x) + turned(np.triu(x, 1))


_KINDS: Final[Mapping[str, Callable[[Any, bool], Any]]] = {
    **dict.fromkeys(("gen", "general", "diagonal", "tridiagonal", "banded"), lambda x, lower: x),
    **dict.fromkeys(("sym", "symmetric"), lambda x, lower: _of_triangle(x, lower, SHAPES[np.matrix_transpose])),
    **dict.fromkeys(
        ("her", "hermitian", "pos", "positive definite"), lambda x, lower: _of_triangle(x, lower, adjoint)
    ),
    "upper triangular": lambda x, lower: np.triu(x), "lower triangular": lambda x, lower: np.tril(x),
}  # fmt: skip
"""What SciPy reads of a matrix of which the program says what it is."""


def _assumed(a: Any, kind: Any, lower: bool) -> Any:
    x = floating(a)
    if kind is None:
        return x
    if kind not in _KINDS:
        raise ValueError(f"{kind} is not a recognized matrix structure")
    return _KINDS[kind](x, lower)


def _inv(
    a: Any, overwrite_a: bool = False, check_finite: bool = True, *, assume_a: Any = None, lower: bool = False
) -> Any:
    return np.linalg.inv(_assumed(a, assume_a, lower))


def _det(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    x = floating(a)
    return np.linalg.det(to(x, np.complex128 if x.dtype.is_complex else np.float64))  # as SciPy


def _solve(
    a: Any, b: Any, lower: bool = False, overwrite_a: bool = False, overwrite_b: bool = False,
    check_finite: bool = True, assume_a: Any = None, transposed: bool = False,
) -> Any:  # fmt: skip
    x = _assumed(a, assume_a, lower)
    if transposed and x.dtype.is_complex:
        raise NotCovered("its argument `transposed` has no operation for complex numbers")
    return np.linalg.solve(SHAPES[np.matrix_transpose](x) if transposed else x, b)


def _of_triangles(steps: Any, b: Any) -> Any:
    """Solves for triangular matrices, one after the other. steps: each, whether it is lower, and its adjoint meant."""
    found = b
    for matrix, lower, of_adjoint in steps:
        x, found = together(matrix, found)
        is_vector = rank_of(found, "solve_triangular") == 1
        right = call("expand_dims", found, axis=-1) if is_vector else found
        found = call("triangular_solve", x, right, lower=lower, adjoint=of_adjoint)
        found = call("squeeze", found, axis=[-1]) if is_vector else found
    return found


def _solve_triangular(
    a: Any, b: Any, trans: Any = 0, lower: bool = False, unit_diagonal: bool = False, overwrite_b: bool = False,
    check_finite: bool = True,
) -> Any:  # fmt: skip
    x = floating(a)
    if unit_diagonal:
        sizes = known_shape(x, "solve_triangular")
        x = (np.tril(x, -1) if lower else np.triu(x, 1)) + np.eye(sizes[-1], dtype=x.dtype.numpy)
    if trans in (1, "T") and x.dtype.is_complex:
        x = call("conj", x)
    return _of_triangles([(x, bool(lower), trans not in (0, "N"))], floating(b))


def _cholesky(a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    return np.linalg.cholesky(floating(a), upper=not lower)


def _cho_solve(c_and_lower: Any, b: Any, overwrite_b: bool = False, check_finite: bool = True) -> Any:
    factor, lower = floating(c_and_lower[0]), bool(c_and_lower[1])
    return _of_triangles([(factor, lower, not lower), (factor, lower, lower)], floating(b))


def _lstsq(
    a: Any, b: Any, cond: Any = None, overwrite_a: bool = False, overwrite_b: bool = False, check_finite: bool = True,
    lapack_driver: Any = None,
) -> Any:  # fmt: skip
    x = floating(a)
    return np.linalg.lstsq(x, b, rcond=np.finfo(x.dtype.numpy).eps if cond is None else cond)


def _pinv(a: Any, *, atol: Any = None, rtol: Any = None, return_rank: bool = False, check_finite: bool = True) -> Any:
    _without(atol=atol, return_rank=return_rank)
    return np.linalg.pinv(floating(a), rtol=rtol)


# -- decompositions


def _qr(
    a: Any, overwrite_a: bool = False, lwork: Any = None, mode: str = "full", pivoting: bool = False,
    check_finite: bool = True,
) -> Any:  # fmt: skip
    _without(pivoting=pivoting, mode="raw" if mode == "raw" else None)
    q, r = np.linalg.qr(floating(a), mode="reduced" if mode == "economic" else "complete")
    return (r,) if mode == "r" else (q, r)


def _svd(
    a: Any, full_matrices: bool = True, compute_uv: bool = True, overwrite_a: bool = False, check_finite: bool = True,
    lapack_driver: str = "gesdd",
) -> Any:  # fmt: skip
    return tuple(np.linalg.svd(floating(a), full_matrices)) if compute_uv else np.linalg.svdvals(floating(a))


def _svdvals(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    return np.linalg.svdvals(floating(a))


def _eigh(
    a: Any, b: Any = None, *, lower: bool = True, eigvals_only: bool = False, overwrite_a: bool = False,
    overwrite_b: bool = False, type: int = 1, check_finite: bool = True, subset_by_index: Any = None,
    subset_by_value: Any = None, driver: Any = None,
) -> Any:  # fmt: skip
    _without(b=b, subset_by_index=subset_by_index, subset_by_value=subset_by_value)
    triangle: Any = "L" if lower else "U"
    if eigvals_only:
        return np.linalg.eigvalsh(floating(a), triangle)
    return tuple(np.linalg.eigh(floating(a), triangle))


def _eigvalsh(a: Any, b: Any = None, **given: Any) -> Any:
    return _eigh(a, b, eigvals_only=True, **given)


def _eig(
    a: Any, b: Any = None, left: bool = False, right: bool = True, overwrite_a: bool = False, overwrite_b: bool = False,
    check_finite: bool = True, homogeneous_eigvals: bool = False,
) -> Any:  # fmt: skip
    _without(b=b, left=left, homogeneous_eigvals=homogeneous_eigvals)
    return tuple(np.linalg.eig(floating(a))) if right else np.linalg.eigvals(floating(a))


def _eigvals(
    a: Any, b: Any = None, overwrite_a: bool = False, check_finite: bool = True, homogeneous_eigvals: bool = False
) -> Any:
    return _eig(a, b, right=False, homogeneous_eigvals=homogeneous_eigvals)


# -- the rest


def _norm(a: Any, ord: Any = None, axis: Any = None, keepdims: bool = False, check_finite: bool = True) -> Any:
    return np.linalg.norm(floating(a), ord, axis, keepdims)


def _block_diag(*arrs: Any) -> Any:
    blocks = together(*(np.atleast_2d(tensor(block)) for block in arrs))
    sizes = [known_shape(block, "block_diag") for block in blocks]
    width, rows, before = sum(size[1] for size in sizes), [], 0
    for block, (_, columns) in zip(blocks, sizes, strict=True):
        rows.append(np.pad(block, ((0, 0), (before, width - before - columns))))
        before += columns
    return np.concatenate(rows)


def _toeplitz(c: Any, r: Any = None) -> Any:
    column = SHAPES[np.ravel](tensor(c))
    row = (call("conj", column) if column.dtype.is_complex else column) if r is None else SHAPES[np.ravel](tensor(r))
    (rows,), (columns,) = known_shape(column, "toeplitz"), known_shape(row, "toeplitz")
    values = np.concatenate(together(column[::-1], row[1:]))
    return np.take(values, rows - 1 + np.arange(columns) - np.arange(rows)[:, None])


FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "inv": _inv, "det": _det, "solve": _solve, "solve_triangular": _solve_triangular, "cholesky": _cholesky,
    "cho_solve": _cho_solve, "lstsq": _lstsq, "pinv": _pinv, "qr": _qr, "svd": _svd, "svdvals": _svdvals,
    "eigh": _eigh, "eigvalsh": _eigvalsh, "eig": _eig, "eigvals": _eigvals, "norm": _norm,
    "block_diag": _block_diag, "toeplitz": _toeplitz,
}  # fmt: skip
"""By the name of a function what it is made of."""

_SOLVE: Final = "scipy.linalg.solve is recorded, and scipy.linalg.cho_solve((scipy.linalg.cholesky(a), False), b)"
_SPECTRUM: Final = "of a symmetric matrix: w, v = np.linalg.eigh(a); (v * f(w)) @ v.T"

INSTEAD: Final[Mapping[str, str]] = {
    **dict.fromkeys(("cho_factor", "lu", "lu_factor", "lu_solve", "solveh_banded", "solve_banded"), _SOLVE),
    **dict.fromkeys(("expm", "logm", "sqrtm", "funm", "fractional_matrix_power"), _SPECTRUM),
    "circulant": "scipy.linalg.toeplitz(c, np.roll(c[::-1], 1))", "pinvh": "np.linalg.pinv(a, hermitian=True)",
    "hankel": "scipy.linalg.toeplitz of the flipped column, flipped", "khatri_rao": "np.einsum",
}  # fmt: skip
"""What to take in the place of others."""
