"""Lists in a list that grows in a graph: each row has a handle, and is read and changed where it is.

    rows.append([])            # a handle is put into `rows`
    rows[-1].append(x)         # Row(rows, length - 1): takes that handle, and puts the longer list back
    best = rows[0]             # as the variable of a staged statement it is a copy of that row

In Python a row is one object, however many names and lists have it. Here it is a value in its list, which nobody else
sees change. So a trace may change rows in place, or have copies of rows that it reads, but not both.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NoReturn

from autograph.errors import StagingError, StagingTypeError
from runtime.context import current_recorder, outwards
from runtime.control_flow.lists.element_types import ElementType, LeafType, RowType, joined
from runtime.control_flow.lists.kind import as_a_list
from runtime.control_flow.lists.member_elements import as_leaf
from runtime.control_flow.lists.promotion import is_named
from runtime.control_flow.lists.tensor_list import CHANGES, TensorList
from runtime.control_flow.loops.iteration import SOURCES
from runtime.control_flow.objects.identity import note_unknown
from runtime.control_flow.objects.watched import watch_element
from runtime.control_flow.statement.trace_memory import PerTrace
from runtime.dtypes import variant
from runtime.graph.graph import Graph
from runtime.graph.location import here, user_location
from runtime.graph.nesting import nested_graphs
from runtime.heap.kinds import Kind, add_kind
from runtime.ops.lists.gradients import bundle, unbundle
from runtime.ops.lists.lists import list_get, list_rows, list_set
from runtime.ops.records.record import REGISTRY
from runtime.shapes import TensorShape

__all__ = ["Row", "check_rows", "note", "read"]


@as_a_list
class Row(TensorList):
    """A list that is an element, or a part of one, of a list that grows. See the module's docstring.

    number: that of the leaf. key: what the program says for its place.
    """

    __ag_view__ = True

    def __init__(self, whole: TensorList, number: int, place: Any, key: Any) -> None:
        self._whole, self._number, self._place, self.key = whole, number, place, key
        self._home, self._graph = whole._home, current_recorder()
        self._order = whole.order
        self._seen, self._value = whole.handles, self._read()
        self._since = next(_TIME)

    @property
    def order(self) -> int:
        return self._whole.order

    @order.setter
    def order(self, order: int) -> None:
        self._whole.order = order

    def _read(self) -> Any:
        return list_get(self._whole.handles[self._number], self._place, **self._leaf.attributes)

    @property
    def _leaf(self) -> RowType:
        assert self._whole.elements is not None
        leaf = self._whole.elements.leaves[self._number]
        assert isinstance(leaf, RowType)
        return leaf

    @property
    def _elements(self) -> ElementType | None:  # type: ignore[override]
        return self._leaf.rows

    def _get_handles(self) -> tuple[Any, ...]:
        if self._order != self._whole.order:  # it may be elsewhere, or nowhere: what was read then is a copy
            note("copied")
        elif self._is_inside():
            return opened(self._leaf, self._read())
        elif self._seen is not self._whole.handles:
            self._seen, self._value = self._whole.handles, self._read()
        return opened(self._leaf, self._value)

    def _is_inside(self) -> bool:
        """Whether it is used in a statement, and was read before it."""
        if current_recorder() is self._graph:
            return False
        note("inside", self._since)
        return True

    def _set_handles(self, handles: tuple[Any, ...]) -> None:
        note("changed")
        whole = self._whole
        whole.may_change()
        value = handles[0] if len(handles) == 1 else bundle(handles)
        changed = list(whole.handles)
        changed[self._number] = list_set(changed[self._number], self._place, value, **self._leaf.attributes)
        whole.handles = tuple(changed)
        self._seen, self._value = whole.handles, value

    handles: Any = property(_get_handles, _set_handles)

    def is_at(self, whole: TensorList, key: Any) -> bool:
        """Whether it is what that list has at a place, which nothing else has changed since it was read."""
        is_there = whole is self._whole and whole.handles is self._seen and current_recorder() is self._graph
        return is_there and _is_same(key, self.key)

    def become(self, wanted: ElementType) -> None:
        whole = self._whole.known("change")
        leaves = list(whole.leaves)
        leaves[self._number] = RowType(wanted)
        if leaves[self._number] != self._leaf:
            self._whole.become(replace(whole, leaves=tuple(leaves)))

    def take(self, other: TensorList) -> None:
        wanted = joined([self._elements, other.elements])
        if wanted is not None:
            self.become(wanted)
        self.handles = other.handles_as(wanted)

    def _nest_rebuild(self, parts: Any) -> TensorList:
        return TensorList.like(replace(self.known("keep"), of_row=True), parts)

    def detached(self) -> TensorList:
        return self._nest_rebuild(self.handles)

    def may_change(self, moves: bool = False) -> None:
        self._is_inside()
        if self._order != self._whole.order:
            refuse_change()
        super().may_change(moves)


# -- reading and putting


def read(items: TensorList, key: Any) -> Any:
    """The element at a position of a list whose elements have lists in them."""
    known = items.known("retrieve from")
    place = key
    if not (type(key) is int and key >= 0):
        place = REGISTRY["where"](REGISTRY["less"](key, 0), REGISTRY["add"](key, items.length()), key)
        message = "list index out of range"
        REGISTRY["check"](REGISTRY["greater_equal"](place, 0), message=message, exception="IndexError")
    parts = [
        Row(items, number, place, key)
        if isinstance(leaf, RowType)
        else as_leaf(leaf, list_get(handle, key, **leaf.attributes))
        for number, (handle, leaf) in enumerate(zip(items.handles, known.leaves, strict=True))
    ]
    return note_unknown(watch_element(known.pack(parts)))


def opened(leaf: RowType, value: Any) -> tuple[Any, ...]:
    """The handles of a row."""
    count = 1 if leaf.rows is None else len(leaf.rows.leaves)
    if count == 1:
        return (value,)
    return tuple(unbundle(value, dtypes=(variant,) * count, shapes=(TensorShape([]),) * count))


def as_part(leaf: LeafType | RowType, value: Any) -> Any:
    """A leaf of an element that was taken out of a list, as the program gets it."""
    if isinstance(leaf, LeafType):
        return value
    if leaf.rows is None:
        return TensorList.like(None, [value])
    return TensorList.like(replace(leaf.rows, of_row=True), opened(leaf, value))


def closed(leaf: RowType, part: Any, besides: Any) -> Any:
    """A row as the tensor that the list keeps. besides: a list that has it, too, which does not count as a name."""
    if isinstance(current_recorder(), Graph) and (isinstance(part, Row) or is_named(part, besides)):
        note("shared")
    row = part if isinstance(part, TensorList) else TensorList(part, kind=leaf.rows, instead_of=part)
    handles = row.handles_as(leaf.rows)
    return handles[0] if len(handles) == 1 else bundle(handles)


# -- what a trace does with rows


_USES: Final[PerTrace[list[tuple[str, Graph, str, Any]]]] = PerTrace(list)
"""What was done with rows, in which graph, by which line, and with which list, where that matters.

