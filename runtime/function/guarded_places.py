"""What the code of a trace may have taken from Python: found by the names that it looks up, with what they stood for.

walk = Walk([step])               # the globals and closure variables that step names
walk.enter(model, "self")         # an object that it was given
walk.finish()                     # ... and what it names of the objects that can be reached from there
walk.sources                      # the namespaces and objects, each with its places
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import FunctionType, MappingProxyType, MethodType, ModuleType
from typing import Any, Final

import numpy as np

from autograph.operators.classes import own_attributes
from autograph.rules import is_own_code, is_user_code
from runtime.function.code_names import names_in
from runtime.function.held_attributes import collects, held_attributes
from runtime.function.own_effects import Token, of_global, of_part, of_variable
from runtime.function.snapshots import CONTAINERS, Names, Plain, Snapshot, snapshot_of, tokens_in
from runtime.heap.code import is_user_class, is_user_module
from runtime.heap.kind import PLAIN
from runtime.heap.kinds import slots_of
from runtime.tensor.tensor import Tensor

__all__ = ["FAILED", "MISSING", "Place", "Source", "Walk"]

MOST_PLACES: Final = 10_000
"""No more places than this are guarded."""

MISSING: Final = object()
FAILED: Final = (LookupError, AttributeError, ValueError, TypeError)
"""What reading a place raises when its name, attribute or object is gone."""


@dataclass(frozen=True, slots=True)
class Kind:
    """How values are read from something: by code, where `h` is the handle and `d` what is found, and by functions.

    token: the change of a value, by the handle and the key.
    """

    find_code: str
    get_code: str
    find: Callable[[Any], Any]
    get: Callable[[Any, Any], Any]
    token: Callable[[Any, Any], Token] = lambda h, key: of_part(h(), key)


_NAMESPACE: Final = Kind("{h}", "d[{key!r}]", lambda h: h, lambda d, key: d[key], of_global)
_CLOSURE: Final = Kind(
    "{h}().__closure__", "d[{key}].cell_contents", lambda h: h().__closure__, lambda d, key: d[key].cell_contents,
    lambda h, key: of_variable(h().__closure__[key]),
)  # fmt: skip
_ATTRIBUTES: Final = Kind("{h}().__dict__", "d[{key!r}]", lambda h: h().__dict__, lambda d, key: d[key])
_ABSENT: Final = Kind("{h}().__dict__", "({key!r} in d)", lambda h: h().__dict__, lambda d, key: key in d)
_COUNT: Final = Kind("{h}().__dict__", "len(d)", lambda h: h().__dict__, lambda d, key: len(d))
_SLOTS: Final = Kind("{h}()", "d.{key}", lambda h: h(), getattr)
_DEFAULTS: Final = Kind("{h}().__defaults__", "d[{key}]", lambda h: h().__defaults__, lambda d, key: d[key])
_OF_KEYWORDS: Final = Kind("{h}().__kwdefaults__", "d[{key!r}]", lambda h: h().__kwdefaults__, lambda d, key: d[key])
_ARGUMENTS: Final = Kind("{h}().args", "d[{key}]", lambda h: h().args, lambda d, key: d[key])
_KEYWORDS: Final = Kind("{h}().keywords", "d[{key!r}]", lambda h: h().keywords, lambda d, key: d[key])
_ANSWER: Final = Kind("{h}()", "d", lambda h: h(), lambda d, key: d, lambda h, key: ("answer", key))

@dataclass(frozen=True, slots=True)
class Place:
    """One guarded value. words: what it is called in messages."""

    key: Any
    words: str
    snapshot: Snapshot


@dataclass(frozen=True, slots=True)
class Source:
    """Something that has guarded values. handle: a namespace, or what gives a function or an object, a weak reference
    as a rule; names: of the attributes that count."""

    kind: Kind
    handle: Any
    names: Names
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


    def tokens(self, place: Place) -> Iterator[Token]:
        """The changes that concern a place, as things are now."""
        yield self.kind.token(self.handle, place.key)
        value = self.read(place.key)
        if self.kind is not _ABSENT and value is not MISSING:
            yield from tokens_in(value, self.names)


class Walk:
    """Finds the places to guard."""

    def __init__(self, functions: Sequence[FunctionType]) -> None:
        self.sources: list[Source] = []
        self._places = 0
        self._known: set[int] = set()
        self._queue: list[tuple[Any, str, bool]] = []  # kept until the walk is over, for `_known` has addresses
        self._namespaces: dict[int, Source] = {}
        names = [names_in(function.__code__) for function in functions]
        self._attributes = frozenset().union(*(found.attributes for found in names))
        self._all = any(found.all_attributes for found in names)
        self._asks = any(found.asks for found in names)
        self._names = None if self._all else self._attributes
        for function in functions:
            self._function(function)

    def finish(self) -> None:
        """Look into what has been entered, and into what is found there."""
        for value, label, alone in self._queue:  # which grows
            if self._places >= MOST_PLACES:
                break
            self._open(value, label, alone)
        self._queue.clear()

    def enter(self, value: Any, label: str, alone: bool = True) -> None:
        """Look into a value, later. alone: no guarded place leads to it, where what it holds is compared, too."""
        if type(value) not in PLAIN and id(value) not in self._known and not isinstance(value, Tensor):
            self._known.add(id(value))
            self._queue.append((value, label, alone))

    def answer(self, name: str, ask: Callable[[], Any], value: Any) -> None:
        """What a function of this name has told, which `ask` tells again."""
        source = self._source(_ANSWER, ask)
        source.places.append(Place(name, f"the answer of {name!r}", snapshot_of(value, self._names)))

    # -- places

    def _source(self, kind: Kind, handle: Any) -> Source:
        self.sources.append(Source(kind, handle, self._names))
        return self.sources[-1]

    def _place(self, source: Source, key: Any, words: str, path: str, value: Any) -> None:
        source.places.append(Place(key, words, snapshot_of(value, self._names)))
        self._places += 1
        self.enter(value, path, alone=False)

    def _all_places(self, kind: Kind, owner: Any, held: Mapping[Any, Any], words: str) -> None:
        """Places of a function's defaults, or of what a `partial` holds."""
        if held:
            source = self._source(kind, weakref.ref(owner))
            for key, value in held.items():
                self._place(source, key, words, words, value)

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
                self._place(source, name, f"the global {name!r}", name, namespace[name])
        if function.__closure__:
            source = self._source(_CLOSURE, weakref.ref(function))
            for i, name in enumerate(function.__code__.co_freevars):
                cell = function.__closure__[i]
                if name != "__class__" and id(cell) not in self._known:
                    self._known.add(id(cell))
                    self._cell(source, i, name, function)
        words = f"a default of {function.__name__!r}"
        self._all_places(_DEFAULTS, function, dict(enumerate(function.__defaults__ or ())), words)
        self._all_places(_OF_KEYWORDS, function, function.__kwdefaults__ or {}, words)

    def _cell(self, source: Source, i: int, name: str, function: FunctionType) -> None:
        assert function.__closure__
        cell = function.__closure__[i]
        try:
            value = cell.cell_contents
        except ValueError:  # not assigned yet
            return
        self._place(source, i, f"the variable {name!r} around {function.__name__!r}", name, value)

    # -- looking into values

    def _open(self, value: Any, label: str, alone: bool) -> None:
        if isinstance(value, MethodType):
            self.enter(value.__self__, label)
        elif isinstance(value, weakref.ref):
            self.enter(value(), label)
        elif isinstance(value, partial):
            self.enter(value.func, label)
            self._all_places(_ARGUMENTS, value, dict(enumerate(value.args)), f"an argument of {label!r}")
            self._all_places(_KEYWORDS, value, value.keywords, f"an argument of {label!r}")
        elif isinstance(value, ModuleType):
            if is_user_module(value):
                self._named(value, label, vars(value), alone)
        elif isinstance(value, type):
            self._class(value, label)
        elif isinstance(value, CONTAINERS):
            items = value.items() if isinstance(value, dict | MappingProxyType) else enumerate(value)
            for key, part in items:
                self.enter(part, f"{label}[{key!r}]", alone)
        elif isinstance(value, np.ndarray) and value.dtype.hasobject:
            for part in value.flat:
                self.enter(part, label, alone)
        if isinstance(value, type | ModuleType | FunctionType):
            return
        held = held_attributes(value, self._attributes)
        if held is not None or is_user_class(type(value)):
            self._object(value, label, alone, held or ())

    def _object(self, value: Any, label: str, alone: bool, always: Iterable[str]) -> None:
        held = getattr(value, "__dict__", None)
        if isinstance(held, dict):
            self._named(value, label, held, alone, always)
            if collects(value, self._attributes):
                count = self._source(_COUNT, weakref.ref(value))
                count.places.append(Place("", f"the attributes of {label!r}", Plain(len(held))))
        self._slots(value, label, alone)
        for base in type(value).__mro__:
            self.enter(base, label)

    def _class(self, value: type, label: str) -> None:
        for base in value.__mro__:
            if base is not value:
                self.enter(base, label)
        if is_user_class(value):
            held = {n: v for n, v in own_attributes(value).items() if not _is_exchanged(n, v)}
            self._named(value, label, held, False)

    def _named(
        self, value: Any, label: str, held: Mapping[str, Any], alone: bool, always: Iterable[str] = ()
    ) -> None:
        """The attributes of an object that the traced code names."""
        wanted = self._attributes.union(always)
        names = [name for name in held if self._all or name in wanted]
        reference = _handle_of(value, alone)
        if reference is None:  # the place that leads to the object compares its attributes
            for name in names:
                self.enter(held[name], f"{label}.{name}", alone=False)
            return
        if names:
            source = self._source(_ATTRIBUTES, reference)
            for name in names:
                self._place(source, name, f"'{label}.{name}'", f"{label}.{name}", held[name])
        if not isinstance(value, type | ModuleType):
            absent = [name for name in sorted(self._attributes - held.keys()) if self._may_appear(type(value), name)]
            if absent:
                source = self._source(_ABSENT, reference)
                source.places.extend(Place(name, f"'{label}.{name}'", Plain(False)) for name in absent)

    def _may_appear(self, kind: type, name: str) -> bool:
        """Whether it matters that an object has no attribute of this name: the one of its class is used, or none is."""
        found = next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), MISSING)
        return self._asks if found is MISSING else not hasattr(type(found), "__set__") and not name.startswith("__")

    def _slots(self, value: Any, label: str, alone: bool) -> None:
        slots = dict(slots_of(type(value)))
        names = [n for n in sorted(slots) if (self._all or n in self._attributes) and not n.startswith("__")]
        reference = _handle_of(value, alone)
        source = None if reference is None else self._source(_SLOTS, reference)
        for name in names:
            found = getattr(value, name, MISSING)
            if found is not MISSING and source is None:
                self.enter(found, f"{label}.{name}", alone=False)
            elif found is not MISSING and source is not None:
                self._place(source, name, f"'{label}.{name}'", f"{label}.{name}", found)


def _handle_of(value: Any, alone: bool) -> Callable[[], Any] | None:
    """What gives an object: weakly if that can be; else, where no guarded place leads to it, as it is."""
    try:
        return weakref.ref(value)
    except TypeError:
        return (lambda: value) if alone else None


def _is_exchanged(name: str, value: Any) -> bool:
    """What a trace exchanges for a while (autograph.operators.classes), and what Python puts into each class."""
    return name.startswith("__") or isinstance(value, property) or is_own_code(_file_of(value))


def _file_of(value: Any) -> str:
    code = getattr(value, "__code__", None)
    return "" if code is None else str(code.co_filename)
