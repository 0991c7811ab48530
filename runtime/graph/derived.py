"""What gradients ask of tensors of the graph that they go back through, but for their values: their shapes.

zeros_like(%x)        in a gradient, where %x is a tensor of a loop's body and its shape is not known before
->  %s = shape(%x)    in the body, so that the loop saves %s for each iteration, and not %x
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final

from runtime.context import outwards
from runtime.dtypes import int32
from runtime.ops.arrays.create import ones, ones_like, zeros, zeros_like
from runtime.ops.arrays.shape import rank, shape, size
from runtime.ops.flow.state import read_variable
from runtime.ops.lists.lists import list_length
from runtime.ops.records.record import Op
from runtime.tensor.symbolic import SymbolicTensor

if TYPE_CHECKING:
    from runtime.graph.graph import Graph

__all__ = ["ELSEWHERE", "made_elsewhere"]

_LIKE: Final = {zeros_like: zeros, ones_like: ones}

ELSEWHERE: Final = frozenset({shape, size, rank, list_length, read_variable, *_LIKE})
"""Operations that look at what their operand is like, and at no value of it; and those that read Variables."""


def made_elsewhere(graph: Graph, op: Op, operand: Any, attributes: Mapping[str, Any]) -> SymbolicTensor | None:
    """The result of such an operation, where another graph than the one that records it makes it; else None."""
    if op is read_variable:
        around = _around_stretch(graph)
        return (
            None
            if around is None
            else graph.recording.localize(around.record(op, [operand], attributes, None), op.name)
        )
    return _derived(graph, op, operand, attributes) if type(operand) is SymbolicTensor else None


def _around_stretch(graph: Graph) -> Graph | None:
    """The graph around a body that is run again for gradients: Variables are read there, once and for all."""
    return next((around.recording.outer for around in outwards(graph) if around.recompute), None)


def _derived(graph: Graph, op: Op, tensor: SymbolicTensor, attributes: Mapping[str, Any]) -> SymbolicTensor | None:
    """What is made in the graph behind a graph of gradients, if the tensor is of that one."""
    behind = tensor.op.graph
    if not _goes_back_through(graph, behind):
        return None
    if op in _LIKE:
        found = _derived(graph, shape, tensor, {"out_type": int32})
        assert found is not None
        return graph.add(_LIKE[op], (found,), {"dtype": attributes["dtype"] or tensor.dtype}).outputs[0]
    known = op.static_value(tensor.operand, **attributes) if op.static_value is not None else None
    if known is not None:
        return graph.constant(known)
    key = op, id(tensor), tuple(attributes.values())
    made = behind.recording.gradients.derived.get(key)
    if made is None:
        made = behind.recording.gradients.derived[key] = behind.add(op, (tensor,), attributes).outputs[0]
    return graph.recording.localize(made, op.name)


def _goes_back_through(graph: Graph, behind: Graph) -> bool:
    sources = (g.recording.gradients.source for g in takewhile(lambda around: around is not behind, outwards(graph)))
    return any(source is not None and source.graph is behind for source in sources)
