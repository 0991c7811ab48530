"""Histograms: `np.histogram`, `np.histogram2d`, `np.histogramdd`, and their edges.

    np.histogram(x, 10)     ->     how many of sort(x) are before each edge, and the differences of that

The number of bins is known; their edges may depend on the data.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from runtime.tensor.numpy_calls.operands import (
    NotCovered,
    Table,
    call,
    checked,
    number_of,
    operand,
    rank_of,
    result_type,
    size_of,
    tensor,
    to,
    together,
)  # fmt: skip
from runtime.tensor.numpy_calls.reductions import flat
from runtime.tensor.tensor import Tensor

__all__ = ["TABLE"]

TABLE: Final = Table()


def _edges(x: Any, bins: Any, limits: Any, several: bool = False) -> Any:
    """The edges of the bins of a vector. several: given limits have their own dtype, not that of the vector."""
    if isinstance(bins, str):
        raise NotCovered("how many bins a rule gives depends on the data: say a number of them, or their edges")
    bins = operand(bins)
    if np.ndim(bins) if not isinstance(bins, Tensor) else rank_of(bins, "histogram"):
        return _rising(tensor(bins))
    is_some = call("greater", bins, 0) if isinstance(bins, Tensor) else bins > 0
    checked(is_some, "`bins` must be positive, when an integer")
    first, last = _limits(x, limits)
    same = call("equal", first, last)
    half = call("where", same, to(0.5, first.dtype.numpy), to(0, first.dtype.numpy))
    kinds = [] if limits is None else list(map(operand, limits))
    dtype = result_type(*kinds) if several and kinds else result_type(x, *kinds)
    dtype = dtype if dtype.kind == "f" else np.dtype(np.float64)
    ends = call("subtract", first, half), call("add", last, half)
    return to(call("linspace", *ends, call("add", to(bins, np.int64), 1)), dtype)


def _rising(edges: Any) -> Any:
    rises = call("reduce_all", np.less_equal(edges[:-1], edges[1:]))
    message = "`bins` must increase monotonically, when an array: "
    call("check", rises, [edges], message=message, exception="ValueError")
    return edges


def _limits(x: Any, limits: Any) -> tuple[Any, Any]:
    wide = x if x.dtype.family == "float" and x.dtype.size > 2 else to(x, np.float64)
    if limits is not None:
        first, last = (to(tensor(end), np.float64) for end in limits)
        rises = call("less_equal", first, last)
        message = "max must be larger than min in range parameter: "
        call("check", rises, [first, last], message=message, exception="ValueError")
        return first, last
    size = number_of(wide)
    if isinstance(size, int) and size:
        return call("reduce_min", wide), call("reduce_max", wide)
    dtype = wide.dtype.numpy  # there may be none: numpy takes 0 and 1 then
    empty = call("equal", to(size, np.int64), 0)
    least = call("reduce_min", call("concat", [wide, to([np.inf], dtype)], axis=0))
    most = call("reduce_max", call("concat", [wide, to([-np.inf], dtype)], axis=0))
    return call("where", empty, to(0, dtype), least), call("where", empty, to(1, dtype), most)


def _in_order(x: Any) -> Any:
    return to(x, np.uint8) if x.dtype.is_bool else x


@TABLE.of(np.histogram_bin_edges)
def _histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Any:
    return _edges(_in_order(flat(tensor(a))), bins, range)


@TABLE.of(np.histogram)
def _histogram(
    a: Any, bins: Any = 10, range: Any = None, density: bool | None = None, weights: Any = None
) -> tuple[Any, Any]:
    x = _in_order(flat(tensor(a)))
    edges = _edges(x, bins, range)
    if weights is None:
        values, sides = together(call("sort", x, 0), edges)
        before = call("searchsorted", values, sides[:-1], side="left")
        until = call("searchsorted", values, sides[-1:], side="right")
        counts = np.diff(call("concat", [before, until], axis=0))
    else:
        places, inside = _places(x, edges)
        amounts = call("where", inside, flat(tensor(weights)), to(0, tensor(weights).dtype.numpy))
        counts = call("count_values", places, amounts, to(call("size", edges), np.int64) - 1)
    if not density:
        return counts, edges
    return np.true_divide(np.true_divide(counts, np.diff(edges)), np.sum(counts)), edges


def _places(x: Any, edges: Any) -> tuple[Any, Any]:
    """The bin of each element, 0 for those that are in none; and which are in one. The last bin has its end."""
    values, sides = together(x, edges)
    after = call("searchsorted", sides, values, side="right")
    after = call("subtract", after, to(call("equal", values, sides[-1]), np.int64))
    inside = call("logical_and", call("greater_equal", values, sides[0]), call("less_equal", values, sides[-1]))
    places = call("where", inside, call("subtract", after, 1), call("zeros_like", after))
    return places, inside


@TABLE.of(np.histogramdd)
def _histogramdd(
    sample: Any, bins: Any = 10, range: Any = None, density: bool | None = None, weights: Any = None
) -> tuple[Any, tuple[Any, ...]]:
    if isinstance(sample, list | tuple):
        columns = [flat(tensor(part)) for part in sample]
    else:
        points = tensor(sample)
        points = call("expand_dims", points, axis=1) if rank_of(points, "histogramdd") == 1 else points
        count = size_of(points, 1)
        if not isinstance(count, int):
            raise NotCovered("the number of columns must be known")
        columns = list(call("unstack", points, count, 1))
    return _of_columns(columns, bins, range, density, weights)


def _of_columns(
    columns: Sequence[Any], bins: Any, limits: Any, density: bool | None, weights: Any
) -> tuple[Any, tuple[Any, ...]]:
    each = list(bins) if isinstance(bins, list | tuple) else [bins] * len(columns)
    ends = [None] * len(columns) if limits is None else list(limits)
    if len(each) != len(columns) or len(ends) != len(columns):
        raise ValueError("The dimension of bins and of range must be equal to the dimension of the sample x.")
    columns = [_in_order(column) for column in columns]
    edges = [_edges(column, one, end, True) for column, one, end in zip(columns, each, ends, strict=True)]
    cell: Any = to(0, np.int64)
    inside: Any = to(True, np.bool_)
    sizes = []
    for column, sides in zip(columns, edges, strict=True):
        places, fits = _places(column, sides)
        sizes.append(to(call("size", sides), np.int64) - 1)
        cell = call("add", call("multiply", cell, sizes[-1]), places)
        inside = call("logical_and", inside, fits)
    amounts = call("ones_like", cell) if weights is None else flat(tensor(weights))
    amounts = call("where", inside, to(amounts, np.float64), to(0, np.float64))
    total = call("reduce_prod", call("stack", sizes))
    counts = call("count_values", call("where", inside, cell, call("zeros_like", cell)), amounts, total)
    counts = call("reshape", counts, call("stack", sizes))
    counts.set_shape([None if n is None else n - 1 for n in (sides.shape[0] for sides in edges)])
    if density:
        counts = call("divide", counts, call("reduce_sum", counts))
        for place, sides in enumerate(edges):
            widths = np.diff(sides)
            counts = np.true_divide(counts, call("reshape", widths, [-1, *[1] * (len(edges) - place - 1)]))
    return counts, tuple(edges)


@TABLE.of(np.histogram2d)
def _histogram2d(
    x: Any, y: Any, bins: Any = 10, range: Any = None, density: bool | None = None, weights: Any = None
) -> tuple[Any, Any, Any]:
    if not isinstance(bins, list | tuple) or len(bins) not in (1, 2):
        given = operand(bins)
        bins = [given, given]
    columns = [flat(tensor(x)), flat(tensor(y))]
    counts, edges = _of_columns(columns, list(bins) * (3 - len(bins)), range, density, weights)
    return counts, *edges
