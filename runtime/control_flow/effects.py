"""Effects on Python objects inside staged code: found, and refused.

    def count():
        nonlocal calls
        calls += 1
    for i in range(n):      # n is a tensor: the body is traced once, whatever n is
        count()             # StagingError: the variable 'calls' is changed ...

A branch or body is traced once; a list that it appends to, or a variable that a function called by it rebinds, would
change once at trace time, for both branches and for any number of iterations. What the statement itself assigns is its
state, and is put back before the objects are compared; everything else that the code can reach through its variables
must be as it was before.

Looked at: variables and globals that the code, and the user's functions that it names, can rebind; the contents of
lists, dicts, sets, deques, bytearrays, small arrays, how far iterators have gone, and the attributes of the user's
objects, up to `DEPTH` steps away.
"""

from __future__ import annotations

import collections
import dis
import inspect
import itertools
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any, Final

import numpy as np

from autograph.errors import StagingError
from autograph.rules import is_user_code
from runtime.control_flow.iterators import Reading, position_reader
from runtime.control_flow.optional import is_undefined
from runtime.tensor.tensor import Tensor

__all__ = ["Watch"]

DEPTH: Final = 3
MOST_OBJECTS: Final = 2_000
MOST_ELEMENTS: Final = 10_000


@dataclass(frozen=True, slots=True)
class _Seen:
    """Something that can change: how to read it now, what it was, and what to call it."""

    what: str
    read: Callable[[], Reading]
    before: Reading

    def changed(self) -> bool:
        mark, parts = self.read()
        mark_before, parts_before = self.before
        if mark != mark_before or len(parts) != len(parts_before):
            return True
        return any(a is not b for a, b in zip(parts, parts_before, strict=True))


class Watch:
    """Remembers what some functions can reach, and tells whether it changed."""

    def __init__(self, *functions: Callable[..., Any]) -> None:
        self._seen: list[_Seen] = []
        self._known: set[int] = set()
        self._queue: collections.deque[tuple[Any, str, int]] = collections.deque()
        for function in functions:
            self._visit(function, "", 0)
        while self._queue and len(self._seen) < MOST_OBJECTS:
            value, label, depth = self._queue.popleft()
            self._open(value, label, depth)

    def check(self, where: str) -> None:
        """Raises StagingError if anything changed. `where`: the staged code that ran, for the message."""
        for seen in self._seen:
            if seen.changed():
                raise StagingError(
                    f"{seen.what} is changed inside {where}, which depends on a tensor: a graph would do that once,"
                    " while it is traced, whichever way it runs. Assign to a variable of this function instead (it"
                    " becomes part of the graph), or make the change outside of the statement."
                )

    # -- walking -------------------------------------------------------------------------------------------------

    def _visit(self, value: Any, label: str, depth: int) -> None:
        if id(value) not in self._known and depth <= DEPTH and _is_interesting(value):
            self._known.add(id(value))
            self._queue.append((value, label, depth))

    def _open(self, value: Any, label: str, depth: int) -> None:
        if isinstance(value, FunctionType):
            self._function(value, depth)
        elif isinstance(value, MethodType):
            self._visit(value.__func__, label, depth)
            self._visit(value.__self__, label, depth)
        elif isinstance(value, partial):
            self._visit(value.func, label, depth)
        elif hasattr(type(value), "__ag_watched__"):  # what runs functions of the user for items
            for part in value.__ag_watched__():
                self._visit(part, label, depth)
        else:
            self._contents(value, label, depth)

    def _function(self, function: FunctionType, depth: int) -> None:
        code = function.__code__
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            if id(cell) not in self._known and not name.startswith("ag__"):
                self._known.add(id(cell))
                self._add(f"the variable {name!r}", partial(_cell_value, cell))
                for value in _cell_value(cell)[1]:
                    self._visit(value, f"of the variable {name!r}", depth)
        named, stored = _global_names(code)
        for name in named:
            self._visit(function.__globals__.get(name), f"of the global {name!r}", depth)
        for name in stored:
            self._add(f"the global {name!r}", partial(_global_value, function.__globals__, name))

    def _contents(self, value: Any, label: str, depth: int) -> None:
        read, kind = _reader_of(value)
        self._add(f"the {kind} {label}", read)
        for part in read()[1]:
            self._visit(part, label, depth + 1)

    def _add(self, what: str, read: Callable[[], Reading]) -> None:
        self._seen.append(_Seen(what, read, read()))


