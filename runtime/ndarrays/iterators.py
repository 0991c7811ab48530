"""What goes through traced arrays element by element: `np.nditer`, `np.ndenumerate`, `np.ndindex`, `np.random.shuffle`.

    for v in np.nditer(a, op_flags=["readwrite"]):
        v[...] = 2 * v                 # each is a view of one element

They go through the positions in numpy's order, which have to be known when the function is traced.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import numpy as np

from autograph.errors import StagingError
from runtime.ndarrays.buffer import READ_ONLY, Buffer
from runtime.ndarrays.layout import asked_layout, memory_order
from runtime.ndarrays.steps import Index, ReadOnly, unchanged
from runtime.ndarrays.traced import TracedArray
from runtime.shapes import TensorShape
from runtime.tensor.tensor import Operators, Tensor

__all__ = ["ITERATORS"]


def _sizes(a: Any, name: str) -> tuple[int, ...]:
    if not isinstance(a, Operators):
        return np.shape(a)
    if not a.shape.is_fully_defined():
        raise StagingError(f"np.{name} needs to know the shape: fix it with set_shape")
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
    dims = _sizes(a, "nditer")
    by_columns = order == "F" or (order == "A" and asked_layout(a).flags.fnc)
    axes = tuple(range(len(dims)))
    axes = axes[::-1] if by_columns else memory_order(asked_layout(a)) if order == "K" else axes
    numbers = [range(n) if order != "K" or a.layout.strides[i] >= 0 else range(n)[::-1] for i, n in enumerate(dims)]
    for place in np.ndindex(*(dims[axis] for axis in axes)):
        at = dict(zip(axes, place, strict=True))
        element = a.through(Index(tuple(numbers[axis][at[axis]] for axis in range(len(dims)))))
        yield element if may_write else element.through(ReadOnly(unchanged, "nditer"))


def _ndenumerate(arr: Any) -> Iterable[Any]:
    return ((place, arr[place]) for place in np.ndindex(*_sizes(arr, "ndenumerate")))


def _ndindex(*shape: Any) -> Any:
    return np.ndindex(*(part.as_tuple() if isinstance(part, TensorShape) else part for part in shape))


def _shuffle(x: TracedArray) -> None:
    array = x.known()
    if array is None:
        raise TypeError(
            "np.random.shuffle of an array that a graph works on would be the same in all runs: write"
            " a[:] = runtime.random.shuffle(a)"
        )
    np.random.shuffle(array)


ITERATORS: Final[dict[Any, Callable[..., Any]]] = {
    np.nditer: _nditer,
    np.ndenumerate: _ndenumerate,
    np.ndindex: _ndindex,
    np.random.shuffle: _shuffle,
}
"""What stands for numpy's own."""
