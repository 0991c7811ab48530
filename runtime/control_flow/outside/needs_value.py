"""While a trace is tried with weak numbers in the place of Python's numbers among the arguments: what ends the attempt.

    with trying(attempt):            # runtime.function.number_arguments
        ...
        needs_value("it prints while it is traced")        # raises Restart there, and does nothing elsewhere
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from types import FunctionType
from typing import Any, Final

from autograph.contexts import binding
from autograph.operators.library import LIBRARY_CALLS
from autograph.rules import is_own_code
from runtime import structures as nest
from runtime.restarts import Restart
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["NeedsValue", "given_to", "needs_value", "trying"]

_TRIED: Final[ContextVar[bool]] = ContextVar("runtime_numbers_are_tried", default=False)


@dataclass(frozen=True)
class NeedsValue:
    """What a `Restart` has learnt: a function cannot be one program for all values of its numbers."""

    why: str


def trying() -> binding[Any]:
    """Around the attempt."""
    return binding(_TRIED, True)


def needs_value(why: str) -> None:
    """Ends the attempt, if there is one."""
    if _TRIED.get():
        raise Restart(NeedsValue(why))


def given_to(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Python code that is not converted is called: it would see a tensor where the program has a number.

    Functions in C refuse one by themselves, and those of numpy know what to do.
    """
    if not _TRIED.get() or type(function) is not FunctionType or id(function) in LIBRARY_CALLS:
        return
    inner = getattr(function, "__wrapped__", function)  # of `do_not_convert`, the user's
    is_own = type(inner) is FunctionType and is_own_code(inner.__code__.co_filename)
    if is_own or function.__module__.partition(".")[0] == "numpy":
        return
    for value in nest.flatten([args, kwargs]):
        if isinstance(value, SymbolicTensor) and value.weak:
            name = function.__qualname__
            raise Restart(NeedsValue(f"a number that comes from it is given to {name!r}, which is not converted"))
