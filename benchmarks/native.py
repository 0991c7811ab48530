"""Loops as machine code: beside numba where it is installed (in `.peers`, or here), and beside the plan over NumPy."""

from __future__ import annotations

import copy
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import runtime
from benchmarks.loops import PROGRAMS, seconds_of
from benchmarks.measure import Row, Scale

__all__ = ["rows"]

ROOT = Path(__file__).resolve().parent.parent
OF_NUMBA = 1 / 0.9
"""How many times as long as numba a program may take."""

FIRST = 0.25
"""Seconds that a first call may take, tracing and compiling included."""


def rows(scale: Scale) -> Iterator[Row]:
    """Nothing where llvmlite is not installed."""
    if importlib.util.find_spec("llvmlite") is None:
        return
    by_numba = _of_numba() if scale.size == 1.0 else {}
    times, firsts = [], []
    for function, arguments in PROGRAMS if scale.size == 1.0 else PROGRAMS[:1]:
        staged = runtime.function(function, backend="native")
        given = _as_tensors(arguments if scale.size == 1.0 else (100,))
        start = time.perf_counter()
        staged(*copy.deepcopy(given))
        firsts.append(time.perf_counter() - start)
        ours = seconds_of(staged, given, scale.repeats)
        plan = runtime.function(function, backend="numpy")
        plan(*copy.deepcopy(given))
        times.append(seconds_of(plan, given, 1) / ours)
        name, theirs = function.__name__, by_numba.get(function.__name__)
        if theirs is None:
            yield Row(f"{name} as machine code", ours, "s")
        else:
            yield Row(f"{name} as machine code", ours, "s", OF_NUMBA * theirs, theirs, "numba")
    yield Row("how many times as fast as the plan over NumPy, in the median", statistics.median(times), "times")
    yield Row("the first call, in the median", statistics.median(firsts), "s", target=FIRST)


def _as_tensors(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Numbers as tensors, which no trace takes for constants."""
    return tuple(runtime.constant(a, runtime.int64) if isinstance(a, int) else a for a in arguments)


def _of_numba() -> dict[str, float]:
    """The seconds of each program with numba; nothing where it is not installed."""
    python = next((str(p) for p in (ROOT / ".peers/bin/python", ROOT / ".peers/Scripts/python.exe") if p.exists()), "")
    python = python or (sys.executable if importlib.util.find_spec("numba") else "")
    if not python:
        return {}
    command = [python, "-m", "benchmarks.loops"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else {}
