"""`runtime.math`: the mathematical operations under their full list of names.

>>> runtime.math.log(1.0)
<tf.Tensor: shape=(), dtype=float32, numpy=0.0>
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from runtime.library.arrays import count_nonzero, linspace
from runtime.library.places import invert_permutation
from runtime.library.tallies import bincount, confusion_matrix
from runtime.names.elsewhere import Unknown
from runtime.ops.elementwise.arithmetic import abs_ as abs
from runtime.ops.elementwise.arithmetic import (
    add,
    add_n,
    divide,
    divide_no_nan,
    floordiv,
    floormod,
    multiply,
    negative,
    sign,
    square,
    squared_difference,
    subtract,
)
from runtime.ops.elementwise.arithmetic import pow_ as pow
from runtime.ops.elementwise.arithmetic import round_ as round
from runtime.ops.elementwise.compare import equal, greater, greater_equal, less, less_equal, not_equal
from runtime.ops.elementwise.complex_numbers import angle, conj, imag, real
from runtime.ops.elementwise.error_functions import erf, erfc, erfinv
from runtime.ops.elementwise.functions import (
    acos,
    asin,
    atan,
    atan2,
    ceil,
    cos,
    cosh,
    exp,
    expm1,
    floor,
    is_finite,
    is_inf,
    is_nan,
    log,
    log1p,
    reciprocal,
    rsqrt,
    sigmoid,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
)
from runtime.ops.elementwise.gamma import digamma, lgamma
from runtime.ops.elementwise.limits import maximum, minimum
from runtime.ops.elementwise.logic import logical_and, logical_not, logical_or, logical_xor
from runtime.ops.elementwise.special import (
    acosh,
    asinh,
    atanh,
    cbrt,
    copysign,
    exp2,
    fmod,
    gcd,
    hypot,
    lcm,
    log2,
    log10,
    logaddexp,
    nextafter,
    signbit,
    trunc,
)
from runtime.ops.reductions.positions import argmax, argmin
from runtime.ops.reductions.reduce import (
    reduce_all,
    reduce_any,
    reduce_logsumexp,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_std,
    reduce_sum,
    reduce_variance,
)
from runtime.ops.reductions.scan import cumprod, cumsum, cumulative_logsumexp
from runtime.ops.reductions.segments import (
    segment_max,
    segment_mean,
    segment_min,
    segment_prod,
    segment_sum,
    unsorted_segment_max,
    unsorted_segment_mean,
    unsorted_segment_min,
    unsorted_segment_prod,
    unsorted_segment_sqrt_n,
    unsorted_segment_sum,
)

if TYPE_CHECKING:
    from runtime.library.nn import (
        in_top_k,
        l2_normalize,
        log_sigmoid,
        log_softmax,
        softmax,
        softplus,
        top_k,
        zero_fraction,
    )

FROM_NN = frozenset(
    {"in_top_k", "l2_normalize", "log_sigmoid", "log_softmax", "softmax", "softplus", "top_k", "zero_fraction"}
)
"""What `runtime.nn` has too; it is imported when one of them is first used."""


def __getattr__(name: str) -> Any:
    if name not in FROM_NN:
        raise Unknown(__name__, name)
    value = globals()[name] = getattr(importlib.import_module("runtime.nn"), name)
    return value


mod = floormod
truediv = divide

__all__ = [
    "abs", "acos", "acosh", "add", "add_n", "angle", "argmax", "argmin", "asin", "asinh", "atan", "atan2", "atanh",
    "bincount", "cbrt", "ceil", "confusion_matrix", "conj", "copysign", "cos", "cosh", "count_nonzero", "cumprod",
    "cumsum", "cumulative_logsumexp", "digamma", "divide", "divide_no_nan", "equal", "erf", "erfc", "erfinv", "exp",
    "exp2", "expm1", "floor", "floordiv", "floormod", "fmod", "gcd", "greater", "greater_equal", "hypot", "imag",
    "in_top_k", "invert_permutation", "is_finite", "is_inf", "is_nan", "l2_normalize", "lcm", "less", "less_equal",
    "lgamma", "linspace", "log", "log1p", "log2", "log10", "log_sigmoid", "log_softmax", "logaddexp", "logical_and",
    "logical_not", "logical_or", "logical_xor", "maximum", "minimum", "mod", "multiply", "negative", "nextafter",
    "not_equal", "pow", "real", "reciprocal", "reduce_all", "reduce_any", "reduce_logsumexp", "reduce_max",
    "reduce_mean", "reduce_min", "reduce_prod", "reduce_std", "reduce_sum", "reduce_variance", "round", "rsqrt",
    "segment_max", "segment_mean", "segment_min", "segment_prod", "segment_sum", "sigmoid", "sign", "signbit",
    "sin", "sinh", "softmax", "softplus", "sqrt", "square", "squared_difference", "subtract", "tan", "tanh",
    "top_k", "truediv", "trunc", "unsorted_segment_max", "unsorted_segment_mean", "unsorted_segment_min",
    "unsorted_segment_prod", "unsorted_segment_sqrt_n", "unsorted_segment_sum", "zero_fraction",
]  # fmt: skip
