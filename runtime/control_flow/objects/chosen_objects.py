"""Objects that a tensor chooses where it is not known which ones these are: the graph has a copy after a loop or `try`.

    for i in range(n): row = [i] + row   # after it a new list, with what some iteration leaves
    row[0] = 5                           # where others refer to the lists that `row` may be: refused

What the branches of an `if` choose is a `Ref` (refs.py), and no copy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from itertools import chain
from typing import Any, Final

import numpy as np

from runtime import structures as nest
from runtime.control_flow.lattice.leaf import MISSING
from runtime.control_flow.lists.promotion import other_names
from runtime.control_flow.objects.identity import note_merged
from runtime.control_flow.objects.refs import Ref, objects_of
from runtime.control_flow.objects.watched import CHOSEN, watch_parts
from runtime.control_flow.optional.values import inside_of
from runtime.control_flow.statement.trace_memory import PerTrace
from runtime.heap.store import World
from runtime.ndarrays.chosen import ChosenArray
from runtime.ndarrays.parts import arrays_behind, note_copy, note_part
from runtime.ndarrays.traced import TracedArray
from runtime.tensor.tensor import Tensor

__all__ = ["sources_of", "watch_chosen"]

_Column = Sequence[Sequence[Any]]
"""For each branch the objects that a value may be."""

_SOURCES: Final[PerTrace[dict[int, tuple[Any, list[Any]]]]] = PerTrace(dict)
"""By id, the objects that were merged after a branch, and those that they were merged from."""


# -- after a branch


def watch_chosen(
    rows: Sequence[Sequence[Any]], merged: Sequence[Any], world: World, copies: Container[int] = ()
) -> None:
    """After a statement: what was merged from objects that can be reached otherwise must not change, nor may these.

    rows: what each branch gives for the variables and places; merged: what they are after the statement; copies: the
    ids of what among it nothing else can refer to.
    """
    for column, after in zip(zip(*rows, strict=True), merged, strict=False):
        note_merged(column, after)
    if len(rows) < 2:
        _watch_copies(rows, merged, world)
        return
    merged_from = _SOURCES.here()
    seen = [Counter(key for value in row for key in _memory_of(inside_of(value))) for row in rows]
    found = []
    for column, after in zip(zip(*rows, strict=True), merged, strict=True):
        _watch_arrays(column, after)
        _watch_shared(column, after, rows, merged, world)
        for sources in _choices(column, after):
            found.append((sources, after))
            merged_from.setdefault(id(inside_of(after)), (inside_of(after), []))[1].extend(chain(*sources))
            for counts, possible in zip(seen, sources, strict=True):
                counts.update(id(source) for source in possible if not isinstance(source, TracedArray))
    chosen = [source for sources, _ in found for source in chain(*sources) if _is_object(source)]
    known = [source for source in chosen if not isinstance(source, TracedArray) and id(source) not in copies]
    named = other_names(known, world)
    for sources, after in found:
        twice = any(
            counts[key] > 1
            for counts, possible in zip(seen, sources, strict=True)
            for source in possible
            for key in _memory_of(source) or [id(source)]
        )
        objects = [source for source in chain(*sources) if _is_object(source)]
        if twice or any(_is_shared(source, named, world) for source in objects):
            for value in (*objects, inside_of(after)):
                watch_parts(value, CHOSEN)


def _memory_of(value: Any) -> list[int]:
    """The ids of the memory of an array; of nothing else."""
    return [id(buffer) for buffer in value.buffers] if isinstance(value, TracedArray) else []


def _is_exact(column: Sequence[Any], after: Any) -> bool:
    """Whether it is an array that stands for those of the branches, and is no copy."""
    arrays = [value for value in map(inside_of, column) if isinstance(value, TracedArray)]
    merged = inside_of(after)
    if isinstance(merged, ChosenArray | Ref) or any(value is MISSING for value in column):
        return True
    return isinstance(merged, TracedArray) and any(merged.buffer is array.buffer for array in arrays)


def _is_shared(source: Any, named: Container[int], world: World) -> bool:
    """Whether there is another way to an object; one to an array is another view, and what the caller has.

    named: the ids of the objects that something else refers to."""
    if not isinstance(source, TracedArray):
        return id(source) in named
    return any(world.knows(buffer) for buffer in source.buffers)


def _watch_copies(rows: Sequence[Sequence[Any]], merged: Sequence[Any], world: World) -> None:
    """Only one branch comes to its end: what it made under two names must not change, where these are two copies."""
    copies: dict[int, list[Any]] = {}
    pending = list(zip(*rows, merged, strict=False))
    while pending:
        source, after = map(inside_of, pending.pop())
        if source is after or isinstance(source, Tensor | TracedArray):
            continue
        if not (nest.is_nested(source) and nest.is_nested(after)):
            continue
        known = copies.setdefault(id(source), [source])
        known += [] if isinstance(source, tuple) or any(after is copy for copy in known) else [after]
        parts = [nest.parts(value) for value in (source, after)]
        pending += zip(*parts, strict=False)
    named = other_names([source for source, *others in copies.values() if others], world)
    for source, *others in copies.values():
        if len(others) > 1 or id(source) in named:
            for value in (source, *others):
                watch_parts(value, CHOSEN)


def sources_of(merged: Any) -> Sequence[Any]:
    """The objects, one of which a merged one stands for; none for what was not merged."""
    known = _SOURCES.here().get(id(merged))
    return [] if known is None or known[0] is not merged else known[1]


def _watch_arrays(values: Sequence[Any], after: Any) -> None:
    """One of several arrays has become a tensor: a write to it, or to one of them, needs memory of the graph."""
    pending = [(tuple(map(inside_of, values)), inside_of(after))]
    while pending:
        arrays, merged = pending.pop()
        if isinstance(merged, Tensor):
            if any(array is not arrays[0] for array in arrays):
                note_part(merged, arrays)
                behind = [one for array in arrays for one in arrays_behind(array)]
                of_numpy = {id(array): array for array in (*arrays, *behind) if isinstance(array, np.ndarray)}
                for array in (*of_numpy.values(), *([merged] if behind else ())):
                    watch_parts(array, CHOSEN)
        elif isinstance(merged, list | tuple | dict) and any(value is not merged for value in arrays):
            pending += _columns(arrays, merged)


def _watch_shared(
    column: Sequence[Any], after: Any, rows: Sequence[Sequence[Any]], merged: Sequence[Any], world: World
) -> None:
    """A number in one branch is an array in another one, and after them a tensor: no write may be meant for the array
    where its memory has another name, neither one to the tensor nor one by that name."""
    copy = inside_of(after)
    for value, row in zip(map(inside_of, column), rows, strict=True) if isinstance(copy, Tensor) else ():
        if not isinstance(value, TracedArray):
            continue
        keys = {*_memory_of(value)}
        kept = [TracedArray(buffer) for buffer in value.buffers if world.knows(buffer)]
        named = zip(map(inside_of, row), map(inside_of, merged), strict=False)
        others = [new for old, new in named if new is not copy and not keys.isdisjoint(_memory_of(old))]
        if shared := [*kept, *others]:
            note_copy(copy, value)
            for array in shared:
                watch_parts(array, CHOSEN)


def _columns(values: Sequence[Any], merged: Any) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """The parts of structures, and what each became; some of the structures may not be there."""
    alike = [value for value in values if type(value) is type(merged) and len(value) == len(merged)]
    rows = zip(*(nest.parts(value) for value in (*alike, merged)), strict=True)
    for row in rows:
        yield tuple(map(inside_of, row[:-1])), inside_of(row[-1])


def _choices(values: Sequence[Any], after: Any) -> Iterator[_Column]:
    """The objects that each branch may have where one is chosen, also those in tuples and in other objects."""
    pending: list[tuple[_Column, Any]] = [([objects_of(inside_of(value)) for value in values], inside_of(after))]
    while pending:
        column, merged = pending.pop()
        possible = list(chain(*column))
        objects = [value for value in possible if _is_object(value)]
        if not objects or _is_exact(possible, merged) or any(value is merged for value in possible):
            continue
        if not all(isinstance(value, tuple) for value in objects):
            yield column
        if not any(isinstance(value, TracedArray) for value in objects) and len(objects) == len(possible):
            pending += _parts_of(column, merged)


def _parts_of(column: _Column, merged: Any) -> Iterator[tuple[_Column, Any]]:
    """The columns of the parts of objects; none where they do not have equally many."""
    rows = [[_parts(value) for value in possible] for possible in column]
    after = _parts(merged)
    if {len(parts) for row in rows for parts in row} == {len(after)}:
        for k, part in enumerate(after):
            branches = [chain(*(objects_of(parts[k]) for parts in row)) for row in rows]
            yield [list({id(value): value for value in branch}.values()) for branch in branches], part


def _parts(value: Any) -> list[Any]:
    return [inside_of(part) for _, part in nest.children(value)] if nest.is_nested(value) else []


def _is_object(value: Any) -> bool:
    return not isinstance(value, Tensor) and nest.is_nested(value)
