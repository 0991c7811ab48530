"""Loops over what only says whether there is another item, and gives it: iterators over datasets, and zips with them.

    pull_each(iterator.has_next, iterator.get_next, consumer)    # while iterator.has_next(): body(iterator.get_next())

An object takes part through methods: `__ag_iter__()` begins a pass and gives an iterator, which has `has_next()` and
`get_next()`. Nothing is asked for that the loop does not want: after `break` there is no look at the next item.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.errors import StagingError
from autograph.operators.consumer import Consumer
from autograph.operators.variables import set_variables, variables_in
from runtime.control_flow.loops.iteration import Items, hand_over
from runtime.control_flow.loops.staging import and_then, stage_steps
from runtime.ops.records.record import REGISTRY

__all__ = ["pull_each", "pull_together"]

Ask = Callable[[], Any]


def pull_each(more: Ask, take: Ask, consumer: Consumer, cell: list[Any] | None = None) -> None:
    """Hands over items as long as there are more and more are wanted. cell: a value that `take` changes."""
    set_variables(variables_in(consumer.get_state), consumer.get_state, consumer.set_state)

    def test() -> Any:
        return and_then(consumer.wants_more(), more)

    stage_steps(test, lambda: hand_over(consumer, take()), consumer, cell)


def pull_together(sources: Sequence[Any], consumer: Consumer) -> None:
    """Items of several sources side by side: Items, or iterators (see the module's docstring).

    As Python's zip, it asks one after the other; where one has no more, those before it have given an item in vain.
    """
    pulled = [source for source in sources if not isinstance(source, Items)]
    if len(set(map(id, pulled))) < len(pulled):
        raise StagingError("zip over one iterator in several places is not staged; use dataset.batch for pairs")
    position: list[Any] = [0]

    def more() -> Any:
        return _all_have(sources, 0, position[0])

    def take() -> Any:
        here = position[0]
        position[0] = REGISTRY["add"](here, 1)
        return tuple(source.item(here) if isinstance(source, Items) else source.get_next() for source in sources)

    pull_each(more, take, consumer, position)


def _all_have(sources: Sequence[Any], number: int, position: Any) -> Any:
    """Whether the sources from a number on have another item."""
    if number == len(sources):
        return True
    source = sources[number]
    if isinstance(source, Items):
        has = True if source.length is None else REGISTRY["less"](position, source.length)
    else:
        has = source.has_next()

    def in_vain() -> bool:
        for before in sources[:number]:
            if not isinstance(before, Items):
                before.get_next()
        return False

    return and_then(has, lambda: _all_have(sources, number + 1, position), in_vain)
