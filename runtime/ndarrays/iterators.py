"""What goes through traced arrays element by element: `np.ndenumerate`, `np.broadcast`, `np.nditer`, ...

    for place, v in np.ndenumerate(a):
        b[place[::-1]] = 2 * v

They go through the positions in numpy's order, which have to be known when the function is traced.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from runtime.ndarrays.element_iterator import ElementIterator
from runtime.ndarrays.layout import needs_shape
from runtime.ndarrays.traced import TracedArray
from runtime.shapes import TensorShape
from runtime.tensor.tensor import Operators

__all__ = ["ITERATORS"]


def _sizes(a: Any, name: str) -> tuple[int, ...]:
    if not isinstance(a, Operators):
        return np.shape(a)
    if not a.shape.is_fully_defined():
        raise needs_shape(f"np.{name}")
    return a.shape.as_tuple()


class _Broadcast:
    """`np.broadcast(a, b)`: the shape that they have together, and their elements side by side."""

    def __init__(self, *arrays: Any) -> None:
        self._arrays = arrays
        self.shape = np.broadcast_shapes(*(_sizes(a, "broadcast") for a in arrays))
        self.ndim = self.nd = len(self.shape)
        self.size = math.prod(self.shape)
        self.numiter = len(arrays)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return (tuple(_element_at(a, place) for a in self._arrays) for place in np.ndindex(*self.shape))


def _element_at(a: Any, place: tuple[int, ...]) -> Any:
    """The element that stands at a place where the array is broadcast."""
    a = a if isinstance(a, Operators) else np.asarray(a)
    sizes = _sizes(a, "broadcast")
    inner = place[len(place) - len(sizes) :]
    return a[tuple(0 if size == 1 else at for size, at in zip(sizes, inner, strict=True))]


def _shuffle(x: TracedArray) -> None:
    array = x.known()
    if array is None:
        raise TypeError(
            "np.random.shuffle of an array that a graph works on would be the same in all runs: write"
            " a[:] = runtime.random.shuffle(a)"
        )
    np.random.shuffle(array)


ITERATORS: Final[dict[Any, Callable[..., Any]]] = {
    np.broadcast: _Broadcast,
    np.nditer: ElementIterator,
    np.ndenumerate: lambda arr: ((at, arr[at]) for at in np.ndindex(*_sizes(arr, "ndenumerate"))),
    np.ndindex: lambda *shape: np.ndindex(*(p.as_tuple() if isinstance(p, TensorShape) else p for p in shape)),
    np.random.shuffle: _shuffle,
}
"""What stands for numpy's own."""
