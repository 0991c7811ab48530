"""Lists whose length depends on a tensor: a Python list becomes a `TensorList` in every place that refers to it.

A dict or set of which a tensor decides what keys it has becomes a `MaybeDict` or `MaybeSet` in the same way.

    items = []
    for i in runtime.range(n):      # the body is traced, and leaves a longer list: `items` is a TensorList now, from
        items.append(i)             # before the loop on, and the loop is traced again

All references must be known: those in variables, containers and objects that the statement or a function that is being
traced can reach are changed, and methods of the list that variables hold. That a function around the trace, an iterator
or a method in a container refers to the list is a reason to refuse. Whoever else kept the list finds a placeholder in
it, which refuses to be used, and the trace fails if the list is changed after that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from types import BuiltinFunctionType, FrameType, FunctionType, MethodType
from typing import Any, Final

from autograph.errors import StagingError
from autograph.operators.frame_variables import variables_of
from runtime import structures as nest
from runtime.context import recording
from runtime.control_flow.lists.element_types import ElementType
from runtime.control_flow.lists.replacements import (
    Moved,
    Replacement,
    can_grow,
    elements_seen,
    grows,
    moved_to,
    replacement_of,
)
from runtime.control_flow.lists.tensor_list import CHANGES, TensorList
from runtime.control_flow.loops.items_to_come import is_gone_through, is_to_come
from runtime.control_flow.objects.identity import note_sources
from runtime.control_flow.objects.opened import close_all
from runtime.control_flow.objects.pending import operand_holding
from runtime.control_flow.objects.references import led_to_now, reached_around
from runtime.control_flow.objects.refs import replace_in_refs
from runtime.control_flow.objects.watched import unwatch, watch, watched_elements, watched_since
from runtime.control_flow.optional.values import inside_of, with_inside
from runtime.control_flow.statement.enclosing import (
    Statement,
    innermost_frame,
    places_around,
    was_there,
    with_world_before,
    world_before,
)
from runtime.control_flow.statement.frames import (
    frames_around,
    name_in_frames,
    named_in_frames,
    objects_in,
    replace_in_frames,
    traced_frames,
)
from runtime.control_flow.statement.subgraph import current_graph
from runtime.control_flow.statement.trace_memory import forget_trace
from runtime.graph.graph import Graph
from runtime.heap.cluster import with_clusters
from runtime.heap.leads import PARTS
from runtime.heap.store import Holder, World
from runtime.ndarrays.restart import restart_with
from runtime.restarts import Restart

__all__ = [
    "Longer", "can_grow", "demote", "elements_seen", "grows", "is_named", "moved_to", "other_names", "promote",
    "take_in", "watch_replaced", "watching",
]  # fmt: skip


@dataclass(frozen=True, eq=False)
class Longer:
    """What a `Restart` has learnt: lists have another length after a branch or an iteration, dicts or sets other keys.

    lists: each with what is known of the elements that were put into it.
    """

    lists: Mapping[Holder, ElementType | None]

    @property
    def holder(self) -> Holder:
        """The first of them."""
        return next(iter(self.lists))


def take_in(found: Restart, statement: Statement, refusal: Callable[[Holder], StagingError]) -> None:
    """Puts TensorLists in the place of lists that get longer, for a statement that is traced again. Raises Restart for
    one around, and what is to be learnt otherwise. The first one must become one; of the others those that can."""
    if not found.is_for(statement, Longer):
        raise found
    learnt: Longer = found.learnt
    taken: dict[Any, ElementType | None] = {}
    reached = _reached([holder.owner for holder in learnt.lists])
    for holder, elements in learnt.lists.items():
        if taken and any(element is holder.owner for element in watched_elements()):
            continue  # of one of those, which keeps its values, not itself
        why = partial(StagingError, "") if taken else partial(refusal, holder)  # which runs code of the statement
        with suppress(StagingError) if taken else nullcontext():
            promote(holder, statement.world, why, elements=elements, reached=reached)
            taken[holder.place] = elements
    around = places_around([(holder, None) for holder in learnt.lists if holder.place in taken])
    for outermost, _ in around[:1]:
        lists = {own: taken[own.place] for known, (own, _) in around if known is outermost}
        raise Restart(Longer(lists), outermost)


def _reached(values: Sequence[Any]) -> tuple[World, World]:
    """What the functions that are being traced can reach, with what leads to some values; and those around them."""
    grown = [value for value in objects_in(traced_frames()) if type(value) is not TensorList]  # leads to none of them
    return World(*grown, of=values), reached_around(values)


def promote(
    holder: Holder, world: World, refusal: Callable[[], StagingError], besides: Any = None,
    elements: ElementType | None = None, is_statement: bool = False, reached: tuple[World, World] | None = None,
) -> Any:  # fmt: skip
    """Puts a container of ours in the place of Python's. Where that cannot be done: raises what `refusal` makes, and
    why.

    besides: a bound method of the list that is being called, and may go on to refer to it. elements: what the elements
    of an empty list will be. is_statement: whether the innermost code evaluates nothing besides but the values of an
    assignment. reached: what `_reached` has found, for several at once.
    """
    old, kind = holder.owner, replacement_of(holder.owner)
    restart_with(old, elements, kind.by_keys)
    try:
        new = kind.make(holder, elements)
    except (TypeError, ValueError) as error:
        raise _because(refusal(), kind, f"its elements cannot be tensors of one kind: {error}") from None
    inside, around, (traced, outside) = traced_frames(), frames_around(), reached or _reached([old])
    places = [*world.holders, *traced.holders]
    if other := name_in_frames(old, around) or _place_around(old, outside, places) or _name_before(old):
        why = f"{other} refers to it too; {kind.remedy}, and return that"
        raise _because(refusal(), kind, why)
    if reason := _used_later(old, places, inside[1:] if is_statement else inside):
        raise _because(refusal(), kind, reason)
    if other := _keeper(old, [*traced.keepers[id(old)], *outside.keepers[id(old)]], inside, around, besides):
        raise _because(refusal(), kind, f"{other} refers to it too; make that after the statement")
    before = holder.read()
    written, statement = list[Callable[[], None]](), innermost_frame()
    outer = traced_frames(outside_of=statement)  # what only the code of a branch knows is part of its result
    owners = {} if statement is None else World(*objects_in(outer)).by_owner
    undo: list[Callable[[], None]] = [lambda: holder.write(before)]
    for place in places:
        contents = None if place.kind.is_closed else place.exchange(lambda key, value: _replaced(value, old, new))
        if contents is not None:
            if statement is None or id(place.owner) in owners:
                undo.append(partial(place.write, contents))
            written.append(partial(place.write, contents))
    undo += replace_in_frames(outer, lambda value: _replaced(value, old, new))
    written += replace_in_frames([frame for frame in inside if frame not in outer], lambda v: _replaced(v, old, new))
    back_in_refs = list(replace_in_refs(current_graph(), old, new))
    (undo if was_there(old) else written).extend(back_in_refs)  # what a branch makes is part of its result
    note_sources(new, [old])
    CHANGES["note"]("promoted", old)
    holder.write(Moved(holder.label, kind, new).inside(type(old)))
    watch(old, f"{holder.described()} has become {kind.what}", undo)
    return new


def demote(new: TensorList, old: list[Any], contents: list[Any], world: World) -> None:
    """Puts a list of Python's back in the place of the one that has taken its place, with these elements."""
    frames = traced_frames()
    for place in (*world.holders, *World(*objects_in(frames)).holders):
        place.exchange(lambda key, value: _replaced(value, new, old))
    list(replace_in_frames(frames, lambda value: _replaced(value, new, old)))
    list(replace_in_refs(current_graph(), new, old))
    unwatch(old)
    old[:] = contents


