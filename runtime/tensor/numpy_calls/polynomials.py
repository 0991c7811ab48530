"""Polynomials as vectors of coefficients, the highest power first: `np.polyval`, `np.polyfit`, `np.roots`, ...

    np.polyval([a, b, c], x)     ->     (a * x + b) * x + c

Zeros that lead are left out where numpy leaves them out: only the run knows how many.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from runtime.tensor.numpy_calls.decompositions import TABLE as DECOMPOSITIONS
from runtime.tensor.numpy_calls.operands import (
    NotCovered,
    Table,
    call,
    checked,
    floating,
    operand,
    rank_of,
    result_type,
    size_of,
    tensor,
    to,
    together,
)  # fmt: skip
from runtime.tensor.numpy_calls.reductions import flat
from runtime.tensor.numpy_calls.shapes import at_least, steps
from runtime.tensor.tensor import Tensor

__all__ = ["TABLE", "ends_without_zeros"]

TABLE: Final = Table()


def _coefficients(p: Any) -> Any:
    """A vector, or a number as one of length 1."""
    return at_least(tensor(p), 1)


@TABLE.of(np.polyval)
def _polyval(p: Any, x: Any) -> Any:
    point = operand(x)
    weights = _coefficients(p)
    dtype = result_type(weights, point) if isinstance(point, Tensor) else result_type(weights, np.asarray(point))
    weights, place = to(weights, dtype), to(point, dtype)
    count = size_of(weights, 0)
    if not isinstance(count, int):
        powers = call("subtract", to(count, np.int64) - 1, steps(count))
        terms = call("multiply", weights, call("pow", call("expand_dims", place, axis=-1), to(powers, dtype)))
        return call("reduce_sum", terms, -1)
    is_number = np.dtype(dtype).kind == "c" and rank_of(place, "polyval") == 0
    place = call("reshape", place, [1]) if is_number else place  # numpy computes with arrays, which are rounded so
    found = call("zeros_like", place)
    for i in range(count):
        found = call("add", call("multiply", found, place), weights[i])
    return call("reshape", found, []) if is_number else found


def _of_one_length(a1: Any, a2: Any) -> list[Any]:
    """Both with zeros before the highest power of the shorter one."""
    parts = together(_coefficients(a1), _coefficients(a2))
    sizes = [size_of(x, 0) for x in parts]
    if all(isinstance(n, int) for n in sizes):
        missing = [max(sizes) - n for n in sizes]
    else:
        lengths = [to(n, np.int64) for n in sizes]
        longest = call("maximum", *lengths)
        missing = [call("subtract", longest, n) for n in lengths]
    return [call("pad", x, [[n, 0]], to(0, x.dtype.numpy)) for x, n in zip(parts, missing, strict=True)]


TABLE[np.polyadd] = lambda a1, a2: np.add(*_of_one_length(a1, a2))
TABLE[np.polysub] = lambda a1, a2: np.subtract(*_of_one_length(a1, a2))


def _first_of(mask: Any) -> Any:
    """The place of the first true element; the number of elements where there is none."""
    marked = call("concat", [mask, to([True], np.bool_)], axis=0)
    return call("argmax", to(marked, np.uint8), 0)


def _without_leading_zeros(x: Any) -> Any:
    """At least one coefficient is left."""
    last = to(size_of(x, 0), np.int64) - 1
    return x[call("minimum", _first_of(call("not_equal", x, 0)), last) :]


@TABLE.of(np.polymul)
def _polymul(a1: Any, a2: Any) -> Any:
    return np.convolve(_without_leading_zeros(_coefficients(a1)), _without_leading_zeros(_coefficients(a2)))


@TABLE.of(np.polydiv)
def _polydiv(u: Any, v: Any) -> tuple[Any, Any]:
    rest, divisor = together(floating(_coefficients(u)), floating(_coefficients(v)))
    m, n = size_of(rest, 0) - 1, size_of(divisor, 0) - 1
    if not (isinstance(m, int) and isinstance(n, int)):
        raise NotCovered("polydiv needs to know the numbers of coefficients")
    quotient = []
    for k in range(m - n + 1):
        quotient.append(call("divide", rest[k], divisor[0]))
        part = call("multiply", quotient[-1], divisor)
        rest = call("subtract", rest, call("pad", part, [[k, m - n - k]], to(0, rest.dtype.numpy)))
    found = call("stack", quotient) if quotient else call("zeros_like", rest[:1])
    size = call("abs", rest)
    kept = call("minimum", _first_of(call("greater", size, 1e-8)), m)  # as np.allclose(rest[0], 0) says
    return found, rest[kept:]


@TABLE.of(np.polyder)
def _polyder(p: Any, m: int = 1) -> Any:
    if m < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    x = _coefficients(p)
    for _ in range(m):
        x = np.multiply(x[:-1], call("reverse", steps(size_of(x, 0)), axis=[0])[:-1])
    return x


@TABLE.of(np.polyint)
def _polyint(p: Any, m: int = 1, k: Any = None) -> Any:
    if m < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    x = _coefficients(p)
    constants = np.zeros(m) if k is None else at_least(tensor(k), 1)
    if np.shape(constants)[0] not in (1, m):
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or m.")
    for i in range(m):
        powers = call("add", call("reverse", steps(size_of(x, 0)), axis=[0]), 1)
        last = constants[i : i + 1] if np.shape(constants)[0] == m else constants
        x = np.concatenate([np.true_divide(x, powers), last])
    return x


@TABLE.of(np.vander)
def _vander(x: Any, N: Any = None, increasing: bool = False) -> Any:
    values = tensor(x)
    if rank_of(values, "vander") != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    values = to(values, np.result_type(values.dtype.numpy, np.int64))
    rows = size_of(values, 0)
    columns = rows if N is None else N
    column = call("expand_dims", values, axis=1)
    first = call("ones_like", column)
    factors = call("broadcast_to", column, [rows, columns])
    found = call("cumprod", call("concat", [first, factors], axis=1), 1)[:, :columns]
    return found if increasing else call("reverse", found, axis=[1])


@TABLE.of(np.poly)
def _poly(seq_of_zeros: Any) -> Any:
    x = at_least(tensor(seq_of_zeros), 1)
    if rank_of(x, "poly") == 2:
        x = call("eigvals", floating(x))
    count = size_of(x, 0)
    if not isinstance(count, int):
        raise NotCovered("poly needs to know how many zeros there are")
    x = to(x, np.float64) if x.dtype.size < 4 else floating(x)
    if not count:
        return to(1.0, np.float64)
    found = to([1.0], x.dtype.numpy)
    for i in range(count):
        found = call("convolve", found, call("stack", [call("ones_like", x[i]), call("negative", x[i])]))
    return found


@TABLE.of(np.roots)
def _roots(p: Any) -> Any:
    x = _coefficients(p)
    if rank_of(x, "roots") != 1:
        raise ValueError("Input must be a rank-1 array.")
    x = floating(x)
    there = call("not_equal", x, 0)
    size = to(size_of(x, 0), np.int64)
    first, zeros = _first_of(there), _first_of(call("reverse", there, axis=[0]))
    x = x[first : size - zeros]
    n = call("maximum", to(call("size", x), np.int64) - 1, 0)
    row = call("expand_dims", call("divide", call("negative", x[1:]), x[:1]), axis=0)
    companion = call("concat", [row, call("eye", n, n, dtype=x.dtype)], axis=0)[:n]
    found = call("eigvals", companion)
    zeros = call("where", call("equal", first, size), 0, zeros)
    return call("concat", [found, call("zeros", call("expand_dims", zeros, axis=0), found.dtype)], axis=0)


@TABLE.of(np.polyfit)
def _polyfit(
    x: Any, y: Any, deg: Any, rcond: Any = None, full: bool = False, w: Any = None, cov: Any = False
) -> Any:
    points, heights = floating(x), floating(y)
    precision = np.finfo(points.dtype.numpy).eps
    columns = int(deg) + 1
    if rank_of(points, "polyfit") != 1 or rank_of(heights, "polyfit") not in (1, 2):
        raise TypeError("expected 1D vector for x, and 1D or 2D array for y")
    if not points.shape[:1].is_compatible_with(heights.shape[:1]):
        raise TypeError("expected x and y to have same length")
    table = _vander(points, columns)
    heights = to(heights, np.result_type(heights.dtype.numpy, np.float64))
    if w is not None:
        weights = call("expand_dims", to(tensor(w), np.float64), axis=1)
        table = np.multiply(table, weights)
        heights = np.multiply(heights, weights if rank_of(heights, "polyfit") == 2 else flat(weights))
    scale = call("sqrt", call("reduce_sum", call("square", table), 0))
    table = call("divide", table, scale)
    count = size_of(points, 0)
    relative = np.multiply(to(count, precision.dtype), precision) if rcond is None else rcond
    found, rest, rank, s = DECOMPOSITIONS[np.linalg.lstsq](table, heights, relative)
    wide = call("expand_dims", scale, axis=1) if rank_of(heights, "polyfit") == 2 else scale
    found = np.true_divide(found, wide)
    if full:
        return found, rest, rank, s, relative
    if not cov:
        return found
    base = call("matrix_inverse", call("matmul", call("transpose", table), table))
    base = call("divide", base, call("multiply", call("expand_dims", scale, axis=1), scale))
    factor = 1.0 if cov == "unscaled" else np.true_divide(rest, np.subtract(count, columns))
    return found, np.multiply(call("expand_dims", base, axis=2) if rank_of(heights, "polyfit") == 2 else base, factor)


@TABLE.of(np.trim_zeros)
def _trim_zeros(filt: Any, trim: str = "fb", axis: Any = None) -> Any:
    x = tensor(filt)
    start, stop = ends_without_zeros(x, trim)
    return x[start:stop]


def ends_without_zeros(x: Any, trim: str) -> tuple[Any, Any]:
    """Where the elements of a vector begin and end that are left without the zeros before and behind them."""
    if rank_of(x, "trim_zeros") != 1:
        raise NotCovered("it is there for vectors")
    checked(set(trim.lower()) <= {"f", "b"}, f"unexpected character(s) in `trim`: {trim!r}")
    there = call("not_equal", x, to(0, x.dtype.numpy)) if not x.dtype.is_bool else x
    size = to(size_of(x, 0), np.int64)
    start = _first_of(there) if "f" in trim.lower() else 0
    stop = size - _first_of(call("reverse", there, axis=[0])) if "b" in trim.lower() else size
    return start, stop
