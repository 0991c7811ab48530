"""What a trace does with ndarrays of the program, as JSON and back.

    {"given": [[0, null, "", ""]], "written": [0], "same": [], "pattern": [], "needs_layout": true, "scalars": [1]}

Arrays that the trace has in its memory are named by their numbers among the saved objects; a view of one is an object
that says where it lies in which memory, so that what is written to one of them is seen in the others.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from runtime.dtypes import NUMBERS, from_numpy
from runtime.errors import FormatError
from runtime.function.array_uses import ArrayUses
from runtime.function.concrete import ConcreteFunction
from runtime.graph.graph import Graph
from runtime.graph.literals import DTYPES
from runtime.ndarrays.arguments import Mark
from runtime.ndarrays.captured import ArrayMemory
from runtime.ndarrays.layout import memory_of, owner_of
from runtime.ndarrays.overlaps import groups_of
from runtime.ops.records.record import Array
from runtime.tensor.array_classes import holds_numbers

__all__ = [
    "Memories", "describe_uses", "describe_view", "reads_of", "uses_of", "view_in",
]  # fmt: skip

# -- the memory of arrays -------------------------------------------------------------------------------------------


class Memories:
    """The memory of arrays among the saved objects that is written to, or that several of them share."""

    def __init__(self) -> None:
        self._found: dict[int, tuple[Any, Array]] = {}

    def __len__(self) -> int:
        return len(self._found)

    def note(self, arrays: Sequence[Array], traces: Iterator[ConcreteFunction]) -> None:
        """Finds those of some arrays. traces: all that write to them."""
        plain = [array for array in arrays if holds_numbers(array) and array.size]
        shared = [array for group in groups_of([*enumerate(plain)]) for _, array in group]
        memories = (memory for trace in traces for memory in trace.captured_inputs)
        written = {id(owner_of(memory.array)) for memory in memories if isinstance(memory, ArrayMemory)}
        for array in (*shared, *(array for array in plain if id(owner_of(array)) in written)):
            owner = owner_of(array)
            if id(owner) not in self._found and (memory := memory_of(owner)).flags.c_contiguous:
                self._found[id(owner)] = owner, memory

    def of(self, array: Array) -> Array | None:
        """The memory of an array, if it is one of those."""
        found = self._found.get(id(owner_of(array)))
        return None if found is None or not array.size else found[1]


def describe_view(array: Array, memory: Array, number: int) -> Any:
    """An array in the memory of another one, which has the number."""
    dtype = from_numpy(array.dtype)
    start = array.__array_interface__["data"][0] - memory.__array_interface__["data"][0]
    assert dtype is not None
    return {
        "kind": "view", "of": number, "start": start, "dtype": dtype.name, "shape": list(array.shape),
        "strides": list(array.strides),
    }  # fmt: skip


def view_in(memory: Any, node: Mapping[str, Any]) -> Array:
    """The array that `describe_view` was given. Raises ValueError, KeyError, TypeError."""
    dtype = DTYPES[node["dtype"]].numpy
    is_memory = isinstance(memory, np.ndarray) and memory.flags.c_contiguous and holds_numbers(memory)
    if not is_memory or dtype.kind not in NUMBERS:
        raise ValueError("what it is a view of is no array of numbers")
    numbers = [node["start"], *node["shape"], *node["strides"]]
    if any(type(number) is not int for number in numbers) or len(node["shape"]) != len(node["strides"]):
        raise ValueError("it has not one stride for each dimension")
    return np.ndarray(tuple(node["shape"]), dtype, memory, node["start"], tuple(node["strides"]))


# -- what a trace does ----------------------------------------------------------------------------------------------


def describe_uses(trace: ConcreteFunction, number_of: Callable[[Any], int | None]) -> Any:
    """What a trace knows of arrays among its arguments, as entries of its description; none where there are none."""
    uses = trace.uses
    scalars = [place for place, tensor in enumerate(trace.graph.inputs) if tensor.of_array]
    if not (uses.marks or uses.replaced or scalars):
        return {}
    read = ((find(), words) for find, words, _ in trace.reads)
    reads = [[number, words] for array, words in read if array is not None and (number := number_of(array)) is not None]
    return {
        "arrays": {
            "given": [[place, mark.strides and [*mark.strides], mark.refusal, mark.kind] for place, mark in uses.marks],
            "written": list(uses.written), "replaced": list(uses.replaced), "same": [list(pair) for pair in uses.same],
            "pattern": [[[place, first, list(strides)] for place, first, strides in group] for group in uses.pattern],
            "needs_layout": uses.needs_layout, "scalars": scalars, "reads": reads,
        }
    }  # fmt: skip


def uses_of(described: Any, graph: Graph) -> ArrayUses:
    """What `describe_uses` was given; marks the inputs that were numbers of numpy. Raises ValueError, KeyError,
    TypeError."""
    found = described.get("arrays")
    if found is None:
        return ArrayUses()
    given = {_place(n, graph): Mark(_strides(strides), str(why), str(kind)) for n, strides, why, kind in found["given"]}
    written, replaced, scalars = (_places(found[name], graph) for name in ("written", "replaced", "scalars"))
    same = tuple([_places(pair, graph) for pair in found["same"]])
    pattern = tuple([
        tuple([(_place(place, graph), int(first), _strides(strides) or ()) for place, first, strides in group])
        for group in found["pattern"]
    ])  # fmt: skip
    ends = graph.outputs[len(graph.outputs) - len(written) :]
    arrays = {*written, *(n for pair in same for n in pair), *(n for group in pattern for n, *_ in group)}
    fit = all(graph.inputs[place].dtype is end.dtype for place, end in zip(written, ends, strict=False))
    if not arrays <= {*given} or not fit or len(ends) < len(written) or not all(len(pair) == 2 for pair in same):
        raise ValueError("what it writes to is not among its arrays")
    for place in scalars:
        graph.inputs[place].of_array = True
    return ArrayUses(written, replaced, same, pattern, tuple(given.items()), found["needs_layout"] is True)


def reads_of(described: Any, object_of: Callable[[Any], Any]) -> tuple[tuple[Callable[[], Any], str, str], ...]:
    """The arrays that the trace has read. Raises ValueError, KeyError, TypeError."""
    found = []
    for number, words in described.get("arrays", {"reads": ()})["reads"]:
        if not isinstance(array := object_of(number), np.ndarray):
            raise ValueError("what it has read is no array")
        found.append((weakref.ref(array), str(words), str(words)))
    return tuple(found)


def _place(number: Any, graph: Graph) -> int:
    if type(number) is not int or not 0 <= number < len(graph.inputs):
        raise ValueError(f"the graph has no input {number!r:.80}")
    return number


def _places(numbers: Any, graph: Graph) -> tuple[int, ...]:
    return tuple([_place(number, graph) for number in numbers])


def _strides(body: Any) -> tuple[int, ...] | None:
    if body is None:
        return None
    if any(type(stride) is not int for stride in body):
        raise FormatError(f"{body!r:.80} are no strides")
    return tuple(body)
