"""The program that the tools look at, and how it is run: as a file of its own, imported or in a process of its own.

Lines of interest carry a comment `# at: name`, so that the tests speak of names, not of numbers.

Example:
    module = imported(tmp_path, PROGRAM)
    line_of(PROGRAM, "branch")  # the line of `y = grown(x)`
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = '''\
"""A program with a branch, loops and a function that it calls."""

import runtime


def grown(x):
    if x > 100.0:
        return x
    return x + 1.0  # at: callee


def steps(x, n):
    """Adds up."""
    total = x * 0.0
    if x > 0.0:
        sign = "up"
        y = grown(x)  # at: branch
    else:
        sign = "down"
        y = x - 1.0  # at: other
    for i in range(n):
        total = total + y  # at: body
    while total > 50.0:
        total = total - 7.0  # at: again
    return total  # at: last


if __name__ == "__main__":
    staged = runtime.function(steps)
    print("result", float(staged(runtime.constant(2.0), runtime.constant(3))))
'''


def line_of(text: str, name: str) -> int:
    """The number of the line with the comment `# at: name`."""
    (line,) = [number for number, line in enumerate(text.splitlines(), 1) if line.endswith(f"# at: {name}")]
    return line


def imported(folder: Path, text: str, name: str = "program") -> ModuleType:
    """The text as a module of its own file. It is not in sys.modules: nothing to clean up."""
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def python(folder: Path, *arguments: str, script: str = "") -> subprocess.CompletedProcess[str]:
    """A Python of its own in `folder`, which finds the packages of this repository; `script` is what is typed."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]).strip(os.pathsep)
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONWARNINGS": "error", "NO_COLOR": "1"}
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, input=script, capture_output=True, text=True, timeout=60, check=False
    )
