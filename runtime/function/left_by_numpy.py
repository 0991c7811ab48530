"""At the end of a trace: whether it must begin again with arrays as memory of the graph, because of what it leaves.

    self.x = self.x + 1         # an array that numpy has made while the function was traced: each run makes another one
    self.x = np.ones(3) * z     # a tensor, for a number z that only the run knows: an array for numpy
    self.w = TABLE[i:]          # a tensor, for a position that only the run knows: a view of TABLE for numpy
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from runtime.graph.tensor_writes import TensorWrites
from runtime.heap.holder import Place
from runtime.heap.kinds import ARRAY, LARGE_ARRAY
from runtime.heap.store import World
from runtime.ndarrays.layout import owner_of, same_bits
from runtime.ndarrays.restart import IsMemory, are_traced, can_be_memory, restart
from runtime.restarts import Restart
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["begin_again_for_arrays"]

_VIEWS: Final = frozenset({"getitem", "transpose", "reshape", "squeeze", "expand_dims", "flip"})
"""Operations that numpy does by views."""


def begin_again_for_arrays(
    world: World, left: Sequence[tuple[Place, Any]], has_no_tensors: bool, writes: TensorWrites
) -> None:
    """Raises Restart where that helps. left: places with what they are left with; has_no_tensors: whether the function
    is given numbers and arrays alone; writes: of the trace."""
    for place, value in left:
        if isinstance(value, np.ndarray):
            array = value if id(value) in world.by_owner or are_traced() else place.before
            array = owner_of(value) if id(owner_of(value)) in world.by_owner else array
            if id(array) in world.by_owner and can_be_memory(array):
                restart(array)  # which is read in each run then, whatever it holds
    tensors = [value for _, value in left if isinstance(value, SymbolicTensor) and value.shape.rank != 0]
    if tensors and has_no_tensors and not are_traced():
        raise Restart(IsMemory(None))
    for array in (array for tensor in tensors for array in writes.arrays_behind(tensor)):
        if {id(array), id(owner_of(array))} & world.by_owner.keys() and can_be_memory(array):
            restart(array)
    for viewed in map(_viewed_constant, tensors):
        own = [h.owner for h in world.holders if h.kind in (ARRAY, LARGE_ARRAY)] if viewed is not None else []
        restart(next((array for array in own if same_bits(array, viewed)), None))


def _viewed_constant(tensor: Any) -> Any:
    """The value of a constant of which a tensor would be a view, if it is an array of the program; else None."""
    is_view = False
    while tensor.op.op.name in _VIEWS and isinstance(tensor.op.inputs[0], SymbolicTensor):
        tensor, is_view = tensor.op.inputs[0], True
    return tensor.op.attributes["value"] if is_view and tensor.op.op.name == "constant" else None
