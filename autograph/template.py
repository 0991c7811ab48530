"""The converted form of a code object, and the functions that are made of it.

A template is made once for each code object of the user. A function object is rebuilt around it in a fraction of a
microsecond, with the globals, defaults and closure cells of the function that it stands for; so recursive calls and
closures made in a loop cost no conversion.

Example:
    bind(template, fn)(2, 3)  # for one call
    rebuild(template, fn)  # for keeping: also has the name, the annotations, the signature of fn
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CellType, CodeType, FrameType, FunctionType
from typing import Any, Final, TypeVar, overload

from autograph.cache import IdentityCache
from autograph.code_names import codes_in, settled

__all__ = [
    "NAMESPACE", "Template", "autograph_artifact", "bind", "displays_in", "dress", "is_artifact", "is_body_of",
    "is_generated", "is_made", "rebuild", "users_variables",
]  # fmt: skip

AnyFunction = TypeVar("AnyFunction", bound=Callable[..., Any])

Place = tuple[int, int]
"""A line and a column."""

NAMESPACE: Final = CellType()
"""What generated code knows as `ag__`: autograph.operators puts itself in here."""

_NOTHING: Final = CellType()

_artifacts: IdentityCache[CodeType, frozenset[str]] = IdentityCache()
"""Generated code, and the user's variables in it; none where the original is not known, as in a printed module."""

_made: IdentityCache[CodeType, frozenset[Place]] = IdentityCache()
"""Generated code, and all that is nested in it; where the displays are in it that `ag__.displayed` is given."""


class Template:
    """Converted code, and where each of its free variables comes from.

    origins: for each free variable of `code`, its index in the closure of the original, or -1 for none.
    variables: the names that the original has. displays: where those are that `ag__.displayed` is given.
    It holds nothing of the original: what is known about a function must not keep it alive.
    """

    __slots__ = ("closure", "code", "origins")

    def __init__(
        self, code: CodeType, origins: tuple[int, ...], variables: frozenset[str], displays: frozenset[Place]
    ) -> None:
        self.code = code
        self.origins = origins
        self.closure = (_NOTHING,) * len(origins) if all(origin < 0 for origin in origins) else None
        _artifacts.put(code, variables)
        for inner in codes_in(code):
            _made.put(inner, displays)

    def cells(self, original: tuple[CellType, ...]) -> tuple[CellType, ...]:
        """The closure of a function of this code, made of the cells of the function that it stands for."""
        return tuple([_NOTHING if origin < 0 else original[origin] for origin in self.origins])


@overload
def autograph_artifact(function: AnyFunction) -> AnyFunction: ...
@overload
def autograph_artifact(*, inner: tuple[str, ...]) -> Callable[[FunctionType], FunctionType]: ...
def autograph_artifact(function: Any = None, *, inner: tuple[str, ...] | None = None) -> Any:
    """Mark a function as generated code, which is never converted again. Generated code applies it to inner functions.

    inner: of a function in a printed module, what the program defines inside of it: then it makes a decorator, which
    also gives all other code inside the name of the function.
    What is marked is the code object, not the function: a wrapper that copies the attributes of a generated function
    (functools.wraps) is not itself generated.
    """
    if inner is not None:
        return lambda defined: autograph_artifact(settled(defined, inner))
    code = getattr(function, "__code__", None)
    if code is not None and _artifacts.by_id(id(code)) is None:
        _artifacts.put(code, frozenset())
    return function


def users_variables(code: CodeType) -> frozenset[str]:
    """The user's variables in generated code, as far as they are known."""
    return _artifacts.by_id(id(code)) or frozenset()


def is_artifact(code: CodeType) -> bool:
    """Whether `code` is generated code."""
    return _artifacts.by_id(id(code)) is not None


def is_made(code: CodeType) -> bool:
    """Whether `code` is generated code, or a part of it: the body of a loop, a branch."""
    return _made.by_id(id(code)) is not None


def displays_in(code: CodeType) -> frozenset[Place]:
    """The lines and columns of the lists, tuples and dicts that generated code gives to `ag__.displayed`."""
    return _made.by_id(id(code)) or frozenset()


def is_generated(frame: FrameType) -> bool:
    """Whether a frame runs generated code, or a lambda or comprehension of that which is called by it."""
    code = frame.f_code
    around: FrameType | None = frame
    while around is not None:
        if is_artifact(around.f_code) and any(inner is code for inner in codes_in(around.f_code)):
            return True
        around = around.f_back
    return False


def is_body_of(outer: CodeType, inner: CodeType) -> bool:
    """Whether code was generated for a part of a function: it has the function's name (code_names.py)."""
    return outer.co_qualname == inner.co_qualname


def bind(template: Template, function: FunctionType) -> FunctionType:
    """A function that runs like `function`, converted; for calling it now, without the trimmings."""
    closure = template.closure
    if closure is None:
        closure = template.cells(function.__closure__ or ())
    made = FunctionType(template.code, function.__globals__, function.__name__, function.__defaults__, closure)
    if function.__kwdefaults__:
        made.__kwdefaults__ = function.__kwdefaults__
    return made


def dress(made: FunctionType, function: FunctionType) -> None:
    """Gives a function what belongs to another function object and not to its code, but for its name."""
    made.__module__ = function.__module__
    made.__doc__ = function.__doc__
    if sys.version_info >= (3, 14):
        made.__annotate__ = function.__annotate__
    else:
        made.__annotations__ = function.__annotations__
    if sys.version_info >= (3, 12):
        made.__type_params__ = function.__type_params__


def rebuild(template: Template, function: FunctionType) -> FunctionType:
    """A function that runs like `function`, converted, and looks like it in every way that Python shows."""
    made = bind(template, function)
    made.__qualname__ = function.__qualname__
    dress(made, function)
    made.__dict__.update(function.__dict__)
    made.__dict__["__wrapped__"] = function
    return made
