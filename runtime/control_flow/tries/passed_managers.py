"""What arrives in a handler of what a manager changes whose `__exit__` is not part of the graph.

    try:
        with counting:            # __enter__: self.n += 1; __exit__: self.n -= 1
            y = check(x)          # self.n is 1 where this raises, ...
    except ValueError:
        y = counting.n            # ... and 0 here

Such a manager does the same at both ends (managers.py), while tracing. So what it makes of the objects that it reaches
is known if they are, where something raises, what they are at the end of the body; else a handler may not look at them.
"""

from __future__ import annotations

from typing import Any

from runtime.control_flow.tries.regions import Region
from runtime.control_flow.tries.tried_places import Places
from runtime.heap.store import World

__all__ = ["Passed"]

_AS_BEFORE = object()


class Passed:
    """The body of a `with`, seen from the statements around, which note what it changes."""

    def __init__(self, region: Region) -> None:
        self._around = [_Around(around) for around in region.around() if isinstance(around.places, Places)]

    def body_ended(self) -> None:
        """The body has come to its end, or raises; the manager is about to be left."""
        for around in self._around:
            around.at_end = around.places.changed()

    def settle(self, world: World) -> None:
        """The manager, which reaches `world`, has been left: what was noted is what arrives, or not known."""
        for around in self._around:
            around.settle(world)


class _Around:
    """One statement around."""

    def __init__(self, region: Region) -> None:
        assert isinstance(region.places, Places)
        self.region = region
        self.places = region.places
        self.at_end: dict[str, Any] = {}
        self._noted, self._kept, self._risks = len(self.places.noted), len(region.memory.kept), len(region.risks)

    def settle(self, world: World) -> None:
        noted, now = self.places.noted[self._noted :], self.places.changed()
        names = dict.fromkeys(name for found in (*noted, now) for name in found)
        reached = [name for name in names if world.at(self.places.holder_of(name).place) is not None]
        settled = [name for name in reached if self._is_as_at_the_end(name, noted)]
        for name in settled:
            for found in noted:
                found.pop(name, None)
                if name in now:
                    found[name] = now[name]
        self.places.set_unkept(self._noted, settled, now.keys())
        self.region.memory.strip(settled, self._kept)
        self.region.memory.forget(name for name in reached if name not in settled)
        changed = frozenset(reached) - {name for name in settled if name not in now}
        self.region.note_risks(self._risks, frozenset(settled), changed)

    def _is_as_at_the_end(self, name: str, noted: list[dict[str, Any]]) -> bool:
        at_end = self.at_end.get(name, _AS_BEFORE)
        return all(found.get(name, _AS_BEFORE) is at_end for found in noted)
