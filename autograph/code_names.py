"""The names of code: what is generated for a function goes under the name of that function.

    def f(x):                       in f.__code__.co_consts: if_body, in that g
        if x:                       as Python names them:    f.<locals>.if_body.<locals>.g
            def g(): ...            as they are named here:  f.<locals>.g, and if_body is f

So tracebacks, `__qualname__`, log records and whoever counts frames find what they find in the user's program. The
loader knows the user's code by the original; in a module that the command line has printed it is known by the names of
the functions, lambdas and classes that the program defines inside of a function: `settled(function, ("g", "lambda"))`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from inspect import CO_OPTIMIZED
from types import CodeType, FunctionType
from typing import Any

from autograph.line_tables import with_first_line

__all__ = ["Names", "codes_in", "inner_codes", "renamed", "settled"]

Names = tuple[str, str, str, int]
"""The name, the qualified name, the file and the first line of code."""


def inner_codes(code: CodeType) -> Iterator[CodeType]:
    """The code objects that stand directly in a code object, in the order of the text."""
    return (constant for constant in code.co_consts if isinstance(constant, CodeType))


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """A code object and all that are nested in it, in the order of the text."""
    pending = [code]
    while pending:
        yield (current := pending.pop())
        pending += reversed([*inner_codes(current)])


def renamed(
    code: CodeType, names: Names, names_inside: Callable[[CodeType, Names], Names], stands_for: Mapping[str, Any] = {}
) -> CodeType:
    """`code` under other names, and what is inside it too. names_inside: those of code in code that has such names.

    stands_for: texts among the constants, and what takes their places.
    """
    name, qualname, filename, first = names
    constants = list(code.co_consts)
    for index, constant in enumerate(constants):
        if isinstance(constant, CodeType):
            constants[index] = renamed(constant, names_inside(constant, names), names_inside, stands_for)
        elif type(constant) is str and constant in stands_for:
            constants[index] = stands_for[constant]
        elif constant == code.co_qualname and not code.co_flags & CO_OPTIMIZED:
            constants[index] = qualname  # the body of a class holds the qualified name of the class
    code = with_first_line(code, first)
    return code.replace(co_name=name, co_qualname=qualname, co_consts=tuple(constants), co_filename=filename)


def settled(function: FunctionType, inner: tuple[str, ...]) -> FunctionType:
    """Give what is generated inside of a function its name; `inner` is what the program defines inside of it."""
    code = function.__code__
    users = frozenset(inner)
    moved = {code.co_qualname: code.co_qualname}  # the qualified names of the functions seen so far, and the new ones

    def names_inside(part: CodeType, around: Names) -> Names:
        name, qualname, filename, _ = around
        if _is_users(part, users):
            owner = part.co_qualname.rpartition(".")[0].removesuffix(".<locals>")
            name = part.co_name
            qualname = moved.get(owner, owner) + part.co_qualname[len(owner) :]
        moved[part.co_qualname] = qualname
        return name, qualname, filename, part.co_firstlineno

    names = code.co_name, code.co_qualname, code.co_filename, code.co_firstlineno
    function.__code__ = renamed(code, names, names_inside)
    return function


def _is_users(code: CodeType, users: frozenset[str]) -> bool:
    name = code.co_name
    if name == "<lambda>":
        name = " ".join(["lambda", *code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]])
    elif name.startswith("<") or name == "__annotate__":  # a comprehension; what the compiler makes of annotations
        return True
    return name in users
