"""What waits for Variables that are still to be made: values of a checkpoint for layers that are built later.

    wait(restoration)                  # restoration.settle() gives values to what has come into being
    v = Variable(0.0)                  # may be what it waits for: that shows when an object of the program holds it
    model.w = v                        # settles
    v.value()                          # settles, too: what is read is never the value before

While nothing waits, nothing of this costs anything. While something does, a new Variable has a memory of a class of its
own, whose methods settle first; it becomes an ordinary one when it has its value, or when it was used often in vain.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import Any, Final, Protocol

from runtime.ops.kernels.resource import Resource

__all__ = ["LOCK", "WAITING", "Waiting", "arrived", "memory_class", "settle", "stop_waiting", "wait"]


class Waiting(Protocol):
    """Something that waits."""

    def settle(self, owner: Any = None, name: str | None = None) -> None:
        """Gives what it has to what is there now; only to an attribute of an object, if these are given."""
        ...


WAITING: Final[dict[int, Waiting]] = {}
"""All that waits, in the order in which it began; by identity."""

LOCK: Final = threading.RLock()
"""Is held while something settles."""

MOST_TRIES: Final = 10
"""How often a Variable is used in vain before it counts as one that nobody waits for. It can still be found later."""

_tries: Final[weakref.WeakKeyDictionary[Resource, int]] = weakref.WeakKeyDictionary()


def wait(waiting: Waiting) -> None:
    """From now on it is asked to settle."""
    with LOCK:
        WAITING[id(waiting)] = waiting


def stop_waiting(waiting: Waiting) -> None:
    """It is not asked any more."""
    with LOCK:
        WAITING.pop(id(waiting), None)


def settle(owner: Any = None, name: str | None = None) -> None:
    """To be called when an object of the program has a new part: which attribute of which object, if that is known."""
    with LOCK:
        for waiting in list(WAITING.values()):
            waiting.settle(owner, name)


def memory_class() -> type[Resource]:
    """Of which class the memory of a new Variable is."""
    return _NewMemory if WAITING else Resource


def arrived(memory: Resource) -> None:
    """The memory has the value that was waiting for it."""
    memory.__class__ = Resource
    _tries.pop(memory, None)


def _first_settling(name: str) -> Callable[..., Any]:
    """The method of `Resource`, after what waits for this memory has been asked."""
    method = getattr(Resource, name)

    def settling(self: Resource, *args: Any) -> Any:
        with LOCK:
            if type(self) is _NewMemory:
                tries = _tries[self] = _tries.get(self, 0) + 1
                settle()
                if tries >= MOST_TRIES or not WAITING:
                    arrived(self)
        return method(self, *args)

    return settling


class _NewMemory(Resource):
    """The memory of a Variable that was made while something waits."""

    __slots__ = ()

    read = _first_settling("read")
    assign = _first_settling("assign")
    take = _first_settling("take")
    update = _first_settling("update")
    advance = _first_settling("advance")
    change = _first_settling("change")
