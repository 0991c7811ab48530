"""`runtime.function`: the decorator, with its options.

    @runtime.function                                    # or runtime.function(step)
    def step(x): ...

    @runtime.function(reduce_retracing=True, name="step")
    def step(x): ...
"""

from __future__ import annotations

import difflib
import warnings
from collections.abc import Callable
from typing import Any, Final

from runtime.function.function import Function

__all__ = ["function"]

OPTIONS: Final = (
    "name", "input_signature", "autograph", "jit_compile", "reduce_retracing", "experimental_autograph_options",
)  # fmt: skip


def function(func: Callable[..., Any] | None = None, input_signature: Any = None, **options: Any) -> Any:
    """Decorator, with or without options, that makes a Function of a Python function or method.

    `input_signature`: list of TensorSpec, one trace for all calls. `autograph=False`: control flow is not staged.
    `jit_compile`: a hint that this version accepts and does not follow. `reduce_retracing=True`: from the second shape
    on, a trace leaves open which dims differ, so that later shapes need no trace of their own.
    `experimental_autograph_options`: a Feature or a tuple of them. `name`: for messages. Raises TypeError for an
    unknown option, with the nearest known one.
    """
    for option in options:
        if option not in OPTIONS:
            close = difflib.get_close_matches(option, OPTIONS, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else f"; options are {', '.join(OPTIONS)}"
            raise TypeError(f"runtime.function has no option {option!r}{hint}")
    if options.get("jit_compile"):
        warnings.warn("jit_compile=True is accepted, but nothing is compiled to machine code yet", stacklevel=2)
    if func is None:
        return lambda decorated: Function(decorated, input_signature=input_signature, **options)
    return Function(func, input_signature=input_signature, **options)
