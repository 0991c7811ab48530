"""Errors in staged statements are shown at their lines in notebooks, whose cells are no files.

This is IPython as a kernel sets it up; tests/tools/kernel has the same cells in a kernel.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.notebook_cells import CELLS, FIRST, arrows
from tests.tools.program import python

SCRIPT = """
import sys
from IPython.core.compilerop import CachingCompiler
from IPython.core.interactiveshell import InteractiveShell

class OfAKernel(CachingCompiler):
    def get_code_name(self, raw_code, transformed_code, number):
        return f"/tmp/kernel_of_nobody/{{number}}.py"

InteractiveShell.compiler_class = OfAKernel
shell = InteractiveShell.instance(colors="nocolor")
shell.history_manager.enabled = False
for cells in {notebooks!r}:
    for cell in cells:
        shell.run_cell(cell, store_history=True)
    print("=====", flush=True)
"""


def test_the_arrow_stands_at_the_line_of_the_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    notebooks = [(FIRST,), *CELLS.values()]
    done = python(tmp_path, "-W", "ignore", "-c", SCRIPT.format(notebooks=notebooks))
    assert done.returncode == 0, done.stdout + done.stderr
    _, *shown = done.stdout.split("=====")[:-1]
    for (name, cells), text in zip(CELLS.items(), shown, strict=True):
        wanted = next(line for line in cells[0].splitlines() if line.endswith("# here"))
        assert arrows(text)[-1] == wanted.strip(), (name, text)
