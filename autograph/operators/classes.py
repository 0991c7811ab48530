"""Methods that Python calls by itself: constructors, operators, properties, `with`, converted while a trace goes on.

    class Ramp:
        def __init__(self, low): self.low = low
        def __mul__(self, x):
            if x > self.low:        # staged, though nothing but `*` calls this method
                return x
            return 0 * x

A call of a method by name goes through `converted_call`; `ramp * x`, `Ramp(x)`, `ramp.slope` and `with ramp:` do not.
While a trace goes on, such methods of the user's classes that it reaches are exchanged for functions that call the
converted form in this trace, and the original everywhere else (another thread, code that runs as plain Python). When
the last trace that needs a class is over, it has its own methods again.
"""

from __future__ import annotations

import functools
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from types import FunctionType, MethodType, ModuleType
from typing import Any, Final

from autograph.code_names import codes_in
from autograph.errors import StagingError, StagingTypeError
from autograph.operators.left import LEFT, Left
from autograph.operators.made_methods import is_of_total_ordering, of_dataclass
from autograph.operators.stager import PYTHON, Stager, stager_of, tracing_stager
from autograph.operators.variables import state_access
from autograph.options import ConversionOptions, Feature
from autograph.rules import is_user_code, is_users

__all__ = ["as_written", "meet", "own_attributes", "tracing"]

_OPERATORS: Final = "add sub mul truediv floordiv mod divmod pow matmul and or xor lshift rshift"
_OTHERS: Final = (
    "new init post_init attrs_post_init call neg pos abs invert round trunc floor ceil lt le eq ne gt ge bool int float"
    " complex index len getitem setitem delitem missing contains iter next reversed enter exit get set delete getattr"
    " setattr delattr str format"
)
_CALLED_BY_PYTHON: Final = frozenset(
    f"__{name}__" for name in (*_OTHERS.split(), *(p + name for name in _OPERATORS.split() for p in ("", "r", "i")))
)
"""Not among them: what Python needs to handle the object itself (`__hash__`, `__repr__`, `__del__`, pickling)."""

_MAKE_TEXT: Final = frozenset({"__str__", "__format__"})
"""Methods of which Python takes nothing but a str: staged text is the text that stands for it in a trace."""

_MAKE_NUMBERS: Final = frozenset({"__bool__", "__len__", "__int__", "__float__", "__index__", "__complex__"})
"""Methods of which Python takes nothing but a number of its own."""

_DEPTH: Final = 4
_MOST_OBJECTS: Final = 10_000

_met: ContextVar[set[type] | None] = ContextVar("autograph.classes_met", default=None)
"""The classes that the present trace has exchanged methods of; None outside of traces."""

_OPTIONS: Final = ConversionOptions(
    recursive=True, optional_features=(Feature.EQUALITY_OPERATORS, Feature.ORDER_OPERATORS)
)
"""How these methods are converted: they compare what only Python knows, as `self.key() < other.key()`."""

_OF_LIBRARY: Final = replace(_OPTIONS, user_requested=True)

_lock: Final = threading.RLock()
_exchanged: Final[dict[type, tuple[int, dict[str, tuple[Any, Any]]]]] = {}
"""For each class in use: how many traces need it, and for each method the original and what stands in its place."""


@contextmanager
def tracing(stager: Stager, *roots: Any) -> Iterator[None]:
    """A trace by `stager`: it owns what is recorded, and classes that can be reached from `roots` are converted.

    roots: the function that is traced and its arguments. A trace inside of a trace shares the classes of the outer one.
    """
    token = tracing_stager.set(stager)
    outer = _met.get()
    met = set() if outer is None else outer
    second, left = _met.set(met), LEFT.set(Left(stager) if outer is None else LEFT.get())
    try:
        for kind in _classes_within(roots):
            meet(kind)
        yield
    finally:
        LEFT.reset(left)
        _met.reset(second)
        tracing_stager.reset(token)
        if outer is None:
            _put_back(met)


def meet(kind: type) -> None:
    """Exchange the user's methods of a class, its bases and its descriptors, if a trace is going on."""
    met = _met.get()
    if met is None or kind in met:
        return
    pending = list(kind.__mro__)
    while pending:
        base = pending.pop()
        if base not in met and base.__module__ != "builtins":
            _exchange(base)
            met.add(base)
            descriptors = {type(value) for value in vars(base).values() if hasattr(type(value), "__get__")}
            pending += [b for d in descriptors for b in d.__mro__]


def _exchange(kind: type) -> None:
    with _lock:
        count, methods = _exchanged.get(kind, (0, None))
        if methods is None:
            methods = {}
            for name, original in list(vars(kind).items()):
                stand_in = _stand_in(kind, name, original)
                if stand_in is not None:
                    methods[name] = (original, stand_in)
                    type.__setattr__(kind, name, stand_in)
        _exchanged[kind] = (count + 1, methods)


def _put_back(kinds: Iterable[type]) -> None:
    with _lock:
        for kind in kinds:
            count, methods = _exchanged[kind]
            if count > 1:
                _exchanged[kind] = (count - 1, methods)
                continue
            del _exchanged[kind]
            for name, (original, stand_in) in methods.items():
                if vars(kind).get(name) is stand_in:  # not if the user has put something else there
                    type.__setattr__(kind, name, original)


def own_attributes(kind: type) -> dict[str, Any]:
    """What the user put into a class, by name: the originals where a trace has exchanged methods for a while."""
    _, methods = _exchanged.get(kind, (0, {}))
    found = dict(vars(kind))
    for name, (original, stand_in) in methods.items():
        if found.get(name) is stand_in:
            found[name] = original
    return found


