"""Static shapes: `TensorShape`, with unknown dimensions (None) and unknown rank.

    >>> TensorShape([2, None]).is_compatible_with([2, 5])
    True
    >>> broadcast_shapes(TensorShape([2, 1]), TensorShape([None]))
    TensorShape([2, None])

A shape is a promise about the value at run time: a fixed dimension always holds, None says nothing.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Iterator
from typing import Any

__all__ = ["TensorShape", "as_shape", "broadcast_shapes"]


class TensorShape:
    """The static shape of a tensor: a tuple of dimensions (int or None), or unknown rank when built from None."""

    __slots__ = ("dims",)

    dims: tuple[int | None, ...] | None

    def __init__(self, dims: Any = None) -> None:
        if dims is None:
            self.dims = None
        elif isinstance(dims, TensorShape):
            self.dims = dims.dims
        elif hasattr(dims, "__index__"):
            self.dims = (_dimension(dims),)
        elif isinstance(dims, str | bytes) or not isinstance(dims, Iterable):
            raise TypeError(f"A shape is None, an integer or a sequence of integers and None; got {dims!r}")
        else:
            self.dims = tuple(_dimension(d) for d in dims)

    @property
    def rank(self) -> int | None:
        """The number of dimensions, or None when unknown."""
        return None if self.dims is None else len(self.dims)

    @property
    def ndims(self) -> int | None:
        """The number of dimensions, the same as `rank`."""
        return self.rank

    def is_fully_defined(self) -> bool:
        """Whether the rank and every dimension are known."""
        return self.dims is not None and None not in self.dims

    def num_elements(self) -> int | None:
        """The number of elements, or None when it is not known."""
        return math.prod(self.as_tuple()) if self.is_fully_defined() else None

    def as_tuple(self) -> tuple[int, ...]:
        """The shape as a tuple of integers. Raises ValueError unless it is fully defined."""
        if self.dims is None or None in self.dims:
            raise ValueError(f"The shape {self} is not fully defined; use runtime.shape(x) at run time")
        return tuple(d for d in self.dims if d is not None)

    def as_list(self) -> list[int | None]:
        """The dimensions as a list. Raises ValueError when the rank is unknown."""
        if self.dims is None:
            raise ValueError("as_list() is not defined on a shape of unknown rank")
        return list(self.dims)

    def is_compatible_with(self, other: Any) -> bool:
        """Whether some run-time shape satisfies both."""
        a, b = self.dims, as_shape(other).dims
        if a is None or b is None:
            return True
        return len(a) == len(b) and all(x is None or y is None or x == y for x, y in zip(a, b, strict=True))

    def is_subtype_of(self, other: Any) -> bool:
        """Whether each run-time shape of this one also satisfies `other`: [2, 3] is a subtype of [2, None]."""
        a, b = self.dims, as_shape(other).dims
        if b is None:
            return True
        return a is not None and len(a) == len(b) and all(y is None or x == y for x, y in zip(a, b, strict=True))

    def merge_with(self, other: Any) -> TensorShape:
        """What is known when both hold. Raises ValueError if they contradict each other."""
        wanted = as_shape(other)
        if not self.is_compatible_with(wanted):
            raise ValueError(f"Shapes {self} and {wanted} are incompatible")
        if self.dims is None or wanted.dims is None:
            return wanted if self.dims is None else self
        return TensorShape([x if y is None else y for x, y in zip(self.dims, wanted.dims, strict=True)])

    def relax_with(self, other: Any) -> TensorShape:
        """The most specific shape that holds both: dimensions that differ become None, ranks that differ unknown."""
        a, b = self.dims, as_shape(other).dims
        if a is None or b is None or len(a) != len(b):
            return TensorShape(None)
        return TensorShape([x if x == y else None for x, y in zip(a, b, strict=True)])

    def concatenate(self, other: Any) -> TensorShape:
        """The dimensions of this shape followed by those of `other`; unknown if the rank of either is."""
        a, b = self.dims, as_shape(other).dims
        return TensorShape(None) if a is None or b is None else TensorShape(a + b)

    # -- checks; each raises ValueError that shows the shape -------------------------------------------------------

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raises ValueError where no shape satisfies both."""
        if not self.is_compatible_with(other):
            raise ValueError(f"the shapes {self} and {as_shape(other)} are incompatible")

    def assert_same_rank(self, other: Any) -> None:
        """Raises ValueError where both ranks are known and differ."""
        if None not in (self.rank, as_shape(other).rank) and self.rank != as_shape(other).rank:
            raise ValueError(f"the shapes {self} and {as_shape(other)} must have the same rank")

    def assert_is_fully_defined(self) -> None:
        """Raises ValueError where the rank or a dimension is unknown."""
        if not self.is_fully_defined():
            raise ValueError(f"the shape {self} is not fully defined")

    def assert_has_rank(self, rank: int) -> None:
        """Raises ValueError where the rank is known to be another one."""
        if self.rank not in (None, rank):
            raise ValueError(f"the shape {self} must have rank {rank}")

    def with_rank(self, rank: int) -> TensorShape:
        """This shape, with dimensions that are unknown where its rank is. Raises ValueError for another rank."""
        self.assert_has_rank(rank)
        return TensorShape([None] * rank) if self.dims is None else self

    def with_rank_at_least(self, rank: int) -> TensorShape:
        """This shape. Raises ValueError where it is known to have fewer dimensions."""
        if self.dims is not None and len(self.dims) < rank:
            raise ValueError(f"the shape {self} must have rank {rank} at least")
        return self

    def with_rank_at_most(self, rank: int) -> TensorShape:
        """This shape. Raises ValueError where it is known to have more dimensions."""
        if self.dims is not None and len(self.dims) > rank:
            raise ValueError(f"the shape {self} must have rank {rank} at most")
        return self

    # -- as a sequence of dimensions -------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._known("len() of"))

    def __iter__(self) -> Iterator[int | None]:
        return iter(self._known("iteration over"))

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return TensorShape(None) if self.dims is None else TensorShape(self.dims[key])
        return None if self.dims is None else self.dims[key]

    def __add__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def __radd__(self, other: Any) -> TensorShape:
        return as_shape(other).concatenate(self)

    def __bool__(self) -> bool:
        return self.dims is not None

    def __eq__(self, other: object) -> bool:
        try:
            return self.dims == as_shape(other).dims
        except TypeError:
            return False

    def __hash__(self) -> int:
        return hash(self.dims)

    def __repr__(self) -> str:
        return f"TensorShape({None if self.dims is None else list(self.dims)})"

    def __str__(self) -> str:
        if self.dims is None:
            return "<unknown>"
        return f"({self.dims[0]},)" if len(self.dims) == 1 else f"({', '.join(map(str, self.dims))})"

    def _known(self, what: str) -> tuple[int | None, ...]:
        if self.dims is None:
            raise ValueError(f"{what} a shape of unknown rank is not possible; use runtime.shape(x) at run time")
        return self.dims


