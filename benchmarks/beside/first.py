"""What first calls take in a new process: of a small loop, which imports what calls need, and then of fifty lines. Both
are traced, and compiled or taken from disk.

    python -m benchmarks.beside.first DIRECTORY        seconds of the processor of both
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["seconds"]

ROOT = Path(__file__).resolve().parents[2]


def small(n: Any) -> Any:
    total = 0.0
    for i in range(n):
        total = total * 0.5 + i
    return total


def fifty_lines(n: Any, a: Any) -> Any:
    most = 0
    for i in range(1, n):
        k = i
        steps = 0
        while k != 1:
            k = k // 2 if k % 2 == 0 else 3 * k + 1
            steps += 1
        most = max(most, steps)
    table = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i == j:
                continue
            table[i, j] = a[i] * a[j] / (1.0 + abs(i - j))
    total = 0.0
    for i in range(n):
        x = 1.0 + i
        old = 0.0
        turns = 0
        while abs(x - old) > 1e-9:
            old = x
            x = 0.5 * (x + (1.0 + i) / x)
            turns += 1
            if turns > 50:
                break
        total += x
    low = 0
    high = n
    while low < high:
        middle = (low + high) // 2
        if a[middle] < 0.5:
            low = middle + 1
        else:
            high = middle
    for _ in range(3):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                around = table[i - 1, j] + table[i + 1, j]
                around += table[i, j - 1] + table[i, j + 1]
                table[i, j] = 0.5 * table[i, j] + 0.125 * around
    largest = 0.0
    for i in range(n):
        for j in range(n):
            largest = max(largest, table[i, j])
    return most, total, low, largest


def seconds(repeats: int) -> tuple[list[float], list[float]]:
    """Of a process that compiles, and of one that finds machine code on the disk: the small loop, the fifty lines."""
    compiled, found = [], []
    with tempfile.TemporaryDirectory() as modules, tempfile.TemporaryDirectory() as before:
        _measured(before, modules)  # compiles the modules of Python
        for _ in range(repeats):
            with tempfile.TemporaryDirectory() as folder:
                compiled.append(_measured(folder, modules))
                found.append(_measured(folder, modules))
    return [min(one) for one in zip(*compiled, strict=True)], [min(one) for one in zip(*found, strict=True)]


def _measured(folder: str, modules: str) -> list[float]:
    command = [sys.executable, "-m", "benchmarks.beside.first", folder]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": modules}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    found: list[float] = json.loads(done.stdout.splitlines()[-1])
    return found


def main(folder: str) -> None:
    import runtime

    runtime.config.native_cache(str(Path(folder) / "cache"))
    n, found = runtime.constant(40, runtime.int64), []
    for program, given in ((small, (n,)), (fifty_lines, (n, np.linspace(0.0, 1.0, 40)))):
        staged = runtime.function(program, backend="native")
        start = time.process_time()
        staged(*given)
        found.append(time.process_time() - start)
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
