"""Wrappers of the standard library with the user's functions inside: what a call of them calls.

    @functools.singledispatch
    def area(shape): ...            # a call of area runs functools' own code, which calls the user's

That code runs as it is; here is, for each such wrapper, which of the user's functions it would call, so that
`converted_call` calls that one, converted.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any, Final

from autograph.cache import IdentityCache
from autograph.rules import is_user_code

__all__ = ["inside_of", "keeps_results"]

Inside = Callable[[FunctionType, tuple[Any, ...]], tuple[Callable[..., Any], tuple[Any, ...]] | None]
"""From a wrapper and its arguments to the function that it calls and the arguments of that; None without arguments."""


def _singledispatch(wrapper: FunctionType, args: tuple[Any, ...]) -> Any:
    return (wrapper.dispatch(args[0].__class__), args) if args else None  # type: ignore[attr-defined]


def _singledispatchmethod(wrapper: FunctionType, args: tuple[Any, ...]) -> Any:
    cells = dict(zip(wrapper.__code__.co_freevars, wrapper.__closure__ or (), strict=True))
    owner, kind = cells["obj"].cell_contents, cells["cls"].cell_contents
    # The closure holds `dispatch` itself since Python 3.12, the descriptor before.
    dispatch = (
        cells["dispatch"].cell_contents if "dispatch" in cells else cells["self"].cell_contents.dispatcher.dispatch
    )
    return (dispatch(args[0].__class__).__get__(owner, kind), args) if args else None


def _method_of_an_object(wrapper: FunctionType, args: tuple[Any, ...]) -> Any:
    """The same from Python 3.14 on, where a class of functools is in the place of the closure."""
    bound, *given = args
    if not given:
        return None
    return bound._dispatch(given[0].__class__).__get__(bound._obj, bound._cls), tuple(given)


def _known() -> IdentityCache[CodeType, Inside]:
    """The code of each wrapper, taken from one that is made for it."""

    def sample(value: object) -> None: ...

    function: Any = functools.singledispatch(sample)
    found: IdentityCache[CodeType, Inside] = IdentityCache()
    found.put(function.__code__, _singledispatch)
    method: Any = functools.singledispatchmethod(sample).__get__(None, object)
    if isinstance(method, FunctionType) and {"obj", "cls"} <= set(method.__code__.co_freevars):
        found.put(method.__code__, _singledispatchmethod)
    elif {"_dispatch", "_obj", "_cls"} <= set(vars(method)):
        found.put(type(method).__call__.__code__, _method_of_an_object)
    return found


_INSIDE: Final[IdentityCache[CodeType, Inside]] = _known()


def inside_of(function: FunctionType) -> Inside | None:
    """How to find, from the function and its arguments, which function of the user it calls; None for no wrapper."""
    return _INSIDE.get(function.__code__)


def keeps_results(function: Any) -> bool:
    """Whether it is a function of the user under `functools.lru_cache` or `cache`."""
    if type(function) is not functools._lru_cache_wrapper:
        return False
    code = getattr(function.__wrapped__, "__code__", None)
    return code is None or is_user_code(code.co_filename)
