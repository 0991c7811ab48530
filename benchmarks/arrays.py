"""Operations on whole arrays as machine code: beside numpy, and beside JAX where it is installed (`.peers`, or here).

    python -m benchmarks.arrays         seconds of each with jax.jit, as JSON; run by the Python of `.peers`

The same text runs with numpy, with JAX, and as Functions of the runtime, which take ndarrays.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.measure import Row, Scale, best_of_each

__all__ = ["rows"]

ROOT = Path(__file__).resolve().parent.parent


def ten_cheap(xp: Any) -> Callable[..., Any]:
    def run(x: Any, y: Any) -> Any:
        z = x * 2.0 + y
        z = z * z - x
        z = xp.abs(z) * y + x
        return ((z - y) * 0.5 + 1.0) * x

    return run


def exponentials(xp: Any) -> Callable[..., Any]:
    def run(x: Any) -> Any:
        return xp.tanh(xp.exp(-x * x) * 0.5 + x)

    return run


def hundred_small(xp: Any) -> Callable[..., Any]:
    def run(x: Any, y: Any) -> Any:
        for _ in range(25):
            x = x * 0.5 + y
            y = xp.maximum(y - x * 0.25, x)
        return x, y

    return run


def squares(xp: Any) -> Callable[..., Any]:
    return lambda x, y: xp.mean((x - y) ** 2)


def spread(xp: Any) -> Callable[..., Any]:
    return lambda x: xp.var(x)


def softmax(xp: Any) -> Callable[..., Any]:
    def run(x: Any) -> Any:
        e = xp.exp(x - xp.max(x))
        return e / xp.sum(e)

    return run


PROGRAMS: Final[dict[str, tuple[Callable[[Any], Callable[..., Any]], tuple[int, ...], int]]] = {
    "10 cheap operations on 10M float64": (ten_cheap, (10_000_000, 10_000_000), 1),
    "10 cheap operations on 10,000 float64": (ten_cheap, (10_000, 10_000), 50),
    "exp and tanh of 1M float64": (exponentials, (1_000_000,), 1),
    "100 operations on 4 float64": (hundred_small, (4, 4), 500),
    "mean squared difference of 1M float64": (squares, (1_000_000, 1_000_000), 3),
    "variance of 1M float64": (spread, (1_000_000,), 3),
    "softmax of 1M float64": (softmax, (1_000_000,), 1),
}
"""By the name the program, the sizes of its arguments, and how many calls are measured together."""

TIMES_OF_JAX: Final = {
    "10 cheap operations on 10M float64": 3.0, "exp and tanh of 1M float64": 1.0, "100 operations on 4 float64": 8.0,
}  # fmt: skip
"""How many times as fast as jax.jit a program is to be."""


def arguments_of(sizes: tuple[int, ...]) -> list[Any]:
    drawn = np.random.default_rng(0)
    return [drawn.normal(size=size) for size in sizes]


def rows(scale: Scale) -> Iterator[Row]:
    """Each program in wall time, as it uses several threads; nothing where llvmlite is not installed."""
    if importlib.util.find_spec("llvmlite") is None:
        return
    import runtime

    by_jax = _of_jax() if scale.size == 1.0 else {}
    for name, (program, sizes, loops) in PROGRAMS.items():
        given = arguments_of(tuple(scale.of(size) for size in sizes))
        staged = runtime.function(program(np), jit_compile=True)
        plain = program(np)
        ours, numpys = best_of_each(
            [lambda f=staged, g=given: f(*g), lambda f=plain, g=given: f(*g)], scale.repeats, loops  # type: ignore[misc]
        )  # fmt: skip
        if name not in by_jax:
            yield Row(name, ours, "s", None, numpys, "numpy")
            continue
        target = by_jax[name] / TIMES_OF_JAX[name] if name in TIMES_OF_JAX else None
        yield Row(name, ours, "s", target, by_jax[name], "jax.jit")
        yield Row(f"{name}, beside numpy", ours, "s", None, numpys, "numpy")


def _of_jax() -> dict[str, float]:
    """The seconds of each program with jax.jit; nothing where JAX is not installed."""
    places = (ROOT / ".peers/bin/python", ROOT / ".peers/Scripts/python.exe")
    python = next((str(p) for p in places if p.exists()), "")
    python = python or (sys.executable if importlib.util.find_spec("jax") else "")
    if not python:
        return {}
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "JAX_ENABLE_X64": "1", "JAX_PLATFORMS": "cpu"}
    command = [python, "-m", "benchmarks.arrays"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    return json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else {}


def _measured_with_jax() -> dict[str, float]:
    import jax

    found = {}
    for name, (program, sizes, loops) in PROGRAMS.items():
        given = [jax.numpy.asarray(a) for a in arguments_of(sizes)]
        run = jax.jit(program(jax.numpy))
        action = lambda run=run, given=given: jax.block_until_ready(run(*given))
        action()
        (found[name],) = best_of_each([action], 7, loops, clock=time.perf_counter)
    return found


if __name__ == "__main__":
    print(json.dumps(_measured_with_jax()))
