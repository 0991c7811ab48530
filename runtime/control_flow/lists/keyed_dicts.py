"""`KeyedDict`: a dict, defaultdict or Counter of which only the run knows the keys.

    d[k]                    # a search among the keys, a check that raises KeyError in the run, and the value found
    d[k] = v                # the pair goes to the end, or in the place of the one with this key
    Counter(t)[v]           # 0 where there is no v
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from autograph.operators.branch import if_exp
from autograph.operators.stager import WHILE_TRACING
from runtime.control_flow.builtins.iterables import is_staged
from runtime.control_flow.builtins.membership import SEARCHES
from runtime.control_flow.lists.collecting import collected
from runtime.control_flow.lists.dict_views import DictView
from runtime.control_flow.lists.grown import add_grown_kind, checked_items, empty_like
from runtime.control_flow.lists.keyed import (
    Keyed,
    equal_rows,
    is_staged_key,
    known_key,
    part_of_rows,
    plain_key,
    plain_keys,
)
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.loops.iteration import SOURCES
from runtime.control_flow.statement.reaching import given
from runtime.ops.records.record import REGISTRY
from runtime.state.calling import call_converted

__all__ = ["KeyedDict", "KeyedOrderedDict", "keyed_dict", "keyed_ordered_dict"]

RAISES_AS_PYTHON = True  # see runtime.control_flow.tries.raised

_NO_DEFAULT: Any = object()


class KeyedDict(Keyed):
    """See the module's docstring. The rows are pairs (key, value)."""

    __slots__ = ()

    def keys_of(self) -> TensorList:
        return part_of_rows(self.rows, 0)

    gone_through = keys_of

    def __ag_items__(self) -> tuple[Any, ...]:
        items = SOURCES[DictView](self.keys())
        return items.length, items.item, items.objects, items.at_end

    def keys(self) -> TensorList:
        return DictView(self, 0)

    def values(self) -> Any:
        return Values(self, 1) if self._has_lists() else DictView(self, 1)

    def items(self) -> Any:
        return Values(self) if self._has_lists() else DictView(self, None)

    def _has_lists(self) -> bool:
        return self.rows.elements is not None and self.rows.elements.has_rows

    def __getitem__(self, key: Any) -> Any:
        factory = getattr(self.like, "default_factory", None)
        place = self.check(key) if factory is None else self.ensure(key, (self.own(key), factory()))
        return self.rows[place][1]

    def __setitem__(self, key: Any, value: Any) -> None:
        self.put(key, (self.own(key), value))

    def __delitem__(self, key: Any) -> None:
        self.rows.pop(self.check(key))

    def get(self, key: Any, default: Any = None) -> Any:
        place, there = self.find(key)
        return self._at(place, there, given(default))

    def _at(self, place: Any, there: Any, otherwise: Callable[[], Any]) -> Any:
        if there is False:
            return otherwise()
        return if_exp(there, lambda: self.rows[place][1], otherwise, "the key is in the dict")

    def pop(self, key: Any, default: Any = _NO_DEFAULT) -> Any:
        if default is _NO_DEFAULT:
            return self.rows.pop(self.check(key))[1]
        place, there = self.find(key)
        value = self._at(place, there, given(default))
        self.drop(place, there)
        return value

    def popitem(self) -> Any:
        return self._taken(-1)

    def _taken(self, place: int) -> Any:
        has_rows = REGISTRY["greater"](self.rows.length(), 0)
        REGISTRY["check"](has_rows, message="popitem(): dictionary is empty", exception="KeyError")
        return self.rows.pop(place)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        return self.rows[self.ensure(key, (self.own(key), default))][1]

    def update(self, *others: Any, **named: Any) -> None:
        """Takes in the pairs of dicts, or of what is gone through."""
        for other in (*others, *((named,) if named else ())):
            call_converted(_with_pairs, self, other.items() if isinstance(other, dict | KeyedDict) else other)

    @staticmethod
    def __ag_merged__(first: Any, second: Any) -> KeyedDict:
        """`{**first, **second}`, of which one is such a dict."""
        rows = first.rows.copy() if isinstance(first, KeyedDict) else TensorList(list(first.items()))
        made = KeyedDict(rows, {})
        made.update(second)
        return made

    def __or__(self, other: Any) -> Any:
        return self._merged(self, other)

    def __ror__(self, other: Any) -> Any:
        return self._merged(other, self)

    def __ior__(self, other: Any) -> Any:
        self.update(other)
        return self

    def _merged(self, first: Any, second: Any) -> Any:
        if not isinstance(first, dict | KeyedDict) or not isinstance(second, dict | KeyedDict):
            return NotImplemented
        made = KeyedDict.__ag_merged__(first, second)
        return made.with_like(first.like if isinstance(first, KeyedDict) else first)

    def with_like(self, like: Any) -> KeyedDict:
        """The same pairs, of a dict like another one."""
        return KeyedDict(self.rows, empty_like(like), self.called)

    def __eq__(self, other: Any) -> Any:
        if isinstance(other, dict) and not other:
            return REGISTRY["logical_not"](self.__ag_truth__())
        if isinstance(other, dict):
            other = KeyedDict(TensorList(list(other.items())), other)
        if not isinstance(other, KeyedDict) or None in (self.rows.elements, other.rows.elements):
            return NotImplemented
        same = equal_rows(self.rows.columns(), other.rows.columns())
        found = REGISTRY["reduce_all"](REGISTRY["reduce_any"](same, axis=1))
        return REGISTRY["logical_and"](found, REGISTRY["equal"](self.rows.length(), other.rows.length()))

    def __ne__(self, other: Any) -> Any:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else REGISTRY["logical_not"](equal)

    __hash__ = None  # type: ignore[assignment]

    def plain(self) -> Any:
        return self.of_rows(zip(plain_keys(self.keys_of()), (value for _, value in self.rows.to_list()), strict=True))

    def of_rows(self, rows: Iterable[Any]) -> Any:
        made = empty_like(self.like)
        for key, value in rows:
            made[plain_key(key)] = value
        return made


