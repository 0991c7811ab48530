"""Functions of libraries that a stager calls in its own way, though they never ask their arguments who owns them.

    register_calls([np.zeros], call)      # from then on `np.zeros(n)` in converted code is `call(np.zeros, (n,), {})`

`call` gets all calls that converted code makes of the functions, and decides by their arguments what to do; the library
itself does what it always does for `function(*args, **kwargs)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

__all__ = [
    "LIBRARY_CALLS", "LIBRARY_METHODS", "on_registration", "register_calls", "register_methods", "register_results",
    "result_seen",
]  # fmt: skip

Call = Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]

LIBRARY_CALLS: Final[dict[int, tuple[Any, Call]]] = {}
"""By the id of the function, which is held: the function, and what calls it."""

LIBRARY_METHODS: Final[dict[type, Call]] = {}
"""By the type of the object: what calls its methods that are written in C."""

_listeners: Final[list[Callable[[], None]]] = []


def register_calls(functions: Iterable[Any], call: Call) -> None:
    """Lets `call` carry out what converted code calls of these functions."""
    LIBRARY_CALLS.update({id(function): (function, call) for function in functions})
    for listener in _listeners:
        listener()


def register_methods(kind: type, call: Call) -> None:
    """Lets `call` carry out what converted code calls of the methods of objects of this type, as `np.add.reduce`; where
    it gives NotImplemented, those that were registered before are asked, and then the call is one as any other."""
    before = LIBRARY_METHODS.get(kind)

    def first(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        result = call(function, args, kwargs)
        return before(function, args, kwargs) if result is NotImplemented and before is not None else result

    LIBRARY_METHODS[kind] = call if before is None else first


def on_registration(listener: Callable[[], None]) -> None:
    """Calls `listener` after each `register_calls`."""
    _listeners.append(listener)


_seen: Final[list[Callable[[Any, Any, Iterable[Any]], Any]]] = []


def register_results(see: Callable[[Any, Any, Iterable[Any]], Any]) -> None:
    """From now on converted code gets `see(result, function, arguments)` for what code that runs as it is returns while
    there is a trace."""
    _seen.append(see)


def result_seen(result: Any, function: Any, arguments: Iterable[Any]) -> Any:
    """What converted code gets for a result of a function that runs as it is."""
    for see in _seen:
        result = see(result, function, arguments)
    return result
