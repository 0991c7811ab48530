"""Values that depend on the run in a way that plain tensors don't: perhaps undefined, perhaps None.

    if x > 0:
        y = 1          # y becomes MaybeUndefined(value, defined=x > 0)
    return y           # reads it: a check that `defined` holds, then the value

    best = x if x > 0 else None      # MaybeNone(x, present=x > 0)
    best is None                     # the tensor `not present`
    best + 1                         # a check that `present` holds, then x + 1

`defined` and `present` are bool tensors, or Python bools where that is known. Where they are false the value is
arbitrary (zeros).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from autograph.contexts import binding
from autograph.operators.variables import Undefined, state_access
from runtime import structures as nest
from runtime.control_flow.branches.known import is_known
from runtime.control_flow.optional.flags import both
from runtime.control_flow.tries.raised import Diverged
from runtime.heap.placeholders import Absent, is_undefined, placeholder
from runtime.marker import Marker
from runtime.ops.records.record import REGISTRY
from runtime.tensor.tensor import Tensor
from runtime.tensor.text import mark

__all__ = [
    "NONE", "MaybeNone", "MaybeUndefined", "Presence", "Unread", "Untyped", "View", "as_state",
    "inside_of", "is_absent", "is_none", "is_state_access", "is_there", "is_undefined", "map_values", "maybe_none",
    "notice_read", "presence", "restore", "take", "values_within", "view", "with_inside", "within",
]  # fmt: skip

T = TypeVar("T")

RAISES_AS_PYTHON = True  # see runtime.control_flow.tries.raised


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

    def __ag_watched__(self) -> tuple[Any, ...]:
        return (self.value,)

    def __getitem__(self, key: Any) -> Any:
        return _for_state(self, TypeError("'MaybeUndefined' object is not subscriptable"))[key]

    def __setitem__(self, key: Any, item: Any) -> None:
        _for_state(self, TypeError("'MaybeUndefined' object does not support item assignment"))[key] = item

    def __getattr__(self, name: str) -> Any:
        error = AttributeError(f"'MaybeUndefined' object has no attribute {name!r}")
        if name.startswith("_"):
            raise error
        return getattr(_for_state(self, error), name)

    def __setattr__(self, name: str, value: Any) -> None:
        if hasattr(type(self), name):
            object.__setattr__(self, name, value)
        else:
            setattr(_for_state(self, AttributeError(name)), name, value)

    def read(self, name: str | None, free: bool = False) -> Any:
        """The value, after a check at run time that there is one."""
        notice_read(self)
        if not is_known(self.defined, True):
            exception, message = self._error(name, free)
            REGISTRY["check"](self.defined, message=message, exception=exception)
        return self.value

    def _error(self, name: str | None, free: bool) -> tuple[str, str]:
        """What Python raises where the variable is read."""
        placeholder = self.placeholder
        while isinstance(placeholder, MaybeUndefined):
            placeholder = placeholder.placeholder
        try:
            Undefined(name or str(getattr(placeholder, "symbol_name", "a variable"))).read(free)
        except NameError as error:
            return type(error).__name__, str(error)


def _for_state(maybe: MaybeUndefined, error: Exception) -> Any:
    """The value, a part of which is state of a statement; the program never has a MaybeUndefined itself."""
    if not is_state_access():
        raise error
    return inside_of(maybe)


@placeholder
class Unread(MaybeUndefined):
    """A variable that surely is undefined, and notices when it is read (which raises what Python raises)."""

    __slots__ = ("was_read",)

    def __init__(self, placeholder: Any) -> None:
        super().__init__(None, False, placeholder)
        self.was_read = False

    def read(self, name: str | None, free: bool = False) -> NoReturn:
        self.was_read = True
        self.placeholder.read(free)
        raise AssertionError("reading a placeholder raises")


def is_absent(placeholder: Any) -> bool:
    """Whether it stands for a key or attribute that is not there, at the start of a chain of statements."""
    while isinstance(placeholder, MaybeUndefined):
        placeholder = placeholder.placeholder
    return type(placeholder) is Absent


def notice_read(value: Any) -> None:
    """Tells the loops around that a variable is read where it may have no value: it may have an earlier one."""
    while isinstance(value, MaybeUndefined):
        if isinstance(value, Unread):
            value.was_read = True
        value = value.placeholder


@dataclass(frozen=True, slots=True)
class View:
    """Any variable's value as a pair: whether it is defined, and what it is."""

    defined: Any
    value: Any
    placeholder: Any


def view(value: Any) -> View:
    if isinstance(value, Unread):
        return View(False, None, value)
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


