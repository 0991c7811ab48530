"""Arrays as elements of lists that grow in a graph: such a list has what they hold, and not themselves.

    rows.append(row)         # note_put: `row` is another name of the element
    first = rows[0]          # note_read: and `first`, too
    first[1] = x             # the list would not see it: refused
    rows[0][1] = x           # note_set: the list is right, and what else is an element may be out of date from here on

As long as arrays are tensors a trace begins again where such an element is written to: with traced arrays, of which
`watched` knows whether they change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from runtime import structures as nest
from runtime.context import current_recorder, in_a_loop
from runtime.control_flow.objects.refs import Ref, objects_of
from runtime.control_flow.objects.watched import IN_A_LIST, can_change, forget, watch, watched_elements
from runtime.control_flow.statement.enclosing import is_repeated, world_before
from runtime.graph.graph import Graph
from runtime.graph.location import user_location
from runtime.graph.tensor_writes import TensorWrites
from runtime.heap.store import World
from runtime.ndarrays.buffer import Buffer
from runtime.ndarrays.layout import owner_of
from runtime.ndarrays.parts import note_part
from runtime.ndarrays.traced import TracedArray
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["note_copy", "note_put", "note_read", "note_rows", "note_set", "note_taken"]


def note_put(element: Any) -> None:
    """To be called with what is put into a list, before it is watched."""
    if (writes := _writes()) is None:
        return
    for part in _parts(element):
        if isinstance(part, TracedArray):
            writes.put_in_lists.append(part)
            if _is_of_an_outer_iteration(part) or any(other is part for other in watched_elements()):
                writes.names_in_lists.append(user_location())
        elif isinstance(part, np.ndarray) or writes.is_array(part):
            writes.put_in_lists.append(part)
    for container in _containers(element):
        writes.objects_in_lists += [container] * (2 if is_repeated(container) else 1)


def note_copy(model: Any) -> None:
    """To be called where another list gets the elements of one. model: their structure."""
    if (writes := _writes()) is not None and any(isinstance(part, TracedArray) for part in _parts(model)):
        writes.names_in_lists.append(user_location())


def note_rows(rows: Any, result: Any) -> Any:
    """The result of a builtin that keeps rows of an array in a list, or gives one of them: copies of the graph."""
    writes = _writes()
    if writes is None or not isinstance(rows, TracedArray | SymbolicTensor) or rows.shape.rank == 1:
        return result
    is_row = isinstance(result, SymbolicTensor) and result.shape.rank != 0
    if not (is_row or hasattr(type(result), "handles_as")):
        return result
    if isinstance(rows, SymbolicTensor):
        if is_row:
            note_part(result, [rows])
        elif writes.is_array(rows):
            writes.put_in_lists.append(rows)
        return result
    if not is_row:
        watch(rows, IN_A_LIST)
        writes.put_in_lists.append(rows)
        return result
    made = TracedArray(Buffer(result))
    for array in (rows, made):
        watch(array, _A_ROW)
    return made


_A_ROW: Final = "a row of an array is chosen by a graph, which has a copy of it"


def note_read(element: Any) -> None:
    """To be called with what was read from a list, and is still in it."""
    if (writes := _writes()) is not None:
        writes.elements |= {id(part): part for part in _parts(element) if isinstance(part, SymbolicTensor)}


def note_taken(element: Any) -> Any:
    """To be called with what was taken from a list; gives it. It may be an array that was there before, or a view."""
    if (writes := _writes()) is not None and (before := world_before()) is not None:
        arrays = [one for one in writes.put_in_lists if isinstance(one, np.ndarray) and _has_other_names(one, before)]
        for part in _parts(element) if arrays else ():
            if isinstance(part, SymbolicTensor):
                note_part(part, arrays)
    return element


def _has_other_names(array: Any, before: World) -> bool:
    owner = owner_of(array)
    return owner is not array or id(owner) in before.by_owner


def note_set(element: Any) -> None:
    """To be called where an element of a list is replaced, by itself after a write to it or by another one."""
    writes = _writes()
    written = [part for part in _parts(element) if isinstance(part, TracedArray) and forget(part)]
    if writes is None or not written:
        return
    place = user_location()
    writes.elements_set.append(place)
    for other in (*watched_elements(), *writes.put_in_lists):
        if isinstance(other, TracedArray) and not any(other is part for part in written):
            for buffer in other.buffers:
                buffer.lost = place
                if buffer.label:  # an array of the caller, which would have to be written to
                    buffer.read()


def _containers(element: Any) -> Iterator[Any]:
    """The lists, dicts and objects in an element that can change, with it."""
    for part in nest.walked([element], _parts_or_objects):
        if nest.is_structure(part) and can_change(part) and not isinstance(part, TracedArray):
            yield part


def _parts_or_objects(value: Any) -> Sequence[Any]:
    """The parts of a structure, or the objects that a value may be."""
    return objects_of(value) if type(value) is Ref else nest.parts_if_structure(value)


def _parts(element: Any) -> Iterator[Any]:
    """The arrays in an element, and the tensors that are not scalar."""
    for part in nest.walked([element], nest.parts_if_structure):
        is_array = isinstance(part, TracedArray) or (isinstance(part, np.ndarray) and part.ndim)
        if is_array or (isinstance(part, SymbolicTensor) and part.shape.rank != 0):
            yield part


def _is_of_an_outer_iteration(array: TracedArray) -> bool:
    """Whether each iteration of a loop that is being traced has the same array."""
    return any(in_a_loop(current_recorder(), buffer.home) for buffer in array.buffers)


def _writes() -> TensorWrites | None:
    recorder = current_recorder()
    return recorder.recording.tracing.writes if isinstance(recorder, Graph) else None
