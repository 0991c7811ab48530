"""What is known of variables at one place of a function, as sets of names (Python integers, see regions.py).

Example: after `y = 1` the bit of y is in `bound` and in `real`; after `y = ag__.Undefined('y')` in `bound` only.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from autograph.analysis.regions import Block, Part

__all__ = ["Flow", "join"]


@dataclass(frozen=True, slots=True)
class Flow:
    """What is known of the names of a function at one place.

    bound: surely holds something. real: surely holds a value. maybe: may hold something.
    """

    bound: int
    real: int
    maybe: int

    def but(self, *, bound: int = 0, real: int = 0, maybe: int = 0) -> Flow:
        """With more names."""
        return Flow(self.bound | bound, self.real | real, self.maybe | bound | maybe)

    def without(self, names: int) -> Flow:
        return Flow(self.bound & ~names, self.real & ~names, self.maybe & ~names)

    def cut(self, block: Block | Part) -> Flow:
        """Where control may come from any place in the block."""
        maybe = self.maybe | block.modified | block.reads
        return Flow(self.bound & ~block.unbound, self.real & ~block.lost, maybe)


def join(flows: Iterable[Flow | None]) -> Flow | None:
    """What holds where several ways meet; None: a way that control never takes."""
    result: Flow | None = None
    for flow in flows:
        if flow is not None and result is not None:
            result = Flow(result.bound & flow.bound, result.real & flow.real, result.maybe | flow.maybe)
        elif flow is not None:
            result = flow
    return result
