"""What an attribute of an operation may be, as the annotation of the kernel's parameter says.

    def cumsum(x, axis: int = 0, exclusive: bool = False, ...)

    runtime.cumsum(x, 1.5)              # TypeError: cumsum: axis must be an integer; got 1.5

Without it a wrong attribute would reach numpy, whose words speak of neither the operation nor the argument. Annotations
that are not in the table are not checked here: their kernels and rules do it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from runtime.dtypes import DType
from runtime.shapes import TensorShape

__all__ = ["KINDS", "Axes", "Kind", "checked", "kind_of"]

Axes = int | tuple[int, ...] | None
"""One axis, several, or None for all."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What an attribute is, in words; the types whose every value is one; and what tells it of other values."""

    words: str
    types: frozenset[type]
    fits: Callable[[Any], bool]


NOTHING: Final = type(None)


def _kind(words: str, *types: type, fits: Callable[[Any], bool] = lambda value: False) -> Kind:
    return Kind(words, frozenset(types), fits)


def _are_integers(value: Any) -> bool:
    return type(value) is tuple and all(type(v) is int for v in value)


def _is_zero_or_one(value: Any) -> bool:
    return type(value) is int and value in (0, 1)


ANYTHING: Final = _kind("", NOTHING, int, float, bool, str, bytes, DType, TensorShape, fits=lambda value: True)
"""An attribute that its kernel and rule check; the types need no conversion."""

KINDS: Final[dict[str, Kind]] = {
    "Axes": _kind("an integer, a list of integers or None", int, NOTHING, fits=_are_integers),
    "DType": _kind("a dtype", DType),
    "DType | None": _kind("a dtype or None", DType, NOTHING),
    "bool": _kind("True or False", bool, fits=_is_zero_or_one),
    "float": _kind("a number", int, float),
    "int": _kind("an integer", int),
    "int | None": _kind("an integer or None", int, NOTHING),
    "int | tuple[int, ...]": _kind("an integer or a list of integers", int, fits=_are_integers),
    "str": _kind("a str", str, fits=lambda value: isinstance(value, str)),
    "tuple[Any, ...]": _kind("a list", fits=lambda value: type(value) is tuple),
    "tuple[int, ...]": _kind("a list of integers", fits=_are_integers),
    "tuple[int, ...] | None": _kind("a list of integers or None", NOTHING, fits=_are_integers),
}
"""By the annotation of the parameter."""


def kind_of(annotation: Any) -> Kind:
    """The row of the table for a parameter's annotation, if it has one."""
    return KINDS.get(annotation, ANYTHING) if isinstance(annotation, str) else ANYTHING


def checked(operation: str, name: str, value: Any, kind: Kind, given: Any = None) -> Any:
    """The value of an attribute, integers 0 and 1 as the bools that they stand for. Raises TypeError if it is wrong.

    given: what the value was made of, to be shown.
    """
    if type(value) in kind.types:
        return value
    if not kind.fits(value):
        shown = value if given is None or type(value) is not tuple else given
        raise TypeError(f"{operation}: {name} must be {kind.words}; got {shown!r}")
    return bool(value) if kind.fits is _is_zero_or_one else value
