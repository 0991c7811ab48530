"""The program of the README's first screen: here, in plain Python, in NumPy, and where they are installed in others.

    python -m benchmarks.front_page tensorflow 10000      # its seconds there; run by the Python of `.peers`

It is written once for plain Python, for us and for TensorFlow; NumPy and JAX have to be told by hand.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import Row, Scale, best_of_each

__all__ = ["longest", "rows"]

ROOT = Path(__file__).resolve().parent.parent
LIBRARIES = {"tensorflow": "TensorFlow", "jax": "JAX"}


def longest(limit):
    best, at = 0, 0
    for start in range(1, limit):
        n, steps = start, 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        if steps > best:
            best, at = steps, start
    return at, best


def in_numpy(limit):
    """All starts at once."""
    n = np.arange(1, limit)
    steps = np.zeros_like(n)
    while (going := n != 1).any():
        n = np.where(going, np.where(n % 2 == 0, n // 2, 3 * n + 1), n)
        steps += going
    return int(steps.argmax()) + 1, int(steps.max())


def rows(scale: Scale) -> Iterator[Row]:
    """Plain Python's time beside that of the others."""
    import runtime

    limit = scale.of(10_000, least=30)
    engines = ["numpy"] if importlib.util.find_spec("llvmlite") is None else ["numpy", "native"]
    ours = [runtime.function(longest, backend=engine) for engine in engines]
    given = runtime.constant(limit)
    actions: list[Callable[[], Any]] = [lambda: longest(limit), lambda: in_numpy(limit)]
    actions += [lambda staged=staged: staged(given) for staged in ours]
    for action in actions:
        action()
    python, by_hand, *staged = best_of_each(actions, scale.repeats, clock=time.process_time)
    words = {"numpy": "`runtime.function`, as Python code over NumPy", "native": "`runtime.function`, as machine code"}
    for engine, seconds in zip(engines, staged, strict=True):
        yield Row(words[engine], seconds, "s", None, python, "plain Python")
    yield Row("NumPy, all starts at once, by hand", by_hand, "s", None, python, "plain Python")
    for library, name in LIBRARIES.items():
        seconds = _of(library, limit, scale.repeats) if scale.size == 1.0 else None
        if seconds is not None:
            how = "`tf.function`" if library == "tensorflow" else "`lax.while_loop`, by hand"
            yield Row(f"{name}, {how}", seconds, "s", None, python, "plain Python")


def _of(library: str, limit: int, repeats: int) -> float | None:
    """The seconds in another library; None where it is not installed."""
    places = (ROOT / place for place in (".peers/bin/python", ".peers/Scripts/python.exe"))
    here = sys.executable if importlib.util.find_spec(library) else ""
    python = next((str(place) for place in places if place.exists()), here)
    if not python:
        return None
    command = [python, "-m", "benchmarks.front_page", library, str(limit), str(min(repeats, 3))]
    variables = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=variables, check=False)
    return float(done.stdout.split()[-1]) if done.returncode == 0 else None


def _with_tensorflow(limit: int) -> Callable[[], Any]:
    import tensorflow as tf

    staged, given = tf.function(longest), tf.constant(limit)
    return lambda: [int(part) for part in staged(given)]


def _with_jax(limit: int) -> Callable[[], Any]:
    import jax
    from jax import lax
    from jax import numpy as jnp

    def steps_of(start):
        def step(state):
            n, steps = state
            return jnp.where(n % 2 == 0, n // 2, 3 * n + 1), steps + 1

        return lax.while_loop(lambda state: state[0] != 1, step, (start, 0))[1]

    def better(start, found):
        steps = steps_of(start)
        return lax.cond(steps > found[1], lambda: (start, steps), lambda: found)

    run = jax.jit(lambda limit: lax.fori_loop(1, limit, better, (0, 0)))
    return lambda: [int(part) for part in run(limit)]


def main(library: str, limit: str, repeats: str) -> None:
    """Prints the least seconds of a call, after one that compiles."""
    action = {"tensorflow": _with_tensorflow, "jax": _with_jax}[library](int(limit))
    assert list(action()) == list(longest(int(limit)))
    print(best_of_each([action], int(repeats), clock=time.process_time)[0])


if __name__ == "__main__":
    main(*sys.argv[1:])
