"""Which operations can raise when a graph runs, and what: `try` catches them, and nothing drops them inside of it.

>>> exceptions_of(graph.get_operation_by_name("floordiv"))
(<class 'DivisionByZeroError'>,)

An operation whose operands have wholly known shapes has been checked while the graph was built, unless values decide.
"""

from __future__ import annotations

from runtime.array_errors import AxisError
from runtime.graph.operation import Operation
from runtime.graph.own_numbers import raised_by_numbers
from runtime.ops.flow.core import constant_node
from runtime.ops.records.raises import ANYTHING, DIVISION, SHAPES, Kinds, Raises

__all__ = ["exceptions_of", "may_raise"]


def may_raise(operation: Operation) -> bool:
    """Whether the operation itself (not a graph inside of it) can raise when it runs."""
    return bool(exceptions_of(operation))


def exceptions_of(operation: Operation) -> Kinds:
    """The classes of the exceptions that the operation itself can raise; BaseException where they are not known."""
    op = operation.op
    if op.raises is not None and op.raises.rule is not None:
        return op.raises.rule(operation.inputs, operation.attributes)
    if op.nests and op.raises is not ANYTHING:
        return ()
    found = _of_shapes(operation) if op.raises is None else _of_record(operation, op.raises)
    return (*found, *raised_by_numbers(operation))


def _of_record(operation: Operation, raises: Raises) -> Kinds:
    """What the record says, less what was checked while the graph was built."""
    kinds = raises.kinds
    if raises.indices is not None and _are_known_places(operation, raises.indices):
        return ()
    if raises.integers and (not any(t.dtype.is_integer for t in operation.inputs) or _divides_by_known(operation)):
        kinds = ()
    return tuple(dict.fromkeys((*kinds, *_of_shapes(operation)))) if raises.shapes else kinds


def _are_known_places(operation: Operation, first: int) -> bool:
    """Whether it reads or writes elements at places that were checked while the graph was built."""
    arrays, indices = operation.inputs[:first], operation.inputs[first:]
    return all(t.shape.is_fully_defined() for t in arrays) and all(t.value is not None for t in indices)


def _divides_by_known(operation: Operation) -> bool:
    """Whether it is a division by numbers that are known not to be zero."""
    if operation.op.raises is not DIVISION:
        return False
    divisor = operation.inputs[1].op
    return divisor.op is constant_node and bool(divisor.attributes["value"].all())


def _of_shapes(operation: Operation) -> Kinds:
    """What comes if the shapes of the operands do not fit, as far as that is not known yet."""
    op, inputs = operation.op, operation.inputs
    arrays = [t for t in inputs if t.shape.rank != 0]
    unknown = [t for t in arrays if not t.shape.is_fully_defined()]
    if not unknown or (op.elementwise and len(arrays) == 1):
        return ()
    misfits = SHAPES if op.raises is None else op.raises.misfits
    return (*misfits, AxisError) if any(t.shape.rank is None for t in unknown) and not op.elementwise else misfits
