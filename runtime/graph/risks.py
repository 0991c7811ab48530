"""Which operations can raise when a graph runs, and what: `try` catches them, and nothing drops them inside of it.

>>> exceptions_of(graph.get_operation_by_name("floordiv"))
(<class 'DivisionByZeroError'>,)

An operation whose operands have wholly known shapes has been checked while the graph was built, unless values decide.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from runtime.errors import ShapeMismatchError
from runtime.graph.operation import Operation
from runtime.graph.own_numbers import raised_by_numbers
from runtime.ops.check import EXCEPTIONS, check
from runtime.ops.core import constant_node
from runtime.ops.exceptions import resolve_class
from runtime.ops.output import STREAMS, print_
from runtime.ops.raises import ANYTHING, DIVISION, SHAPES, Raises
from runtime.ops.raising import raise_, reraise
from runtime.ops.state import WRITES
from runtime.ops.strings import string_format
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["exceptions_of", "may_raise"]

Kinds = tuple[type[BaseException], ...]

_ANYTHING: Final = (BaseException,)


def may_raise(operation: Operation) -> bool:
    """Whether the operation itself (not a graph inside of it) can raise when it runs."""
    return bool(exceptions_of(operation))


def exceptions_of(operation: Operation) -> Kinds:
    """The classes of the exceptions that the operation itself can raise; BaseException where they are not known."""
    op = operation.op
    if op is raise_:
        kind = operation.attributes["error"].parts[0]
        return _ANYTHING if isinstance(kind, int) else (resolve_class(kind),)
    if op is check:
        return (EXCEPTIONS[operation.attributes["exception"]], *_of_condition(operation))
    if op is reraise or (op is print_ and operation.attributes["stream"] not in STREAMS):
        return _ANYTHING
    if operation.subgraphs and op.raises is not ANYTHING:
        return ()
    if op.raises is not None:
        return (*_of_record(operation, op.raises), *raised_by_numbers(operation))
    if op in WRITES and not operation.attributes["shape"].is_fully_defined():
        return SHAPES
    if op is string_format:
        return (*SHAPES, TypeError, ValueError) if _may_not_fit(operation) else ()
    return (*_of_shapes(operation), *raised_by_numbers(operation))


def _of_record(operation: Operation, raises: Raises) -> Kinds:
    """What the record says, less what was checked while the graph was built."""
    kinds = raises.kinds
    if raises.asked and not operation.attributes[raises.asked]:
        return ()
    if raises.indices is not None and _are_known_places(operation, raises.indices):
        return ()
    if raises.integers and (not any(t.dtype.is_integer for t in operation.inputs) or _divides_by_known(operation)):
        kinds = ()
    return (*kinds, *_of_shapes(operation)) if raises.shapes else kinds


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


def _may_not_fit(operation: Operation) -> bool:
    """Whether text is made by a format that is not known to fit the value."""
    fields = [part for part in operation.attributes["parts"] if not isinstance(part, str)]
    if any(spec is None for _, spec in fields):
        return True  # the spec is a tensor
    return not all(_fits(t, *field) for t, field in zip(operation.inputs, fields, strict=True))


def _fits(tensor: SymbolicTensor, conversion: str, spec: str) -> bool:
    """Whether a format fits all values of a tensor: it does if it fits one of them."""
    if not spec:
        return True
    if tensor.shape.rank != 0:
        return False
    value = "" if tensor.dtype.kind == "string" else np.zeros((), tensor.dtype.numpy).item()
    try:
        spec % (value,) if conversion == "%" else format(str(value) if conversion else value, spec)
    except (TypeError, ValueError):
        return False
    return True


def _of_condition(operation: Operation) -> Kinds:
    return () if operation.inputs[0].shape.rank == 0 else (ShapeMismatchError,)


def _of_shapes(operation: Operation) -> Kinds:
    """What comes if the shapes of the operands do not fit, as far as that is not known yet."""
    op, inputs = operation.op, operation.inputs
    arrays = [t for t in inputs if t.shape.rank != 0]
    unknown = [t for t in arrays if not t.shape.is_fully_defined()]
    return () if not unknown or (op.elementwise and len(arrays) == 1) else SHAPES
