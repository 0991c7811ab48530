"""Traced arrays as things that can change: a buffer is one place with one value, views have nothing of their own.

    BUFFER.read(buffer)               {None: tensor}: what is in the memory now
    VIEW.read(array)                  {}: a change through any view is one of the buffer
    ELEMENTS.read(iterator)           where an `np.nditer` is, and its arrays
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from runtime.heap.kinds import ARRAY, Kind, add_kind
from runtime.ndarrays.buffer import Buffer
from runtime.ndarrays.element_iterator import ElementIterator
from runtime.ndarrays.traced import TracedArray

__all__ = ["BUFFER", "ELEMENTS", "VIEW"]


def _read(owner: Buffer) -> dict[Any, Any]:
    return {None: owner.content.copy() if owner.is_known else owner.content}


def _write(owner: Buffer, contents: dict[Any, Any]) -> None:
    content = contents[None]
    if isinstance(content, np.ndarray) and owner.memory is not None:
        np.copyto(owner.memory, content)
        content = owner.memory
    owner.content = content


def _same(a: dict[Any, Any], b: dict[Any, Any]) -> bool:
    first, second = a[None], b[None]
    if isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
        return ARRAY.unchanged(first, second)
    return first is second


BUFFER: Final = Kind(
    "array", "keys", _read, _write, same=_same, is_closed=True, is_momentary=True,
    is_as=lambda owner, contents: owner.content is contents[None],  # of what is known there is a copy, to be compared
)  # fmt: skip
VIEW: Final = Kind(
    "array", "keys", lambda owner: {}, lambda owner, contents: None, is_as=lambda owner, contents: True, is_closed=True,
    is_momentary=True,
)  # fmt: skip
"""It holds nothing of its own."""


ELEMENTS: Final = Kind(
    "iterator", "whole", ElementIterator.__getstate__, ElementIterator.__setstate__,
    same=lambda before, now: before[0] is now[0] and before[1:] == now[1:],
    parts=lambda state: ((operand, f".operands[{i}]") for i, operand in enumerate(state[0] or ())),
    is_momentary=True, remedy="Loop over np.ndindex(a.shape) instead, and read and write a[place].",
)  # fmt: skip

add_kind(ElementIterator, ELEMENTS)
add_kind(Buffer, BUFFER)
add_kind(TracedArray, VIEW)
