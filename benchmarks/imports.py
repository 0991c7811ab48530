"""How long the imports take in a new process, over the start of Python itself; autograph's leaves numpy alone.

A first run compiles what is imported, into a folder of its own, so that no other measures the compiler.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Row, Scale

__all__ = ["rows"]

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = """\
import sys, time
{before}
start = time.process_time()
import {package}
print(time.process_time() - start, 'numpy' in sys.modules)
"""


def import_seconds(package: str, repeats: int, before: str = "") -> tuple[float, bool]:
    """The least time of the import, and whether it brought numpy in. before: a line that is not measured."""
    command = [sys.executable, "-c", PROGRAM.format(package=package, before=before)]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        environment["OPENBLAS_NUM_THREADS"] = "1"  # the waiting of numpy's other threads would count as our time
        runs = [
            subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
            for _ in range(repeats + 1)
        ]
    answers = [run.stdout.split() for run in runs]
    return min(float(seconds) for seconds, _ in answers), answers[0][1] == "True"


def rows(scale: Scale) -> Iterator[Row]:
    seconds, with_numpy = import_seconds("autograph", scale.repeats)
    yield Row("`import autograph`", seconds, "s", target=0.030)
    yield Row("`import autograph`: numpy imported", int(with_numpy), "times", target=0)
    numpy, _ = import_seconds("numpy", scale.repeats)
    runtime, _ = import_seconds("runtime", scale.repeats, before="import numpy")
    yield Row("`import runtime`, after numpy's", runtime, "s", 0.060, numpy, "`import numpy`")
