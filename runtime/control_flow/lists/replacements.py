"""What takes the place of a container of Python's of which a tensor decides how many elements, or what keys, it has.

    list   ->  TensorList, which grows in the graph
    dict   ->  MaybeDict, whose keys may be absent; a Counter and the like -> one of its kind
    set    ->  MaybeSet

How that is done, in all places that refer to it, is in promotion.py. Whoever else kept the container finds a
placeholder in it, which refuses to be used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Final, NoReturn

from autograph.errors import StagingError
from runtime.control_flow.lists.data_structures import declared_elements
from runtime.control_flow.lists.element_types import ElementType, joined
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.objects.maybe_contents import DICTS, MaybeSet, dict_in_place_of
from runtime.control_flow.objects.ref_members import is_valued
from runtime.control_flow.objects.refs import objects_of
from runtime.control_flow.statement.subgraph import current_graph
from runtime.control_flow.statement.trace_memory import PerTrace
from runtime.heap.store import Contents, Holder

__all__ = [
    "KINDS", "Moved", "Replacement", "can_grow", "elements_seen", "grows", "in_place_of", "moved_to", "replace_by",
    "replacement_of",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Replacement:
    """What takes the place of a container of Python's. make: makes it, from the container's holder and what is known of
    its elements; what, why, unknown: for messages; remedy: how the program has one that can be replaced; by_keys:
    whether that is because tensors are its keys or members."""

    make: Callable[[Holder, ElementType | None], Any]
    what: str
    why: str
    remedy: str
    unknown: str = "how many they are"
    by_keys: bool = False


def _growing_list(holder: Holder, elements: ElementType | None) -> TensorList:
    return TensorList(holder.before, kind=declared_elements(holder.owner) or elements, instead_of=holder.owner)


_KEYS: Final = "Which {} it has depends on a tensor, so it would become a {} of the graph"
_OF_DICTS: Final = Replacement(
    lambda holder, elements: dict_in_place_of(holder.owner, holder.before, holder.label), "a dict of the graph",
    _KEYS.format("keys", "dict"), "change a copy (`d = d.copy()`)",
)  # fmt: skip
KINDS: Final[dict[type, Replacement]] = {
    list: Replacement(
        _growing_list, "a list that grows in the graph",
        "Its length depends on a tensor, so it would become a list that grows in the graph",
        "change a copy (`items = items[:]`)",
    ),
    **dict.fromkeys(DICTS, _OF_DICTS),
    set: Replacement(
        lambda holder, elements: MaybeSet.of(holder.before, holder.label), "a set of the graph",
        _KEYS.format("members", "set"), "change a copy (`s = set(s)`)",
    ),
}  # fmt: skip
"""By the class of the container."""


_KEYED: Final[PerTrace[dict[int, tuple[Any, Replacement]]]] = PerTrace(dict)
"""The dicts and sets whose keys are tensors: each by its id, and what takes its place."""


def replacement_of(owner: Any) -> Replacement:
    """What takes the place of a container in this trace."""
    known = _KEYED.of(current_graph()).get(id(owner))
    return KINDS[type(owner)] if known is None else known[1]


def replace_by(owner: Any, kind: Replacement) -> None:
    """From now on this takes the place of a container, in this trace."""
    _KEYED.of(current_graph())[id(owner)] = (owner, kind)


def in_place_of(holder: Holder, is_empty: bool = False, elements: ElementType | None = None) -> Any:
    """What takes the place of a container, with what that holds now, or with nothing. elements: what is known of those
    of a list."""
    return replacement_of(holder.owner).make(replace(holder, before=[] if is_empty else holder.read()), elements)


class Moved:
    """What a container holds after another one has taken its place."""

    def __init__(self, name: str, kind: Replacement, new: Any) -> None:
        self.__dict__["name"] = name
        self.__dict__["kind"] = kind
        self.__dict__["new"] = new

    def inside(self, kind: type) -> Contents:
        """The contents of a list, dict or set that holds this."""
        return {self: self} if issubclass(kind, dict) else {self} if kind is set else [self]

    def __ag_moved_to__(self) -> Any:
        """For a display that has been evaluated in part before this."""
        return self.__dict__["new"]

    def __repr__(self) -> str:
        return f"<moved: {self.__dict__['name']!r} has become {self.__dict__['kind'].what}>"

    def __getattr__(self, attribute: str) -> NoReturn:
        if attribute.startswith("__") and attribute.endswith("__"):
            raise AttributeError(attribute)
        self._refuse()

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise StagingError(
            f"{self.__dict__['name']!r} has become {self.__dict__['kind'].what}, for its length or what keys it has"
            " depends on a tensor; here it is reached in another way, which is out of date. Use it under that name"
        )


_USES: Final = (
    "add radd sub rsub mul rmul truediv rtruediv lt le gt ge call getitem setitem len iter bool float int index"
    " format str"
)
for _use in _USES.split():
    setattr(Moved, f"__{_use}__", Moved._refuse)


def grows(holder: Holder, before: Contents, now: Contents) -> bool:
    """Whether a list has another length, or a dict or set other keys; or has been replaced in code just traced."""
    if not can_grow(holder):
        return False
    if _moved_in(now) is not None:
        return True
    if isinstance(now, dict):
        return list(before) != list(now)
    return len(before) != len(now) if isinstance(now, list) else not holder.kind.unchanged(before, now)


def can_grow(holder: Holder) -> bool:
    """Whether it is a list, dict or set of Python's, in whose place another one can be put."""
    known = type(holder.owner) in KINDS or id(holder.owner) in _KEYED.of(current_graph())
    return known and holder.kind.write is not None


def _moved_in(value: Any) -> Moved | None:
    """What stands in a container for the one that has taken its place."""
    if not (type(value) in KINDS or isinstance(value, dict)) or len(value) != 1:
        return None
    (only,) = value.values() if isinstance(value, dict) else value
    return only if type(only) is Moved else None


def moved_to(value: Any) -> Any:
    """What has taken the place of a container; None if nothing has."""
    moved = _moved_in(value)
    return None if moved is None else moved.__dict__["new"]


def elements_seen(contents: Iterable[Contents]) -> ElementType | None:
    """What the elements of a list have in common that was traced with them; None where that is not known.

    An empty list may then be read where the program is traced again: by `if items and items[-1] > x`.
    """
    contents = list(contents)
    if not all(isinstance(content, list) for content in contents):
        return None
    items = [item for content in contents for item in content if type(item) is not Moved]
    possible = (one for item in items for one in ([item] if is_valued(item) else objects_of(item)))
    try:
        return joined(map(ElementType.of, possible))
    except (TypeError, ValueError):
        return None
