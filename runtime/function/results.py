"""The result of a run: the structure that the function returned while it was traced, with the plan's arrays as tensors.

    packer(trace.outputs)([np.array(1), np.array(2)])      # (<tf.Tensor 1>, {"b": <tf.Tensor 2>})
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from runtime import structures as nest
from runtime.control_flow.lists.data_structures import with_python_lists
from runtime.control_flow.optional.values import MaybeNone, presence
from runtime.function.trace_protocol import with_objects
from runtime.ops.records.record import Array
from runtime.tensor.eager import EagerTensor
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["packed", "packer"]


def packer(outputs: Any, has_lists: bool = False) -> Callable[[Sequence[Array]], Any]:
    """What makes the result out of the plan's arrays. has_lists: whether there are lists in it that become Python's."""
    if has_lists:
        plain = packer(outputs)
        return lambda arrays: with_python_lists(plain(arrays))
    if isinstance(outputs, SymbolicTensor):
        return lambda arrays: EagerTensor(arrays[0])
    if outputs is None:
        return lambda arrays: None
    if type(outputs) in (tuple, list) and all(isinstance(part, SymbolicTensor) for part in outputs):
        kind = type(outputs)
        return lambda arrays: kind(map(EagerTensor, arrays))

    def pack(arrays: Sequence[Array]) -> Any:
        remaining = iter(arrays)
        return with_objects(nest.map_structure(lambda leaf: packed(leaf, remaining), outputs))

    return pack


def packed(leaf: Any, arrays: Iterator[Any]) -> Any:
    """One leaf of the result; of what may be None, the arrays are those of its value, and whether it is there."""
    if isinstance(leaf, MaybeNone):
        value = nest.map_structure(lambda part: packed(part, arrays), presence(leaf).value)
        return value if next(arrays) else None
    if leaf is None:
        return None
    value = next(arrays)
    return value if isinstance(value, EagerTensor) else EagerTensor(value)
