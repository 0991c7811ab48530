"""Python's builtins on tensors: `len(x)`, `range(n)`, `round(x)`, `pow(a, b, m)` in a graph, and the table of all.

The table is asked first for calls with a tensor among the arguments, and while a function is traced also for the
builtins that look at what they are given (`any([a > 0, b > 0])`). A builtin that is not in the table, or whose function
gives NotImplemented, runs as Python's own.

Iterators are in iterables.py; sum, any, all, min, max and sorted in reductions.py.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from typing import Any, Final

from runtime.control_flow import iterables, reductions
from runtime.control_flow.iteration import items_of, length_of
from runtime.control_flow.loops import while_values
from runtime.dtypes import float32, int32, int64
from runtime.errors import InvalidArgumentError
from runtime.ops.record import REGISTRY
from runtime.tensor.convert import adopt, convert_to_tensor, literal_dtype
from runtime.tensor.tensor import Tensor

__all__ = ["OVERLOADS"]


def _len(x: Any) -> Any:
    """The first dimension: a Python int where it is known, else a tensor."""
    if not isinstance(x, Tensor):
        if isinstance(x, iterables.StagedIterator | iterables.PushedIterator):
            raise TypeError(f"object of type '{x.kind}' has no len()")
        return items_of(x).length
    shape = x.shape
    if shape.rank == 0:
        raise ValueError(f"len requires a non-scalar tensor, got one of shape {shape}")
    if shape.rank is None:
        rank = REGISTRY["rank"](x)
        REGISTRY["check"](rank > 0, rank, message="len requires non-zero rank, got ", exception="ValueError")
    return length_of(x)


def _scalar(x: Any, what: str) -> Any:
    """A tensor with one element as a scalar. Raises TypeError for other static shapes."""
    tensor = convert_to_tensor(x)
    shape = tensor.shape
    if shape.rank == 0:
        return tensor
    if shape.rank is not None and shape.num_elements() not in (1, None):
        raise TypeError(f"{what}() needs a tensor with one element; got one of shape {shape}")
    return REGISTRY["reshape"](tensor, ())


def _int(x: Any, base: int = 10) -> Any:
    """`int(x)`: the whole part, as int32; of a tensor of any shape, element by element."""
    if base != 10:
        raise NotImplementedError(f"base {base} not supported for int of a tensor")
    return REGISTRY["cast"](convert_to_tensor(x), int32)


def _float(x: Any) -> Any:
    """`float(x)`: as float32; of a tensor of any shape, element by element."""
    return REGISTRY["cast"](convert_to_tensor(x), float32)


def _bool(x: Any = False) -> Any:
    """`bool(x)`: whether a number is not 0, or a string not empty."""
    if not isinstance(x, Tensor):
        return NotImplemented
    tensor = _scalar(x, "bool")
    if tensor.dtype.is_bool:
        return tensor
    return REGISTRY["not_equal"](tensor, "" if tensor.dtype.kind == "string" else 0)


def _abs(x: Any) -> Any:
    return REGISTRY["abs"](x) if isinstance(x, Tensor) else NotImplemented


def _round(number: Any, ndigits: Any = None) -> Any:
    """`round(number, ndigits)`, halves to the even neighbour: without ndigits as int32 (int64 for wide numbers).

    With ndigits the number is scaled by a power of ten and back, so that the last bit may differ from Python's.
    """
    if not isinstance(number, Tensor):
        return NotImplemented
    dtype = number.dtype
    if dtype.is_integer or dtype.is_bool:
        if ndigits is None or (isinstance(ndigits, int) and ndigits >= 0):
            return REGISTRY["cast"](number, int32) if dtype.is_bool else number
        return _round_integer(number, ndigits)
    if not dtype.is_floating:
        raise TypeError(f"round() needs a real number; got a tensor of dtype {dtype.name}")
    if ndigits is None:
        whole = REGISTRY["round"](number)
        return REGISTRY["cast"](whole, int64 if dtype.size > 4 else int32)
    if isinstance(ndigits, int) and ndigits < 0:
        scale = 10.0**-ndigits
        return REGISTRY["round"](number / scale) * scale
    scale = REGISTRY["pow"](adopt(10, dtype, "round"), REGISTRY["cast"](convert_to_tensor(ndigits), dtype))
    return REGISTRY["round"](number * scale) / scale


def _round_integer(number: Any, ndigits: Any) -> Any:
    """To a multiple of ten, a hundred, ...: halves to the even multiple."""
    if isinstance(ndigits, Tensor):
        raise NotImplementedError("round() of an integer tensor takes ndigits as a Python number")
    unit = 10**-ndigits
    low = number // unit
    rest = number - low * unit
    up = REGISTRY["logical_or"](
        rest * 2 > unit, REGISTRY["logical_and"](REGISTRY["equal"](rest * 2, unit), REGISTRY["equal"](low % 2, 1))
    )
    return (low + REGISTRY["cast"](up, number.dtype)) * unit


def _pow(base: Any, exp: Any, mod: Any = None) -> Any:
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


def _range(start: Any, stop: Any = None, step: Any = 1) -> Any:
    if stop is None:
        start, stop = 0, start
    for bound in (start, stop, step):
        dtype = bound.dtype if isinstance(bound, Tensor) else literal_dtype(bound)
        if not (dtype.is_integer or dtype.is_bool):
            raise TypeError(
                f"'{dtype.name}' object cannot be interpreted as an integer; use runtime.range for steps of floats"
            )
    if isinstance(step, Tensor):
        REGISTRY["check"](step != 0, message="range() arg 3 must not be zero", exception="ValueError")
    elif step == 0:
        raise ValueError("range() arg 3 must not be zero")
    return REGISTRY["range"](start, stop, step)


def _print(*values: Any, **options: Any) -> Any:
    import runtime  # the public print wrapper is above this layer; only Feature.BUILTIN_FUNCTIONS comes here

    unknown = sorted(set(options) - {"sep", "end", "file", "flush"})
    if unknown:
        raise ValueError(f"invalid keyword arguments: {', '.join(unknown)}")
    options.pop("flush", None)
    if (file := options.pop("file", None)) is not None:
        options["output_stream"] = file
    return runtime.print(*values, **options)


def _reversed(sequence: Any) -> Any:
    if isinstance(sequence, Tensor) and sequence.shape.rank == 0:
        raise InvalidArgumentError(f"cannot reverse a scalar tensor: {sequence} has no rows")
    return iterables.reversed_(sequence)


OVERLOADS: Final[Mapping[Any, Callable[..., Any]]] = {
    builtins.abs: _abs,
    builtins.all: reductions.all_,
    builtins.any: reductions.any_,
    builtins.bool: _bool,
    builtins.enumerate: iterables.enumerate_,
    builtins.filter: iterables.filter_,
    builtins.float: _float,
    builtins.int: _int,
    builtins.iter: iterables.iterator,
    builtins.len: _len,
    builtins.map: iterables.map_,
    builtins.max: reductions.max_,
    builtins.min: reductions.min_,
    builtins.next: iterables.next_,
    builtins.pow: _pow,
    builtins.print: _print,
    builtins.range: _range,
    builtins.reversed: _reversed,
    builtins.round: _round,
    builtins.sorted: reductions.sorted_,
    builtins.sum: reductions.sum_,
    builtins.zip: iterables.zip_,
}
