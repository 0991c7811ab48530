"""The most common eager calls, without the general machinery: `x + y`, `x < 1`, `-x`.

    run_quickly(add, (x, y))     the sum, or None: the call has to take the long way

That is one or two operands of one dtype, of an operation without attributes; the second (or first) may be a Python
number. Whatever is special or wrong is left to `runtime.tensor.dispatch`, which also finds the words for errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from runtime.ops.floating_errors import restore, silence
from runtime.ops.record import Op, Operand
from runtime.shapes import TensorShape
from runtime.tensor.eager import EagerTensor

__all__ = ["run_quickly"]

NUMBERS: Final = {"f": (int, float), "i": (int,), "u": (int,)}
"""The Python numbers that take the dtype of the tensor beside them, by the kind of that dtype."""

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
        if dtype.kind != "string"
    }


_TABLES: Final[dict[Op, Table]] = {}


def run_quickly(op: Op, args: Sequence[Any]) -> EagerTensor | None:
    """The result of a simple call on eager tensors, or None."""
    table = _TABLES.get(op)
    if table is None:
        table = _TABLES[op] = result_table(op)
    if not table or len(args) != len(op.tensors):
        return None
    token = silence()
    try:
        arrays = _arrays(args)
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


def _arrays(args: Sequence[Any]) -> list[Any] | None:
    """The operands as arrays of one dtype, or None if they are not that plain."""
    first = args[0]
    if len(args) == 1:
        return [first._array] if type(first) is EagerTensor else None
    second = args[1]
    if type(first) is EagerTensor:
        x = first._array
        if type(second) is EagerTensor:
            y = second._array
            return [x, y] if x.dtype == y.dtype else None
        return _beside(x, second, [x, None])
    return _beside(second._array, first, [None, second._array]) if type(second) is EagerTensor else None


def _beside(array: Any, number: Any, pair: list[Any]) -> list[Any] | None:
    """A Python number in the place of the None, in the dtype of the array beside it; None if it does not fit."""
    kind = type(number)
    if kind not in NUMBERS.get(array.dtype.kind, ()) or (kind is int and not -(2**63) <= number < 2**63):
        return None
    pair[0 if pair[0] is None else 1] = array.dtype.type(number)  # an integer that does not fit raises OverflowError
    return pair
