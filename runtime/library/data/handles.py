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
from runtime.dtypes import variant
from runtime.library.data.node import Node
from runtime.library.data.stream import Stream
from runtime.ops.flow.dataset import dataset_node
from runtime.ops.records.record import Array
from runtime.ops.records.terms import Term
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.eager import EagerTensor
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["DRAWING", "Pipeline", "boxed_node", "handle_of", "known_node", "unboxed_node"]


@dataclass(frozen=True, eq=False)
class Pipeline:
    """What the handle of a dataset holds. kind: its last step, for people. sources: what that takes elements from."""

    node: Node
    kind: str
    sources: tuple[Pipeline, ...] = ()

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


DRAWING: Final = frozenset({"MatchingFiles", "Random", "SampleFrom", "Shuffle"})
"""Datasets that take random numbers from the common sequence when they are made, or look at files."""

MADE_ANEW: Final = DRAWING | {"Cache"}
"""Datasets that remember something from one pass to the next, or look at files: each run of a graph makes a new one."""


KEEPS_ELEMENTS: Final = frozenset({"Cache", "Shuffle"})
"""Those of them that have the elements of the dataset before them, all and no others."""


def _opened(value: Any) -> Any:
    return value.node if isinstance(value, Pipeline) else value


def handle_of(kind: str, build: Callable[..., Node], inputs: Sequence[Any]) -> Any:
    """The handle of the dataset that `build` makes of the inputs: nodes for datasets, arrays for everything else.

    inputs: datasets, tensors, Variables' handles, and values that become tensors.
    """
    given = [getattr(value, "handle", value) for value in inputs]

    def make(*values: Any) -> Pipeline:
        return Pipeline(build(*map(_opened, values)), kind, tuple([v for v in values if isinstance(v, Pipeline)]))

    made_anew = kind in MADE_ANEW and current_recorder() is not None
    if made_anew or any(isinstance(value, SymbolicTensor) for value in given):
        return dataset_node(list(map(_tensor, given)), make=Term("dataset", (kind,), make))
    with recording(None):
        arrays = [_tensor(value)._array for value in given]
        return EagerTensor(boxed(make(*(a if a.dtype.names is None else a.item()[0] for a in arrays))))


def known_node(handle: Any) -> Node | None:
    """The pipeline of a handle as far as the trace knows it, to be looked at and not to be run: it remembers nothing.

    None where a step of it depends on the run. Needs no recursion: a pipeline may be long.
    """
    found: dict[int, Any] = {}
    pending = [handle]
    while pending:
        value = pending[-1]
        inputs = _inputs(value)
        missing = [i for i in inputs if id(i) not in found]
        if missing:
            pending += missing
            continue
        found[id(pending.pop())] = _looked_at(value, [found[id(i)] for i in inputs])
    pipeline = found[id(handle)]
    return pipeline.node if isinstance(pipeline, Pipeline) else None


def _is_made_here(value: Any) -> bool:
    return isinstance(value, SymbolicTensor) and value.value is None and value.op.op is dataset_node


def _inputs(value: Any) -> tuple[Any, ...]:
    """What the dataset of a handle is made of, where the trace makes it."""
    if not _is_made_here(value):
        return ()
    inputs = tuple(value.op.inputs)
    return inputs[:1] if value.op.attributes["make"].parts[0] in KEEPS_ELEMENTS else inputs


def _looked_at(value: Any, inputs: Sequence[Any]) -> Any:
    """What a handle or another operand of a dataset holds, given what its own inputs hold; None: the run will say."""
    array = value._array if isinstance(value, EagerTensor) else value.value
    if array is not None:
        return array if array.dtype.names is None else array.item()[0]
    if not _is_made_here(value) or any(i is None for i in inputs):
        return None
    term = value.op.attributes["make"]
    if term.parts[0] in KEEPS_ELEMENTS:
        return inputs[0]
    return None if term.held is None else term.held(*inputs)


def _tensor(value: Any) -> Any:
    return value if isinstance(value, SymbolicTensor | EagerTensor) else convert_to_tensor(value)
