"""What the code of a trace may have taken from Python: found by the names that it looks up, with what they stood for.

    walk = Walk([step])               # the globals and closure variables that step names
    walk.enter(model, "self")         # an object that it was given
    walk.finish()                     # ... and what it names of the objects that can be reached from there
    walk.sources                      # the namespaces and objects, each with its places

Values are looked into as the heap does it (`runtime.heap.looks`): what has a kind there is guarded by that.
"""

from __future__ import annotations

import decimal
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType, GetSetDescriptorType, MemberDescriptorType, ModuleType
from typing import Any, Final

import numpy as np

from autograph.rules import is_own_code, is_user_code
from runtime.function.code_names import names_in
from runtime.function.held_attributes import collects, held_attributes
from runtime.function.snapshots import Given, Method, Names, Plain, Reference, Snapshot, locations_in, snapshot_of
from runtime.heap.code import (
    globals_by_text,
    in_class,
    is_own_module,
    is_user_class,
    is_user_module,
    names_of_library,
)
from runtime.heap.holder import Location, location
from runtime.heap.kind import PLAIN, Kind
from runtime.heap.kinds import ATTRIBUTES, CLASS, CLASS_OF_LIBRARY, kind_of_class
from runtime.heap.looks import is_plain, looks_of
from runtime.heap.opaque import OPAQUE, tells
from runtime.heap.variables import MODULE

__all__ = ["CLOSURE", "FAILED", "GETATTR", "IN_DICT", "MISSING", "NAMESPACE", "Place", "Source", "Walk"]

MOST_PLACES: Final = 10_000
"""No more places than this are guarded."""

MISSING: Final = object()
FAILED: Final = (LookupError, AttributeError, ValueError, TypeError)
"""What reading a place raises when its name, attribute or object is gone, or a file is closed."""


class Way:
    """How values are read, as code: `h` is the handle of a source, `d` what it has of its values, `key` one of them."""

    def __init__(self, found: str, part: str) -> None:
        self.found, self._part = found, part
        self.read: Callable[[Any, Any], Any] = eval(f"lambda h, key: (lambda d: {part})({found})")

    def part(self, key: Any) -> str:
        """Code that reads the value at a key."""
        return f"d.{key}" if self is GETATTR else self._part.replace("key", repr(key))


NAMESPACE: Final = Way("h", "d[key]")
CLOSURE: Final = Way("h().__closure__", "d[key].cell_contents")
IN_DICT: Final = Way("h().__dict__", "d[key]")
GETATTR: Final = Way("h()", "getattr(d, key)")
_DECIMAL: Final = {id(decimal), id(decimal.Decimal)}
_ASKED: Final = Way("h()", "getattr(d, key)()")
_ABSENT: Final = Way("h().__dict__", "(key in d)")
_COUNT: Final = Way("h().__dict__", "len(d)")
_DEFAULTS: Final = Way("h().__defaults__", "d[key]")
_OF_KEYWORDS: Final = Way("h().__kwdefaults__", "d[key]")
_ANSWER: Final = Way("h()", "d")


