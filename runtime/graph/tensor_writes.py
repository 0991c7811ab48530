"""Writes to tensors that a trace has met: `x[i] = v` binds x to a new tensor, and who else has x keeps the old one.

    def put(a):
        a[0] = 9             # `a` of this call is a new tensor from here on

    put(x)
    return x                 # refused: with an array x[0] would be 9

A tensor that is older than the call in which it is written to may not be read after that call. (Where the function
returns the new one, `x = put(x)`, nobody reads it.) And a trace knows which of its inputs it writes to, or to a view
of, because ndarrays may not be given there: the write would not reach them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograph.errors import StagingError
from runtime.context import in_a_loop, outwards
from runtime.graph.location import Location, user_location
from runtime.ops.flow.control import while_node
from runtime.ops.flow.core import placeholder
from runtime.ops.kernels.index_spec import ARRAY
from runtime.tensor.numpy_protocol import WRITTEN
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["TensorWrites"]


Owners = dict[int, tuple[int, dict[int, Any]]]
"""By the id of a graph: how many of its operations are known, and those that have graphs, by the ids of these."""


@dataclass(frozen=True, slots=True)
class Write:
    """x: what was written to. is_item: by `x[i] = v`, not by `x += v`, which binds a variable of Python anew."""

    x: Any
    is_item: bool
    place: Location | None


@dataclass(slots=True)
class TensorWrites:
    """Those of one trace."""

    made: list[Write] = field(default_factory=list)
    parts: dict[int, tuple[Any, Sequence[Any]]] = field(default_factory=dict)
    """By id: tensors that stand for views of arrays of numpy, with those that it may be."""
    to_arrays: bool = False
    """Whether anything that only the graph knows was written to an array of numpy."""
    asks_layout: bool = False
    """Whether the program depends on how arrays lie in memory."""
    asks_identity: bool = False
    """Whether it depends on which arrays are one."""
    _kept: dict[int, tuple[Any, bytes]] = field(default_factory=dict)
    """By id: the arrays that tensors are parts of, each with what it held then."""
    elements: dict[int, Any] = field(default_factory=dict)
    """By id: tensors that were read from lists that grow, and are still in them."""
    put_in_lists: list[Any] = field(default_factory=list)
    """Arrays, and tensors that numpy would have made arrays, of which such lists have what they held."""
    objects_in_lists: list[Any] = field(default_factory=list)
    """Lists, dicts and objects that were put into such lists, each as often as that."""
    names_in_lists: list[Location | None] = field(default_factory=list)
    """The lines that give an array in such a list another name, or put it into another place as well."""
    elements_set: list[Location | None] = field(default_factory=list)
    """The lines that have written to an array in such a list."""
    _changed: list[tuple[Any, Location | None]] = field(default_factory=list)
    """Elements that were written to, each with the line."""
    _stale: dict[int, tuple[Any, Any, Write]] = field(default_factory=dict)
    """By id: tensors that may not be read in a graph any more, with it and the write."""
    _within: list[int] = field(default_factory=list)
    """Those of these in graphs of branches and loops."""
    _owners: Owners = field(default_factory=dict)
    _is_off: bool = False

    @property
    def found(self) -> bool:
        """Whether any tensor may not be read any more."""
        return bool(self._stale) and not self._is_off

    def note_array(self, tensor: Any, value: Any) -> None:
        """Takes note that a tensor stands for a value, where that is an array of numpy: constants of equal arrays are
        one tensor."""
        if isinstance(value, np.ndarray) and value.ndim:
            known = self.parts.get(id(tensor), (tensor, ()))[1]
            self.note_part(tensor, [*known, value])

    def note_part(self, tensor: Any, arrays: Sequence[Any]) -> None:
        """Takes note that a tensor stands for one of several arrays of numpy, or a view of one."""
        self.parts[id(tensor)] = tensor, arrays
        for array in arrays:
            if isinstance(array, np.ndarray):
                self._check(*self._kept.setdefault(id(array), (array, array.tobytes())))

    def is_array(self, tensor: Any) -> bool:
        """Whether a tensor stands for an array of numpy, or a view of one."""
        return any(id(source) in self.parts for source in _sources([tensor], self._owners))

    def arrays_behind(self, tensor: Any) -> list[Any]:
        """The arrays of numpy, one of which a tensor stands for, or a view of one; also a view of such a view."""
        sources = _sources([tensor], self._owners) if self.parts else ()
        known = (row for source in sources if (row := self.parts.get(id(source))) is not None and row[0] is source)
        return [array for _, arrays in known for array in arrays]

    def check_parts(self) -> None:
        """At the end of a trace. Raises what begins it again, where an array has changed of which a part was taken as a
        tensor; StagingError where that does not help."""
        for array, before in self._kept.values():
            self._check(array, before)
        for line in self.elements_set:
            if others := [other for other in self.names_in_lists if other != line]:
                raise StagingError(
                    f"an array in a list that grows in the graph is written to (at {line}), and such an array has"
                    f" another name or is in another place, too (at {others[0]}), where the graph has a copy. Put"
                    " copies into lists (`rows.append(row.copy())`)"
                )
        if self._changed and self.put_in_lists:
            element, place = self._changed[0]
            _tell(element)
            raise StagingError(
                f"an array that was read from a list that grows in the graph is written to (at {place}), where the"
                " graph has a copy of it. Write to a copy (`row = rows[i].copy()`), and put that into the list"
            )

    def _check(self, array: Any, before: bytes) -> None:
        if array.tobytes() != before:
            _tell(array)
            raise StagingError(
                f"an array of {array.dtype} is written to after a part of it was taken at a place that only the graph"
                " knows, which would see that: keep what is in it in a list"
            )

    def note_same(self, tensor: Any, other: Any) -> None:
        """Takes note that a tensor may stand for what another one does."""
        for array in self.arrays_behind(other):
            self.note_array(tensor, array)

    def note(self, x: Any, is_item: bool) -> None:
        """Takes note of a write by the program. Raises StagingError where that would be one to an array of numpy."""
        for tensor in _sources([x], {}) if self.parts else ():
            if id(tensor) in self.parts:
                for array in self.parts[id(tensor)][1]:
                    _tell(array)
                raise StagingError(
                    "a part of an array of numpy is written to, at a place that only the graph knows: write to the"
                    " array itself (a[i] = v), or to a copy"
                )
        for tensor in _sources([x], self._owners) if self.elements else ():
            if id(tensor) in self.elements:
                self._changed.append((tensor, user_location()))
        self.made.append(Write(x, is_item, user_location() if is_item else None))

    @contextlib.contextmanager
    def of_call(self, graph: Any) -> Iterator[None]:
        """Around a call in this graph: what is older than it, and written to in it, may not be read after it."""
        first, start = len(self.made), len(graph.operations)
        yield
        if len(self.made) > first:
            self._end_call(graph, first, start)

    def _end_call(self, graph: Any, first: int, start: int) -> None:
        own: set[int] | None = None
        for write in self.made[first:]:
            if not write.is_item:
                continue
            own = {id(operation) for operation in graph.operations[start:]} if own is None else own
            for tensor in [*_sources([write.x], self._owners, self._stale)]:  # which makes stale what it finds
                if isinstance(tensor, SymbolicTensor):
                    if tensor.op.graph not in outwards(graph) or id(tensor.op) in own:
                        continue
                    if in_a_loop(graph, tensor.op.graph):
                        _tell(tensor)
                        raise _stale(write, "read again in the next iteration")
                if id(tensor) not in self._stale:
                    self._stale[id(tensor)] = tensor, graph, write
                    self._within.append(id(tensor))

    def end_statement(self, graph: Any) -> None:
        """At the end of a statement in this graph: what holds in its branches and iterations holds from here on."""
        for key in self._within:
            tensor, inner, write = self._stale[key]
            if inner is not graph and graph in outwards(inner):
                self._stale[key] = tensor, graph, write
        self._within = [key for key in self._within if self._stale[key][1].recording.outer is not None]

    def use(self, tensor: Any, graph: Any) -> None:
        """Raises StagingError for a tensor that may not be read in this graph any more."""
        known = self._stale.get(id(tensor))
        if known is not None and known[1] in outwards(graph):
            _tell(tensor)
            raise _stale(known[2], "read after that")

    def touch(self, tensors: Iterable[Any]) -> bool:
        """Whether one of these was written to, which stand for arrays that stay as they are."""
        found = {id(tensor) for tensor in tensors}
        return any(id(write.x) in found for write in self.made)

    @contextlib.contextmanager
    def reading_old(self) -> Iterator[None]:
        """What gradients are made of are the tensors that there were."""
        before, self._is_off = self._is_off, True
        try:
            yield
        finally:
            self._is_off = before

    def inputs(self, graph: Any) -> list[Any]:
        """The inputs of the outermost graph that are written to, or of which a view is."""
        found = {id(tensor) for tensor in _sources((write.x for write in self.made), {})}
        return [tensor for tensor in graph.inputs if id(tensor) in found]


def _tell(target: Any) -> None:
    for tell in WRITTEN:
        tell(target)


def _stale(write: Write, what: str) -> StagingError:
    return StagingError(
        f"a tensor is written to in a function that was called with it ({write.place or 'at an unknown line'}), and"
        f" {what}: tensors never change, so that only the function has the new one. Return it (`x = f(x)`), or pass an"
        " array (np.array)"
    )


def _sources(written: Iterable[Any], owners: Owners, known: Container[int] = ()) -> Iterator[Any]:
    """Tensors, and those that they would be views of if they were arrays; they may be eager ones.

    known: the ids of those behind which there is nothing new.
    """
    pending, seen = list(written), set[int]()
    while pending:
        tensor = pending.pop()
        if id(tensor) in seen:
            continue
        seen.add(id(tensor))
        yield tensor
        if not isinstance(tensor, SymbolicTensor) or id(tensor) in known:
            continue
        operation = tensor.op
        if operation.op is placeholder:
            pending += _given(tensor, owners)
        elif operation.op.facts.numpy_view and not _copies(operation):
            pending += operation.inputs[:1]
        elif graphs := operation.subgraphs:  # what a branch or an iteration leaves
            place = tensor.value_index
            pending += [g.outputs[place] for g in graphs if place < len(g.outputs)]
            pending += operation.inputs[place : place + 1] if operation.op is while_node else ()


def _copies(operation: Any) -> bool:
    """Whether numpy copies: an index with arrays, an element."""
    spec = operation.attributes.get("spec")
    return spec is not None and (ARRAY in spec or operation.outputs[0].shape.rank == 0)


def _given(tensor: Any, owners: Owners) -> list[Any]:
    """What an input of a branch or a loop stands for."""
    graph = tensor.op.graph
    found = [outer for outer, inner in graph.recording.captures if inner is tensor]
    if found or graph.recording.outer is None:
        return found
    owner = _owner_of(graph, owners)
    place = next((i for i, t in enumerate(graph.inputs) if t is tensor), None)
    return [] if owner is None or place is None or place >= len(owner.inputs) else [owner.inputs[place]]


def _owner_of(graph: Any, owners: Owners) -> Any:
    """The operation of which a graph is a part; the operations of each graph are gone through once."""
    operations = graph.recording.outer.operations
    count, found = owners.get(id(graph.recording.outer), (0, {}))
    if count < len(operations):
        found.update((id(inner), o) for o in operations[count:] for inner in o.subgraphs)
        owners[id(graph.recording.outer)] = len(operations), found
    return found.get(id(graph))
