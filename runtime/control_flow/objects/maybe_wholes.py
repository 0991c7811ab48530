"""Dicts and sets of which a tensor decides what they have, as wholes: compared key by key, and sets gone through.

    d == {"a": 1}             # for each key that one of them may have: it is in both, with equal values, or in neither
    d.keys() & {"a"}          # as of the set of the keys
    for v in s: ...           # v is a number of the run, in the order of a set of Python's that is made of them
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Set
from typing import Any

from autograph.errors import StagingError
from autograph.operators.consumer import Consumer
from runtime.control_flow.builtins.comparisons import equal_items
from runtime.control_flow.lists.keyed import Keyed
from runtime.control_flow.lists.keyed_sets import keyed_set_of
from runtime.control_flow.objects.maybe_contents import (
    DICTS,
    MaybeContainer,
    MaybeCounter,
    MaybeDict,
    MaybeOrderedDict,
    MaybeSet,
    dict_in_place_of,
)
from runtime.control_flow.objects.maybe_places import there
from runtime.control_flow.objects.maybe_views import View, certain, looked_up, named
from runtime.control_flow.optional.flags import all_of, both, either, negated
from runtime.control_flow.optional.values import MaybeUndefined
from runtime.graph.location import here
from runtime.heap.holder import merged_order
from runtime.heap.open_objects import if_there, is_maybe

__all__ = ["as_maybe_set", "equal", "push_members", "set_of_keys"]


def set_of_keys(source: MaybeContainer) -> MaybeSet:
    """The set of the keys of a dict, or a copy of a set."""
    flags = {key: MaybeUndefined(True, value.defined, value.placeholder) if is_maybe(value) else True
             for key, value in source.contents.items()}  # fmt: skip
    return MaybeSet(flags, source.called, source.is_ordered)


def as_maybe_set(members: Any) -> MaybeSet:
    """What has members, as one of ours."""
    if isinstance(members, View) and members.what == "keys":
        members = members.owner
    if isinstance(members, MaybeSet):
        return members
    return set_of_keys(members) if isinstance(members, MaybeDict) else MaybeSet.of(set(members), "")


def _is_set(value: Any) -> bool:
    return isinstance(value, Set | MaybeSet) or (isinstance(value, View) and value.what == "keys")


# -- dicts


def equal(self: MaybeDict, other: Any) -> Any:
    """`self == other`."""
    if type(other) in DICTS:
        other = dict_in_place_of(other, other, "")
    if not isinstance(other, MaybeDict):
        return certain(self, "compared") == other if isinstance(other, dict | Keyed) else False
    if isinstance(self, MaybeOrderedDict) and isinstance(other, MaybeOrderedDict):
        in_one_order = merged_order([self.contents, other.contents]) is not None
        if not (self.is_ordered and other.is_ordered and in_one_order):
            return certain(self, "compared") == certain(other, "compared")
    return all_of([_equal_at(self, other, key) for key in {**self.contents, **other.contents}])


def _equal_at(first: Any, second: Any, key: Any) -> Any:
    if type(first) is type(second) is MaybeCounter:
        counts: Any = (first, second)
        return equal_items(*(counter[key] for counter in counts))  # where one is not there it is 0
    values = looked_up(first, key), looked_up(second, key)
    in_first, in_second = map(there, values)
    in_both = both(in_first, in_second)
    if in_both is False:
        return both(negated(in_first), negated(in_second))
    a, b = map(if_there, values)
    same = a is b or equal_items(a, b)
    return either(both(negated(in_first), negated(in_second)), both(in_both, same))


# -- views of keys


def _of_keys(name: str) -> Callable[[View, Any], Any]:
    function = getattr(operator, f"__{name}__")

    def method(self: View, other: Any) -> Any:
        if self.what == "keys":
            return function(as_maybe_set(self), as_maybe_set(other) if _is_set(other) else other)
        return function(self.compared(), other.compared() if type(other) is View else other)

    return method


for _name in ("eq", "ne", "le", "lt", "ge", "gt", "and", "or", "sub", "xor"):
    setattr(View, f"__{_name}__", _of_keys(_name))


# -- sets


def push_members(self: MaybeSet, consumer: Consumer) -> None:
    """Hands over the members, one after the other."""
    before = dict(self.contents)
    consumer.each(keyed_set_of(self), consumer.body, str(consumer.options.get("iterate_names", "")))
    if list(before) != list(self.contents) or any(before[key] is not value for key, value in self.contents.items()):
        raise StagingError(
            f"{named(self)} is changed{here()} by a loop that goes through it, and which members it has depends on a"
            " tensor. Go through a copy (`set(s)`)"
        )
