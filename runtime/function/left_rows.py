"""What a run leaves for a list that grows in its graph: one of Python's, with numbers where the program has put such.

    rows_of(made)             # [1.0, 2.0]; with tensors where tensors were put into it, too
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import structures as nest
from runtime.control_flow.lattice.leaf import LeafType
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.ndarrays.traced import TracedArray
from runtime.tensor.eager import EagerTensor

__all__ = ["rows_of"]


def rows_of(made: TensorList) -> list[Any]:
    """What a run leaves for such a list: ndarrays of its own, and Python's numbers, where the program has put such."""
    known = made.elements
    items = made.to_list()
    if known is None or not any(isinstance(leaf, LeafType) and leaf.weak for leaf in known.leaves):
        return list(map(_in_python, items))
    return [_in_python(known.pack(map(_as_number, known.leaves, known.flat(item)))) for item in items]


def _as_number(leaf: Any, part: Any) -> Any:
    return part._array.item() if isinstance(leaf, LeafType) and leaf.weak and type(part) is EagerTensor else part


def _in_python(value: Any) -> Any:
    if isinstance(value, TracedArray):
        return np.array(value.value())
    if isinstance(value, TensorList):
        return rows_of(value)
    if not nest.is_nested(value):
        return value
    return nest.rebuild(value, [_in_python(part) for _, part in nest.children(value)])
