"""Variables that may have no value: placeholders for them, and the reads that check.

Generated code writes `y = ag__.Undefined('y')` before a statement that gives `y` its first value on some paths only, so
that the state of the statement can always be read, and reads `y` afterwards with `ag__.ld(y)`.

Example:
    y = Undefined("y")
    ld(y)  # UnboundLocalError: cannot access local variable 'y' where it is not associated with a value
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Final, NoReturn

from autograph.contexts import binding

__all__ = [
    "Undefined", "UndefinedReturnValue", "first_argument", "ld", "ld_free", "ldu", "set_variables", "state_access",
    "variables_in",
]  # fmt: skip


state_access: ContextVar[bool] = ContextVar("autograph.state_access", default=False)
"""Whether what is read or set is the state of a statement, which is no use of it by the program."""


_leaving_parts: ContextVar[bool] = ContextVar("autograph.leaving_parts", default=False)
_PART: Final = object()


class Undefined:
    """Stands in the place of a variable that has no value; any use other than passing it around raises."""

    __slots__ = ("symbol_name",)

    def __init__(self, symbol_name: str) -> None:
        self.symbol_name = symbol_name

    def read(self, free: bool = False) -> NoReturn:
        """Raise what Python raises when the variable is read; free: in a function inside the one that it belongs to."""
        name = self.symbol_name
        if free:
            message = f"cannot access free variable {name!r} where it is not associated with a value in enclosing scope"
            raise NameError(message, name=name)
        raise UnboundLocalError(f"cannot access local variable {name!r} where it is not associated with a value")

    def __setattr__(self, attribute: str, value: Any) -> None:
        """A part of what has no value has none: setting the state of a statement may say so."""
        if attribute == "symbol_name" or type(value) is not Undefined:
            object.__setattr__(self, attribute, value)

    def __repr__(self) -> str:
        return f"Undefined({self.symbol_name!r})"

    def __getattr__(self, attribute: str) -> NoReturn:
        if attribute.startswith("__") and attribute.endswith("__"):
            raise AttributeError(attribute)  # protocols that ask "do you have it?" get a plain no
        self.read()


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
    return _loaded(value, name, False)


def ld_free(value: Any) -> Any:
    """Read a variable of an outer function that may be undefined."""
    return _loaded(value, None, True)


def _loaded(value: Any, name: str | None, free: bool) -> Any:
    kind = type(value)
    if kind is Undefined:
        return value.read(free)
    if getattr(kind, "__ag_maybe_undefined__", False) is True:
        return kind.__ag_stager__.load(value, name, free)
    return value


def first_argument(value: Any) -> Any:
    """The first argument of a function for `super()` in it, where the function may have deleted it."""
    if type(value) is Undefined:
        raise RuntimeError("super(): arg[0] deleted")
    return value


def ldu(load: Callable[[], Any], name: str) -> Any:
    """The present value of a composite such as `o.v` or `d['a']`, or a placeholder where it has none."""
    if _leaving_parts.get():
        return _PART
    try:
        with binding(state_access, True):
            return load()
    except (AttributeError, LookupError, NameError, TypeError):
        return Undefined(name)


def variables_in(get_state: Callable[[], tuple[Any, ...]]) -> tuple[Any, ...]:
    """A state without what it has of objects, whose reading may run code of the user's, as that of a property."""
    with binding(_leaving_parts, True):
        return get_state()


def set_variables(
    before: tuple[Any, ...], get_state: Callable[[], tuple[Any, ...]], set_state: Callable[[Any], None]
) -> None:
    """Gives variables the values that `variables_in` has read, where they have others now."""
    if any(old is not new for old, new in zip(before, variables_in(get_state), strict=True)):
        set_state(tuple([now if old is _PART else old for old, now in zip(before, get_state(), strict=True)]))
