"""Whether anything but one variable refers to an array.

    out = np.zeros(3)        # may become a tensor when out[i] = x is staged ...
    alias = out              # ... but then the alias would keep the old elements: it is refused

Counted are the references, less those of the frames of this project that hold the array at the moment. What one such
frame adds is measured once, for it differs between versions of Python.
"""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any, Final

import numpy as np

from autograph.operators.slices import Place

__all__ = ["is_shared"]

_PACKAGES: Final = ("autograph.operators", "runtime.")


def is_shared(array: Any) -> bool:
    """Whether two or more variables or objects of the user refer to the array; called from code of this project."""
    return _foreign(array) > _ONE


def _foreign(array: Any) -> int:
    """The references that code of the user holds, and a constant."""
    found = sys.getrefcount(array)  # before the frames are looked at, which makes new ones
    frame: FrameType | None = sys._getframe(0)
    while frame is not None and str(frame.f_globals.get("__name__", "")).startswith(_PACKAGES):
        for value in frame.f_locals.values():
            if value is array:
                found -= _PER_FRAME
            elif type(value) is Place:
                found -= value.references(array)
        frame = frame.f_back
    return found


def _count(array: Any) -> int:
    return sys.getrefcount(array)


def _count_deeper(array: Any) -> int:
    return _count(array)


def _measured() -> tuple[int, int]:
    array = np.zeros(1)
    return _count_deeper(array) - _count(array), 0


_PER_FRAME: Final = _measured()[0]


def _one_variable() -> int:
    """What `_foreign` says where a variable alone refers to the array."""
    source = "array = make(1)\n    return lambda: foreign(array)"
    names: dict[str, Any] = {"make": np.zeros, "foreign": lambda array: _foreign(array), "__name__": "user"}
    exec(compile(f"def variable():\n    {source}\n", __file__, "exec"), names)
    found: int = names["variable"]()()
    return found


_ONE: Final = _one_variable()
