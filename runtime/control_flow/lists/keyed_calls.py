"""Dicts, sets and deques that become ones of the graph: by what they are made of, and by what is done with them.

    seen = set(t)               # t is a tensor: a KeyedSet
    d = {}; d[t] = 1            # d becomes a KeyedDict, under all its names
    q = deque([1], maxlen=n)    # n is a tensor: a GrowingDeque
"""

from __future__ import annotations

import operator
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Mapping
from typing import Any, Final

from autograph.operators.library import register_calls, register_methods
from runtime.context import current_recorder
from runtime.control_flow.builtins.table import OF_LISTS, OVERLOADS
from runtime.control_flow.lists.deques import GrowingDeque, growing_deque
from runtime.control_flow.lists.element_types import ElementType
from runtime.control_flow.lists.grown import Grown, empty_like
from runtime.control_flow.lists.keyed import has_staged_items, is_staged_key, known_key
from runtime.control_flow.lists.keyed_counters import KeyedCounter, keyed_counter, most_common
from runtime.control_flow.lists.keyed_dicts import KeyedDict, KeyedOrderedDict, keyed_dict, keyed_ordered_dict
from runtime.control_flow.lists.keyed_sets import KeyedSet, as_keyed_set, keyed_set
from runtime.control_flow.lists.replacements import KINDS, Replacement, replace_by
from runtime.control_flow.lists.taken_in import add_in_place, delete, replaced_in_place
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.objects.maybe_contents import MaybeContainer
from runtime.graph.graph import Graph
from runtime.heap.store import Holder
from runtime.state.calling import call_converted
from runtime.tensor.tensor import Tensor

__all__ = ["KEYED", "can_be_keyed", "grown_dict", "install", "is_staged_key"]

RAISES_AS_PYTHON = True  # see runtime.control_flow.tries.raised

_WHY: Final = "Its keys are tensors, so it would become a {} of the graph"


_KINDS: Final[dict[type, type[KeyedDict]]] = {Counter: KeyedCounter, OrderedDict: KeyedOrderedDict}


def _dict(holder: Holder, elements: ElementType | None) -> KeyedDict:
    kind = _KINDS.get(type(holder.owner), KeyedDict)
    return kind(TensorList(list(holder.before.items())), empty_like(holder.owner), holder.label)


def _set(holder: Holder, elements: ElementType | None) -> KeyedSet:
    return KeyedSet(TensorList(list(holder.before)), set(), holder.label)


def _deque(holder: Holder, elements: ElementType | None) -> GrowingDeque:
    items = TensorList(holder.before, kind=elements, instead_of=holder.owner)
    return GrowingDeque(items, empty_like(holder.owner), holder.label)


_COPY: Final = "change a copy (`d = d.copy()`)"
_WHICH: Final = "which they are"
KEYED: Final[dict[type, Replacement]] = {
    **dict.fromkeys(
        (dict, defaultdict, Counter, OrderedDict),
        Replacement(_dict, "a dict of the graph", _WHY.format("dict"), _COPY, _WHICH, by_keys=True),
    ),
    set: Replacement(_set, "a set of the graph", _WHY.format("set"), _COPY, _WHICH, by_keys=True),
    deque: Replacement(
        _deque, "a deque of the graph", "Its length depends on a tensor, so it would become a deque of the graph", _COPY
    ),
}
KINDS[deque] = KEYED[deque]


def grown_dict(owner: Any, method: Any = None, is_statement: bool = False) -> Any:
    """What takes the place of a dict, set or deque of Python's: see `replaced_in_place`."""
    replace_by(owner, KEYED[type(owner)])
    return replaced_in_place(owner, method, is_statement)


def can_be_keyed(owner: Any) -> bool:
    """Whether a dict or set may become one whose keys are tensors."""
    return type(owner) in KEYED and isinstance(current_recorder(), Graph)


def has_scalars(owner: dict[Any, Any], value: Any) -> bool:
    """Whether all values of a dict, and a new one, are numbers, texts or tensors of rank 0, or tuples of such."""
    return all(map(_is_scalar, (*owner.values(), value)))


def _is_scalar(value: Any) -> bool:
    if type(value) is tuple:
        return all(map(_is_scalar, value))
    return value.shape.rank == 0 if isinstance(value, Tensor) else type(value) in _SCALARS


_SCALARS: Final = frozenset({bool, int, float, str})


# -- methods of Python's own


