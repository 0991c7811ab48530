"""Exceptions of users as data: taken apart when a staged branch raises them, made anew each time a graph raises them.

    raise Bad("negative", x, code=3)        class Bad(Exception), x a tensor, code an attribute that __init__ sets

    error(class("model", "Bad"), ("negative", hole(0)), (("code", 3),), None, None, False)

The parts of `error`: class, args, attributes, cause, context ("cause" where it is that), whether the context is
suppressed. `hole(i)` is the i-th operand of the operation, `caught()` the exception that is being handled; one that is
handled further out is an operand. The object that is raised has the class, the args and the attributes without calling
the class's own `__new__` and `__init__`, which may have effects or take other arguments than `args`.

Where the user gave a tensor, the exception has an `EagerTensor`; a string tensor of rank 0, which is what an f-string
with tensors becomes, is a Python `str`.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Sequence
from types import GetSetDescriptorType, MemberDescriptorType
from typing import Any, Final

from runtime import structures as nest
from runtime.ops.records.record import Array
from runtime.ops.records.terms import Term

__all__ = ["describe_class", "describe_error", "install_tensor", "make_error", "make_part", "resolve_class"]

Hole = Callable[[Any], Term | None]

DEEPEST: Final = 30
"""Values nested more deeply than this, and longer chains of causes, are kept as they are."""

_FIELDS: Final = (MemberDescriptorType, GetSetDescriptorType)
_LEFT_OUT: Final = frozenset({"args", "characters_written"})


def _as_it_is(array: Array) -> Any:
    return array


_tensor: Callable[[Array], Any] = _as_it_is


def install_tensor(make: Callable[[Array], Any]) -> None:
    """Tells how an array becomes a tensor; the layer above does it, so that this one knows no tensors."""
    global _tensor
    _tensor = make


# -- taking apart -------------------------------------------------------------------------------------------------


def describe_class(kind: type[BaseException]) -> Term:
    return Term("class", (kind.__module__, kind.__qualname__), kind)


def describe_error(error: BaseException, hole: Hole, depth: int = 0) -> Term:
    """The term of an exception. `hole(leaf)` gives the term for a value that an operand takes the place of."""
    args = tuple(_describe(a, hole, depth + 1) for a in error.args)
    fields = {name: _describe(value, hole, depth + 1) for name, value in _attributes(error).items()}
    attributes = tuple(fields.items())
    cause, context = error.__cause__, _before(error)
    chained: list[Any] = [
        _chained(e, hole, depth + 1) if e is not None and e is not error and depth < DEEPEST else None
        for e in (cause, None if context is cause else context)
    ]
    if isinstance(chained[1], Term) and chained[1].head == "caught":
        chained[1] = None  # that is what Python makes of it again
    if cause is not None and context is cause:
        chained[1] = "cause"
    return Term("error", (describe_class(type(error)), args, attributes, *chained, error.__suppress_context__))


def _before(error: BaseException) -> BaseException | None:
    """The exception that it came after. A signal that makes a trace begin again is none of the program's."""
    before = error.__context__
    while before is not None and _is_signal(type(before)):
        before = before.__context__
    return before


def _is_signal(kind: type[BaseException]) -> bool:
    return not issubclass(kind, Exception) and kind.__module__.startswith("runtime.")


def _chained(error: BaseException, hole: Hole, depth: int) -> Term:
    return hole(error) or describe_error(error, hole, depth)


def _attributes(error: BaseException) -> dict[str, Any]:
    """What the object carries besides its args: its dict, slots, and the fields of built-in classes that were set."""
    usual = _bare(type(error), error.args)
    found: dict[str, Any] = {}
    for name in _field_names(type(error)):
        try:
            value = getattr(error, name)
        except AttributeError:
            continue
        if value is not None and not _same(value, getattr(usual, name, None)):
            found[name] = value
    return found | vars(error)


def _field_names(kind: type[BaseException]) -> list[str]:
    return [
        name
        for base in kind.__mro__
        for name, member in vars(base).items()
        if isinstance(member, _FIELDS) and not name.startswith("__") and name not in _LEFT_OUT
    ]


def _same(a: Any, b: Any) -> bool:
    return a is b or (type(a) is type(b) and isinstance(a, str | int | bytes | tuple) and bool(a == b))


