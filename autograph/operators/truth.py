"""The truth and the length of the user's objects, where `__bool__` or `__len__` gives a value that is staged.

    class Stack:
        def __init__(self, size): self.size = size
        def __len__(self): return self.size

    if stack: ...          # asked(stack) is the tensor `stack.size`, and its stager gets the statement
    len(stack)             # length_of(stack) is that tensor

Python itself takes nothing but a bool from `__bool__` and an int from `__len__`.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

from autograph.operators.classes import as_written
from autograph.operators.stager import PLAIN_TYPES, PYTHON, stager_of, tracing_stager
from autograph.options import STANDARD_OPTIONS

__all__ = ["asked", "length_of"]


def asked(value: Any) -> Any:
    """What decides for a plain value whether it is true: itself, or the staged value that its method gives."""
    if tracing_stager.get() is None or type(value) in PLAIN_TYPES:
        return value
    method = _method(value, "__bool__")
    if method is None:
        return value if hasattr(type(value), "__bool__") else length_of(value)
    result = _called(method, value)
    if stager_of(result) is PYTHON and type(result) is not bool:
        raise TypeError(f"__bool__ should return bool, returned {type(result).__name__}")
    return result


def length_of(value: Any) -> Any:
    """The length of an object whose class is the user's, as `__len__` gives it; any other value is given back."""
    method = _method(value, "__len__")
    if method is None:
        return value
    result = _called(method, value)
    if stager_of(result) is PYTHON and (type(result) is not int or result < 0):
        return value  # Python says what is wrong with it
    return result


def _method(value: Any, name: str) -> FunctionType | None:
    found = getattr(type(value), name, None)
    return as_written(found) if type(found) is FunctionType else None


def _called(method: FunctionType, value: Any) -> Any:
    from autograph.operators.call import converted_call  # which calls builtins, and these ask for truth

    return converted_call(method, (value,), None, options=STANDARD_OPTIONS)
