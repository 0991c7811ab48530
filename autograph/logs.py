"""What autograph tells about its work, as loud as the user wants it.

The level comes from `set_verbosity`, or from the environment variable AUTOGRAPH_VERBOSITY: 0 says nothing; 1 calls and
conversions; 2 also why callees run as they are, and the generated code; 3 also the original source. It goes to the
logger "autograph" of the standard library; if that has no handler, to standard error.

Example:
    set_verbosity(2, alsologtostdout=True)
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import Any

__all__ = ["enabled", "log", "set_verbosity", "verbosity"]


@dataclass(slots=True, eq=False)
class _Settings:
    """level: None until someone sets it or reads the environment."""

    level: int | None = None
    to_stdout: bool = False


_settings = _Settings()


def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """Say more (or, with 0, nothing) about conversions; wins over AUTOGRAPH_VERBOSITY.

    alsologtostdout: print the same lines to standard output too, for notebooks that hide logs.
    """
    _settings.level = int(level)
    _settings.to_stdout = bool(alsologtostdout)


def verbosity() -> int:
    """The present level."""
    if _settings.level is None:
        text = os.environ.get("AUTOGRAPH_VERBOSITY", "").strip()
        try:
            _settings.level = int(text or 0)
        except ValueError:
            _settings.level = 0
            log_line(f"AUTOGRAPH_VERBOSITY is to be a whole number, found {text!r}; taken as 0")
    return _settings.level


def enabled(level: int) -> bool:
    """Whether messages of `level` are wanted."""
    return verbosity() >= level


def log(level: int, message: str, *args: Any) -> None:
    """Say `message % args` if messages of `level` are wanted."""
    if verbosity() >= level:
        log_line(message % args if args else message)


def log_line(line: str) -> None:
    """Say one line, whatever the level."""
    import logging  # imported when something is to be said: it would double the time to import autograph

    logger = logging.getLogger("autograph")
    if logger.hasHandlers():
        logger.log(logging.INFO if logger.isEnabledFor(logging.INFO) else logging.WARNING, "%s", line)
    else:
        print(f"autograph: {line}", file=sys.stderr)
    if _settings.to_stdout:
        print(f"autograph: {line}")
