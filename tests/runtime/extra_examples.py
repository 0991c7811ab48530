"""The examples of docs/exports.md that need a library of an extra: fenced as `py`, and told by `<!-- with JAX -->`.

    FOUND = examples("JAX")                     # pairs of a program and what it prints
    check(program, output, folder)
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = r"^```py\n((?:(?!```).*\n)*)```\n\n<!-- with {} -->\n```text\n((?:(?!```).*\n)*)```$"


def examples(library: str) -> list[tuple[str, str]]:
    text = (ROOT / "docs" / "exports.md").read_text(encoding="utf-8")
    return re.findall(EXAMPLE.format(library), text, re.MULTILINE)


def check(program: str, output: str, folder: Path) -> None:
    path = folder / "example.py"
    path.write_text(program, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, str(path)], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, output), done.stderr
