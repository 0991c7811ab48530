"""numpy's ufuncs as operations: `np.add(x, 1)`, `np.sqrt(i)`, `np.arctan2(y, x)`.

    np.true_divide(i, j)      int32, int32   ->   divide(cast(i, float64), cast(j, float64))
    np.add(p, q)              bool           ->   logical_or(p, q)

The ufunc itself says in which dtype it works for these operands and what it returns (`resolve_dtypes`); the table says
which operation that is, for all kinds of dtypes or for each kind.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from runtime.dtypes import letter_of
from runtime.tensor.numpy_calls.operands import NotCovered, call, kind_of, operand, rank_of, tensor, to
from runtime.tensor.numpy_calls.special import row_of

__all__ = ["UFUNCS", "called", "loop_dtypes"]

Row = str | Callable[..., Any]


def _same(x: Any) -> Any:
    return x


def _constant(value: bool) -> Callable[[Any], Any]:
    return lambda x: call("cast", call("zeros_like", x) if not value else call("ones_like", x), np.bool_)


def _of_bytes(name: str) -> Callable[..., Any]:
    """Bools compared as numbers, which the operations of order ask for."""
    return lambda *operands: call(name, *(to(x, np.uint8) for x in operands))


def _of_truth(name: str) -> Callable[..., Any]:
    """Numbers are true where they are not 0."""
    return lambda *operands: call(name, *(to(x, np.bool_) for x in operands))


def _number_beside_nan(name: str) -> Callable[[Any, Any], Any]:
    def chosen(x: Any, y: Any) -> Any:
        beside_x = call("where", call("is_nan", x), y, call(name, x, y))
        return call("where", call("is_nan", y), x, beside_x)

    return chosen


def _ordered(name: str) -> Callable[[Any, Any], Any]:
    """Complex numbers compared by their real parts, and by the imaginary ones where these are the same."""
    strictly = name.removesuffix("_equal")

    def compared(x: Any, y: Any) -> Any:
        real, other = call("real", x), call("real", y)
        beside = call(name, call("imag", x), call("imag", y))
        known = call("logical_not", call("logical_or", call("is_nan", x), call("is_nan", y)))
        first = call("logical_and", call(strictly, real, other), known)
        return call("logical_or", first, call("logical_and", call("equal", real, other), beside))

    return compared


def _extreme_of_complex(name: str) -> Callable[[Any, Any], Any]:
    def chosen(x: Any, y: Any) -> Any:
        return call("where", call("logical_or", call("is_nan", x), _ordered(name)(x, y)), x, y)

    return chosen


def _number_beside_nan_of_complex(name: str) -> Callable[[Any, Any], Any]:
    def chosen(x: Any, y: Any) -> Any:
        return call("where", call("logical_or", call("is_nan", y), _ordered(name)(x, y)), x, y)

    return chosen


def _scaled(factor: float) -> Callable[[Any], Any]:
    return lambda x: call("multiply", x, factor)


def _heaviside(x: Any, y: Any) -> Any:
    step = to(call("greater", x, 0), x.dtype.numpy)
    return call("where", call("is_nan", x), x, call("where", call("equal", x, 0), y, step))


def _modf(x: Any) -> tuple[Any, Any]:
    whole = call("trunc", x)
    rest = call("where", call("is_inf", x), call("zeros_like", x), call("subtract", x, whole))
    return call("copysign", rest, x), whole


def _matmul(a: Any, b: Any) -> Any:
    ranks = rank_of(a, "matmul"), rank_of(b, "matmul")
    if 0 in ranks:
        raise ValueError("numpy.matmul: the operands must have at least one dimension; a scalar multiplies with *")
    if max(ranks) <= 2 and 1 in ranks and not a.dtype.is_bool:
        return call("tensordot", a, b, axes=([ranks[0] - 1], [max(ranks[1] - 2, 0)]))
    left = call("expand_dims", a, axis=0) if ranks[0] == 1 else a
    right = call("expand_dims", b, axis=1) if ranks[1] == 1 else b
    if left.dtype.is_bool:
        counted = call("matmul", to(left, np.int64), to(right, np.int64))
        product = call("not_equal", counted, 0)
    else:
        product = call("matmul", left, right)
    added = ([-2] if ranks[0] == 1 else []) + ([-1] if ranks[1] == 1 else [])
    return call("squeeze", product, axis=added) if added else product


def _vecdot(a: Any, b: Any) -> Any:
    if a.dtype.is_bool:
        return call("reduce_any", call("logical_and", a, b), -1)
    return call("reduce_sum", call("multiply", a, b), -1)


def _matvec(a: Any, b: Any) -> Any:
    return call("squeeze", _matmul(a, call("expand_dims", b, axis=-1)), axis=-1)


def _vecmat(a: Any, b: Any) -> Any:
    return call("squeeze", _matmul(call("expand_dims", a, axis=-2), b), axis=-2)


def _ldexp(x: Any, exponent: Any) -> Any:
    """In two steps: a power of 2 may be out of range where the result is not."""
    half = call("floordiv", exponent, 2)
    for part in (half, call("subtract", exponent, half)):
        x = call("multiply", x, call("exp2", to(part, x.dtype.numpy)))
    return x


def _frexp(x: Any) -> tuple[Any, Any]:
    """By the logarithm, which may be off by one beside a power of 2."""
    usual = call("logical_and", call("is_finite", x), call("not_equal", x, 0))
    size = call("where", usual, call("abs", x), call("ones_like", x))
    power = call("floor", call("log2", size))
    part = _ldexp(size, call("negative", to(power, np.int64)))
    power = call("add", power, call("where", call("less", part, 1), to(0, power.dtype.numpy), to(1, power.dtype.numpy)))
    part = _ldexp(size, call("negative", to(power, np.int64)))
    low = call("less", part, 0.5)
    power = call("where", low, call("subtract", power, 1), power)
    part = call("where", low, call("multiply", part, 2), part)
    found = call("where", usual, call("copysign", part, x), x)
    return found, call("where", usual, to(power, np.int32), to(0, np.int32))


def _rounded_parts(x: Any) -> Any:
    return call("complex", *(call("round", call(part, x)) for part in ("real", "imag")))


def _logaddexp2(x: Any, y: Any) -> Any:
    return call("divide", call("logaddexp", *(call("multiply", v, math.log(2)) for v in (x, y))), math.log(2))


def _spacing(x: Any) -> Any:
    size = call("abs", x)
    gap = call("subtract", call("nextafter", size, to(math.inf, x.dtype.numpy)), size)
    return call("where", call("is_finite", x), call("copysign", gap, x), to(math.nan, x.dtype.numpy))


def _bitwise_count(x: Any) -> Any:
    size = x if x.dtype.is_unsigned else call("abs", x)
    bits = to(np.arange(x.dtype.size * 8 - (not x.dtype.is_unsigned)), x.dtype.numpy)
    each = call("bitwise_and", call("right_shift", call("expand_dims", size, axis=-1), bits), to(1, x.dtype.numpy))
    return call("reduce_sum", to(each, np.uint8), -1)


_SINCE_NUMPY_2: Final[Mapping[str, Row]] = {
    "vecdot": _vecdot, "matvec": _matvec, "vecmat": _vecmat, "bitwise_count": _bitwise_count,
}  # fmt: skip


UFUNCS: Final[Mapping[np.ufunc, Row | Mapping[str, Row]]] = {
    np.add: {"b": "logical_or", "": "add"},
    np.subtract: "subtract",
    np.multiply: {"b": "logical_and", "": "multiply"},
    np.true_divide: "divide",
    np.floor_divide: "floordiv",
    np.remainder: "floormod",
    np.fmod: "fmod",
    np.divmod: lambda x, y: (call("floordiv", x, y), call("floormod", x, y)),
    np.power: "pow",
    np.float_power: "pow",
    np.negative: {"u": lambda x: call("subtract", call("zeros_like", x), x), "": "negative"},
    np.positive: _same,
    np.absolute: {"b": _same, "u": _same, "": "abs"},
    np.fabs: "abs",
    np.sign: {"u": lambda x: call("minimum", x, 1), "": "sign"},
    np.square: {"b": _same, "": "square"},
    np.sqrt: "sqrt",
    np.cbrt: "cbrt",
    np.reciprocal: "reciprocal",
    np.exp: "exp", np.exp2: "exp2", np.expm1: "expm1",
    np.log: "log", np.log2: "log2", np.log10: "log10", np.log1p: "log1p",
    np.logaddexp: "logaddexp", np.logaddexp2: _logaddexp2,
    np.sin: "sin", np.cos: "cos", np.tan: "tan",
    np.arcsin: "asin", np.arccos: "acos", np.arctan: "atan", np.arctan2: "atan2",
    np.sinh: "sinh", np.cosh: "cosh", np.tanh: "tanh",
    np.arcsinh: "asinh", np.arccosh: "acosh", np.arctanh: "atanh",
    np.hypot: "hypot",
    np.deg2rad: _scaled(math.pi / 180), np.radians: _scaled(math.pi / 180),
    np.rad2deg: _scaled(180 / math.pi), np.degrees: _scaled(180 / math.pi),
    np.floor: {"f": "floor", "": _same},
    np.ceil: {"f": "ceil", "": _same},
    np.trunc: {"f": "trunc", "": _same},
    np.rint: {"c": _rounded_parts, "": "round"},
    np.modf: _modf, np.frexp: _frexp, np.ldexp: _ldexp, np.spacing: _spacing,
    np.copysign: "copysign",
    np.nextafter: "nextafter",
    np.signbit: "signbit",
    np.heaviside: _heaviside,
    np.maximum: {"b": "logical_or", "c": _extreme_of_complex("greater_equal"), "": "maximum"},
    np.minimum: {"b": "logical_and", "c": _extreme_of_complex("less_equal"), "": "minimum"},
    np.fmax: {"f": _number_beside_nan("maximum"), "c": _number_beside_nan_of_complex("greater_equal"),
              "b": "logical_or", "": "maximum"},
    np.fmin: {"f": _number_beside_nan("minimum"), "c": _number_beside_nan_of_complex("less_equal"),
              "b": "logical_and", "": "minimum"},
    np.equal: "equal",
    np.not_equal: "not_equal",
    np.less: {"b": _of_bytes("less"), "c": _ordered("less"), "": "less"},
    np.less_equal: {"b": _of_bytes("less_equal"), "c": _ordered("less_equal"), "": "less_equal"},
    np.greater: {"b": _of_bytes("greater"), "c": _ordered("greater"), "": "greater"},
    np.greater_equal: {"b": _of_bytes("greater_equal"), "c": _ordered("greater_equal"), "": "greater_equal"},
    np.logical_and: _of_truth("logical_and"), np.logical_or: _of_truth("logical_or"),
    np.logical_not: _of_truth("logical_not"), np.logical_xor: _of_truth("logical_xor"),
    np.bitwise_and: {"b": "logical_and", "": "bitwise_and"},
    np.bitwise_or: {"b": "logical_or", "": "bitwise_or"},
    np.bitwise_xor: {"b": "logical_xor", "": "bitwise_xor"},
    np.invert: {"b": "logical_not", "": "invert"},
    np.left_shift: "left_shift", np.right_shift: "right_shift",
    np.gcd: "gcd", np.lcm: "lcm",
    np.isnan: {"f": "is_nan", "c": "is_nan", "": _constant(False)},
    np.isinf: {"f": "is_inf", "c": "is_inf", "": _constant(False)},
    np.isfinite: {"f": "is_finite", "c": "is_finite", "": _constant(True)},
    np.conjugate: {"c": "conj", "": _same},
    np.matmul: _matmul,
    **{getattr(np, name): row for name, row in _SINCE_NUMPY_2.items() if hasattr(np, name)},
}  # fmt: skip
"""Ufunc -> operation, or a row for each kind of dtype that it works in ("" for all others)."""


_NEUTRAL: Final[Mapping[str, tuple[Any, ...]]] = {
    "out": (None,), "where": (True,), "casting": ("same_kind",), "order": ("K", "C"), "subok": (True, False),
}  # fmt: skip
"""Arguments that change nothing, with these values."""


def called(ufunc: np.ufunc, inputs: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """The operation that stands for a call of a ufunc. Raises NotCovered where there is none."""
    rows = UFUNCS.get(ufunc) or row_of(ufunc)
    if rows is None:
        raise NotCovered("it has no operation")
    rest = dict(kwargs)
    dtype = rest.pop("dtype", None)
    for key, value in rest.items():
        if not any(value is neutral for neutral in _NEUTRAL.get(key, ())):
            raise NotCovered(f"its argument `{key}` has no operation")
    operands = [operand(value) for value in inputs]
    dtypes = loop_dtypes(ufunc, tuple(map(kind_of, operands)), None if dtype is None else np.dtype(dtype))
    taken, given = dtypes[: ufunc.nin], dtypes[ufunc.nin :]
    if len(set(taken)) > 1 and ufunc is not np.ldexp:
        raise NotCovered(f"no operation takes {' and '.join(map(str, taken))}; cast one of them")
    row = rows if not isinstance(rows, Mapping) else rows.get(letter_of(taken[0]), rows.get("", ""))
    try:
        tensors = [
            value if _taken_as_it_is(value, kind, row) else to(value, kind)
            for value, kind in zip(operands, taken, strict=True)
        ]
    except OverflowError:
        if ufunc not in _COMPARISONS:
            raise
        return _beside_what_is_outside(ufunc, operands)
    result = call(row, *tensors) if isinstance(row, str) else row(*tensors)
    if isinstance(result, tuple):
        return tuple(map(to, result, given))
    return to(result, given[0])


_COMPARISONS: Final = frozenset({np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal})


def _beside_what_is_outside(ufunc: np.ufunc, operands: Sequence[Any]) -> Any:
    """Integers compared with a number that their dtype does not hold, beside which 0 is where they all are."""
    verdict = bool(ufunc(*(value if type(value) is int else 0 for value in operands)))
    others = next(tensor(value) for value in operands if type(value) is not int)
    return call("fill", call("shape", others), verdict)


def _taken_as_it_is(value: Any, dtype: np.dtype[Any], row: Row) -> bool:
    """Whether it is a number that an operation takes beside a tensor of this dtype, as `x + 1` does: the short way."""
    kind = type(value)
    small = kind is int and -128 <= value <= 127
    return isinstance(row, str) and ((dtype.kind == "f" and (small or kind is float)) or (dtype.kind == "i" and small))


@functools.lru_cache(4096)
def loop_dtypes(ufunc: np.ufunc, kinds: tuple[Any, ...], dtype: np.dtype[Any] | None) -> tuple[np.dtype[Any], ...]:
    """The dtypes in which a ufunc works on operands of these kinds, and those of its results. Raises TypeError if in
    none."""
    kinds = tuple(np.dtype(object) if getattr(k, "kind", "") in ("U", "S") else k for k in kinds)
    kinds += (None,) * ufunc.nout
    if dtype is None:
        return ufunc.resolve_dtypes(kinds)
    return ufunc.resolve_dtypes(kinds, signature=(None,) * ufunc.nin + (dtype,) * ufunc.nout)