def _dimension(value: Any) -> int | None:
    if value is None or (type(value) is int and value >= 0):
        return value
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"A dimension is an integer or None; got {value!r}")
    size = operator.index(value)
    if size < 0:
        raise ValueError(f"A dimension is not negative; got {size}")
    return size


def as_shape(value: Any) -> TensorShape:
    """The TensorShape for a TensorShape, None (unknown rank), an integer or a sequence of integers and None."""
    return value if isinstance(value, TensorShape) else TensorShape(value)


def broadcast_shapes(*shapes: TensorShape) -> TensorShape:
    """numpy's broadcasting rule on static shapes. Raises ValueError that shows shapes which do not fit."""
    result: tuple[int | None, ...] = ()
    for shape in shapes:
        if shape.dims is None:
            return TensorShape(None)
        if shape.dims != result:
            result = _broadcast_pair(result, shape.dims, shapes)
    known = TensorShape.__new__(TensorShape)
    known.dims = result
    return known


def _broadcast_pair(
    a: tuple[int | None, ...], b: tuple[int | None, ...], shapes: tuple[TensorShape, ...]
) -> tuple[int | None, ...]:
    rank = max(len(a), len(b))
    merged: list[int | None] = []
    for x, y in zip((1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b, strict=True):
        if x == 1 or x == y:
            merged.append(y)
        elif y == 1:
            merged.append(x)
        elif x is None or y is None:
            merged.append(y if x is None else x)
        else:
            raise ValueError(f"Incompatible shapes: {' and '.join(map(str, shapes))} cannot be broadcast together")
    return tuple(merged)
