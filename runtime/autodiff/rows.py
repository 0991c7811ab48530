"""The results of a function of a number for 0 to count - 1, as rows: computed for all numbers at once, or in a loop.

    rows(lambda i: [x[i] * y], count, [y])        # [a tensor of shape [count] + y.shape]

Jacobians are such rows: the number says which element of the target has the upstream 1. The function is traced once for
one number, and carried out for all by `runtime.vectorize`, through branches and loops; where an operation has no form
for that (code of Python; a custom gradient or recursion, where nothing is traced) it goes number by number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from runtime.context import current_recorder, executing_eagerly, recording
from runtime.control_flow.functions import cond, while_loop
from runtime.dtypes import int32
from runtime.graph.graph import Graph
from runtime.ops.records.gradients import ops
from runtime.state.tensor_array import TensorArray
from runtime.vectorize.interpreter import on_block
from runtime.vectorize.rules import NotVectorizable, Part

__all__ = ["rows"]

Row = Callable[[Any], list[Any]]

FEW: Final = 4
"""So few rows are computed one after the other where nothing is traced: that takes less time than a trace."""


def rows(row: Row, count: Any, like: Sequence[Any], at_once: bool) -> list[Any]:
    """The rows for 0 to count - 1, stacked. like: tensors of the shape and dtype of one row. at_once: without a loop,
    if that can be."""
    if not like:
        return []
    if at_once and not (executing_eagerly() and int(count) <= FEW):
        try:
            return _at_once(row, count)
        except NotVectorizable:
            pass
    return _one_by_one(row, count, like)


def _at_once(row: Row, count: Any) -> list[Any]:
    """Raises NotVectorizable where an operation has no form for many numbers."""
    graph = Graph.within(current_recorder(), "row")  # type: ignore[arg-type]
    number = graph.placeholder(int32, [], "number")
    with recording(graph):
        graph.outputs = [graph.recording.localize(t, "jacobian") for t in row(number)]
    if len(graph.inputs) != 1 + len(graph.recording.captures):
        raise NotVectorizable("a Variable is read on the way back")
    parts = [Part(ops.range(0, count, 1), True, 0)]
    parts += [Part(tensor, False, tensor.shape.rank) for tensor, _ in graph.recording.captures]
    return on_block(graph, parts, count, exact=False)


def _one_by_one(row: Row, count: Any, like: Sequence[Any]) -> list[Any]:
    arrays = [TensorArray(t.dtype, size=count, element_shape=t.shape) for t in like]
    if executing_eagerly():
        for i in range(int(count)):
            arrays = [a.write(i, g) for a, g in zip(arrays, row(i), strict=True)]
    else:
        arrays = while_loop(
            lambda i, arrays: i < count,
            lambda i, arrays: (i + 1, [a.write(i, g) for a, g in zip(arrays, row(i), strict=True)]),
            [0, arrays],
        )[1]
    return [_stacked(array, t, count) for array, t in zip(arrays, like, strict=True)]


def _stacked(array: TensorArray, like: Any, count: Any) -> Any:
    if like.shape.is_fully_defined():
        return array.stack()
    none = ops.concat([[0], ops.shape(like)], axis=0)  # of no rows the array does not know the shape
    return cond(count > 0, array.stack, lambda: ops.zeros(none, dtype=like.dtype))
