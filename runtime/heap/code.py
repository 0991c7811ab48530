"""Whose code and classes: what functions name, and what belongs to the user rather than to a library.

global_names(code)        (("CALLS", "print"), ("CALLS",)): the globals it names, and those that it rebinds
is_user_class(Model)      True
"""

from __future__ import annotations

import contextlib
import dis
import functools
import gc
import sys
from collections.abc import Callable
from functools import partial
from types import BuiltinMethodType, CodeType, FunctionType, MethodType, MethodWrapperType, ModuleType
from typing import Any, Final

from autograph.cache import IdentityCache, kept_by_identity
from autograph.rules import is_user_code

__all__ = ["PARTS", "calls_functions", "global_names", "is_user_class", "is_user_module", "kept_results"]

_REBINDS: Final = frozenset({dis.opmap["STORE_GLOBAL"], dis.opmap["DELETE_GLOBAL"]})

_user_classes: IdentityCache[type, bool] = IdentityCache()


@kept_by_identity
def global_names(code: CodeType) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The globals that a code object and those inside of it name, and those that they rebind."""
    named: set[str] = set()
    stored: set[str] = set()
    pending = [code]
    while pending:
        current = pending.pop()
        named.update(current.co_names)
        if not _REBINDS.isdisjoint(current.co_code[::2]):  # most code rebinds none, and to take it apart is slow
            stored.update(i.argval for i in dis.get_instructions(current) if i.opcode in _REBINDS)
        pending += [c for c in current.co_consts if isinstance(c, CodeType)]
    return tuple(sorted(named)), tuple(sorted(stored))


def calls_functions(code: Any) -> bool:
    """Whether a generated function calls something of the user's, so that running it may change something."""
    return not isinstance(code, FunctionType) or "converted_call" in global_names(code.__code__)[0]


def is_user_class(kind: type) -> bool:
    known = _user_classes.by_id(id(kind))
    if known is None:
        _user_classes.put(kind, known := _is_of_user(kind))
    return known


def _is_of_user(kind: Any) -> bool:
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    if file is None:  # a class of a notebook, or of a text that was executed
        functions = (f for f in vars(kind).values() if isinstance(f, FunctionType))
        file = next((f.__code__.co_filename for f in functions), "")
    return is_user_code(file)


def is_user_module(module: ModuleType) -> bool:
    return is_user_code(getattr(module, "__file__", None) or "")


def kept_results(wrapper: Any) -> list[Any]:
    """The results that `functools.lru_cache` keeps, which only the garbage collector shows; [] for other objects."""
    if type(wrapper) is not functools._lru_cache_wrapper or wrapper.cache_info().currsize == 0:
        return []
    parts = [part for part in gc.get_referents(wrapper) if part is not vars(wrapper)]
    if wrapper.cache_parameters()["maxsize"] is not None:  # ... among links, which a table finds by arguments
        return [part for part in parts if not (type(part) is dict and any(map(_is_link, part.values())))]
    return [result for part in parts if type(part) is dict for result in part.values()]


def _is_link(value: Any) -> bool:
    return type(value).__name__ == "_lru_list_elem"


PARTS: Final[dict[type, Callable[[Any], tuple[Any, ...]]]] = {
    MethodType: lambda value: (value.__func__, value.__self__),
    BuiltinMethodType: lambda value: (value.__self__,),
    MethodWrapperType: lambda value: (value.__self__,),
    partial: lambda value: (value.func, value.args, value.keywords),
    contextlib.ExitStack: lambda value: (getattr(value, "_exit_callbacks", ()),),
    contextlib._GeneratorContextManager: lambda value: (value.func, value.args, value.kwds),
    staticmethod: lambda value: (value.__func__,),
    classmethod: lambda value: (value.__func__,),
    property: lambda value: (value.fget, value.fset, value.fdel),
}
"""What hands a call on: the objects that it leads to."""
