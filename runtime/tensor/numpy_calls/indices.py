"""Positions: `np.ix_`, `np.indices`, `np.tril_indices`, `np.unravel_index`, ... Each gives tensors of int64.

    np.ix_(i, j)     ->     i as a column, j as a row
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from runtime.shapes import TensorShape
from runtime.tensor.numpy_calls.operands import (
    NotCovered,
    Table,
    call,
    operand,
    positions,
    rank_of,
    size_of,
    tensor,
    to,
)
from runtime.tensor.numpy_calls.order import TABLE as ORDER
from runtime.tensor.numpy_calls.reductions import flat
from runtime.tensor.numpy_calls.shapes import TABLE as SHAPES
from runtime.tensor.numpy_calls.shapes import steps
from runtime.tensor.tensor import Tensor

__all__ = ["TABLE"]

TABLE: Final = Table()


def _size(n: Any) -> Any:
    n = operand(n)
    return to(n, np.int64) if isinstance(n, Tensor) else n


def _on_axis(line: Any, axis: int, rank: int) -> Any:
    return call("reshape", line, [-1 if i == axis else 1 for i in range(rank)])


@TABLE.of(np.ix_)
def _ix(*args: Any) -> tuple[Any, ...]:
    found = []
    for place, sequence in enumerate(args):
        line = tensor(sequence)
        if rank_of(line, "ix_") != 1:
            raise ValueError("Cross index must be 1 dimensional")
        line = ORDER[np.flatnonzero](line) if line.dtype.is_bool else positions(line)
        found.append(_on_axis(line, place, len(args)))
    return tuple(found)


def _sizes(dimensions: Any) -> list[Any]:
    if isinstance(dimensions, list | tuple | TensorShape):
        if isinstance(dimensions, TensorShape) and not dimensions.is_fully_defined():
            raise NotCovered(f"the shape {dimensions} must be known: runtime.shape(x) is what the run knows of it")
        return [_size(n) for n in dimensions]
    return call("unstack", to(tensor(dimensions), np.int64))


@TABLE.of(np.indices)
def _indices(dimensions: Any, dtype: Any = int, sparse: bool = False) -> Any:
    sizes = _sizes(dimensions)
    lines = [_on_axis(to(steps(n), np.dtype(dtype)), axis, len(sizes)) for axis, n in enumerate(sizes)]
    return tuple(lines) if sparse else call("stack", [call("broadcast_to", line, sizes) for line in lines])


@TABLE.of(np.fromfunction)
def _fromfunction(function: Callable[..., Any], shape: Any, *, dtype: Any = float, **kwargs: Any) -> Any:
    grid = _indices(shape, dtype)
    return function(*call("unstack", grid, len(_sizes(shape))), **kwargs)


def _triangle(below: bool) -> Callable[..., Any]:
    def function(n: Any, k: Any = 0, m: Any = None) -> tuple[Any, ...]:
        rows = call("expand_dims", steps(_size(n)), axis=1)
        columns = steps(_size(n if m is None else m))
        diagonal = call("subtract", columns, rows)
        limit = to(operand(k), np.int64)
        return ORDER[np.nonzero](call("less_equal" if below else "greater_equal", diagonal, limit))

    return function


TABLE.update({np.tril_indices: _triangle(True), np.triu_indices: _triangle(False)})


def _of_array(function: Any) -> Callable[..., Any]:
    def from_array(arr: Any, k: Any = 0) -> tuple[Any, ...]:
        x = tensor(arr)
        if rank_of(x, function.__name__) != 2:
            raise ValueError("input array must be 2-d")
        return TABLE[function](size_of(x, 0), k, size_of(x, 1))

    return from_array


TABLE.update({np.tril_indices_from: _of_array(np.tril_indices), np.triu_indices_from: _of_array(np.triu_indices)})


@TABLE.of(np.mask_indices)
def _mask_indices(n: Any, mask_func: Callable[..., Any], k: Any = 0) -> tuple[Any, ...]:
    size = _size(n)
    return ORDER[np.nonzero](mask_func(call("ones", [size, size], np.int64), k))


@TABLE.of(np.diag_indices)
def _diag_indices(n: Any, ndim: int = 2) -> tuple[Any, ...]:
    return (steps(_size(n)),) * ndim


@TABLE.of(np.diag_indices_from)
def _diag_indices_from(arr: Any) -> tuple[Any, ...]:
    x = tensor(arr)
    if rank_of(x, "diag_indices_from") < 2:
        raise ValueError("input array must be at least 2-d")
    made: tuple[Any, ...] = _diag_indices(size_of(x, 0), rank_of(x, "diag_indices_from"))
    return made


@TABLE.of(np.diagflat)
def _diagflat(v: Any, k: int = 0) -> Any:
    return SHAPES[np.diag](flat(tensor(v)), k)


# -- one number for all positions


def _ordered(order: str, *lists: Sequence[Any]) -> list[list[Any]]:
    """The axes from the one that counts fastest."""
    if order not in ("C", "F"):
        raise ValueError("only 'C' or 'F' order is permitted")
    return [list(reversed(items)) if order == "C" else list(items) for items in lists]


def _must(holds: Any, x: Any, message: str) -> None:
    call("check", call("reduce_all", holds), [x], message=message, exception="ValueError")


@TABLE.of(np.unravel_index)
def _unravel_index(indices: Any, shape: Any, order: str = "C") -> tuple[Any, ...]:
    rest = to(positions(indices), np.int64)
    sizes = [shape] if isinstance(shape, int) or np.ndim(shape) == 0 else _sizes(shape)
    whole = to(math.prod(map(_size, sizes)), np.int64)
    inside = call("logical_and", call("greater_equal", rest, 0), call("less", rest, whole))
    _must(inside, rest, f"index is out of bounds for array with shape {shape}: ")
    found = []
    for n in _ordered(order, sizes)[0]:
        size = to(_size(n), np.int64)
        found.append(call("floormod", rest, size))
        rest = call("floordiv", rest, size)
    return tuple(reversed(found)) if order == "C" else tuple(found)


@TABLE.of(np.ravel_multi_index)
def _ravel_multi_index(multi_index: Any, dims: Any, mode: Any = "raise", order: str = "C") -> Any:
    parts = multi_index if isinstance(multi_index, list | tuple) else call("unstack", tensor(multi_index))
    sizes = [dims] if np.ndim(dims) == 0 else _sizes(dims)
    modes = [mode] * len(parts) if isinstance(mode, str) else list(mode)
    found: Any = to(0, np.int64)
    factor: Any = to(1, np.int64)
    for part, n, way in zip(*_ordered(order, list(parts), sizes, modes), strict=True):
        size = to(_size(n), np.int64)
        found = call("add", found, call("multiply", _within(to(positions(part), np.int64), size, way), factor))
        factor = call("multiply", factor, size)
    return found


def _within(places: Any, size: Any, mode: str) -> Any:
    if mode == "wrap":
        return call("floormod", places, size)
    if mode == "clip":
        return call("maximum", call("minimum", places, call("subtract", size, 1)), 0)
    inside = call("logical_and", call("greater_equal", places, 0), call("less", places, size))
    _must(inside, places, "invalid entry in coordinates array: ")
    return places


