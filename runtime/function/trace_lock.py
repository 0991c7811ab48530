"""One thread at a time traces a Function; the others wait for its trace, but not for ever.

    lock = TraceLock()
    with lock.turn():        # nobody else traces this Function meanwhile ...
        trace()              # ... unless the trace itself waits for another thread, which calls the Function

A trace may start threads that call the same Function, and wait for them: they would wait for the trace, and it for
them. So a thread that waits looks at the one that is tracing, and at what that waits for. If this leads back to itself,
or to a thread that has done nothing for a while, it waits no longer, and traces by itself.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator
from typing import Final, NamedTuple

__all__ = ["TraceLock"]

LOOK_EVERY: Final = 0.05
"""Seconds between two looks at the thread that is waited for."""

WAITS: Final = 0.2
"""A thread that has been at one place of `threading` for so many seconds waits for other threads."""

STANDS_STILL: Final = 2.0
"""A thread that has been at one place of other code for so many seconds, without any work, waits for something."""

_waiting: Final[dict[int, TraceLock]] = {}
"""The threads that wait just now, by their idents, and what for."""


class TraceLock:
    """See the module's docstring. A thread that has the turn may take it again."""

    __slots__ = ("_depth", "_lock", "_owner")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owner = 0
        self._depth = 0

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """While this thread traces."""
        me = threading.get_ident()
        if self._owner == me:
            self._depth += 1
        elif self._lock.acquire(blocking=False) or self._wait(me):
            self._owner, self._depth = me, 1
        else:
            yield  # whoever has the turn waits for this thread
            return
        try:
            yield
        finally:
            self._depth -= 1
            if self._depth == 0:
                self._owner = 0
                self._lock.release()

    def _wait(self, me: int) -> bool:
        """Whether the turn came; False if it would never come."""
        _waiting[me] = self
        seen, since = None, time.monotonic()
        try:
            while not self._lock.acquire(timeout=LOOK_EVERY):
                thread = self._waits_for(me)
                if thread == me:
                    return False
                state = _state_of(thread)
                if state != seen:
                    seen, since = state, time.monotonic()
                elif time.monotonic() - since > (WAITS if state.is_in_threading else STANDS_STILL):
                    return False
            return True
        finally:
            del _waiting[me]

    def _waits_for(self, me: int) -> int:
        """The thread at the end of the chain of those that wait for each other's traces."""
        lock: TraceLock | None = self
        owner, seen = 0, set()
        while lock is not None and lock not in seen:
            seen.add(lock)
            owner = lock._owner
            if owner == me:
                break
            lock = _waiting.get(owner)
        return owner


class _State(NamedTuple):
    """What changes when a thread does something: where it is, and how much it has worked."""

    thread: int
    place: tuple[int, int] | None
    work: float
    is_in_threading: bool


def _state_of(thread: int) -> _State:
    frame = sys._current_frames().get(thread)
    if frame is None:
        return _State(thread, None, 0.0, False)
    return _State(
        thread, (id(frame), frame.f_lasti), _work_of(thread), frame.f_code.co_filename == threading.__file__
    )


def _work_of(thread: int) -> float:
    """The hundredths of a second that a thread has worked, as far as the system tells."""
    try:
        return round(time.clock_gettime(time.pthread_getcpuclockid(thread)), 2)
    except (AttributeError, OSError, OverflowError):  # not on all systems; or the thread is gone
        return 0.0
