"""Runs the breaks: python -m tests.mutations [list ...]"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.mutations import LISTS, Break

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDERS = ("autograph", "runtime", "tests", "docs")
FILES = ("pyproject.toml", "README.md")


def survives(mutation: Break, tree: Path) -> bool:
    """Whether the tests pass with the break, in a copy of the project."""
    path = tree / mutation.file
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(mutation.old, mutation.new), encoding="utf-8")
    try:
        command = [sys.executable, "-m", "pytest", "-qx", "-n", "0", "-p", "no:cacheprovider", *mutation.tests.split()]
        try:
            return subprocess.run(command, cwd=tree, capture_output=True, timeout=300).returncode == 0
        except subprocess.TimeoutExpired:
            return False
    finally:
        path.write_text(text, encoding="utf-8")


def main() -> int:
    """Prints a line for each break; returns how many survived."""
    survived = 0
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        for name in FOLDERS:
            shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
        for name in FILES:
            shutil.copy(ROOT / name, tree / name)
        for name in sys.argv[1:] or LISTS:
            for mutation in LISTS[name]:
                lives = survives(mutation, tree)
                survived += lives
                print("SURVIVED" if lives else "killed  ", mutation.file, repr(mutation.new), flush=True)
    return survived


if __name__ == "__main__":
    sys.exit(main())
