"""Arguments that are True or False, of public functions in Python: checked in one place, as those of records are.

    @switches
    def matmul(a, b, transpose_a: bool = False, ...):

    matmul(x, y, adjoint_a=np.array([True, False]))
    # TypeError: matmul: adjoint_a must be True or False; got array([ True, False])

The annotations say which parameters they are. What stands for one of both becomes it: 0, 1, numpy's bools, arrays and
tensors of one such element; None is the default. Records do the same by themselves (`runtime.tensor.dispatch`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

from runtime.tensor.dispatch import flag_of

__all__ = ["Switched", "switches"]

Function = TypeVar("Function", bound=Callable[..., Any])

_ANNOTATIONS: Final = frozenset({"bool", "bool | None"})


class Switched:
    """A base of classes of this package: `__init__` of each subclass is decorated, where the package has it.

    Subclasses that a program writes are its own business.
    """

    __slots__ = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        own = cls.__dict__.get("__init__")
        if own is not None and cls.__module__.startswith("runtime."):
            type.__setattr__(cls, "__init__", switches(own))


def switches(function: Function) -> Function:
    """Decorator for a public function, or a method `__init__` of a public class."""
    made = cast(Any, function)
    code, annotations = made.__code__, made.__annotations__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    by_position = names[: code.co_argcount]
    defaults = dict(zip(reversed(by_position), reversed(made.__defaults__ or ()), strict=False))
    defaults |= made.__kwdefaults__ or {}
    flags = {n: defaults.get(n) for n in names if annotations.get(n) in _ANNOTATIONS}
    places = [(by_position.index(n), n) for n in flags if n in by_position]
    owner, _, name = made.__qualname__.rpartition(".")
    label = owner if name == "__init__" else name

    @functools.wraps(function)
    def with_switches(*args: Any, **kwargs: Any) -> Any:
        for key, value in kwargs.items():
            if type(value) is not bool and key in flags:
                kwargs[key] = flag_of(label, key, value, flags[key])
        for place, key in places:
            if place < len(args) and type(args[place]) is not bool:
                value = flag_of(label, key, args[place], flags[key])
                args = (*args[:place], value, *args[place + 1 :])
        return function(*args, **kwargs)

    return cast(Function, with_switches)
