"""Loops. Their state lives in slots, which LLVM turns into registers.

Now and then, every million turns about, a loop looks at signals. A steady one (runtime.native.steady) does so between
strips of its turns:

    while i < n:                    # asks
        stop = min(n, i + 2**20)
        do: ... while i < stop      # a strip: one test, and no other way out
        look at signals             # if this was enough work

One that goes on for as long as it goes on, and computes integers of Python's, makes several turns at once where these
are small, so that they cannot leave 64 bits meanwhile, and nothing asks whether they have:

    while True:
        if -2**40 < k < 2**40:  ask; turn; ask; turn; ask; turn; ask; turn
        else:                   ask; turn, with tests
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, Final

from runtime.dtypes import int64, variant
from runtime.engine.ranges import Range, loop_ranges, range_of, within
from runtime.graph.nesting import Task, operations_within
from runtime.graph.operation import Operation
from runtime.graph.overflow import is_checked
from runtime.native.build import Build
from runtime.native.lowerings.control import lent, loaded
from runtime.native.prelude import POLL_EVERY
from runtime.native.rules import lowers
from runtime.native.slots import Slot
from runtime.native.steady import DRIFTED, FAR, Steady, drifts, is_innermost, steady
from runtime.native.values import Memory, NativeValue, Number
from runtime.native.writer import FAIL, Writer
from runtime.ops.flow.control import while_node

__all__: list[str] = []

_NEAR = (-FAR, FAR)

TOGETHER: Final = 4
"""How many turns are made at once."""

MOST_REPEATED: Final = 24
"""Only bodies of so few operations are repeated for that."""

_SMALL: Final = (-(1 << 40), 1 << 40)


@lowers(while_node)
def _(build: Build, operation: Operation, operands: Sequence[Any]) -> Any:
    return _Loop(build, operation, operands).task()


class _Loop:
    """One loop while it is written."""

    def __init__(self, build: Build, operation: Operation, operands: Sequence[Any]) -> None:
        self.build, self.operation = build, operation
        self.operands = [dataclasses.replace(o) if isinstance(o, Number) else o for o in operands]
        self.body, self.limit = operation.attributes["body_graph"], operation.attributes["maximum_iterations"]
        self.count = len(self.body.outputs)
        self.slots = [Slot(build.w, build.module.types.of(t)) for t in self.body.inputs[: self.count]]
        self.kept: dict[int, Memory] = {}
        """By the number of the state arrays that are written to in place."""
        self.made: set[int] = set()
        """Of these, those that are so from this loop on."""
        self.turns = None if self.limit is None else build.w.slot("i64")
        innermost = is_innermost(operation)
        self.steady = steady(operation, self.operands) if self.limit is None else None
        self._limit_is_near()
        self.in_strips = self.steady if innermost else None
        self.drifting = drifts(operation) if innermost else {}

    def _limit_is_near(self) -> None:
        """Gives up where something would count for longer than there is time."""
        if self.steady is None:
            return
        least, most = range_of(self.steady.limit)
        if most > FAR:
            w = self.build.w
            w.fail_if(w.let(f"icmp sgt i64 {self.steady.limit.text}, {FAR}"))
            self.steady.limit.range = least, FAR

    def task(self) -> Task:
        build, w = self.build, self.build.w
        self._begin()
        inside, around = self._ranges()
        fixed = [lent(value) for value in self.operands[self.count :]]
        asks, turn, end = (w.label(hint) for hint in ("while", "do", "done"))
        w.jump(asks)
        w.block(asks)
        if near := self._growing(inside):
            yield self._several(near, inside, around, fixed, asks, end)
        (go_on,) = yield build.graph(
            self.operation.attributes["cond_graph"], [*self._states(around, False), *map(lent, fixed)]
        )
        text = go_on.text
        if self.turns is not None:
            left = w.let(f"icmp slt i64 {w.let(f'load i64, ptr {self.turns}')}, {max(self.limit, 0)}")
            text = w.let(f"and i1 {text}, {left}")
        strip = w.label("strip")
        w.branch(text, turn if self.in_strips is None else strip, end)
        ends = None if self.in_strips is None else self._strip(self.in_strips, strip, turn)
        w.block(turn)
        following = yield build.graph(self.body, [*self._states(inside, True), *map(lent, fixed)])
        for slot, value in zip(self.slots, following, strict=True):
            slot.store(w, value)
        if self.in_strips is None or ends is None:
            self._count("1")
            w.jump(asks)
        else:
            self._strip_ends(self.in_strips, *ends, turn, asks, end)
        w.block(end)
        found = loaded(w, self.slots, around, True)
        return tuple(_released(self.kept[i]) if i in self.made else self.kept.get(i, v) for i, v in enumerate(found))

    def _begin(self) -> None:
        """Puts the first state into its slots."""
        build, w = self.build, self.build.w
        for i, (slot, tensor, value) in enumerate(zip(self.slots, self.operation.inputs, self.operands, strict=False)):
            held = value if isinstance(value, Number) else build.take(tensor, self.operation)
            if isinstance(held, Memory) and held.fixed:
                self.kept[i] = held
            elif isinstance(held, Memory) and build.flows.through_loop(self.operation, i):
                self.made.add(i)
                self.kept[i] = held = _fixed(build, held)
            slot.store(w, held)
            if isinstance(held, Number) and i in self.drifting and not within(range_of(held), _NEAR):
                self._is_near(held.text)
        if self.turns is not None:
            w.do(f"store i64 0, ptr {self.turns}")

    def _ranges(self) -> tuple[list[Range | None], list[Range | None]]:
        """Between what the integers of the state lie in a turn, and before and after one."""
        inside, around = loop_ranges(self.operation, self.operands)
        for i, (least, most) in self.drifting.items():
            start = range_of(self.operands[i])
            found = (
                -DRIFTED if least < 0 else max(start[0], -DRIFTED), DRIFTED if most > 0 else min(start[1], DRIFTED)
            )
            inside[i] = _narrower(inside[i], found)
            around[i] = _narrower(around[i], found)
        return inside, around

    def _states(self, ranges: Sequence[Range | None], owned: bool) -> list[NativeValue]:
        """The state at the beginning of a turn."""
        return [self.kept.get(i, value) for i, value in enumerate(loaded(self.build.w, self.slots, ranges, owned))]

    # -- several turns at once ----------------------------------------------------------------------------------------

    def _growing(self, inside: Sequence[Range | None]) -> list[int]:
        """The numbers of the integers that are small as a rule, and are tested in each turn else; none where turns are
        not to be together."""
        graphs = (self.operation.attributes["cond_graph"], self.body)
        inner = [operation for graph in graphs for operation in operations_within(graph.operations)]
        tensors = [*graphs[0].inputs, *(t for operation in inner for t in operation.outputs)]
        if self.in_strips is not None or self.turns is not None or len(inner) > MOST_REPEATED:
            return []
        if not is_innermost(self.operation) or any(t.shape.rank != 0 or t.dtype is variant for t in tensors):
            return []
        if not any(is_checked(t) for t in tensors):
            return []
        states = enumerate(zip(self.body.inputs, self.body.outputs, strict=False))
        changing = [i for i, (t, after) in states if t.dtype is int64 and after is not t and i not in self.drifting]
        return [i for i in changing if inside[i] is None or not within(inside[i] or _SMALL, _SMALL)]

    def _several(self, near: Sequence[int], inside: Any, around: Any, fixed: Any, asks: str, end: str) -> Task:
        """Turns together, where these integers are small."""
        build, w = self.build, self.build.w
        together, one = w.label("together"), w.label("one")
        small = "true"
        for i in near:
            shifted = w.let(f"add i64 {_loaded(w, self.slots[i].names[0])}, {_SMALL[1]}")
            small = w.let(f"and i1 {small}, {w.let(f'icmp ule i64 {shifted}, {2 * _SMALL[1]}')}")
        w.branch(small, together, one)
        w.block(together)
        ranges = [_narrower(found, _SMALL) if i in near else found for i, found in enumerate(inside)]
        for _ in range(TOGETHER):
            cond = self.operation.attributes["cond_graph"]
            (go_on,) = yield build.graph(cond, [*self._states(ranges, False), *map(lent, fixed)])
            turn = w.label("turn")
            w.branch(go_on.text, turn, end)
            w.block(turn)
            following = yield build.graph(self.body, [*self._states(ranges, True), *map(lent, fixed)])
            for slot, value in zip(self.slots, following, strict=True):
                slot.store(w, value)
            ranges = [getattr(v, "range", None) or found for v, found in zip(following, inside, strict=True)]
        self._count(str(TOGETHER))
        w.jump(asks)
        w.block(one)

    # -- signals ------------------------------------------------------------------------------------------------------

    def _count(self, turns: str) -> None:
        """Counts turns; now and then signals are looked at."""
        build, w = self.build, self.build.w
        if self.turns is not None:
            w.do(f"store i64 {w.let(f'add i64 {_loaded(w, self.turns)}, 1')}, ptr {self.turns}")
        look, onward = w.label("look"), w.label("onward")
        rare = w.let(f"icmp sle i64 {build.spend(turns)}, 0")
        w.do(f"br i1 {rare}, label %{look}, label %{onward}, !prof !0")
        w.block(look)
        for i in self.drifting:
            self._is_near(_loaded(w, self.slots[i].names[0]))
        w.do(f"store i64 {POLL_EVERY}, ptr {build.left()}")
        w.branch(w.let("call i1 @poll(ptr %context)"), FAIL, onward)
        w.block(onward)

    def _is_near(self, text: str) -> None:
        w = self.build.w
        w.fail_if(w.let(f"icmp ugt i64 {w.let(f'add i64 {text}, {FAR}')}, {2 * FAR}"))

    # -- strips -------------------------------------------------------------------------------------------------------

    def _strip(self, strip: Steady, label: str, turn: str) -> tuple[str, str]:
        """Before a strip: where it begins and where it stops."""
        w = self.build.w
        w.block(label)
        first, limit, stop = _loaded(w, self.slots[strip.state].names[0]), strip.limit.text, strip.limit.text
        if not self._is_one_strip(strip):
            reach = w.let(f"shl i64 {strip.step.text}, {strip.reach}")
            near = w.let(f"icmp ule i64 {w.let(f'sub i64 {limit}, {first}')}, {reach}")
            stop = w.let(f"select i1 {near}, i64 {limit}, i64 {w.let(f'add i64 {first}, {reach}')}")
        w.jump(turn)
        return first, stop

    def _is_one_strip(self, strip: Steady) -> bool:
        """Whether it is known that all turns are in the first one."""
        least, most = range_of(self.operands[strip.state])[0], range_of(strip.limit)[1]
        return most - least <= range_of(strip.step)[0] << strip.reach

    def _strip_ends(self, strip: Steady, first: str, stop: str, turn: str, asks: str, end: str) -> None:
        w, done = self.build.w, self.build.w.label("stripped")
        last = _loaded(w, self.slots[strip.state].names[0])
        test = "ne" if strip.step.constant == 1 else "slt"
        w.branch(w.let(f"icmp {test} i64 {last}, {stop}"), turn, done)
        w.block(done)
        turns = w.let(f"sub i64 {last}, {first}")
        if strip.step.constant != 1:
            self.build.module.declare("llvm.ctlz.i64", "declare i64 @llvm.ctlz.i64(i64, i1)")
            zeros = w.let(f"call i64 @llvm.ctlz.i64(i64 {strip.step.text}, i1 true)")
            turns = w.let(f"lshr i64 {turns}, {w.let(f'sub i64 63, {zeros}')}")
        self._count(turns)
        w.jump(end if self._is_one_strip(strip) else asks)


def _loaded(w: Writer, name: str) -> str:
    return w.let(f"load i64, ptr {name}")


def _narrower(one: Range | None, other: Range) -> Range:
    return other if one is None else (max(one[0], other[0]), min(one[1], other[1]))


def _fixed(build: Build, held: Memory) -> Memory:
    """An array that a loop writes to in place, from before the loop on."""
    mine = build.unique(held)
    return Memory(mine.data, mine.header, mine.dims, mine.dtype, fixed=True)


def _released(value: Memory) -> Memory:
    """The same array behind the loop, where it is one like others."""
    return Memory(value.data, value.header, value.dims, value.dtype, owned=True)
