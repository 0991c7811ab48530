"""Which Variables an operation touches, whatever is nested in it: the order that passes must keep.

    touch = touches(graph)[id(operation)]
    touch.writes                      # the handles, tensors of the operation's own graph, whose value it may change

Operations on one handle are ordered against each other where one of them writes; operations on different handles are
not. What has an effect that is no Variable's (prints, checks, random numbers) stays in its place anyway.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from runtime.dtypes import resource
from runtime.graph.graph import Graph
from runtime.graph.nesting import nested_graphs
from runtime.graph.operation import Operation
from runtime.ops.flow.control import call_node, try_node, while_node
from runtime.ops.flow.state import READS, WRITES

__all__ = ["Touch", "resources_of", "touches"]


@dataclass(frozen=True, slots=True)
class Touch:
    """Ids of the handles that an operation reads and writes; `anything`: also those that it is not given."""

    reads: frozenset[int] = frozenset()
    writes: frozenset[int] = frozenset()
    anything: bool = False


NOTHING: Final = Touch()


def touches(graph: Graph) -> dict[int, Touch]:
    """What each operation of a graph and of the graphs inside of it touches, by the operation's id. Linear time.

    Operations that touch nothing are not listed.
    """
    found: dict[int, Touch] = {}
    summaries: dict[int, tuple[frozenset[int], frozenset[int], bool]] = {}
    for current in nested_graphs(graph):
        for operation in current.operations:
            touch = _touch(operation, summaries)
            if touch is not NOTHING:
                found[id(operation)] = touch
        mine = [found[id(o)] for o in current.operations if id(o) in found]
        positions = {id(t): i for i, t in enumerate(current.inputs) if t.dtype is resource}
        summaries[id(current)] = (
            frozenset(positions[key] for touch in mine for key in touch.reads),
            frozenset(positions[key] for touch in mine for key in touch.writes),
            any(touch.anything for touch in mine),
        )
    return found


def resources_of(operation: Operation) -> list[int]:
    """The ids of the handles that an operation is given."""
    return [id(t) for t in operation.inputs if t.dtype is resource]


def _touch(operation: Operation, summaries: dict[int, tuple[frozenset[int], frozenset[int], bool]]) -> Touch:
    given = frozenset(resources_of(operation))
    if operation.op in READS:
        return Touch(reads=given)
    if operation.op in WRITES:
        return Touch(writes=given)
    if operation.op is call_node:
        if operation.acts:
            return Touch(writes=given)
        return Touch(reads=given) if given else NOTHING
    if operation.op.facts.runs_code:
        return Touch(anything=True)
    if not operation.op.nests:
        return NOTHING
    first = 0 if operation.op in (while_node, try_node) else 1
    reads: set[int] = set()
    writes: set[int] = set()
    anything = False
    for inner in operation.subgraphs:
        read, written, more = summaries[id(inner)]
        reads.update(id(operation.inputs[first + i]) for i in read)
        writes.update(id(operation.inputs[first + i]) for i in written)
        anything = anything or more
    return Touch(frozenset(reads), frozenset(writes), anything) if reads or writes or anything else NOTHING
