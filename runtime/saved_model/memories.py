"""What a trace reads and writes in each run, and is not given: the memory of Variables and of arrays, as JSON and back.

    describe_memory(memory, handle, number_of, number_of_memory)     # 3, a Variable among the saved objects
    describe_memory(...)                                             # {"array": [4, "self.table"]}
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.dtypes import resource
from runtime.errors import FormatError
from runtime.graph.graph import Graph
from runtime.graph.location import Location
from runtime.ndarrays.captured import ArrayMemory
from runtime.ops.flow.control import try_node, while_node
from runtime.ops.kernels.resource import Resource
from runtime.saved_model.values import NotSavable
from runtime.state.variable import Variable
from runtime.tensor.array_classes import holds_numbers
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["check_handles", "describe_memory", "memory_of"]

NumberOf = Callable[[Any], int | None]
"""The number of a Variable or another object among the saved ones; None if it is none of them."""


def describe_memory(memory: Resource, handle: SymbolicTensor, number_of: NumberOf, of_array: NumberOf) -> Any:
    """A memory as JSON. of_array: as number_of, for what has the memory of an array. Raises NotSavable."""
    if isinstance(memory, ArrayMemory):
        return _describe_array(memory, of_array(memory.array))
    variable = Variable._of(memory)
    number = number_of(variable)
    if number is not None:
        return number
    place = _first_use(handle)
    where = f" ({place})" if place else ""
    raise NotSavable(
        f"it uses the Variable {variable.name!r}{where}, which is not a part of what is saved:"
        " make it an attribute of the saved object, or of a module inside of it"
    )


def _describe_array(memory: ArrayMemory, number: int | None) -> Any:
    if number is None:
        raise NotSavable(
            f"it writes to the array {memory.name!r}, which is no part of what is saved: make it an attribute of the"
            " saved object, or of a module inside of it"
        )
    return {"array": [number, memory.name]}


def _first_use(tensor: SymbolicTensor) -> Location | None:
    """The line of the operation that uses an input of a graph first; in a branch or a loop, the line there."""
    place: Location | None = None
    while True:
        user = next((o for o in tensor.op.graph.operations if any(t is tensor for t in o.inputs)), None)
        if user is None:
            return place
        place = user.location or place
        first = 0 if user.op in (while_node, try_node) else 1
        position = next(i for i, t in enumerate(user.inputs) if t is tensor) - first
        inner = [g.inputs[position] for g in user.subgraphs if 0 <= position < len(g.inputs)]
        used = [t for t in inner if any(t is i for o in t.op.graph.operations for i in o.inputs)]
        if not used:
            return place
        tensor = used[0]


def memory_of(described: Any, object_of: Callable[[Any], Any]) -> Resource:
    """The memory that `describe_memory` was given. Raises ValueError, KeyError, TypeError."""
    if type(described) is dict:
        return _array(described, object_of)
    found = object_of(described)
    if not isinstance(found, Variable):
        raise ValueError("what it uses as a Variable is none")
    return found._memory


def _array(described: Any, object_of: Callable[[Any], Any]) -> ArrayMemory:
    number, name = described["array"]
    array = object_of(number)
    if not isinstance(array, np.ndarray) or array.base is not None or not holds_numbers(array):
        raise ValueError("what it writes to is no array of numbers")
    return ArrayMemory(array, str(name))


def check_handles(name: str, graph: Graph, memories: Sequence[Resource]) -> None:
    """The last inputs are the handles of the Variables and arrays that the trace captured."""
    handles = graph.inputs[len(graph.inputs) - len(memories) :] if memories else []
    if len(handles) != len(memories) or any(t.dtype is not resource for t in handles):
        raise FormatError(f"the graph of the trace {name!r:.80} has not an input for each of its Variables")
