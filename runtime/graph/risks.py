"""Which operations can raise when a graph runs, and what: `try` catches them, and nothing drops them inside of it.

>>> exceptions_of(graph.get_operation_by_name("floordiv"))
(<class 'InvalidArgumentError'>, ...)

An operation whose operands have wholly known shapes has been checked while the graph was built, unless values decide.
"""

from __future__ import annotations

from typing import Final

from runtime.errors import InvalidArgumentError, OutOfRangeError
from runtime.graph.operation import Operation
from runtime.ops.check import EXCEPTIONS, check
from runtime.ops.core import constant_node, identity, placeholder
from runtime.ops.exceptions import resolve_class
from runtime.ops.raising import raise_, reraise

__all__ = ["exceptions_of", "may_raise"]

_BY_VALUE: Final = frozenset(
    {
        "boolean_mask", "broadcast_to", "call", "cast", "divide", "eye", "fill", "floordiv", "floormod", "gather",
        "getitem", "linspace", "list_get", "list_insert", "list_pop", "list_set", "list_stack", "one_hot", "ones",
        "pad", "pow", "random_normal", "random_uniform", "range", "reshape", "reduce_max", "reduce_min", "argmax",
        "argmin", "roll", "setitem", "split", "string_format", "tile", "top_k", "unstack", "zeros", "left_shift",
        "right_shift", "invert_matrix", "solve",
    }
)  # fmt: skip
"""Operations that refuse some values of operands whose types fit."""

_NEVER: Final = frozenset(
    {
        "caught", "caught_part", "caught_text", "list_length", "list_new", "list_push", "memo_get", "memo_has",
        "memo_new", "memo_set", "print", "rank", "shape", "size", "stop_gradient",
    }
)  # fmt: skip

_OF_OPERATIONS: Final = (InvalidArgumentError, OutOfRangeError, ZeroDivisionError)
"""What kernels raise, or classes above it."""

_ANYTHING: Final = (BaseException,)


def may_raise(operation: Operation) -> bool:
    """Whether the operation itself (not a graph inside of it) can raise when it runs."""
    return bool(exceptions_of(operation))


def exceptions_of(operation: Operation) -> tuple[type[BaseException], ...]:
    """Classes of which one is that of each exception which the operation itself can raise, or a class above it."""
    op = operation.op
    if op is raise_:
        kind = operation.attributes["error"].parts[0]
        return _ANYTHING if isinstance(kind, int) else (resolve_class(kind),)
    if op is check:
        return (EXCEPTIONS[operation.attributes["exception"]],)
    if op is reraise or op.name == "call":
        return _ANYTHING
    if op in (placeholder, constant_node, identity) or op.name in _NEVER or operation.subgraphs:
        return ()
    if op.name in _BY_VALUE:
        integers = any(t.dtype.is_integer for t in operation.inputs)
        return () if op.name in ("cast", "divide", "pow") and not integers else _OF_OPERATIONS
    unknown = [t for t in operation.inputs if t.shape.rank != 0 and not t.shape.is_fully_defined()]
    elementwise = op.ufunc is not None or op.name in ("where", "clip_by_value")
    arrays = [t for t in operation.inputs if t.shape.rank != 0]
    if not unknown or (elementwise and len(arrays) == 1):
        return ()
    return _OF_OPERATIONS
