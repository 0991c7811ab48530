"""What a dict or set of the program holds whose keys or members are tensors, as columns that each run is given.

    rows = Rows.of(cache)             # cache = {1: 10, 2: 20}: pairs of integers of Python's
    rows.read()                       # (tensor([1, 2]), tensor([10, 20])), however many they are

Keys and members are Python's own for the graph, too: a tensor that is put in becomes the number or text that it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from runtime import structures as nest
from runtime.control_flow.lists.element_types import ElementType, LeafType, joined
from runtime.control_flow.lists.grown import empty_like
from runtime.control_flow.lists.keyed import list_of_columns, with_own_keys
from runtime.control_flow.lists.keyed_calls import KEYED
from runtime.control_flow.objects.watched import can_change
from runtime.function.state import Held
from runtime.heap.holder import ABSENT, Holder
from runtime.heap.place import WHOLE
from runtime.tensor.eager import EagerTensor
from runtime.tensor.literals import is_valued_member, plain_value, to_array

__all__ = ["Rows"]

_OF_PYTHON: Final[dict[str, type]] = {"bool": bool, "int": int, "float": float, "complex": complex}


@dataclass(eq=False, slots=True)
class Rows:
    """All that a dict or set holds, as a `LastingPlace` that is read as columns. elements: what pairs or members are;
    None as long as nothing is known of them, because there are none."""

    find: Callable[[], Any]
    words: str
    elements: ElementType | None = None
    key: Any = WHOLE
    is_gone_through: bool = False
    """Whether the function goes through it, in the order of a new set of its members."""

    @property
    def is_in_order(self) -> bool:
        """Whether a loop over the dict or set finds its rows in the order in which the graph does."""
        owner = self.find()
        return not (self.is_gone_through and isinstance(owner, set)) or list(set(iter(owner))) == list(owner)

    def read(self) -> Any:
        """The columns; None for what these cannot hold."""
        owner = self.find()
        if owner is None or not self.is_in_order:
            return ABSENT
        return _columns(_items(owner), self.elements)

    def put(self, value: Any) -> None:
        """Nothing is put there while the function is traced: something of ours stands for the whole."""

    def learn(self, elements: ElementType | None = None) -> bool:
        """Takes in what its pairs or members are, and those of a trace. Whether they fit into columns."""
        items = _items(owner := self.find())
        if not _never_change(items):
            return False
        try:
            known = joined([self.elements, ElementType.of_all(items), elements])
            self.elements = None if known is None else _of_python(known, isinstance(owner, dict))
        except (TypeError, ValueError):
            return False
        return _columns(items, self.elements) is not None

    def stand_in(self, holder: Holder, columns: Any) -> Any:
        """What stands for the dict or set while the function is traced. columns: inputs of the graph."""
        made = KEYED[type(holder.owner)].make(replace(holder, before=empty_like(holder.owner)), None)
        made.of_python = self
        if self.elements is not None:
            made.rows = list_of_columns(self.elements, columns)
        return made

    def form(self) -> Any:
        """The form of columns of any length."""
        leaves = () if self.elements is None else self.elements.leaves
        parts = enumerate(Held(leaf.dtype.numpy, (None, *leaf.shape.as_list())) for leaf in leaves)
        return tuple, None, tuple((f"[{i}]", part) for i, part in parts)


def _items(owner: Any) -> list[Any]:
    return list(owner.items() if isinstance(owner, dict) else owner)


def _never_change(items: Iterable[Any]) -> bool:
    return not any(map(can_change, nest.walked(items, nest.parts_if_structure)))


def _of_python(known: ElementType, is_dict: bool) -> ElementType:
    """The same with keys or members of Python's. Raises TypeError for what cannot be columns."""
    count = len(nest.flatten(known.model[0])) if is_dict else len(known.leaves)
    keys = [leaf for leaf in known.leaves[:count] if leaf.shape.rank == 0 and leaf.dtype.family != "uint"]
    if known.has_rows or len(keys) < count or not all(leaf.shape.is_fully_defined() for leaf in known.leaves):
        raise TypeError
    return with_own_keys(known, is_dict)


def _columns(items: list[Any], known: ElementType | None) -> tuple[EagerTensor, ...] | None:
    """The columns of pairs or members; None where they are of other kinds."""
    if known is None:
        return None if items else ()
    try:
        parts = [known.flat(item) for item in items] if known.model is not None else [[item] for item in items]
    except TypeError:
        return None
    columns = list(zip(*parts, strict=True)) if parts else [()] * len(known.leaves)
    found = [_column(column, leaf) for column, leaf in zip(columns, known.leaves, strict=True)]
    return None if any(array is None for array in found) else tuple(map(EagerTensor, found))


def _column(parts: Sequence[Any], leaf: Any) -> Any:
    """An array of the parts of a kind; None where one of them is of another."""
    if leaf.members is not None:
        if any(type(part) is not type(leaf.members[0]) for part in parts):
            return None
        parts = [plain_value(part) for part in parts]
    elif any(map(is_valued_member, parts)):
        return None
    if not parts:
        return np.empty((0, *leaf.shape.as_list()), leaf.dtype.numpy)
    kind = leaf.text or _OF_PYTHON.get(leaf.dtype.family)
    try:
        if leaf.weak:
            return to_array(list(parts), leaf.dtype) if all(type(part) is kind for part in parts) else None
        found = [_element(part, leaf, kind) for part in parts]
    except (TypeError, ValueError, OverflowError):
        return None
    return None if any(array is None for array in found) else np.stack(found)


def _element(part: Any, leaf: LeafType, kind: Any) -> Any:
    """The array of a tensor, or of a number of Python's beside tensors."""
    if type(part) is EagerTensor:
        return part._array if part.dtype is leaf.dtype and part.shape == leaf.shape else None
    return to_array(part, leaf.dtype) if type(part) is kind and leaf.shape.rank == 0 else None
