"""Large containers that a trace finds unchanged: walked once in a trace, then compared as a whole.

    cluster = clusters.of(model.layers, "model.layers")     # the list, and the lists, dicts and objects inside of it
    cluster.holders                                         # a Holder for each of them
    cluster.unchanged()                                     # whether all are as they were before the trace

A statement that can reach a thousand objects would look at each of them, again and again, although it hardly changes
one. What was there before the trace, and is as it was, is compared in a few passes that run in C. What a cluster does
not know how to compare so, such as classes and functions, are its `exits`, which each walk opens by itself.
"""

from __future__ import annotations

import collections
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from itertools import chain
from types import FunctionType, ModuleType
from typing import Any, Final

from autograph.contexts import binding
from runtime.heap.holder import Holder
from runtime.heap.kinds import ATTRIBUTES, DICT, LIST, object_kinds

__all__ = ["Cluster", "Clusters", "current_clusters", "with_clusters"]

LEAST: Final = 8
"""Containers with fewer elements are opened one by one."""


class Cluster:
    """A container and the data inside of it. Built by `Clusters`."""

    def __init__(self, holders: list[Holder], exits: list[tuple[Any, str]], known: set[int]) -> None:
        self.holders = holders
        self.exits = exits
        """What it leads to besides: the values, and how the user calls them."""
        self.inside = known - {id(holders[0].owner)}
        """The ids of what it was built from, but for the container itself."""
        self.by_owner = {id(holder.owner): holder for holder in holders}
        self.members = frozenset(holders)
        lists = [holder for holder in holders if holder.kind is LIST]
        dicts = [holder for holder in holders if holder.kind is DICT]
        self._lists = [holder.owner for holder in lists]
        self._dicts = [holder.owner for holder in dicts]
        self._list_sizes = [len(holder.before) for holder in lists]
        self._dict_sizes = [len(holder.before) for holder in dicts]
        self._items = list(chain.from_iterable(holder.before for holder in lists))
        self._keys = list(chain.from_iterable(holder.before for holder in dicts))
        self._values = list(chain.from_iterable(holder.before.values() for holder in dicts))
        alike: dict[tuple[Any, ...], list[Holder]] = {}
        for holder in holders:
            if holder.kind is ATTRIBUTES:
                alike.setdefault(tuple(holder.before), []).append(holder)
        self._tables = [_Table(names, rows) for names, rows in alike.items()]

    def besides(self, known: set[int]) -> list[Holder]:
        """The holders of the container itself, and of what is not known otherwise, by its id."""
        if self.inside.isdisjoint(known):
            return self.holders
        return [h for h in self.holders if h is self.holders[0] or id(h.owner) not in known]

    def unchanged(self) -> bool:
        """Whether all holders have the contents that they had before the trace, as far as identity tells."""
        return (
            list(map(len, self._lists)) == self._list_sizes
            and list(map(len, self._dicts)) == self._dict_sizes
            and all(map(operator.is_, chain.from_iterable(self._lists), self._items))
            and all(map(operator.is_, chain.from_iterable(map(dict.values, self._dicts)), self._values))
            and all(map(operator.is_, chain.from_iterable(self._dicts), self._keys))
            and all(table.unchanged() for table in self._tables)
        )


class _Table:
    """Objects with attributes of the same names, in the same order: compared name by name, in half the time."""

    __slots__ = ("_classes", "_columns", "_names", "_objects", "_width")

    def __init__(self, names: tuple[Any, ...], rows: Sequence[Holder]) -> None:
        self._objects = [holder.owner for holder in rows]
        self._classes = list(map(type, self._objects))
        self._width = len(names)
        self._names = names * len(rows)
        self._columns = [(operator.itemgetter(name), [holder.before[name] for holder in rows]) for name in names]

    def unchanged(self) -> bool:
        if list(map(type, self._objects)) != self._classes:
            return False
        rows = list(map(_ATTRIBUTES_OF, self._objects))
        if set(map(len, rows)) != {self._width} or tuple(chain.from_iterable(rows)) != self._names:
            return False
        return all(all(map(operator.is_, map(read, rows), column)) for read, column in self._columns)


_ATTRIBUTES_OF: Final = operator.attrgetter("__dict__")  # as `vars`, which is slower


class Clusters:
    """The clusters of one trace. by_owner: the holders that were found before it. is_plain: for the type of a value,
    whether nothing can change through it."""

    def __init__(self, by_owner: Mapping[int, Holder], is_plain: Callable[[type], bool]) -> None:
        self._by_owner = by_owner
        self._is_plain = is_plain
        self._found: dict[tuple[int, str], Cluster | None] = {}

    def of(self, value: Any, label: str) -> Cluster | None:
        """The cluster of a list or dict; None if it is small, or something in it is not what it was."""
        if type(value) not in (list, dict) or len(value) < LEAST or self._holder(value) is None:
            return None
        key = (id(value), label)  # the holder found before the trace keeps the value alive
        if key not in self._found:
            self._found[key] = self._built(value, label)
        cluster = self._found[key]
        return cluster if cluster is not None and cluster.unchanged() else None

    def _holder(self, value: Any) -> Holder | None:
        """The holder of what can be part of a cluster."""
        holder = self._by_owner.get(id(value))
        if holder is None or holder.owner is not value:
            return None
        if type(value) in (list, dict):
            return holder if holder.kind in (LIST, DICT) else None
        is_object = holder.kind is ATTRIBUTES and not isinstance(value, FunctionType | ModuleType | type)
        return holder if is_object and object_kinds(value) == [ATTRIBUTES] else None

    def _built(self, value: Any, label: str) -> Cluster | None:
        holders: list[Holder] = []
        exits: list[tuple[Any, str]] = []
        seen = {id(value)}
        queue = collections.deque([(value, label)])
        while queue:
            value, label = queue.popleft()
            if type(value) is not tuple:
                before = self._holder(value)
                if before is None:
                    exits.append((value, label))
                    continue
                assert before.kind.is_as is not None
                if not before.kind.is_as(value, before.before):
                    return None
                holders.append(Holder(value, before.kind, label, before.before))
            for part, name in _parts(value, label):
                if not self._is_plain(type(part)) and id(part) not in seen:
                    seen.add(id(part))
                    queue.append((part, name))
        return Cluster(holders, exits, seen.difference(id(value) for value, _ in exits))


def _parts(value: Any, label: str) -> Iterator[tuple[Any, str]]:
    """What a value leads to, and how the user calls that."""
    if isinstance(value, dict):
        yield from DICT.inside(label, value)
    elif isinstance(value, list | tuple):
        yield from ((part, f"{label}[{i}]") for i, part in enumerate(value))
    else:
        yield from ((part, f"{label}.{name}") for name, part in vars(value).items())
        yield from ((base, base.__name__) for base in type(value).__mro__)


_CURRENT: Final[ContextVar[Clusters | None]] = ContextVar("runtime.clusters", default=None)


def current_clusters() -> Clusters | None:
    """Those of the trace that is being made."""
    return _CURRENT.get()


def with_clusters(clusters: Clusters) -> binding[Any]:
    """While a function is traced."""
    return binding(_CURRENT, clusters)
