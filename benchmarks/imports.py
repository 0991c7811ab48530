"""How long the imports take in a new process, over the start of Python itself; autograph's leaves numpy alone."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Row, Scale

__all__ = ["rows"]

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = """\
import sys, time
{before}
start = time.perf_counter()
import {package}
print(time.perf_counter() - start, 'numpy' in sys.modules)
"""


def import_seconds(package: str, repeats: int, before: str = "") -> tuple[float, bool]:
    """The least time of the import, and whether it brought numpy in. before: a line that is not measured."""
    program = PROGRAM.format(package=package, before=before)
    runs = [
        subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
        for _ in range(repeats)
    ]
    answers = [run.stdout.split() for run in runs]
    return min(float(seconds) for seconds, _ in answers), answers[0][1] == "True"


def rows(scale: Scale) -> Iterator[Row]:
    seconds, with_numpy = import_seconds("autograph", scale.repeats)
    yield Row("`import autograph`", seconds, "s", target=0.080)
    yield Row("`import autograph`: numpy imported", int(with_numpy), "times", target=0)
    numpy, _ = import_seconds("numpy", scale.repeats)
    runtime, _ = import_seconds("runtime", scale.repeats, before="import numpy")
    yield Row("`import runtime`, after numpy's", runtime, "s", baseline=numpy, baseline_name="`import numpy`")
