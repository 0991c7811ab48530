"""What layers keep beside tensors and themselves: masks of tensors, terms of the loss, how layers were made.

None of it is a part of a layer: it is neither saved nor looked at by guards, and goes with what it belongs to.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from autograph.contexts import binding

__all__ = ["MADE", "MASKS", "STEPS", "TERMS", "Answer", "Beside", "outermost"]


class Beside:
    """A value for each of some objects, found by identity, as long as the object lives."""

    def __init__(self) -> None:
        self._held: dict[int, tuple[weakref.ref[Any], Any]] = {}
        self._lock = threading.RLock()

    def __bool__(self) -> bool:
        return bool(self._held)

    def __setitem__(self, owner: Any, value: Any) -> None:
        key = id(owner)
        with self._lock:
            self._held[key] = weakref.ref(owner, lambda gone: self._drop(key, gone)), value

    def __delitem__(self, owner: Any) -> None:
        with self._lock:
            self._held.pop(id(owner), None)

    def _drop(self, key: int, gone: Any) -> None:
        with self._lock:
            if key in self._held and self._held[key][0] is gone:
                del self._held[key]

    def get(self, owner: Any, default: Any = None) -> Any:
        """The value of an object, or the default."""
        found = self._held.get(id(owner))
        return found[1] if found is not None and found[0]() is owner else default


MASKS: Final = Beside()
"""For a tensor: bools, False where it holds nothing that counts."""

TERMS: Final = Beside()
"""For a layer: the terms that its last call has added to the loss."""

STEPS: Final = Beside()
"""For a layer: its calls with symbols."""

MADE: Final = Beside()
"""For a layer: with which arguments it was made."""

class Answer:
    """A property of layers that programs may have an attribute of the same name for."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self._function, self.__doc__ = function, function.__doc__

    def __get__(self, layer: Any, owner: Any = None) -> Any:
        return self if layer is None else self._function(layer)


_inside: ContextVar[bool] = ContextVar("inside_of_a_layer", default=False)


@contextmanager
def outermost() -> Iterator[bool]:
    """Whether this call of a layer is in none of another one."""
    if _inside.get():
        yield False
        return
    with binding(_inside, True):
        yield True
