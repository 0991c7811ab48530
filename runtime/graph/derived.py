"""What gradients ask of tensors of the graph that they go back through, but for their values: their shapes.

    zeros_like(%x)        in a gradient, where %x is a tensor of a loop's body and its shape is not known before
    ->  %s = shape(%x)    in the body, so that the loop saves %s for each iteration, and not %x
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from runtime.dtypes import int32
from runtime.ops.create import ones, ones_like, zeros, zeros_like
from runtime.ops.lists import list_length
from runtime.ops.record import Op
from runtime.ops.shape import rank, shape, size
from runtime.tensor.symbolic import SymbolicTensor

if TYPE_CHECKING:
    from runtime.graph.graph import Graph

__all__ = ["DERIVED", "derived"]

_LIKE: Final = {zeros_like: zeros, ones_like: ones}

DERIVED: Final = frozenset({shape, size, rank, list_length, *_LIKE})
"""Operations that look at what their operand is like, and at no value of it."""


def derived(graph: Graph, op: Op, tensor: SymbolicTensor, attributes: Mapping[str, Any]) -> SymbolicTensor | None:
    """The result of such an operation in a graph of gradients; None for a tensor that is not of the graph behind."""
    behind = tensor.op.graph
    if not _goes_back_through(graph, behind):
        return None
    if op in _LIKE:
        found = derived(graph, shape, tensor, {"out_type": int32})
        assert found is not None
        return graph.add(_LIKE[op], (found,), {"dtype": attributes["dtype"] or tensor.dtype}).outputs[0]
    known = op.static_value(tensor.operand, **attributes) if op.static_value is not None else None
    if known is not None:
        return graph.constant(known)
    key = op, id(tensor), tuple(attributes.values())
    made = behind.derived.get(key)
    if made is None:
        made = behind.derived[key] = behind.add(op, (tensor,), attributes).outputs[0]
    return graph.localize(made, op.name)


def _goes_back_through(graph: Graph, behind: Graph) -> bool:
    if graph is behind:
        return False
    around: Graph | None = graph
    while around is not None and around is not behind:
        if around.source is not None and around.source.graph is behind:
            return True
        around = around.outer
    return False
