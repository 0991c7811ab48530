"""Traces that cannot be saved for what they know of the program's arrays and objects.

    check_arrays(trace)          # NotSavable: it writes to the array 'a' of its caller, ...

What is loaded takes arrays as tensors: it cannot write to them, and does not know which of them are one.
"""

from __future__ import annotations

from runtime.function.concrete import ConcreteFunction
from runtime.io.saved_values import NotSavable
from runtime.ndarrays.captured import ArrayMemory

__all__ = ["check_arrays"]


def check_arrays(trace: ConcreteFunction) -> None:
    """Raises NotSavable for traces that know more of the program's arrays and objects than what they hold."""
    names = [tensor.op.name for tensor in trace.graph.inputs]
    if trace.written:
        raise NotSavable(
            f"it writes to the array {names[trace.written[0]]!r} of its caller, which what is loaded could not do: let"
            f" it write to a copy ({names[trace.written[0]]}.copy()) and return that"
        )
    if trace.state.first:
        raise NotSavable(
            f"it writes to {trace.state.first!r}, which is no part of what is saved: keep the tensor in a Variable, or"
            " return it"
        )
    for memory in trace.captured_inputs:
        if isinstance(memory, ArrayMemory):
            raise NotSavable(
                f"it writes to the array {memory.name!r}, which is no part of what is saved: make it a Variable"
                " (runtime.Variable(array)), or an argument, of which the function returns a changed copy"
            )
    for place, first in trace.same:
        raise NotSavable(
            f"it was traced with one array for {names[first]!r} and {names[place]!r}, and is wrong for two: drop its"
            " traces (cache_clear()), and call it with two arrays before it is saved"
        )
