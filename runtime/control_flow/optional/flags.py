"""Flags: bools of Python where that is known while the function is traced, else bool tensors.

    negated(either(a, b))
    ensure(equal(len(x), n), ValueError("..."))     # raised now, or a check in the run
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any

from runtime.as_python import raise_as_python
from runtime.ops.records.record import REGISTRY
from runtime.tensor.tensor import Tensor

__all__ = ["all_of", "any_of", "both", "either", "ensure", "equal", "negated"]


def both(a: Any, b: Any) -> Any:
    """`a and b` of bool tensors or Python bools."""
    if a is True or b is False:
        return b
    if b is True or a is False:
        return a
    return REGISTRY["logical_and"](a, b)


def either(a: Any, b: Any) -> Any:
    """`a or b`."""
    if a is True or b is False:
        return a
    if b is True or a is False:
        return b
    return REGISTRY["logical_or"](a, b)


def negated(flag: Any) -> Any:
    """`not flag`."""
    return REGISTRY["logical_not"](flag) if isinstance(flag, Tensor) else not flag


def all_of(flags: Iterable[Any]) -> Any:
    """Whether all of them hold."""
    return functools.reduce(both, flags, True)


def any_of(flags: Sequence[Any]) -> Any:
    """Whether one of them holds."""
    return any(flag is True for flag in flags) or functools.reduce(either, flags, False)


def equal(a: Any, b: Any) -> Any:
    """`a == b` of integers, each of Python or a scalar tensor."""
    return a == b if isinstance(a, int) and isinstance(b, int) else REGISTRY["equal"](a, b)


def ensure(flag: Any, error: Exception) -> None:
    """Raises an error of Python where a flag does not hold: now, or in the runs where that is so."""
    if flag is False:
        raise_as_python(error)
    if flag is not True:
        kind = next(kind for kind in type(error).__mro__ if kind.__module__ == "builtins")
        REGISTRY["check"](flag, message=str(error), exception=kind.__name__)
