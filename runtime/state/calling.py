"""Calls of the user's functions from code of ours: converted where a Function is traced, as the user's own calls are.

    call_users(layer.call, inputs)          # an `if` in it may depend on a tensor

What such a function takes from Python is guarded, like all that the traced code names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.operators.call import converted_call
from autograph.operators.scope import conversion_enabled
from autograph.operators.stager import tracing_stager
from autograph.options import STANDARD_OPTIONS

__all__ = ["call_users"]


def call_users(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Calls a function that may be the user's."""
    if tracing_stager.get() is None or conversion_enabled.get() is not True:
        return function(*args, **kwargs)
    return converted_call(function, args, kwargs, options=STANDARD_OPTIONS)
