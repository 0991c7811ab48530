"""Gradients: `GradientTape` and `gradients`, exact through control flow, calls and Functions; `ForwardAccumulator`.

    with runtime.GradientTape() as tape:
        y = tf.reduce_sum(tf.square(v))
    tape.gradient(y, v)

`sweep` goes back over what was recorded, once; `rules` asks each operation's record for its gradient, and the modules
of control flow build the graphs that go back through branches, loops and calls.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from runtime.autodiff.check import check_gradients
    from runtime.autodiff.forward import ForwardAccumulator

__all__ = ["ForwardAccumulator", "check_gradients"]

_LATE: Final = {"ForwardAccumulator": "forward", "check_gradients": "check"}

if not TYPE_CHECKING:  # to a checker every name would be there

    def __getattr__(name: str) -> Any:
        """Public names, imported when they are first used."""
        if name not in _LATE:
            raise AttributeError(f"module 'runtime.autodiff' has no attribute {name!r}")
        value = globals()[name] = getattr(importlib.import_module(f"runtime.autodiff.{_LATE[name]}"), name)
        return value
