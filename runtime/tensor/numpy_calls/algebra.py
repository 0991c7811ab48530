"""Products of vectors and matrices: `np.dot`, `np.outer`, `np.einsum`, `np.kron`, `np.linalg.norm`, `np.linalg.solve`.

    np.dot(x, y)      (n, k), (k,)   ->   tensordot(x, y, ([1], [0])), in the dtype that numpy promotes them to
"""

from __future__ import annotations

import functools
import string
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from runtime.array_errors import MatrixShapeError
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
from runtime.tensor.numpy_calls.reductions import flat
from runtime.tensor.numpy_calls.shapes import TABLE as SHAPES

__all__ = ["TABLE"]

TABLE: Final = Table()


def _product(compute: Callable[..., Any]) -> Callable[..., Any]:
    """A product of two operands in numpy's dtype: one of bools is done in integers, where it is not 0."""

    def product(a: Any, b: Any, *rest: Any) -> Any:
        x, y = together(a, b)
        if not x.dtype.is_bool:
            return compute(x, y, *rest)
        return call("not_equal", compute(to(x, np.int64), to(y, np.int64), *rest), 0)

    return product


@_product
def _contract(x: Any, y: Any, axes: Any) -> Any:
    return call("tensordot", x, y, axes=axes)


@_product
def _multiply(x: Any, y: Any) -> Any:
    return call("multiply", x, y)


@TABLE.of(np.dot)
def _dot(a: Any, b: Any, out: Any = None) -> Any:
    x, y = tensor(a), tensor(b)
    ranks = rank_of(x, "dot"), rank_of(y, "dot")
    if 0 in ranks:
        return np.multiply(x, y)
    return _contract(a, b, ([ranks[0] - 1], [max(ranks[1] - 2, 0)]))


@TABLE.of(np.inner)
def _inner(a: Any, b: Any, /) -> Any:
    x, y = tensor(a), tensor(b)
    ranks = rank_of(x, "inner"), rank_of(y, "inner")
    return np.multiply(x, y) if 0 in ranks else _contract(a, b, ([ranks[0] - 1], [ranks[1] - 1]))


@TABLE.of(np.outer)
def _outer(a: Any, b: Any, out: Any = None) -> Any:
    x, y = flat(tensor(a)), flat(tensor(b))
    return np.multiply(call("expand_dims", x, axis=1), y)


@TABLE.of(np.vdot)
def _vdot(a: Any, b: Any, /) -> Any:
    x, y = flat(tensor(a)), flat(tensor(b))
    return _contract(call("conj", x) if x.dtype.is_complex else x, y, 1)


@TABLE.of(np.tensordot)
def _tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    return _contract(a, b, axes)


@TABLE.of(np.einsum)
def _einsum(subscripts: Any, /, *operands: Any, optimize: Any = False) -> Any:
    if not isinstance(subscripts, str):
        subscripts, *operands = _as_text(subscripts, *operands)  # type: ignore[assignment]
    equation = subscripts.replace(" ", "")
    if "->" not in equation:
        letters = equation.replace(",", "").replace("...", "")
        free = "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
        equation += f"->{'...' if '...' in equation else ''}{free}"
    tensors = together(*operands)
    if tensors[0].dtype.is_bool:  # products are `and`, sums are `or`
        counted = call("einsum", [to(x, np.int64) for x in tensors], equation=equation)
        return call("not_equal", counted, 0)
    return call("einsum", tensors, equation=equation)


@TABLE.of(np.einsum_path)
def _einsum_path(subscripts: Any, /, *operands: Any, optimize: Any = "greedy", einsum_call: bool = False) -> Any:
    """numpy's own, which looks at nothing but the shapes."""
    values = [subscripts, *operands]
    for place, value in enumerate(values):
        if hasattr(type(value), "get_shape"):
            if not value.shape.is_fully_defined():
                raise NotCovered("the shapes must be known")
            values[place] = np.broadcast_to(np.float64(0), value.shape.as_tuple())
    return np.einsum_path(*values, optimize=optimize)


def _as_text(*arguments: Any) -> list[Any]:
    """Operands that each come with a list of the numbers of its axes; at the end there may be one for the result."""
    result = arguments[-1] if len(arguments) % 2 else None
    pairs = len(arguments) // 2
    sides = [_letters(arguments[2 * i + 1]) for i in range(pairs)]
    equation = ",".join(sides) + ("" if result is None else f"->{_letters(result)}")
    return [equation, *(arguments[2 * i] for i in range(pairs))]


