"""What a Counter or a defaultdict does otherwise than a dict, where a tensor decides what keys it has.

    c["a"]                    # of a Counter: `c.get("a", 0)`
    c.update(t)               # adds one for each item
    d["a"]                    # of a defaultdict: `d.setdefault("a", factory())`
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from runtime.control_flow.lists.keyed_counters import add_counter_methods
from runtime.control_flow.objects.maybe_contents import (
    DICTS,
    MaybeContainer,
    MaybeCounter,
    MaybeDefaultDict,
    MaybeOrderedDict,
    dict_in_place_of,
)
from runtime.control_flow.objects.maybe_ends import popitem
from runtime.control_flow.objects.maybe_views import certain
from runtime.control_flow.objects.turns import move_turn
from runtime.control_flow.optional.values import is_state_access
from runtime.state.calling import call_converted

__all__ = ["methods_of"]

RAISES_AS_PYTHON = True  # see runtime.control_flow.tries.raised

Methods = Mapping[str, Callable[..., Any]]


def _pairs(counted: Any, what: str) -> Iterator[tuple[Any, Any]]:
    """What is counted how often."""
    if isinstance(counted, MaybeContainer):
        counted = certain(counted, what)
    yield from counted.items() if isinstance(counted, Mapping) else ((item, 1) for item in counted)


def _changed_by(sign: int, what: str) -> Callable[..., None]:
    def change(self: Any, counted: Any = (), /, **named: Any) -> None:
        for source in (counted, named):
            for key, number in _pairs(() if source is None else source, what):
                self[key] = self[key] + sign * number

    return change


def _counter_methods(of_dict: Methods) -> dict[str, Any]:
    def item(self: MaybeCounter, key: Any) -> Any:
        return of_dict["__getitem__"](self, key) if is_state_access() else of_dict["get"](self, key, 0)

    def operand(other: Any) -> Any:
        return other if isinstance(other, Counter | MaybeCounter) else NotImplemented

    def take(self: MaybeCounter, made: Any) -> None:
        made = made if isinstance(made, MaybeCounter) else dict_in_place_of(made, made, "")
        self.contents, self.is_ordered, self.turns = made.contents, made.is_ordered, made.turns

    add_counter_methods(MaybeCounter, operand, take)
    return {
        "__getitem__": item, "__delitem__": lambda self, key: of_dict["pop"](self, key, None),
        "update": _changed_by(1, "counted"), "subtract": _changed_by(-1, "subtracted"),
        "total": lambda self: call_converted(sum, self.values()),
    }  # fmt: skip


def _defaultdict_methods(of_dict: Methods) -> dict[str, Any]:
    def item(self: MaybeDefaultDict, key: Any) -> Any:
        factory = self.like.default_factory
        if is_state_access() or factory is None:
            return of_dict["__getitem__"](self, key)
        made = partial(call_converted, factory)
        return of_dict["put_default"](self, key, made, f"[{key!r}]")

    return {"__getitem__": item, "default_factory": property(lambda self: self.like.default_factory)}


def _ordereddict_methods(of_dict: Methods) -> dict[str, Any]:
    def move_to_end(self: MaybeOrderedDict, key: Any, last: bool = True) -> None:
        moved = {key: of_dict["__getitem__"](self, key)}
        others = {known: value for known, value in self.contents.items() if known != key}
        self.contents = others | moved if last else moved | others
        if self.turns is not None:
            move_turn(self.turns, key, last)

    return {"move_to_end": move_to_end, "popitem": popitem}


def methods_of(of_dict: Methods) -> Iterator[tuple[type, dict[str, Any]]]:
    """For each class of dicts its own methods. of_dict: those of a dict."""
    own: Final = {MaybeCounter: _counter_methods, MaybeDefaultDict: _defaultdict_methods,
                  MaybeOrderedDict: _ordereddict_methods}  # fmt: skip
    for pythons, kind in DICTS.items():
        methods = own[kind](of_dict) if kind in own else {}
        yield kind, {**methods, "__ag_class__": staticmethod(lambda pythons=pythons: pythons)}