def _method(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`seen.add(v)` and its like."""
    owner, name = function.__self__, function.__name__
    if name in _OF_KEYS and args and (key := known_key(args[0])) is not args[0] and type(owner) is not deque:
        return function(key, *args[1:], **kwargs)
    if name == "update" and any(isinstance(arg, MaybeContainer) for arg in args) and type(owner) in KINDS:
        return getattr(replaced_in_place(owner, function), name)(*args, **kwargs)
    is_searched = name in _SEARCHES and type(owner) is deque and any(map(is_staged_key, owner))
    if name in _BY_KEY and args and can_be_keyed(owner) and (is_searched or _is_of_graph(name, args)):
        if name in _OF_NEW_SETS:
            return getattr(as_keyed_set(owner), name)(*args, **kwargs)
        return getattr(grown_dict(owner, function), name)(*args, **kwargs)
    return NotImplemented


def _delete(owner: Any, key: Any) -> Any:
    """`del d[key]`."""
    is_grown = type(owner) in KEYED and is_staged_key(key) and can_be_keyed(owner)
    return delete(grown_dict(owner, is_statement=True) if is_grown else owner, key)


def _updating(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """`s |= t` and its like, which change s under all its names."""

    def update(owner: Any, other: Any) -> Any:
        if type(owner) in KEYED and can_be_keyed(owner):
            if isinstance(other, MaybeContainer):
                return operation(replaced_in_place(owner, is_statement=True), other)
            if isinstance(other, Grown) or (isinstance(other, set | dict) and has_staged_items(other)):
                return operation(grown_dict(owner, is_statement=True), other)
        return add_in_place(owner, other) if operation is operator.iadd else NotImplemented

    return update


def _counting(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`counter.update(t)` and `counter.subtract(t)`, which are no methods in C."""
    if type(args[0]) is Counter and len(args) == 2 and can_be_keyed(args[0]) and _is_of_graph("update", args[1:]):
        return getattr(grown_dict(args[0]), function.__name__)(*args[1:], **kwargs)
    return function(*args, **kwargs)


def _is_of_graph(name: str, args: tuple[Any, ...]) -> bool:
    if name in _BY_ITEMS:
        return any(isinstance(arg, Grown | TensorList) or has_staged_items(arg) for arg in args)
    return is_staged_key(args[0])


_BY_ITEMS: Final = frozenset({
    "difference", "difference_update", "intersection", "intersection_update", "isdisjoint", "issubset", "issuperset",
    "symmetric_difference", "union", "update", "extend", "extendleft",
})  # fmt: skip
_SEARCHES: Final = frozenset({"count", "index", "remove"})
_OF_NEW_SETS: Final = frozenset({
    "difference", "intersection", "isdisjoint", "issubset", "issuperset", "symmetric_difference", "union",
})  # fmt: skip
_OF_KEYS: Final = frozenset({"add", "discard", "get", "move_to_end", "pop", "remove", "setdefault"})
_BY_KEY: Final = _BY_ITEMS | _SEARCHES | {"add", "discard", "insert", "move_to_end", "pop", "rotate", "setdefault"}


# -- what makes one


def _made(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if isinstance(current_recorder(), Graph):
        made = _MAKES[function](*args, **kwargs) if args or kwargs else NotImplemented
        if made is not NotImplemented:
            return made
    return function(*args, **kwargs)


def _with_keys(made: Any, keys: Any, value: Any) -> Any:
    for key in keys:
        made[key] = value
    return made


def _class_method(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`dict.fromkeys(keys, value)`."""
    is_known = not args or kwargs or not (isinstance(args[0], Grown) or has_staged_items(args[0]))
    if function.__self__ is not dict or function.__name__ != "fromkeys" or is_known:
        return NotImplemented
    return call_converted(_with_keys, KeyedDict(TensorList(), {}), *(*args, None)[:2])


_MAKES: Final[Mapping[Any, Callable[..., Any]]] = {
    set: keyed_set,
    frozenset: lambda values=(): keyed_set(values, frozenset()),
    dict: keyed_dict,
    OrderedDict: keyed_ordered_dict,
    Counter: keyed_counter,
    deque: growing_deque,
}


def install() -> None:
    """Converted code asks here from now on."""
    OVERLOADS[set], OVERLOADS[dict], OF_LISTS[operator.delitem] = keyed_set, keyed_dict, _delete
    for operation in (operator.iadd, operator.iand, operator.ior, operator.isub, operator.ixor):
        OVERLOADS[operation] = _updating(operation)
    register_calls(_MAKES, _made)
    for kind in KEYED:
        register_methods(kind, _method)
    register_methods(type, _class_method)
    register_calls([Counter.update, Counter.subtract], _counting)
    register_calls([Counter.most_common], most_common)
