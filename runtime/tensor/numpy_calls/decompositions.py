"""The rest of `np.linalg`: decompositions, and what is made of them: `np.linalg.svd`, `lstsq`, `pinv`, `cond`.

    np.linalg.pinv(a)     ->    v @ diag(1 / s) @ adjoint(u), of the singular values that count
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from runtime.array_errors import MatrixShapeError
from runtime.tensor.numpy_calls.algebra import TABLE as ALGEBRA
from runtime.tensor.numpy_calls.masked import ABSENT
from runtime.tensor.numpy_calls.norms import real
from runtime.tensor.numpy_calls.operands import (
    NotCovered,
    Table,
    call,
    floating,
    rank_of,
    shape_of,
    size_of,
    tensor,
    to,
    together,
)  # fmt: skip
from runtime.tensor.numpy_calls.shapes import TABLE as SHAPES
from runtime.tensor.tensor import Tensor

__all__ = ["TABLE", "adjoint", "known_shape"]

TABLE: Final = Table()

_RESULTS: Final[tuple[Any, ...]] = (np.linalg.eig, np.linalg.eigh, np.linalg.qr, np.linalg.svd, np.linalg.slogdet)
EIGEN, EIGEN_OF_SYMMETRIC, QR, SVD, SLOGDET = (type(function(np.eye(1))) for function in _RESULTS)
"""numpy's own named tuples."""


def adjoint(x: Any) -> Any:
    """The conjugate transpose of each matrix."""
    turned = SHAPES[np.matrix_transpose](x)
    return call("conj", turned) if x.dtype.is_complex else turned


def _column(x: Any) -> Any:
    return call("expand_dims", x, axis=-1)


# -- eigenvalues


