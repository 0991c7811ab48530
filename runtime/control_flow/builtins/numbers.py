"""Python's builtins on numbers, in a graph: `int`, `float`, `bool`, `round`, `bin`, `pow` with a modulus.

    round(x, 2)        of a tensor: Python's result for each element, halves to the even neighbour
    pow(a, b, m)       of integer scalars: Python's, so no product is too large on the way
    n.bit_length()     methods of Python's numbers, of scalars

A function that gives NotImplemented leaves the call to Python.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from runtime.control_flow.builtins.number_items import adapting, whole
from runtime.control_flow.lattice.leaf import is_weak
from runtime.dtypes import float32, float64, int32, int64, uint32, uint64
from runtime.errors import of_the_trace
from runtime.ops.records.gradients import ops
from runtime.ops.records.record import REGISTRY
from runtime.tensor.convert import adopt, convert_to_tensor
from runtime.tensor.symbolic import OF_NUMBERS
from runtime.tensor.tensor import Tensor

__all__ = ["IN_BASES", "bool_", "float_", "int_", "pow_", "round_"]

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
    """`int(x)`: the whole part, or the number in a text, as an int64 that adapts to the tensors beside it.

    Integers of up to 32 bits (but uint32) are int32, where they are no number of an array, and do not adapt. Of a
    tensor of any shape, element by element, but of an array, of which Python takes one element alone.
    """
    tensor = convert_to_tensor(x)
    if tensor.dtype.family == "string":
        return adapting(REGISTRY["string_to_number"](tensor, dtype=int64, base=base))
    if base != 10:
        raise NotImplementedError(f"base {base} not supported for int of a tensor of dtype {tensor.dtype.name}")
    if tensor.dtype.is_floating:
        return _to_integer(tensor, "trunc", lambda x: x)
    if tensor.dtype.is_bool or is_weak(tensor) or getattr(tensor, "of_array", False):
        return adapting(REGISTRY["cast"](tensor, int64))
    return REGISTRY["cast"](tensor, int64 if tensor.dtype in _WIDE else int32)


def _to_integer(number: Any, call: str, each: Callable[[Any], Any]) -> Any:
    """A float as an integer: one number with Python's errors, for what int64 does not hold; a tensor by `each`."""
    if number.shape.rank == 0:
        return adapting(ops.integer_call([number], call=call))
    return adapting(REGISTRY["cast"](each(number), int64))


def float_(x: Any) -> Any:
    """`float(x)`: a float of up to 32 bits as float32, all else as float64: no digits are lost.

    Of a tensor of any shape, element by element, as `int` does. What was an integer, or a text, adapts to the tensors
    beside it.
    """
    tensor = convert_to_tensor(x)
    if tensor.dtype.family == "string":
        return adapting(REGISTRY["string_to_number"](tensor, dtype=float64))
    if tensor.dtype.is_integer or tensor.dtype.is_bool or getattr(tensor, "of_array", False):
        return adapting(REGISTRY["cast"](tensor, float64))
    return REGISTRY["cast"](tensor, float64 if tensor.dtype in _WIDE else float32)


def bool_(x: Any = False) -> Any:
    """`bool(x)`: whether a number is not 0, or a string or a list that grows not empty."""
    if not isinstance(x, Tensor):
        return x.__ag_truth__() if hasattr(type(x), "__ag_truth__") else NotImplemented
    tensor = _scalar(x, "bool")
    if tensor.dtype.is_bool:
        return tensor
    return REGISTRY["not_equal"](tensor, "" if tensor.dtype.family == "string" else 0)


def round_(number: Any, ndigits: Any = None) -> Any:
    """`round(number, ndigits)`, halves to the even neighbour, as Python finds them from all digits of the number.

    Without ndigits a whole number, an int64 that adapts to the tensors beside it. ndigits: an integer.
    """
    if not isinstance(number, Tensor) and isinstance(ndigits, Tensor) and type(number) in (bool, float, int):
        number = adapting(adopt(number, float64 if type(number) is float else int64, "round"))
    if not isinstance(number, Tensor):
        return NotImplemented
    if isinstance(ndigits, Tensor):
        return _round_at(number, whole("round", ndigits))
    dtype = number.dtype
    if dtype.is_bool:
        return round_(REGISTRY["cast"](number, int32), ndigits)
    if dtype.is_integer:
        return number if ndigits is None or ndigits >= 0 else _round_integer(number, ndigits)
    if not dtype.is_floating:
        raise TypeError(f"round() needs a real number; got a tensor of dtype {dtype.name}")
    if ndigits is None:
        return _to_integer(number, "round", REGISTRY["round"])
    if ndigits > MOST_DIGITS:
        return number
    return REGISTRY["cast"](_round_decimal(REGISTRY["cast"](number, float64), ndigits), dtype)


