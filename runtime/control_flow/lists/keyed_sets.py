"""`KeyedSet`: a set of which only the run knows the members.

    seen.add(v)             # v goes to the end of a list that grows, unless it is there
    a & b                   # the members of a that equal one of b: one comparison of all with all

A loop goes through the members in the order of a set of Python's that was made of them one after the other; where
members have been taken out, Python's own may have another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from autograph.errors import StagingError, StagingTypeError
from runtime.control_flow.builtins.membership import SEARCHES
from runtime.control_flow.lists.element_types import ElementType, joined
from runtime.control_flow.lists.grown import add_grown_kind
from runtime.control_flow.lists.keyed import (
    Keyed,
    column_of,
    equal_rows,
    is_staged_key,
    items_of,
    known_key,
    list_of_columns,
    plain_key,
    plain_keys,
)
from runtime.control_flow.lists.operators import add_set_methods
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.objects.maybe_contents import MaybeSet
from runtime.control_flow.objects.maybe_places import there
from runtime.control_flow.objects.maybe_views import named
from runtime.graph.location import here
from runtime.ops.records.record import REGISTRY
from runtime.state.calling import call_converted
from runtime.tensor.convert import convert_to_tensor

__all__ = ["KeyedSet", "as_keyed_set", "keyed_set", "keyed_set_of", "members_of"]

RAISES_AS_PYTHON = True  # see runtime.control_flow.tries.raised


class KeyedSet(Keyed):
    """See the module's docstring."""

    __slots__ = ()

    changed_while_gone_through = "Set changed size during iteration"

    def gone_through(self) -> TensorList:
        known = self.rows.elements
        if self.of_python is not None:
            self.of_python.is_gone_through = True
        if known is None:
            return self.rows
        from runtime.ops.reductions.counting import set_order  # a family that is imported late

        columns = self.rows.columns()
        order = set_order(self._members(known, columns))
        rows = [REGISTRY["gather"](column, order) for column in columns]
        return list_of_columns(known, rows)

    def _members(self, known: Any, columns: Sequence[Any]) -> Any:
        """The members as a vector; tuples as the rows of a matrix."""
        if known.model is None:
            return columns[0]
        kinds = {column.dtype.family for column in columns}
        is_flat = isinstance(known.model, tuple) and all(type(part) is int for part in known.model)
        if not is_flat or not (len(kinds) == 1 or kinds <= {"int", "uint", "bool"}) or "string" in kinds:
            raise StagingTypeError(
                f"{self._named()} of tuples in tuples, or of tuples of texts or of numbers of several kinds, is gone"
                f" through{here()}, and only the run knows its members: their order is not known then. Go through"
                " `sorted(s)`"
            )
        whole = columns if len({column.dtype for column in columns}) == 1 else [
            REGISTRY["cast"](column, "int64") for column in columns
        ]
        return REGISTRY["stack"](whole, axis=1)

    def pop(self) -> Any:
        has_members = REGISTRY["greater"](self.rows.length(), 0)
        REGISTRY["check"](has_members, message="pop from an empty set", exception="KeyError")
        member = self.gone_through()[0]
        self.remove(member)
        return member

    def add(self, member: Any) -> None:
        self.ensure(member, self.own(member))

    def remove(self, member: Any) -> None:
        self.rows.pop(self.check(member))

    def discard(self, member: Any) -> None:
        self.drop(*self.find(member))

    def plain(self) -> Any:
        return self.of_rows(plain_keys(self.rows))

    def of_rows(self, rows: Iterable[Any]) -> Any:
        return type(self.like)(map(plain_key, rows))

    __hash__ = None  # type: ignore[assignment]


def keyed_set(values: Any = (), like: Any = None) -> Any:
    """`set(values)`; NotImplemented where that is one of Python's."""
    like = set() if like is None else like
    items = items_of(values)
    if isinstance(values, KeyedSet):
        return KeyedSet(items, like)
    if items is NotImplemented:
        return type(like)(map(known_key, values)) if type(values) in (list, tuple) else NotImplemented
    if isinstance(items, list) and not any(map(is_staged_key, items)):
        return type(like)(map(known_key, items))
    if (column := column_of(items)) is None:
        return call_converted(_with_members, KeyedSet(TensorList(), like), items)
    from runtime.ops.reductions.counting import unique_in_order  # a family that is imported late

    return KeyedSet(list_of_columns(ElementType.rows_of(column), unique_in_order(column)[:1]), like)


