"""`DictView`: the keys, values or pairs of a dict of which only the run knows the keys, whatever is in it just now.

    keys = d.keys()
    d[k] = v                # which `keys` has from here on
    keys & seen             # a set, as of the views of Python's dicts
"""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import TYPE_CHECKING, Any

from runtime.context import outermost_recorder
from runtime.control_flow.builtins.membership import SEARCHES
from runtime.control_flow.lists.element_types import ElementType
from runtime.control_flow.lists.grown import checked_items
from runtime.control_flow.lists.keyed import part_of_rows
from runtime.control_flow.lists.keyed_sets import KeyedSet, as_keyed_set
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.loops.iteration import SOURCES, Items
from runtime.heap.kind import Kind
from runtime.heap.kinds import add_kind
from runtime.ops.records.record import REGISTRY

if TYPE_CHECKING:
    from runtime.control_flow.lists.keyed_dicts import KeyedDict

__all__ = ["DictView"]


class DictView(TensorList):
    """See the module's docstring. part: 0 for the keys, 1 for the values, None for the pairs."""

    def __init__(self, owner: KeyedDict, part: int | None) -> None:
        self._owner, self._part = owner, part
        self._home = outermost_recorder()

    def _now(self) -> TensorList:
        rows = self._owner.rows
        return rows if self._part is None else part_of_rows(rows, self._part)

    @property
    def handles(self) -> tuple[Any, ...]:  # type: ignore[override]
        return self._now().handles

    @property
    def _elements(self) -> ElementType | None:  # type: ignore[override]
        return self._now()._elements

    def members(self) -> KeyedSet:
        """Those of the set that it is in comparisons and as an operand."""
        return KeyedSet(self.copy(), set()) if self._part == 0 else as_keyed_set(self.copy())

    def isdisjoint(self, other: Any) -> Any:
        if self._part == 1:
            raise AttributeError("'dict_values' object has no attribute 'isdisjoint'")
        return self.members().isdisjoint(_members(other))

    def __eq__(self, other: Any) -> Any:
        if self._part == 1 or not _is_set(other):
            return self is other
        return self.members() == _members(other)

    def __ne__(self, other: Any) -> Any:
        equal = self.__eq__(other)
        return not equal if isinstance(equal, bool) else REGISTRY["logical_not"](equal)

    def __add__(self, other: Any) -> Any:
        return NotImplemented

    __hash__ = None


def _members(value: Any) -> KeyedSet:
    if isinstance(value, DictView):
        return value.members()
    return KeyedSet(value.rows, set()) if isinstance(value, KeyedSet) else as_keyed_set(value)


def _is_set(value: Any) -> bool:
    """Whether Python compares it with the keys of a dict."""
    return isinstance(value, Set | KeyedSet) or (isinstance(value, DictView) and value._part != 1)


def _operator(name: str, *, is_comparison: bool = False, turned: bool = False) -> Callable[[Any, Any], Any]:
    def apply(self: DictView, other: Any) -> Any:
        if self._part == 1 or (is_comparison and not _is_set(other)):
            return NotImplemented
        first, second = (_members(other), self.members()) if turned else (self.members(), _members(other))
        return getattr(first, name)(second)

    return apply


for _name in ("or", "and", "sub", "xor"):
    setattr(DictView, f"__{_name}__", _operator(f"__{_name}__"))
    setattr(DictView, f"__r{_name}__", _operator(f"__{_name}__", turned=True))
for _name in ("le", "lt", "ge", "gt"):
    setattr(DictView, f"__{_name}__", _operator(f"__{_name}__", is_comparison=True))
def _gone_through(view: DictView) -> Items:
    """What a loop over it goes through, as long as the dict keeps its size."""
    if view.elements is None:
        return SOURCES[TensorList](view)
    size = view.length()

    return Items(*checked_items(view._owner, size, lambda place: view[place]))


add_kind(DictView, Kind("view of a dict", "keys", lambda view: {None: view._owner}, None, is_momentary=True))
SOURCES[DictView], SEARCHES[DictView] = _gone_through, SEARCHES[TensorList]
