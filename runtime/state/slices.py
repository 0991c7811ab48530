"""`IndexedSlices`: some rows of a tensor, by their numbers.

>>> IndexedSlices(values=runtime.constant([1.0, 2.0]), indices=runtime.constant([3, 0]))
IndexedSlices(indices=[3 0], values=[1. 2.])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.shapes import TensorShape
from runtime.tensor.convert import convert_to_tensor

__all__ = ["IndexedSlices"]


class IndexedSlices:
    """values[i] is row indices[i] of a tensor whose other rows are not told. `dense_shape`: the shape of that."""

    __slots__ = ("dense_shape", "indices", "values")

    def __init__(self, values: Any, indices: Any, dense_shape: Any = None) -> None:
        self.values = convert_to_tensor(values)
        self.indices = convert_to_tensor(indices)
        self.dense_shape = None if dense_shape is None else convert_to_tensor(dense_shape)

    @property
    def dtype(self) -> Any:
        """That of the values."""
        return self.values.dtype

    @property
    def shape(self) -> Any:
        """The shape of the whole tensor, as far as it is known."""
        known = None if self.dense_shape is None else getattr(self.dense_shape, "_array", None)
        return TensorShape(None if known is None else known.tolist())

    # -- as a structure (runtime.composite.protocol)

    _nest_open = frozenset({".values", ".indices"})

    def _nest_parts(self) -> list[tuple[str, Any]]:
        return [(".values", self.values), (".indices", self.indices), (".dense_shape", self.dense_shape)]

    def _nest_rebuild(self, parts: Sequence[Any]) -> IndexedSlices:
        made = object.__new__(IndexedSlices)
        made.values, made.indices, made.dense_shape = parts
        return made

    def _nest_check(self, other: Any) -> None:
        """IndexedSlices of all kinds have one structure."""

    def __repr__(self) -> str:
        return f"IndexedSlices(indices={self.indices}, values={self.values})"
