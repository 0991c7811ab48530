"""`KeyedDict`: a dict, defaultdict or Counter of which only the run knows the keys.

    d[k]                    # a search among the keys, a check that raises KeyError in the run, and the value found
    d[k] = v                # the pair goes to the end, or in the place of the one with this key
    Counter(t)[v]           # 0 where there is no v
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any, Final

from autograph.operators.branch import if_exp
from autograph.operators.stager import WHILE_TRACING
from runtime.control_flow.builtins.membership import SEARCHES
from runtime.control_flow.lists.dict_views import DictView
from runtime.control_flow.lists.grown import add_grown_kind, checked_items
from runtime.control_flow.lists.keyed import Keyed, part_of_rows, plain_key
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.loops.iteration import SOURCES
from runtime.control_flow.statement.reaching import given
from runtime.ops.records.record import REGISTRY

__all__ = ["FILLS", "KeyedDict"]

RAISES_AS_PYTHON = True  # see runtime.control_flow.tries.raised

_NO_DEFAULT: Any = object()

FILLS: Final[dict[str, Callable[[Any, Any], None]]] = {}
"""What puts the pairs of a dict or iterable into a dict, or counts its items: `keyed_calls` puts it here."""


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
        place = self.check(key) if factory is None else self.ensure(key, (key, factory()))
        return self.rows[place][1]

    def __setitem__(self, key: Any, value: Any) -> None:
        self.put(key, (key, value))

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
        has_rows = REGISTRY["greater"](self.rows.length(), 0)
        REGISTRY["check"](has_rows, message="popitem(): dictionary is empty", exception="KeyError")
        return self.rows.pop()

    def setdefault(self, key: Any, default: Any = None) -> Any:
        return self.rows[self.ensure(key, (key, default))][1]

    def update(self, *others: Any, **named: Any) -> None:
        """The pairs of dicts, or of what is gone through; of a Counter the counts are added."""
        for other in (*others, *((named,) if named else ())):
            FILLS["count" if type(self.like) is Counter else "dict"](self, other)

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
        kind = type(like)
        empty = defaultdict(like.default_factory) if kind is defaultdict else kind()
        return KeyedDict(self.rows, empty, self.called)

    def __eq__(self, other: Any) -> Any:
        if isinstance(other, dict) and not other:
            return REGISTRY["logical_not"](self.__ag_truth__())
        if isinstance(other, dict):
            other = KeyedDict(TensorList(list(other.items())), other)
        if not isinstance(other, KeyedDict) or None in (self.rows.elements, other.rows.elements):
            return NotImplemented
        mine, others = self.rows.stack(), other.rows.stack()
        pairs = [REGISTRY["equal"](a[:, None], b[None]) for a, b in zip(_flat(mine), _flat(others), strict=True)]
        same = pairs[0]
        for pair in pairs[1:]:
            same = REGISTRY["logical_and"](same, pair)
        found = REGISTRY["reduce_all"](REGISTRY["reduce_any"](same, axis=1))
        return REGISTRY["logical_and"](found, REGISTRY["equal"](self.rows.length(), other.rows.length()))

    def __ne__(self, other: Any) -> Any:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else REGISTRY["logical_not"](equal)

    __hash__ = None  # type: ignore[assignment]

    def plain(self) -> Any:
        pairs = [(plain_key(key), value) for key, value in self.rows.to_list()]
        made = type(self.like)() if type(self.like) in (dict, Counter) else defaultdict(self.like.default_factory)
        dict.update(made, pairs)
        return made


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


def _flat(rows: Any) -> list[Any]:
    return [column for part in rows for column in _flat(part)] if isinstance(rows, tuple) else [rows]


SEARCHES[KeyedDict] = lambda item, container: container.find(item)[1]
add_grown_kind(KeyedDict, "dict")
