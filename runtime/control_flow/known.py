"""What is known of a bool tensor at this place of a trace: inside the branches of `if p`, p itself is known.

    if best is not None:          # the then branch assumes `not (not present)`
        use(best)                 # needs no check that best is present: is_known(present, True)

A branch's graph carries the assumption (`Graph.assumption`); it is taken apart through `not`, `and`, `or`, and holds in
everything nested in the branch.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from runtime.context import current_recorder
from runtime.graph.graph import Graph
from runtime.tensor.eager import EagerTensor
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["is_known", "known_value", "origin_of"]


def is_known(flag: Any, wanted: bool) -> bool:
    """Whether `flag`, a bool tensor or Python bool, is surely `wanted` where code is being traced now."""
    if isinstance(flag, bool):
        return flag is wanted
    return known_value(flag, current_recorder()) is wanted


def known_value(flag: Any, graph: Any) -> bool | None:
    """What a bool tensor surely is in a graph that is nested in branches, or None if that depends on the run."""
    if isinstance(flag, EagerTensor):
        return bool(flag)
    tensor, sign = _positive(origin_of(flag), True)
    while isinstance(graph, Graph):
        if (known := graph.assumption) is not None:
            if known.facts is None:
                known.facts = {id(fact): value for fact, value in _facts(known.condition, known.holds)}
            value = known.facts.get(id(tensor))
            if value is not None:
                return value is sign
        graph = graph.outer
    return None


def origin_of(tensor: SymbolicTensor) -> SymbolicTensor:
    """The tensor of an enclosing graph that a capture stands for."""
    while tensor.op.type == "placeholder":
        outer = next((outer for outer, inner in tensor.op.graph.captures if inner is tensor), None)
        if outer is None:
            break
        tensor = outer
    return tensor


def _positive(tensor: SymbolicTensor, value: bool) -> tuple[SymbolicTensor, bool]:
    while tensor.op.type == "logical_not":
        tensor, value = origin_of(tensor.op.inputs[0]), not value
    return tensor, value


def _facts(predicate: SymbolicTensor, value: bool) -> Iterator[tuple[SymbolicTensor, bool]]:
    """What follows from `predicate` being `value`."""
    pending = [(predicate, value)]
    while pending:
        tensor, holds = pending.pop()
        tensor, holds = _positive(origin_of(tensor), holds)
        yield tensor, holds
        operation = tensor.op
        if operation.type == ("logical_and" if holds else "logical_or"):
            pending += [(operand, holds) for operand in operation.inputs]
        elif operation.type == "cond":
            pending += _facts_of_cond(tensor, holds)


def _facts_of_cond(tensor: SymbolicTensor, holds: bool) -> Iterator[tuple[SymbolicTensor, bool]]:
    """`a and b` is recorded as `b if a else False`: where it holds, a holds and b does."""
    operation = tensor.op
    then, orelse = (operation.attributes[name].outputs[tensor.index] for name in ("then_graph", "else_graph"))
    if _is_constant(orelse, not holds):
        yield operation.inputs[0], True
        yield then, holds
    elif _is_constant(then, not holds):
        yield operation.inputs[0], False
        yield orelse, holds


def _is_constant(tensor: SymbolicTensor, value: bool) -> bool:
    return tensor.value is not None and tensor.value.shape == () and bool(tensor.value) is value