def _used_later(value: Any, known: Sequence[Holder], frames: list[FrameType]) -> str:
    """Why a loop or an expression around will use a value that no name leads to; else the empty text."""
    if is_to_come(value, {id(place.owner) for place in known}):
        return "a loop around goes through it; loop over a list that has a name (`items = list(d.items())`)"
    if type(value) is list and is_gone_through(value):
        return "a loop around goes through it; go through a copy (`items[:]`)"
    if operand := operand_holding(value, frames):
        return f"{operand} may refer to it too. Make that call a statement of its own before, whose result has a name"
    return ""


def _name_before(value: Any) -> str:
    """What referred to a value before the trace began, in words; else the empty text."""
    world = world_before()
    holder = None if world is None else world.find(value)
    return "" if holder is None else f"{holder.label!r}, which is there before the function is traced,"


def is_named(value: Any, besides: Any) -> bool:
    """Whether the program can reach an object otherwise than by one that does not count."""
    return bool(name_in_frames(value)) or any(
        inside_of(found) is value
        for holder in World(*objects_in(traced_frames())).holders
        if holder.owner is not besides
        for found in _values(holder)
    )


def _place_around(value: Any, around: World, known: Sequence[Holder]) -> str:
    """A container or object outside of the trace that refers to a value, in words; else the empty text."""
    owners = {id(place.owner) for place in known}
    for holder in around.holders:
        if id(holder.owner) not in owners and any(found is value for found in _values(holder)):
            return holder.described() if holder.label else f"a {type(holder.owner).__name__}"
    return ""


