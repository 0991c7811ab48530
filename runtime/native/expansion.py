"""Operations without a rule of their own whose kernel is an expression over numpy's functions of single numbers: the
expression itself, as operations that have rules.

    expanded(operation)         # relu(x): [constant 0, maximum(x, 0)]

It is found by calling the kernel with objects that write down what is done to them, so that the kernel stays the one
place that says what the operation computes. A kernel that asks for more (a shape, an element, a method) has no
expression, and neither has one that is not of floats.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from runtime.dtypes import DType, as_dtype
from runtime.graph.operation import Operation
from runtime.native.types import is_supported
from runtime.ops.elementwise.logic import where
from runtime.ops.flow.core import constant_node
from runtime.ops.records.record import REGISTRY, Op
from runtime.shapes import TensorShape
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["expanded", "is_expression"]

_SCALAR: Final = TensorShape([])


class _Unwritten(Exception):
    """The kernel did something that no operation stands for."""


class _Written(NDArrayOperatorsMixin):
    """An operand, or what became of it."""

    def __init__(self, expression: _Expression, tensor: SymbolicTensor) -> None:
        self._expression, self._tensor = expression, tensor
        self.dtype = tensor.dtype.numpy

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *operands: Any, **settings: Any) -> _Written:
        op = _by_ufunc().get(ufunc)
        if method != "__call__" or settings or op is None:
            raise _Unwritten
        *wanted, given = ufunc.resolve_dtypes((*map(_kind, operands), None))
        return self._expression.add(op, operands, wanted, given)

    def __array_function__(self, function: Any, types: Any, operands: Any, settings: Any) -> _Written:
        if function is not np.where or settings or len(operands) != 3:
            raise _Unwritten
        kinds = [_kind(o) for o in operands[1:]]
        found = np.result_type(*[k(0) if isinstance(k, type) else k for k in kinds])
        return self._expression.add(where, operands, [np.dtype(np.bool_), found, found], found)

    def __getattr__(self, name: str) -> Any:
        raise _Unwritten

    def __bool__(self) -> bool:
        raise _Unwritten

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise _Unwritten


def _kind(operand: Any) -> Any:
    """What numpy's promotion goes by: a dtype, or the class of a number of Python's."""
    return type(operand) if type(operand) in (int, float) else np.asarray(operand.dtype.type(0)).dtype


class _Expression:
    """The operations so far."""

    def __init__(self, operation: Operation) -> None:
        self.operation = operation
        self.parts: list[Operation] = []

    def add(self, op: Op, operands: Sequence[Any], wanted: Sequence[Any], given: Any) -> _Written:
        if op is self.operation.op:
            raise _Unwritten  # it is one function of numpy's
        inputs = tuple(self._input(o, as_dtype(d)) for o, d in zip(operands, wanted, strict=True))
        alone = all(t.shape.rank == 0 for t in inputs)
        shape = _SCALAR if alone else self.operation.outputs[0].shape
        return _Written(self, self._made(op, inputs, op.attributes, as_dtype(given), shape))

    def _input(self, operand: Any, dtype: DType) -> SymbolicTensor:
        if not isinstance(operand, _Written):
            value = {"value": np.asarray(operand, dtype.numpy)}
            return self._made(constant_node, (), value, dtype, _SCALAR)
        if operand._tensor.dtype is not dtype:
            raise _Unwritten
        return operand._tensor

    def _made(self, op: Op, inputs: Any, attributes: Any, dtype: DType, shape: TensorShape) -> SymbolicTensor:
        if not is_supported(dtype):
            raise _Unwritten
        old = self.operation
        made = Operation(old.graph, op, old.name, inputs, attributes, old.location)
        made.outputs = (SymbolicTensor(made, 0, dtype, shape),)
        self.parts.append(made)
        return made.outputs[0]


@cache
def _by_ufunc() -> dict[np.ufunc, Op]:
    """The operations that are computed element by element, by the ufunc that is their kernel for floats."""
    importlib.import_module("runtime.ops.elementwise.special")  # the family of most of them
    return {op.float_ufunc: op for op in REGISTRY.values() if op.float_ufunc is not None and op.elementwise}


_known: Final[dict[Any, bool]] = {}
"""Whether the kernels that were tried have an expression: operations with the dtypes of their operands and their
attributes."""


def is_expression(operation: Operation) -> bool:
    """Whether the kernel of this operation is an expression. Writes it at most once for each set of dtypes."""
    if not _may_be_written(operation):
        return False
    known = _known.get(_key(operation))
    return expanded(operation) is not None if known is None else known


def expanded(operation: Operation) -> list[Operation] | None:
    """The operations that are the kernel of this one, in order; the last one has its result. None if there are none."""
    if not _may_be_written(operation) or _known.get(key := _key(operation)) is False:
        return None
    parts = _written(operation)
    _known[key] = parts is not None
    return parts


def _key(operation: Operation) -> Any:
    dtypes = tuple([t.dtype for t in operation.inputs]), tuple([t.dtype for t in operation.outputs])
    return operation.op, dtypes, repr(operation.attributes)


def _written(operation: Operation) -> list[Operation] | None:
    expression = _Expression(operation)
    try:
        result = operation.op.kernel(*(_Written(expression, t) for t in operation.inputs), **operation.attributes)
    except Exception:  # whatever a kernel says of what is no array
        return None
    last = expression.parts[-1] if expression.parts else None
    if last is None or not isinstance(result, _Written) or result._tensor is not last.outputs[0]:
        return None
    if result.dtype != operation.outputs[0].dtype.numpy:
        return None
    last.outputs = operation.outputs
    return expression.parts


def _may_be_written(operation: Operation) -> bool:
    """Whether an operation has no effect, raises nothing, and takes floats to one result."""
    op = operation.op
    if op.stateful or op.holds or op.nests or op.mixed or op.variadic or op.outputs != 1 or op.raises is not None:
        return False
    return bool(operation.inputs) and all(t.dtype.is_floating and is_supported(t.dtype) for t in operation.inputs)
