"""What Python's operators say of None beside a tensor: `x - None` is an error of the program, in Python's own words.

    x - None       ->  TypeError: unsupported operand type(s) for -: 'Tensor' and 'NoneType'
    x < best       ->  where best may be None: the same words, at run time and on the path where it is None alone

Such an error in a branch that depends on a tensor is one of that branch (see `runtime.control_flow.tries.raised`).
"""

from __future__ import annotations

from typing import Any, Final, NoReturn

__all__ = ["MAYBE_NONE", "refuse_none", "refuse_none_as_an_integer", "words"]

IS_PYTHON: Final = True  # see runtime.control_flow.tries.raised

MAYBE_NONE: Final[set[type]] = set()
"""The types of what may be None: their method `__ag_take__(message)` gives the value, after a check."""

_ARITHMETIC: Final = {
    "add": "+", "subtract": "-", "multiply": "*", "divide": "/", "floordiv": "//", "floormod": "%",
    "pow": "** or pow()", "matmul": "@", "bitwise_and": "&", "bitwise_or": "|", "bitwise_xor": "^",
    "left_shift": "<<", "right_shift": ">>", "divmod": "divmod()",
}  # fmt: skip
"""The name of an operation -> how Python calls the operator."""

_COMPARISONS: Final = {"less": "<", "less_equal": "<=", "greater": ">", "greater_equal": ">="}


def words(name: str, left: str, right: str) -> str:
    """What Python says where an operator does not know what to do with operands of these types."""
    if name in _COMPARISONS:
        return f"'{_COMPARISONS[name]}' not supported between instances of '{left}' and '{right}'"
    return f"unsupported operand type(s) for {_ARITHMETIC[name]}: '{left}' and '{right}'"


def refuse_none(name: str, left: Any, right: Any) -> NoReturn:
    """The error for an operator with None on one side and a tensor on the other."""
    kinds = ("NoneType" if operand is None else "Tensor" for operand in (left, right))
    raise TypeError(words(name, *kinds))


def refuse_none_as_an_integer() -> NoReturn:
    """The error for None where an integer has to be, as in `range(x, None)`."""
    raise TypeError("'NoneType' object cannot be interpreted as an integer")
