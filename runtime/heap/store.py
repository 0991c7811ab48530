"""The part of the Python world that staged code can reach: what can change in it, what did change, and the way back.

    world = World(if_body, else_body)        # finds the variables, lists, dicts, objects, ... that these can reach
    if_body()
    world.changes()                          # {Holder 'items': [1], Holder 'calls': {None: 1}}
    world.restore()                          # all as it was
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from runtime.heap.cluster import Clusters
from runtime.heap.holder import Contents, Holder
from runtime.heap.kinds import CLASS
from runtime.heap.looks import is_plain
from runtime.heap.reach import Reach

__all__ = ["Contents", "Holder", "World"]


class World:
    """See the module's docstring. functions: the code that will run; objects: what else it is given, by name.

    of: objects whose `keepers` are wanted: what leads to each directly, by its id.
    known: by their ids, objects that are alive and need not be looked into.
    """

    def __init__(
        self,
        *functions: Any,
        objects: Mapping[str, Any] | None = None,
        of: Iterable[Any] = (),
        known: Iterable[int] = (),
    ) -> None:
        found = Reach(*functions, objects=objects, of=of, known=known)
        self.keepers = found.keepers
        self.met = found.met
        """The ids of all that was met, also of tuples and of what cannot change."""
        self.functions = functions
        self.holders = found.holders
        self._single = found.single
        self._clusters = found.clusters
        self.by_owner = found.by_owner
        """The holder of a container's or an object's contents, by its id."""
        self.scopes = found.scopes
        """The functions given, in whose scope names such as `o.total` are to be read."""
        self.opaque = found.opaque
        """What nobody can look into: by its id, such an object and how the user calls it."""
        self._by_place: dict[Any, Holder] | None = None

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
