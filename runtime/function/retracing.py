"""The warning about a Function that is traced again and again, because something that it takes from Python changes.

    @runtime.function
    def step(x): return x * config.rate     # each new value of config.rate is a new trace

    RetracingWarning: 'step' was traced 5 times because 'config.rate' had changed since. ...
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from types import FrameType
from typing import Final

from autograph.rules import is_own_code
from runtime.errors import RetracingWarning

__all__ = ["RetraceCounter"]

OFTEN: Final = 5
"""So many traces for one reason are worth a word."""


class RetraceCounter:
    """Counts, for one Function, what made it be traced again; warns once for each reason."""

    def __init__(self) -> None:
        self._reasons: Counter[str] = Counter()

    def count(self, name: str, changed: str) -> None:
        """changed: what was not as the trace had seen it, in words."""
        self._reasons[changed] += 1
        if self._reasons[changed] == OFTEN:
            frame = _users_frame()
            warnings.warn_explicit(
                f"{name!r} was traced {OFTEN} times because {changed} had changed since. A trace takes what it reads"
                " from Python as it is; keep what changes in a runtime.Variable, or pass it as a tensor argument.",
                RetracingWarning,
                frame.f_code.co_filename,
                frame.f_lineno,
            )


def _users_frame() -> FrameType:
    """The frame of the call."""
    frame = sys._getframe(1)
    while is_own_code(frame.f_code.co_filename) and frame.f_back is not None:
        frame = frame.f_back
    return frame
