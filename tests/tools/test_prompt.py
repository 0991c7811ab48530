"""Functions that are typed at Python's prompt: in a terminal, whose line editor remembers them, and by a pipe."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import runtime
from tests.tools.program import python

BRANCH = """\
import runtime as tf
@tf.function
def f(x):
    if (x >
            0):
        return x
    return -x

"""
STRAIGHT = """\
import runtime as tf
@tf.function
def f(x, k=2):
    y = x * k
    y += 1
    return y

g = tf.function(lambda x: tf.map_fn(lambda row: row * x[0], x))
h = tf.function(lambda x: x if x > 0 else -x, autograph=False)
"""
RESULTS = """\
print(int(f(tf.constant(3))), g(tf.constant([2, 3])).numpy(), end="!\\n")
print(*tf.data.Dataset.range(3).map(lambda x: x + 1).as_numpy_iterator(), end="!\\n")
print(tf.vectorized_map(lambda x: x - 1, tf.range(3)).numpy(), end="!\\n")
"""


def in_a_terminal(folder: Path, lines: str) -> str:
    """What a terminal shows in which these lines are typed into Python."""
    ours, theirs = pty.openpty()
    environment = {
        **os.environ, "PYTHONPATH": str(Path(runtime.__file__).parents[1]), "HOME": str(folder), "TERM": "dumb",
        "PYTHON_BASIC_REPL": "1",
    }  # fmt: skip
    command = [sys.executable, "-q"]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, close_fds=True) as run:
        os.close(theirs)
        shown, end = b"", time.monotonic() + 50
        for line in [*lines.splitlines(), "exit()"]:
            while not shown.rstrip(b" ").endswith((b">>>", b"...")) and time.monotonic() < end:
                shown += _read(ours)
            shown += b"\n"
            os.write(ours, line.encode() + b"\n")
        while run.poll() is None and time.monotonic() < end:
            shown += _read(ours)
        run.kill()
    os.close(ours)
    return shown.decode(errors="replace")


def _read(terminal: int) -> bytes:
    if not select.select([terminal], [], [], 0.1)[0]:
        return b""
    try:
        return os.read(terminal, 10000)
    except OSError:  # it is closed at the other end
        return b""


def test_branches_that_are_typed_in_a_terminal(tmp_path: Path) -> None:
    typed = BRANCH + "print('result', int(f(tf.constant(-3))))\nlist(map(tf.function(lambda x: x or 7), [0]))\n"
    shown = in_a_terminal(tmp_path, typed)
    assert "result 3" in shown and "numpy=7" in shown, shown


def test_functions_without_branches_that_come_through_a_pipe(tmp_path: Path) -> None:
    for arguments in (["-i", "-q"], ["-"]):
        done = python(tmp_path, *arguments, script=STRAIGHT + RESULTS)
        assert done.stdout.split("!\n")[:3] == ["7 [4 6]", "1 2 3", "[-1  0  1]"], done.stderr


def test_exec_and_eval(tmp_path: Path) -> None:
    script = f"exec({STRAIGHT + RESULTS!r})\n"
    script += "print(tf.function(eval('lambda x: x ** 2'))(tf.constant(3)).numpy())\n"
    script += "print(tf.scan(eval('lambda a, b: a + b'), tf.constant([1, 2])).numpy())\n"
    (tmp_path / "program.py").write_text(script)
    done = python(tmp_path, "program.py")
    assert done.stdout.split("!\n") == ["7 [4 6]", "1 2 3", "[-1  0  1]", "9\n[1 3]\n"], done.stderr
