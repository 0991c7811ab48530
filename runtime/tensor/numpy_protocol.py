"""numpy's functions on tensors: `np.sin(t)`, `np.sum(t, axis=0)`, `array + t` become operations of the registry.

    >>> np.sqrt(constant(4))
    <tf.Tensor: shape=(), dtype=float64, numpy=2.0>

The dtypes are numpy's own. `array + t` is Python's operator all the same, so it follows the rules of tensors.

A function that no operation covers runs on the values of eager tensors (the result is a tensor), and is refused on
symbolic ones, with the reason and what to take instead: nothing is baked into a graph without a word.
The tables are in `runtime.tensor.numpy_calls`, which is loaded when the first call comes.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable, Mapping, Sequence
from types import FrameType
from typing import Any, Final, NoReturn

import numpy as np

from runtime.errors import of_the_trace
from runtime.structures import items_within

__all__ = ["WRITTEN", "array_function", "array_ufunc", "numpy_call", "symbolic_function", "symbolic_ufunc"]

OPERATORS: Final[Mapping[np.ufunc, str]] = {
    np.add: "__radd__", np.subtract: "__rsub__", np.multiply: "__rmul__", np.true_divide: "__rtruediv__",
    np.floor_divide: "__rfloordiv__", np.remainder: "__rmod__", np.power: "__rpow__", np.matmul: "__rmatmul__",
    np.equal: "__eq__", np.not_equal: "__ne__", np.less: "__gt__", np.less_equal: "__ge__", np.greater: "__lt__",
    np.greater_equal: "__le__", np.bitwise_and: "__rand__", np.bitwise_or: "__ror__", np.bitwise_xor: "__rxor__",
    np.left_shift: "__rlshift__", np.right_shift: "__rrshift__",
}  # fmt: skip
"""The ufuncs that are Python's operators of two operands: the method of the tensor on the right."""

_OPERATOR_CODES: Final = frozenset(dis.opmap[name] for name in ("BINARY_OP", "COMPARE_OP"))

IN_PLACE: Final = frozenset(
    {np.copyto, np.put, np.place, np.putmask, np.fill_diagonal, np.put_along_axis}
)  # fmt: skip
"""Functions that write to their first argument."""

WRITTEN: Final[list[Callable[[Any], None]]] = []
"""Told of each ndarray or tensor that would be written to, before that is refused (`runtime.ndarrays.restart`)."""