def _keeper(
    value: Any, keepers: Iterable[Any], inside: list[FrameType], around: list[FrameType], besides: Any
) -> str:
    """What can be given no other object and refers to a value, in words: a bound method, an iterator, a default."""
    variables = [found for frame in inside for found in variables_of(frame).values()]
    outside = [found for frame in around for found in variables_of(frame).values()]
    functions = [found for found in (*variables, *outside) if type(found) is FunctionType]
    methods = {id(found) for found in variables if type(found) in _BOUND}  # which are replaced, too
    for keeper in (*keepers, *functions):
        kind = type(keeper)
        if id(keeper) in methods:
            continue
        if kind is FunctionType:
            if any(found is value for found in (keeper.__defaults__ or ())):
                return f"a default of {keeper.__name__!r}"
        elif keeper is not besides and (kind in PARTS or hasattr(kind, "__next__")):
            return f"a {kind.__name__}"
    return ""


def _because(refusal: StagingError, kind: Replacement, reason: str) -> StagingError:
    return StagingError(f"{refusal} {kind.why}, but {reason}.")


_BOUND: Final = (BuiltinFunctionType, MethodType)


def _replaced(value: Any, old: Any, new: Any) -> Any:
    if inside_of(value) is old:
        return with_inside(value, new)
    if type(value) in _BOUND and value.__self__ is old:
        return getattr(new, value.__name__, value)
    if not isinstance(value, tuple) or not any(inside_of(part) is old or isinstance(part, tuple) for part in value):
        return value
    return nest.changed(value, lambda part: _replaced(part, old, new))


def other_names(values: Sequence[Any], world: World) -> set[int]:
    """The ids of those of some values that a variable, container or object of the user's that is found refers to."""
    if not values:
        return set()
    named = named_in_frames() | {id(inside_of(found)) for holder in world.holders for found in _values(holder)}
    return named.intersection(map(id, values)) | led_to_now([value for value in values if id(value) not in named])


def watch_replaced(pairs: Iterable[tuple[Any, Any]], world: World) -> None:
    """A variable was bound to one list or another: the list before, if it has other names, may not change now.

    Which of the two an object is depends on the run, so that a change of one would have to be one of both.
    pairs: the value before the statement and that after it.
    """
    parts = [(inside_of(before), inside_of(after)) for before, after in pairs]
    replaced = [
        (old, new)
        for old, new in parts
        if old is not new and type(old) in (list, dict) and type(new) in (type(old), TensorList)
    ]
    named = other_names([old for old, _ in replaced], world)
    why = "a list or dict was replaced by another one in a branch, loop or `try` that depends on a tensor"
    for old, new in replaced:
        if id(old) in named:
            watch(old, why)
            watch(new, why)


def _values(holder: Holder) -> Sequence[Any]:
    if holder.kind.form == "whole":
        return ()
    contents = holder.read()
    return list(contents.values()) if isinstance(contents, dict) else contents


# -- what is there before the trace


@contextmanager
def watching(graph: Graph, *roots: Any) -> Iterator[None]:
    """While a graph is traced from a function and its arguments (`roots`). If that fails, lists are what they were."""
    world = World(*roots)
    try:
        with with_world_before(world), with_clusters(world.clusters()):
            yield
    except BaseException:
        with recording(graph):
            watched_since(0)
        close_all(graph, None)
        raise
    else:
        close_all(graph, world)
    finally:
        forget_trace(graph)
