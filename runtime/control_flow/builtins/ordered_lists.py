"""`bisect`, `heapq` and others where tensors are compared: the standard library's own Python code, converted.

    bisect.bisect_left([1, 3, 5], x)       # a loop of the graph
    heapq.heappush(heap, x)                # another one, which moves the elements of the list
    statistics.quantiles(t, n=10)          # sorts, and finds the cuts
"""

from __future__ import annotations

import bisect
import builtins
import functools
import heapq
import importlib.util
import operator
import statistics
import string
import sys
from collections import abc
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, Final

from autograph.operators.builtins import call_builtin
from autograph.operators.call import converted_call
from autograph.operators.slices import get_item
from autograph.options import ConversionOptions, Feature
from runtime.control_flow.builtins import in_python

__all__ = ["FUNCTIONS", "METHODS"]
_COMPARISONS: Final = (Feature.EQUALITY_OPERATORS, Feature.ORDER_OPERATORS)
_OPTIONS: Final = ConversionOptions(recursive=True, optional_features=_COMPARISONS, include=("bisect", "heapq"))

_OWN: Final = ConversionOptions(recursive=True, user_requested=True, optional_features=_COMPARISONS)

_CONVERTED: Final[Mapping[ModuleType, tuple[str, ...]]] = {
    bisect: ("bisect_left", "bisect_right", "insort_left", "insort_right"),
    heapq: tuple(
        f"{name}{order}" for name in ("heapify", "heappop", "heappush", "heappushpop", "heapreplace")
        for order in ("", "_max")
    ),
}


@functools.lru_cache
def _in_python(name: str) -> ModuleType:
    """A module of the standard library without its part in C."""
    spec, part = importlib.util.find_spec(name), f"_{name}"
    assert spec is not None and spec.loader is not None
    module, in_c = importlib.util.module_from_spec(spec), sys.modules.get(part)
    sys.modules[part] = None  # type: ignore[assignment]
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules[part]
        if in_c is not None:
            sys.modules[part] = in_c
    return module


def _converted(module: str, name: str) -> Callable[..., Any]:
    return lambda *args, **kwargs: converted_call(getattr(_in_python(module), name), args, kwargs, options=_OPTIONS)


def _of_ours(function: Any) -> Callable[..., Any]:
    return lambda *args, **kwargs: converted_call(function, args, kwargs, options=_OWN)


def _first(reverse: bool) -> Callable[..., Any]:
    """`nsmallest` and `nlargest`, which the library documents as the first items of `sorted`."""

    def staged(n: Any, iterable: Any, key: Any = None) -> Any:
        ordered = call_builtin(builtins.sorted, (iterable,), {"key": key, "reverse": reverse}, None, True)
        return get_item(ordered, slice(n))

    return staged


FUNCTIONS: Final[Mapping[Any, Callable[..., Any]]] = {
    **{
        getattr(module, name): _converted(module.__name__, name)
        for module, names in _CONVERTED.items()
        for name in names
        if hasattr(module, name)  # those of the greatest first came with Python 3.14
    },
    operator.countOf: _of_ours(in_python.count_of),
    operator.indexOf: _of_ours(in_python.index_of),
    operator.length_hint: lambda obj, default=0: call_builtin(len, (obj,), {}, None, True),
    statistics.mode: _of_ours(in_python.mode),
    statistics.multimode: _of_ours(in_python.multimode),
    statistics.quantiles: _of_ours(in_python.quantiles),
    string.capwords: _of_ours(in_python.capwords),
    heapq.nsmallest: _first(False),
    heapq.nlargest: _first(True),
}
"""What is called, and how it is staged. (`bisect.bisect` is `bisect_right`.)"""

METHODS: Final[Mapping[Any, Callable[..., Any]]] = {
    abc.Mapping.get: _of_ours(in_python.mapping_get),
    abc.Mapping.__contains__: _of_ours(in_python.key_in),
    abc.KeysView.__contains__: _of_ours(in_python.key_of_view_in),
    abc.ItemsView.__contains__: _of_ours(in_python.item_in),
    abc.Sequence.__contains__: _of_ours(in_python.element_in),
    abc.Sequence.count: _of_ours(in_python.count_in),
}
"""Methods that the user's classes have from the library: they catch what the methods of these classes raise, and
compare what these give."""
