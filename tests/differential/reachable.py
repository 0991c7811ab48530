"""All that can be reached from some values, as it is now: contents, types, which are one object, which share memory.

    before = seen([box, array])
    difference(before, seen([box, array]))      # "" if they are as they were

Tensors and NumPy's scalars are numbers by their values: a graph has tensors where NumPy has scalars.  An array and a
view of all of it are one.
"""

from __future__ import annotations

import types
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import runtime

__all__ = ["Seen", "difference", "seen"]


@dataclass(frozen=True)
class Seen:
    """Rows of what is there, by paths, and which elements of two arrays are one, by their two paths."""

    rows: Mapping[str, Any]
    shared: Mapping[tuple[str, str], Any]


def seen(values: list[Any]) -> Seen:
    """What can be reached from the values; the first of them is a result, in which arrays may be tensors."""
    rows: dict[str, Any] = {}
    known: dict[Any, str] = {}
    arrays: dict[str, np.ndarray[Any, Any]] = {}
    for number, value in enumerate(values):
        _see(value, f"{number}", rows, known, arrays, number == 0)
    found = list(arrays.items())
    shared = {
        (first, second): _common(one, other)
        for i, (first, one) in enumerate(found)
        for second, other in found[i + 1 :]
        if np.shares_memory(one, other)
    }
    return Seen(rows, shared)


def _see(value: Any, path: str, rows: dict[str, Any], known: dict[Any, str], arrays: Any, is_result: bool) -> None:
    if is_result and isinstance(value, np.ndarray | runtime.Tensor | np.generic | int | float):
        rows[path] = ("result", np.array(value))
        return
    if isinstance(value, runtime.Tensor | np.generic | int | float):
        rows[path] = ("number" if not np.ndim(value) else "tensor", np.array(value))
        return
    if value is None or isinstance(value, str | bytes | type):
        rows[path] = ("value", value if not isinstance(value, type) else value.__name__)
        return
    at: Any = id(value)
    if isinstance(value, np.ndarray) and value.size:
        at = value.__array_interface__["data"][0], value.shape, value.strides
    if not is_result and at in known and not isinstance(value, tuple):
        rows[path] = ("the same as", known[at])
        return
    if not is_result:
        known[at] = path
    if isinstance(value, np.ndarray):
        rows[path] = (f"ndarray {value.dtype}", value.copy())
        arrays[path] = value
        return
    rows[path] = (type(value).__name__, None)
    for key, part in _parts(value):
        _see(part, f"{path}{key}", rows, known, arrays, is_result)


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        yield "'s keys", len(value)
        yield from ((f"[{key!r}]", value[key]) for key in value)
    elif isinstance(value, list | tuple | deque):
        yield "'s length", len(value)
        yield from ((f"[{i}]", part) for i, part in enumerate(value))
    elif isinstance(value, set | frozenset | bytearray):
        yield "'s members", str(sorted(value))
    elif isinstance(value, types.FunctionType):
        yield from ((f".{name}", cell.cell_contents) for name, cell in _cells(value))
    else:
        names = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
        slots = [(name, getattr(value, name)) for name in names if name != "__weakref__" and hasattr(value, name)]
        yield from ((f".{name}", part) for name, part in (*slots, *sorted(getattr(value, "__dict__", {}).items())))
        if hasattr(value, "tolist"):
            yield "'s items", str(value.tolist())


def _cells(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    return zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)


def _common(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> list[tuple[int, int]]:
    """Which elements of two arrays lie in one place."""
    at: dict[int, int] = {address: i for i, address in enumerate(_addresses(one))}
    return [(at[address], i) for i, address in enumerate(_addresses(other)) if address in at]


def _addresses(array: np.ndarray[Any, Any]) -> list[int]:
    first = array.__array_interface__["data"][0]
    return [first + sum(i * s for i, s in zip(at, array.strides, strict=True)) for at in np.ndindex(array.shape)]


def difference(mine: Seen, theirs: Seen) -> str:
    """Where the second parts from the first, in words; empty if nowhere."""
    for path in (*mine.rows, *theirs.rows):
        one, other = mine.rows.get(path), theirs.rows.get(path)
        if one is None or other is None or one[0] != other[0]:
            return f"type of {path} is {_words(other)}, not {_words(one)}"
        if not _is_same(one[1], other[1]):
            return f"content of {path} is {_words(other)}, not {_words(one)}"
    for pair in (*mine.shared, *theirs.shared):
        if mine.shared.get(pair) != theirs.shared.get(pair):
            words = " and ".join(pair)
            return f"memory of {words} is {theirs.shared.get(pair)}, not {mine.shared.get(pair)}"
    return ""


def _words(row: Any) -> str:
    return "absent" if row is None else f"{row[0]} {row[1]}"


def _is_same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        same_kind = one.dtype.kind == other.dtype.kind and one.shape == other.shape
        if one.dtype.kind not in "biufc":
            return same_kind and one.dtype == other.dtype and one.tolist() == other.tolist()
        return same_kind and bool(np.allclose(one, other, rtol=1e-9, atol=1e-9, equal_nan=True))
    return bool(one == other)
