"""What is known of a bool tensor at this place of a trace: inside the branches of `if p`, p itself is known.

    if best is not None:          # the then branch assumes `not (not present)`
        use(best)                 # needs no check that best is present: is_known(present, True)

A branch's graph carries the assumption (`Recording.assumption`); it is taken apart through `not`, `and`, `or`, and
holds in everything nested in the branch.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from runtime.context import current_recorder, outwards
from runtime.control_flow.statement.trace_memory import PerTrace
from runtime.tensor.eager import EagerTensor
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["assumed", "is_known", "known_value", "origin_of"]


def is_known(flag: Any, wanted: bool) -> bool:
    """Whether `flag`, a bool tensor or Python bool, is surely `wanted` where code is being traced now."""
    if isinstance(flag, bool):
        return flag is wanted
    return known_value(flag, current_recorder()) is wanted


def assumed(graph: Any) -> Iterator[tuple[SymbolicTensor, bool | int]]:
    """What the branches that a graph is nested in assume."""
    for around in outwards(graph):
        if (known := around.recording.assumption) is not None:
            yield known.condition, known.holds


def known_value(flag: Any, graph: Any) -> bool | None:
    """What a bool tensor surely is in a graph that is nested in branches, or None if that depends on the run."""
    if isinstance(flag, EagerTensor):
        return bool(flag)
    tensor, sign = _positive(flag, True)
    for around in outwards(graph):
        known = around.recording.assumption
        if known is not None and isinstance(known.holds, bool):  # else it is the number of a branch
            facts = _FACTS.of(around)
            if known.facts is None:
                known.facts = facts.that_follow(known.condition, known.holds)
            for value in (True, False):
                if known.facts & facts.bit((tensor, value)):
                    return value is sign
    return None


Fact = tuple[SymbolicTensor, bool]
"""A tensor of no capture and no `not`, and what it is."""


class _Facts:
    """What follows from what, in one trace: each fact is a bit of an integer, each set of facts an integer.

    A long chain of statements makes as many conditions, each with what follows from the one before: together they are
    gone through once.
    """

    def __init__(self) -> None:
        self._bits: dict[tuple[int, bool], int] = {}
        self._following: dict[tuple[int, bool], int] = {}
        self._kept: list[SymbolicTensor] = []  # for `_bits` has addresses

    def bit(self, fact: Fact) -> int:
        """0 for what no condition says anything of."""
        return self._bits.get((id(fact[0]), fact[1]), 0)

    def that_follow(self, condition: SymbolicTensor, value: bool) -> int:
        """What follows from `condition` being `value`, which is among it."""
        first = _positive(condition, value)
        pending = [first]
        while pending:
            tensor, holds = fact = pending[-1]
            parts = _parts(tensor, holds)
            key = id(tensor), holds
            if key not in self._bits:
                self._bits[key] = 1 << len(self._bits)
                self._kept.append(tensor)
            waiting = [part for part in parts if (id(part[0]), part[1]) not in self._following]
            if waiting:
                pending += waiting
                continue
            following = self.bit(fact)
            for part, is_true in parts:
                following |= self._following[id(part), is_true]
            self._following[key] = following
            pending.pop()
        return self._following[id(first[0]), first[1]]


_FACTS: Final[PerTrace[_Facts]] = PerTrace(_Facts)


def origin_of(tensor: SymbolicTensor) -> SymbolicTensor:
    """The tensor of an enclosing graph that a capture stands for."""
    while tensor.op.type == "placeholder":
        outer = next((outer for outer, inner in tensor.op.graph.recording.captures if inner is tensor), None)
        if outer is None:
            break
        tensor = outer
    return tensor


def _positive(tensor: SymbolicTensor, value: bool) -> Fact:
    tensor = origin_of(tensor)
    while tensor.op.type == "logical_not":
        tensor, value = origin_of(tensor.op.inputs[0]), not value
    return tensor, value


def _parts(tensor: SymbolicTensor, holds: bool) -> list[Fact]:
    """What follows from a fact at once.

    `a and b` is recorded as `b if a else False`: where it holds, a holds and b does.
    """
    operation = tensor.op
    if operation.type == ("logical_and" if holds else "logical_or"):
        return [_positive(operand, holds) for operand in operation.inputs]
    if operation.type != "cond":
        return []
    then, orelse = (operation.attributes[name].outputs[tensor.value_index] for name in ("then_graph", "else_graph"))
    if _is_constant(orelse, not holds):
        return [_positive(operation.inputs[0], True), _positive(then, holds)]
    if _is_constant(then, not holds):
        return [_positive(operation.inputs[0], False), _positive(orelse, holds)]
    return []


def _is_constant(tensor: SymbolicTensor, value: bool) -> bool:
    return tensor.value is not None and tensor.value.shape == () and bool(tensor.value) is value
