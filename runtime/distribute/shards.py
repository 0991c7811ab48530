"""Shards: a batch cut by its rows into a fixed number of parts, and sums over the parts in the order of a fixed tree.

    cuts(10, 4)                                  # [(0, 3), (3, 6), (6, 8), (8, 10)]
    tree([a, b, c, d, e], add)                   # ((a + b) + (c + d)) + e

Both depend on the data alone. Floats are added in one order, so a sum has the same bits however many workers there are,
and whichever of them made what.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from runtime.errors import ShapeMismatchError
from runtime.extras import extra
from runtime.library import nest
from runtime.library.data.dask_collections import cuts

__all__ = ["Here", "PerReplica", "Workers", "cuts", "per_shard", "split", "tree"]


class PerReplica:
    """The values that one tensor has in the shards, in their order: a leaf of structures, whatever the values are."""

    __slots__ = ("values",)

    def __init__(self, values: tuple[Any, ...]) -> None:
        self.values = values

    def __repr__(self) -> str:
        return f"PerReplica({self.values!r})"


class Workers(Protocol):
    """Who computes. What it hands out stands for a value that somebody has, or will have.

    writes: whether it is this process, of several that run the same program, that writes files.
    """

    writes: bool

    def keep(self, value: Any) -> Any:
        """Something that stands for a value, for several calls."""
        ...

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """What stands for the result of a call. function: pure; arguments: values, and what stands for some."""
        ...

    def results(self, standing: Sequence[Any]) -> list[Any]:
        """The values themselves. Raises what a call has raised."""
        ...


class Here:
    """This process and thread, at once."""

    writes = True

    def keep(self, value: Any) -> Any:
        """The value."""
        return value

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """The result. What Dask would make for it is made."""
        if delayed_in(arguments):
            compute = extra("dask", "dask", "delayed arrays need").compute
            arguments = tuple([list(compute(*a)) if isinstance(a, list) else a for a in arguments])
        return function(*arguments)

    def results(self, standing: Sequence[Any]) -> list[Any]:
        """They are there."""
        return list(standing)


def delayed_in(arguments: Sequence[Any]) -> bool:
    """Whether there are delayed arrays of Dask in the lists among the arguments."""
    return any(hasattr(x, "__dask_graph__") for a in arguments if isinstance(a, list) for x in a)


def tree(parts: Sequence[Any], add: Callable[[Any, Any], Any]) -> Any:
    """All parts as one: neighbours are added, then the sums of neighbours, until one is left."""
    level = list(parts)
    while len(level) > 1:
        pairs = [add(a, b) for a, b in zip(level[::2], level[1::2], strict=False)]
        level = pairs + level[len(level) - len(level) % 2 :]
    return level[0]


def split(value: Any, shards: int) -> Any:
    """The tensors of a structure with equally many rows, cut into shards. Raises ShapeMismatchError for others.

    There are fewer shards where there are fewer rows than that.
    """
    leaves = nest.flatten(value)
    rows = {int(leaf.shape[0]) if len(leaf.shape) else -1 for leaf in leaves}
    count = rows.pop() if len(rows) == 1 else -1
    if count < 0:
        shapes = ", ".join(str(leaf.shape) for leaf in leaves)
        raise ShapeMismatchError(f"what is cut into shards has one number of rows; the shapes are {shapes or 'none'}")
    bounds = cuts(count, max(1, min(count, shards)))
    return nest.map_structure(lambda leaf: PerReplica(tuple(leaf[first:last] for first, last in bounds)), value)


def per_shard(value: Any, number: int) -> Any:
    """The structure as one shard sees it: its part of what has one for each."""
    return nest.map_structure(lambda leaf: leaf.values[number] if isinstance(leaf, PerReplica) else leaf, value)
