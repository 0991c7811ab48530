"""What each statement of control flow carries, and which names may be unassigned where they are read.

Forwards over the parts of a unit, after liveness. Example, for `if a: y = 1` with y read later and not bound before:
    facts.states[node].outputs == ("y",)    # get_state/set_state carry it, the bodies declare it nonlocal
    facts.inits[node] == ["y"]              # `y = ag__.Undefined('y')` comes before the statement
    facts.checked                           # the later reads of y, which become `ag__.ld(y)`

How it goes:
- A name that a statement modifies is carried if it is live before or after, captured by a nested function, or shared
  with the outside. Any other name that it modifies is a local variable of the generated body function.
- Names that a body function needs and that are not bound when it is made get a placeholder: just before the statement
  if the name is certainly unbound there, else at the start of the generated function (a `try` may have bound it).
- A read is checked if a placeholder may be there. Other reads stay as they are: Python raises by itself.
- Loops are functions of their own, so a generated function has no loop in it and one walk is enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import gast

from autograph.analysis.flow import Flow, join
from autograph.analysis.liveness import find_live, summarize
from autograph.analysis.regions import Block, Composite, Part, PartKind, Unit, Use, names_of

__all__ = ["Facts", "State", "find_state"]


@dataclass(frozen=True, slots=True)
class State:
    """What one statement carries. `outputs` and `inputs`: texts, sorted; `nonlocals`: names that its bodies declare.

    containers: names of which it only writes elements, so that they are state only where that replaces their value.
    """

    outputs: tuple[str, ...]
    inputs: tuple[str, ...]
    nonlocals: tuple[str, ...]
    composites: dict[str, Composite]
    containers: frozenset[str] = frozenset()


@dataclass(slots=True)
class Facts:
    """The results for all units of a tree, by node.

    states: if, while, for and most try statements. inits: statement -> placeholders before it. starts: (statement or
    handler, field of the body) -> placeholders at the start of that generated function. checked: reads that go through
    `ag__.ld`; free: those of them from an inner function. outer_deletes: where a function unbinds a variable of an
    outer one. renamed: handlers whose name is used elsewhere too, and so is assigned by hand. stored: (part of a)
    statement -> names that operands of it assign to which move into lambdas.
    """

    states: dict[Any, State] = field(default_factory=dict)
    inits: dict[Any, list[str]] = field(default_factory=dict)
    starts: dict[tuple[Any, str], list[str]] = field(default_factory=dict)
    checked: set[Any] = field(default_factory=set)
    free: set[Any] = field(default_factory=set)
    outer_deletes: set[Any] = field(default_factory=set)
    renamed: set[Any] = field(default_factory=set)
    stored: dict[Any, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Place:
    """The generated function that statements stand in, and the names that it declares nonlocal."""

    key: tuple[Any, str]
    nonlocals: int


def find_state(units: Iterable[Unit]) -> Facts:
    """The facts of all units. Units come outermost first."""
    facts = Facts()
    for unit in units:
        _StateFinder(unit, facts).run()
    return facts


class _StateFinder:
    def __init__(self, unit: Unit, facts: Facts) -> None:
        self.unit = unit
        self.facts = facts
        self.shared = unit.shared
        self.always = unit.captured | self.shared
        # Names that Python must not unbind at the end of a handler, because others use them too.
        self.unshareable = unit.assigned | unit.captured | unit.set_of(unit.scope.parameters)
        self.placeholders = unit.deleted
        self.doubtful: list[tuple[Any, int]] = []
        self.starts: dict[tuple[Any, str], int] = {}
        self.swallowed: dict[Any, int] = {}
        self.unbinding: list[tuple[Any, int]] = []  # handlers that leave their name to Python, and the name

    def run(self) -> None:
        unit, body = self.unit, self.unit.body
        end = self.always
        if unit.has_with:
            summarize(body, True)
            find_live(body, end, 0, True)
            self._note_swallowed(body)
        summarize(body, False)
        find_live(body, end, 0, False)
        first = unit.set_of(unit.scope.parameters) | self.shared
        # Names whose bindings were all unreachable, or that are only annotated, are locals all the same.
        lost = (body.reads | unit.captured | unit.rebound) & ~(body.modified | first)
        place = _Place((unit.node, "body"), 0)
        self._start(place, lost)
        self.block(body, Flow(first | lost, first, first | lost | unit.rebound), place)
        for key, names in self.starts.items():
            self.facts.starts[key] = names_of(unit, names)
        # Where it is read after all, a generated function may read it, and Python's own error would be another one.
        read = 0
        for _, bit in self.doubtful:
            read |= bit
        for handler, bit in self.unbinding:
            if bit & read:
                self.facts.renamed.add(handler)
                self.placeholders |= bit
        for node, bit in [*self.doubtful, *unit.late_loads]:
            if bit & self.placeholders:
                self.facts.checked.add(node)
        self.facts.outer_deletes |= unit.outer_deletes
        self.facts.free |= unit.free_loads & self.facts.checked

    def _note_swallowed(self, block: Block) -> None:
        """Keep what is live when a `with` may swallow exceptions, before liveness is found without that."""
        for part in block.parts:
            if part.kind in (PartKind.BRANCH, PartKind.LOOP, PartKind.GUARD, PartKind.MANAGED):
                self.swallowed[part.node] = part.live_in | part.live_out
            for inner in part.blocks:
                self._note_swallowed(inner)

    # -- blocks and parts

    def block(self, block: Block, flow: Flow, place: _Place) -> Flow | None:
        """What holds at the end of a block; None if control never gets there."""
        going: Flow | None = flow
        for part in block.parts:
            if going is None:
                break
            going = _FLOWS[part.kind](self, part, going, place)
        return going

    def _use(self, part: Part, flow: Flow, place: _Place) -> Flow:
        """Run the head of a statement."""
        use = part.head
        self._note_loads(use.loads, flow)
        # A name that nothing binds here may be bound in no generated function around, and so be taken for a global.
        missing = use.reads & ~(flow.maybe | self.shared)
        self._start(place, missing)
        flow = flow.but(bound=missing)
        flow = self._require(part, (use.thunked | use.stored) & ~flow.bound, flow, place)
        self._store(part, use)
        return flow.but(bound=use.writes, real=use.writes, maybe=use.maybes)

    def _store(self, part: Part, use: Use) -> None:
        if use.stored:
            self.facts.stored[part.node] = tuple(names_of(self.unit, use.stored))

    def _note_loads(self, loads: list[tuple[Any, int]], flow: Flow) -> None:
        real = flow.real & ~self.unit.deleted
        self.doubtful += [load for load in loads if not load[1] & real]

    def _require(self, part: Part, names: int, flow: Flow, place: _Place) -> Flow:
        """Give placeholders to names that are about to be used in a function made here."""
        names &= ~self.shared
        if not names:
            return flow
        at_start = names & flow.maybe if isinstance(part.node, gast.stmt) else names
        self._start(place, at_start)
        self.placeholders |= names
        if before := names_of(self.unit, names & ~at_start):
            # The test of a statement may have asked for some of its own.
            self.facts.inits[part.node] = sorted({*self.facts.inits.get(part.node, ()), *before})
        return flow.but(bound=names)

    def _start(self, place: _Place, names: int) -> None:
        assert not names & place.nonlocals, "what a body declares nonlocal is bound before it"
        if names:
            self.placeholders |= names
            self.starts[place.key] = self.starts.get(place.key, 0) | names

    def step(self, part: Part, flow: Flow, place: _Place) -> Flow:
        flow = self._use(part, flow, place)
        gone = part.head.deletes & ~self.shared
        if not gone:
            if isinstance(part.node, gast.ExceptHandler) and part.head.writes & place.nonlocals:
                self.facts.renamed.add(part.node)  # also where its end is never reached
                self.placeholders |= part.head.writes
            return flow
        if isinstance(part.node, gast.ExceptHandler):
            if not gone & (place.nonlocals | self.unshareable):
                self.unbinding.append((part.node, gone))
                return flow.without(gone)
            self.facts.renamed.add(part.node)
        self.placeholders |= gone
        return Flow(flow.bound | gone, flow.real & ~gone, flow.maybe | gone)

    def raise_(self, part: Part, flow: Flow, place: _Place) -> None:
        self._use(part, flow, place)

    # -- what becomes functions

    def _carry(self, part: Part, flow: Flow, place: _Place, between: int = 0) -> tuple[Flow, int]:
        """Decide the state of a statement; returns the flow with its placeholders, and the names carried.

        between: names that one of its functions hands to another.
        """
        live = part.live_in | part.live_out | between
        elsewhere = part.kind in (PartKind.GUARD, PartKind.MANAGED)  # exceptions come in functions that it calls, too
        changed = part.inside | (self.unit.rebound if elsewhere else 0)
        state = changed & (live | self.always)
        carried = state | (part.inside & self.swallowed.get(part.node, 0))
        inside = part.reads & (part.live_in | between)
        if part.test is not None:
            inside |= part.test.reads
        flow = self._require(part, (carried | inside) & ~flow.bound, flow, place)
        composites = {
            text: composite
            for text, composite in part.composites.items()
            if not composite.support & part.assigned and not composite.support & ~flow.real
        }
        outputs = names_of(self.unit, state & (part.live_out | self.always))
        self.facts.states[part.node] = State(
            outputs=tuple(sorted([*outputs, *composites])),
            inputs=tuple(names_of(self.unit, state & ~(part.live_out | self.always))),
            nonlocals=tuple(names_of(self.unit, carried)),
            composites=composites,
            containers=frozenset(names_of(self.unit, state & part.inside & ~part.assigned)),
        )
        return flow, carried

    def branch(self, part: Part, flow: Flow, place: _Place) -> Flow | None:
        flow, carried = self._carry(part, self._use(part, flow, place), place)
        entry = flow.without(part.inside & ~carried)
        body, orelse = part.blocks
        sides = (body, "body"), (orelse, "orelse")
        ends = join([self.block(side, entry, _Place((part.node, field), carried)) for side, field in sides])
        real = None if ends is None else (flow.real & ~carried) | (ends.real & carried)
        return None if real is None else Flow(flow.bound | carried, real, flow.maybe | carried)

    def loop(self, part: Part, flow: Flow, place: _Place) -> Flow:
        flow, carried = self._carry(part, self._use(part, flow, place), place)
        test, (body,) = part.test, part.blocks
        assert test is not None
        local = part.inside & ~carried
        sure = flow.real & ~(local | body.lost)
        entry = Flow(flow.bound & ~local, sure, flow.maybe & ~local)
        self._note_loads(test.loads, entry)
        self._store(part, test)
        self.placeholders |= test.stored & local
        inside = entry.but(bound=test.writes, real=test.writes & carried)
        self.block(body, inside, _Place((part.node, "body"), carried))
        real = (flow.real & ~(carried & body.lost)) | (test.writes & carried)
        return Flow(flow.bound | carried, real, flow.maybe | carried)

    def guard(self, part: Part, flow: Flow, place: _Place) -> Flow | None:
        body, *handlers, orelse, final = part.blocks
        between = 0
        for block in part.blocks[1:]:
            between |= block.live_in
        flow, carried = self._carry(part, flow, place, between)
        entry = flow.without(part.inside & ~carried)
        tried = self.block(body, entry, _Place((part.node, "body"), carried))
        caught = Flow(entry.bound, entry.real & ~body.lost, entry.maybe)
        ends = [
            self.block(block, caught, _Place((handler, "body"), carried))
            for handler, block in zip(part.node.handlers, handlers, strict=True)
        ]
        if tried is not None:
            going_on = Flow(entry.bound, (entry.real & ~carried) | (tried.real & carried), entry.maybe)
            ends.append(self.block(orelse, going_on, _Place((part.node, "orelse"), carried)))
        left = Flow(entry.bound, entry.real & ~part.lost, entry.maybe)
        cleaned = self.block(final, left, _Place((part.node, "finalbody"), carried))
        end = join(ends)
        if end is None or cleaned is None:
            return None
        real = (end.real & ~final.lost) | cleaned.real
        return Flow(flow.bound | carried, (flow.real & ~carried) | (real & carried), flow.maybe | carried)

    def managed(self, part: Part, flow: Flow, place: _Place) -> Flow:
        flow, carried = self._carry(part, self._use(part, flow, place), place)
        (body,) = part.blocks
        entry = flow.without(part.inside & ~carried)
        end = self.block(body, entry, _Place((part.node, "body"), carried))
        real = entry.real & ~body.lost & (carried if end is None else end.real)
        return Flow(flow.bound | carried, (flow.real & ~carried) | (real & carried), flow.maybe | carried)

    # -- what stays a Python statement

    def with_(self, part: Part, flow: Flow, place: _Place) -> Flow | None:
        flow = self._use(part, flow, place)
        end = self.block(part.blocks[0], flow, place)
        return end if part.kind is PartKind.PASSING else join([flow.cut(part.blocks[0]), end])

    def try_(self, part: Part, flow: Flow, place: _Place) -> Flow | None:
        body, *handlers, orelse, final = part.blocks
        tried = self.block(body, flow, place)
        caught = flow.cut(body)
        ends = [self.block(handler, caught, place) for handler in handlers]
        ends.append(None if tried is None else self.block(orelse, tried, place))
        cleaned = self.block(final, flow.cut(part), place)
        end = join(ends)
        if end is None or cleaned is None:
            return None
        return Flow(
            bound=(end.bound & ~final.unbound) | cleaned.bound,
            real=(end.real & ~final.lost) | cleaned.real,
            maybe=end.maybe | cleaned.maybe,
        )


_FLOWS: dict[PartKind, Callable[[_StateFinder, Part, Flow, _Place], Flow | None]] = {
    PartKind.STEP: _StateFinder.step,
    PartKind.RAISE: _StateFinder.raise_,
    PartKind.BRANCH: _StateFinder.branch,
    PartKind.LOOP: _StateFinder.loop,
    PartKind.TRY: _StateFinder.try_,
    PartKind.GUARD: _StateFinder.guard,
    PartKind.WITH: _StateFinder.with_,
    PartKind.PASSING: _StateFinder.with_,
    PartKind.MANAGED: _StateFinder.managed,
}
