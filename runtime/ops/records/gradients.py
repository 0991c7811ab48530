"""What gradient rules share: operations of other files by name, and what broadcasting and complex numbers ask for.

    @sign.gradient
    def _(upstream):
        return ops.zeros_like(upstream)

A rule runs long after the records are made, so it finds operations when it runs: files of records may use each other's
operations in whatever order they are imported, and those of families that nobody has imported yet.
"""

from __future__ import annotations

from typing import Any, Final

from runtime.ops.records.families import find
from runtime.ops.records.record import Op

__all__ = ["conjugated", "ops", "shape_of", "sum_to_shape", "zeros_for"]


class _Operations:
    """`ops.where` is the record of that name."""

    def __getattr__(self, name: str) -> Op:
        found = find(name)
        if found is None:
            raise AttributeError(f"there is no operation {name!r}")
        return found


ops: Final[Any] = _Operations()
"""The operations by their names in the registry."""


def conjugated(x: Any) -> Any:
    """The complex conjugate; a real tensor as it is. The gradient of y = f(x) is upstream * conj(f'(x))."""
    return ops.conj(x) if x.dtype.is_complex else x


def shape_of(x: Any) -> Any:
    """The shape of a tensor as an argument: a list of integers where it is known, else a tensor."""
    return list(x.shape.dims) if x.shape.is_fully_defined() else ops.shape(x)


def zeros_for(x: Any) -> Any:
    """Zeros of the shape and dtype of x, which need no x where its shape is known."""
    return ops.zeros(list(x.shape.dims), dtype=x.dtype) if x.shape.is_fully_defined() else ops.zeros_like(x)


def sum_to_shape(gradient: Any, x: Any) -> Any:
    """The gradient summed over the axes along which x was broadcast, so that it has the shape of x.

    Nothing is done where the static shapes are equal; where they are unknown the axes are found when the graph runs.
    """
    wide, narrow = gradient.shape, x.shape
    if wide.dims is not None and narrow.dims is not None:
        missing = len(wide.dims) - len(narrow.dims)
        pairs = list(zip(wide.dims[missing:], narrow.dims, strict=True))
        if all(a == b and a is not None for a, b in pairs) and not missing:
            return gradient
        if all(b is not None and (b == 1 or a == b) for a, b in pairs):
            axes = [*range(missing), *(missing + i for i, (a, b) in enumerate(pairs) if b == 1 and a != 1)]
            summed = ops.reduce_sum(gradient, axis=axes) if axes else gradient
            return summed if summed.shape.dims == narrow.dims else ops.reshape(summed, narrow.dims)
    return ops.sum_to(gradient, ops.shape(x))
