"""Values that may be undefined at run time: a variable that only one branch, or only a loop's body, defines.

    if x > 0:
        y = 1          # y becomes MaybeUndefined(value, defined=x > 0)
    return y           # reads it: a check that `defined` holds, then the value

`defined` is a bool tensor, or a Python bool where that is known. Where it is false the value is arbitrary (zeros).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from autograph.operators.variables import Undefined, UndefinedReturnValue

__all__ = ["MaybeUndefined", "View", "is_undefined", "restore", "view"]


class MaybeUndefined:
    """The value of a variable that is defined only where `defined` is true. Reading it goes through `ag__.ld`."""

    __slots__ = ("defined", "placeholder", "value")

    __ag_maybe_undefined__ = True
    __ag_stager__: Any = None  # set by runtime.control_flow.stager

    def __init__(self, value: Any, defined: Any, placeholder: Any) -> None:
        self.value = value
        self.defined = defined
        self.placeholder = placeholder
        """What stood for the variable before: `Undefined('y')`, or UndefinedReturnValue."""

    def __repr__(self) -> str:
        return f"MaybeUndefined({self.value!r}, defined={self.defined!r})"


@dataclass(frozen=True, slots=True)
class View:
    """Any variable's value as a pair: whether it is defined, and what it is."""

    defined: Any
    value: Any
    placeholder: Any


def is_undefined(value: Any) -> bool:
    """Whether the value is one of autograph's placeholders for "no value yet"."""
    return isinstance(value, Undefined | UndefinedReturnValue)


def view(value: Any) -> View:
    if isinstance(value, MaybeUndefined):
        return View(value.defined, value.value, value.placeholder)
    if is_undefined(value):
        return View(False, None, value)
    return View(True, value, None)


def restore(seen: View) -> Any:
    """The inverse of `view`: a plain value where it is surely defined, the placeholder where it surely is not."""
    if seen.defined is True:
        return seen.value
    if seen.defined is False:
        return seen.placeholder
    return MaybeUndefined(seen.value, seen.defined, seen.placeholder)
