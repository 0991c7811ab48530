"""Whose memory a result may share: that of its first operand, where the operation gives a view.

    is_view(<getitem, spec=(1,)>)           # True
    is_view(<getitem, spec=("array",)>)     # False: numpy copies what arrays of positions or a mask pick
"""

from __future__ import annotations

from runtime.graph.operation import Operation
from runtime.ops.arrays.index import getitem
from runtime.ops.kernels.index_spec import ARRAY

__all__ = ["is_view"]


def is_view(operation: Operation) -> bool:
    """Whether the results may share memory with the first operand."""
    if not operation.op.view or not operation.inputs:
        return False
    return operation.op is not getitem or not _picks_by_arrays(operation)


def _picks_by_arrays(operation: Operation) -> bool:
    """Whether an operand is for certain an array of positions or a mask: one of rank 0 counts as an integer."""
    return ARRAY in operation.attributes["spec"] and any(t.shape.rank for t in operation.inputs[1:])
