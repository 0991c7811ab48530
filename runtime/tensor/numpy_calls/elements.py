"""Functions element by element that are no ufuncs, and statistics of whole arrays: `np.clip`, `np.round`, `np.isclose`.

    np.clip(x, 0, None)    ->    maximum(x, 0)
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from runtime.tensor.numpy_calls.operands import (
    NotCovered,
    Table,
    call,
    floating,
    operand,
    rank_of,
    result_type,
    size_of,
    tensor,
    to,
    together,
)  # fmt: skip

__all__ = ["TABLE"]

TABLE: Final = Table()


@TABLE.of(np.clip)
def _clip(a: Any, a_min: Any = None, a_max: Any = None, out: Any = None, *, min: Any = None, max: Any = None) -> Any:
    low, high = (a_min if min is None else min), (a_max if max is None else max)
    given = [operand(v) for v in (a, low, high) if v is not None]
    dtype = result_type(*given)
    result, *limits = (to(value, dtype) for value in given)
    choices = [choose for choose, v in ((np.maximum, low), (np.minimum, high)) if v is not None]
    for choose, limit in zip(choices, limits, strict=True):
        result = choose(result, limit)
    return result


@TABLE.of(np.round, np.around)
def _round(a: Any, decimals: int = 0, out: Any = None) -> Any:
    x = tensor(a)
    if x.dtype.is_bool:
        return to(call("round", to(x, np.float16)), np.float16)
    if not decimals or (x.dtype.is_integer and decimals > 0):
        return call("round", x)
    if x.dtype.is_integer:
        raise NotCovered("integers are rounded to whole numbers only")
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
    if not values.dtype.is_floating:
        return values
    dtype = values.dtype
    high, low = (dtype.max if posinf is None else posinf), (dtype.min if neginf is None else neginf)
    ends = call("where", call("greater", values, 0), to(high, dtype.numpy), to(low, dtype.numpy))
    finite = call("where", call("is_inf", values), ends, values)
    return call("where", call("is_nan", values), to(nan, dtype.numpy), finite)


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


# -- statistics ------------------------------------------------------------------------------------------------------


@TABLE.of(np.cov)
def _cov(
    m: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: Any = None, *, dtype: Any = None
) -> Any:
    x = floating(m)
    rank = rank_of(x, "cov")
    if y is not None or rank > 2:
        raise NotCovered("it is there for one argument of one or two dimensions")
    x = to(x, np.result_type(x.dtype.numpy, np.float64) if dtype is None else dtype)
    if rank < 2:
        x = call("reshape", x, [1, -1])
    elif not rowvar:
        x = call("transpose", x)
    centred = call("subtract", x, call("reduce_mean", x, 1, True))
    freedom = ddof if ddof is not None else 0 if bias else 1
    count = call("subtract", to(size_of(x, 1), x.dtype.numpy), freedom)
    product = call("divide", call("matmul", centred, call("transpose", centred)), count)
    return call("squeeze", product) if x.shape.dims is not None and x.shape.dims[0] == 1 else product


@TABLE.of(np.corrcoef)
def _corrcoef(x: Any, y: Any = None, rowvar: bool = True, *, dtype: Any = None) -> Any:
    covariance = _cov(x, y, rowvar, dtype=dtype)
    if rank_of(covariance, "corrcoef") != 2:
        return call("divide", covariance, covariance)
    spread = call("sqrt", np.diagonal(covariance))
    scaled = call("divide", call("divide", covariance, call("expand_dims", spread, axis=1)), spread)
    return call("clip_by_value", scaled, -1, 1)