class MaybeNone:
    """A value that is None where `present` is false.

    Every use of it but `is None` (operators, attributes, subscripts, calls, operations) is one of the value, after a
    check at run time that it is there, which raises what Python raises for None; see `none_uses`.
    All its attributes are those of the value, so what this project asks of it are functions: `presence`, `take`.
    """

    __slots__ = ("_ag_present", "_ag_value")

    __ag_maybe_none__ = True
    __ag_stager__: Any = None  # set by runtime.control_flow.stager
    __array_priority__ = 200

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: Any, present: Any) -> None:
        self._ag_value = value
        self._ag_present = present

    def __repr__(self) -> str:
        return mark(self, "r") or f"MaybeNone({self._ag_value!r}, present={self._ag_present!r})"

    def __str__(self) -> str:
        return mark(self, "s") or repr(self)

    def __ag_watched__(self) -> tuple[Any, ...]:
        return (presence(self).value,)

    def __as_tensor__(self) -> Any:
        """The value as an operand of an operation."""
        return take(self, "Cannot convert None to a tensor: None values are not supported")

    def __ag_take__(self, message: str) -> Any:
        """The value, where None is an error of type TypeError with this message: for the operators of tensors."""
        return take(self, message)


def as_state(access: Callable[..., T]) -> Callable[..., T]:
    """A function that reads or writes the state of a statement, such as `r.v` where r may be None.

    That is no use of r by the program: where r is None, what is carried in the place of `r.v` is never asked for.
    """

    def unchecked(*args: Any) -> T:
        with binding(state_access, True):
            return access(*args)

    return unchecked


def is_state_access() -> bool:
    """Whether the state of a statement is being read or written, which is no use of a value by the program."""
    return state_access.get()


def take(maybe: MaybeNone, message: str, exception: str = "TypeError") -> Any:
    """The value, after a check that it is there. In a branch that its presence guards there is nothing to check."""
    seen = presence(maybe)
    if isinstance(maybe, Untyped):
        REGISTRY["check"](False, message=message, exception=exception)
        raise Diverged
    if not is_known(seen.present, True) and not is_state_access():
        REGISTRY["check"](seen.present, message=message, exception=exception)
    return seen.value


def is_none(value: Any) -> Any:
    """`value is None`: a bool tensor, or a Python bool where a condition around this code has decided it."""
    present = presence(value).present
    if is_known(present, True):
        return False
    if is_known(present, False):
        return True
    return REGISTRY["logical_not"](present)


class Untyped(MaybeNone):
    """None before a loop whose body puts something of a type that is not known yet into its place.

    Where it is used, it is None: the code that follows is never reached.
    """

    __slots__ = ()

    def __init__(self, present: Any) -> None:
        super().__init__(NONE, present)


NONE = Marker("NONE")
"""Stands for the value of something that surely is None."""


@dataclass(frozen=True, slots=True)
class Presence:
    """Any value as a pair: whether it is something else than None, and what it is (NONE where it surely is None)."""

    present: Any
    value: Any


def presence(value: Any) -> Presence:
    if isinstance(value, MaybeNone):
        return Presence(value._ag_present, value._ag_value)
    return Presence(False, NONE) if value is None else Presence(True, value)


def maybe_none(value: Any, present: Any) -> Any:
    """The inverse of `presence`: a plain value where it is surely there, None where it surely is not."""
    if present is False or value is NONE or value is None:
        return None
    if isinstance(value, MaybeNone):
        seen = presence(value)
        return maybe_none(seen.value, both(seen.present, present))
    return value if present is True else MaybeNone(value, present)


def inside_of(value: Any) -> Any:
    """What a value is where it is something: the dict of a variable that may be None or undefined."""
    while isinstance(value, MaybeNone | MaybeUndefined):
        value = presence(value).value if isinstance(value, MaybeNone) else value.value
    return value


def is_there(value: Any) -> Any:
    """Whether a value is something, which `inside_of` gives then: a bool tensor, or a Python bool."""
    there: Any = True
    while isinstance(value, MaybeNone | MaybeUndefined):
        flag = presence(value).present if isinstance(value, MaybeNone) else value.defined
        there = both(there, flag)
        value = presence(value).value if isinstance(value, MaybeNone) else value.value
    return there


def with_inside(value: Any, inner: Any) -> Any:
    """The value with `inner` in the place of what `inside_of` gives."""
    if inner is inside_of(value):
        return value
    if isinstance(value, MaybeUndefined):
        return MaybeUndefined(with_inside(value.value, inner), value.defined, value.placeholder)
    if isinstance(value, MaybeNone):
        seen = presence(value)
        return MaybeNone(with_inside(seen.value, inner), seen.present)
    return inner


def within(values: Iterable[Any]) -> Iterator[Any]:
    """What values are where they are something, and all that is in these."""
    return nest.walked(map(inside_of, values), _inside)


def _inside(value: Any) -> Iterable[Any]:
    return () if isinstance(value, Tensor) else map(inside_of, nest.parts_if_nested(value))


def map_values(function: Any, structure: Any, nested: Callable[[Any], bool] = nest.is_nested) -> Any:
    """`nest.map_structure` that goes on into what may be None; `function` sees the flags as well, after the value."""

    def visit(leaf: Any) -> Any:
        if isinstance(leaf, MaybeNone):
            seen = presence(leaf)
            return MaybeNone(map_values(function, seen.value, nested), function(seen.present))
        return function(leaf)

    return nest.map_structure(visit, structure, nested=nested)


def values_within(structure: Any) -> list[Any]:
    """The leaves in the order in which `map_values` sees them."""
    leaves: list[Any] = []
    map_values(leaves.append, structure)
    return leaves
