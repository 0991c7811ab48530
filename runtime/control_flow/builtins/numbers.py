"""Python's builtins on numbers, in a graph: `int`, `float`, `bool`, `abs`, `round`, `pow` with a modulus.

    round(x, 2)        of a tensor: Python's result for each element, halves to the even neighbour
    pow(a, b, m)       of integer scalars: a loop of squares

A function that gives NotImplemented leaves the call to Python.
"""

from __future__ import annotations

from typing import Any, Final

from runtime.control_flow.loops.values import while_values
from runtime.dtypes import float32, float64, int32, int64, uint32, uint64
from runtime.ops.record import REGISTRY
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.tensor import Tensor

__all__ = ["abs_", "bool_", "float_", "int_", "pow_", "round_"]

RAISES_AS_PYTHON = True  # see runtime.control_flow.tries.raised

MOST_DIGITS: Final = 22
"""A power of ten up to this one is a float64 without error."""


_WIDE: Final = frozenset({int64, uint32, uint64, float64})
"""What does not fit into int32 and float32."""


def _scalar(x: Any, what: str) -> Any:
    """A tensor with one element as a scalar. Raises TypeError for other static shapes."""
    tensor = convert_to_tensor(x)
    shape = tensor.shape
    if shape.rank == 0:
        return tensor
    if shape.rank is not None and shape.num_elements() not in (1, None):
        raise TypeError(f"{what}() needs a tensor with one element; got one of shape {shape}")
    return REGISTRY["reshape"](tensor, ())


def int_(x: Any, base: int = 10) -> Any:
    """`int(x)`: the whole part, or the number in a text, as int32; of a tensor of any shape, element by element.

    What is 64 bits wide (or uint32) gives int64: no digits are lost.
    """
    tensor = convert_to_tensor(x)
    if tensor.dtype.kind == "string":
        return REGISTRY["string_to_number"](tensor, dtype=int32, base=base)
    if base != 10:
        raise NotImplementedError(f"base {base} not supported for int of a tensor of dtype {tensor.dtype.name}")
    return REGISTRY["cast"](tensor, int64 if tensor.dtype in _WIDE else int32)


def float_(x: Any) -> Any:
    """`float(x)`: the number, or that in a text, as float32; of a tensor of any shape, element by element.

    What is 64 bits wide (or uint32) gives float64: no digits are lost.
    """
    tensor = convert_to_tensor(x)
    if tensor.dtype.kind == "string":
        return REGISTRY["string_to_number"](tensor, dtype=float32)
    return REGISTRY["cast"](tensor, float64 if tensor.dtype in _WIDE else float32)


def bool_(x: Any = False) -> Any:
    """`bool(x)`: whether a number is not 0, or a string not empty."""
    if not isinstance(x, Tensor):
        return NotImplemented
    tensor = _scalar(x, "bool")
    if tensor.dtype.is_bool:
        return tensor
    return REGISTRY["not_equal"](tensor, "" if tensor.dtype.kind == "string" else 0)


def abs_(x: Any) -> Any:
    return REGISTRY["abs"](x) if isinstance(x, Tensor) else NotImplemented


def round_(number: Any, ndigits: Any = None) -> Any:
    """`round(number, ndigits)`, halves to the even neighbour, as Python finds them from all digits of the number.

    Without ndigits a whole number: int32, int64 for float64. ndigits: a Python number.
    """
    if not isinstance(number, Tensor):
        return NotImplemented
    if isinstance(ndigits, Tensor):
        raise NotImplementedError("round() of a tensor takes ndigits as a Python number; scale it with runtime.round")
    dtype = number.dtype
    if dtype.is_bool:
        return round_(REGISTRY["cast"](number, int32), ndigits)
    if dtype.is_integer:
        return number if ndigits is None or ndigits >= 0 else _round_integer(number, ndigits)
    if not dtype.is_floating:
        raise TypeError(f"round() needs a real number; got a tensor of dtype {dtype.name}")
    if ndigits is None:
        return REGISTRY["cast"](REGISTRY["round"](number), int64 if dtype.size > 4 else int32)
    if ndigits > MOST_DIGITS:
        return number
    return REGISTRY["cast"](_round_decimal(REGISTRY["cast"](number, float64), ndigits), dtype)


def _round_decimal(number: Any, ndigits: int) -> Any:
    """A float64 rounded to a power of ten.

    The scaled number may be a half only because its last digits were lost in scaling: the error of the product tells.
    """
    if ndigits < 0:
        return REGISTRY["round"](number / 10.0**-ndigits) * 10.0**-ndigits
    scale = 10.0**ndigits
    scaled = number * scale
    low = REGISTRY["floor"](scaled)
    error = _product_error(number, scale, scaled)
    is_half = REGISTRY["logical_and"](REGISTRY["equal"](scaled - low, 0.5), REGISTRY["not_equal"](error, 0.0))
    whole = REGISTRY["where"](is_half, REGISTRY["where"](error > 0.0, low + 1.0, low), REGISTRY["round"](scaled))
    # what has no digits after so many places, infinities among them, stays as it is
    keeps = REGISTRY["logical_or"](REGISTRY["abs"](scaled) >= 2.0**52, REGISTRY["not_equal"](scaled, scaled))
    return REGISTRY["where"](keeps, number, whole / scale)


def _product_error(a: Any, b: float, product: Any) -> Any:
    """`a * b - product` without error: both factors are split into halves whose products are exact (Dekker, 1971)."""
    split = 2.0**27 + 1
    big = a * split
    a_high = big - (big - a)
    a_low = a - a_high
    b_high = b * split - (b * split - b)
    b_low = b - b_high
    return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


def _round_integer(number: Any, ndigits: Any) -> Any:
    """To a multiple of ten, a hundred, ...: halves to the even multiple."""
    unit = 10**-ndigits
    low = number // unit
    rest = number - low * unit
    up = REGISTRY["logical_or"](
        rest * 2 > unit, REGISTRY["logical_and"](REGISTRY["equal"](rest * 2, unit), REGISTRY["equal"](low % 2, 1))
    )
    return (low + REGISTRY["cast"](up, number.dtype)) * unit


def pow_(base: Any, exp: Any, mod: Any = None) -> Any:
    """`pow(base, exp, mod)`. With mod: integer scalars, exp not negative; the products are computed in int64."""
    if mod is None:
        return NotImplemented
    given = [convert_to_tensor(value) for value in (base, exp, mod)]
    if not all(tensor.dtype.is_integer and tensor.shape.rank in (0, None) for tensor in given):
        raise TypeError("pow() 3rd argument not allowed unless all arguments are integers")
    dtype = next((value.dtype for value in (base, exp, mod) if isinstance(value, Tensor)), int32)
    wide = [REGISTRY["cast"](tensor, int64) for tensor in given]
    REGISTRY["check"](
        REGISTRY["not_equal"](wide[2], 0), message="pow() 3rd argument cannot be 0", exception="ValueError"
    )
    REGISTRY["check"](
        wide[1] >= 0,
        message="pow() of tensors with a modulus takes no negative exponent; compute the inverse first",
        exception="ValueError",
    )
    modulus = wide[2]

    def body(values: Any) -> Any:
        result, square, left = values
        odd = REGISTRY["equal"](left % 2, 1)
        return [REGISTRY["where"](odd, result * square % modulus, result), square * square % modulus, left // 2]

    one = convert_to_tensor(1, int64) % modulus
    names = ["the result of pow", "the square in pow", "the exponent in pow"]
    result = while_values(lambda values: values[2] > 0, body, names, [one, wide[0] % modulus, wide[1]])[0]
    return REGISTRY["cast"](result, dtype)