@dataclass(frozen=True, slots=True)
class Place:
    """One guarded value. words: what it is called in messages; path: how the program reaches it."""

    key: Any
    words: str
    snapshot: Snapshot
    path: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """Something that has guarded values. handle: a namespace, or what gives a function or an object, a weak reference
    as a rule; names: of the attributes that count."""

    way: Way
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
            return self.way.read(self.handle, key)
        except FAILED:
            return MISSING

    def locations(self, place: Place) -> Iterator[Location]:
        """What concerns a place if it changes, as things are now."""
        if self.way is CLOSURE:
            yield location(self.handle().__closure__[place.key], None)
        else:
            yield location(self.handle if self.way is NAMESPACE else self.handle(), place.key)
        value = self.read(place.key)
        if self.way is not _ABSENT and value is not MISSING:
            yield from locations_in(value, self.names)


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
        if id(value) not in self._known and (isinstance(value, ModuleType) or not is_plain(type(value))):
            self._known.add(id(value))
            self._queue.append((value, label, alone))

    def answer(self, name: str, ask: Callable[[], Any], value: Any) -> None:
        """What a function of this name has told, which `ask` tells again."""
        self.place(f"the answer of {name!r}", ask, snapshot_of(value, self._names))

    def place(self, words: str, read: Callable[[], Any], snapshot: Snapshot) -> None:
        """What `read` gives was found, and it was this."""
        self._source(_ANSWER, read).places.append(Place("", words, snapshot))

    # -- places

    def _source(self, way: Way, handle: Any) -> Source:
        self.sources.append(Source(way, handle, self._names))
        return self.sources[-1]

    def _place(self, source: Source, key: Any, words: str, path: str, value: Any) -> None:
        source.places.append(Place(key, words, snapshot_of(value, self._names), path))
        self._places += 1
        self.enter(value, path, alone=False)

    def _function(self, function: FunctionType) -> None:
        if not is_user_code(function.__code__.co_filename):
            return
        namespace = function.__globals__
        source = self._namespaces.get(id(namespace))
        if source is None:
            source = self._namespaces[id(namespace)] = self._source(NAMESPACE, namespace)
        guarded = {place.key for place in source.places}
        for name in sorted((names_in(function.__code__).globals | globals_by_text(function)) - guarded):
            if name in namespace:
                self._place(source, name, f"the global {name!r}", name, namespace[name])
        if function.__closure__:
            self._closure(function, function.__closure__)
        source = self._source(GETATTR, weakref.ref(function))
        source.places.append(Place("__code__", f"the code of {function.__name__!r}", Reference(function.__code__)))
        words = f"a default of {function.__name__!r}"
        defaults = dict(enumerate(function.__defaults__ or ()))
        for way, held in ((_DEFAULTS, defaults), (_OF_KEYWORDS, function.__kwdefaults__)):
            if held:
                source = self._source(way, weakref.ref(function))
                for key, value in held.items():
                    self._place(source, key, words, words, value)

    def _closure(self, function: FunctionType, cells: Sequence[Any]) -> None:
        source = self._source(CLOSURE, weakref.ref(function))
        for i, (name, cell) in enumerate(zip(function.__code__.co_freevars, cells, strict=True)):
            if name == "__class__" or id(cell) in self._known:
                continue
            self._known.add(id(cell))
            try:
                value = cell.cell_contents
            except ValueError:  # not assigned yet
                continue
            self._place(source, i, f"the variable {name!r} around {function.__name__!r}", name, value)

    # -- looking into values

    def _open(self, value: Any, label: str, alone: bool) -> None:
        if id(value) in _DECIMAL:
            self.place("the context of decimal numbers", decimal.getcontext, snapshot_of(decimal.getcontext()))
        if isinstance(value, ModuleType):
            self._module(value, label, alone)
        elif type(value) is np.ndarray and not value.dtype.hasobject:
            return
        for look in looks_of(type(value)):
            for kind in look.kinds(value):
                if kind is OPAQUE or kind.is_momentary:
                    self._asked(value, label)
                if kind.has_attributes:
                    self._named(value, kind, label, alone)
                elif kind.is_momentary:
                    self._told(value, label)
                else:
                    for part, name in kind.inside(label, kind.read(value)):
                        self.enter(part, name, alone)
            for part, name in look.leads(value, label):
                if not isinstance(value, type) or isinstance(part, type):  # what Python keeps in a class is left out
                    self.enter(part, name, alone)
        asks = collects(value, self._attributes)
        if not is_user_class(type(value)) and (asks or held_attributes(value, self._attributes)):
            self._named(value, ATTRIBUTES, label, alone)

    def _module(self, value: ModuleType, label: str, alone: bool) -> None:
        """All that a module of the user's has; of a library's what is no function, class or module, and no stream."""
        if is_user_module(value):
            self._places_of(value, IN_DICT, vars(value), self._attributes, label, alone)
        elif not is_own_module(value):
            held = MODULE.read((value, tuple(self._attributes)))
            named = {n: part for n, part in held.items() if n in self._attributes and not _is_momentary(part)}
            self._places_of(value, IN_DICT, named, self._attributes, label, alone)

    def _named(self, value: Any, kind: Kind, label: str, alone: bool) -> None:
        """The attributes of an object that count: those that the traced code names, or others read for it."""
        held = kind.read(value)
        if kind in (CLASS, CLASS_OF_LIBRARY):
            held = {name: part for name, part in held.items() if name != "__bases__" and not _is_exchanged(part)}
            methods = {n: part for n, part in held.items() if n.startswith("__") and isinstance(part, FunctionType)}
            self._methods_of(value, methods, label)
            others = {name: part for name, part in held.items() if name not in methods}
            self._places_of(value, IN_DICT, others, self._attributes, label, False)
            return
        always = names_of_library(type(value)).union(held_attributes(value, self._attributes))
        in_dict = kind.form == "keys" and not kind.is_slots
        way = IN_DICT if in_dict else GETATTR
        if kind is OPAQUE:  # what its methods tell is asked
            held = {name: part for name, part in held.items() if name.isidentifier()}
        handle = self._places_of(value, way, held, self._attributes | always, label, alone)
        if handle is None or not in_dict:
            return
        absent = [name for name in sorted(self._attributes - held.keys()) if self._may_appear(type(value), name)]
        if absent:
            source = self._source(_ABSENT, handle)
            source.places.extend(Place(name, f"'{label}.{name}'", Plain(False)) for name in absent)
        if collects(value, self._attributes):
            count = self._source(_COUNT, handle)
            count.places.append(Place("", f"the attributes of {label!r}", Plain(len(held))))

    def _methods_of(self, owner: type, methods: Mapping[str, FunctionType], label: str) -> None:
        """The methods that Python calls by itself, for which no code has to name them."""
        if methods:
            source = self._source(IN_DICT, weakref.ref(owner))
            for name, method in methods.items():
                source.places.append(Place(name, f"'{label}.{name}'", Method(method)))
                self._places += 1
                self.enter(method, f"{label}.{name}", alone=False)

    def _told(self, value: Any, label: str) -> None:
        """What an object of C that is another one at each moment says in attributes that the code names: `closed`."""
        members = GetSetDescriptorType | MemberDescriptorType
        names = [n for n in sorted(self._attributes) if isinstance(getattr(type(value), n, None), members)]
        held = {name: getattr(value, name) for name in names}
        plain = {name: part for name, part in held.items() if type(part) in PLAIN}
        self._places_of(value, GETATTR, plain, plain, label, False)

    def _asked(self, value: Any, label: str) -> None:
        """What the methods of an object of C say that the code names: `queue.qsize()`, `file.tell()`."""
        handle = _handle_of(value, alone=False)
        for name in sorted(tells(value) & self._attributes) if handle is not None else ():
            source = self._source(_ASKED, handle)
            if (found := source.read(name)) is not MISSING:
                source.places.append(Place(name, f"'{label}.{name}()'", Given(Plain(found).same)))

    def _places_of(
        self, value: Any, way: Way, held: Mapping[str, Any], wanted: Iterable[str], label: str, alone: bool
    ) -> Callable[[], Any] | None:
        """Places for what an object holds under these names; the handle, where it needs one."""
        names = [name for name in held if self._all or name in wanted]
        handle = _handle_of(value, alone)
        if handle is None:  # the place that leads to the object compares its attributes
            for name in names:
                self.enter(held[name], f"{label}.{name}", alone=False)
        elif names:
            source = self._source(way, handle)
            for name in names:
                self._place(source, name, f"'{label}.{name}'", f"{label}.{name}", held[name])
        return handle

    def _may_appear(self, kind: type, name: str) -> bool:
        """Whether it matters that an object has no attribute of this name: the one of its class is used, or none is."""
        found = in_class(kind, name, MISSING)
        return self._asks if found is MISSING else not hasattr(type(found), "__set__") and not name.startswith("__")


def _handle_of(value: Any, alone: bool) -> Callable[[], Any] | None:
    """What gives an object: weakly if that can be; else, where no guarded place leads to it, as it is."""
    try:
        return weakref.ref(value)
    except TypeError:
        return (lambda: value) if alone else None


def _is_momentary(value: Any) -> bool:
    kind = kind_of_class(type(value))
    return kind is not None and kind.is_momentary


def _is_exchanged(value: Any) -> bool:
    """What a trace exchanges for a while (autograph.operators.classes)."""
    code = getattr(value, "__code__", None)
    return isinstance(value, property) or (code is not None and is_own_code(code.co_filename))
