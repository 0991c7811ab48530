"""`MaybeDict`, `MaybeSet` and their like: a dict or set of which a tensor decides what keys or members it has.

    d = {"a": 1}
    if x > 0: d["b"] = x      # d is MaybeDict({"a": 1, "b": MaybeUndefined(x, defined=x > 0)}) from here on
    "b" in d                  # the tensor `x > 0`

As a list that grows takes the place of a list of Python's (runtime.control_flow.lists.promotion), such an object takes
the place of a dict or set. The keys and members themselves are Python's, and so many as the trace has met. What one
does is in maybe_dicts.py.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final

from autograph.operators.stager import WHILE_TRACING
from runtime.control_flow.lattice.leaf import MISSING
from runtime.control_flow.objects.turns import Turns, in_order, in_turn, known, new_turns, turns_of, without_turns
from runtime.control_flow.optional.values import MaybeUndefined
from runtime.heap.holder import merged_order
from runtime.heap.kind import Kind
from runtime.heap.kinds import DICT, add_kind
from runtime.heap.open_objects import is_maybe
from runtime.heap.placeholders import Absent

__all__ = [
    "DICTS", "MaybeContainer", "MaybeCounter", "MaybeDefaultDict", "MaybeDict", "MaybeOrderedDict", "MaybeSet",
    "dict_in_place_of", "with_all_keys", "write_contents",
]  # fmt: skip


class MaybeContainer:
    """See the module's docstring. contents: by the key (of a set by the member) the value, MaybeUndefined where it may
    be absent. called: how the user calls it."""

    __slots__ = ("called", "contents", "is_ordered", "turns")

    __ag_stager__ = WHILE_TRACING
    __ag_do_not_convert__ = True
    __hash__ = None  # type: ignore[assignment]
    like: ClassVar[Any] = None
    """An empty one of Python's."""
    can_be_pulled: ClassVar[bool] = False
    """Python cannot go through it, item by item."""

    def __init__(self, contents: dict[Any, Any], called: str, is_ordered: bool = True) -> None:
        self.contents = contents
        self.called = called
        self.is_ordered = is_ordered
        """Whether the keys that are there come in this order."""
        self.turns: Turns | None = None
        """In which order they came, where the trace keeps that."""

    def with_contents(self, contents: dict[Any, Any]) -> Any:
        """Another one, with these contents."""
        made = type(self)({}, self.called, self.is_ordered)
        made.turns = self.turns
        write_contents(made, contents)
        return made

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
        turns = turns_of(self.contents, self.turns)
        return found + [(f"[{turn!r}]", known(number)) for turn, number in turns.items()]

    def _nest_rebuild(self, parts: Sequence[Any]) -> Any:
        remaining = iter(parts)
        contents: dict[Any, Any] = {}
        for key, value in self.contents.items():
            part = next(remaining)
            contents[key] = MaybeUndefined(part, next(remaining), value.placeholder) if is_maybe(value) else part
        turns = turns_of(self.contents, self.turns)
        return self.with_contents({**contents, **dict(zip(turns, remaining, strict=True))})

    def _nest_check(self, other: Any) -> None:
        if type(other) is not type(self) or self._pattern() != other._pattern():
            raise TypeError(f"whether {self.called!r} has certain keys depends on a tensor, in another way in each")

    def _pattern(self) -> list[Any]:
        return [(key, is_maybe(value)) for key, value in self.contents.items()] + [self.turns is None]


class MaybeDict(MaybeContainer):
    """A dict."""

    __slots__ = ()
    like: ClassVar[Any] = {}

    def __init__(self, contents: dict[Any, Any], called: str, is_ordered: bool = True) -> None:
        super().__init__(contents, called, is_ordered)
        self.turns = new_turns(contents)

    def plain(self) -> dict[Any, Any]:
        pairs = [(key, value.value, value.defined) if is_maybe(value) else (key, value, True)
                 for key, value in self.contents.items()]  # fmt: skip
        found = {key: value for key, value, defined in pairs if defined}
        return self.filled(found if self.turns is None else {key: found[key] for key in in_turn(self.turns, found)})

    def filled(self, contents: Mapping[Any, Any]) -> Any:
        """One of Python's, of the same class, with these contents."""
        made = self.like.copy()
        for key, value in contents.items():
            made[key] = value
        return made


class MaybeOrderedDict(MaybeDict):
    """An OrderedDict."""

    __slots__ = ()
    like: ClassVar[Any] = OrderedDict()


class MaybeCounter(MaybeDict):
    """A Counter."""

    __slots__ = ()
    like: ClassVar[Any] = Counter()


class MaybeDefaultDict(MaybeDict):
    """A defaultdict."""

    __slots__ = ("like",)

    def with_contents(self, contents: dict[Any, Any]) -> Any:
        return super().with_contents(contents).as_that(self.like)

    def as_that(self: Any, owner: Any) -> Any:
        """This one, with the factory of one of Python's."""
        self.like = defaultdict(owner.default_factory)
        return self


DICTS: Final[dict[type, type[MaybeDict]]] = {
    dict: MaybeDict, OrderedDict: MaybeOrderedDict, Counter: MaybeCounter, defaultdict: MaybeDefaultDict,
}  # fmt: skip
"""By the class of Python's."""


def dict_in_place_of(owner: dict[Any, Any], contents: Mapping[Any, Any], called: str) -> MaybeDict:
    """What stands for a dict of Python's, with these contents."""
    made = DICTS[type(owner)](dict(contents), called)
    return made.as_that(owner) if isinstance(made, MaybeDefaultDict) else made


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
    kind, *others = {DICTS.get(type(value), type(value)) for value in values}
    if others or not issubclass(kind, MaybeContainer):
        return values
    wholes = [v if isinstance(v, MaybeContainer) else dict_in_place_of(v, v, f"a {type(v).__name__}") for v in values]
    patterns = [whole._pattern() for whole in wholes]
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

    keep_turns = all(whole.turns is not None for whole in wholes)
    found = [whole.with_contents({key: of(whole.contents, key) for key in keys}) for whole in wholes]
    for whole in found:
        whole.is_ordered = is_ordered
        whole.turns = whole.turns if keep_turns else None
    return found


def _read(owner: MaybeContainer) -> dict[Any, Any]:
    found = {key: value for key, value in owner.contents.items() if type(value) is not Absent}
    return {**found, **turns_of(found, owner.turns)}


def write_contents(owner: MaybeContainer, contents: dict[Any, Any]) -> None:
    """Gives it these contents."""
    owner.contents, turns = without_turns(contents)
    if owner.turns is not None:
        owner.turns = turns if turns else {**in_order(owner.contents), **owner.turns}


def _same(before: dict[Any, Any], now: dict[Any, Any]) -> bool:
    (contents, turns), (contents_now, turns_now) = without_turns(before), without_turns(now)
    same_turns = turns.keys() == turns_now.keys() and all(turns[key] is turns_now[key] for key in turns)
    return same_turns and DICT.unchanged(contents, contents_now)


def _kind(word: str) -> Kind:
    return Kind(
        word, "keys", _read, write_contents, "[{}]", _same, is_value=True, may_lack=lambda owner, key: True,
        forget_order=lambda owner: setattr(owner, "is_ordered", False),
    )  # fmt: skip


for _class in DICTS.values():
    add_kind(_class, _kind("dict"))
add_kind(MaybeSet, _kind("set"))
