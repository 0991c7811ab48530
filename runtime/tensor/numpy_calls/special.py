"""SciPy's special functions on tensors: `scipy.special.erf(x)` is `runtime.math.erf(x)`. SciPy is never imported here.

    scipy.special.xlogy(x, y)     ->     where(x == 0, 0, x * log(y)), and nan where y is

The ufuncs among them pass tensors on by themselves, the functions in Python are known from the first trace on in which
the program has imported them (see scipy_modules). What has no operation is refused with what to take instead.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from runtime.tensor.numpy_calls.operands import NotCovered, axis_of, call, floating, operand, tensor, to
from runtime.tensor.numpy_calls.windows import bessel_i0

__all__ = ["FUNCTIONS", "INSTEAD", "UFUNC_ROWS", "row_of"]


def _chosen(condition: Any, value: Any, other: Any) -> Any:
    return call("where", condition, to(operand(value), other.dtype.numpy), other)


def _product(log: str, at: float) -> Callable[[Any, Any], Any]:
    """x * log(y), 0 where x is: there the logarithm is taken of another number, so that the gradient is one."""

    def function(x: Any, y: Any) -> Any:
        is_zero = call("logical_and", call("equal", x, 0), call("logical_not", call("is_nan", y)))
        return _chosen(is_zero, 0, call("multiply", x, call(log, _chosen(is_zero, at, y))))

    return function


_times_log: Final = _product("log", 1)
_times_log_1p: Final = _product("log1p", 0)


def _entropy(x: Any) -> Any:
    return _chosen(call("less", x, 0), -math.inf, call("negative", _times_log(x, x)))


def _relative_entropy(x: Any, y: Any) -> Any:
    inside = call("logical_and", call("greater", x, 0), call("greater", y, 0))
    ratio = call("divide", _chosen(call("logical_not", inside), 1, x), _chosen(call("logical_not", inside), 1, y))
    on_edge = call("logical_and", call("equal", x, 0), call("greater_equal", y, 0))
    return call("where", inside, call("multiply", x, call("log", ratio)), _chosen(on_edge, 0, _infinite(x, y)))


def _infinite(x: Any, y: Any) -> Any:
    """Infinity, and nan beside one."""
    total = call("add", x, y)
    return call("where", call("is_nan", total), total, call("multiply", call("ones_like", total), math.inf))


def _divergence(x: Any, y: Any) -> Any:
    return call("add", call("subtract", _relative_entropy(x, y), x), y)


def _logit(x: Any) -> Any:
    return call("subtract", call("log", x), call("log1p", call("negative", x)))


def _normal(x: Any) -> Any:
    return call("multiply", call("erfc", call("multiply", x, -math.sqrt(0.5))), 0.5)


def _cosine_less_one(x: Any) -> Any:
    return call("multiply", call("square", call("sin", call("multiply", x, 0.5))), -2)


def _huber(delta: Any, r: Any) -> Any:
    size = call("abs", r)
    near = call("multiply", call("square", r), 0.5)
    far = call("multiply", delta, call("subtract", size, call("multiply", delta, 0.5)))
    return _chosen(call("less", delta, 0), math.inf, call("where", call("less_equal", size, delta), near, far))


UFUNC_ROWS: Final[Mapping[str, str | Callable[..., Any]]] = {
    "erf": "erf", "erfc": "erfc", "erfinv": "erfinv", "gammaln": "lgamma", "loggamma": "lgamma", "psi": "digamma",
    "gamma": "gamma", "rgamma": lambda x: call("reciprocal", call("gamma", x)),
    "expit": "sigmoid", "log_expit": "log_sigmoid", "logit": _logit, "ndtr": _normal,
    "exp2": "exp2", "expm1": "expm1", "log1p": "log1p", "cbrt": "cbrt", "cosm1": _cosine_less_one, "round": "round",
    "exp10": lambda x: call("pow", call("multiply", call("ones_like", x), 10), x), "i0": bessel_i0,
    "xlogy": _times_log, "xlog1py": _times_log_1p,
    "entr": _entropy, "rel_entr": _relative_entropy, "kl_div": _divergence, "huber": _huber,
}  # fmt: skip
"""By the name of a ufunc: the operation for real numbers, or what it is made of."""


def row_of(ufunc: np.ufunc) -> Mapping[str, Any] | None:
    """The row of one of SciPy's ufuncs; None for those that have none, and for others."""
    is_special = getattr(sys.modules.get("scipy.special"), ufunc.__name__, None) is ufunc
    row = UFUNC_ROWS.get(ufunc.__name__) if is_special else None
    return None if row is None else {"f": row, "": _refuse_others}


