"""The tools of all sections: the least time of several repeats, and the row of the table that holds it.

The least time is what the work costs; what is above it is the machine doing other things. What is compared is measured
in turns, so that all of it sees the same machine. Work of many milliseconds that uses one thread is measured in time of
the processor, which other programs disturb less.

    row = Row("x + 1", seconds, "s", target=5e-6)
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

__all__ = ["FULL", "TINY", "Row", "Scale", "best_of_each", "processor_seconds"]

Action = Callable[[], object]


@dataclass(frozen=True)
class Scale:
    """How much is measured: `repeats` of everything, and programs of `size` times their full size."""

    repeats: int
    size: float
    loops: int

    def of(self, full: int, least: int = 2) -> int:
        """A size or count, made smaller as the scale says."""
        return max(least, int(full * self.size))


FULL = Scale(repeats=7, size=1.0, loops=2000)
TINY = Scale(repeats=1, size=0.01, loops=3)
"""Shows that every program runs; its numbers mean nothing."""


@dataclass(frozen=True)
class Row:
    """One measured value, beside what it should at most be (`target`) and what it is compared with (`baseline`)."""

    name: str
    value: float
    unit: str
    target: float | None = None
    baseline: float | None = None
    baseline_name: str = ""

    @property
    def met(self) -> bool | None:
        return None if self.target is None else self.value <= self.target


def best_of_each(
    actions: list[Action], repeats: int, loops: int = 1, clock: Callable[[], float] = time.perf_counter
) -> list[float]:
    """For each action the seconds of one call: the least of `repeats` measurements, in turns, of `loops` calls each."""
    least = [float("inf")] * len(actions)
    with quiet():
        for _ in range(repeats):
            for index, action in enumerate(actions):
                least[index] = min(least[index], _seconds(action, loops, clock) / loops)
    return least


def _seconds(action: Action, loops: int, clock: Callable[[], float]) -> float:
    counted = range(loops)
    start = clock()
    for _ in counted:
        action()
    return clock() - start


def processor_seconds(action: Action) -> float:
    """Seconds of the processor that one call of `action` takes."""
    return best_of_each([action], 1, clock=time.process_time)[0]


@contextmanager
def quiet() -> Iterator[None]:
    """Without the garbage collector, as `timeit` does: its pauses fall on whoever allocates at that moment."""
    enabled = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
