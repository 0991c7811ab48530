"""Where elements come from: tensors in memory, ranges, Python generators.

given(Block([array], len(array)), structure)        # the rows of an array
generated(function, structure)                      # what an iterable of Python gives, one by one
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from runtime.context import recording
from runtime.errors import InvalidArgumentError
from runtime.library.data.blocks import Block, Row
from runtime.library.data.node import INFINITE, UNKNOWN, Node
from runtime.library.data.structure import DatasetSpec, Structure
from runtime.ops.records.record import Array
from runtime.shapes import TensorShape
from runtime.tensor.convert import convert_to_tensor

__all__ = ["checked_row", "counting", "generated", "given"]


def given(block: Block, structure: Structure) -> Node:
    """Elements that are there."""
    return Node(structure, block.count, True, lambda: _Giving(block), repeats=True)


class _Giving:
    def __init__(self, block: Block) -> None:
        self._rest: Block | None = block if block.count else None

    def pull(self, n: int) -> Block | None:
        if self._rest is None:
            return None
        block, self._rest = self._rest.split(n)
        return block

    def close(self) -> None:
        self._rest = None


def counting(start: int, step: int, count: int, dtype: np.dtype[Any], structure: Structure) -> Node:
    """The numbers start, start + step, ... `count` of them, or INFINITE."""
    return Node(structure, count, True, lambda: _Counting(start, step, count, dtype), repeats=True)


class _Counting:
    def __init__(self, start: int, step: int, count: int, dtype: np.dtype[Any]) -> None:
        self._start, self._step, self._count, self._dtype = start, step, count, dtype
        self._at = 0

    def pull(self, n: int) -> Block | None:
        at = self._at
        if self._count != INFINITE:
            n = min(n, self._count - at)
        if n <= 0:
            return None
        self._at = at + n
        numbers = np.arange(n, dtype=np.int64) * self._step + (self._start + at * self._step)
        return Block([numbers.astype(self._dtype, copy=False)], n)

    def close(self) -> None:
        return None


def generated(make: Callable[..., Any], structure: Structure, args: tuple[Array, ...] = ()) -> Node:
    """What `make(*args)`, an iterable, gives. It stays in Python: an element is made when it is asked for."""
    return Node(structure, UNKNOWN, False, lambda: _Generating(make, structure, args))


class _Generating:
    def __init__(self, make: Callable[..., Any], structure: Structure, args: tuple[Array, ...]) -> None:
        self._make, self._structure, self._args = make, structure, args
        self._items: Iterator[Any] | None = None
        self._error: Exception | None = None
        self._ended = False
        self._given = 0

    def pull(self, n: int) -> Block | None:
        rows: list[Row] = []
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        with recording(None):
            while len(rows) < n and not self._ended:
                try:
                    row = self._row()
                except Exception as error:
                    if not rows:
                        raise
                    self._error = error
                    break
                if row is not None:
                    rows.append(row)
        return Block.of_rows(rows, len(self._structure.leaves)) if rows else None

    def _row(self) -> Row | None:
        if self._items is None:
            self._items = iter(self._make(*self._args))
        try:
            item = next(self._items)
        except StopIteration:
            self._ended = True
            return None
        except Exception:
            self._ended = True  # a generator that raised is finished
            raise
        number, self._given = self._given, self._given + 1
        return checked_row(self._structure, item, f"element {number} of the generator")

    def close(self) -> None:
        items, self._items, self._ended = self._items, None, True
        close = getattr(items, "close", None)
        if close is not None and hasattr(type(items), "gi_frame"):
            close()


_NUMBERS: Final = {bool: ("bool",), int: ("int", "uint", "float"), float: ("float",)}
"""Python numbers that become a scalar of these kinds without more ado."""


def checked_row(structure: Structure, item: Any, what: str) -> Row:
    """A Python value as an element of this structure. Raises TypeError, InvalidArgumentError."""
    return tuple(
        _checked(value, leaf, what) for value, leaf in zip(structure.flatten(item, what), structure.leaves, strict=True)
    )


def _checked(value: Any, leaf: Any, what: str) -> Array:
    if isinstance(leaf, DatasetSpec):
        if not leaf.is_compatible_with(value):
            raise TypeError(f"{what}: a dataset {leaf!r} was expected, got {value!r}")
        handle: Array = value.handle._array
        return handle
    if type(value) in _NUMBERS and leaf.shape.rank == 0 and leaf.dtype.family in _NUMBERS[type(value)]:
        try:
            return np.array(value, leaf.dtype.numpy)
        except OverflowError:
            pass  # said below
    if type(value) is np.ndarray and value.dtype == leaf.dtype.numpy and value.dtype != object:
        array = value.copy()  # the generator may go on to write in it
    else:
        try:
            array = np.asarray(convert_to_tensor(value, leaf.dtype))
        except (TypeError, ValueError) as error:
            raise TypeError(f"{what} was expected to be {leaf.dtype.name}{leaf.shape}: {error}") from None
    dims = leaf.shape.dims
    if dims is not None and not leaf.shape.is_compatible_with(TensorShape(array.shape)):
        raise InvalidArgumentError(
            f"{what} has the shape {TensorShape(array.shape)}, where {leaf.shape} was expected ({leaf.dtype.name})"
        )
    return array
