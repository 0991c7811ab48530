"""What the code of a trace may have taken from Python: found by the names that it looks up, with what they stood for.

walk = Walk([step])               # the globals and closure variables that step names
walk.enter(model, "self")         # an object that it was given
walk.finish()                     # ... and what it names of the objects that can be reached from there
walk.sources                      # the namespaces and objects, each with its places
"""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import FunctionType, MethodType, ModuleType
from typing import Any, Final

from autograph.operators.classes import own_attributes
from autograph.rules import is_own_code, is_user_code
from runtime.control_flow.world_code import is_user_class, is_user_module
from runtime.function.code_names import names_in
from runtime.function.own_effects import Token, of_global, of_part, of_variable
from runtime.function.snapshots import CONTAINERS, PLAIN, Plain, Snapshot, containers_in, snapshot_of
from runtime.tensor.tensor import Tensor

__all__ = ["FAILED", "MISSING", "Place", "Source", "Walk"]

MOST_PLACES: Final = 10_000
"""No more places than this are guarded."""

MISSING: Final = object()
FAILED: Final = (LookupError, AttributeError, ValueError, TypeError)
"""What reading a place raises when its name, attribute or object is gone."""


@dataclass(frozen=True, slots=True)
class Kind:
    """How values are read from something: by code, where `h` is the handle and `d` what is found, and by functions."""

    find_code: str
    get_code: str
    find: Callable[[Any], Any]
    get: Callable[[Any, Any], Any]


_NAMESPACE: Final = Kind("{h}", "d[{key!r}]", lambda h: h, lambda d, key: d[key])
_CLOSURE: Final = Kind(
    "{h}().__closure__", "d[{key}].cell_contents", lambda h: h().__closure__, lambda d, key: d[key].cell_contents
)
_ATTRIBUTES: Final = Kind("{h}().__dict__", "d[{key!r}]", lambda h: h().__dict__, lambda d, key: d[key])
_ABSENT: Final = Kind("{h}().__dict__", "({key!r} in d)", lambda h: h().__dict__, lambda d, key: key in d)
_SLOTS: Final = Kind("{h}()", "d.{key}", lambda h: h(), getattr)


@dataclass(frozen=True, slots=True)
class Place:
    """One guarded value. words: what it is called in messages; tokens: the changes that concern it (own_effects)."""

    key: Any
    words: str
    snapshot: Snapshot
    tokens: frozenset[Token] = frozenset()


@dataclass(frozen=True, slots=True)
class Source:
    """Something that has guarded values. handle: a namespace, or the weak reference of a function or an object."""

    kind: Kind
    handle: Any
    places: list[Place] = field(default_factory=list)

    @property
    def is_gone(self) -> bool:
        """Whether the object does not exist any more: then nothing that is guarded leads to it, or that has changed."""
        return isinstance(self.handle, weakref.ref) and self.handle() is None

    def read(self, key: Any) -> Any:
        """The value at a key now; MISSING if it is gone."""
        try:
            return self.kind.get(self.kind.find(self.handle), key)
        except FAILED:
            return MISSING


