"""Another thread that works at each line which a call runs: what it does, and what it sees, at any moment.

    with at_each_line(work):        # in a thread of its own, whole, before each line of the packages
        f(x)
    with at_each_line(work, only=7):                    # before the seventh of them
        f(x)

It finds what switches of threads would find once in a million runs. Where `work` waits for the thread that it
interrupts, that goes on after a moment, and `work` with it.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

__all__ = ["at_each_line"]

PACKAGES: Final = ("runtime", "autograph")
A_MOMENT: Final = 0.03


@contextmanager
def at_each_line(
    work: Callable[[], Any], files: tuple[str, ...] = PACKAGES, only: int | None = None
) -> Iterator[list[Any]]:
    """What `work()` has given, once the block is over. files: parts of the names of those whose lines count; only: the
    number of the line, where it is one alone."""
    found: list[Any] = []
    running: list[Future[Any]] = []
    numbers = itertools.count(1)

    def at_line(frame: FrameType, event: str, _: Any) -> Any:
        if not any(part in frame.f_code.co_filename for part in files):
            return None
        if only is not None and next(numbers) != only:
            return at_line
        if not running or running[-1].done():
            running.append(other.submit(work))
            wait(running[-1:], A_MOMENT)
        return at_line

    with ThreadPoolExecutor(1) as other:
        other.submit(int).result()  # it is there
        before = sys.gettrace()
        sys.settrace(at_line)
        try:
            yield found
        finally:
            sys.settrace(before)
        found += [each.result() for each in running]
