"""`Restart`: something has been learnt of what is being traced, so that it is traced again; and what does that.

    def attempt():                   # traces a statement; raises Restart(Longer(items)) where that shows
        ...

    def learn(found):                # takes back what the attempt did, and takes in `found.learnt`
        ...

    settled(attempt, learn)          # the result of the attempt that comes to its end

All statements, calls and traces begin again in this one way. What can be learnt is a class each, in the room that finds
it: a list gets longer, a loop changes one more place, an array is memory of the graph, a call is recursive.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from autograph.operators.signals import Signal

__all__ = ["Restart", "settled"]

T = TypeVar("T")

MOST: Final = 1000
"""How often something is traced; more than this means a defect."""


class Restart(Signal):
    """What is being traced is to be traced again. No `except` of the program is meant to see it.

    learnt: what has been found. target: the attempt that is to take it in, if that is not the innermost one that can.
    """

    def __init__(self, learnt: Any, target: Any = None) -> None:
        super().__init__(learnt)
        self.learnt = learnt
        self.target = target

    def is_for(self, target: Any, *kinds: type) -> bool:
        """Whether an attempt is to take it in, which takes in what is of these kinds."""
        return isinstance(self.learnt, kinds) and (self.target is None or self.target is target)


def settled(attempt: Callable[[], T], learn: Callable[[Restart], None]) -> T:
    """What the first attempt gives that comes to its end. `learn` raises what it is given where that is for others."""
    for _ in range(MOST):
        try:
            return attempt()
        except Restart as found:
            learnt = [found]
        learn(learnt.pop())  # not in the handler, which would become the context of what it raises
    raise RuntimeError("what is learnt of a part of the program does not settle")
