"""The arguments of numpy's functions as tensors, in the dtypes that numpy itself would work in.

    together(x, 1)          x float32       ->   two float32 tensors: Python numbers are weak (NEP 50)
    together(x, y)          float32, int32  ->   two float64 tensors, as np.result_type says

That is the rule of `np.` calls alone: Python's operators between tensors never change a dtype. A symbolic tensor that
came from a Python number (it is weak) counts as that number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from runtime.array_errors import AxisError
from runtime.dtypes import DType, as_dtype
from runtime.ops.kernels.floating_errors import restore, silence
from runtime.ops.records.families import find
from runtime.ops.records.record import Array
from runtime.shapes import TensorShape
from runtime.structures import items_within
from runtime.tensor.array_classes import check_plain
from runtime.tensor.convert import as_operand, constant, make_constant
from runtime.tensor.literals import to_array
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = [
    "NotCovered", "Table", "array", "axis_of", "call", "checked", "count_of", "default_dtype", "floating", "kind_of",
    "number_of", "operand", "positions", "rank_of", "result_type", "shape_of", "size_of", "tensor", "to", "together",
    "wanted_shape",
]  # fmt: skip

Kind = np.dtype[Any] | type[int] | type[float] | type[complex]

_WEAK: Final[Mapping[str, Kind]] = {"int": int, "uint": int, "float": float, "complex": complex}
"""What a weak symbolic tensor counts as, by the kind of its dtype."""

_EXAMPLES: Final[Mapping[Any, Any]] = {int: 0, float: 0.0, complex: 0j}
"""A Python number of each type, for `np.result_type`."""


class NotCovered(Exception):
    """No operation stands for a call of numpy with these arguments. The message says which part has none."""


class Table(dict[Any, Any]):
    """A table of numpy functions and what they are made of; `@table.of(np.sum, ...)` adds a row."""

    def of(self, *functions: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        def add(made: Callable[..., Any]) -> Callable[..., Any]:
            self.update(dict.fromkeys(functions, made))
            return made

        return add


def call(name: str, /, *args: Any, **kwargs: Any) -> Any:
    """The operation of that name."""
    found = find(name)
    if found is None:
        raise KeyError(name)
    return found(*args, **kwargs)


def checked(condition: Any, message: str, exception: str = "ValueError") -> None:
    """Raises what numpy raises: at once where Python knows the condition, else in the run."""
    if isinstance(condition, Tensor):
        call("check", condition, message=message, exception=exception)
    elif not condition:
        raise (IndexError if exception == "IndexError" else ValueError)(message)


def operand(value: Any) -> Any:
    """An argument of numpy as a tensor, a Python number or an ndarray."""
    if isinstance(value, Tensor):
        return value
    value = as_operand(value)
    check_plain(value, "an operand beside tensors")
    if isinstance(value, Tensor | np.ndarray | np.generic) or type(value) in (bool, int, float, complex):
        return value
    if isinstance(value, list | tuple) and _holds_tensor(value):
        parts = [operand(item) for item in value]
        dtype = np.result_type(*map(default_dtype, parts))
        return call("stack", [to(part, dtype) for part in parts])
    return to_array(value) if isinstance(value, str | bytes) else np.asarray(value)


def _holds_tensor(value: Any) -> bool:
    return any(isinstance(item, Tensor) or hasattr(type(item), "__as_tensor__") for item in items_within(value))


def kind_of(value: Any) -> Any:
    """The numpy dtype of an operand, or the Python type of a number that takes the dtype of what is beside it."""
    if isinstance(value, Tensor):
        dtype = value.dtype
        weak = isinstance(value, SymbolicTensor) and value.weak and not value.of_array
        return kind_of_elements(dtype, weak)
    return type(value) if type(value) in _EXAMPLES else np.asarray(value).dtype


def kind_of_elements(dtype: DType, weak: bool) -> Any:
    """The numpy dtype, or the type of Python's numbers that weak ones are."""
    return _WEAK.get(dtype.family, dtype.numpy) if weak else dtype.numpy


def result_type(*values: Any) -> np.dtype[Any]:
    """The dtype that numpy gives to operands which are brought together."""
    return np.result_type(*(_EXAMPLES.get(kind, kind) for kind in map(kind_of, values)))


def default_dtype(value: Any) -> np.dtype[Any]:
    """The dtype of an operand by itself: Python's int is int64, its float float64."""
    return result_type(value)