def _lower(a: Any, UPLO: str) -> Any:
    """The matrices whose lower triangle is the one that is to be read."""
    if UPLO.upper() not in ("L", "U"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    x = floating(a)
    return x if UPLO.upper() == "L" else adjoint(x)


@TABLE.of(np.linalg.eigh)
def _eigh(a: Any, UPLO: str = "L") -> Any:
    values, vectors = call("eigh", _lower(a, UPLO))
    return EIGEN_OF_SYMMETRIC(real(values), vectors)


@TABLE.of(np.linalg.eigvalsh)
def _eigvalsh(a: Any, UPLO: str = "L") -> Any:
    return real(call("eigvalsh", _lower(a, UPLO)))


# -- products


@TABLE.of(np.linalg.qr)
def _qr(a: Any, mode: str = "reduced") -> Any:
    if mode not in ("reduced", "complete", "r"):
        raise NotCovered(f"mode={mode!r} has no operation; 'reduced', 'complete' and 'r' have")
    q, r = call("qr", floating(a), mode == "complete")
    return r if mode == "r" else QR(q, r)


@TABLE.of(np.linalg.svd)
def _svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    x = _whole(floating(a), hermitian)
    if not compute_uv:
        return call("svdvals", x)
    if hermitian:
        values, vectors = _eigh(x)
        order = call("argsort", np.abs(values), -1)[..., ::-1]
        values = call("take_along_axis", values, order, -1)
        u: Any = np.take_along_axis(vectors, order[..., None, :], -1)
        return SVD(u, np.abs(values), adjoint(u * to(np.copysign(1.0, values), u.dtype.numpy)[..., None, :]))
    s, u, v = call("svd", x, full_matrices)
    return SVD(u, s, adjoint(v))


def _whole(x: Any, hermitian: Any) -> Any:
    """A matrix; if it is said to be Hermitian, the one whose lower triangle it has: numpy reads nothing else."""
    return np.tril(x) + adjoint(np.tril(x, -1)) if hermitian else x


@TABLE.of(np.linalg.svdvals)
def _svdvals(x: Any, /) -> Any:
    return call("svdvals", floating(x))


@TABLE.of(np.linalg.slogdet)
def _slogdet(a: Any) -> Any:
    sign, log = call("slogdet", floating(a))
    return SLOGDET(sign, real(log))


def part_of(x: Any) -> np.dtype[Any]:
    """The dtype of the size of an element."""
    return np.dtype(np.finfo(x.dtype.numpy).dtype)


def _precision(x: Any) -> Any:
    """What relative size of a singular value numpy does not tell from zero."""
    rows, columns = size_of(x, -2), size_of(x, -1)
    known = isinstance(rows, int) and isinstance(columns, int)
    size = max(rows, columns) if known else call("maximum", *together(rows, columns))
    return np.multiply(to(size, part_of(x)), np.finfo(part_of(x)).eps)


def _wide(limit: Any) -> Any:
    """A limit for each matrix, beside its singular values."""
    limit = tensor(limit)
    return _column(limit) if rank_of(limit, "linalg") else limit


@TABLE.of(np.linalg.pinv)
def _pinv(a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = ABSENT) -> Any:
    x = _whole(floating(a), hermitian)
    relative = rcond if rcond is not None else 1e-15 if rtol is ABSENT else rtol
    return call("pseudo_inverse", x, _precision(x) if relative is None else to(relative, part_of(x)))


@TABLE.of(np.linalg.matrix_rank)
def _matrix_rank(A: Any, tol: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Any:
    x = tensor(A)
    if rank_of(x, "matrix_rank") < 2:
        return to(call("reduce_any", to(x, np.bool_)), np.int64)
    x = _whole(floating(x), hermitian)
    s = call("svdvals", x)
    if tol is None:
        tol = np.multiply(call("reduce_max", s, -1), _precision(x) if rtol is None else tensor(rtol))
    return call("count_nonzero", np.greater(s, _wide(tol)), -1)


@TABLE.of(np.linalg.lstsq)
def _lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    x, right = together(floating(a), floating(b))
    if rank_of(x, "lstsq") != 2:
        raise MatrixShapeError(f"{rank_of(x, 'lstsq')}-dimensional array given. Array must be two-dimensional")
    vector = rank_of(right, "lstsq") == 1
    columns = _column(right) if vector else right
    if not isinstance(rcond, Tensor) and rcond == -1:
        rcond = np.finfo(part_of(x)).eps
    relative = _precision(x) if rcond is None else to(rcond, part_of(x))
    s = call("svdvals", x)
    rank = call("count_nonzero", np.greater(s, np.multiply(s[0], relative)))
    found = call("matmul", call("pseudo_inverse", x, relative), columns)
    rest = _residuals(x, columns, found, rank)
    return (call("squeeze", found, axis=[1]) if vector else found), rest, to(rank, np.int32), s


def _residuals(x: Any, right: Any, found: Any, rank: Any) -> Any:
    """The squared lengths of what is left; none at all where numpy has none: it depends on the rank."""
    left = call("subtract", right, call("matmul", x, found))
    squares = call("reduce_sum", call("square", call("abs", left)), 0)
    rows, columns = (to(size, np.int64) for size in shape_of(x))
    there = np.logical_and(np.equal(rank, columns), np.greater(rows, columns))
    return squares[: np.multiply(to(there, np.int64), size_of(squares, 0))]


@TABLE.of(np.linalg.eig)
def _eig(a: Any) -> Any:
    return EIGEN(*call("eig", floating(a)))


@TABLE.of(np.linalg.eigvals)
def _eigvals(a: Any) -> Any:
    return call("eigvals", floating(a))


# -- equations of tensors


def known_shape(x: Any, name: str) -> tuple[int, ...]:
    """All sizes as Python integers. Raises NotCovered where one of them is not known."""
    if not x.shape.is_fully_defined():
        raise NotCovered(f"{name} needs to know the shape: fix it with set_shape or an input_signature")
    dims: tuple[int, ...] = x.shape.as_tuple()
    return dims


@TABLE.of(np.linalg.tensorsolve)
def _tensorsolve(a: Any, b: Any, axes: Any = None) -> Any:
    x, right = together(floating(a), floating(b))
    rank = rank_of(x, "tensorsolve")
    if axes is not None:
        last = [axis % rank for axis in axes]
        x = call("transpose", x, [*(place for place in range(rank) if place not in last), *last])
    unknown = known_shape(x, "tensorsolve")[rank_of(right, "tensorsolve") :]
    n = math.prod(unknown)
    solved = call("matrix_solve", call("reshape", x, [n, n]), call("reshape", right, [n, 1]))
    return call("reshape", solved, list(unknown))


@TABLE.of(np.linalg.tensorinv)
def _tensorinv(a: Any, ind: int = 2) -> Any:
    x = floating(a)
    dims = known_shape(x, "tensorinv")
    n = math.prod(dims[ind:])
    if math.prod(dims[:ind]) != n:
        raise MatrixShapeError(f"the first {ind} sizes of {x.shape} and the others are not those of a square matrix")
    return call("reshape", call("matrix_inverse", call("reshape", x, [n, n])), [*dims[ind:], *dims[:ind]])


# -- under the names of the array API


def _last_two(function: Any) -> Callable[..., Any]:
    return lambda x, /, *, offset=0, **kwargs: SHAPES[function](x, offset, -2, -1, **kwargs)


@TABLE.of(np.linalg.cross)
def _cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    return ALGEBRA[np.cross](x1, x2, axis=axis)


@TABLE.of(np.linalg.vecdot)
def _vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    x, y = (SHAPES[np.moveaxis](tensor(value), axis, -1) for value in (x1, x2))
    return np.vecdot(x, y)


TABLE.update(
    {
        np.linalg.diagonal: _last_two(np.diagonal), np.linalg.trace: _last_two(np.trace),
        np.linalg.outer: lambda x1, x2, /: ALGEBRA[np.outer](x1, x2),
        np.linalg.tensordot: lambda x1, x2, /, *, axes=2: ALGEBRA[np.tensordot](x1, x2, axes),
        np.linalg.matmul: lambda x1, x2, /: np.matmul(tensor(x1), x2),
        np.linalg.matrix_transpose: lambda x, /: SHAPES[np.matrix_transpose](x),
    }
)  # fmt: skip
