"""The part of the Python world that staged code can reach: what can change in it, what did change, and the way back.

    world = World(if_body, else_body)        # finds the variables, lists, dicts, objects, ... that these can reach
    if_body()
    world.changes()                          # {Holder 'items': [1], Holder 'calls': {None: 1}}
    world.restore()                          # all as it was

Reached are the variables that a function closes over, the globals that it names, the contents of containers, the
attributes of the user's objects, classes and modules, and the functions, methods and classes of the user met on the
way; and the state of random number generators, text buffers and files that are read. What is out of reach: what only
a caller's frame, an installed package or C code knows; what is printed or written to a file, an effect of the trace
as `print` is; what lies behind the first `MOST_OBJECTS` things, and in arrays of over `MOST_COMPARED` elements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import FunctionType, ModuleType
from typing import Any, Final

import numpy as np

from autograph.cache import IdentityCache
from autograph.rules import is_user_code
from runtime.heap.cluster import Cluster, Clusters, current_clusters
from runtime.heap.code import PARTS, global_names, is_user_class, is_user_module, kept_results
from runtime.heap.hidden import called_inside, generator_of
from runtime.heap.holder import Contents, Holder
from runtime.heap.kinds import (
    CELL,
    CLASS,
    GLOBAL,
    Kind,
    container_kind,
    is_container_class,
    iterator_kind,
    object_kinds,
)
from runtime.ndarrays.traced import TracedArray
from runtime.tensor.tensor import Tensor

__all__ = ["Contents", "Holder", "World"]

MOST_OBJECTS: Final = 10_000


class World:
    """See the module's docstring. functions: the code that will run; objects: what else it is given, by name."""

    def __init__(self, *functions: Any, objects: Mapping[str, Any] | None = None) -> None:
        self.functions = functions
        self.holders: list[Holder] = []
        self._single: list[Holder] = []
        self._clusters: list[tuple[Cluster, list[Holder]]] = []
        self._known_clusters = current_clusters()
        self.by_owner: dict[int, Holder] = {}
        """The holder of a container's or an object's contents, by its id."""
        self.scopes: list[FunctionType] = []
        """The functions given, in whose scope names such as `o.total` are to be read."""
        self._by_place: dict[Any, Holder] | None = None
        self._known: set[int] = set()
        self._globals: set[tuple[int, str]] = set()
        self._queue: list[tuple[Any, str]] = []  # kept until the walk is over, for `_known` has addresses
        for function in functions:
            self._start(function)
        for name, value in (objects or {}).items():
            self._visit(value, name)
        for value, name in self._queue:  # which grows
            if len(self.holders) >= MOST_OBJECTS:
                break
            self._open(value, name)
        self._queue.clear()

    def changes(self, since: Mapping[Holder, Contents] | None = None) -> dict[Holder, Contents]:
        """The holders whose contents are not what they were, with their contents now.

        since: what they were, where that is not what it was at the start.
        """
        found = {}
        for holder in self._looked_at(since):
            before = since[holder] if since and holder in since else holder.before
            is_as = holder.kind.is_as
            if is_as is not None and is_as(holder.owner, before):
                continue
            now = holder.read()
            if not holder.kind.unchanged(before, now):
                found[holder] = now
        return found

    def _looked_at(self, since: Mapping[Holder, Contents] | None) -> Iterable[Holder]:
        """The holders, but for those of clusters that are what they were."""
        yield from self._single
        for cluster, holders in self._clusters:
            if (since and not cluster.members.isdisjoint(since)) or not cluster.unchanged():
                yield from holders

    def clusters(self) -> Clusters:
        """What is large and reached here, for worlds that are built later."""
        return Clusters(self.by_owner, _is_plain)

    def restore(self, changed: Iterable[Holder] | None = None) -> None:
        """Puts back what changed (`changed`: where that is known), as far as it can be put back."""
        for holder in self.changes() if changed is None else changed:
            if holder.kind.write is not None:
                holder.write(holder.before)

    def again(self) -> World:
        """What the same code can reach now."""
        return World(*self.functions)

    def at(self, place: Any) -> Holder | None:
        """The holder here of what is another world's holder, by its `place`."""
        if self._by_place is None:
            self._by_place = {known.place: known for known in self.holders}
        return self._by_place.get(place)

    def variable(self, name: str) -> Any:
        """The value of a variable as the given functions see it. Raises LookupError or ValueError if it has none."""
        for function in self.scopes:
            names = function.__code__.co_freevars
            if name in names:
                return (function.__closure__ or ())[names.index(name)].cell_contents
        for function in self.scopes:
            if name in function.__globals__:
                return function.__globals__[name]
        raise LookupError(name)

    # -- walking -------------------------------------------------------------------------------------------------

    def _start(self, function: Any) -> None:
        if isinstance(function, FunctionType):
            self._known.add(id(function))
            if is_user_code(function.__code__.co_filename):
                self.scopes.append(function)
                self._function(function)
            else:  # of this project, around code of the user's
                for cell in function.__closure__ or ():
                    if id(cell.cell_contents) not in self._known and isinstance(cell.cell_contents, FunctionType):
                        self._start(cell.cell_contents)
        elif hasattr(type(function), "__ag_watched__"):
            for part in function.__ag_watched__():
                self._start(part)
        else:
            self._visit(function, "")

    def _visit(self, value: Any, label: str) -> None:
        kind = type(value)
        if id(value) not in self._known and not _is_plain(kind):
            self._known.add(id(value))
            self._queue.append((value, label))

    def _open(self, value: Any, label: str) -> None:
        known = self._known_clusters
        cluster = None if known is None else known.of(value, label)
        if cluster is None:
            _opener_of(type(value))(self, value, label)
        else:
            self._take(cluster)

    def _take(self, cluster: Cluster) -> None:
        holders = cluster.besides(self._known)
        self._known |= cluster.inside
        self.holders += holders
        self.by_owner |= cluster.by_owner if holders is cluster.holders else {id(h.owner): h for h in holders}
        self._clusters.append((cluster, holders))
        for value, label in cluster.exits:
            self._visit(value, label)

    def _add(self, owner: Any, kind: Kind, label: str) -> Contents:
        before = kind.read(owner)
        holder = Holder(owner, kind, label, before)
        self.holders.append(holder)
        self._single.append(holder)
        return before

    def _function(self, function: FunctionType, label: str = "") -> None:
        code = function.__code__
        if not is_user_code(code.co_filename):
            for part in called_inside(function):
                self._visit(part, label)
            return
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            if id(cell) not in self._known and not name.startswith("ag__"):
                self._known.add(id(cell))
                self._variable(cell, CELL, name)
        for value in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
            self._visit(value, f"a default of {function.__name__}")
        if function.__dict__:
            self._attributes(function, function.__name__)
        named, stored = global_names(code)
        for name in named:
            if name in function.__globals__:
                self._global(function.__globals__[name], name, named)
        arrays = [name for name in named if isinstance(function.__globals__.get(name), np.ndarray | tuple)]
        for name in (*stored, *arrays):  # an array may be exchanged for a traced one
            if (id(function.__globals__), name) not in self._globals:
                self._globals.add((id(function.__globals__), name))
                self._variable((function.__globals__, name), GLOBAL, name)

    def _variable(self, owner: Any, kind: Kind, name: str) -> None:
        for value in self._add(owner, kind, name).values():
            self._visit(value, name)

    def _global(self, value: Any, name: str, named: tuple[str, ...]) -> None:
        """A global's value. Of a module of the user's, what the code names may be used."""
        if not isinstance(value, ModuleType):
            self._visit(value, name)
        elif (generator := generator_of(value, named)) is not None:
            self._visit(generator, name)
        elif is_user_module(value):
            if id(value) not in self._known:
                self._known.add(id(value))
                self._attributes(value, name)
            for attribute in named:
                if attribute in vars(value) and not isinstance(vars(value)[attribute], ModuleType):
                    self._visit(vars(value)[attribute], f"{name}.{attribute}")

    def _attributes(self, value: Any, label: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for kind in object_kinds(value):
            found |= self._add(value, kind, label)
            self.by_owner.setdefault(id(value), self.holders[-1])
        return found

    def _object(self, value: Any, label: str) -> None:
        for name, part in self._attributes(value, label).items():
            self._visit(part, f"{label}.{name}")
        for base in type(value).__mro__:
            self._visit(base, base.__name__)

    def _class(self, value: type, label: str) -> None:
        for name, part in self._add(value, CLASS, label).items():
            self._visit(part, f"{label}.{name}")
        self.by_owner[id(value)] = self.holders[-1]
        for name, part in vars(value).items():
            if name.startswith("__"):
                self._visit(part, f"{label}.{name}")
        for base in value.__mro__[1:]:
            self._visit(base, base.__name__)

    def _container(self, value: Any, label: str) -> None:
        kind = container_kind(value)
        assert kind is not None
        contents = self._add(value, kind, label)
        self.by_owner[id(value)] = self.holders[-1]
        if kind.form == "items":
            for i, part in enumerate(contents):
                if type(part) not in _PLAIN:
                    self._visit(part, f"{label}[{i}]")
        elif kind.form == "keys" and not kind.is_closed:
            for key, part in contents.items():
                if type(part) not in _PLAIN:
                    self._visit(part, kind.path(label, key))
        if is_user_class(type(value)) and hasattr(value, "__dict__"):
            self._object(value, label)

    def _array(self, value: np.ndarray[Any, Any], label: str) -> None:
        self._container(value, label)
        for i, part in enumerate(value.flat if value.dtype == object else ()):
            self._visit(part, f"{label}.flat[{i}]")

    def _traced(self, value: TracedArray, label: str) -> None:
        self._container(value, label)
        for buffer in value.buffers:
            self._visit(buffer, label)

    def _iterator(self, value: Any, label: str) -> None:
        kind = iterator_kind(value)
        assert kind is not None
        for part in self._add(value, kind, label)[1]:
            self._visit(part, label)

    def _tuple(self, value: tuple[Any, ...], label: str) -> None:
        for i, part in enumerate(value):
            self._visit(part, f"{label}[{i}]")

    def _parts(self, value: Any, label: str) -> None:
        for part in PARTS[type(value)](value):
            self._visit(part, label)

    def _watched(self, value: Any, label: str) -> None:
        for part in value.__ag_watched__():
            self._visit(part, label)

    def _wrapper(self, value: Any, label: str) -> None:
        self._visit(vars(value).get("__wrapped__"), label)
        for part in kept_results(value):
            self._visit(part, f"the cache of {label}")


_PLAIN: Final = frozenset({int, float, bool, str, bytes, complex, type(None), range, slice, type(...)})

Opener = Callable[[World, Any, str], None]


_openers: IdentityCache[type, Opener] = IdentityCache()


def _closed(world: World, value: Any, label: str) -> None:
    """For values through which nothing of the user's can change."""


def _is_plain(kind: type) -> bool:
    return kind in _PLAIN or _opener_of(kind) is _closed


def _opener_of(kind: type) -> Opener:
    """How a value of this type is looked into."""
    opener = _openers.by_id(id(kind))
    if opener is None:
        _openers.put(kind, opener := _new_opener(kind))
    return opener


def _new_opener(kind: Any) -> Opener:
    if issubclass(kind, Tensor | ModuleType | frozenset):
        return _closed
    for base, opener in _BY_BASE:
        if issubclass(kind, base):
            return opener
    if kind in PARTS:
        return World._parts
    if hasattr(kind, "__ag_watched__"):
        return World._watched
    if is_container_class(kind):
        return World._container
    if is_user_class(kind):
        return World._object
    if hasattr(kind, "__next__"):
        return _iterator_opener
    return _wrapper_opener if hasattr(kind, "__dict__") else _closed


def _iterator_opener(world: World, value: Any, label: str) -> None:
    if iterator_kind(value) is not None:
        world._iterator(value, label)


def _wrapper_opener(world: World, value: Any, label: str) -> None:
    if "__wrapped__" in getattr(value, "__dict__", ()):
        world._wrapper(value, label)


_BY_BASE: Final[tuple[tuple[type, Opener], ...]] = (
    (FunctionType, World._function),
    (tuple, World._tuple),
    (np.ndarray, World._array),
    (TracedArray, World._traced),
    (type, lambda world, value, label: world._class(value, label) if is_user_class(value) else None),
)
