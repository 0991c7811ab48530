"""Elements of several datasets in an order that is chosen one by one: by a dataset of numbers, or at random.

    Dataset.choose_from_datasets([a, b], numbers)            # for each number of 0, 1, 1, ... the next element of that
    Dataset.sample_from_datasets([a, b], [0.9, 0.1])         # nine of ten out of a, on average

A dataset that is at its end is passed over, or ends the whole (`stop_on_empty_dataset`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.dtypes import int64
from runtime.errors import InvalidArgumentError
from runtime.library.data.blocks import Block
from runtime.library.data.node import INFINITE, UNKNOWN, Node, Puller, Rest
from runtime.library.data.shuffling import Seeds
from runtime.library.data.steps import dataset, integer
from runtime.library.data.structure import Structure
from runtime.ops.records.record import Array
from runtime.tensor.dispatch import flag_of
from runtime.tensor.spec import TensorSpec

if TYPE_CHECKING:
    from runtime.library.data.dataset import Dataset

__all__ = ["choose", "sample"]

Draw = Callable[[Sequence[bool]], int | None]
"""Which dataset is next, given which of them have more; None: none is, that is the end."""


def choose(datasets: Sequence[Dataset[Any]], choices: Dataset[Any], stop: Any) -> Dataset[Any]:
    stop = flag_of("choose_from_datasets", "stop_on_empty_dataset", stop)
    structure = _structure(datasets, "choose_from_datasets")
    spec = choices.element_spec
    if not isinstance(spec, TensorSpec) or spec.dtype is not int64 or spec.shape.rank not in (0, None):
        raise TypeError(f"choose_from_datasets: the choices are scalars of dtype int64; they are {spec!r}")

    def build(choices: Node, *nodes: Node) -> Node:
        def open_() -> Puller:
            numbers = choices.open()
            return _Mixing([n.open() for n in nodes], _chosen(numbers, len(nodes)), stop, steady, [numbers])

        steady = choices.steady and all(node.steady for node in nodes)
        return _node(structure, (choices, *nodes), open_, steady)

    return dataset("ChooseFrom", build, [choices, *datasets], structure)


def _chosen(numbers: Puller, count: int) -> Draw:
    def draw(more: Sequence[bool]) -> int | None:
        while any(more) and (block := numbers.pull(1)) is not None:
            ((number,),) = block.rows()
            if not 0 <= number < count:
                raise InvalidArgumentError(
                    f"choose_from_datasets: the choices are from 0 up to {count}, not included; got {number}"
                )
            if more[int(number)]:
                return int(number)
        return None

    return draw


def sample(datasets: Sequence[Dataset[Any]], weights: Any, seed: Any, stop: Any, again: bool) -> Dataset[Any]:
    stop = flag_of("sample_from_datasets", "stop_on_empty_dataset", stop)
    structure = _structure(datasets, "sample_from_datasets")

    def build(weights: Array, *parts: Any) -> Node:
        _check_weights(weights, len(datasets))
        nodes = parts[: len(datasets)]
        given = parts[len(datasets) :]
        seeds = Seeds(integer(given[0], "sample_from_datasets: seed") if given else None, again)

        def open_() -> Puller:
            draw = _drawn(np.array(weights, np.float64), seeds.next())
            return _Mixing([node.open() for node in nodes], draw, stop, steady)

        steady = all(node.steady for node in nodes)
        return _node(structure, nodes, open_, steady, seeds.repeat)

    shares = [1.0] * len(datasets) if weights is None else weights
    return dataset("SampleFrom", build, [shares, *datasets, *([] if seed is None else [seed])], structure)


def _check_weights(weights: Array, count: int) -> None:
    if weights.shape != (count,) or weights.dtype.kind != "f" or not np.isfinite(weights).all() or (weights < 0).any():
        raise InvalidArgumentError(
            f"sample_from_datasets: weights are {count} floats, none negative, one for each dataset; got"
            f" {weights.tolist()} of the shape {weights.shape}"
        )


def _drawn(weights: Array, random: np.random.Generator) -> Draw:
    def draw(more: Sequence[bool]) -> int | None:
        sums = np.cumsum(np.where(more, weights, 0.0))
        return int(np.searchsorted(sums, random.random() * sums[-1], "right")) if sums[-1] > 0 else None

    return draw


def _structure(datasets: Sequence[Dataset[Any]], what: str) -> Structure:
    from runtime.library.data.dataset import Dataset

    if not isinstance(datasets, list | tuple) or not all(isinstance(part, Dataset) for part in datasets):
        raise TypeError(f"{what} takes a list of datasets; got {datasets!r}")
    if not datasets:
        raise ValueError(f"{what}: there are no datasets")
    structure: Structure = datasets[0].structure
    for part in datasets[1:]:
        structure = structure.relaxed(part.structure, what)
    return structure


def _node(
    structure: Structure, nodes: Sequence[Node], open_: Callable[[], Puller], steady: bool, repeats: bool = True
) -> Node:
    endless = all(node.cardinality == INFINITE for node in nodes)
    repeats = repeats and steady and all(node.repeats for node in nodes)
    return Node(structure, INFINITE if endless else UNKNOWN, steady, open_, repeats)


class _Mixing:
    """steady: whether elements may be pulled before they are asked for. others: what is to be closed as well."""

    def __init__(
        self, sources: Sequence[Puller], draw: Draw, stop: bool, steady: bool, others: Sequence[Puller] = ()
    ) -> None:
        self._sources, self._draw, self._stop, self._steady = sources, draw, stop, steady
        self._others = others
        self._more = [True] * len(sources)
        self._rest = Rest(self._one)

    def pull(self, n: int) -> Block | None:
        return self._rest.take(n if self._steady else 1)

    def _one(self, n: int) -> Block | None:
        while (number := self._draw(self._more)) is not None:
            block = self._sources[number].pull(1)
            if block is not None:
                return block
            self._more = [more and i != number and not self._stop for i, more in enumerate(self._more)]
        return None

    def close(self) -> None:
        for puller in (*self._sources, *self._others):
            puller.close()
