"""Whether anything but one variable refers to an array.

    out = np.zeros(3)        # may become a tensor when out[i] = x is staged ...
    alias = out              # ... but then the alias would keep the old elements: it is refused

Counted are the references, less those of the frames of this project that hold the array at the moment, one for each
variable. From Python 3.14 on an argument may borrow the reference of the caller, where that is a local variable and
neither a closure's nor an attribute. What such things add is measured once.
"""

from __future__ import annotations

import gc
import sys
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
        code = frame.f_code
        arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        for name, value in variables_of(frame).items():
            if value is array:
                found -= _PER_ARGUMENT if name in arguments else 1
            elif type(value) is Place:
                found -= value.references(array)
        frame = frame.f_back
    return found if frame is None or _is_local(array, frame) else found - _LOADED


def _is_local(array: Any, frame: FrameType) -> bool:
    variables = variables_of(frame)
    return any(variables.get(name) is array for name in frame.f_code.co_varnames)


def _count(array: Any) -> int:
    return sys.getrefcount(array)


def _count_deeper(array: Any) -> int:
    return _count(array)


_PROBE: Final = np.zeros(1)
_PER_ARGUMENT: Final = _count_deeper(_PROBE) - _count(_PROBE)


def _of_user_code(source: str) -> int:
    """What `_foreign` says where a variable of a user's function alone refers to the array."""
    names: dict[str, Any] = {"make": np.zeros, "foreign": lambda array: _foreign(array), "__name__": "user"}
    exec(compile(source, __file__, "exec"), names)
    found: int = names["variable"]()()
    return found


_LOADED: int = 0
_ONE: Final = _of_user_code("""
def variable():
    def use():
        array = make(1)
        return foreign(array)
    return use
""")
_LOADED = (
    _of_user_code("""
def variable():
    array = make(1)
    return lambda: foreign(array)
""")
    - _ONE
)
"""What an argument adds that is no local variable of the caller."""
