"""What the same work costs in TensorFlow, where it is installed: in `.peers` (see tests/peers/environment.py) or here.

    python -m benchmarks.peers tensorflow 200 7          # seconds of wall and processor; with `runtime` ours

Each library is measured in processes of its own, in turns, by the same Python and with the same number of threads: the
threads of the one would else wait for work at the cost of the other.
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
from typing import Any

import numpy as np

from benchmarks.measure import Row, Scale, best_of_each

__all__ = ["python_with_tensorflow", "rows"]

ROOT = Path(__file__).resolve().parent.parent
CHANNELS = 100
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "TF_THREADS"), "1")
LIBRARIES = ("runtime", "tensorflow")
TURNS = 2


def python_with_tensorflow() -> str | None:
    """The Python of the environment with TensorFlow, if there is one."""
    for place in (".peers/bin/python", ".peers/Scripts/python.exe"):
        if (ROOT / place).exists():
            return str(ROOT / place)
    return sys.executable if importlib.util.find_spec("tensorflow") else None


def rows(scale: Scale) -> Iterator[Row]:
    """conv2d beside TensorFlow's; nothing where there is no TensorFlow."""
    python = python_with_tensorflow()
    if python is None:
        return
    size = scale.of(200, least=5)
    name = f"conv2d of [1, {size}, {size}, {CHANNELS}] with {CHANNELS} filters of 3 x 3, beside TensorFlow"
    for threads, environment, clock in (("one thread", ONE_THREAD, 1), ("all threads", {}, 0)):
        turns = [
            [_measured(python, library, size, scale.repeats, environment)[clock] for library in LIBRARIES]
            for _ in range(TURNS if scale.repeats > 1 else 1)
        ]
        ours, theirs = (min(seconds) for seconds in zip(*turns, strict=True))
        yield Row(f"{name}, {threads}", ours, "s", 1.1 * theirs, theirs, "TensorFlow")


def _measured(python: str, library: str, size: int, repeats: int, environment: dict[str, str]) -> list[float]:
    command = [python, "-m", "benchmarks.peers", library, str(size), str(repeats)]
    variables = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONPATH": str(ROOT), **environment}
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=True)
    found: list[float] = json.loads(done.stdout.splitlines()[-1])
    return found


def _convolution(library: str, size: int) -> Callable[[], Any]:
    module = importlib.import_module(library)
    if library == "tensorflow" and "TF_THREADS" in os.environ:
        for set_threads in (module.config.threading.set_intra_op_parallelism_threads,
                            module.config.threading.set_inter_op_parallelism_threads):  # fmt: skip
            set_threads(int(os.environ["TF_THREADS"]))
    numbers = np.random.default_rng(0)
    image = module.constant(numbers.normal(size=(1, size, size, CHANNELS)).astype(np.float32))
    filters = module.constant(numbers.normal(size=(3, 3, CHANNELS, CHANNELS)).astype(np.float32))
    return lambda: module.nn.conv2d(image, filters, 1, "VALID")


if __name__ == "__main__":
    action = _convolution(sys.argv[1], int(sys.argv[2]))
    action()
    seconds = [best_of_each([action], int(sys.argv[3]), clock=c)[0] for c in (time.perf_counter, time.process_time)]
    print(json.dumps(seconds))
