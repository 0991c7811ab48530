"""The tracebacks of a notebook that a Jupyter kernel has run."""

from __future__ import annotations

import asyncio
import os
import warnings
from pathlib import Path
from typing import Any

import pytest

from tests.tools.notebook_cells import CELLS, FIRST, arrows
from tests.tools.program import ROOT


def run(notebooks: list[tuple[str, ...]]) -> list[str]:
    """The traceback that the last cell of each notebook shows; one kernel runs them all."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what the client's packages deprecate among themselves
        import nbclient
        import nbformat

        cells = [nbformat.v4.new_code_cell(cell) for notebook in notebooks for cell in notebook]
        notebook: Any = nbformat.v4.new_notebook(cells=cells)
        client = nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", allow_errors=True)
        asyncio.run(client.async_execute())
    last = iter(cells)
    shown = [[next(last) for _ in notebook][-1].outputs for notebook in notebooks]
    return ["\n".join(o.traceback) for outputs in shown for o in outputs if o.output_type == "error"]


def test_the_arrow_stands_at_the_line_of_the_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    first, *others = CELLS.values()
    for (name, cells), text in zip(CELLS.items(), run([(FIRST, *first), *others]), strict=True):
        wanted = next(line for line in cells[0].splitlines() if line.endswith("# here"))
        assert arrows(text)[-1] == wanted.strip(), (name, text)
