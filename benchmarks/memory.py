"""What is left after functions were converted and dropped: no module, no file, no memory.

Measured in a process of its own, after a first round that fills what is meant to stay (imports, interned names).
"""

from __future__ import annotations

import gc
import json
import mmap
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Row, Scale

__all__ = ["rows"]

ROOT = Path(__file__).resolve().parent.parent


def convert_and_drop(count: int) -> None:
    """Convert, call and drop `count` new functions of one file."""
    import autograph
    from benchmarks.programs import module

    with module("def f(x):\n    while x > 10:\n        x = x // 2\n    return x\n") as fresh:
        for _ in range(count):
            assert autograph.to_graph(fresh())(100) == 6


def trace_and_drop(count: int) -> None:
    """Make, trace, call and drop `count` new Functions."""
    import runtime
    from benchmarks.programs import module

    argument = runtime.constant(3.0)
    with module("def f(x):\n    if x > 2.0:\n        x = x * 2.0\n    return x\n") as fresh:
        for _ in range(count):
            assert float(runtime.function(fresh())(argument)) == 6.0


def what_is_left(rounds: str, first: int, count: int) -> dict[str, int]:
    """Modules, files, blocks of Python's memory and bytes of the process that `count` functions leave behind.

    rounds: the function of this module that makes them. `first` other functions go before them and fill what is meant
    to stay.
    """
    with tempfile.TemporaryDirectory() as own:
        tempfile.tempdir = own
        run = globals()[rounds]
        run(first)
        before = measured()
        run(count)
        after = measured()
        tempfile.tempdir = None
    return {what: after[what] - before[what] for what in before}


def measured() -> dict[str, int]:
    gc.collect()
    folders = [Path(tempfile.gettempdir()), Path("/proc/self/fd")]
    found = {
        "modules": len(sys.modules),
        "files": sum(len(list(folder.iterdir())) for folder in folders if folder.exists()),
        "blocks": sys.getallocatedblocks(),
    }
    pages = Path("/proc/self/statm")  # Linux
    if pages.exists():
        found["resident"] = int(pages.read_text(encoding="utf-8").split()[1]) * mmap.PAGESIZE
    return found


# What Python's own tables of interned strings and free lists move up and down: a tenth of a block and 100 bytes each.
LIMITS = {"modules": 0.0, "files": 0.0, "blocks": 0.1, "resident": 100.0}
WORDS = {"modules": "modules", "files": "files", "blocks": "blocks of memory", "resident": "growth of the process"}


def rows(scale: Scale) -> Iterator[Row]:
    count = scale.of(10_000)
    program = "import json; from benchmarks import memory; print(json.dumps(memory.what_is_left({!r}, {}, {})))"
    for rounds, done in (("convert_and_drop", "converted and dropped"), ("trace_and_drop", "traced, run and dropped")):
        command = [sys.executable, "-c", program.format(rounds, scale.of(1_000), count)]
        answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        for what, left in json.loads(answer.stdout).items():
            name = f"{count:,} functions {done}: {WORDS[what]}"
            yield Row(name, left, "bytes" if what == "resident" else "", target=LIMITS[what] * count)
