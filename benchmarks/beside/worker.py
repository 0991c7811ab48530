"""The process of one library: it measures the works that it is asked for, one after the other.

    python -m benchmarks.beside.worker numba       reads lines {"work": name, "budget": seconds}

The processes of all libraries are there at once and measure in turns, so that each sees the same machine; while one
measures, the others wait for their next line. Each has one core: threads of a library that wait for each other on a
machine with other work would else be all that is measured. With BENCHMARKS_ALL_CORES=1 they have all, and time is that
of the clock on the wall.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from benchmarks.beside.work import Action
from benchmarks.measure import quiet

__all__ = ["Worker", "measured"]

ROOT = Path(__file__).resolve().parents[2]
MARK = "measured: "
LONGEST = 300
"""Seconds after which a process is ended, with the work that it has come to."""

SHORT = 50e-6
"""Calls that take less seconds than this are measured several at a time."""


class Worker:
    """A process that measures works with one library, once it was asked for the first."""

    def __init__(self, python: str, library: str) -> None:
        self.command = [python, "-m", "benchmarks.beside.worker", library]
        self.process: subprocess.Popen[str] | None = None

    def measure(self, work: str, budget: float) -> dict[str, Any]:
        """`{"seconds": ...}`, or `{"absent": why}` where the library cannot do it."""
        if self.process is None:
            environment = {**os.environ, "PYTHONPATH": str(ROOT), "TF_CPP_MIN_LOG_LEVEL": "3", "JAX_ENABLE_X64": "1",
                           "JAX_PLATFORMS": "cpu"}  # fmt: skip
            self.process = subprocess.Popen(
                self.command, cwd=ROOT, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )  # fmt: skip
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps({"work": work, "budget": budget}) + "\n")
        self.process.stdin.flush()
        longest = threading.Timer(LONGEST, self.process.kill)
        longest.start()
        for line in self.process.stdout:
            if line.startswith(MARK):
                longest.cancel()
                found: dict[str, Any] = json.loads(line.removeprefix(MARK))
                return found
        longest.cancel()
        self.close()
        return {"absent": f"its process ended, or took more than {LONGEST} s"}

    def close(self) -> None:
        if self.process is not None:
            self.process.communicate()
            self.process = None


def measured(action: Action, clock: str, budget: float) -> float:
    """The least time of one call, of as many as fit into the budget, one at least."""
    now = time.process_time if clock == "processor" else time.perf_counter
    least, loops, end = float("inf"), 1, now() + budget
    with quiet():
        done = 0
        while done < 1 or now() < end:
            prepared = [action() for _ in range(loops)]
            start = now()
            for one in prepared:
                one()
            taken = (now() - start) / loops
            least, done = min(least, taken), done + 1
            if taken < SHORT and loops == 1:
                least, loops, done = float("inf"), 1000, 0
    return least


def main(library: str) -> None:
    clock = "wall" if os.environ.get("BENCHMARKS_ALL_CORES") else "processor"
    if clock == "processor" and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # before a library looks how many there are
    from benchmarks.beside.works import WORKS

    actions: dict[str, Action] = {}
    for line in sys.stdin:
        asked = json.loads(line)
        work = WORKS[asked["work"]]
        try:
            if library not in ("runtime", "numpy", "products"):
                importlib.import_module(library)
            if work.name not in actions:
                actions[work.name] = work.by[library]()
            answer: dict[str, Any] = {"seconds": measured(actions[work.name], clock, asked["budget"])}
        except ImportError as error:
            answer = {"absent": f"not installed ({error.name})"}
        except Exception as error:
            answer = {"absent": f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"}
        print(MARK + json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
