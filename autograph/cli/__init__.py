"""The command line `autograph FILE...`: prints converted modules, and never imports or runs what it reads.

Example:
    $ autograph samples/collatz.py          # the converted module, a Python file that runs by itself
    $ autograph --diff -f collatz samples/collatz.py
    $ autograph --check src/*.py            # exit code 1 if a function cannot be converted
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

from autograph.cli.arguments import parse_arguments

__all__ = ["main"]

_INTERRUPTED = 130  # 128 + SIGINT, as shells count it


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line with `argv` (None: the arguments of the process) and returns its exit code."""
    try:
        request = parse_arguments(argv)
    except SystemExit as finished:  # --help and --version end here too
        return finished.code if isinstance(finished.code, int) else 0
    _speak_utf8()
    # Imported only now, so that a mistake in the arguments and --version are answered at once.
    from autograph.cli.session import run

    try:
        return run(request)
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        # The reader has seen enough (`autograph big.py | head`). Python flushes stdout once more at exit: into nothing.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        print(f"<stdout>: cannot be written: {error.strerror}. Write to a file with --output", file=sys.stderr)
        return 1


def _speak_utf8() -> None:
    """The text of a module is UTF-8 wherever it goes; on a terminal that cannot show a character, it is escaped."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        if sys.stdout.isatty():
            sys.stdout.reconfigure(errors="backslashreplace")
        else:
            sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(errors="backslashreplace")
