"""What autograph says about its work, and where: verbosity by call and by environment, logs, `trace`.

It says nothing unasked, and importing it costs little: `logging` itself is imported when there is something to say.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import autograph
from autograph import logs


def test_trace_prints(capsys: pytest.CaptureFixture[str]) -> None:
    autograph.trace("a", 1)
    assert capsys.readouterr().out == "a 1\n"


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "_settings", logs._Settings())
    monkeypatch.delenv("AUTOGRAPH_VERBOSITY", raising=False)


def fresh(scale: int) -> Callable[[int], int]:
    """A function that has never been converted under these options."""
    namespace: dict[str, Any] = {}
    text = f"def fresh(x):\n    return x * {scale}\n"
    import linecache

    linecache.cache[f"<fresh {scale}>"] = (len(text), None, text.splitlines(True), f"<fresh {scale}>")
    exec(compile(text, f"<fresh {scale}>", "exec"), namespace)
    function: Callable[[int], int] = namespace["fresh"]
    return function


def test_verbosity_levels(quiet: None, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]) -> None:
    caplog.set_level(logging.INFO, "autograph")
    autograph.to_graph(fresh(1))
    assert caplog.text == ""
    autograph.set_verbosity(1)
    autograph.to_graph(fresh(2))
    assert "converting fresh" in caplog.text and "tf__fresh" not in caplog.text
    autograph.set_verbosity(2)
    autograph.to_graph(fresh(3))
    assert "def tf__fresh(x):" in caplog.text and "def fresh(x):" not in caplog.text
    autograph.set_verbosity(3, alsologtostdout=True)
    assert capsys.readouterr().out == ""
    autograph.to_graph(fresh(4))
    assert "def fresh(x):" in caplog.text
    assert "def fresh(x):" in capsys.readouterr().out


@pytest.mark.parametrize(("value", "level"), [("2", 2), ("", 0), (" 1 ", 1), ("loud", 0)])
def test_verbosity_from_the_environment(
    quiet: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, value: str, level: int
) -> None:
    monkeypatch.setenv("AUTOGRAPH_VERBOSITY", value)
    assert logs.verbosity() == level
    assert ("AUTOGRAPH_VERBOSITY" in caplog.text) == (value == "loud")
    autograph.set_verbosity(1)
    assert logs.enabled(1) and not logs.enabled(2)


def run(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": str(Path(autograph.__file__).parents[1])} | environment,
    )


def test_logs_go_to_standard_error_without_handlers() -> None:
    program = "import autograph, textwrap; autograph.to_graph(textwrap.dedent)"
    ran = run(program, AUTOGRAPH_VERBOSITY="1")
    assert ran.stderr == "autograph: converting dedent\n"
    assert ran.stdout == ""


def test_import_is_light() -> None:
    heavy = "numpy", "gast", "astunparse", "runtime", "logging", "autograph.pipeline", "autograph.cli", "sysconfig"
    ran = run(f"import sys, autograph; print([name for name in {heavy!r} if name in sys.modules])")
    assert ran.stdout == "[]\n"
