"""What an attribute of an operation may be, as the annotation of the kernel's parameter says.

    def cumsum(x, axis: int = 0, exclusive: bool = False, ...)

    runtime.cumsum(x, 1.5)              # TypeError: cumsum: axis must be an integer; got 1.5

Without it a wrong attribute would reach numpy, whose words speak of neither the operation nor the argument. Annotations
that are not in the table are not checked here: their kernels and rules do it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from runtime.dtypes import DType

__all__ = ["KINDS", "Axes", "checked", "kind_of"]

Axes = int | tuple[int, ...] | None
"""One axis, several, or None for all."""

Kind = tuple[str, Callable[[Any], bool]]


def _is_integer(value: Any) -> bool:
    return type(value) is int


def _are_integers(value: Any) -> bool:
    return type(value) is tuple and all(type(v) is int for v in value)


def _is_number(value: Any) -> bool:
    return type(value) in (int, float)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_switch(value: Any) -> bool:
    return type(value) is bool or (type(value) is int and value in (0, 1))


KINDS: Final[dict[str, Kind]] = {
    "Axes": ("an integer, a list of integers or None", lambda v: v is None or _is_integer(v) or _are_integers(v)),
    "DType": ("a dtype", lambda v: isinstance(v, DType)),
    "DType | None": ("a dtype or None", lambda v: v is None or isinstance(v, DType)),
    "bool": ("True or False", _is_switch),
    "float": ("a number", _is_number),
    "int": ("an integer", _is_integer),
    "int | None": ("an integer or None", lambda v: v is None or _is_integer(v)),
    "int | tuple[int, ...]": ("an integer or a list of integers", lambda v: _is_integer(v) or _are_integers(v)),
    "str": ("a str", _is_text),
    "tuple[Any, ...]": ("a list", lambda v: type(v) is tuple),
    "tuple[int, ...]": ("a list of integers", _are_integers),
    "tuple[int, ...] | None": ("a list of integers or None", lambda v: v is None or _are_integers(v)),
}
"""By the annotation: what to say it is, and whether a value is that."""


def kind_of(annotation: Any) -> Kind | None:
    """The row of the table for a parameter's annotation, if it has one."""
    return KINDS.get(annotation) if isinstance(annotation, str) else None


def checked(operation: str, name: str, value: Any, kind: Kind | None) -> Any:
    """The value of an attribute, integers 0 and 1 as the bools that they stand for. Raises TypeError if it is wrong."""
    if kind is None:
        return value
    words, fits = kind
    if not fits(value):
        raise TypeError(f"{operation}: {name} must be {words}; got {value!r}")
    return bool(value) if fits is _is_switch else value