"changed" in place; "shared" with another name or list; a copy of what it was before was used, or "copied"; "moved" in
its list, with the time of that; used "inside" of a statement, but read before it, with the time at which it was read.
"read" or put as a structure, which is a copy if the list becomes one of rows: a list of Python's that is "promoted".
"""

_TIME: Final = itertools.count()


def note(what: str, subject: Any = None) -> Callable[[], None]:
    """Remembers what is done with rows: see `_USES`. Returns what forgets it."""
    graph = current_recorder()
    if not isinstance(graph, Graph):
        return lambda: None
    subject = next(_TIME) if what == "moved" else subject
    uses, entry = _USES.of(graph), (what, graph, str(user_location() or "?"), subject)
    uses.append(entry)

    def forget() -> None:
        uses[:] = [known for known in uses if known is not entry]

    return forget


def note_put(element: Any, besides: Any) -> None:
    """To be called for an element that is kept as its values: another name of a list would not see it change."""
    if type(element) is list and is_named(element, besides):
        note("read")


def check_rows() -> None:
    """At the end of a trace: raises StagingError if rows are used in two ways that do not agree."""
    graph = current_recorder()
    if not isinstance(graph, Graph) or not (uses := _USES.of(graph)):
        return
    graphs = nested_graphs(graph)
    kept = {id(inner) for inner in graphs}
    uses = [use for use in uses if id(use[1]) in kept]
    places = {what: place for what, _, place, _ in reversed(uses)}
    promoted = {id(subject) for what, _, _, subject in uses if what == "promoted"}
    turned = any(node.op is list_rows for inner in graphs for node in inner.operations)
    for number, (what, _, place, subject) in enumerate(uses):
        is_copy = what == "read" and (id(subject) in promoted or (turned and type(subject) is not list))
        if is_copy or (what == "shared" and _is_changed_later(uses, number, graph)):
            places.setdefault("copied", place)
    if places.keys() >= {"changed", "copied"}:
        raise StagingError(
            f"a list in a list that grows in the graph is changed in place (at {places['changed']}), and such a list"
            f" has another name or is in another list, too (at {places['copied']}), where the graph has a copy. Give"
            " that a copy (`rows.append(row[:])`, `best = rows[i][:]`), or put a changed list back"
            " (`rows[i] = rows[i] + [x]`)"
        )
    moved = max(((time, place) for what, _, place, time in uses if what == "moved"), default=None)
    inside = next((place for what, _, place, time in uses if what == "inside" and moved and time < moved[0]), None)
    if moved and inside:  # otherwise each was read after the last that was moved
        raise StagingError(
            "a list that was read from a list that grows in the graph is used in a statement that depends on a tensor"
            f" (at {inside}), and elements of such a list are removed, replaced or moved (at {moved[1]}). Read it in"
            " the statement (`row = rows[i]`)"
        )


@dataclass(frozen=True)
class _Put:
    """A row that was put into another place of its list: from where, the list before and after it, the notes of it."""

    place: Any
    row: Row
    after: tuple[Any, ...]
    notes: list[Any]

    def is_turned_round_by(self, whole: TensorList, place: Any, row: Row) -> bool:
        """Whether the row that was there before is put where this one was, and nothing has changed in between."""
        is_unchanged = whole.handles is self.after and row._seen is self.row._seen and row._graph is self.row._graph
        return is_unchanged and _is_same(row.key, self.place) and _is_same(place, self.row.key)


_PUT: Final[PerTrace[dict[int, _Put]]] = PerTrace(dict)
"""By the id of a list: the row that was put into it last, and the handles by which that list is known."""


def put(whole: TensorList, place: Any, element: Any) -> None:
    """`rows[place] = element`. Two rows of a list that change places stay what they are: nothing is a copy of them."""
    graph = current_recorder()
    uses, puts = _USES.here(), _PUT.here()
    before, count, handles = puts.pop(id(whole), None), len(uses), whole.handles
    is_row = isinstance(element, Row) and element._whole is whole and element._graph is graph
    is_turned = is_row and before is not None and before.is_turned_round_by(whole, place, element)
    whole.may_change(moves=True)
    whole.change(list_set, (place,), element)
    notes = [use for use in uses[count:] if use[0] in ("copied", "shared")]
    if is_turned and before is not None:
        forgotten = {id(use) for use in (*notes, *before.notes)}
        uses[:] = [use for use in uses if id(use) not in forgotten]
    elif is_row and element._seen is handles:
        puts[id(whole)] = _Put(place, element, whole.handles, notes)


def _is_same(a: Any, b: Any) -> bool:
    return a is b or (type(a) is int and type(b) is int and a == b)


def _is_changed_later(uses: Sequence[tuple[str, Graph, str, Any]], number: int, trace: Graph) -> bool:
    """Whether a row may change in place after another name or list got it: later, or in a statement around both."""
    around = [*outwards(uses[number][1])]
    for place, (what, graph, *_) in enumerate(uses):
        if what == "changed":
            others = [*outwards(graph)]
            if place > number or around[-1] is not trace or others[-1] is not trace or {*around[:-1]} & {*others}:
                return True
    return False


def refuse_change() -> NoReturn:
    """For a change of a copy of a row."""
    raise StagingError(
        f"a list that was read from another list that grows in the graph is changed in place{here()}, where the graph"
        " has a copy of it. Change it where it is (`rows[i].append(x)`), or a copy (`row = row[:]`)"
    )


def refuse_columns(items: TensorList) -> NoReturn:
    """For what would make a tensor of the elements."""
    raise StagingTypeError(
        f"the elements of a list that grows in the graph are lists of lengths of their own ({items.elements}), which"
        " make no tensor. Go through them in a `for` statement"
    )


SOURCES[Row] = SOURCES[TensorList]
CHANGES.update(
    as_part=as_part, closed=closed, note=note, note_put=note_put, put=put, read=read, refuse_change=refuse_change,
    refuse_columns=refuse_columns,
)  # fmt: skip
_VIEW: Final = Kind(
    "list", "whole", lambda row: row._whole, None, same=lambda a, b: a is b, parts=lambda whole: iter([(whole, "")]),
    is_momentary=True,
)  # fmt: skip
add_kind(Row, _VIEW)