def _describe(value: Any, hole: Hole, depth: int) -> Any:
    taken = hole(value)
    if taken is not None:
        return taken
    if depth > DEEPEST:
        return value
    if type(value) is tuple:
        return tuple(_describe(v, hole, depth + 1) for v in value)
    if type(value) is list:
        return Term("list", tuple(_describe(v, hole, depth + 1) for v in value))
    if type(value) is dict:
        return Term("dict", tuple((k, _describe(v, hole, depth + 1)) for k, v in value.items()))
    if isinstance(value, BaseException):
        return describe_error(value, hole, depth + 1)
    leaves = nest.flatten(value)
    if len(leaves) == 1 and leaves[0] is value:
        return value
    parts = tuple(_describe(leaf, hole, depth + 1) for leaf in leaves)
    return Term("structure", parts, nest.pack_sequence_as(value, leaves))  # its own: the program may change `value`


# -- putting together ---------------------------------------------------------------------------------------------


def make_error(term: Term, values: Sequence[Array]) -> BaseException:
    """A new exception. Raises RuntimeError if its class is not to be found."""
    kind, args, attributes, cause, context, suppress = term.parts
    made = tuple(make_part(a, values) for a in args)
    error = _bare(resolve_class(kind, made), made)
    for name, value in attributes:
        with contextlib.suppress(AttributeError):  # a field that Python computes
            setattr(error, name, make_part(value, values))
    error.__cause__ = None if cause is None else make_part(cause, values)
    if context is not None:
        error.__context__ = error.__cause__ if context == "cause" else make_part(context, values)
    error.__suppress_context__ = suppress
    return error


def resolve_class(term: Term, args: tuple[Any, ...] | None = None) -> type[BaseException]:
    """The class that a term names: the one it was made of, or that of a module which is imported. Never imports.

    args: those of the exception, for the error where there is no such class.
    """
    if term.held is not None:
        return term.held
    module, qualname = term.parts
    found: Any = sys.modules.get(module)
    for name in qualname.split("."):
        found = getattr(found, "__dict__", {}).get(name)  # no module is asked for what it would import first
    if not (isinstance(found, type) and issubclass(found, BaseException)):
        shown = "" if args is None else f"({', '.join(map(repr, args))})"
        raise RuntimeError(
            f"the graph raises {module}.{qualname}{shown}, but no exception class is found under that name; import the"
            f" module {module!r} before, and define the class at its top level"
        )
    return found


def _bare(kind: type[BaseException], args: tuple[Any, ...]) -> BaseException:
    """An exception with its args, made by the built-in class that it derives from."""
    built_in: Any = next(base for base in kind.__mro__ if base.__module__ == "builtins")
    try:
        error: BaseException = built_in.__new__(kind, *args)
        built_in.__init__(error, *args)
    except TypeError:  # the user's __init__ gave the built-in class other arguments, or changed `args`
        error = built_in.__new__(kind)
    error.args = args
    return error


def make_part(value: Any, values: Sequence[Array]) -> Any:
    """What a term, or a tuple of them, stands for."""
    if type(value) is tuple:
        return tuple(make_part(v, values) for v in value)
    return _MAKERS[value.head](value, values) if isinstance(value, Term) else value


def _fill(term: Term, values: Sequence[Array]) -> Any:
    array = values[term.parts[0]]
    if array.dtype.names is not None:
        return array.item()[0]  # an exception that was caught
    if array.dtype.kind == "O" and array.ndim == 0 and isinstance(array[()], bytes):
        return array[()].decode("utf-8", "surrogateescape")
    return _tensor(array)


def _structure(term: Term, values: Sequence[Array]) -> Any:
    if term.held is None:
        raise RuntimeError("the exception holds a structure that is known only to the program that made the graph")
    return nest.pack_sequence_as(term.held, [make_part(part, values) for part in term.parts])


_MAKERS: Final[dict[str, Callable[[Term, Sequence[Array]], Any]]] = {
    "caught": lambda term, values: sys.exception(),
    "class": lambda term, values: resolve_class(term),
    "dict": lambda term, values: {k: make_part(v, values) for k, v in term.parts},
    "error": make_error,
    "hole": _fill,
    "list": lambda term, values: [make_part(v, values) for v in term.parts],
    "structure": _structure,
}
