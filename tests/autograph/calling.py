"""Functions that converted code calls, which tell whether they run converted.

Example: `call(user, 1) == (True, 1, (), "k", {})`.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

import autograph
from autograph import operators as ag
from autograph.options import ConversionOptions
from autograph.template import is_artifact


@autograph.do_not_convert
def is_converted() -> bool:
    """Whether the function that calls this is generated code."""
    frame = sys._getframe(1)
    while frame.f_globals["__name__"].startswith("autograph."):
        assert frame.f_back is not None
        frame = frame.f_back
    return is_artifact(frame.f_code)


def user(x: Any = 0, *rest: Any, key: Any = "k", **more: Any) -> Any:
    return is_converted(), x, rest, key, more


def scope(options: ConversionOptions = ag.STD) -> ag.FunctionScope:
    return ag.FunctionScope("test", "fscope", options)


def call(f: Any, *args: Any, **kwargs: Any) -> Any:
    return ag.converted_call(f, args, kwargs or None, scope())


class Thing:
    made = False

    def __init__(self) -> None:
        self.made = is_converted()

    def method(self, x: int = 1) -> Any:
        return is_converted(), self, x

    @classmethod
    def of_class(cls, x: int = 1) -> Any:
        return is_converted(), cls, x

    @staticmethod
    def static(x: int = 1) -> Any:
        return is_converted(), x

    def __call__(self, x: int = 1) -> Any:
        return is_converted(), self, x

    wrapped = functools.partialmethod(method, 7)


def calls_helper(helper: Callable[..., Any], x: Any) -> Any:
    return helper(x)
