"""The batches of a training, cut into shards: of arrays, of a Dataset of batches, or of dask arrays.

    Batches(x, y, None, batch_size=32, shards=8, seed=0).epoch(3)      # a list [(x, y, weights), ...] for each batch

Which rows a batch has depends on the seed and the number of the epoch alone, so a training that goes on in another
process sees the same ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from runtime.distribute.sending import Later
from runtime.dtypes import from_numpy
from runtime.errors import ShapeMismatchError
from runtime.library import nest
from runtime.library.data.dask_collections import cuts, dask_arrays
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.spec import TensorSpec

__all__ = ["Batches"]

Shards = list[tuple[Any, Any, Any]]


class Batches:
    """See the module's docstring. seed: None for rows in their own order."""

    def __init__(
        self, x: Any, y: Any, weights: Any, batch_size: int | None, shards: int, seed: int | None
    ) -> None:
        self._shards, self._seed = shards, seed
        self._dataset = x if hasattr(x, "element_spec") else None
        if self._dataset is not None:
            if y is not None or weights is not None or batch_size is not None:
                raise ValueError("a Dataset holds x, y and weights in batches itself: give it alone")
            return
        self._size = 32 if batch_size is None else batch_size
        if type(self._size) is not int or self._size < 1:
            raise ValueError(f"fit: batch_size is a positive integer; got {batch_size!r}")
        parts = tuple(part for part in (x, y, weights) if part is not None)
        self._is_dask = any(hasattr(leaf, "__dask_graph__") for leaf in nest.flatten(parts))
        if self._is_dask and not dask_arrays(parts):
            raise TypeError("fit: where x is a dask array, y and sample_weight are, too")
        self._parts = [None if p is None else p if self._is_dask else _arrays(p) for p in (x, y, weights)]
        leaves = [leaf for leaf in nest.flatten(self._parts) if leaf is not None]
        lengths = {str(leaf.shape[0]) if leaf.ndim else "no rows" for leaf in leaves}  # Dask's NaN equals nothing
        if len(lengths) != 1 or not (found := lengths.copy().pop()).isdecimal():
            shown = ", ".join(sorted(lengths))
            raise ShapeMismatchError(f"fit: x, y and sample_weight have one known number of rows; they have {shown}")
        self._rows = int(found)

    def epoch(self, number: int) -> Iterator[Shards]:
        """The batches of an epoch."""
        if self._dataset is not None:
            for item in self._dataset:
                parts = item if isinstance(item, tuple) else (item,)
                sizes = {leaf.shape[0] for leaf in nest.flatten(parts)}
                if len(sizes) != 1:
                    raise ShapeMismatchError(f"fit: a batch has one number of rows; the dataset gave {sorted(sizes)}")
                yield self._cut((*parts, *(None,) * (3 - len(parts))), np.arange(sizes.pop()), _picked)
            return
        random = None if self._seed is None else np.random.default_rng([self._seed, number])
        starts = range(0, self._rows, self._size)
        if self._is_dask:
            order = [*starts] if random is None else random.permutation(starts).tolist()
            for first in order:
                yield self._cut(self._parts, np.arange(first, min(first + self._size, self._rows)), _later)
            return
        rows = np.arange(self._rows) if random is None else random.permutation(self._rows)
        for first in starts:
            yield self._cut(self._parts, rows[first : first + self._size], _picked)

    def _cut(self, parts: Sequence[Any], rows: Any, pick: Callable[[Any, Any], Any]) -> Shards:
        bounds = cuts(len(rows), max(1, min(len(rows), self._shards)))
        return [tuple(_mapped(part, rows[a:b], pick) for part in parts) for a, b in bounds]


def _mapped(part: Any, rows: Any, pick: Callable[[Any, Any], Any]) -> Any:
    return None if part is None else nest.map_structure(lambda leaf: pick(leaf, rows), part)


def _picked(leaf: Any, rows: Any) -> Any:
    return convert_to_tensor(np.asarray(leaf)[rows])


def _later(leaf: Any, rows: Any) -> Later:
    """Consecutive rows of a dask array, as one array that is made where it is needed."""
    part = leaf[int(rows[0]) : int(rows[-1]) + 1].rechunk(-1)
    return Later(part.to_delayed().reshape(-1)[0], TensorSpec(part.shape, from_numpy(part.dtype)))


def _arrays(given: Any) -> Any:
    """Arrays in their structure; lists of numbers, and of rows of them, are one array."""
    leaves = nest.flatten(given)
    if leaves and all(isinstance(leaf, bool | int | float) for leaf in leaves) and isinstance(given, list | tuple):
        return convert_to_tensor(given).numpy()
    return nest.map_structure(lambda leaf: convert_to_tensor(leaf).numpy(), given)
