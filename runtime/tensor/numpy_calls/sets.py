"""Vectors as sets, and what is there once: `np.unique`, `np.union1d`, `np.isin`, `np.lexsort`, ...

    np.intersect1d(x, y)     ->     the elements of unique(x) that are in y

What is in order is searched in it: nothing takes more than sorting does.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from runtime.tensor.numpy_calls.operands import (
    NotCovered,
    Table,
    axis_of,
    call,
    shape_of,
    size_of,
    tensor,
    to,
    together,
)  # fmt: skip
from runtime.tensor.numpy_calls.order import TABLE as ORDER
from runtime.tensor.numpy_calls.order import lexical_order, parts_in_order, ranks
from runtime.tensor.numpy_calls.reductions import flat
from runtime.tensor.numpy_calls.shapes import TABLE as SHAPES
from runtime.tensor.numpy_calls.shapes import steps

__all__ = ["TABLE"]

TABLE: Final = Table()


def _as_numbers(x: Any) -> Any:
    return to(x, np.uint8) if x.dtype.is_bool else x


def _is_in(x: Any, others: Any) -> Any:
    """Which elements are among those of another vector. nan is among nothing."""
    line, values = _as_numbers(flat(others)), _as_numbers(x)
    if x.dtype.is_complex:
        line, values = ranks(line, flat(x))
        values = call("reshape", values, call("shape", x))
    line = call("sort", line, 0)
    ends = [call("searchsorted", line, values, side=side) for side in ("left", "right")]
    there = call("less", *ends)
    return call("logical_and", there, call("equal", x, x)) if x.dtype.is_floating or x.dtype.is_complex else there


@TABLE.of(np.isin)
def _isin(
    element: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False, *, kind: str | None = None
) -> Any:
    there = _is_in(*together(element, test_elements))
    return call("logical_not", there) if invert else there


def _distinct(x: Any, assume_unique: bool = False) -> tuple[Any, Any]:
    """The elements in order, each once, and where each is first."""
    if assume_unique:
        return flat(x), steps(call("size", x, np.int64))
    if x.dtype.is_complex:
        return _unique_rows(x, None, True)[:2]
    found, first, _, _ = call("unique_sorted", _as_numbers(flat(x)))
    return to(found, x.dtype.numpy), first


@TABLE.of(np.union1d)
def _union(ar1: Any, ar2: Any) -> Any:
    x, y = together(ar1, ar2)
    return _distinct(call("concat", [flat(x), flat(y)], axis=0))[0]


@TABLE.of(np.intersect1d)
def _intersect(ar1: Any, ar2: Any, assume_unique: bool = False, return_indices: bool = False) -> Any:
    (x, first), (y, second) = (_distinct(part, assume_unique) for part in together(ar1, ar2))
    if assume_unique:
        order = np.argsort(_as_numbers(x))
        x, first = call("gather", x, order, 0), to(order, np.int64)
        other = np.argsort(_as_numbers(y))
        y, second = call("gather", y, other, 0), to(other, np.int64)
    mask = _is_in(x, y)
    found = call("boolean_mask", x, mask)
    if not return_indices:
        return found
    places = np.searchsorted(_as_numbers(y), _as_numbers(found))
    return found, call("boolean_mask", first, mask), call("gather", second, places, 0)


def _without(x: Any, others: Any) -> Any:
    return call("boolean_mask", x, call("logical_not", _is_in(x, others)))


@TABLE.of(np.setdiff1d)
def _setdiff(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    x = tensor(ar1)
    found, _ = _distinct(x, assume_unique)
    wide, others = together(found, ar2)
    return call("boolean_mask", found, call("logical_not", _is_in(wide, others)))


@TABLE.of(np.setxor1d)
def _setxor(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    x, y = (_distinct(part, assume_unique)[0] for part in together(ar1, ar2))
    both = call("concat", [_without(x, y), _without(y, x)], axis=0)
    return to(np.sort(_as_numbers(both)), both.dtype.numpy)


# -- what is there once


@TABLE.of(np.unique)
def _unique(
    ar: Any, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False, axis: Any = None, *,
    equal_nan: bool = True, sorted: bool = True,
) -> Any:  # fmt: skip
    x = tensor(ar)
    if axis is not None or x.dtype.is_complex or (not equal_nan and x.dtype.is_floating):
        found, first, places, counts = _unique_rows(x, axis, equal_nan)
    else:
        found, first, places, counts = call("unique_sorted", _as_numbers(x))
        found, places = to(found, x.dtype.numpy), call("reshape", places, call("shape", x))
    chosen = ((True, found), (return_index, first), (return_inverse, places), (return_counts, counts))
    results = [result for wanted, result in chosen if wanted]
    return results[0] if len(results) == 1 else tuple(results)


def _unique_rows(x: Any, axis: int | None, equal_nan: bool) -> tuple[Any, Any, Any, Any]:
    """The slices along an axis (None: the elements), in the order of their elements, and all that is known of them."""
    place = 0 if axis is None else axis_of(x, axis, "unique")
    lines = SHAPES[np.moveaxis](flat(x) if axis is None else x, place, 0)
    rest = shape_of(lines, "unique")[1:]
    rows = call("reshape", lines, [size_of(lines, 0), math.prod(rest)])
    columns = list(reversed(parts_in_order(rows[:, 0]))) if axis is None and x.dtype.is_complex else _columns(rows)
    order = lexical_order(list(reversed(columns)), -1)
    size = to(size_of(rows, 0), np.int64)
    new: Any = None
    for column in columns:
        line = call("gather", column, order, 0)
        differ = call("not_equal", line[1:], line[:-1])
        new = differ if new is None else call("logical_or", new, differ)
    if equal_nan and axis is None and (x.dtype.is_floating or x.dtype.is_complex):
        missing = call("is_nan", call("gather", rows[:, 0], order, 0))
        new = call("logical_and", new, call("logical_not", call("logical_and", missing[1:], missing[:-1])))
    starts = call("concat", [to([True], np.bool_), new], axis=0)[:size]
    numbers = call("subtract", call("cumsum", to(starts, np.int64), 0), 1)
    at = call("boolean_mask", steps(size), starts)
    first = call("gather", order, at, 0)
    ends = call("concat", [at[1:], call("expand_dims", size, axis=0)], axis=0)
    counts = call("subtract", ends[: call("size", at)], at)
    places = call("scatter_nd", call("expand_dims", order, axis=1), numbers, call("expand_dims", size, axis=0))
    found = call("gather", lines, first, 0)
    if axis is None:
        return found, first, call("reshape", places, call("shape", x)), counts
    return SHAPES[np.moveaxis](call("reshape", found, [-1, *rest]), 0, place), first, places, counts


def _columns(rows: Any) -> list[Any]:
    """What is compared, one vector after the other."""
    count = size_of(rows, 1)
    if not isinstance(count, int):
        raise NotCovered("how many elements a slice has must be known")
    columns = []
    for column in call("unstack", _as_numbers(rows), count, 1):
        columns += [call("real", column), call("imag", column)] if column.dtype.is_complex else [column]
    return columns


def _results(name: str, *asked: bool) -> Any:
    """The form of an array API function, if this numpy has it: a named tuple of what is asked for."""
    if not hasattr(np, name):
        return None
    kind: Any = type(getattr(np, name)(np.zeros(1)))
    keywords = dict(zip(("return_index", "return_inverse", "return_counts"), asked, strict=True))
    return lambda x, /: kind(*_unique(x, equal_nan=False, **keywords))


TABLE.update(
    {
        getattr(np, name): _results(name, *asked)
        for name, asked in (
            ("unique_all", (True, True, True)), ("unique_counts", (False, False, True)),
            ("unique_inverse", (False, True, False)),
        )
        if hasattr(np, name)
    }
)  # fmt: skip
TABLE[np.unique_values] = lambda x, /: _unique(x, equal_nan=False)


# -- order by several keys


@TABLE.of(np.lexsort)
def _lexsort_of(keys: Any, axis: int = -1) -> Any:
    if not isinstance(keys, list | tuple):
        x = tensor(keys)
        count = size_of(x, 0)
        if not isinstance(count, int):
            raise NotCovered("how many keys there are must be known")
        keys = call("unstack", x, count, 0)
    if not keys:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    return lexical_order([tensor(key) for key in keys], axis)


@TABLE.of(np.sort_complex)
def _sort_complex(a: Any) -> Any:
    x = tensor(a)
    narrow = x.dtype.numpy.char in "bhBHF"
    x = to(x, np.complex64 if narrow else np.complex128)
    return ORDER[np.sort](x)
