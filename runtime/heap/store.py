"""The part of the Python world that staged code can reach: what can change in it, what did change, and the way back.

    world = World(if_body, else_body)        # finds the variables, lists, dicts, objects, ... that these can reach
    if_body()
    world.changes()                          # {Holder 'items': [1], Holder 'calls': {None: 1}}
    world.restore()                          # all as it was

One walk from functions and values, by the table of kinds. Reached are the variables that a function closes over, the
globals that its module has, the contents of containers, the attributes of objects, of classes and modules that are
named, and the functions, methods and classes of the user met on the way; through references, views and proxies as well;
and the state of objects of libraries (runtime.heap.library). What is out of reach: what only a caller's frame, a
library's own module or C code knows (see runtime.heap.opaque); what is printed; what lies behind the first
`MOST_OBJECTS` things, and in arrays of over `MOST_COMPARED` elements.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from enum import Enum
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

import numpy as np

from autograph.rules import is_user_code
from autograph.template import is_made
from runtime.heap.cluster import Cluster, Clusters, current_clusters
from runtime.heap.code import global_names, globals_by_text, is_own_module, is_user_module
from runtime.heap.fields import CLASS_OF
from runtime.heap.holder import Contents, Holder
from runtime.heap.kind import Kind
from runtime.heap.kinds import ATTRIBUTES, CLASS, SLOTS, object_kinds
from runtime.heap.leads import called_inside, state_behind
from runtime.heap.looks import is_plain, leads_nowhere, looks_of
from runtime.heap.opaque import OPAQUE
from runtime.heap.variables import CELL, GLOBAL, MODULE, NAMESPACE

__all__ = ["Contents", "Holder", "World"]

MOST_OBJECTS: Final = 10_000


class World:
    """See the module's docstring. functions: the code that will run; objects: what else it is given, by name.

    of: objects that are looked for; `keepers` is, by the id of each, what leads to it directly or in a tuple, once for
    each way; None for a variable. Lists and dicts that hold plain values have no holders then: they lead nowhere.
    known: by their ids, objects that are alive and need not be looked into.
    """

    def __init__(
        self,
        *functions: Any,
        objects: Mapping[str, Any] | None = None,
        of: Iterable[Any] = (),
        known: Iterable[int] = (),
    ) -> None:
        self.functions = functions
        self.keepers: dict[int, list[Any]] = {id(value): [] for value in of}
        self.holders: list[Holder] = []
        self.by_owner: dict[int, Holder] = {}
        """The holder of a container's or an object's contents, by its id."""
        self.scopes: list[FunctionType] = []
        """The functions given, in whose scope names such as `o.total` are to be read."""
        self.opaque: dict[int, tuple[Any, str]] = {}
        """What nobody can look into: by its id, such an object and how the user calls it."""
        self.met: set[int] = {id(sys.modules), *known}  # what is imported while code runs is no change of the program's
        """The ids of all that was met, also of tuples and of what cannot change."""
        self._single: list[Holder] = []
        self._clusters: list[tuple[Cluster, list[Holder]]] = []
        self._by_place: dict[Any, Holder] | None = None
        self._known_clusters = current_clusters()
        self._modules: set[tuple[int, tuple[str, ...]]] = set()
        self._namespaces: dict[int, tuple[dict[str, Any], set[str]]] = {}
        self._gives_classes = False
        self._opened: Any = None
        self._holds_tuple: dict[int, Any] = {}
        self._queue: list[tuple[Any, str]] = []  # kept until the walk is over, for `met` has addresses
        self._walk(objects or {})

    # -- what can be reached

    def _walk(self, objects: Mapping[str, Any]) -> None:
        for function in self.functions:
            self._start(function)
        for name, value in objects.items():
            self._visit(value, name)
        for value, name in self._queue:  # which grows
            if len(self.holders) >= MOST_OBJECTS:
                break
            if not (self.keepers and leads_nowhere(value)):
                self._opened = self._holds_tuple.get(id(value), value)
                self._open(value, name)
        if self._gives_classes:
            for holder in [known for known in self.holders if known.kind in (ATTRIBUTES, SLOTS)]:
                self._add(holder.owner, CLASS_OF, holder.label)
        for namespace, names in self._namespaces.values():
            self._add((namespace, frozenset(names)), NAMESPACE, "")
        self._queue.clear()
        self._holds_tuple.clear()
        self._opened = None

    def _start(self, function: Any) -> None:
        if isinstance(function, FunctionType):
            self.met.add(id(function))
            if _is_followed(function.__code__):
                self.scopes.append(function)
                self._function(function)
            else:  # of this project, around code of the user's
                for cell in function.__closure__ or ():
                    if id(cell.cell_contents) not in self.met and _runs(cell.cell_contents):
                        self._start(cell.cell_contents)
        elif hasattr(type(function), "__ag_watched__"):
            for part in function.__ag_watched__():
                self._start(part)
        else:
            self._visit(function, "")

    def _visit(self, value: Any, label: str) -> None:
        if self.keepers:
            if (keepers := self.keepers.get(id(value))) is not None:
                keepers.append(self._opened)
            elif type(value) is tuple:
                self._holds_tuple[id(value)] = self._opened
        kind = type(value)
        if id(value) not in self.met and (not is_plain(kind) or isinstance(value, ModuleType)):
            self.met.add(id(value))
            self._queue.append((value, label))

    def _open(self, value: Any, label: str) -> None:
        known = self._known_clusters
        cluster = None if known is None else known.of(value, label)
        if cluster is not None:
            self._take(cluster)
        elif isinstance(value, FunctionType):
            self._function(value, label)
        elif isinstance(value, ModuleType):
            self._module(value, label, tuple(vars(value)) if is_user_module(value) else ())
        else:
            self._look_into(value, label)

    def _look_into(self, value: Any, label: str) -> None:
        for look in looks_of(type(value)):
            for kind in look.kinds(value):
                contents = self._add(value, kind, label)
                self.by_owner.setdefault(id(value), self.holders[-1])
                if kind is OPAQUE:
                    self.opaque[id(value)] = value, label
                for part, name in kind.inside(label, contents):
                    self._visit(part, name)
            for part, name in look.leads(value, label):
                self._visit(part, name)

    def _take(self, cluster: Cluster) -> None:
        holders = cluster.besides(self.met)
        self.met |= cluster.inside
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
        if not _is_followed(code):
            for part in called_inside(function):
                self._visit(part, label)
            return
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            if id(cell) not in self.met:
                self.met.add(id(cell))
                self._variable(cell, CELL, name)
        for value in function.__defaults__ or ():
            self._visit(value, f"a default of {function.__name__}")
        self._visit(function.__kwdefaults__, f"{function.__name__}.__kwdefaults__")
        self._look_into(function, function.__name__)
        named, stored = global_names(code)
        self._gives_classes = self._gives_classes or "__class__" in named
        namespace = function.__globals__
        named = (*named, *globals_by_text(function))
        for name in named:
            if name in namespace:
                self._global(namespace[name], name, named)
        known = self._namespaces.setdefault(id(namespace), (namespace, set()))[1]
        exchanged = [name for name in named if isinstance(namespace.get(name), np.ndarray | tuple | dict | set)]
        for name in (*stored, *exchanged):  # for what stands for an array, dict or set while a function is traced
            if name not in known:
                known.add(name)
                self._variable((namespace, name), GLOBAL, name)

    def _variable(self, owner: Any, kind: Kind, name: str) -> None:
        for value in self._add(owner, kind, name).values():
            self._visit(value, name)

    def _global(self, value: Any, name: str, named: tuple[str, ...]) -> None:
        """A global's value. Of a module, what the code names may be used."""
        if not isinstance(value, ModuleType):
            self._visit(value, name)
            return
        if (state := state_behind(value, named)) is not None:
            self._visit(state, name)
        self._module(value, name, named)

    def _module(self, value: ModuleType, name: str, named: tuple[str, ...]) -> None:
        if is_own_module(value):
            return
        is_users = is_user_module(value)
        if (seen := (id(value), () if is_users else named)) not in self._modules:
            self._modules.add(seen)
            if is_users:
                for kind in object_kinds(value):
                    self._add(value, kind, name)
                    self.by_owner.setdefault(id(value), self.holders[-1])
            else:
                self._add((value, named), MODULE, name)
        held = vars(value)
        for attribute in named:
            if attribute in held and not isinstance(held[attribute], ModuleType):
                self._visit(held[attribute], f"{name}.{attribute}")

    # -- what has changed

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
        return Clusters(self.by_owner, is_plain)

    def classes(self) -> list[type]:
        """The user's classes among them."""
        return [holder.owner for holder in self.holders if holder.kind is CLASS]

    def restore(self, changed: Iterable[Holder] | None = None) -> None:
        """Puts back what changed (`changed`: where that is known), as far as it can be put back."""
        for holder in self.changes() if changed is None else changed:
            if holder.kind.write is not None:
                holder.write(holder.before)
            elif holder.kind.undo is not None:
                holder.kind.undo(holder.owner, holder.before)

    def again(self) -> World:
        """What the same code can reach now."""
        return World(*self.functions)

    def find(self, value: Any) -> Holder | None:
        """The holder of an object's contents; None of what was not there."""
        holder = self.by_owner.get(id(value))
        return holder if holder is not None and holder.owner is value else None

    def attributes_of(self, value: Any) -> Holder | None:
        """The holder of an object's attributes, which may have contents besides."""
        found = self.find(value)
        if found is None or found.kind.has_attributes:
            return found
        return next((h for h in self.holders if h.owner is value and h.kind.has_attributes), None)

    def knows(self, value: Any) -> bool:
        """Whether an object was there. Members of enumerations always are, also those that `READ | WRITE` makes."""
        return isinstance(value, Enum) or self.find(value) is not None

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


def _is_followed(code: CodeType) -> bool:
    """Whether it is the user's, or was converted: code of a library that is staged, too, decides what happens."""
    return is_user_code(code.co_filename) or is_made(code)


def _runs(value: Any) -> bool:
    """Whether it is code, or an object around code, as a Function."""
    return isinstance(value, FunctionType) or "__wrapped__" in getattr(value, "__dict__", ())
