"""What goes through traced arrays element by element: `np.nditer`, `np.broadcast`, `np.ndenumerate`, ...

    for v in np.nditer(a, op_flags=["readwrite"]):
        v[...] = 2 * v                 # each is a view of one element

They go through the positions in numpy's order, which have to be known when the function is traced.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import numpy as np

from runtime.ndarrays.buffer import READ_ONLY, Buffer
from runtime.ndarrays.layout import known_layout, memory_order, needs_shape
from runtime.ndarrays.steps import Index, ReadOnly, unchanged
from runtime.ndarrays.traced import TracedArray
from runtime.shapes import TensorShape
from runtime.tensor.tensor import Operators, Tensor

__all__ = ["ITERATORS"]


def _sizes(a: Any, name: str) -> tuple[int, ...]:
    if not isinstance(a, Operators):
        return np.shape(a)
    if not a.shape.is_fully_defined():
        raise needs_shape(f"np.{name}")
    return a.shape.as_tuple()


def _nditer(op: Any, flags: Any = None, op_flags: Any = None, *args: Any, order: str = "K", **kwargs: Any) -> Any:
    if isinstance(op, Tensor):
        _sizes(op, "nditer")
        op = TracedArray(Buffer(op, refusal=READ_ONLY))
    if not isinstance(op, TracedArray) or flags or args or kwargs:
        raise TypeError(
            "np.nditer in a graph takes one array, `op_flags` and `order`: loop over np.ndindex(a.shape) instead"
        )
    words = op_flags or ["readonly"]
    names = {*words, *(word for inner in words if not isinstance(inner, str) for word in inner)}
    return _elements(op, order, may_write=not names.isdisjoint(("readwrite", "writeonly")))


def _elements(a: TracedArray, order: str, may_write: bool) -> Iterator[TracedArray]:
    layout = known_layout(a, "np.nditer")
    dims = layout.shape
    by_columns = order == "F" or (order == "A" and layout.flags.fnc)
    axes = tuple(range(len(dims)))
    axes = axes[::-1] if by_columns else memory_order(layout) if order == "K" else axes
    numbers = [range(n) if order != "K" or layout.strides[i] >= 0 else range(n)[::-1] for i, n in enumerate(dims)]
    for place in np.ndindex(*(dims[axis] for axis in axes)):
        at = dict(zip(axes, place, strict=True))
        element = a.through(Index(tuple(numbers[axis][at[axis]] for axis in range(len(dims)))))
        yield element if may_write else element.through(ReadOnly(unchanged, "nditer"))


def _ndenumerate(arr: Any) -> Iterable[Any]:
    return ((place, arr[place]) for place in np.ndindex(*_sizes(arr, "ndenumerate")))


def _ndindex(*shape: Any) -> Any:
    return np.ndindex(*(part.as_tuple() if isinstance(part, TensorShape) else part for part in shape))


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
    np.nditer: _nditer,
    np.ndenumerate: _ndenumerate,
    np.ndindex: _ndindex,
    np.random.shuffle: _shuffle,
}
"""What stands for numpy's own."""
