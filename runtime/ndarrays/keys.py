"""Indices of arrays: which give views, and when two of them give the same one.

    is_basic((0, slice(1, None)))        True: numpy gives a view
    is_basic([0, 2])                     False: numpy copies
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from runtime.ndarrays.steps import Index, Step, as_parts
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Operators, Tensor

__all__ = [
    "ends_in", "is_basic", "keys_in", "layout_at", "plain_key", "same_step", "same_view", "symbols_in", "with_ends",
]  # fmt: skip


def is_basic(key: Any) -> bool:
    """Whether numpy gives a view for this key, or a number: integers, slices, None and `...`."""
    return not any(_is_positions(part) for part in as_parts(key))


def _is_positions(part: Any) -> bool:
    if isinstance(part, bool | np.bool_ | list | range | np.ndarray):
        return not (isinstance(part, np.ndarray) and part.ndim == 0 and part.dtype.kind in "iu")
    if isinstance(part, Operators):
        return part.shape.rank != 0 or part.dtype.is_bool
    return isinstance(part, tuple)


def plain_key(key: Any) -> Any:
    """A key with tensors in the place of arrays."""
    if isinstance(key, tuple):
        return tuple(map(plain_key, key))
    if isinstance(key, slice):
        return slice(*(plain_key(end) for end in (key.start, key.stop, key.step)))
    if isinstance(key, range):
        return list(key)
    if isinstance(key, list):
        return key if not any(isinstance(part, Operators) for part in key) else convert_to_tensor(key)
    method = getattr(type(key), "__ag_present__", None)
    return key if method is None else method(key)


def keys_in(steps: Iterable[Step]) -> list[Any]:
    """The keys of the indices among steps."""
    return [step.key for step in steps if isinstance(step, Index)]


def ends_in(key: Any) -> Iterator[Any]:
    """The parts of a key, with the ends of slices in the place of these."""
    for part in as_parts(key):
        yield from (part.start, part.stop, part.step) if isinstance(part, slice) else (part,)


def with_ends(key: Any, change: Callable[[Any], Any], of_part: Callable[[Any], Any] | None = None) -> tuple[Any, ...]:
    """The parts of a key, and the ends of slices in it, changed. of_part: what changes a part that is no slice."""
    own = change if of_part is None else of_part
    parts = as_parts(key)
    return tuple([slice(*map(change, (p.start, p.stop, p.step))) if isinstance(p, slice) else own(p) for p in parts])


def symbols_in(keys: Iterable[Any]) -> Iterator[Any]:
    """The symbolic tensors in keys."""
    return (end for key in keys for end in ends_in(key) if isinstance(end, SymbolicTensor))


def layout_at(layout: Any, key: Any) -> Any:
    """The layout of the view at a key; None where only the graph knows its size, or there is no such place."""
    parts = as_parts(key)
    ends = [end for part in parts if isinstance(part, slice) for end in (part.start, part.stop, part.step)]
    if layout is None or any(isinstance(end, Tensor) for end in ends):
        return None
    try:
        found = layout[tuple(0 if isinstance(part, Tensor) else part for part in parts)]
    except IndexError:
        return None
    return found if isinstance(found, np.ndarray) else None


def same_view(a: Any, b: Any) -> bool:
    """Whether two traced arrays are names of one."""
    return a.buffer is b.buffer and len(a.steps) == len(b.steps) and all(map(same_step, a.steps, b.steps))


def same_step(a: Step, b: Step) -> bool:
    if isinstance(a, Index) and isinstance(b, Index):
        first, second = as_parts(a.key), as_parts(b.key)
        return len(first) == len(second) and all(map(_same_part, first, second))
    return a is b or (type(a) is type(b) and not isinstance(a, Index) and a == b)


def _same_part(a: Any, b: Any) -> bool:
    if a is b:
        return True
    if isinstance(a, slice) and isinstance(b, slice):
        return all(_same_part(x, y) for x, y in ((a.start, b.start), (a.stop, b.stop), (a.step, b.step)))
    return type(a) is type(b) and type(a) in (int, str, type(None), type(...)) and bool(a == b)
