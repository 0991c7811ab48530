"""Questions about live objects that transformers ask: what kind it is, what it sees, what it is called.

Example:
    getnamespace(fn)["helper"]           # what the name `helper` means inside fn
    getqualifiedname({"np": numpy}, numpy.linalg.norm)    # 'np.linalg.norm'
"""

from __future__ import annotations
import __future__

import builtins
import functools
import inspect
from collections import deque
from collections.abc import Mapping
from types import BuiltinFunctionType, BuiltinMethodType, FunctionType, ModuleType
from typing import Any

__all__ = [
    "getdefiningclass",
    "getfutureimports",
    "getimmediatesource",
    "getmethodclass",
    "getnamespace",
    "getqualifiedname",
    "isbuiltin",
    "isconstructor",
    "islambda",
    "isnamedtuple",
]


def islambda(f: Any) -> bool:
    """Whether it is a lambda."""
    function = inspect.unwrap(f) if callable(f) else f
    return getattr(getattr(function, "__code__", None), "co_name", "") == "<lambda>"


def isnamedtuple(f: Any) -> bool:
    """Whether it is a class that `namedtuple` made."""
    return inspect.isclass(f) and issubclass(f, tuple) and isinstance(getattr(f, "_fields", None), tuple)


def isbuiltin(f: Any) -> bool:
    """Whether it is written in C, or is one of Python's builtins."""
    if isinstance(f, BuiltinFunctionType | BuiltinMethodType):
        return True
    return any(f is each for each in vars(builtins).values() if callable(each))


def isconstructor(cls: Any) -> bool:
    """Whether calling it makes an instance: it is a class, and its metaclass does not say otherwise."""
    return inspect.isclass(cls) and type(cls).__call__ is type.__call__


def getfutureimports(entity: Any) -> tuple[str, ...]:
    """The `from __future__` features that a function was compiled with, or that a module imports, sorted."""
    if not (inspect.isfunction(entity) or inspect.ismethod(entity)):
        namespace = vars(entity) if isinstance(entity, ModuleType) else {}
        return tuple(n for n in sorted(__future__.all_feature_names) if namespace.get(n) is getattr(__future__, n))
    flags = entity.__code__.co_flags
    features = {name: getattr(__future__, name) for name in __future__.all_feature_names}
    return tuple(sorted(name for name, feature in features.items() if flags & feature.compiler_flag & ~_ORDINARY))


# The flags of features that are part of the language by now have other meanings (CO_NESTED, CO_GENERATOR).
_ORDINARY = 0xFFF


def getimmediatesource(obj: Any) -> str:
    """The text of an object, of the function itself where a decorator has put another one around it."""
    lines, start = inspect.findsource(getattr(obj, "__code__", obj))
    return "".join(inspect.getblock(lines[start:]))


def getnamespace(f: Any) -> dict[str, Any]:
    """The variables that a function sees from outside: globals, and those of the functions around it that are set."""
    namespace = dict(f.__globals__)
    for name, cell in zip(f.__code__.co_freevars, f.__closure__ or (), strict=True):
        try:
            namespace[name] = cell.cell_contents
        except ValueError:  # not set yet
            continue
    return namespace


def getqualifiedname(
    namespace: Mapping[str, Any], object_: Any, max_depth: int = 5, visited: set[int] | None = None
) -> str | None:
    """The name by which an object is reached from a namespace, through modules; None if there is none.

    max_depth: so many dots at most. visited: `id`s of modules to leave out. The shortest name is given.
    """
    seen = set() if visited is None else visited
    waiting: deque[tuple[str, Mapping[str, Any], int]] = deque([("", namespace, 0)])
    while waiting:
        prefix, names, depth = waiting.popleft()
        for name, value in list(names.items()):
            if value is object_:
                return prefix + name
        if depth < max_depth:
            for name, value in list(names.items()):
                if isinstance(value, ModuleType) and id(value) not in seen:
                    seen.add(id(value))
                    waiting.append((f"{prefix}{name}.", vars(value), depth + 1))
    return None


def getdefiningclass(m: Any, owner_class: type) -> type:
    """The class, of `owner_class` and its bases, that defines the method."""
    name = m.__name__
    for cls in owner_class.__mro__:
        found = vars(cls).get(name)
        if found is not None and getattr(found, "__func__", found) is getattr(m, "__func__", m):
            return cls
    return owner_class


def getmethodclass(m: Any) -> type | None:
    """The class of what a method is bound to (the class itself, for a class method); None for anything else."""
    if isinstance(m, functools.partial):
        return getmethodclass(m.func)
    owner = getattr(m, "__self__", None)
    if owner is None or isinstance(owner, ModuleType):
        return type(m) if isinstance(vars(type(m)).get("__call__"), FunctionType) else None
    return owner if inspect.isclass(owner) else type(owner)
