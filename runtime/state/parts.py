"""`v[1:3].assign(...)`: what was read from one place of a Variable knows how to write there.

    part = v[1:3]                    # a tensor; it never changes
    part.assign([7.0, 8.0])          # the Variable does, at that place

All of numpy's forms of an index, also with ends and positions that are tensors, in eager code and in graphs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from runtime.state.writing import write_part
from runtime.tensor.indexing import index_tensor

if TYPE_CHECKING:
    from runtime.state.variable import Variable

__all__ = ["Part", "part_of"]


class Part:
    """The place `key` of a Variable, which `find` finds: a tensor of a graph must not keep it alive."""

    __slots__ = ("_find", "_key")

    def __init__(self, find: Callable[[], Variable], key: Any) -> None:
        self._find = find
        self._key = key

    def assign(self, value: Any, name: str | None = None) -> Variable:
        """Sets the elements there to a value of the Variable's dtype, which is broadcast to the place; returns the
        Variable. Raises DtypeMismatchError, ShapeMismatchError, OutOfRangeError for an index that is outside."""
        return write_part(self._find(), self._key, value, name)


def part_of(variable: Variable, key: Any) -> Any:
    """`variable[key]`."""
    tensor = index_tensor(variable, key)
    tensor._part = Part(variable._finder(), key)
    return tensor
