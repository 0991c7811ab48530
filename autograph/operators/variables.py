"""Variables that may have no value: placeholders for them, and the reads that check.

Generated code writes `y = ag__.Undefined('y')` before a statement that gives `y` its first value on some paths only, so
that the state of the statement can always be read, and reads `y` afterwards with `ag__.ld(y)`.

Example:
    y = Undefined("y")
    ld(y)  # UnboundLocalError: cannot access local variable 'y' where it is not associated with a value
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, NoReturn

from autograph.rules import is_own_code

__all__ = ["Undefined", "UndefinedReturnValue", "ld", "ldu"]


class Undefined:
    """Stands in the place of a variable that has no value; any use other than passing it around raises."""

    __slots__ = ("symbol_name",)

    def __init__(self, symbol_name: str) -> None:
        self.symbol_name = symbol_name

    def read(self) -> NoReturn:
        """Raise what Python raises when the variable is read."""
        name = self.symbol_name
        if _is_free(name):
            message = f"cannot access free variable {name!r} where it is not associated with a value in enclosing scope"
            raise NameError(message, name=name)
        raise UnboundLocalError(f"cannot access local variable {name!r} where it is not associated with a value")

    def __repr__(self) -> str:
        return f"Undefined({self.symbol_name!r})"

    def __getattr__(self, attribute: str) -> NoReturn:
        if attribute.startswith("__") and attribute.endswith("__"):
            raise AttributeError(attribute)  # protocols that ask "do you have it?" get a plain no
        self.read()


def _is_free(name: str) -> bool:
    """Whether the function of the user that reads `name` is not the one that it is a local variable of.

    The bodies that are generated for a function have the function's qualified name (see the loader).
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and is_own_code(frame.f_code.co_filename):
        frame = frame.f_back
    reader = frame
    while frame is not None and reader is not None:
        code = frame.f_code
        if code.co_qualname == reader.f_code.co_qualname and name in code.co_varnames + code.co_cellvars:
            return False
        frame = frame.f_back
    return reader is not None and name in reader.f_code.co_freevars


def _refuse(self: Undefined, *args: Any, **kwargs: Any) -> NoReturn:
    self.read()


_USES = (
    "bool call iter next len contains getitem setitem delitem enter exit await "
    "add radd iadd sub rsub isub mul rmul imul truediv rtruediv itruediv floordiv rfloordiv ifloordiv mod rmod imod "
    "pow rpow ipow matmul rmatmul imatmul and rand iand or ror ior xor rxor ixor lshift rlshift ilshift rshift rrshift "
    "irshift neg pos abs invert int float complex index lt le gt ge format"
)
for _use in _USES.split():
    setattr(Undefined, f"__{_use}__", _refuse)


class UndefinedReturnValue:
    """Stands in the place of the result of a function that has not reached a `return`; becomes None at its end."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UndefinedReturnValue()"


def ld(value: Any, name: str | None = None) -> Any:
    """Read a variable that may be undefined: its value, or UnboundLocalError as Python raises it.

    name: the variable's name, for stagers whose own values may be undefined and do not know it.
    """
    if type(value) is Undefined:
        value.read()
    kind = type(value)
    if getattr(kind, "__ag_maybe_undefined__", False) is True:
        return kind.__ag_stager__.load(value, name)
    return value


def ldu(load: Callable[[], Any], name: str) -> Any:
    """The present value of a composite such as `o.v` or `d['a']`, or a placeholder where it has none."""
    try:
        return load()
    except (AttributeError, LookupError, NameError, TypeError):
        return Undefined(name)