def _round_at(number: Any, ndigits: Any) -> Any:
    """To as many digits as a tensor says."""
    if number.dtype.is_floating:
        return ops.round_to(number, ndigits)
    rounded = ops.integer_call([whole("round", number), ndigits], call="round")
    return REGISTRY["cast"](rounded, number.dtype) if number.dtype.is_integer else rounded


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
    """`pow(base, exp, mod)`. With mod: integer scalars; a negative exp is that of the inverse."""
    if mod is None:
        return NotImplemented
    given = [convert_to_tensor(value) for value in (base, exp, mod)]
    if not all(tensor.dtype.is_integer and tensor.shape.rank in (0, None) for tensor in given):
        raise TypeError("pow() 3rd argument not allowed unless all arguments are integers")
    dtype = next((value.dtype for value in (base, exp, mod) if isinstance(value, Tensor) and not is_weak(value)), None)
    result = ops.integer_call(given, call="pow")
    return adapting(result) if dtype is None else REGISTRY["cast"](result, dtype)


def _in_base(function: Callable[[int], str], spec: str) -> Callable[[Any], Any]:
    """`bin`, `oct` or `hex`, which are formats of integers."""

    def written(number: Any) -> Any:
        if not isinstance(number, Tensor):
            return function(number)
        integer = whole(function.__name__, number)
        integer = REGISTRY["cast"](integer, int32) if integer.dtype.is_bool else integer
        return REGISTRY["string_format"]([integer], parts=(("", spec),))

    return written


IN_BASES: Final = {bin: _in_base(bin, "#b"), oct: _in_base(oct, "#o"), hex: _in_base(hex, "#x")}
"""How the builtins that write an integer are staged."""


def _of_bits(name: str) -> Callable[[Any], Any]:
    return _of_integers(name, lambda number: lambda: adapting(ops.integer_call([number], call=name)))


def _is_integer(number: Any) -> Any:
    if not (number.dtype.is_floating or hasattr(int, "is_integer")):  # which integers of Python have from 3.12 on
        raise AttributeError("'int' object has no attribute 'is_integer'")

    def is_integer() -> Any:
        if not number.dtype.is_floating:
            return REGISTRY["equal"](number, number)
        return REGISTRY["logical_and"](ops.is_finite(number), REGISTRY["equal"](REGISTRY["floor"](number), number))

    return is_integer


def _of_integers(name: str, made: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """An attribute that integers have alone."""

    def attribute(number: Any) -> Any:
        if number.dtype.family not in ("int", "uint", "bool"):
            raise AttributeError(f"'{number.dtype.name}' object has no attribute {name!r}")
        return made(number)

    return attribute


def _has_none(name: str, instead: str) -> Callable[[Any], Any]:
    def attribute(number: Any) -> Any:
        raise of_the_trace(AttributeError(
            f"{number} is a number that only the run of the graph knows, and has no {name!r}: take {instead}"
        ))

    return attribute


OF_NUMBERS.update(
    bit_count=_of_bits("bit_count"), bit_length=_of_bits("bit_length"), is_integer=_is_integer,
    numerator=_of_integers("numerator", lambda number: REGISTRY["identity"](number)),
    denominator=_of_integers("denominator", lambda number: adapting(REGISTRY["ones_like"](number))),
    as_integer_ratio=_has_none("as_integer_ratio", "math.frexp(x), or numerator and denominator of an integer"),
    hex=_has_none("hex", "an f-string with the digits that are wanted, as in f'{x:.17g}'"),
    to_bytes=_has_none("to_bytes", "shifts and masks, as in (n >> 8) & 255"),
)  # fmt: skip

OF_CLASSES: Final[dict[Any, Callable[..., Any]]] = {
    getattr(kind, name): lambda number, name=name: getattr(number, name)()
    for kind, names in ((int, ("bit_count", "bit_length")), (float, ("is_integer",)))
    for name in names
}
"""Methods that are called as functions of their classes: `int.bit_length(n)`."""
