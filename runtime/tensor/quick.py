"""The most common calls, without the general machinery: `x + y`, `x < 1`, `-x`.

    run_quickly(add, (x, y))                 the sum, or None: the call has to take the long way
    record_quickly(add, (x, 1), graph)       the same while a graph is built

That is one or two operands of one dtype, of an operation without attributes; the second (or first) may be a Python
number. Whatever is special or wrong is left to `runtime.tensor.dispatch`, which also finds the words for errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from runtime.context import Recorder
from runtime.dtypes import bfloat16
from runtime.ops.kernels.floating_errors import restore, silence
from runtime.ops.records.record import Op, Operand
from runtime.shapes import TensorShape
from runtime.tensor.convert import make_constant
from runtime.tensor.eager import EagerTensor
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["quick_operands", "record_quickly", "run_quickly"]

NUMBERS: Final = {"f": (int, float), "i": (int,), "u": (int,)}
"""The Python numbers that take the dtype of the tensor beside them, by the kind of that dtype."""

HOLDERS: Final[set[type]] = set()
"""The types of what stands for an eager tensor that its method `value` gives."""

Table = dict[np.dtype[Any], np.dtype[Any]]


def result_table(op: Op) -> Table:
    """The dtype of the result for each dtype of the operands; empty if the operation is none of the simple ones."""
    simple = not (op.attributes or op.variadic or op.stateful) and op.outputs == 1 and len(op.groups) == 1
    if not simple or len(op.tensors) not in (1, 2):
        return {}
    unknown = TensorShape(None)
    return {
        dtype.numpy: op.result_dtypes([Operand(dtype, unknown)] * len(op.tensors), {})[0].numpy
        for dtype in op.groups[0].allowed
        if dtype.family != "string" and dtype is not bfloat16
    }


_TABLES: Final[dict[Op, Table]] = {}


def _table(op: Op, args: Sequence[Any]) -> Table:
    """The table of a call with one argument for each operand; empty if the call is none of the simple ones."""
    table = _TABLES.get(op)
    if table is None:
        table = _TABLES[op] = result_table(op)
    return table if len(args) == len(op.tensors) else {}


def run_quickly(op: Op, args: Sequence[Any]) -> EagerTensor | None:
    """The result of a simple call on eager tensors, or None."""
    table = _table(op, args)
    if not table:
        return None
    token = silence()
    try:
        arrays = _arrays(args)
        if arrays is None and not HOLDERS.isdisjoint(map(type, args)):
            arrays = _arrays([a.value() if type(a) in HOLDERS else a for a in args])
        if arrays is None or (dtype := table.get(arrays[0].dtype)) is None:
            return None
        result = op.kernel(*arrays)
    except Exception:
        return None  # it fails again on the long way, with a message
    finally:
        restore(token)
    if type(result) is not np.ndarray or result.dtype != dtype:
        result = np.asarray(result, dtype)
    return EagerTensor(result)


def _arrays(args: Sequence[Any]) -> tuple[Any, ...] | None:
    """The operands as arrays of one dtype, or None if they are not that plain."""
    first = args[0]
    if len(args) == 1:
        return (first._array,) if type(first) is EagerTensor else None
    second = args[1]
    if type(first) is EagerTensor:
        x = first._array
        if type(second) is EagerTensor:
            y = second._array
            return (x, y) if x.dtype == y.dtype else None
        number = _number(second, x.dtype)
        return None if number is None else (x, number)
    if type(second) is not EagerTensor:
        return None
    y = second._array
    number = _number(first, y.dtype)
    return None if number is None else (number, y)


def _number(value: Any, dtype: np.dtype[Any]) -> Any:
    """A Python number in the dtype of the tensor beside it, or None if it has to take the long way.

    Raises OverflowError for an integer that does not fit.
    """
    kind = type(value)
    if kind not in NUMBERS.get(dtype.kind, ()) or (kind is int and not -(2**63) <= value < 2**63):
        return None
    return dtype.type(value)


def quick_operands(op: Op, args: Sequence[Any]) -> list[EagerTensor] | None:
    """The operands of a simple call as eager tensors of one dtype, or None."""
    if not _table(op, args):
        return None
    found = [a.value() if type(a) in HOLDERS else a for a in args]
    first = next((a for a in found if type(a) is EagerTensor), None)
    if first is None:
        return None
    dtype = first._array.dtype
    for i, value in enumerate(found):
        if type(value) is not EagerTensor:
            found[i] = constant = _constant(value, dtype)
            if constant is None:
                return None
        elif value._array.dtype != dtype:
            return None
    return found


def record_quickly(op: Op, args: Sequence[Any], recorder: Recorder) -> Any:
    """The symbolic result of a simple call while a graph is built, or None."""
    table = _table(op, args)
    tensors = [a for a in args if isinstance(a, Tensor)]
    if not table or not tensors or any(isinstance(t, SymbolicTensor) and t.weak for t in tensors):
        return None
    dtype = tensors[0].dtype
    if dtype.numpy not in table or any(t.dtype is not dtype for t in tensors):
        return None
    if op.float_ufunc is np.true_divide and dtype.is_integer:  # numbers of arrays have NumPy's quotient
        return None
    operands = list(args)
    if len(tensors) < len(args):
        position = 0 if operands[1] is tensors[0] else 1
        constant = _constant(operands[position], dtype.numpy)
        if constant is None:
            return None
        operands[position] = constant
    return recorder.record(op, operands, {}, None)


def _constant(value: Any, dtype: np.dtype[Any]) -> Any:
    token = silence()
    try:
        number = _number(value, dtype)
    except OverflowError:
        return None
    finally:
        restore(token)
    return None if number is None else make_constant(np.asarray(number))
