"""numpy's functions on tensors: `np.sin(t)`, `np.add(t, 1)`, `array + t` become operations of the registry.

    >>> np.sqrt(constant(4.0))
    <tf.Tensor: shape=(), dtype=float32, numpy=2.0>

A function that no operation covers runs on the values of eager tensors (the result is a tensor), and is refused with
the nearest operation's name on symbolic ones: nothing is baked into a graph without a word.
"""

from __future__ import annotations

import difflib
from typing import Any

import numpy as np

from runtime.ops.record import REGISTRY
from runtime.tensor.numpy_functions import translate

__all__ = ["array_function", "array_ufunc"]

UFUNCS: dict[np.ufunc, str] = {
    np.add: "add", np.subtract: "subtract", np.multiply: "multiply", np.true_divide: "divide",
    np.floor_divide: "floordiv", np.remainder: "floormod", np.power: "pow", np.matmul: "matmul",
    np.negative: "negative", np.absolute: "abs", np.sign: "sign", np.square: "square", np.sqrt: "sqrt",
    np.exp: "exp", np.log: "log", np.log1p: "log1p", np.expm1: "expm1", np.sin: "sin", np.cos: "cos", np.tan: "tan",
    np.tanh: "tanh", np.floor: "floor", np.ceil: "ceil", np.rint: "round", np.maximum: "maximum",
    np.minimum: "minimum", np.equal: "equal", np.not_equal: "not_equal", np.less: "less",
    np.less_equal: "less_equal", np.greater: "greater", np.greater_equal: "greater_equal",
    np.logical_and: "logical_and", np.logical_or: "logical_or", np.logical_not: "logical_not",
    np.logical_xor: "logical_xor", np.bitwise_and: "bitwise_and", np.bitwise_or: "bitwise_or",
    np.bitwise_xor: "bitwise_xor", np.invert: "invert", np.isnan: "is_nan", np.isinf: "is_inf",
    np.isfinite: "is_finite", np.arcsin: "asin", np.arccos: "acos", np.arctan: "atan", np.arctan2: "atan2",
    np.sinh: "sinh", np.cosh: "cosh", np.reciprocal: "reciprocal", np.left_shift: "left_shift",
    np.right_shift: "right_shift",
}  # fmt: skip
"""Ufunc -> operation."""


def array_ufunc(self: Any, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
    """`Tensor.__array_ufunc__`."""
    record = REGISTRY[UFUNCS[ufunc]] if ufunc in UFUNCS else None
    if record is not None and method == "__call__" and not kwargs:
        return record(*inputs)
    return _on_values(ufunc if method == "__call__" else getattr(ufunc, method), inputs, kwargs)


def array_function(self: Any, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
    """`Tensor.__array_function__`."""
    call = translate(function, args, kwargs)
    return _on_values(function, args, kwargs) if call is None else call()


def _on_values(function: Any, args: Any, kwargs: Any) -> Any:
    name = getattr(function, "__name__", str(function))
    result = function(*_values(args, name), **{k: _values([v], name)[0] for k, v in kwargs.items()})
    return result if "out" in kwargs else _as_tensors(result)  # what numpy wrote to is the caller's array


def _values(arguments: Any, name: str) -> list[Any]:
    values = []
    for argument in arguments:
        if hasattr(argument, "weak"):  # a symbolic tensor; the class itself is above this module
            raise TypeError(f"numpy.{name} cannot be recorded for the symbolic tensor {argument}; {_nearest(name)}")
        if isinstance(argument, list | tuple):
            argument = type(argument)(_values(argument, name))
        values.append(np.asarray(argument) if hasattr(argument, "ref") and hasattr(argument, "numpy") else argument)
    return values


def _nearest(name: str) -> str:
    close = difflib.get_close_matches(name, REGISTRY, n=1, cutoff=0.5)
    return f"the nearest operation is runtime.{close[0]}" if close else "runtime has no operation like it"


def _as_tensors(result: Any) -> Any:
    from runtime.tensor.convert import constant  # the protocol is below conversion: tensors need it to be defined

    if isinstance(result, np.ndarray | np.generic):
        return constant(result)
    return type(result)(map(_as_tensors, result)) if type(result) in (list, tuple) else result
