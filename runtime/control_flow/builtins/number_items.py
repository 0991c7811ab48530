"""Arguments of Python's functions of numbers as tensors: single numbers, and numbers in a row.

    given, adapts = floats("sqrt", [n])        # n as a float64 scalar, which adapts: no float tensor was given
    row_of("fsum", [a, 2.5])                   # a vector of floats

A literal keeps all its digits. What is made of integers and literals alone adapts to the tensors beside it, as Python's
numbers do; a float tensor keeps its dtype, the widest where there are several.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from runtime.control_flow.builtins.iterables import is_staged
from runtime.control_flow.lattice.leaf import is_of_array, is_weak
from runtime.control_flow.lists.collecting import collected
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.optional.values import MaybeNone, take
from runtime.dtypes import DType, float64
from runtime.ops.records.record import REGISTRY
from runtime.state.variable import present_value
from runtime.structures import items_within
from runtime.tensor.convert import adopt, as_operand, convert_to_tensor
from runtime.tensor.eager import EagerTensor
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Operators, Tensor

__all__ = ["adapting", "as_numbers", "floats", "holds_staged", "items_in", "row_of", "single", "whole"]

_LITERALS: Final = (bool, int, float)


def holds_staged(values: Iterable[Any]) -> bool:
    """Whether a value, or an item of a list or tuple, is one that only the run will know."""
    return any(
        type(value) is not EagerTensor if isinstance(value, Operators | MaybeNone) else is_staged(value)
        for value in items_within(values)
    )


def adapting(number: Any, adapts: bool = True) -> Any:
    """A number that was made here, as one of Python's if it `adapts`: it takes the dtype of a tensor beside it."""
    if adapts and isinstance(number, SymbolicTensor):
        number.weak, number.of_array = True, False
    return number


def as_numbers(result: Any, given: Iterable[Any]) -> Any:
    """What a function of Python makes of numbers: one of Python's again, where all that it was given adapts."""
    if not all(map(is_weak, items_within(given))):
        return result
    for number in result if isinstance(result, list | tuple) else (result,):
        adapting(number)
    return result


def single(name: str, value: Any) -> Any:
    """A number as it is, or as a scalar tensor. Raises TypeError for what is no single real number."""
    if isinstance(value, MaybeNone):
        value = take(value, "must be real number, not NoneType")
    value = as_operand(present_value(value))
    if not isinstance(value, Tensor):
        if not hasattr(value, "dtype") and not isinstance(value, _LITERALS):
            raise TypeError(f"must be real number, not {type(value).__name__}")
        return value
    if value.dtype.family in ("string", "complex"):
        raise TypeError(f"must be real number, not {'str' if value.dtype.family == 'string' else 'complex'}")
    if value.shape.rank == 0:
        return value
    if value.shape.rank is not None and value.shape.num_elements() not in (1, None):
        raise TypeError(
            f"{name}() takes one number; got a tensor of shape {value.shape}. runtime.math and numpy have functions"
            " that go through the elements"
        )
    return REGISTRY["reshape"](value, ())


def whole(name: str, value: Any) -> Any:
    """An integer as a scalar tensor. Raises TypeError for floats."""
    number = single(name, value)
    kind = number.dtype.kind if hasattr(number, "dtype") else type(number).__name__
    if "float" in str(kind) or kind == "f":
        raise TypeError("'float' object cannot be interpreted as an integer")
    return convert_to_tensor(number)


def floats(name: str, values: Sequence[Any]) -> tuple[list[Any], bool]:
    """Numbers as scalar tensors of one float dtype, and whether what is made of them adapts."""
    numbers = [single(name, value) for value in values]
    dtype, adapts = _common([n for n in numbers if isinstance(n, Tensor)])
    return [as_float(number, dtype, name) for number in numbers], adapts


def _common(tensors: Sequence[Any]) -> tuple[DType, bool]:
    strong = [t.dtype for t in tensors if t.dtype.is_floating and not is_weak(t) and not is_of_array([t])]
    return max(strong, key=lambda d: d.size, default=float64), not strong


def as_float(number: Any, dtype: DType, name: str) -> Any:
    """A number, or a tensor of any shape, in a float dtype."""
    if not isinstance(number, Tensor):
        return adopt(number, dtype, name)
    return number if number.dtype is dtype else REGISTRY["cast"](number, dtype)


def items_in(values: Any) -> Any:
    """The items of an iterable as one tensor of their own dtype, or as Python's list where no tensor is in it."""
    values = present_value(values)
    if not isinstance(values, Tensor | list | tuple | TensorList):
        values = collected(values)
    if isinstance(values, TensorList):
        return values.stack()
    if isinstance(values, Tensor):
        return values
    items = [as_operand(present_value(value)) for value in values]
    tensors = [item for item in items if isinstance(item, Tensor)]
    if not tensors:
        return items
    kinds = {item.dtype.family for item in tensors}
    if len({item.dtype for item in tensors}) > 1 or (not kinds & {"float", "complex"} and float in map(type, items)):
        dtype, _ = _common(tensors)
        items = [as_float(item, dtype, "an item") for item in items]
    return convert_to_tensor(items)


def row_of(name: str, values: Any) -> tuple[Any, bool]:
    """The items of an iterable as a vector of floats, and whether what is made of it adapts."""
    row = items_in(values)
    if not isinstance(row, Tensor):
        return adopt([float(item) for item in row], float64, name), True
    if row.shape.rank not in (1, None):
        raise TypeError(f"{name}() takes numbers in a row; got a tensor of shape {row.shape}")
    if row.dtype.family in ("string", "complex"):
        raise TypeError("must be real number, not str")
    dtype, adapts = _common([row])
    return as_float(row, dtype, name), adapts
