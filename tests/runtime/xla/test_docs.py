"""The examples of docs/exports.md that need JAX, fenced as `py`, print what stands below them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = re.compile(r"^```py\n(.*?)^```\n\n<!-- with JAX -->\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FOUND = EXAMPLE.findall((ROOT / "docs" / "exports.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("program", "output"), FOUND)
def test_an_example(program: str, output: str, tmp_path: Path) -> None:
    path = tmp_path / "example.py"
    path.write_text(program, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, str(path)], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, output), done.stderr


def test_there_are_examples() -> None:
    assert FOUND
