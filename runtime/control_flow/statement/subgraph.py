"""Tracing a piece of code into a graph of its own: a branch, the condition or the body of a loop.

    graph = Graph.within(outer, "body")
    result = trace(graph, lambda: step(x), "the body of the loop")

Tensors of the enclosing graphs that the code uses become captures of the new graph.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from autograph.errors import StagingValueError
from runtime.context import current_recorder, recording
from runtime.control_flow.optional.flags import both
from runtime.control_flow.optional.values import NONE, MaybeNone, presence
from runtime.control_flow.tries.raised import (
    UNREACHABLE,
    Diverged,
    is_handled,
    is_of_the_program,
    record_raise,
    record_reraise,
)
from runtime.errors import of_the_trace
from runtime.graph.graph import Graph
from runtime.graph.location import where_raised
from runtime.ops.records.record import REGISTRY
from runtime.state.variable import present_value
from runtime.tensor.convert import constant
from runtime.tensor.eager import EagerTensor
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["align_captures", "as_bool_scalar", "current_graph", "trace", "with_graph"]

T = TypeVar("T")


def current_graph() -> Graph:
    """The graph that is being recorded. Raises RuntimeError where there is none."""
    graph = current_recorder()
    if not isinstance(graph, Graph):
        raise of_the_trace(
            RuntimeError("no graph is being built here: a symbolic tensor was used outside of its function's trace")
        )
    return graph


def trace(graph: Graph, code: Callable[[], T], what: str) -> T | Any:
    """Runs `code` with `graph` recording. Returns UNREACHABLE if the program raises before the end of it.

    The exception of the program becomes an operation of the graph. One that is about the staging passes on, with a
    note of what was being traced. That it left a staged part is remembered by the outermost graph: whoever catches it
    would go on with a program of which a part is missing.
    """
    with recording(graph):
        try:
            return code()
        except Diverged:
            return UNREACHABLE
        except BaseException as error:
            if is_handled(graph, error):
                record_reraise(graph, error)
                return UNREACHABLE
            if is_of_the_program(error):
                record_raise(graph, error)
                return UNREACHABLE
            if isinstance(error, Exception):
                _remember(graph, error, what)
            raise


def _remember(graph: Graph, error: Exception, what: str) -> None:
    if graph.recording.tracing.failure is None:
        place, _ = where_raised(error)
        graph.recording.tracing.failure = (
            f"{type(error).__name__}: {error} (at {place or 'an unknown line'}, while {what} was traced)"
        )
        error.add_note(f"This happened while {what} was traced; all parts of staged control flow are traced.")


def with_graph(graph: Graph, code: Callable[[], T]) -> T:
    """Runs project code that adds operations to `graph`."""
    with recording(graph):
        return code()


def align_captures(graphs: Sequence[Graph], own_inputs: int) -> list[SymbolicTensor]:
    """Gives all graphs the same captures in the same order, after their first `own_inputs` inputs.

    Returns the captured tensors of the enclosing graph, in that order.
    """
    captured = {id(outer): outer for graph in graphs for outer, _ in graph.recording.captures}
    for graph in graphs:
        inner = [graph.recording.capture(outer) for outer in captured.values()]
        graph.inputs = graph.inputs[:own_inputs] + inner
    return list(captured.values())


def as_bool_scalar(value: Any, what: str) -> SymbolicTensor:
    """The truth of a value, as Python's `bool` has it: numbers other than 0 and text that is not empty are true.

    The result is of the current graph. Raises StagingValueError, which says what to write instead, for a value that has
    no single truth.
    """
    graph = current_graph()
    value = present_value(value)
    if isinstance(value, MaybeNone):  # None is false
        value = _truth_of_maybe_none(value, what)
    value = getattr(type(value), "__ag_truth__", lambda value: value)(value)  # lists that grow say if they are empty
    if isinstance(value, int):
        value = constant(bool(value))
    if not isinstance(value, SymbolicTensor | EagerTensor):
        raise StagingValueError(f"{what} expected to be a `bool` scalar tensor, got {value!r}")
    tensor = graph.recording.localize(value, what)
    if tensor._shape.rank != 0:
        if tensor._shape.rank is not None and tensor._shape.num_elements() != 1:
            raise StagingValueError(
                f"{what} expected to be a `tf.bool` scalar, got {tensor};"
                " use runtime.reduce_any or runtime.reduce_all to make one value of it;"
                " to check for None, use `is not None`"
            )
        tensor = REGISTRY["reshape"](tensor, ())
    if tensor.dtype.is_bool:
        return tensor
    return REGISTRY["not_equal"](tensor, "" if tensor.dtype.family == "string" else 0)


def _truth_of_maybe_none(value: MaybeNone, what: str) -> Any:
    seen = presence(value)
    if seen.value is NONE:
        return False
    staged = isinstance(seen.value, Tensor) or hasattr(type(seen.value), "__ag_truth__")
    return both(seen.present, as_bool_scalar(seen.value, what) if staged else bool(seen.value))
