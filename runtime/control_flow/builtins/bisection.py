"""`bisect` where a tensor is compared: the standard library's own Python code, converted.

    bisect.bisect_left([1, 3, 5], x)       # a loop of the graph
"""

from __future__ import annotations

import bisect
import functools
import importlib.util
import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, Final

from autograph.operators.call import converted_call
from autograph.options import ConversionOptions

__all__ = ["FUNCTIONS"]

_OPTIONS: Final = ConversionOptions(recursive=True, user_requested=True)


@functools.lru_cache
def _in_python() -> ModuleType:
    """The module without its part in C."""
    spec = importlib.util.find_spec("bisect")
    assert spec is not None and spec.loader is not None
    module, in_c = importlib.util.module_from_spec(spec), sys.modules.get("_bisect")
    sys.modules["_bisect"] = None  # type: ignore[assignment]
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules["_bisect"]
        if in_c is not None:
            sys.modules["_bisect"] = in_c
    return module


def _converted(name: str) -> Callable[..., Any]:
    return lambda *args, **kwargs: converted_call(getattr(_in_python(), name), args, kwargs, options=_OPTIONS)


FUNCTIONS: Final[Mapping[Any, Callable[..., Any]]] = {
    getattr(bisect, name): _converted(name) for name in ("bisect_left", "bisect_right")
}
"""What is called, and how it is staged. (`bisect.bisect` is `bisect_right`.)"""
