"""What hands on to other objects without a state of its own: methods, references, views, wrappers of functions.

    parts_of(weakref.ref(model))      (model,)
    parts_of(items.append)            (items,)
"""

from __future__ import annotations

import contextlib
import decimal
import functools
import gc
import random
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from types import (
    BuiltinMethodType,
    FunctionType,
    GenericAlias,
    MappingProxyType,
    MethodType,
    MethodWrapperType,
    ModuleType,
)  # fmt: skip
from typing import Any, Final

import numpy as np

__all__ = ["PARTS", "called_inside",  "kept_results", "parts_reader", "referent", "state_behind"]


def referent(proxy: Any) -> Any:
    """What a weak proxy stands for. Raises ReferenceError where that is gone."""
    return proxy.__reduce_ex__.__self__


def _behind(proxy: Any) -> tuple[Any, ...]:
    try:
        return (referent(proxy),)
    except ReferenceError:
        return ()


PARTS: Final[dict[type, Callable[[Any], Iterable[Any]]]] = {
    MethodType: lambda value: (value.__func__, value.__self__),
    BuiltinMethodType: lambda value: (value.__self__, value.__name__, *_context_behind(value)),
    MethodWrapperType: lambda value: (value.__self__, value.__name__),
    partial: lambda value: (value.func, value.args, value.keywords),
    functools.partialmethod: lambda value: (value.func, value.args, value.keywords),
    contextlib.ExitStack: lambda value: (getattr(value, "_exit_callbacks", ()),),
    contextlib._GeneratorContextManager: lambda value: (*map(vars(value).get, ("func", "args", "kwds")), value.gen),
    staticmethod: lambda value: (value.__func__,),
    classmethod: lambda value: (value.__func__,),
    property: lambda value: (value.fget, value.fset, value.fdel),
    functools.cached_property: lambda value: (value.func,),
    GenericAlias: lambda value: (value.__origin__, value.__args__),
    frozenset: tuple,
    MappingProxyType: lambda value: gc.get_referents(value),
    type({}.keys()): lambda value: (value.mapping,),
    type({}.values()): lambda value: (value.mapping,),
    type({}.items()): lambda value: (value.mapping,),
    weakref.ref: lambda value: (value(),),
    weakref.KeyedRef: lambda value: (value(),),
    weakref.WeakMethod: lambda value: (value(),),
    weakref.ProxyType: _behind,
    weakref.CallableProxyType: _behind,
    memoryview: lambda value: _viewed(value),
}
"""What hands a call or a look-up on: the objects that it leads to, and what tells it from others of its class that lead
there."""


def parts_reader(kind: type) -> Callable[[Any], Sequence[Any]] | None:
    """What gives the objects that values of a class lead to; None for those that lead to none."""
    if issubclass(kind, tuple):
        return tuple
    read = next((PARTS[base] for base in kind.__mro__ if base in PARTS), None)
    return None if read is None else lambda value: tuple(read(value))


def _context_behind(function: Any) -> tuple[Any, ...]:
    return (decimal.getcontext(),) if function is decimal.getcontext else ()


def _viewed(value: memoryview) -> tuple[Any, ...]:
    try:
        return (value.obj,)
    except ValueError:  # released
        return ()


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


def state_behind(module: ModuleType, named: tuple[str, ...]) -> Any:
    """What is behind the functions of a module: the generator of `random.random()` and `np.random.rand()`, the context
    of decimal numbers; None for other modules.

    named: the names that the code uses, of which one may be a function of the module.
    """
    if module is decimal:
        return decimal.getcontext()
    if module is random:
        function: Any = random.random
    elif module is np.random or (module is np and "random" in named):
        function = np.random.rand
    else:
        return None
    return function.__self__


def called_inside(function: FunctionType) -> Iterator[Any]:
    """What a function of a library calls: what it wraps, and the manager that it was made of (`@manager`)."""
    if "__wrapped__" in function.__dict__:
        yield function.__dict__["__wrapped__"]
        names = function.__code__.co_freevars
        for name, cell in zip(names, function.__closure__ or (), strict=True):
            if name == "self" and isinstance(cell.cell_contents, contextlib.ContextDecorator):
                yield cell.cell_contents