def to(value: Any, dtype: Any) -> Any:
    """An operand as a tensor of this dtype. Raises OverflowError for a Python integer that does not fit."""
    wanted = np.dtype(dtype)
    if isinstance(value, Tensor):
        strong = not (isinstance(value, SymbolicTensor) and value.weak)
        return value if strong and value.dtype.numpy == wanted else call("cast", value, as_dtype(wanted))
    if wanted.kind == "O":
        return constant(value)
    token = silence()
    try:
        array = np.asarray(wanted.type(value)) if type(value) in _EXAMPLES else np.array(value).astype(wanted)
    finally:
        restore(token)
    as_dtype(wanted)  # raises TypeError for one that tensors don't have
    return make_constant(array)


def tensor(value: Any) -> Any:
    """An argument of numpy as a tensor of the dtype that numpy gives it by itself."""
    value = operand(value)
    return to(value, default_dtype(value))


def together(*values: Any) -> list[Any]:
    """Arguments of numpy as tensors of one dtype, by numpy's promotion."""
    operands = [operand(value) for value in values]
    dtype = result_type(*operands)
    return [to(value, dtype) for value in operands]


def floating(value: Any, dtype: Any = None) -> Any:
    """An argument as a tensor of floats: integers and bools become float64 unless a dtype is asked for."""
    value = tensor(value)
    if dtype is not None:
        return to(value, dtype)
    return value if value.dtype.family in ("float", "complex") else to(value, np.float64)


def positions(value: Any) -> Any:
    """An argument that holds positions, as a tensor of integers. Raises TypeError for others."""
    value = tensor(value)
    if not value.dtype.is_integer:
        if value.shape.num_elements() == 0:
            return to(value, np.int64)
        raise TypeError(f"positions must be integers; got {value.dtype.name}: {value!r}")
    return value


def rank_of(x: Any, name: str) -> int:
    """The number of dimensions of a tensor. Raises NotCovered where it is not known."""
    rank: int | None = x.shape.rank
    if rank is None:
        raise NotCovered(
            f"{name} needs to know how many dimensions it has: fix them with set_shape or an input_signature"
        )
    return rank


def axis_of(x: Any, axis: int, name: str) -> int:
    """An axis as a number from 0. Raises AxisError when it is out of range."""
    rank = rank_of(x, name)
    if not -rank <= axis < rank:
        raise AxisError(f"numpy.{name}: axis {axis} is out of range for the shape {x.shape}")
    return axis % rank


def size_of(x: Any, axis: int) -> Any:
    """The size of a dimension: a Python integer where it is known, else a tensor that is as weak as one."""
    known = None if x.shape.dims is None else x.shape.dims[axis]
    return known if known is not None else _weak(to(call("shape", x)[axis], np.int64))


def number_of(x: Any) -> Any:
    """The number of elements: a Python integer where it is known, else a tensor that is as weak as one."""
    known = x.shape.num_elements()
    return known if known is not None else _weak(to(call("size", x), np.int64))


def _weak(size: Any) -> Any:
    """A size that only the run knows: to numpy it is a Python integer, which takes the dtype of what is beside it."""
    size.weak = True
    return size


def shape_of(x: Any, name: str = "shape") -> tuple[Any, ...]:
    """All sizes of a tensor."""
    return tuple(size_of(x, axis) for axis in range(rank_of(x, name)))


def wanted_shape(shape: Any) -> Any:
    """A shape in one of numpy's forms, an integer or several, as a list (or vector) of sizes."""
    if isinstance(shape, TensorShape):
        return list(shape.as_tuple())
    if isinstance(shape, tuple | list):
        return list(shape)
    rank = shape.shape.rank if isinstance(shape, Tensor) else np.ndim(shape)
    return shape if rank == 1 else [shape]


def count_of(x: Any, axis: Any) -> Any:
    """How many elements a reduction over the axes takes together: an integer where it is known, else a tensor."""
    if axis is None:
        return number_of(x)
    axes: Sequence[int] = axis if isinstance(axis, tuple | list) else (axis,)
    if x.shape.rank is not None:
        axes = [axis_of(x, a, "reduction") for a in axes]
    return math.prod((size_of(x, a) for a in axes), start=1)


def array(value: Any) -> Array:
    """An argument that must be known now, as an ndarray. Raises NotCovered for a symbolic tensor."""
    value = as_operand(value)
    if isinstance(value, SymbolicTensor):
        if value.value is None:
            raise NotCovered(f"{value} must be known while the graph is built")
        return value.value
    return np.asarray(value)
