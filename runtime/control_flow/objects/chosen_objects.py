"""Lists, dicts and objects of which a tensor decides which one is meant: the graph has a copy with merged contents.

    row = first if x > 0 else second     # a new list, whose elements are merged
    row[0] = 5                           # in Python `first` or `second` changes too: refused at the end of the trace
    grid[i][j] = 1                       # i is a tensor: each row of the grid that may be meant is written, or is not

Objects that nobody else refers to may be chosen and changed: then the copy takes their place.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import numpy as np

from autograph.errors import StagingError
from runtime import structures as nest
from runtime.context import current_recorder
from runtime.control_flow.branches.values import switch_values
from runtime.control_flow.lists.promotion import has_other_names
from runtime.control_flow.lists.tensor_list import CHANGES, TensorList
from runtime.control_flow.objects.chosen_arrays import is_kept_memory
from runtime.control_flow.objects.identity import note_merged, note_sources
from runtime.control_flow.objects.watched import CHOSEN, check_watched, unwatch, watch_parts
from runtime.control_flow.optional.values import inside_of
from runtime.control_flow.statement.trace_memory import PerTrace
from runtime.dtypes import int32
from runtime.graph.graph import Graph
from runtime.heap.store import World
from runtime.ndarrays.chosen import ChosenArray
from runtime.ndarrays.restart import restart
from runtime.ndarrays.traced import TracedArray
from runtime.ops.control import switch_node
from runtime.ops.lists import list_set
from runtime.ops.record import REGISTRY
from runtime.tensor.tensor import Tensor

__all__ = ["check_written", "chosen_item", "is_chosen_item", "sources_of", "watch_chosen", "write_back"]

_ITEMS: Final[PerTrace[dict[Graph, dict[int, tuple[Any, list[Any], Any, list[Any], Any]]]]] = PerTrace(dict)
"""For each graph by the id of a copy: the copy, the items that it was chosen from, the position of the one meant,
what is watched for it, and the key that it was read by."""


_SOURCES: Final[PerTrace[dict[int, tuple[Any, list[Any]]]]] = PerTrace(dict)
"""By id, the objects that were merged after a branch, and those that they were merged from."""

_ARRAYS: Final[PerTrace[dict[int, tuple[Any, Sequence[Any]]]]] = PerTrace(dict)
"""By id, the tensors that stand for one of several arrays, and these."""

_OURS: Final = 4
"""How often a copy is referred to that nobody uses: above, in identity.py, where it is watched, and to be counted."""


# -- after a branch


def watch_chosen(rows: Sequence[Sequence[Any]], merged: Sequence[Any], world: World) -> None:
    """After a statement: what was merged from objects that can be reached otherwise must not change, nor may these.

    rows: what each branch gives for the variables and places; merged: what they are after the statement.
    """
    for column, after in zip(zip(*rows, strict=True), merged, strict=False):
        note_merged(column, after)
    if len(rows) < 2:
        _watch_copies(rows, merged, world)
        return
    graph = current_recorder()
    seen: list[dict[int, int]] = [{} for _ in rows]
    found = []
    for column, after in zip(zip(*rows, strict=True), merged, strict=True):
        _watch_arrays(tuple(map(inside_of, column)), inside_of(after), world)
        if _is_exact(column, after):
            continue
        for sources in _choices(column):
            found.append((sources, after))
            if isinstance(graph, Graph):
                _SOURCES.of(graph).setdefault(id(inside_of(after)), (inside_of(after), []))[1].extend(sources)
            for counts, source in zip(seen, sources, strict=True):
                counts[id(source)] = counts.get(id(source), 0) + 1
    for sources, after in found:
        twice = any(counts[id(source)] > 1 for counts, source in zip(seen, sources, strict=True))
        objects = [source for source in sources if _is_object(source)]
        if twice or any(_is_shared(source, world) for source in objects):
            for value in (*objects, inside_of(after)):
                watch_parts(value, CHOSEN)


def _is_exact(column: Sequence[Any], after: Any) -> bool:
    """Whether it is an array that stands for those of the branches, and is no copy."""
    arrays = [value for value in map(inside_of, column) if isinstance(value, TracedArray)]
    merged = inside_of(after)
    if isinstance(merged, ChosenArray):
        return True
    return isinstance(merged, TracedArray) and any(merged.buffer is array.buffer for array in arrays)


def _is_shared(source: Any, world: World) -> bool:
    """Whether there is another way to an object; one to an array is another view, and what the caller has."""
    if not isinstance(source, TracedArray):
        return has_other_names(source, world)
    return any(is_kept_memory(buffer, world) for buffer in source.buffers)


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
        parts = [[part for _, part in nest.children(value)] for value in (source, after)]
        pending += zip(*parts, strict=False)
    for source, *others in copies.values():
        if len(others) > 1 or (others and has_other_names(source, world)):
            for value in (source, *others):
                watch_parts(value, CHOSEN)


def sources_of(merged: Any) -> Sequence[Any]:
    """The objects, one of which a merged one stands for; none for what was not merged."""
    graph = current_recorder()
    known = _SOURCES.of(graph).get(id(merged)) if isinstance(graph, Graph) else None
    return [] if known is None or known[0] is not merged else known[1]


def _watch_arrays(arrays: Sequence[Any], after: Any, world: World) -> None:
    """One of several arrays has become a tensor. It may not be written to where others refer to the arrays."""
    if not all(isinstance(array, np.ndarray) for array in arrays) or all(array is arrays[0] for array in arrays):
        return
    graph = current_recorder()
    if isinstance(graph, Graph) and any(has_other_names(array, world) for array in arrays):
        _ARRAYS.of(graph)[id(after)] = after, arrays
        for array in arrays:
            watch_parts(array, CHOSEN)


def check_written(tensor: Any) -> None:
    """Raises StagingError if a write to an element of this tensor was one to an array that others refer to."""
    graph = current_recorder()
    known, arrays = _ARRAYS.of(graph).get(id(tensor), (None, ())) if isinstance(graph, Graph) else (None, ())
    if known is tensor and tensor is not None:
        for array in arrays:
            restart(array)
        raise StagingError(
            "an element is written of an array of which a tensor decides which one it is, and other names refer to the"
            " arrays, which would not see that. Write to the array in the branches, or copy the arrays before"
            " (array.copy())"
        )


def _choices(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """The objects of the branches of which one is chosen, also those in tuples and in other objects."""
    pending = [tuple(map(inside_of, values))]
    while pending:
        column = pending.pop()
        objects = [value for value in column if _is_object(value)]
        if not objects or all(value is column[0] for value in column):
            continue
        if not all(isinstance(value, tuple) for value in objects):
            yield column
        if any(isinstance(value, TracedArray) for value in objects):
            continue
        parts = [[part for _, part in nest.children(value)] for value in objects]
        if len(objects) == len(column) and len({len(part) for part in parts}) == 1:
            pending += [tuple(map(inside_of, column)) for column in zip(*parts, strict=True)]


def _is_object(value: Any) -> bool:
    return not isinstance(value, Tensor) and nest.is_nested(value)


# -- elements by a tensor


def chosen_item(copy: Any, items: list[Any], position: Any, key: Any) -> Any:
    """The copy that stands for the item at a position which only the graph knows; it and the items may not change.

    key: what the program says for the position.
    """
    graph = current_recorder()
    if isinstance(graph, Graph) and _is_object(inside_of(copy)):
        note_sources(inside_of(copy), list(map(inside_of, items)))
        watched = [entry for value in (copy, *items) for entry in watch_parts(inside_of(value), CHOSEN)]
        _ITEMS.of(graph).setdefault(graph, {})[id(copy)] = (copy, items, position, watched, key)
    return copy


def is_chosen_item(holder: Any, copy: Any, key: Any) -> bool:
    """Whether a value was read from this list, tuple or dict by this very tensor, in the graph that is recorded."""
    graph = current_recorder()
    known = _ITEMS.of(graph).get(graph, {}).get(id(copy)) if isinstance(graph, Graph) else None
    if known is None or known[0] is not copy or known[4] is not key:
        return False
    inside = holder.values() if isinstance(holder, dict) else holder
    return all(any(item is part for part in inside) for item in known[1])


def write_back(copy: Any) -> None:
    """What was written to an element of the copy is written to that of each item, where it is the one meant."""
    graph = current_recorder()
    assert isinstance(graph, Graph)
    _, items, position, watched, _ = _ITEMS.of(graph)[graph].pop(id(copy))
    unwatch(watched)
    check_watched()
    _forget_unused(graph)
    if _stand_for(graph, items):
        gc.collect()  # what nobody can use any more does not count, whenever it would be collected
        _forget_unused(graph)
    is_meant = [REGISTRY["cast"](REGISTRY["equal"](position, number), int32) for number in range(len(items))]
    if _is_longer(copy, items):
        _write_longer(items, copy, is_meant)
        return
    for item, meant in zip(items, is_meant, strict=True):
        _write(item, copy, meant)


def _forget_unused(graph: Graph | None) -> None:
    """Copies that were read, as in `grid[i][j] + 1`, and are nowhere any more, cannot be out of date."""
    while graph is not None:
        known = _ITEMS.of(graph).get(graph, {})
        unused = [key for key, kept in known.items() if sys.getrefcount(kept[0]) <= _OURS and _is_flat(kept[0])]
        for key in unused:
            unwatch(known.pop(key)[3])
        graph = graph.outer


def _stand_for(graph: Graph | None, items: Sequence[Any]) -> bool:
    """Whether other copies stand for one of these items, too."""
    while graph is not None:
        known = [item for kept in _ITEMS.of(graph).get(graph, {}).values() for item in kept[1]]
        if any(item is other for item in items for other in known):
            return True
        graph = graph.outer
    return False


def _is_flat(copy: Any) -> bool:
    return not any(nest.is_nested(part) for _, part in nest.children(copy))


def _is_longer(copy: Any, items: Sequence[Any]) -> bool:
    """Whether lists are to be written back as a list of another length: by `rows[i] += [x]`."""
    if not all(type(value) in (list, TensorList) for value in (copy, *items)):
        return False
    if any(isinstance(item, TensorList) for item in items):
        return True
    return not _has_its_length(copy) if isinstance(copy, TensorList) else any(len(item) != len(copy) for item in items)


def _write_longer(items: Sequence[Any], copy: Any, is_meant: Sequence[Any]) -> None:
    """Makes the items lists that grow, under all their names; each becomes the copy where it is the one meant."""
    longer = copy if isinstance(copy, TensorList) else TensorList(copy)
    made: dict[int, Any] = {}
    for number, meant in enumerate(is_meant):  # an iterator over the items would be one more that refers to them
        item = items[number]
        if id(item) not in made:
            made[id(item)] = CHANGES["grown_in_place"](item) if type(item) is list else item
        grown = made[id(item)]
        branches: list[Callable[[], Any]] = [lambda grown=grown: [grown.copy()], lambda: [longer.copy()]]  # type: ignore[misc]
        grown.take(switch_values(meant, branches, ["the element"])[0])


def _has_its_length(copy: TensorList) -> bool:
    """Whether a list that was merged from lists of several lengths has the length that it was merged with."""
    for handle in copy.handles:
        while handle.op.op is list_set:
            handle = handle.op.inputs[0]
        if handle.op.op is not switch_node:
            return False
    return True


def _write(item: Any, copy: Any, is_meant: Any) -> None:
    """Gives a list or dict the elements of the copy where `is_meant` is 1."""
    if type(item) is list and isinstance(copy, TensorList) and _has_its_length(copy):
        for key, old in enumerate(item):  # elements of a longer list are there only where that one is meant
            branches = [lambda old=old: [old], lambda key=key: [copy[key]]]
            item[key] = switch_values(is_meant, branches, ["the element"])[0]
        return
    if type(item) is list and type(copy) is list and len(item) == len(copy):
        keys: Any = range(len(item))
    elif type(item) is dict and type(copy) is dict and list(item) == list(copy):
        keys = list(item)
    else:
        raise StagingError(
            f"an element of an object is set ({type(item).__name__}), and a tensor decides which of several objects"
            " that is; only elements that exist already, of lists and dicts, can be set so. Keep the numbers in a"
            " tensor (runtime.stack, runtime.constant), whose elements can be assigned"
        )
    for key in keys:
        old, new = item[key], copy[key]
        if old is new:
            continue
        if nest.is_nested(old) and nest.is_nested(new) and not isinstance(old, Tensor | tuple):
            _write(old, new, is_meant)
        else:
            branches = [lambda old=old: [old], lambda new=new: [new]]
            item[key] = switch_values(is_meant, branches, ["the element"])[0]