def _letters(axes: Any) -> str:
    letters = string.ascii_uppercase + string.ascii_lowercase
    return "".join("..." if axis is Ellipsis else letters[axis] for axis in axes)


@TABLE.of(np.kron)
def _kron(a: Any, b: Any) -> Any:
    x, y = together(a, b)
    rank = max(rank_of(x, "kron"), rank_of(y, "kron"))
    sizes = []
    for part in (x, y):
        shape = shape_of(part, "kron")
        sizes.append([1] * (rank - len(shape)) + list(shape))
    left = call("reshape", x, [n for size in sizes[0] for n in (size, 1)])
    right = call("reshape", y, [n for size in sizes[1] for n in (1, size)])
    return call("reshape", _multiply(left, right), [n * m for n, m in zip(*sizes, strict=True)])


@TABLE.of(np.cross)
def _cross(a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None) -> Any:
    x, y = together(a, b)
    if axis is not None:
        axisa = axisb = axisc = axis
    x, y = SHAPES[np.moveaxis](x, axisa, -1), SHAPES[np.moveaxis](y, axisb, -1)
    sizes = size_of(x, -1), size_of(y, -1)
    if any(isinstance(size, int) and size not in (2, 3) for size in sizes):
        raise ValueError(f"incompatible dimensions for cross product (dimension must be 2 or 3): {sizes}")
    if not all(isinstance(size, int) for size in sizes):
        raise NotCovered("the vectors must be known to have 2 or 3 elements")
    (a0, a1, a2), (b0, b1, b2) = (_three(v, n) for v, n in zip((x, y), sizes, strict=True))
    last = call("subtract", call("multiply", a0, b1), call("multiply", a1, b0))
    if sizes == (2, 2):
        return last
    parts = [(a1, b2, a2, b1), (a2, b0, a0, b2)]
    made = [call("subtract", call("multiply", p, q), call("multiply", r, s)) for p, q, r, s in parts]
    return SHAPES[np.moveaxis](call("stack", [*made, last], -1), -1, axisc)


def _three(v: Any, size: int) -> list[Any]:
    """The parts of vectors, of which the third may be 0."""
    parts = [v[..., i] for i in range(size)]
    return parts if size == 3 else [*parts, call("zeros_like", parts[0])]


# -- np.linalg -------------------------------------------------------------------------------------------------------


def _of_matrices(name: str) -> Callable[..., Any]:
    return lambda a: call(name, floating(a))


TABLE.update(
    {
        np.linalg.inv: _of_matrices("matrix_inverse"), np.linalg.det: _of_matrices("matrix_determinant"),
    }
)  # fmt: skip


@TABLE.of(np.linalg.cholesky)
def _cholesky(a: Any, /, *, upper: bool = False) -> Any:
    """Of the lower triangle, or of the upper one, which is then that of the result."""
    x = floating(a)
    if not upper:
        return call("cholesky", x)
    found = SHAPES[np.matrix_transpose](call("cholesky", SHAPES[np.matrix_transpose](x)))
    return found


@TABLE.of(np.linalg.solve)
def _solve(a: Any, b: Any) -> Any:
    matrix, right = together(floating(a), floating(b))
    if rank_of(right, "linalg.solve") > 1:
        return call("matrix_solve", matrix, right)
    return call("squeeze", call("matrix_solve", matrix, call("expand_dims", right, axis=1)), -1)


def _square(x: Any) -> Any:
    """Matrices of one size in both directions. Raises numpy's error for others."""
    dims = x.shape.dims
    if dims is not None and (len(dims) < 2 or (None not in dims[-2:] and dims[-1] != dims[-2])):
        raise MatrixShapeError(f"square matrices are needed; got the shape {x.shape}")
    return x


@TABLE.of(np.linalg.matrix_power)
def _matrix_power(a: Any, n: int) -> Any:
    x = _square(tensor(a))
    if n < 0:
        x, n = call("matrix_inverse", floating(x)), -n
    if n == 0:
        rows = size_of(x, -1)
        identity = call("eye", rows, rows, dtype=x.dtype)
        return call("broadcast_to", identity, call("shape", x))
    result = None
    while n:
        if n & 1:
            result = x if result is None else call("matmul", result, x)
        n >>= 1
        if n:
            x = call("matmul", x, x)
    return result


@TABLE.of(np.linalg.multi_dot)
def _multi_dot(arrays: Any, *, out: Any = None) -> Any:
    if len(arrays) < 2:
        raise ValueError("Expecting at least two arrays.")
    return functools.reduce(_dot, arrays)
