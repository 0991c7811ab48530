"""Calls of the user's functions from code of ours: converted where a Function is traced, as the user's own calls are.

    call_users(layer.call, inputs)          # an `if` in it may depend on a tensor
    step = staged(step)                     # to be called more often
    call_converted(elements_of, counter)    # code of ours, or of Python's own library

Below `function(autograph=False)` and `do_not_convert` they run as they are. What such a function takes from Python is
guarded, like all that the traced code names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

import autograph
from autograph.operators.call import converted_call
from autograph.operators.scope import conversion_enabled
from autograph.operators.stager import tracing_stager
from autograph.options import STANDARD_OPTIONS, ConversionOptions

__all__ = ["ASKED_FOR", "call_converted", "call_users", "staged"]

AnyCallable = TypeVar("AnyCallable", bound=Callable[..., Any])


def staged(function: AnyCallable) -> AnyCallable:
    """A function that may be the user's, as it is called while something is traced."""
    return function if conversion_enabled.get() is False else autograph.converted(function, recursive=True)


def call_users(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Calls a function that may be the user's."""
    if tracing_stager.get() is None or conversion_enabled.get() is not True:
        return function(*args, **kwargs)
    return converted_call(function, args, kwargs, options=STANDARD_OPTIONS)


ASKED_FOR: Final = ConversionOptions(recursive=True, user_requested=True)


def call_converted(code: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Calls code that is converted wherever it comes from."""
    return converted_call(code, args, kwargs, options=ASKED_FOR)
