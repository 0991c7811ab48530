"""Calls a Function again and again while the Python that it takes things from changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import runtime as tf

ONE = tf.constant(1.0)


def follows(function: Any, *changes: Callable[[], Any]) -> int:
    """How often the Function was traced in calls before and after each change; each gives what plain Python gives."""
    for change in (lambda: None, *changes):
        change()
        for _ in range(2):
            assert function(ONE).numpy() == function.python_function(ONE).numpy()
    return int(function.experimental_get_tracing_count())