def _stand_in(kind: type, name: str, original: Any) -> Any:
    """What takes the place of a method or property for a while; None for what stays."""
    if isinstance(original, FunctionType):
        if name not in _CALLED_BY_PYTHON:
            return None
        if _is_users(original):
            return _dispatching(original)
        if is_of_total_ordering(original):
            return _dispatching(original, _OF_LIBRARY)
        return of_dataclass(kind, name, original)
    if isinstance(original, staticmethod) and name in _CALLED_BY_PYTHON:
        function = original.__func__
        return staticmethod(_dispatching(function)) if _is_users(function) else None
    if type(original) is property and not hasattr(vars(type).get(name), "__set__"):  # as `__name__`, the class's own
        accessors: tuple[Any, ...] = (original.fget, original.fset, original.fdel)
        if any(_is_users(f) for f in accessors):
            get, put, delete = [_dispatching(f) if _is_users(f) else f for f in accessors]
            return property(get, put, delete, original.__doc__)
    if type(original) is functools.cached_property and _is_users(original.func):
        made: Any = functools.cached_property(_dispatching(original.func))
        made.attrname = original.attrname
        return made
    return None


def _is_users(function: Any) -> bool:
    """Whether it is a function that the user wrote: what `dataclass` makes has the file name "<string>"."""
    if not isinstance(function, FunctionType):
        return False
    return function.__code__.co_filename != "<string>" and is_users(function.__code__)


def _dispatching(function: Any, options: ConversionOptions = _OPTIONS) -> Callable[..., Any]:
    @functools.wraps(function)
    def method(*args: Any, **kwargs: Any) -> Any:
        if _met.get() is None:
            return function(*args, **kwargs)
        if function.__name__ in _OF_ELEMENTS and state_access.get():  # what code reads or writes is no place
            if function.__name__ == "__getitem__":
                raise LookupError(*args[1:])
            return None
        from autograph.operators.call import converted_call  # which meets classes itself

        tracer = tracing_stager.get() if function.__name__ == "__next__" else None
        mark = None if tracer is None else tracer.mark()
        result = converted_call(function, args, kwargs, options=options)
        if tracer is not None and tracer.raises_since(mark, StopIteration):
            raise StagingError(
                f"where {type(args[0]).__name__!r} ends depends on a tensor, and Python takes its items here, which"
                " sees no StopIteration of the graph. Write `__iter__` as a generator, or a `while` around"
                " `next(iterator)` in `try`"
            )
        if function.__name__ in _MAKE_NUMBERS and stager_of(result) is not PYTHON:
            raise StagingTypeError(
                f"`{function.__name__}` of {type(args[0]).__name__} gives {result!r}, which is only known when the"
                " graph runs, and here Python asks for it in code that is not converted; use an attribute or another"
                " method"
            )
        return str(result) if function.__name__ in _MAKE_TEXT and not isinstance(result, str) else result

    return method


_OF_ELEMENTS: Final = frozenset({"__getitem__", "__setitem__"})

_STAND_IN: Final = _dispatching(meet).__code__


def as_written(method: FunctionType) -> FunctionType:
    """The user's method, where a trace has put something else into its place for a while."""
    return method.__wrapped__ if method.__code__ is _STAND_IN else method  # type: ignore[attr-defined]


# -- what a trace can reach ---------------------------------------------------------------------------------------


def _classes_within(roots: Iterable[Any]) -> Iterator[type]:
    """The user's classes among what the roots name, hold and are made of, up to `_DEPTH` steps away."""
    known: set[int] = set()
    queue: deque[tuple[Any, int]] = deque((root, 0) for root in roots)
    while queue and len(known) < _MOST_OBJECTS:
        value, depth = queue.popleft()
        kind = type(value)
        if id(value) in known or kind in _PLAIN:
            continue
        known.add(id(value))
        parts, cost = _parts_of(value)
        if parts is None:
            continue
        found = value if isinstance(value, type) else kind
        if isinstance(value, type) or hasattr(value, "__dict__"):
            yield found
        if depth + cost <= _DEPTH:
            queue.extend((part, depth + cost) for part in parts)


_PLAIN: Final = frozenset({bool, int, float, complex, str, bytes, type(None), ModuleType})


def _parts_of(value: Any) -> tuple[Iterable[Any] | None, int]:
    """What a value leads to, and how many steps away that is; None for what leads nowhere."""
    if isinstance(value, FunctionType):
        return (_named_by(value), 0) if is_user_code(value.__code__.co_filename) else (None, 0)
    if isinstance(value, MethodType):
        return (value.__func__, value.__self__), 0
    if isinstance(value, functools.partial):
        return (value.func, *value.args, *value.keywords.values()), 0
    if isinstance(value, Mapping):
        return list(value.values()), 1
    if isinstance(value, list | tuple | set | frozenset | deque):
        return list(value), 1
    if isinstance(value, type):
        return (None, 0) if value.__module__ == "builtins" else ([f for f in vars(value).values() if _is_users(f)], 1)
    held = getattr(value, "__dict__", None)
    if isinstance(held, dict) and _has_users_methods(type(value)):
        return (type(value), *held.values()), 1
    return None, 0


def _has_users_methods(kind: type) -> bool:
    return any(_is_users(getattr(f, "__wrapped__", f)) for base in kind.__mro__ for f in vars(base).values())


def _named_by(function: FunctionType) -> list[Any]:
    """The values of the closure cells and of the globals that a function names, also in the functions inside of it."""
    found: list[Any] = []
    for cell in function.__closure__ or ():
        try:
            found.append(cell.cell_contents)
        except ValueError:
            continue  # not assigned yet
    for code in codes_in(function.__code__):
        found += [function.__globals__[name] for name in code.co_names if name in function.__globals__]
    return found + list(function.__defaults__ or ())
