"""Where elements come from: tensors in memory, ranges, Python generators.

Slices([array], structure)          # the rows of arrays
Generator(function, structure)      # what an iterable of Python gives, one by one
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from runtime.context import recording
from runtime.data.blocks import Block, Row
from runtime.data.node import INFINITE, UNKNOWN
from runtime.data.structure import DatasetSpec, Structure
from runtime.errors import InvalidArgumentError
from runtime.ops.record import Array
from runtime.shapes import TensorShape
from runtime.tensor.convert import convert_to_tensor

__all__ = ["Counting", "Generator", "Given", "One", "Slices", "checked_row"]


@dataclass(frozen=True, eq=False)
class One:
    """One element."""

    row: Row
    structure: Structure
    steady = True

    def cardinality(self) -> int:
        return 1

    def open(self) -> Given:
        return Given(Block([[value] for value in self.row], 1))


@dataclass(frozen=True, eq=False)
class Slices:
    """The rows of arrays, which have one length."""

    arrays: tuple[Array, ...]
    structure: Structure
    steady = True

    def cardinality(self) -> int:
        return len(self.arrays[0])

    def open(self) -> Given:
        return Given(Block(self.arrays, len(self.arrays[0])))


class Given:
    """Elements that are there."""

    def __init__(self, block: Block) -> None:
        self._block = block
        self._at = 0

    def pull(self, n: int) -> Block | None:
        start = self._at
        if start >= self._block.count:
            return None
        self._at = stop = min(start + n, self._block.count)
        return self._block.part(start, stop)

    def close(self) -> None:
        self._block, self._at = Block([], 0), 0


@dataclass(frozen=True, eq=False)
class Counting:
    """The numbers start, start + step, ... `count` of them, or INFINITE."""

    start: int
    step: int
    count: int
    dtype: np.dtype[Any]
    structure: Structure
    steady = True

    def cardinality(self) -> int:
        return self.count

    def open(self) -> _Counter:
        return _Counter(self)


class _Counter:
    def __init__(self, node: Counting) -> None:
        self._node = node
        self._at = 0

    def pull(self, n: int) -> Block | None:
        node, at = self._node, self._at
        if node.count != INFINITE:
            n = min(n, node.count - at)
        if n <= 0:
            return None
        self._at = at + n
        first = node.start + at * node.step
        return Block([(np.arange(n, dtype=np.int64) * node.step + first).astype(node.dtype, copy=False)], n)

    def close(self) -> None:
        return None


@dataclass(frozen=True, eq=False)
class Generator:
    """What `make(*args)`, an iterable, gives. It stays in Python: an element is made when it is asked for."""

    make: Callable[..., Any]
    structure: Structure
    args: tuple[Array, ...] = ()
    steady = False

    def cardinality(self) -> int:
        return UNKNOWN

    def open(self) -> _Generated:
        return _Generated(self)


class _Generated:
    def __init__(self, node: Generator) -> None:
        self._node = node
        self._items: Iterator[Any] | None = None
        self._error: Exception | None = None
        self._ended = False
        self._given = 0

    def pull(self, n: int) -> Block | None:
        rows: list[Row] = []
        if self._error is not None:
            error, self._error = self._error, None
            raise error
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
        return Block.of_rows(rows, len(self._node.structure.leaves)) if rows else None

    def _row(self) -> Row | None:
        with recording(None):
            if self._items is None:
                self._items = iter(self._node.make(*self._node.args))
            try:
                item = next(self._items)
            except StopIteration:
                self._ended = True
                return None
            except Exception:
                self._ended = True  # a generator that raised is finished
                raise
            number, self._given = self._given, self._given + 1
            return checked_row(self._node.structure, item, f"element {number} of the generator")

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
    if type(value) in _NUMBERS and leaf.shape.rank == 0 and leaf.dtype.kind in _NUMBERS[type(value)]:
        try:
            return np.array(value, leaf.dtype.numpy)
        except OverflowError:
            pass  # said below
    if type(value) is np.ndarray and value.dtype == leaf.dtype.numpy and value.dtype != object:
        array = value.copy()  # the generator may go on to write in it
    else:
        try:
            array = convert_to_tensor(value, leaf.dtype)._array
        except (TypeError, ValueError) as error:
            raise TypeError(f"{what} was expected to be {leaf.dtype.name}{leaf.shape}: {error}") from None
    dims = leaf.shape.dims
    if dims is not None and not leaf.shape.is_compatible_with(TensorShape(array.shape)):
        raise InvalidArgumentError(
            f"{what} has the shape {TensorShape(array.shape)}, where {leaf.shape} was expected ({leaf.dtype.name})"
        )
    return array
