"""Whose code and classes: what functions name, and what belongs to the user rather than to a library.

global_names(code)        (("CALLS", "print"), ("CALLS",)): the globals it names, and those that it rebinds
is_user_class(Model)      True
"""

from __future__ import annotations

import dis
import functools
import re
import sys
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

from autograph.cache import IdentityCache, kept_by_identity
from autograph.code_names import codes_in
from autograph.rules import BASES, is_own_code, is_user_code
from runtime.heap.leads import PARTS

__all__ = [
    "as_class", "as_users", "calls_functions", "functions_of", "global_names", "globals_by_text", "is_own_class",
    "is_own_module", "is_user_class", "is_user_module", "names_by_text", "names_of_library",
]  # fmt: skip

_REBINDS: Final = frozenset({dis.opmap["STORE_GLOBAL"], dis.opmap["DELETE_GLOBAL"]})

_user_classes: IdentityCache[type, bool] = IdentityCache()


@kept_by_identity
def global_names(code: CodeType) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The globals that a code object and those inside of it name, and those that they rebind."""
    named: set[str] = set()
    stored: set[str] = set()
    for current in codes_in(code):
        named.update(current.co_names)
        if not _REBINDS.isdisjoint(current.co_code[::2]):  # most code rebinds none, and to take it apart is slow
            stored.update(i.argval for i in dis.get_instructions(current) if i.opcode in _REBINDS)
    return tuple(sorted(named | names_by_text(code))), tuple(sorted(stored))


_BY_TEXT: Final = frozenset({"eval", "exec", "globals"})
"""What takes the name of a global as text."""


@kept_by_identity
def names_by_text(code: CodeType) -> frozenset[str]:
    """The names in the texts of code that looks variables up by text: `globals()["RATE"]`, `eval("RATE + 1")`."""
    if not any(map(_looks_up_by_text, codes_in(code))):
        return frozenset()
    constants = [constant for current in codes_in(code) for constant in current.co_consts]
    for constant in constants:  # which grows
        if isinstance(constant, tuple | frozenset):
            constants += constant
    return frozenset(name for text in constants if isinstance(text, str) for name in _NAME.findall(text))


def globals_by_text(function: FunctionType) -> frozenset[str]:
    """All data of a function's module, where its code looks globals up by names that stand nowhere in it, as that of
    `def look(name): return globals()[name]` does."""
    code, namespace = function.__code__, function.__globals__
    if not any(map(_looks_up_by_text, codes_in(code))) or not namespace.keys().isdisjoint(names_by_text(code)):
        return frozenset()
    data = (name for name, value in namespace.items() if not isinstance(value, ModuleType | FunctionType | type))
    return frozenset(name for name in data if not name.startswith("__"))


def _looks_up_by_text(code: CodeType) -> bool:
    """Whether code names one of these: a method of the same name, as in `model.eval()`, is something else."""
    if _BY_TEXT.isdisjoint(code.co_names):
        return False
    return any(i.argval in _BY_TEXT and i.opname in _LOOKS_UP for i in dis.get_instructions(code))


_LOOKS_UP: Final = frozenset({"LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"})
_NAME: Final = re.compile(r"[^\W\d]\w*")


def calls_functions(code: Any) -> bool:
    """Whether a generated function calls something of the user's, so that running it may change something."""
    return not isinstance(code, FunctionType) or "converted_call" in global_names(code.__code__)[0]


@kept_by_identity
def names_of_library(kind: type) -> frozenset[str]:
    """The names that the methods which a class has from libraries look up: attributes that are read by no code of the
    user's."""
    bases = [base for base in kind.__mro__ if not (is_user_class(base) or is_own_class(base))]
    codes = [function.__code__ for base in bases for function in functions_of(base)]
    return frozenset().union(*(global_names(code)[0] for code in codes))


def functions_of(kind: type) -> Iterator[FunctionType]:
    """The functions that a class itself has, in properties and other wrappers, too."""
    for value in vars(kind).values():
        found = PARTS[type(value)](value) if type(value) in PARTS else (value,)
        for part in found:
            if isinstance(part, FunctionType | functools._lru_cache_wrapper):
                yield from (f for f in (part, vars(part).get("__wrapped__")) if isinstance(f, FunctionType))


def is_user_class(kind: type) -> bool:
    known = _user_classes.by_id(id(kind))
    if known is None:
        _user_classes.put(kind, known := kind in BASES or is_user_code(_file_of(kind)))
    return known


def as_users(kind: type) -> None:
    """Says of a class of ours that its objects are the user's."""
    _user_classes.put(kind, True)


def as_class(made: type, kind: type) -> None:
    """Says of a class of ours that it is the user's where another one is."""
    _user_classes.put(made, is_user_class(kind))


@kept_by_identity
def is_own_class(kind: type) -> bool:
    """Whether a class is one of this project."""
    return is_own_code(_file_of(kind))


def in_class(kind: type, name: str, missing: Any = None) -> Any:
    """What a class, or one that it derives from, has under a name, as it is held there."""
    return next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), missing)


def _file_of(kind: Any) -> str:
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    if file is None:  # a class of a notebook, or of a text that was executed
        functions = (f for f in vars(kind).values() if isinstance(f, FunctionType))
        file = next((f.__code__.co_filename for f in functions), "<notebook>" if _is_made_here(kind) else "")
    return str(file)


def _is_made_here(kind: Any) -> bool:
    """Whether a class is of a module that was not imported, as that of a notebook."""
    module = sys.modules.get(kind.__module__)
    return module is not None and module.__spec__ is None


def is_user_module(module: ModuleType) -> bool:
    """Whether a module is a file of the user's, or one that the program has made."""
    file = getattr(module, "__file__", None)
    return is_user_code(file) if file else getattr(module, "__spec__", None) is None


def is_own_module(module: ModuleType) -> bool:
    """Whether a module is a part of this project."""
    return is_own_code(getattr(module, "__file__", None) or "")
