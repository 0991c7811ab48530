"""The one dtype of operands that belong together: that of the tensors among them, or what literals and arrays give.

    add(x, 1)      x float32      ->  float32: the literal adapts
    add(x, y)      float32, int32 ->  DtypeMismatchError that names both, but in a mode of `runtime.promotion`
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from runtime import promotion
from runtime.config import literals_are_strict
from runtime.dtypes import DType, as_dtype, complex64, complex128, float64
from runtime.errors import DtypeMismatchError, OperandTypeError, is_of_the_trace, of_the_trace
from runtime.ops.records.record import Group, Op
from runtime.tensor.array_numbers import promoted
from runtime.tensor.cast_advice import cast_advice
from runtime.tensor.convert import tensor_within
from runtime.tensor.literals import KIND_ORDER, NumberTooWideError, literal_dtype, weak_dtype
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["beside_literals", "compared", "group_dtype", "is_strong", "mismatch_class", "named"]


def beside_literals(dtype: DType, group: Group, values: Sequence[Any]) -> DType:
    """The dtype in which tensors meet numbers of a higher kind, as in Python and NumPy: integers beside a float are
    float64, real tensors beside a complex number complex."""
    wanted = dtype
    for value in values:
        kind = value.dtype.family if isinstance(value, SymbolicTensor) and value.weak else _KINDS.get(type(value))
        if promotion.is_on() and (dtype.is_bool or dtype.is_integer):
            wanted = promotion.beside_literal(wanted, kind)
        elif kind == "complex":
            wanted = complex128 if dtype.is_integer or dtype is float64 else complex64
        elif kind == "float" and dtype.is_integer and wanted is dtype:
            wanted = float64
    return wanted if wanted in group.allowed and not literals_are_strict() else dtype


def compared(dtype: DType, values: Sequence[Any]) -> DType:
    """The dtype in which one integer is compared with a number of Python's that the graph computes: that has all its
    bits, which the dtype beside it need not have."""
    if not dtype.is_integer or not all(isinstance(v, Tensor) and v.shape.rank == 0 for v in values):
        return dtype
    numbers = [v.dtype for v in values if isinstance(v, SymbolicTensor) and v.weak and v.dtype.is_integer]
    return next((d for d in numbers if d.min <= dtype.min and dtype.max <= d.max), dtype)


_KINDS: Final = {int: "int", float: "float", np.float64: "float", complex: "complex", np.complex128: "complex"}
"""Numbers of the program, also as NumPy gives them to it (`np.sqrt(2)`)."""


def is_strong(value: Any) -> bool:
    return isinstance(value, Tensor) and not (isinstance(value, SymbolicTensor) and value.weak)


def group_dtype(op: Op, names: Sequence[str], values: Sequence[Any]) -> DType | None:
    """The one dtype of a group of operands. Raises DtypeMismatchError if two tensors disagree."""
    if (of_arrays := promoted(values)) is not None:
        return float64 if op.float_ufunc is np.true_divide and of_arrays.is_integer else of_arrays
    found: DType | None = None
    owner = ""
    for n, value in zip(names, values, strict=True):
        tensor = tensor_within(value)
        if promotion.is_on() and (common := _met(tensor, found)) is not None:
            found, owner = common, n
        elif is_strong(tensor):
            if found is not None and tensor.dtype is not found:
                raise mismatch_class(op.name, found, tensor.dtype)(
                    f"{op.name}: {owner} is {found.name} but {n} is {tensor.dtype.name}: nothing is cast silently;"
                    f" {cast_advice(owner, found, n, tensor.dtype)}" + _array_hint(found, tensor.dtype)
                )
            found, owner = tensor.dtype, n
    if found is not None:
        return found
    arrays = [v for v in values if isinstance(v, np.ndarray | np.generic)]
    weak = [] if arrays else [t for t in map(tensor_within, values) if isinstance(t, Tensor)]
    plain = [v for v in arrays or values if not isinstance(tensor_within(v), Tensor)]
    # Beside what came from literals a literal is as wide as that; alone it is what `constant` would make of it.
    dtypes: list[DType] = [named(op, weak_dtype if weak else literal_dtype, v) for v in plain]
    dtypes += [t.dtype for t in weak]
    if not dtypes:
        return None
    if op.variadic in names and len({d.family for d in dtypes}) > 1:
        raise DtypeMismatchError(
            f"{op.name}: {op.variadic} must have one dtype; got {', '.join(d.name for d in dtypes)};"
            f" write them alike, or make one of them a tensor"
        )
    if any(d.family not in KIND_ORDER for d in dtypes):
        if len(set(dtypes)) > 1:
            names_found = ", ".join(sorted({d.name for d in dtypes}))
            raise mismatch_class(op.name, *dtypes)(f"{op.name}: {names_found} cannot be mixed")
        return dtypes[0]
    return max(dtypes, key=lambda d: (KIND_ORDER[d.family], d.size))


def _met(value: Any, found: DType | None) -> DType | None:
    """In a mode of `runtime.promotion`: the dtype for what was found so far and a tensor or array; None for others."""
    if not (is_strong(value) or isinstance(value, np.ndarray | np.generic)):
        return None
    dtype = as_dtype(value.dtype)
    return dtype if found is None else promotion.common_dtype(found, dtype)


def named(op: Op, convert: Callable[[Any], Any], value: Any) -> Any:
    """What a conversion gives; its plain errors name the operation."""
    try:
        return convert(value)
    except (TypeError, ValueError) as error:
        if type(error) not in (TypeError, ValueError, NumberTooWideError) or str(error).startswith(op.name):
            raise
        named = type(error)(f"{op.name}: {error}")
        raise (of_the_trace(named) if is_of_the_trace(error) else named) from None


def _array_hint(*dtypes: DType) -> str:
    wide = any(d.name in ("float64", "int64") for d in dtypes)
    return " (an ndarray keeps its float64 or int64 when it becomes a tensor)" if wide else ""


def mismatch_class(operation: str, *dtypes: DType) -> type[DtypeMismatchError]:
    """The class of the error for operands that do not fit: whether Python refuses such values in its operator, too."""
    kinds = {dtype.family for dtype in dtypes}
    wrong = _NOT_IN_PYTHON.get(operation, frozenset())
    texts_in_order = kinds == {"string"} and wrong is _NOT_IN_ORDER
    return DtypeMismatchError if texts_in_order or kinds.isdisjoint(wrong) else OperandTypeError


_NOT_AMONG_NUMBERS: Final = frozenset({"string"})
_NOT_AS_BITS: Final = frozenset({"string", "float", "complex"})
_NOT_IN_ORDER: Final = frozenset({"string", "complex"})
_NOT_IN_PYTHON: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(("abs", "add", "divide", "negative", "pow", "subtract"), _NOT_AMONG_NUMBERS),
    **dict.fromkeys(("bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift", "invert"), _NOT_AS_BITS),
    **dict.fromkeys(("less", "less_equal", "greater", "greater_equal", "floordiv"), _NOT_IN_ORDER),
}
"""The kinds of operands for which an operator of Python raises TypeError, but for texts in order."""
