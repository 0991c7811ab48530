"""Breaks the packages, one place at a time, in a copy of the tree, and sees whether the tests notice.

    with Workshop(root) as workshop:
        workshop.judge(mutation)        # Verdict.KILLED, or Verdict.SURVIVED: a test is missing

The tree itself is never touched. A mutation that hangs the tests has been noticed, too; one that cannot be imported
proves nothing about them, and is a fault of the table.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

__all__ = ["Mutation", "Verdict", "Workshop", "mutated"]

COPIED = ("autograph", "runtime", "tests", "docs", "pyproject.toml")
MOST_SECONDS = 300
FAILED, INTERRUPTED = 1, 2
"""What pytest returns for tests that failed, and for files of tests that could not be imported."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """A break: `old` stands once in `file`, `new` in its place takes away what `behaviour` says; `tests` notice."""

    behaviour: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.file}: {self.behaviour}"


class Verdict(Enum):
    """What became of a mutation."""

    KILLED = "killed"
    SURVIVED = "SURVIVED"
    UNFIT = "UNFIT, it cannot be imported"


def mutated(text: str, mutation: Mutation) -> str:
    """The text of the file with the break in it. Raises ValueError unless the place is there, once."""
    if text.count(mutation.old) != 1:
        raise ValueError(f"{mutation}: {mutation.old!r} stands {text.count(mutation.old)} times in the file, not once")
    return text.replace(mutation.old, mutation.new)


class Workshop:
    """A copy of the tree, for as long as the `with` statement lasts."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._writes = 0

    def __enter__(self) -> Workshop:
        self._folder = tempfile.TemporaryDirectory(prefix="mutations-")
        self._tree = Path(self._folder.name)
        for name in COPIED:
            if (self._root / name).is_dir():
                shutil.copytree(self._root / name, self._tree / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(self._root / name, self._tree)
        return self

    def __exit__(self, *error: object) -> None:
        self._folder.cleanup()

    def failures(self, tests: Iterable[str]) -> str:
        """What pytest says of the tests as things stand; nothing if they pass."""
        code, output = self._run(tests)
        return output if code else ""

    def judge(self, mutation: Mutation) -> Verdict:
        """Breaks, runs the tests of the mutation, mends."""
        path = self._tree / mutation.file
        original = path.read_text(encoding="utf-8")
        self._write(path, mutated(original, mutation))
        try:
            code, output = self._run(mutation.tests)
        finally:
            self._write(path, original)
        if code == INTERRUPTED or "ImportError while loading conftest" in output:
            return Verdict.UNFIT
        return Verdict.KILLED if code else Verdict.SURVIVED

    def _write(self, path: Path, text: str) -> None:
        """With a time of its own: Python knows by that and by the size whether what it compiled is up to date."""
        path.write_text(text, encoding="utf-8")
        self._writes += 1
        os.utime(path, (self._writes, self._writes))

    def _run(self, tests: Iterable[str]) -> tuple[int, str]:
        command = [sys.executable, "-m", "pytest", "-q", "-x", "--no-header", "-p", "no:cacheprovider", *tests]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        environment["PYTHONPATH"] = str(self._tree)
        try:
            done = subprocess.run(
                command, cwd=self._tree, env=environment, capture_output=True, text=True, timeout=MOST_SECONDS
            )
        except subprocess.TimeoutExpired:
            return FAILED, f"not done after {MOST_SECONDS} s"
        return done.returncode, done.stdout + done.stderr
