"""ndarrays that a traced function finds in globals, closures and objects, and writes to: state, as Variables are.

    TOTAL = np.zeros(3)

    @runtime.function
    def add(x):
        TOTAL[0] += x          # read when the graph begins, written when it has run to its end

`ArrayMemory` is the memory behind the handle of a graph; its value is what the program's own array holds.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.context import current_recorder
from runtime.dtypes import as_dtype
from runtime.ndarrays.arguments import write_back
from runtime.ndarrays.buffer import READ_ONLY, Buffer
from runtime.ndarrays.layout import layout_of, memory_of
from runtime.ndarrays.steps import Positions
from runtime.ndarrays.traced import TracedArray
from runtime.ops.flow import state
from runtime.ops.kernels.resource import Resource
from runtime.ops.records.record import Array
from runtime.shapes import TensorShape

__all__ = ["ArrayMemory", "Captured", "view_of"]


class ArrayMemory(Resource):
    """The memory of an array of the program: what is read is a copy, for the program may write to it at any time."""

    __slots__ = ("_found", "is_written")

    def __init__(self, array: Array, name: str) -> None:
        super().__init__(np.empty(0), as_dtype(array.dtype), TensorShape(array.shape), name, trainable=False)
        self._array = array
        self.is_written = True
        """Whether runs write to the array what they have made of what they have read."""
        self._found = threading.local()
        """What the run of this thread has read."""

    @property
    def array(self) -> Array:
        """The array of the program."""
        return self._array

    def read(self) -> Array:
        """What the array holds now."""
        with self._lock:
            found = self._array.copy()
            if self.is_written:
                self._found.arrays = [found] if threading.active_count() > 1 else None
            return found

    def assign(self, value: Array) -> None:
        """Writes to the array; what is as this thread has read it is left to others."""
        with self._lock:
            write_back([self._array], [value], vars(self._found).pop("arrays", None))

    take = assign

    def leave(self, fetch: Callable[[], Array], instead_of: Array | None = None) -> None:
        """Writes to the array, which the program sees, and so stays here."""
        if instead_of is None:
            self.assign(fetch())

    def update(self, ufunc: Callable[..., Array], value: Array) -> None:
        """Writes the result of a ufunc to the array."""
        with self._lock:
            ufunc(self._array, value, self._array)

    def change(self, change: Callable[[Array], None]) -> None:
        """Lets `change` write to the array."""
        with self._lock:
            change(self._array)


def view_of(array: Any, memory: Any, buffer: Buffer) -> TracedArray:
    """What stands for an array in some memory. buffer: what stands for all of it; memory: an array of all of it."""
    here, there = (a.__array_interface__["data"][0] for a in (array, memory))
    if here == there and array.shape == memory.shape and array.strides == memory.strides:
        return TracedArray(buffer)
    return TracedArray(buffer, (Positions.of(array, memory),), layout_of(array))


@dataclass(eq=False)
class Captured:
    """An array that owns its memory, in one trace. buffer: what stands for that memory."""

    owner: Any
    memory: ArrayMemory
    buffer: Buffer

    @classmethod
    def of(cls, owner: Any, label: str) -> Captured:
        """Reads it, in the graph that is being recorded."""
        memory = ArrayMemory(memory_of(owner), label)
        graph: Any = current_recorder()
        attributes = {"dtype": memory.dtype, "shape": memory.shape}
        tensor = graph.record(state.read_variable, [graph.recording.handle(memory)], attributes, "ReadArray")
        refusal = "" if owner.flags.writeable else READ_ONLY
        return cls(owner, memory, Buffer(tensor, label, refusal=refusal))

    def view(self, array: Any) -> TracedArray:
        """What stands for an array with this memory."""
        return view_of(array, self.memory.array, self.buffer)

    def write(self) -> None:
        """At the end of the trace: writes to the array what its memory holds then."""
        self.memory.is_written = self.buffer.is_written
        if self.buffer.is_written:
            graph: Any = current_recorder()
            operands = [graph.recording.handle(self.memory), self.buffer.content]
            graph.record(state.assign_variable, operands, {"shape": self.memory.shape}, "WriteArray")
