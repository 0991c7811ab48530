"""Values of Batchable ExtensionTypes, whole and row by row: what they keep beside their tensors.

    of_rows(Picture.Spec(values=TensorSpec([5, 4]), shape=TensorShape([4])), 5)      # ... shape=TensorShape([5, 4])

Functions of rows and steps of datasets put the tensors together and take them apart, part by part.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime import structures
from runtime.shapes import TensorShape

__all__ = ["of_row", "of_rows"]


def of_rows(value: Any, size: int | None) -> Any:
    """A structure that has the parts of so many rows, and the shapes of one row beside them: with those of all."""
    return _with_shapes(value, lambda shape: TensorShape([size]).concatenate(shape))


def of_row(value: Any) -> Any:
    """A structure that has the parts of a row, and the shapes of all rows beside them: with those of the row."""
    return _with_shapes(value, lambda shape: shape[1:] if shape.rank else TensorShape(None))


def _with_shapes(value: Any, change: Callable[[TensorShape], TensorShape]) -> Any:
    if not structures.has_rows(value):
        return value
    made = structures.rebuild(value, [_with_shapes(part, change) for _, part in structures.children(value)])
    return made._nest_with_shapes(change) if hasattr(type(made), "_nest_with_shapes") else made