def _refuse_others(*operands: Any) -> Any:
    raise NotCovered("its operation is for real numbers")


# -- functions in Python


def _axes(x: Any, axis: Any) -> Any:
    """A softmax is taken along one axis, or of all elements."""
    return call("reshape", x, [-1]) if axis is None else x, -1 if axis is None else axis_of(x, axis, "softmax")


def _soft(name: str) -> Callable[..., Any]:
    def function(x: Any, axis: Any = None) -> Any:
        values = floating(x)
        if isinstance(axis, tuple):
            raise NotCovered("several axes have no operation")
        line, place = _axes(values, axis)
        found = call(name, line, axis=place)
        return call("reshape", found, call("shape", values)) if axis is None else found

    return function


def _logsumexp(a: Any, axis: Any = None, b: Any = None, keepdims: bool = False, return_sign: bool = False) -> Any:
    if b is not None or return_sign:
        raise NotCovered("weights have no operation: take np.log(np.sum(b * np.exp(a - m))) + m, with m = np.max(a)")
    return call("reduce_logsumexp", floating(a), axis, keepdims)


def _polygamma(n: Any, x: Any) -> Any:
    if not isinstance(n, int) or n < 0:
        raise NotCovered("its operation takes one known order")
    values = to(tensor(x), np.float64)
    return call("polygamma", values, order=n) if n else call("digamma", values)


FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "logsumexp": _logsumexp, "softmax": _soft("softmax"), "log_softmax": _soft("log_softmax"),
    "polygamma": _polygamma, "softplus": lambda x: call("softplus", floating(x)),
}  # fmt: skip
"""By the name of a function in Python: what it is made of."""


_LGAMMA: Final = "runtime.math.lgamma has the logarithms of the gamma functions that it is made of"
_ERF: Final = "runtime.math has erf, erfc and erfinv"
_EXACT: Final = "math.comb, math.factorial and math.perm take tensors of integers"

INSTEAD: Final[Mapping[str, str]] = {
    **dict.fromkeys(("beta", "betaln", "binom", "poch", "multigammaln", "gammasgn"), _LGAMMA),
    **dict.fromkeys(("erfcinv", "erfcx", "erfi", "ndtri", "log_ndtr", "wofz", "dawsn"), _ERF),
    **dict.fromkeys(("comb", "factorial", "perm"), _EXACT),
    **dict.fromkeys(("sindg", "cosdg", "tandg", "cotdg", "radian"), "np.deg2rad makes radians of degrees"),
    **dict.fromkeys(("i0e", "i1", "i1e", "iv", "ive"), "np.i0 is the modified Bessel function of order 0"),
    "boxcox": "(x ** lmbda - 1) / lmbda", "boxcox1p": "((1 + x) ** lmbda - 1) / lmbda",
    "inv_boxcox": "(lmbda * y + 1) ** (1 / lmbda)", "exprel": "np.expm1(x) / x",
    "pseudo_huber": "delta ** 2 * (np.sqrt(1 + (r / delta) ** 2) - 1)",
    "powm1": "x ** y - 1", "agm": "a loop of a, b = (a + b) / 2, np.sqrt(a * b)",
    "zeta": "scipy.special.polygamma(n, x) is (-1) ** (n + 1) * n! * zeta(n + 1, x)",
}  # fmt: skip
"""What to take in the place of others, by what they are for."""
