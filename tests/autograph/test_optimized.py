"""Under `python -O` and `-OO`, where Python drops assert statements and docstrings."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import autograph

SCRIPT = '''
import autograph

def checked(x):
    """The text about it."""
    assert x > 0, print("message")
    if x > 1:
        return "large"
    return checked.__doc__

for x in (0, 2):
    for function in (checked, autograph.to_graph(checked)):
        try:
            print(function(x), function.__doc__)
        except AssertionError as error:
            print(repr(error))
print("assert_stmt" in autograph.to_code(checked))
'''
DOC = "The text about it."
OUTPUTS = {
    "": [*["message", "AssertionError(None)"] * 2, *[f"large {DOC}"] * 2, "True"],
    "-O": [*[f"{DOC} {DOC}"] * 2, *[f"large {DOC}"] * 2, "False"],
    "-OO": [*["None None"] * 2, *["large None"] * 2, "False"],
}


def python(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-W", "error", *filter(None, arguments)]
    environment = os.environ | {"PYTHONPATH": str(Path(autograph.__file__).parents[1])}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("flag", OUTPUTS)
def test_converted_functions_keep_what_their_originals_keep(tmp_path: Path, flag: str) -> None:
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    assert python(tmp_path, flag, "script.py").splitlines() == OUTPUTS[flag]


def test_the_command_line_prints_the_same_module(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    texts = [python(tmp_path, flag, "-m", "autograph", "script.py") for flag in OUTPUTS]
    assert "ag__.assert_stmt(x > 0, " in texts[0]
    assert texts[1:] == texts[:1] * 2
