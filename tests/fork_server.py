"""Runs programs one after the other, each in a process that is forked from one that has imported what they import.

    python -W error -m tests.fork_server        # reads the paths of programs; answers with their exit codes

What a program writes goes to files beside it: `.out` and `.err`.
"""

from __future__ import annotations

import os
import runpy
import sys
import traceback
from pathlib import Path

import numpy  # noqa: F401

import autograph  # noqa: F401
import runtime  # noqa: F401
from runtime.control_flow import stager  # noqa: F401  # which imports most of what traces


def run(path: str) -> None:
    """The program, as `python PATH` runs it; never returns."""
    for number, suffix in ((1, ".out"), (2, ".err")):
        os.dup2(os.open(path + suffix, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    sys.argv, sys.path[0] = [path], str(Path(path).parent)
    code = 0
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else ended.code is not None
    except BaseException:
        traceback.print_exc()
        code = 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def main() -> None:
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            run(line.rstrip("\n"))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main()
