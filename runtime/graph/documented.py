"""What the error samples of a record say of its runs: which of its errors no static rule can see.

>>> raised_for_values(segment_sum)              # ids out of order pass while a graph is built
(<class 'runtime.errors.InvalidArgumentError'>,)

Each error sample of a record is a call that must raise. Built into a graph with operands of known shapes and unknown
values, most are refused at once; the others raise when the graph runs. A test holds that nothing else is raised.
"""

from __future__ import annotations

from functools import cache

from runtime.graph.graph import Graph
from runtime.ops.record import Op
from runtime.ops.samples import Failure
from runtime.tensor.literals import to_array
from runtime.tensor.tensor import Tensor

__all__ = ["raised_for_values"]


@cache
def raised_for_values(op: Op) -> tuple[type[Exception], ...]:
    """The classes of errors that the operation raises for some values of operands whose dtypes and shapes fit."""
    return tuple(dict.fromkeys(failure.error for failure in op.errors if _passes(op, failure)))


def _passes(op: Op, failure: Failure) -> bool:
    """Whether a graph can be built of a call that must fail."""
    sizes = len(op.tensors)
    arguments, rest = list(failure.arguments[:sizes]), failure.arguments[sizes:]
    if op.variadic and rest:
        arguments, rest = [*arguments, *rest[0]], rest[1:]
    graph = Graph("errors")
    try:
        inputs = []
        for i, value in enumerate(arguments):
            array = to_array(value, None) if not isinstance(value, Tensor) else value
            inputs.append(graph.placeholder(array.dtype, list(array.shape), f"x{i}"))
        with graph.as_default():
            op(*inputs[:sizes], *([inputs[sizes:]] if op.variadic else []), *rest, **failure.attributes)
    except Exception:
        return False
    return True
