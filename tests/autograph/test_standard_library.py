"""The standard library as a test program: a sample of its functions and files always, all of them when asked for.

All of them take minutes: pytest -m slow tests/autograph/test_standard_library.py
"""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

from autograph.errors import UnsupportedSyntaxError
from tests.autograph.standard_library import Report, check_file, check_function, functions_of, library_files

SAMPLED = (
    "argparse", "ast", "bisect", "calendar", "configparser", "copy", "csv", "dataclasses", "difflib", "fractions",
    "heapq", "inspect", "json.decoder", "json.encoder", "pprint", "random", "shlex", "statistics", "string", "textwrap",
    "tokenize", "typing", "zipfile",
)  # fmt: skip


def test_a_sample_of_functions() -> None:
    found = [function for name in SAMPLED for function in functions_of(importlib.import_module(name))]
    sample = found[:: max(1, len(found) // 100)]
    report = Report().run(sample, check_function, lambda function: f"{function.__module__}.{function.__qualname__}")
    assert not report.failures, str(report)
    assert report.fine > 90 and all(reason.startswith(UnsupportedSyntaxError.__name__) for reason in report.refused)


def test_a_sample_of_files() -> None:
    files = library_files()
    report = Report().run(files[:: len(files) // 40], check_file, str)
    assert not report.failures, str(report)
    assert report.fine > 30


def test_a_failure_is_told() -> None:
    def fails(thing: str) -> str | None:
        if thing == "bad":
            raise KeyError(thing)
        return None if thing == "good" else "a reason"

    report = Report().run(["good", "bad", "refused", "refused"], fails, str)
    assert report.fine == 1 and report.refused == {"a reason": 2} and report.failures == ["bad: KeyError: 'bad'"]
    assert "2 refused: a reason" in str(report) and "1 failures" in str(report)


@pytest.mark.slow
@pytest.mark.parametrize("what", ["functions", "files 1/2", "files 2/2"])
def test_everything(what: str) -> None:
    command = [sys.executable, "-m", "tests.autograph.standard_library", *what.split()]
    done = subprocess.run(command, capture_output=True, text=True)
    print(done.stdout)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