class KeyedOrderedDict(KeyedDict):
    """An OrderedDict."""

    __slots__ = ()

    def move_to_end(self, key: Any, last: bool = True) -> None:
        row = self.rows.pop(self.check(key))
        self.rows.insert(self.rows.length() if last else 0, row)

    def popitem(self, last: bool = True) -> Any:
        return self._taken(-1 if last else 0)

    def __eq__(self, other: Any) -> Any:
        if isinstance(other, OrderedDict):
            other = KeyedOrderedDict(TensorList(list(other.items())), other)
        return self.rows == other.rows if isinstance(other, KeyedOrderedDict) else super().__eq__(other)


def _with_pairs(made: Any, pairs: Any) -> Any:
    for key, value in pairs:
        made[key] = value
    return made


_OF_PAIRS: Final = frozenset({enumerate, list, tuple, zip})


def keyed_dict(pairs: Any = (), /, **named: Any) -> Any:
    """`dict(pairs)`; NotImplemented where that is one of Python's."""
    return _of_pairs(KeyedDict(TensorList(), {}), pairs, named)


def keyed_ordered_dict(pairs: Any = (), /, **named: Any) -> Any:
    """`OrderedDict(pairs)`, as `keyed_dict`."""
    return _of_pairs(KeyedOrderedDict(TensorList(), OrderedDict()), pairs, named)


def _of_pairs(made: KeyedDict, pairs: Any, named: Mapping[str, Any]) -> Any:
    if isinstance(pairs, KeyedDict):
        return made.with_rows(pairs.rows.copy())
    if named or isinstance(pairs, Mapping) or not (is_staged(pairs) or type(pairs) in _OF_PAIRS):
        return NotImplemented
    items = collected(pairs)
    if isinstance(items, list) and not any(
        type(pair) in (tuple, list) and pair and is_staged_key(pair[0]) for pair in items
    ):
        known = [(known_key(pair[0]), *pair[1:]) if type(pair) in (tuple, list) and pair else pair for pair in items]
        return type(made.like)(known)
    return call_converted(_with_pairs, made, items)


class Values:
    """What a loop over the values or pairs of a dict of lists goes through: each is read where it is."""

    __slots__ = ("__weakref__", "number", "owner", "rows")

    __ag_stager__ = WHILE_TRACING

    def __init__(self, owner: KeyedDict, number: int | None = None) -> None:
        self.owner = owner
        self.rows = owner.rows
        self.number = number

    def __ag_items__(self) -> tuple[Any, ...]:
        return checked_items(self.owner, self.rows.length(), self._item)

    def __ag_len__(self) -> Any:
        return self.rows.length()

    def _item(self, place: Any) -> Any:
        pair = self.rows[place]
        return pair if self.number is None else pair[self.number]


for _kind in (KeyedDict, KeyedOrderedDict):
    SEARCHES[_kind] = lambda item, container: container.find(item)[1]
    add_grown_kind(_kind, "dict")
