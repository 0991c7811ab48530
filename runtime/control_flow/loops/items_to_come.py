"""Loops and calls of Python that are being traced, and the items that they have still to go through.

    for row in [a, a]:
        if x > 0:
            row.append(x)      # `a` becomes a list that grows, but the next item of the loop is the old one
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Container, Iterator
from types import FrameType, GeneratorType
from typing import Any, Final

from autograph.operators.call import run_foreign
from autograph.operators.python_stager import PythonStager
from runtime.heap.store import World

__all__ = ["is_gone_through", "is_to_come"]

_LOOPS: Final = frozenset(map(id, (PythonStager.for_stmt.__code__, PythonStager._run_until.__code__)))
"""By identity: to look a code object up compares all of it."""
_OF_LOOPS: Final = PythonStager.for_stmt.__globals__
_OF_CALLS: Final = run_foreign.__globals__
"""By the names that their code sees frames are told apart: to read `f_code` is an event for audit hooks."""
_ITERATORS: Final[tuple[type, ...]] = (type(iter([])), type(iter(())))
_OF_KEYS: Final = frozenset(map(type, (iter({}), iter({}.values()), iter({}.items()), iter(set()))))
_AROUND: Final = (enumerate, zip)


def is_to_come(value: Any, known: Container[int]) -> bool:
    """Whether a loop or call around may go on to a value, as an item of what is not one of these objects (by ids).

    It goes on to a dict or set, too, whose items it goes through.
    """
    foreign = (frame for frame in _frames_around(_OF_CALLS) if frame.f_code is run_foreign.__code__)
    given = [value for frame in foreign for value in frame.f_locals["args"]]  # C code may have got to any of them
    pending = [frame.f_locals.get("items") for frame in _frames_around(_OF_LOOPS) if id(frame.f_code) in _LOOPS]
    while pending:
        found = pending.pop()
        if isinstance(found, GeneratorType):
            pending += [] if found.gi_frame is None else found.gi_frame.f_locals.values()
        elif type(found) in _AROUND:
            pending += found.__reduce__()[1]
        elif type(found) in _OF_KEYS:
            if any(part is value for part in gc.get_referents(found)):
                return True
        elif _is_still_to_come(found, value) and id(found.__reduce__()[1][0]) not in known:
            return True
    keepers = World(*given, of=[value]).keepers[id(value)] if given else ()
    return any(keeper is not None and id(keeper) not in known for keeper in keepers)


def _frames_around(names: dict[str, Any]) -> Iterator[FrameType]:
    """The frames around whose code sees these names."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_globals is names:
            yield frame
        frame = frame.f_back


def is_gone_through(value: Any) -> bool:
    """Whether a loop around goes through a list: Python looks at what that holds before each item."""
    pending = [frame.f_locals.get("items") for frame in _frames_around(_OF_LOOPS) if id(frame.f_code) in _LOOPS]
    for found in pending:  # which grows
        if isinstance(found, GeneratorType):
            pending += [] if found.gi_frame is None else found.gi_frame.f_locals.values()
        elif hasattr(type(found), "__next__"):
            inner = gc.get_referents(found)
            if any(part is value for part in inner):
                return True
            pending += [one for part in inner for one in (part if type(part) is tuple else (part,))]
    return False


def _is_still_to_come(iterator: Any, value: Any) -> bool:
    """Whether it is an iterator over a list or tuple that has a value still to give."""
    if type(iterator) not in _ITERATORS or len(state := iterator.__reduce__()) != 3:
        return False
    (items,), position = state[1], state[2]
    return any(_holds(item, value) for item in items[position:])


def _holds(item: Any, value: Any) -> bool:
    return item is value or (type(item) is tuple and any(part is value for part in item))