def _cell_value(cell: CellType) -> Reading:
    try:
        return _one(cell.cell_contents)
    except ValueError:
        return 0, ()


def _global_value(namespace: dict[str, Any], name: str) -> Reading:
    return _one(namespace[name]) if name in namespace else (0, ())


def _one(value: Any) -> Reading:
    """A variable that holds autograph's placeholder has no value."""
    return (0, ()) if is_undefined(value) else (1, (value,))


@lru_cache(maxsize=4096)
def _global_names(code: CodeType) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The globals that a code object and those inside of it name, and those that they rebind."""
    named: set[str] = set()
    stored: set[str] = set()
    pending = [code]
    while pending:
        current = pending.pop()
        named.update(current.co_names)
        stored.update(i.argval for i in dis.get_instructions(current) if i.opname in ("STORE_GLOBAL", "DELETE_GLOBAL"))
        pending += [c for c in current.co_consts if isinstance(c, CodeType)]
    return tuple(sorted(named)), tuple(sorted(stored))


def _is_interesting(value: Any) -> bool:
    """Whether something of the user's can change through this value."""
    if isinstance(value, Tensor | ModuleType | type | str | bytes | int | float | tuple | frozenset | type(None)):
        return False
    if isinstance(value, FunctionType):
        return is_user_code(value.__code__.co_filename)
    if isinstance(value, (MethodType, partial, *_CONTAINERS)) or position_reader(value) is not None:
        return True
    if hasattr(type(value), "__ag_watched__"):
        return True
    if isinstance(value, np.ndarray):
        return value.size <= MOST_ELEMENTS
    kind: Any = type(value)
    return hasattr(value, "__dict__") and _is_user_class(kind)


@lru_cache(maxsize=1024)
def _is_user_class(kind: Any) -> bool:
    # A method that stands in for the user's during a trace has the user's own as `__wrapped__`.
    functions = (inspect.unwrap(f) for f in vars(kind).values() if isinstance(f, FunctionType))
    file = next((f.__code__.co_filename for f in functions), None)
    if file is None:
        file = getattr(sys.modules.get(kind.__module__), "__file__", None) or ""
    return is_user_code(file)


_CONTAINERS: Final = (list, dict, set, collections.deque, bytearray)


def _reader_of(value: Any) -> tuple[Callable[[], Reading], str]:
    """How to read the parts of a mutable object, and what kind of object it is."""
    if isinstance(value, dict):
        return partial(_mapping, value), "dict"
    if isinstance(value, set):
        return lambda: (len(value), tuple(sorted(value, key=id))[:MOST_ELEMENTS]), "set"
    if isinstance(value, list | collections.deque):
        return lambda: (len(value), tuple(itertools.islice(value, MOST_ELEMENTS))), type(value).__name__
    if isinstance(value, bytearray):
        return lambda: (bytes(value), ()), "bytearray"
    if isinstance(value, np.ndarray):
        return lambda: (value.tobytes(), ()), "array"
    if (position := position_reader(value)) is not None:
        return partial(position, value), "iterator"
    return partial(_mapping, vars(value)), f"object ({type(value).__name__})"


def _mapping(value: dict[Any, Any]) -> Reading:
    """Keys and values; a key whose value is autograph's placeholder does not exist."""
    parts: list[Any] = []
    for key, item in list(value.items())[:MOST_ELEMENTS]:
        if not is_undefined(item):
            parts += (key, item)
    return len(parts), tuple(parts)