def _with_members(made: Any, items: Any) -> Any:
    for item in items:
        made.add(item)
    return made


def as_keyed_set(values: Iterable[Any]) -> KeyedSet:
    """A set of Python's, or what one is made of, as one of ours."""
    if isinstance(values, MaybeSet):
        return keyed_set_of(values)
    made = values if isinstance(values, KeyedSet) else keyed_set(values)
    if isinstance(made, KeyedSet):
        return made
    return KeyedSet(TensorList(list(set(values) if made is NotImplemented else made)), set())


def keyed_set_of(members: MaybeSet, like: Any = None) -> KeyedSet:
    """The same with the members that it has in the run. Raises StagingError where they are not of one kind."""
    like = set() if like is None else like
    flags = {key: there(value) for key, value in members.contents.items()}
    kinds = {type(key) for key, flag in flags.items() if flag is not False}
    if not kinds:
        return KeyedSet(TensorList(), like, members.called)
    if len(kinds) > 1 or not kinds <= {bool, int, float, str}:
        raise StagingError(
            f"{named(members)} is gone through{here()}, and which members it has depends on a tensor: they must be"
            f" numbers of one kind or texts then. Ask for one after the other (`if {next(iter(flags))!r} in ...`)"
        )
    kept = REGISTRY["stack"]([convert_to_tensor(flag) for flag in flags.values()])
    column = REGISTRY["boolean_mask"](convert_to_tensor([*flags]), kept)
    column.weak = not kinds <= {bool, str}
    return KeyedSet(list_of_columns(ElementType.rows_of(column), [column]), like, members.called)


def _combined(first: KeyedSet, second: KeyedSet, rule: str) -> KeyedSet:
    """`first | second` and the like."""
    sides = [first.rows, first.own_rows(second.rows)]
    kind = joined(side.elements for side in sides)
    if kind is None:
        return KeyedSet(first.rows.copy(), first.like, first.called)
    sides = [TensorList.like(kind, side.handles_as(kind)) for side in sides]
    columns = [side.columns() for side in sides]
    same = equal_rows(*columns)
    in_second, in_first = (REGISTRY["reduce_any"](same, axis=axis) for axis in (1, 0))
    fresh = REGISTRY["logical_not"](in_first)
    kept = {"or": None, "and": in_second}.get(rule, REGISTRY["logical_not"](in_second))
    made = []
    for a, b in zip(*columns, strict=True):
        mine = a if kept is None else REGISTRY["boolean_mask"](a, kept)
        added = [REGISTRY["boolean_mask"](b, fresh)] if rule in ("or", "xor") else []
        made.append(REGISTRY["concat"]([mine, *added], 0))
    return KeyedSet(list_of_columns(kind, made), first.like, first.called)


def _take(self: KeyedSet, made: KeyedSet) -> None:
    self.rows.take(made.rows)


add_set_methods(KeyedSet, _combined, as_keyed_set, _take, others=(MaybeSet,))


def members_of(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """The arguments of a builtin that does not mind the order, with the list of the members of a set in its place.

    `max(d, key=d.get)` finds each of its keys: the key becomes `d[...]`, which is never None.
    """
    key: Any = kwargs.get("key")
    if args and hasattr(type(key), "__ag_watched__") and _finds_keys(type(args[0])):
        (method, *_) = key.__ag_watched__()
        if method == getattr(args[0], "get", None):
            kwargs["key"] = args[0].__getitem__
    if not args or not isinstance(args[0], KeyedSet) or function not in _IN_ANY_ORDER or "key" in kwargs:
        return args
    return (args[0].rows.copy(), *args[1:])


def _finds_keys(kind: type) -> bool:
    return hasattr(kind, "keys_of") or hasattr(kind, "__ag_found__")


_IN_ANY_ORDER: Final = frozenset({all, any, max, min, sorted, sum})

SEARCHES[KeyedSet] = lambda item, container: container.find(item)[1]
add_grown_kind(KeyedSet, "set")
