"""Handles: a pipeline or a running one as the value of a tensor of dtype variant, so that graphs can pass it around.

    made("Take", lambda node, count: Take(node, int(count)), [dataset, 3], structure)

makes the dataset at once where all inputs have values. Where one of them is symbolic, and in a graph where the dataset
remembers something, it records an operation, which makes it each time that the graph runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from runtime.context import current_recorder, recording
from runtime.data.node import Node
from runtime.data.stream import Stream
from runtime.dtypes import variant
from runtime.ops.dataset import dataset_node
from runtime.ops.record import Array
from runtime.ops.terms import Term
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.eager import EagerTensor
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Pipeline", "boxed_node", "handle_of", "unboxed_node"]


@dataclass(frozen=True, eq=False)
class Pipeline:
    """What the handle of a dataset holds. kind: its last step, for people."""

    node: Node
    kind: str

    def iterate(self) -> Stream:
        """A new run of it."""
        return Stream(self.node)

    @property
    def __graph_term__(self) -> Term:
        return Term("dataset", (self.kind,), lambda: self)


def boxed(value: object) -> Array:
    """The array of rank 0 with this object in it."""
    made = np.empty((), variant.numpy)
    made["value"] = value
    return made


def boxed_node(node: Node, kind: str) -> Array:
    """The handle of a pipeline."""
    return boxed(Pipeline(node, kind))


def unboxed_node(array: Array) -> Node:
    """The pipeline of a handle."""
    node: Node = array.item()[0].node
    return node


MADE_ANEW: Final = frozenset({"Cache", "MatchingFiles", "Random", "Shuffle"})
"""Datasets that remember something from one pass to the next, or look at files: each run of a graph makes a new one."""


def _opened(value: Any) -> Any:
    return value.node if isinstance(value, Pipeline) else value


def handle_of(kind: str, build: Callable[..., Node], inputs: Sequence[Any]) -> Any:
    """The handle of the dataset that `build` makes of the inputs: nodes for datasets, arrays for everything else.

    inputs: datasets, tensors, Variables' handles, and values that become tensors.
    """
    given = [getattr(value, "handle", value) for value in inputs]

    def make(*values: Any) -> Pipeline:
        return Pipeline(build(*map(_opened, values)), kind)

    made_anew = kind in MADE_ANEW and current_recorder() is not None
    if made_anew or any(isinstance(value, SymbolicTensor) for value in given):
        return dataset_node(list(map(_tensor, given)), make=Term("dataset", (kind,), make))
    with recording(None):
        arrays = [_tensor(value)._array for value in given]
        return EagerTensor(boxed(make(*(a if a.dtype.names is None else a.item()[0] for a in arrays))))


def _tensor(value: Any) -> Any:
    return value if isinstance(value, SymbolicTensor | EagerTensor) else convert_to_tensor(value)
