"""The shape of an array of which only the run knows some sizes: in the place of None are numbers of the graph.

    v = a[k:]              # k is a tensor
    v.shape[0]             # len(v), where a tensor has None
    v.shape == (3,)        # a bool of the graph
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import Any

import numpy as np

from runtime.shapes import TensorShape

__all__ = ["ArrayShape", "sizes_of", "with_sizes"]


class ArrayShape(TensorShape):
    """See the module's docstring. What asks for the dims finds None for them, as in other shapes."""

    __slots__ = ("_value",)

    def __init__(self, value: Any) -> None:
        super().__init__(value.shape)
        self._value = value

    def __getitem__(self, key: Any) -> Any:
        return np.shape(self._value)[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(np.shape(self._value))

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, tuple | list | TensorShape):
            return False
        sizes = [*other]
        if len(sizes) != len(self):
            return False
        return reduce(np.logical_and, [mine == size for mine, size in zip(self, sizes, strict=True)])

    def __ne__(self, other: object) -> Any:
        equal = self == other
        return not equal if isinstance(equal, bool) else np.logical_not(equal)

    __hash__ = TensorShape.__hash__


def with_sizes(value: Any) -> Any:
    """A tuple for such a shape, as code that takes tuples of sizes wants it; other values as they are."""
    return tuple(value) if type(value) is ArrayShape else value


def sizes_of(value: Any) -> TensorShape:
    """The shape of an array with this tensor as its value."""
    shape: TensorShape = value.shape
    return shape if shape.rank is None or shape.is_fully_defined() else ArrayShape(value)
