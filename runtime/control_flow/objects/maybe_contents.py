"""`MaybeDict` and `MaybeSet`: a dict or set of which a tensor decides what keys or members it has.

    d = {"a": 1}
    if x > 0: d["b"] = x      # d is MaybeDict({"a": 1, "b": MaybeUndefined(x, defined=x > 0)}) from here on
    "b" in d                  # the tensor `x > 0`

As a list that grows takes the place of a list of Python's (runtime.control_flow.lists.promotion), such an object takes
the place of a dict or set. The keys and members themselves are Python's, and so many as the trace has met. What one
does is in maybe_dicts.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from autograph.operators.stager import WHILE_TRACING
from runtime.control_flow.lattice.leaf import MISSING
from runtime.control_flow.optional.values import MaybeUndefined
from runtime.heap.holder import merged_order
from runtime.heap.kind import Kind
from runtime.heap.kinds import add_kind
from runtime.heap.open_objects import is_maybe
from runtime.heap.placeholders import Absent

__all__ = ["MaybeContainer", "MaybeDict", "MaybeSet", "with_all_keys"]


class MaybeContainer:
    """See the module's docstring. contents: by the key (of a set by the member) the value, MaybeUndefined where it may
    be absent. called: how the user calls it."""

    __slots__ = ("called", "contents", "is_ordered")

    __ag_stager__ = WHILE_TRACING
    __ag_do_not_convert__ = True
    __hash__ = None  # type: ignore[assignment]
    like: ClassVar[Any] = None
    """An empty one of Python's."""

    def __init__(self, contents: dict[Any, Any], called: str, is_ordered: bool = True) -> None:
        self.contents = contents
        self.called = called
        self.is_ordered = is_ordered
        """Whether the keys that are there come in this order."""

    def with_contents(self, contents: dict[Any, Any]) -> Any:
        """Another one, with these contents."""
        return type(self)(contents, self.called, self.is_ordered)

    def plain(self) -> Any:
        """A dict or set of Python's with what is there; the flags are values."""
        raise NotImplementedError

    # -- as a structure of values and flags

    def _nest_parts(self) -> list[tuple[str, Any]]:
        found: list[tuple[str, Any]] = []
        for key, value in self.contents.items():
            if is_maybe(value):
                found += [(f"[{key!r}]", value.value), (f"[{key!r}] is there", value.defined)]
            else:
                found.append((f"[{key!r}]", value))
        return found

    def _nest_rebuild(self, parts: Sequence[Any]) -> Any:
        remaining = iter(parts)
        contents: dict[Any, Any] = {}
        for key, value in self.contents.items():
            part = next(remaining)
            contents[key] = MaybeUndefined(part, next(remaining), value.placeholder) if is_maybe(value) else part
        return self.with_contents(contents)

    def _nest_check(self, other: Any) -> None:
        if type(other) is not type(self) or self._pattern() != other._pattern():
            raise TypeError(f"whether {self.called!r} has certain keys depends on a tensor, in another way in each")

    def _pattern(self) -> list[Any]:
        return [(key, is_maybe(value)) for key, value in self.contents.items()]


class MaybeDict(MaybeContainer):
    """A dict."""

    __slots__ = ()
    like: ClassVar[Any] = {}

    def plain(self) -> dict[Any, Any]:
        pairs = [(key, value.value, value.defined) if is_maybe(value) else (key, value, True)
                 for key, value in self.contents.items()]  # fmt: skip
        return {key: value for key, value, defined in pairs if defined}


class MaybeSet(MaybeContainer):
    """A set: the value of each member is True."""

    __slots__ = ()
    like: ClassVar[Any] = set()

    @staticmethod
    def of(members: Iterable[Any], called: str) -> MaybeSet:
        return MaybeSet(dict.fromkeys(members, True), called)

    def plain(self) -> set[Any]:
        return {key for key, value in self.contents.items() if not is_maybe(value) or value.defined}


def with_all_keys(values: Sequence[Any]) -> Sequence[Any]:
    """Dicts that have not all the same keys for sure, with all keys in each; other values as they are."""
    if {type(value) for value in values} not in ({dict}, {dict, MaybeDict}, {MaybeDict}, {MaybeSet}):
        return values
    wholes = [value if isinstance(value, MaybeContainer) else MaybeDict(value, "a dict") for value in values]
    patterns = [set(whole._pattern()) for whole in wholes]
    if all(pattern == patterns[0] for pattern in patterns) and len(set(map(type, values))) == 1:
        return values
    contents = [whole.contents for whole in wholes]
    order = merged_order(contents)
    keys = order if order is not None else list(dict.fromkeys(key for held in contents for key in held))
    certain = {key for key in keys if all(key in held and not is_maybe(held[key]) for held in contents)}
    is_ordered = order is not None and all(whole.is_ordered for whole in wholes)

    def of(held: dict[Any, Any], key: Any) -> Any:
        value = held.get(key, MISSING)
        if key in certain or is_maybe(value):
            return value
        return MaybeUndefined(value, value is not MISSING, Absent(KeyError(key)))

    return [type(w)({key: of(w.contents, key) for key in keys}, w.called, is_ordered) for w in wholes]


def _read(owner: MaybeContainer) -> dict[Any, Any]:
    return {key: value for key, value in owner.contents.items() if type(value) is not Absent}


def _write(owner: MaybeContainer, contents: dict[Any, Any]) -> None:
    owner.contents = dict(contents)


def _may_lack(owner: Any, key: Any) -> bool:
    return True


def _forget_order(owner: MaybeContainer) -> None:
    owner.is_ordered = False


def _kind(word: str) -> Kind:
    return Kind(word, "keys", _read, _write, "[{}]", is_value=True, may_lack=_may_lack, forget_order=_forget_order)


add_kind(MaybeDict, _kind("dict"))
add_kind(MaybeSet, _kind("set"))
