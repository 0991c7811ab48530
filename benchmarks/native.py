"""Machine code beside numba, JAX, TensorFlow and numpy: the works of benchmarks/beside, each with what it has to reach.

    python -m benchmarks native                 all of them, a quarter of an hour
    python -m benchmarks.native conv2d erf      those with one of these words in their names

All are measured by the Python of `.peers` (see tests/peers/environment.py), where there is one; where a library is
missing, its row says so.
"""

from __future__ import annotations

import importlib.util
import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import runtime
from benchmarks.beside import first
from benchmarks.beside.programs import SCIENCE
from benchmarks.beside.scalars import SCALARS
from benchmarks.beside.work import OURS, Target, Work
from benchmarks.beside.worker import Worker
from benchmarks.beside.works import WORKS
from benchmarks.measure import FULL, Row, Scale, best_of_each
from benchmarks.report import table

__all__ = ["rows"]

ROOT = Path(__file__).resolve().parent.parent
MEANS = (Target(("jax",), 4.0), SCALARS), (Target(("numba",), 0.8), SCIENCE)
"""What a group of works reaches in the geometric mean."""

CALL, FIRST, FROM_DISK = 1e-6, 0.25, 0.05
TURNS, BUDGET = 2, 0.1


def rows(scale: Scale) -> Iterator[Row]:
    """Nothing where llvmlite is not installed; the others only at full size."""
    if importlib.util.find_spec("llvmlite") is None:
        return
    yield from _calls(scale)
    if scale is FULL:
        yield from _first_calls()
        yield from _works(list(WORKS.values()))


def _first_calls() -> Iterator[Row]:
    compiled, found = first.seconds(3)
    for name, seconds, target in (("compiled", compiled, FIRST), ("from disk", found, FROM_DISK)):
        yield Row(f"the first call of a process, with its imports, {name}", seconds[0], "s")
        yield Row(f"the first call of a loop program of 50 lines, {name}", seconds[1], "s", target)


def _calls(scale: Scale) -> Iterator[Row]:
    """A call of the smallest Function over a call of nothing."""
    array = np.ones((2, 2), np.float32)
    staged, tensor = runtime.function(lambda x: x + 1, jit_compile=True), runtime.constant(array)
    staged(tensor), staged(array)
    nothing, of_tensor, of_array = best_of_each(
        [lambda: _nothing(tensor), lambda: staged(tensor), lambda: staged(array)], scale.repeats, scale.loops,
        time.process_time,
    )
    yield Row("x + 1 on a tensor [2, 2] float32, over a call of nothing", of_tensor - nothing, "s", CALL)
    yield Row("the same on an ndarray", of_array - nothing, "s", CALL)


def _nothing(x: Any) -> Any:
    return x


def _works(works: list[Work]) -> Iterator[Row]:
    """Each work by all its libraries in turns; then the means of groups."""
    place = next((str(p) for p in (ROOT / ".peers/bin/python", ROOT / ".peers/Scripts/python.exe") if p.exists()), "")
    workers = {library: Worker(place or sys.executable, library) for work in works for library in work.by}
    ratios: dict[tuple[str, tuple[str, ...]], list[float]] = {}
    try:
        for work in works:
            start = time.perf_counter()
            found = _measured(work, workers)
            print(f"{work.name}: {time.perf_counter() - start:.1f} s {found}", file=sys.stderr)
            for target in work.targets:
                yield _row(work.name, found, target)
            for target, group in MEANS:
                theirs = _best(found, target)
                if work.group == group and theirs and isinstance(found[OURS], float):
                    ratios.setdefault((group, target.libraries), []).append(found[OURS] / theirs)
    finally:
        for worker in workers.values():
            worker.close()
    for target, group in MEANS:
        of_group = ratios.get((group, target.libraries), [])
        if of_group:
            mean = math.exp(sum(map(math.log, of_group)) / len(of_group))
            yield Row(f"{len(of_group)} {group}, geometric mean of the time over that of {target.libraries[0]}", mean,
                      "times", 1 / target.times)  # fmt: skip


def _measured(work: Work, workers: dict[str, Worker]) -> dict[str, float | str]:
    found: dict[str, float | str] = {}
    for _ in range(TURNS):
        for library in work.by:
            if isinstance(found.get(library), str):
                continue
            answer = workers[library].measure(work.name, BUDGET)
            if "absent" in answer:
                found[library] = answer["absent"]
            else:
                found[library] = min(answer["seconds"], found.get(library, float("inf")))
    return found


def _best(found: dict[str, float | str], target: Target) -> float | None:
    return min((s for library in target.libraries if isinstance(s := found.get(library), float)), default=None)


def _row(name: str, found: dict[str, float | str], target: Target) -> Row:
    """Ours beside the best of the target's libraries; without any of them the row says why."""
    ours, theirs = found[OURS], _best(found, target)
    if not isinstance(ours, float):
        return Row(name, float("inf"), "s", 0.0, None, ours)
    missing = [f"{library}: {found[library]}" for library in target.libraries if isinstance(found.get(library), str)]
    if theirs is None:
        return Row(name, ours, "s", None, None, "; ".join(missing))
    best = next(library for library in target.libraries if found[library] == theirs)
    beside = "; ".join([best, *missing])
    return Row(f"{name}, {target.times:.2g} x {best}", ours, "s", theirs / target.times, theirs, beside)


if __name__ == "__main__":
    chosen = [work for work in WORKS.values() if any(word in work.name for word in sys.argv[1:])]
    print(table("Machine code", list(_works(chosen))))
