"""What a run leaves in the containers of its caller: the keys that it sets, or all elements.

    dict(changes_of({"a": 1}, {"a": 2, "b": x}))       # {"a": 2, "b": x}
    list(changes_of([1], [1, x]))                       # [(WHOLE, [1, x])]: `Elements` puts them
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from runtime import structures as nest
from runtime.control_flow.lattice.leaf import LeafType
from runtime.control_flow.lists.keyed import plain_key
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.objects.maybe_contents import MaybeContainer
from runtime.heap.holder import ABSENT
from runtime.heap.kinds import DICT
from runtime.heap.place import WHOLE
from runtime.heap.placeholders import Absent
from runtime.ndarrays.layout import same_bits
from runtime.ndarrays.traced import TracedArray
from runtime.tensor.array_classes import holds_numbers
from runtime.tensor.eager import EagerTensor

__all__ = ["Elements", "changes_of", "kept", "rows_of"]

_NUMBERS: Final = (bool, int, float, complex)


@dataclass(frozen=True, slots=True)
class Elements:
    """All elements of a list, deque, set or dict, as a `LastingPlace`. What is equal to what was there stays what it
    was, also keys."""

    find: Callable[[], Any]
    words: str
    key: Any = WHOLE

    def put(self, value: Any) -> None:
        """Sets them."""
        if (own := self.find()) is None:
            return
        if isinstance(own, dict):
            assert DICT.write is not None
            keys = {key: key for key in own}
            pairs = ((plain_key(k), new) for k, new in value) if isinstance(value, list) else value.items()
            rows = {keys.get(k, k): own[k] if k in own and _is_that(own[k], new) else new for k, new in pairs}
            DICT.write(own, rows)
            return
        if isinstance(own, set):
            members = dict.fromkeys(map(plain_key, value))
            for gone in own - members.keys():
                own.discard(gone)
            for member in members:  # one by one, so that the set has the order of one that Python has added them to
                own.add(member)
            return
        made = kept(own, value)
        if isinstance(own, list):
            own[:] = made
        else:
            own.clear()
            own.extend(made)


def kept(before: Iterable[Any], now: Iterable[Any]) -> list[Any]:
    """The elements that a run leaves in a list: what nobody can tell from one that was there is that one."""
    known: dict[Any, list[Any]] = {}
    for old in reversed(list(before)):
        known.setdefault(_sketch(old), []).append(old)
    return [_taken(known.get(_sketch(new), []), new) for new in now]


def _taken(known: list[Any], new: Any) -> Any:
    """The last of them that an element is, which is taken out; else the element."""
    found = next((i for i in reversed(range(len(known))) if _is_that(known[i], new)), None)
    return new if found is None else known.pop(found)


def _sketch(value: Any) -> Any:
    """The same for all that one of them is."""
    if type(value) is tuple:
        return tuple(map(_sketch, value))
    array: Any = value._array if type(value) is EagerTensor else np.asarray(value) if type(value) in _NUMBERS else None
    if array is None or not holds_numbers(array):
        return id(value)
    return array.shape or float(np.float32(array.real))


def _is_that(old: Any, new: Any) -> bool:
    if old is new:
        return True
    if type(old) is tuple and type(new) is tuple and len(old) == len(new):
        return all(map(_is_that, old, new))
    if type(new) is not EagerTensor or type(old) not in (EagerTensor, *_NUMBERS):
        return False
    array = old._array if type(old) is EagerTensor else np.asarray(old, new._array.dtype)
    return same_bits(array, new._array)


def changes_of(before: Any, now: Any, maybe: MaybeContainer | None = None) -> Iterator[tuple[Any, Any]]:
    """What to set, by key; ABSENT for what is not there. before, now: the contents; maybe: of what."""
    if isinstance(before, list):
        if isinstance(now, TensorList) or len(now) != len(before):
            yield WHOLE, now
        else:
            yield from ((i, value) for i, value in enumerate(now) if value is not before[i])
        return
    was, found = _as_dict(before), _as_dict(now)
    found = {key: value for key, value in found.items() if type(value) is not Absent}
    kept = [key for key in was if key in found]
    in_order = isinstance(before, set) or (list(found)[: len(kept)] == kept and getattr(maybe, "is_ordered", True))
    if not in_order:
        yield WHOLE, found if maybe is None else maybe
        return
    for key in {**was, **found}:
        value = found.get(key, ABSENT)
        if value is not was.get(key, ABSENT):
            yield key, value


def _as_dict(contents: Any) -> dict[Any, Any]:
    return dict.fromkeys(contents, True) if isinstance(contents, set) else contents


def rows_of(made: TensorList) -> list[Any]:
    """What a run leaves for such a list: ndarrays of its own, and numbers, where the program has put such."""
    known = made.elements
    items = made.to_list()
    if known is None or not any(isinstance(leaf, LeafType) and leaf.is_plain for leaf in known.leaves):
        return list(map(_in_python, items))
    return [_in_python(known.pack(map(_as_number, known.leaves, known.flat(item)))) for item in items]


def _as_number(leaf: Any, part: Any) -> Any:
    return leaf.plain(part) if isinstance(leaf, LeafType) and leaf.is_plain and type(part) is EagerTensor else part


def _in_python(value: Any) -> Any:
    if isinstance(value, TracedArray):
        return np.array(value.value())
    if isinstance(value, TensorList):
        return rows_of(value)
    if not nest.is_nested(value):
        return value
    return nest.rebuild(value, [_in_python(part) for _, part in nest.children(value)])