def array_ufunc(self: Any, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
    """`Tensor.__array_ufunc__`."""
    return _called(self, ufunc, method, inputs, kwargs, sys._getframe(1))


def _called(self: Any, ufunc: np.ufunc, method: str, inputs: Any, kwargs: Any, caller: FrameType) -> Any:
    of_operator = method == "__call__" and not kwargs and ufunc in OPERATORS and _is_array(inputs[0])
    if of_operator and caller.f_code.co_code[caller.f_lasti] in _OPERATOR_CODES:
        return getattr(self, OPERATORS[ufunc])(inputs[0])  # `array + t`, and no `np.add(array, t)`
    from runtime.tensor.numpy_calls.eager import called_on_arrays
    from runtime.tensor.numpy_calls.table import name_of
    from runtime.tensor.numpy_calls.ufunc_methods import ufunc_call

    if method == "__call__" and (result := called_on_arrays(ufunc, inputs, kwargs)) is not None:
        return result
    if _are_memory(inputs[:1] if method == "at" else kwargs.get("out")):
        return NotImplemented  # numpy asks them next
    name = name_of(ufunc) if method == "__call__" else f"{name_of(ufunc)}.{method}"
    function = ufunc if method == "__call__" else getattr(ufunc, method)
    if kwargs:
        _refuse_to_write(name, kwargs.get("out"))
    return _covered(name, function, inputs, kwargs, lambda: ufunc_call(ufunc, method, inputs, kwargs))


def array_function(self: Any, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
    """`Tensor.__array_function__`."""
    from runtime.tensor.numpy_calls.eager import called_on_arrays
    from runtime.tensor.numpy_calls.table import name_of, with_out

    if (result := called_on_arrays(function, args, kwargs)) is not None:
        return result
    args, kwargs = with_out(function, args, kwargs)
    if _are_memory(args[:1] if function in IN_PLACE else kwargs.get("out")):
        return NotImplemented
    name = name_of(function)
    if kwargs or function in IN_PLACE:
        _refuse_to_write(name, args[:1] if function in IN_PLACE else kwargs.get("out"))
    return _covered(name, function, args, kwargs, lambda: numpy_call(function, args, kwargs))


def symbolic_ufunc(self: Any, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
    """`SymbolicTensor.__array_ufunc__`: arrays of a graph have their own, and numbers of arrays give arrays."""
    from runtime.tensor.array_numbers import are_numbers, as_arrays

    if _are_memory(inputs, told=False):
        return NotImplemented  # numpy asks them next
    result = _called(self, ufunc, method, inputs, kwargs, sys._getframe(1))
    return as_arrays(result) if result is not NotImplemented and are_numbers(inputs) else result


def symbolic_function(self: Any, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
    """`SymbolicTensor.__array_function__`, the same."""
    from runtime.tensor.array_numbers import are_numbers, as_arrays

    if any(hasattr(kind, "__ag_traced_array__") for kind in types):
        return NotImplemented
    result = array_function(self, function, types, args, kwargs)
    operands = items_within([*args, *kwargs.values()])
    return as_arrays(result) if result is not NotImplemented and are_numbers(operands) else result


def numpy_call(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """The operations that stand for a call of numpy."""
    from runtime.tensor.numpy_calls.table import function_call

    return function_call(function, args, kwargs)


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray | np.generic)


def _covered(name: str, function: Any, args: Any, kwargs: Any, call: Any) -> Any:
    from runtime.tensor.numpy_calls.operands import NotCovered

    try:
        return call()
    except NotCovered as error:
        reason = str(error)
    values = _values([args, kwargs], name, reason)
    result = function(*values[0], **values[1])
    return result if kwargs.get("out") is not None else _as_tensors(result)


def _are_memory(targets: Any, told: bool = True) -> bool:
    """Whether there are arrays among them that a graph works on. What is told of the others see WRITTEN."""
    whole = targets if isinstance(targets, tuple | list) else (targets,)
    for target in whole:
        if told and isinstance(target, np.ndarray):
            for tell in WRITTEN:
                tell(target)
    return any(hasattr(type(target), "__ag_traced_array__") for target in whole)


def _refuse_to_write(name: str, targets: Any) -> None:
    """A tensor is no place to write to."""
    for target in targets if isinstance(targets, tuple) else (targets,):
        if hasattr(type(target), "__as_tensor__") or (hasattr(target, "ref") and hasattr(type(target), "get_shape")):
            for tell in WRITTEN:
                tell(target)
            raise TypeError(
                f"np.{name} would write to a tensor, which never changes: take its result, as in"
                f" `x = np.{name}(...)` without `out`; to set elements use np.where, or `x[i] = v` in a converted"
                " function"
            )


def _values(argument: Any, name: str, reason: str) -> Any:
    """The arguments with arrays in the place of eager tensors. Raises TypeError for a symbolic one."""
    from runtime.tensor.convert import as_operand
    from runtime.tensor.symbolic import SymbolicTensor
    from runtime.tensor.tensor import Tensor

    if isinstance(argument, dict):
        return {key: _values(value, name, reason) for key, value in argument.items()}
    if isinstance(argument, list | tuple):
        return type(argument)(_values(item, name, reason) for item in argument)
    value = as_operand(argument)
    if isinstance(value, SymbolicTensor):
        _refuse(name, value, reason)
    return np.asarray(value) if isinstance(value, Tensor) else value


def _refuse(name: str, tensor: Any, reason: str) -> NoReturn:
    raise of_the_trace(
        TypeError(f"{_shown(name)} cannot be recorded for the symbolic tensor {tensor}: {reason}; {_instead(name)}")
    )


def _shown(name: str) -> str:
    return name if name.startswith("scipy.") else f"np.{name}"


def _instead(name: str) -> str:
    """What to take in the place of a function that is refused: by what it is for."""
    from runtime.tensor.numpy_calls.refused import OUTSIDE, REFUSED
    from runtime.tensor.numpy_calls.scipy_modules import instead_of
    from runtime.tensor.numpy_calls.table import names

    if name.startswith("scipy."):
        return instead_of(name)
    if (instead := REFUSED.get(name, OUTSIDE.get(name))) is not None:
        return instead
    known = names()
    base = name.partition(".")[0] if name.partition(".")[0] in known else name
    if base in known:
        return f"np.{base} with other arguments is recorded"
    return "runtime.py_function runs any Python function"


def _as_tensors(result: Any) -> Any:
    from runtime.tensor.convert import constant  # the protocol is below conversion: tensors need it to be defined

    if isinstance(result, np.ndarray | np.generic):
        return constant(result)
    if isinstance(result, tuple) and hasattr(result, "_fields"):
        return type(result)(*map(_as_tensors, result))
    return type(result)(map(_as_tensors, result)) if type(result) in (list, tuple) else result
