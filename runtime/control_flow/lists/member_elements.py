"""Members of an enumeration of numbers or texts in lists that grow: kept as what they are, read as the members.

    route = []
    for i in range(n): route.append(Step.LEFT if i % 2 else Step.RIGHT)
    route[0].name                                    # the list holds numbers; the member is found by its number
"""

from __future__ import annotations

from enum import Enum, Flag
from typing import Any

from runtime.control_flow.lattice.leaf import LeafType
from runtime.control_flow.objects.refs import Choice, objects_of
from runtime.dtypes import int32
from runtime.ops.records.record import REGISTRY
from runtime.tensor.convert import constant
from runtime.tensor.literals import is_valued_member, plain_value
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["as_leaf", "members_with"]


def members_with(value: Any) -> tuple[Enum, ...] | None:
    """All members of the enumeration that a value, or each of several, is one of; None for other values, and for flags,
    of which `READ | WRITE` makes more."""
    kinds: set[Any] = {type(one) for one in objects_of(value)}
    (kind, *others) = kinds
    if others or not all(map(is_valued_member, objects_of(value))) or issubclass(kind, Flag):
        return None
    return tuple(kind)


def as_leaf(leaf: Any, part: Any) -> Any:
    """A leaf of an element as the program gets it: a tensor, or the member that one is the number or text of; a list
    in it as it is. What a Function returns is numbers and texts."""
    if not isinstance(leaf, LeafType):
        return part
    value, members = leaf.marked(part), leaf.members
    if members is None or not isinstance(value, SymbolicTensor):
        return value
    values = [plain_value(member) for member in members]
    equal = REGISTRY["equal"](value, constant(values, value.dtype))
    return Choice(True, [*members]).at(REGISTRY["argmax"](REGISTRY["cast"](equal, int32), 0))
