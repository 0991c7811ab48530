"""How far iterators have gone: staged code may not move them.

    it = iter([1, 2, 3])
    if x > 0:            # x is a tensor: both branches are traced ...
        a = next(it)     # ... and the second would get another item: StagingError
    else:
        a = next(it)

An iterator does not say where it is. What can be asked without moving it: how many items it expects to give, the
local variables of a generator, the iterators inside of `map`, `zip`, `filter` and `enumerate`, and what those of
itertools hold. Where nothing says it (`tee` and the later rounds of `cycle` from Python 3.14 on), it counts as moved.
"""

from __future__ import annotations

import gc
import itertools
import sys
import warnings
from collections.abc import Callable, Iterator
from types import GeneratorType
from typing import Any, Final

import numpy as np

from autograph.operators.frame_variables import variables_of

__all__ = ["add_reader", "has_position", "position_reader"]

_TEE: Final[type] = type(itertools.tee(())[0])
_TOLD_BY_REDUCE: Final = sys.version_info < (3, 14)

Reading = tuple[Any, tuple[Any, ...]]
"""Something to compare by ==, and parts to compare by identity."""


def add_reader(kind: type, read: Callable[[Any], Reading]) -> None:
    """Say how the position of an iterator of a class of this project is read."""
    _READERS[kind] = read


def has_position(kind: type) -> bool:
    """Whether iterators of a class may be able to say where they are."""
    return kind in _READERS or (hasattr(kind, "__next__") and hasattr(kind, "__length_hint__"))


def position_reader(value: Any) -> Callable[[Any], Reading] | None:
    """How to read the position of an iterator; None for other objects."""
    kind = type(value)
    if kind in _READERS:
        return _READERS[kind]
    return _hint if hasattr(kind, "__next__") and hasattr(kind, "__length_hint__") else None


def _hint(value: Any) -> Reading:
    return value.__length_hint__(), ()


def _in_sequence(value: Any) -> Reading:
    """How many items are to come, and the list or tuple, for as long as there are any."""
    state = value.__reduce__()
    return value.__length_hint__(), state[1] if len(state) == 3 else ()


def _generator(value: GeneratorType[Any, Any, Any]) -> Reading:
    """The same line may be reached many times, but then a variable or an iterator inside has changed."""
    frame = value.gi_frame
    return (-1, ()) if frame is None else (frame.f_lasti, tuple(variables_of(frame).values()))


def _inner(value: Any) -> Reading:
    """The iterators inside, and the numbers: those are compared by value."""
    parts = value.__reduce__()[1]
    numbers = tuple(part for part in parts if isinstance(part, int))
    return numbers, tuple(part for part in parts if not isinstance(part, int))


def _held(value: Any) -> Reading:
    """For those of itertools: the iterators and functions inside, how long their buffers are, and their numbers.

    Numbers show where iterators without others inside stand (`permutations`, a later round of `cycle`); they are told
    by `__reduce__`, as long as Python has that (up to 3.13).
    """
    if _is_silent(value):
        return object(), ()
    numbers: list[Any] = []
    parts: list[Any] = []
    held = gc.get_referents(value)
    for part in held:
        if isinstance(part, list):
            numbers.append(len(part))
        elif isinstance(part, tuple):
            inside = gc.get_referents(part)  # `zip_longest` leaves holes in its tuple, which Python must not touch
            numbers.append(len(inside))
            parts += inside
        elif not isinstance(part, type):
            parts.append(part)
            numbers.append(part.__length_hint__() if hasattr(type(part), "__length_hint__") else None)
    numbers += _numbers_of(value, set(map(id, held)))
    return numbers, tuple(parts)


def _is_silent(value: Any) -> bool:
    """Whether nothing tells an iterator from itself one step later."""
    if _TOLD_BY_REDUCE:
        return False
    in_a_later_round = type(value) is itertools.cycle and not any(map(_is_iterator, gc.get_referents(value)))
    return in_a_later_round or type(value) is _TEE


def _is_iterator(value: Any) -> bool:
    return hasattr(type(value), "__next__")


def _repeated(value: Any) -> Reading:
    """What repeats for ever is always at the same place."""
    try:
        return value.__length_hint__(), ()
    except TypeError:
        return None, ()


def _numbers_of(value: Any, held: set[int]) -> Iterator[int]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            pending = list(value.__reduce__()[1:])
    except TypeError:
        return
    while pending:
        part = pending.pop()
        if isinstance(part, tuple):
            pending += part
        elif isinstance(part, int):
            yield part
        elif id(part) not in held and hasattr(type(part), "__length_hint__"):
            yield part.__length_hint__()  # an iterator that was made to say where this one stands


_READERS: Final[dict[type, Callable[[Any], Reading]]] = {
    **{kind: _held for kind in vars(itertools).values() if isinstance(kind, type)},
    GeneratorType: _generator,
    type(iter([])): _in_sequence,
    type(iter(())): _in_sequence,
    type(reversed([])): _in_sequence,
    map: _inner,
    zip: _inner,
    filter: _inner,
    enumerate: _inner,
    type(iter(int, 1)): _inner,
    itertools.repeat: _repeated,
    itertools.count: lambda value: (repr(value), ()),
    np.flatiter: lambda value: (value.index, (value.base,)),
}
