"""The command line run in this process, with what it wrote and said: `outcome = run("--diff", "a.py")`."""

import io
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import autograph
from autograph.cli import main

Run = Callable[..., "Outcome"]
# For Python processes that run in another folder: the package under test is found there too.
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(autograph.__file__).parents[1])}


@dataclass(frozen=True)
class Outcome:
    """What one run of the command line did."""

    code: int
    out: str
    err: str


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command line in a folder of its own; `stdin` is given as bytes, streams may be terminals."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")

    def run_main(
        *arguments: str, stdin: bytes = b"", out_is_terminal: bool = False, err_is_terminal: bool = False
    ) -> Outcome:
        out = Terminal() if out_is_terminal else io.StringIO()
        err = Terminal() if err_is_terminal else io.StringIO()
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", err)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = main(arguments)
        return Outcome(code, out.getvalue(), err.getvalue())

    return run_main


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], str]:
    """Writes a file below the folder of the test and returns its name, relative to that folder."""

    def write_file(name: str, content: str | bytes) -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return name

    return write_file