class Walk:
    """Finds the places to guard."""

    def __init__(self, functions: Sequence[FunctionType]) -> None:
        self.sources: list[Source] = []
        self._places = 0
        self._known: set[int] = set()
        self._queue: deque[tuple[Any, str]] = deque()
        self._namespaces: dict[int, Source] = {}
        names = [names_in(function.__code__) for function in functions]
        self._attributes = frozenset().union(*(found.attributes for found in names))
        self._all = any(found.all_attributes for found in names)
        self._asks = any(found.asks for found in names)
        for function in functions:
            self._function(function)

    def finish(self) -> None:
        """Look into what has been entered, and into what is found there."""
        while self._queue and self._places < MOST_PLACES:
            self._open(*self._queue.popleft())

    def enter(self, value: Any, label: str) -> None:
        """Look into a value, later."""
        if type(value) not in PLAIN and id(value) not in self._known and not isinstance(value, Tensor):
            self._known.add(id(value))
            self._queue.append((value, label))

    # -- places

    def _source(self, kind: Kind, handle: Any) -> Source:
        self.sources.append(Source(kind, handle))
        return self.sources[-1]

    def _place(self, source: Source, key: Any, words: str, path: str, value: Any, token: Token) -> None:
        tokens = frozenset({token, *(("contents", found) for found in containers_in(value))})
        source.places.append(Place(key, words, snapshot_of(value), tokens))
        self._places += 1
        self.enter(value, path)

    def _function(self, function: FunctionType) -> None:
        if not is_user_code(function.__code__.co_filename):
            return
        namespace = function.__globals__
        source = self._namespaces.get(id(namespace))
        if source is None:
            source = self._namespaces[id(namespace)] = self._source(_NAMESPACE, namespace)
        guarded = {place.key for place in source.places}
        for name in sorted(names_in(function.__code__).globals - guarded):
            if name in namespace:
                self._place(source, name, f"the global {name!r}", name, namespace[name], of_global(namespace, name))
        if function.__closure__:
            source = self._source(_CLOSURE, weakref.ref(function))
            for i, name in enumerate(function.__code__.co_freevars):
                cell = function.__closure__[i]
                if name != "__class__" and id(cell) not in self._known:
                    self._known.add(id(cell))
                    self._cell(source, i, name, function)
        for value in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
            self.enter(value, f"a default of {function.__name__}")

    def _cell(self, source: Source, i: int, name: str, function: FunctionType) -> None:
        assert function.__closure__
        cell = function.__closure__[i]
        try:
            value = cell.cell_contents
        except ValueError:  # not assigned yet
            return
        self._place(source, i, f"the variable {name!r} around {function.__name__!r}", name, value, of_variable(cell))

    # -- looking into values

    def _open(self, value: Any, label: str) -> None:
        if isinstance(value, MethodType):
            self.enter(value.__self__, label)
        elif isinstance(value, partial):
            for part in (value.func, *value.args, *value.keywords.values()):
                self.enter(part, label)
        elif isinstance(value, ModuleType):
            if is_user_module(value):
                self._named(value, label, vars(value))
        elif isinstance(value, type):
            self._class(value, label)
        elif isinstance(value, CONTAINERS):
            items = value.items() if isinstance(value, dict) else enumerate(value)
            for key, part in items:
                self.enter(part, f"{label}[{key!r}]")
        if not isinstance(value, type | ModuleType | FunctionType) and is_user_class(type(value)):
            self._object(value, label)

    def _object(self, value: Any, label: str) -> None:
        held = getattr(value, "__dict__", None)
        if isinstance(held, dict):
            self._named(value, label, held)
        self._slots(value, label)
        for base in type(value).__mro__:
            self.enter(base, label)

    def _class(self, value: type, label: str) -> None:
        for base in value.__mro__:
            if base is not value:
                self.enter(base, label)
        if is_user_class(value):
            self._named(value, label, {n: v for n, v in own_attributes(value).items() if not _is_exchanged(n, v)})

    def _named(self, value: Any, label: str, held: Mapping[str, Any]) -> None:
        """The attributes of an object that the traced code names."""
        names = [name for name in held if self._all or name in self._attributes]
        try:
            reference = weakref.ref(value)
        except TypeError:
            return
        if names:
            source = self._source(_ATTRIBUTES, reference)
            for name in names:
                self._place(source, name, f"'{label}.{name}'", f"{label}.{name}", held[name], of_part(value, name))
        if not isinstance(value, type | ModuleType):
            absent = [name for name in sorted(self._attributes - held.keys()) if self._may_appear(type(value), name)]
            if absent:
                source = self._source(_ABSENT, reference)
                source.places.extend(
                    Place(name, f"'{label}.{name}'", Plain(False), frozenset({of_part(value, name)})) for name in absent
                )

    def _may_appear(self, kind: type, name: str) -> bool:
        """Whether it matters that an object has no attribute of this name: the one of its class is used, or none is."""
        found = next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), MISSING)
        return self._asks if found is MISSING else not hasattr(type(found), "__set__") and not name.startswith("__")

    def _slots(self, value: Any, label: str) -> None:
        slots = {n for base in type(value).__mro__ for n in base.__dict__.get("__slots__", ()) if n.isidentifier()}
        names = [n for n in sorted(slots) if (self._all or n in self._attributes) and not n.startswith("__")]
        try:
            source = self._source(_SLOTS, weakref.ref(value))
        except TypeError:
            return
        for name in names:
            found = getattr(value, name, MISSING)
            if found is not MISSING:
                self._place(source, name, f"'{label}.{name}'", f"{label}.{name}", found, of_part(value, name))


def _is_exchanged(name: str, value: Any) -> bool:
    """What a trace exchanges for a while (autograph.operators.classes), and what Python puts into each class."""
    return name.startswith("__") or isinstance(value, property) or is_own_code(_file_of(value))


def _file_of(value: Any) -> str:
    code = getattr(value, "__code__", None)
    return "" if code is None else str(code.co_filename)
