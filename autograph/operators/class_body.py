"""What control flow in the body of a class depends on must be known while the class is made.

    class K:
        if ag__.in_class(n > 0, 'bool'):      # n > 0 itself, or StagingError where n is symbolic
            y = 1

So it is with a ternary in a lambda that has variables of its own, by a walrus.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.errors import StagingError
from autograph.operators.stager import PYTHON, stager_of

__all__ = ["in_class"]

_TRIALS: dict[str, Callable[[Any], Any]] = {"bool": bool, "iter": iter, "lambda": bool}

_IN_CLASS = (
    "{what} in the body of a class cannot be staged: it depends on {value!r}, which has no value while the class is"
    " made, and its variables are attributes of the class. Compute what the class needs before the `class` statement,"
    " in the function, and use the results in the class."
)
_REFUSALS = {
    "bool": _IN_CLASS.replace("{what}", "an `if`, `while` or ternary"),
    "iter": _IN_CLASS.replace("{what}", "a `for`"),
    "lambda": (
        "a ternary in a lambda that assigns to a variable with `:=` cannot be staged: it depends on {value!r}, which"
        " has no value while the function is traced. Write the lambda as a function, with `def`."
    ),
}


def in_class(value: Any, use: str) -> Any:
    """`value`, which an `if` or `while` of a class body takes for a bool, or a `for` iterates over.

    use: "bool", "iter", or "lambda" where a ternary in a lambda takes it for a bool.
    """
    if stager_of(value) is PYTHON:
        return value
    try:
        _TRIALS[use](value)
    except Exception as error:
        raise StagingError(_REFUSALS[use].format(value=value)) from error
    return value
