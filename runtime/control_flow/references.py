"""Whether anything but one variable refers to an array.

    out = np.zeros(3)        # may become a tensor when out[i] = x is staged ...
    alias = out              # ... but then the alias would keep the old elements: it is refused

Counted are the references, less those of the frames of this project that hold the array at the moment. What one such
frame adds is measured once, for it differs between versions of Python.
"""

from __future__ import annotations

import gc
import sys
from functools import partial
from types import FrameType
from typing import Any, Final

import numpy as np

from autograph.operators.frame_variables import variables_of
from autograph.operators.slices import Place

__all__ = ["is_shared"]

_PACKAGES: Final = ("autograph.operators", "runtime.")


def is_shared(array: Any) -> bool:
    """Whether two or more variables or objects of the user refer to the array; called from code of this project."""
    if _foreign(array) <= _ONE:
        return False
    gc.collect()  # what only refers to itself, as frames and closures do, is nobody's, whenever it would be collected
    return _foreign(array) > _ONE


def _foreign(array: Any) -> int:
    """The references that code of the user holds, and a constant."""
    found = sys.getrefcount(array)  # before the frames are looked at, which makes new ones
    frame: FrameType | None = sys._getframe(1)  # a frame whose own variables hold it would live on
    while frame is not None and str(frame.f_globals.get("__name__", "")).startswith(_PACKAGES):
        found -= sum(map(partial(_references, array), variables_of(frame).values()))
        frame = frame.f_back
    return found


def _references(array: Any, value: Any) -> int:
    """How many references to the array a variable of this project stands for."""
    if type(value) is Place:
        return value.references(array)
    return _PER_FRAME if value is array else 0


def _count(array: Any) -> int:
    return sys.getrefcount(array)


def _count_deeper(array: Any) -> int:
    return _count(array)


_PROBE: Final = np.zeros(1)
_PER_FRAME: Final = _count_deeper(_PROBE) - _count(_PROBE)


def _one_variable() -> int:
    """What `_foreign` says where a variable alone refers to the array."""
    source = "array = make(1)\n    return lambda: foreign(array)"
    names: dict[str, Any] = {"make": np.zeros, "foreign": lambda array: _foreign(array), "__name__": "user"}
    exec(compile(f"def variable():\n    {source}\n", __file__, "exec"), names)
    found: int = names["variable"]()()
    return found


_ONE: Final = _one_variable()
