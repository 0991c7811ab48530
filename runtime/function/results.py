"""The result of a run: the structure that the function returned while it was traced, with the plan's arrays as tensors.

    packer(trace.outputs)([np.array(1), np.array(2)])      # (<tf.Tensor 1>, {"b": <tf.Tensor 2>})
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from runtime import structures as nest
from runtime.control_flow.lists.data_structures import with_python_lists
from runtime.control_flow.optional.values import MaybeNone, presence
from runtime.function.trace_protocol import with_objects
from runtime.ops.records.record import Array
from runtime.tensor.eager import EagerTensor
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["of_values", "packed", "packer"]


def packer(outputs: Any, has_lists: bool = False) -> Callable[[Sequence[Array]], Any]:
    """What makes the result out of the plan's arrays. has_lists: whether there are lists in it that become Python's."""
    if has_lists:
        plain = packer(outputs)
        return lambda arrays: with_python_lists(plain(arrays))
    if isinstance(outputs, SymbolicTensor):
        return lambda arrays: EagerTensor(arrays[0])
    if type(outputs) in (tuple, list) and all(isinstance(part, SymbolicTensor) for part in outputs):
        kind = type(outputs)
        return lambda arrays: kind(map(EagerTensor, arrays))
    if (text := _text(outputs, itertools.count(), DEEPEST)) is not None:
        written: Callable[[Sequence[Array]], Any] = eval(f"lambda a: {text}", {"EagerTensor": EagerTensor})
        return written

    def pack(arrays: Sequence[Array]) -> Any:
        remaining = iter(arrays)
        return with_objects(nest.map_structure(lambda leaf: packed(leaf, remaining), outputs))

    return pack


DEEPEST: Final = 50
"""Structures deeper than this are not written as an expression."""


def _text(outputs: Any, places: Iterator[int], deepest: int) -> str | None:
    """A structure of tuples, lists, dicts with names as keys, tensors and None as an expression of its arrays `a`; None
    for other structures."""
    kind = type(outputs)
    if kind is SymbolicTensor:
        return f"EagerTensor(a[{next(places)}])"
    if outputs is None:
        return "None"
    if deepest and (kind is tuple or kind is list):
        parts = [_text(part, places, deepest - 1) for part in outputs]
        inner = "".join(f"{part}, " for part in parts)
        return None if None in parts else f"({inner})" if kind is tuple else f"[{inner}]"
    if deepest and kind is dict and all(type(key) is str for key in outputs):
        texts = {key: _text(outputs[key], places, deepest - 1) for key in sorted(outputs)}  # as arrays are given
        return None if None in texts.values() else f"{{{', '.join(f'{key!r}: {texts[key]}' for key in outputs)}}}"
    return None


def packed(leaf: Any, arrays: Iterator[Any]) -> Any:
    """One leaf of the result; of what may be None, the arrays are those of its value, and whether it is there."""
    if isinstance(leaf, MaybeNone):
        value = nest.map_structure(lambda part: packed(part, arrays), presence(leaf).value)
        return value if next(arrays) else None
    if leaf is None:
        return None
    value = next(arrays)
    return value if isinstance(value, EagerTensor) else EagerTensor(value)


def of_values(outputs: Any, attribute: str) -> Any:
    """The structure with an attribute in the place of each tensor; what may be None has that of its value."""
    if isinstance(outputs, MaybeNone):
        return of_values(presence(outputs).value, attribute)
    if not nest.is_nested(outputs):
        return None if outputs is None else getattr(outputs, attribute)
    return nest.map_structure(lambda leaf: of_values(leaf, attribute), outputs)
