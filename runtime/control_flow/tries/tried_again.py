"""A `try` that is traced again, because the length of a list depends on where an exception comes.

    errors = []
    try:
        y = check(x)
    except ValueError:
        errors.append(x)      # `errors` becomes a list that grows in the graph, and all is traced once more

Of several within each other the outermost one that can reach the list is traced again: what each of them did, it would
do once more whenever one around it is traced again.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from types import FrameType
from typing import Any

from runtime.control_flow.lists.promotion import Longer, take_in
from runtime.control_flow.objects.watched import watched_since
from runtime.control_flow.statement.enclosing import inside, tries_around
from runtime.control_flow.tries.regions import Region
from runtime.control_flow.tries.tried_places import BODY, refusal_in_try
from runtime.heap.store import World
from runtime.restarts import Restart

__all__ = ["Round"]


@dataclass(frozen=True, eq=False)
class Round:
    """One time that a `try` is traced. world: what its code can reach. mark: how many objects were watched before."""

    world: World
    mark: int

    def within(self, frame: FrameType) -> AbstractContextManager[None]:
        """While code of the statement is traced, which a frame calls."""
        return inside(self, frame, tried=True)

    def run(
        self,
        region: Region,
        code: Callable[[], Any],
        is_of_the_run: Callable[[BaseException], bool],
        otherwise: Callable[[BaseException], None],
    ) -> bool | None:
        """`Region.run`; where a list grows that a statement around can reach, all becomes what it was."""
        try:
            return region.run(code, is_of_the_run, otherwise)
        except Restart as found:
            if not isinstance(found.learnt, Longer):
                raise
            watched_since(self.mark)
            self.world.restore()
            region.state.put(region.initial)
            region.drop()
            raise

    def take_in(self, found: Restart) -> None:
        """All is what it was: makes the list one that grows. Raises Restart where another statement is traced again."""
        if not found.is_for(self, Longer) or (found.target is None and found.learnt.holder not in self.world.holders):
            raise found
        watched_since(self.mark)
        for outer, holder in tries_around(found.learnt.holder)[:1]:
            raise Restart(Longer({holder: None}), outer)
        take_in(found, self, partial(refusal_in_try, where=BODY))
