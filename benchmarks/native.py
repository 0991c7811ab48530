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

import numpy as np

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
    for name, function, given in _of_arrays(scale):
        ours, plan = (runtime.function(function, backend=engine) for engine in ("native", "numpy"))
        ours(*given), plan(*given)
        ratio = seconds_of(plan, given, scale.repeats) / seconds_of(ours, given, scale.repeats)
        yield Row(f"{name}: how many times as fast as the plan", ratio, "times")
    yield Row("the first call, in the median", statistics.median(firsts), "s", target=FIRST)


def descent(x: Any, y: Any, turns: Any) -> Any:
    """Least squares, step by step: two products of a matrix and a vector in each."""
    w = np.zeros(x.shape[1])
    for _ in range(turns):
        w = w - 1e-4 * (x.T @ (x @ w - y))
    return w


def beams(table: Any, turns: Any) -> Any:
    """The heart of a beam search: the eight best of all continuations."""
    scores, last = table[0, :8], runtime.range(8)
    for _ in range(turns):
        ahead = runtime.expand_dims(scores, 1) + runtime.gather(table, last)
        scores, best = runtime.math.top_k(runtime.reshape(ahead, [-1]), 8)
        last = best % runtime.shape(table)[1]
    return scores, last


def _of_arrays(scale: Scale) -> Iterator[tuple[str, Any, tuple[Any, ...]]]:
    drawn, size = np.random.default_rng(0), 1000 if scale.size == 1.0 else 30
    yield "gradient descent on 20 x 5", descent, (drawn.normal(size=(20, 5)), drawn.normal(size=20), _turns(300))
    yield "gradient descent on 300 x 100", descent, (drawn.normal(size=(300, 100)), drawn.normal(size=300), _turns(300))
    table = np.log(drawn.dirichlet(np.ones(size), size))
    yield f"beam search, width 8, {size} words", beams, (runtime.constant(table), _turns(12))


def _turns(count: int) -> Any:
    return runtime.constant(count, runtime.int64)


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
