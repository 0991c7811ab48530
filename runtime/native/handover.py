"""The switch to machine code in the middle of a loop: a plan over numpy that runs for long hands the rest over.

    loops = Loops(graph)
    plan = compile_plan(graph, loops.begin_of)          # `loops.taken` counts the loops that were handed over

A loop is asked about every millisecond or so. When it has run for as long as a plan may (`runtime.native.adaptive`),
machine code for it is made in the background, which begins with any state that a turn may begin with.
"""

from __future__ import annotations

import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, repeat
from operator import index
from typing import Any, Final

import numpy as np

from runtime.config import overflow_checks
from runtime.engine.handing_over import Begin
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.native import lowerings  # noqa: F401 - which fills the table of rules
from runtime.native.parts import Parts, part
from runtime.native.region import Region
from runtime.native.rules import Refused

__all__ = ["HOT", "Loops", "in_background"]

HOT: Final = 0.05
"""The seconds that a plan may take in all, or a loop in one run of it, before machine code is worth its while."""

_LOOK: Final = 0.001
"""The seconds between two looks at the clock in a loop."""

_GROWTH: Final = 16
"""How many times as many turns as before there may be until the next look."""

_SHORTEST: Final = 1e-9
"""What a clock tells apart."""


def in_background(work: Callable[[], None]) -> None:
    """Runs a function in a thread of its own."""
    threading.Thread(target=work, name="compiling a plan").start()


class Loops:
    """The loops of one plan."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.checks = overflow_checks()
        self.closed = False
        """Whether they run to their ends from now on."""
        self.taken = 0
        """How often machine code has taken one over."""

    def begin_of(self, operation: Operation) -> Begin:
        """What the plan calls before it runs this loop."""
        loop = _Loop(self, operation)
        return partial(_Turns, loop)


class _Loop:
    """One loop, and machine code for the rest of it as soon as that is there."""

    def __init__(self, plan: Loops, operation: Operation) -> None:
        self.plan, self._operation = plan, operation
        self.region: Region | None = None
        self._refused = self._asked = False
        self._lock = threading.Lock()

    @property
    def stays(self) -> bool:
        """Whether nothing will ever take it over."""
        return self._refused or self.plan.closed

    def ask(self) -> None:
        """Has the machine code made, once."""
        with self._lock:
            if self._asked:
                return
            self._asked = True
        if self.plan.checks != overflow_checks():  # the machine code would not compute the same
            self._refused = True
            return
        in_background(self._compile)

    def _compile(self) -> None:
        try:
            graph = _rest_of(self._operation, self.plan.graph)
            reason = Parts(graph).reason(graph.operations[-1])
            if reason is not None:
                raise reason
            region = Region(graph)
            region.prepare()
        except Exception as error:  # the loop goes on as it is
            self._refused = True
            if not isinstance(error, Refused):
                warnings.warn(f"no machine code could be made of {self.plan.graph.name!r}: {error}", stacklevel=1)
            return
        self.region = region


def _rest_of(operation: Operation, root: Graph) -> Graph:
    """A graph of the loop alone, whose inputs are any state that a turn may begin with, and what the loop reads."""
    body = operation.attributes["body_graph"]
    made = Graph(operation.name)
    begun = [made.placeholder(t.dtype, t.shape, t.op.name, t.weak) for t in body.inputs[: len(operation.outputs)]]
    read = operation.inputs[len(begun) :]
    open_ = Operation(made, operation.op, operation.name, (*begun, *read), operation.attributes, operation.location)
    open_.outputs = operation.outputs
    return part([open_], [*begun, *read], operation.outputs, root)


class _Turns:
    """`runtime.engine.handing_over.Turns`."""

    __slots__ = ("_loop", "left")

    def __init__(self, loop: _Loop) -> None:
        self._loop, self.left = loop, False

    def count(self, start: int, stop: int, step: int) -> Iterable[int]:
        if self._loop.stays:
            return range(start, stop, step)
        return chain.from_iterable(self._parts(index(start), index(stop), step))

    def turns(self) -> Iterable[Any]:
        return repeat(None) if self._loop.stays else chain.from_iterable(self._parts(0, sys.maxsize, 1))

    def _parts(self, start: int, stop: int, step: int) -> Iterator[range]:
        """One piece of a range after the other, each of which takes about as long as is between two looks."""
        loop, turns = self._loop, 1
        began = before = time.perf_counter()
        while not loop.stays:
            part = range(start, stop, step)[:turns]
            yield part
            start += turns * step
            if len(part) < turns or start == stop:
                return
            now = time.perf_counter()
            if now - began > HOT:
                loop.ask()
            if loop.region is not None:
                self.left = True
                return
            turns = max(1, min(_GROWTH * turns, int(turns * _LOOK / (now - before + _SHORTEST))))
            before = now
        yield range(start, stop, step)

    def rest(self, *values: Any) -> tuple[Any, ...]:
        region = self._loop.region
        assert region is not None
        self._loop.plan.taken += 1
        found = region.function(*values) or region.again(*values)
        others = [v for v in values[len(found) :] if isinstance(v, np.ndarray)]
        return tuple([_own(v, others) if isinstance(v, np.ndarray) else v for v in found])


def _own(array: np.ndarray[Any, Any], others: list[np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
    """The array, or a copy where it shares memory with others, to which it is added."""
    array = array.copy() if any(np.may_share_memory(array, other) for other in others) else array
    others.append(array)
    return array
