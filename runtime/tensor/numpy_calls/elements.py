"""Functions element by element that are no ufuncs, and comparison of whole arrays: `np.clip`, `np.round`, `np.isclose`.

    np.clip(x, 0, None)    ->    maximum(x, 0)
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from runtime.tensor.array_numbers import is_number
from runtime.tensor.numpy_calls.operands import (
    NotCovered,
    Table,
    call,
    floating,
    kind_of,
    operand,
    result_type,
    tensor,
    to,
    together,
)  # fmt: skip
from runtime.tensor.tensor import Tensor

__all__ = ["TABLE"]

TABLE: Final = Table()


@TABLE.of(np.clip)
def _clip(a: Any, a_min: Any = None, a_max: Any = None, out: Any = None, *, min: Any = None, max: Any = None) -> Any:
    low, high = (a_min if min is None else min), (a_max if max is None else max)
    low, high = _within(low, a, 0), _within(high, a, 1)
    given = [operand(v) for v in (a, low, high) if v is not None]
    dtype = result_type(*given)
    result, *limits = (to(value, dtype) for value in given)
    choices = [choose for choose, v in ((np.maximum, low), (np.minimum, high)) if v is not None]
    for choose, limit in zip(choices, limits, strict=True):
        result = choose(result, limit)
    return result


def _within(limit: Any, a: Any, side: int) -> Any:
    """A limit; None for an integer beyond all that the dtype holds, which limits nothing."""
    dtype = np.dtype(getattr(getattr(a, "dtype", None), "numpy", getattr(a, "dtype", object)))
    if type(limit) is not int or dtype.kind not in "iu":
        return limit
    info = np.iinfo(dtype.char)
    return None if (limit > info.max if side else limit < info.min) else limit


@TABLE.of(np.round, np.around)
def _round(a: Any, decimals: int = 0, out: Any = None) -> Any:
    x = tensor(a)
    if x.dtype.is_bool:
        return to(call("round", to(x, np.float16)), np.float16)
    if x.dtype.is_complex:
        return call("complex", *(_round(call(part, x), decimals) for part in ("real", "imag")))
    if not decimals or (x.dtype.is_integer and decimals > 0):
        return call("round", x)
    if x.dtype.is_integer:
        step = 10.0**-decimals
        return to(call("multiply", call("round", call("divide", to(x, np.float64), step)), step), x.dtype.numpy)
    factor = 10.0 ** abs(decimals)
    if decimals > 0:
        return call("divide", call("round", call("multiply", x, factor)), factor)
    return call("multiply", call("round", call("divide", x, factor)), factor)


@TABLE.of(np.fix)
def _fix(x: Any, out: Any = None) -> Any:
    return np.trunc(x)


@TABLE.of(np.real)
def _real(val: Any) -> Any:
    x = tensor(val)
    return call("real", x) if x.dtype.is_complex else x


@TABLE.of(np.imag)
def _imag(val: Any) -> Any:
    x = tensor(val)
    return call("imag", x) if x.dtype.is_complex else call("zeros_like", x)


@TABLE.of(np.angle)
def _angle(z: Any, deg: bool = False) -> Any:
    x = tensor(z)
    found = call("angle", x) if x.dtype.is_complex else np.arctan2(0, x)
    return call("multiply", found, 180 / np.pi) if deg else found


@TABLE.of(np.nan_to_num)
def _nan_to_num(x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    values = tensor(x)
    if values.dtype.is_complex:
        sides = (call(part, values) for part in ("real", "imag"))
        return call("complex", *(_nan_to_num(side, copy, nan, posinf, neginf) for side in sides))
    if not values.dtype.is_floating:
        return values
    dtype = values.dtype
    high, low = (dtype.max if posinf is None else posinf), (dtype.min if neginf is None else neginf)
    ends = call("where", call("greater", values, 0), to(high, dtype.numpy), to(low, dtype.numpy))
    finite = call("where", call("is_inf", values), ends, values)
    return call("where", call("is_nan", values), to(nan, dtype.numpy), finite)


def _is_complex(value: Any) -> bool:
    return bool(tensor(value).dtype.is_complex)


TABLE[np.iscomplexobj] = _is_complex
TABLE[np.isrealobj] = lambda x: not _is_complex(x)
TABLE[np.isscalar] = lambda element: is_number(element) or np.isscalar(element)
TABLE[np.iterable] = lambda y: tensor(y).shape.rank != 0
TABLE[np.isreal] = lambda x: np.equal(_imag(x), 0)
TABLE[np.iscomplex] = lambda x: np.not_equal(_imag(x), 0)
TABLE[np.isposinf] = lambda x, out=None: np.equal(tensor(x), np.inf)
TABLE[np.isneginf] = lambda x, out=None: np.equal(tensor(x), -np.inf)


@TABLE.of(np.real_if_close)
def _real_if_close(a: Any, tol: Any = 100) -> Any:
    x = tensor(a)
    if x.dtype.is_complex:
        raise NotCovered("the dtype of its result depends on the values: np.real leaves the imaginary part out")
    return x


@TABLE.of(np.asarray_chkfinite)
def _asarray_chkfinite(a: Any, dtype: Any = None, order: Any = None) -> Any:
    x = tensor(a) if dtype is None else to(tensor(a), np.dtype(dtype))
    if x.dtype.is_floating or x.dtype.is_complex:
        finite = call("reduce_all", call("is_finite", x))
        message = "array must not contain infs or NaNs"
        call("check", finite, [], message=message, exception="ValueError")
    return x


@TABLE.of(np.result_type)
def _result_type(*arrays_and_dtypes: Any) -> np.dtype[Any]:
    return np.result_type(*(kind_of(value) if isinstance(value, Tensor) else value for value in arrays_and_dtypes))


@TABLE.of(np.common_type)
def _common_type(*arrays: Any) -> Any:
    return np.common_type(*(np.empty(0, tensor(a).dtype.numpy) for a in arrays))


@TABLE.of(np.sinc)
def _sinc(x: Any, /) -> Any:
    angle = call("multiply", floating(x), np.pi)
    zero = call("equal", angle, 0)
    divisor = call("where", zero, 1, angle)
    return call("where", zero, 1, call("divide", call("sin", divisor), divisor))


# -- comparison of whole arrays --------------------------------------------------------------------------------------


@TABLE.of(np.isclose)
def _isclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: bool = False) -> Any:
    x, y = together(a, b)
    if not x.dtype.is_floating:
        x, y = to(x, np.float64), to(y, np.float64)
    distance = call("abs", call("subtract", x, y))
    near = call("less_equal", distance, call("add", call("multiply", call("abs", y), rtol), atol))
    near = call("logical_or", call("logical_and", near, call("is_finite", y)), call("equal", x, y))
    if not equal_nan:
        return near
    return call("logical_or", near, call("logical_and", call("is_nan", x), call("is_nan", y)))


@TABLE.of(np.allclose)
def _allclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: bool = False) -> Any:
    return call("reduce_all", _isclose(a, b, rtol, atol, equal_nan))


@TABLE.of(np.array_equiv)
def _array_equiv(a1: Any, a2: Any) -> Any:
    x, y = together(a1, a2)
    if not (x.shape.is_fully_defined() and y.shape.is_fully_defined()):
        raise NotCovered("both shapes must be known")
    try:
        np.broadcast_shapes(x.shape.as_tuple(), y.shape.as_tuple())
    except ValueError:
        return to(False, np.bool_)
    return call("reduce_all", call("equal", x, y))


@TABLE.of(np.array_equal)
def _array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> Any:
    x, y = together(a1, a2)
    if not x.shape.is_compatible_with(y.shape):
        return to(False, np.bool_)
    if not (x.shape.is_fully_defined() and y.shape.is_fully_defined()):
        raise NotCovered("both shapes must be known")
    same = call("equal", x, y)
    if equal_nan and x.dtype.is_floating:
        same = call("logical_or", same, call("logical_and", call("is_nan", x), call("is_nan", y)))
    return call("reduce_all", same)
