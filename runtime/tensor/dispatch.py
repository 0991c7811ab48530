"""How a call of an operation is carried out: operands become tensors of one dtype, then run at once or are recorded.

    add(x, 1)      x float32      ->  the literal becomes float32, as x says
    add(x, y)      float32, int32 ->  DtypeMismatchError that names both

The dtype of a group of operands is that of its tensors, which must agree; without tensors, of its ndarrays; without
those, what the Python literals (and weak symbolic tensors, which came from literals) have in common.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from runtime.config import literals_are_strict
from runtime.context import current_recorder
from runtime.dtypes import DType, as_dtype, bool_, complex64, complex128, float32, float64, int32
from runtime.errors import (
    DtypeMismatchError,
    InvalidArgumentError,
    OperandTypeError,
    UnimplementedError,
    is_of_the_trace,
    of_the_trace,
)
from runtime.ops.attributes import KINDS, checked
from runtime.ops.core import operand_of
from runtime.ops.kernel_errors import RAW, as_ours, is_raw
from runtime.ops.record import REGISTRY, Group, Op, Operand, install_dispatcher
from runtime.shapes import TensorShape
from runtime.tensor.array_numbers import marked, promoted
from runtime.tensor.composites import HANDLERS, handler_of
from runtime.tensor.convert import adopt, as_operand, convert_to_tensor, tensor_within
from runtime.tensor.eager import EagerTensor, wrap
from runtime.tensor.leaks import leak
from runtime.tensor.literals import KIND_ORDER, any_leaf, literal_dtype, weak_dtype
from runtime.tensor.operand_names import name_dtypes
from runtime.tensor.quick import record_quickly, run_quickly
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["dispatch", "flag_of", "integer_of", "prepared"]


def dispatch(op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Runs or records one operation. The result is a tensor, or a tuple of tensors for several outputs."""
    recorder = current_recorder()
    if not kwargs:
        result = run_quickly(op, args) if recorder is None else record_quickly(op, args, recorder)
        if result is not None:
            return result if recorder is None else marked(op, result, args)
    if HANDLERS and (handler := handler_of(args, kwargs)) is not None:
        return handler(op, args, kwargs)
    operands, attributes, name = prepared(op, args, kwargs)
    tensors = [operands[n] for n in op.tensors]
    if op.variadic:
        tensors += operands[op.variadic]
    if recorder is not None:
        return marked(op, recorder.record(op, tensors, attributes, name), args)
    return _run(op, tensors, attributes)


def prepared(
    op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any], str | None]:
    """The operands of a call as tensors of one dtype (by name, a variadic one as a list), its attributes, its name."""
    name = None
    if "name" in kwargs and "name" not in op.attributes:
        kwargs = dict(kwargs)
        name = kwargs.pop("name")
    operands, attributes = op.bind(args, kwargs)
    operands = {n: as_operand(v) for n, v in operands.items()}
    if attributes:
        kinds = op.kinds
        attributes = {k: v if type(v) in kinds[k].types else _attribute(op, k, v)
                      for k, v in attributes.items()}  # fmt: skip
    if op.variadic:
        _spread(op, operands)
    try:
        unify(op, operands)
    except DtypeMismatchError as error:
        if current_recorder() is not None:
            name_dtypes(error, list(operands.values()))
        raise
    return operands, attributes, name


def _attribute(op: Op, key: str, value: Any) -> Any:
    return checked(op.name, key, freeze(value, f"{op.name}: {key}"), op.kinds[key], value)


def _run(op: Op, tensors: Sequence[Any], attributes: Mapping[str, Any]) -> Any:
    for tensor in tensors:
        if type(tensor) is not EagerTensor:
            raise leak(tensor, f"used in {op.name!r}")
    arrays = [t._array for t in tensors]
    try:
        result = op.run(arrays, attributes)
    except InvalidArgumentError:
        if not op.stateful:
            op.infer([_operand(t) for t in tensors], attributes)  # the rules have the better message
        raise
    except RAW as error:
        if is_raw(op, error):
            raise as_ours(op, error, arrays, attributes) from error
        raise
    if op.result is None:
        return wrap(result, tensors[op.leader].dtype.numpy)
    dtypes = op.result_dtypes([_operand(t) for t in tensors], attributes)
    if op.outputs == 1:
        return wrap(result, dtypes[0].numpy)
    if not dtypes:
        return None if result is None or op.stateful else ()
    return tuple(wrap(r, d.numpy) for r, d in zip(result, dtypes, strict=True))


def _operand(tensor: EagerTensor) -> Operand:
    return operand_of(tensor._array)


def unify(op: Op, operands: dict[str, Any]) -> None:
    """Gives the operands of each group one dtype, in place. Raises DtypeMismatchError."""
    for group in op.groups:
        entries = [
            (n, i)
            for n in group.names
            if n in operands
            for i in (range(len(operands[n])) if n == op.variadic else (None,))
        ]
        values = [operands[n] if i is None else operands[n][i] for n, i in entries]
        if op.mixed and op.variadic is not None and group.names == (op.variadic,):
            operands[op.variadic] = [_alone(op, group, value) for value in values]
            continue
        dtype = group_dtype(op, [n for n, _ in entries], values)
        if dtype is None:
            continue
        if (dtype.is_integer or dtype.is_floating) and op.elementwise:
            dtype = _beside_literals(dtype, group, values)
            dtype = _compared(dtype, values) if op.result is bool_ else dtype
        if dtype is float32 and float32 not in group.allowed and not any_leaf(values):
            # [] is float32 only where nothing says otherwise: here it is an empty list of integers, or of texts, ...
            dtype = int32 if int32 in group.allowed else min(group.allowed, key=lambda d: d.name)
        _check_allowed(op, group, dtype)
        for (n, i), value in zip(entries, values, strict=True):
            if not isinstance(value, Tensor) or value.dtype is not dtype:
                tensor = _named(op, lambda v: _adopted(op, v, dtype, n), value)  # noqa: B023
                if isinstance(tensor, SymbolicTensor) and not any(map(_is_strong, values)):
                    tensor.weak = not any(isinstance(v, np.ndarray | np.generic) for v in values)
                if i is None:
                    operands[n] = tensor
                else:
                    operands[n][i] = tensor


def _beside_literals(dtype: DType, group: Group, values: Sequence[Any]) -> DType:
    """The dtype in which tensors meet numbers of a higher kind, as in Python and NumPy: integers beside a float are
    float64, real tensors beside a complex number complex."""
    wanted = dtype
    for value in values:
        kind = value.dtype.kind if isinstance(value, SymbolicTensor) and value.weak else _KINDS.get(type(value))
        if kind == "complex":
            wanted = complex128 if dtype.is_integer or dtype is float64 else complex64
        elif kind == "float" and dtype.is_integer and wanted is dtype:
            wanted = float64
    return wanted if wanted in group.allowed and not literals_are_strict() else dtype


def _compared(dtype: DType, values: Sequence[Any]) -> DType:
    """The dtype in which one integer is compared with a number of Python's that the graph computes: that has all its
    bits, which the dtype beside it need not have."""
    if not dtype.is_integer or not all(isinstance(v, Tensor) and v.shape.rank == 0 for v in values):
        return dtype
    numbers = [v.dtype for v in values if isinstance(v, SymbolicTensor) and v.weak and v.dtype.is_integer]
    return next((d for d in numbers if d.min <= dtype.min and dtype.max <= d.max), dtype)


_KINDS: Final = {float: "float", np.float64: "float", complex: "complex", np.complex128: "complex"}
"""Numbers of the program, also as NumPy gives them to it (`np.sqrt(2)`)."""


def _adopted(op: Op, value: Any, dtype: DType, name: str) -> Any:
    try:
        return adopt(value, dtype, f"{op.name}: {name}")
    except DtypeMismatchError as error:
        found = value.dtype if isinstance(value, Tensor) else literal_dtype(tensor_within(value))
        raise mismatch_class(op.name, found, dtype)(error.message) from None


def _alone(op: Op, group: Group, value: Any) -> Any:
    """An operand that has a dtype of its own."""
    tensor = value if isinstance(value, Tensor) else convert_to_tensor(value)
    _check_allowed(op, group, tensor.dtype)
    return tensor


def _is_strong(value: Any) -> bool:
    return isinstance(value, Tensor) and not (isinstance(value, SymbolicTensor) and value.weak)


def group_dtype(op: Op, names: Sequence[str], values: Sequence[Any]) -> DType | None:
    """The one dtype of a group of operands. Raises DtypeMismatchError if two tensors disagree."""
    if (of_arrays := promoted(values)) is not None:
        return float64 if op.float_ufunc is np.true_divide and of_arrays.is_integer else of_arrays
    found: DType | None = None
    owner = ""
    for n, value in zip(names, values, strict=True):
        tensor = tensor_within(value)
        if _is_strong(tensor):
            if found is not None and tensor.dtype is not found:
                widen = found.is_integer and tensor.dtype.is_floating  # the way that loses nothing
                changed, target = (owner, tensor.dtype) if widen else (n, found)
                raise mismatch_class(op.name, found, tensor.dtype)(
                    f"{op.name}: {owner} is {found.name} but {n} is {tensor.dtype.name}: nothing is cast silently;"
                    f" use runtime.cast({changed}, {target.name!r})" + _array_hint(found, tensor.dtype)
                )
            found, owner = tensor.dtype, n
    if found is not None:
        return found
    arrays = [v for v in values if isinstance(v, np.ndarray | np.generic)]
    weak = [] if arrays else [t for t in map(tensor_within, values) if isinstance(t, Tensor)]
    plain = [v for v in arrays or values if not isinstance(tensor_within(v), Tensor)]
    # Beside what came from literals a literal is as wide as that; alone it is what `constant` would make of it.
    dtypes: list[DType] = [_named(op, weak_dtype if weak else literal_dtype, v) for v in plain]
    dtypes += [t.dtype for t in weak]
    if not dtypes:
        return None
    if op.variadic in names and len({d.kind for d in dtypes}) > 1:
        raise DtypeMismatchError(
            f"{op.name}: {op.variadic} must have one dtype; got {', '.join(d.name for d in dtypes)};"
            f" write them alike, or make one of them a tensor"
        )
    if any(d.kind not in KIND_ORDER for d in dtypes):
        if len(set(dtypes)) > 1:
            names_found = ", ".join(sorted({d.name for d in dtypes}))
            raise mismatch_class(op.name, *dtypes)(f"{op.name}: {names_found} cannot be mixed")
        return dtypes[0]
    return max(dtypes, key=lambda d: (KIND_ORDER[d.kind], d.size))


def _named(op: Op, convert: Callable[[Any], Any], value: Any) -> Any:
    """What a conversion gives; its plain errors name the operation."""
    try:
        return convert(value)
    except (TypeError, ValueError) as error:
        if type(error) not in (TypeError, ValueError) or str(error).startswith(op.name):
            raise
        named = type(error)(f"{op.name}: {error}")
        raise (of_the_trace(named) if is_of_the_trace(error) else named) from None


def _array_hint(*dtypes: DType) -> str:
    wide = any(d.name in ("float64", "int64") for d in dtypes)
    return " (an ndarray keeps its float64 or int64 when it becomes a tensor)" if wide else ""


_CONVERSIONS: Final = frozenset({"cast"})
"""Operations from dtype to dtype: of one that they do not take they have no way."""


def mismatch_class(operation: str, *dtypes: DType) -> type[DtypeMismatchError]:
    """The class of the error for operands that do not fit: whether Python refuses such values in its operator, too."""
    kinds = {dtype.kind for dtype in dtypes}
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


def _check_allowed(op: Op, group: Group, dtype: DType) -> None:
    if dtype in group.allowed:
        return
    allowed = sorted(d.name for d in group.allowed)
    common = next(name for name in ("float32", "int32", *allowed) if name in allowed)
    remedy = "strings.as_string(x)" if common == "string" else f"cast(x, runtime.{common})"
    if dtype.kind == "string":
        remedy = "strings.to_number(x)"
    kind = UnimplementedError if op.name in _CONVERSIONS else mismatch_class(op.name, dtype)
    raise kind(
        f"{op.name}: {' and '.join(group.names)} must be one of {', '.join(allowed)}; got {dtype.name}."
        f" Use runtime.{remedy}"
    )


def _spread(op: Op, operands: dict[str, Any]) -> None:
    assert op.variadic is not None
    values = operands[op.variadic]
    if isinstance(values, Tensor | np.ndarray):
        values = _rows(values)
    if not isinstance(values, list | tuple):
        raise TypeError(f"{op.name}: {op.variadic} is a list of tensors; got {values!r}")
    operands[op.variadic] = list(values)


def _rows(values: Any) -> list[Any]:
    """A tensor given where a list of tensors is expected stands for its rows."""
    return list(REGISTRY["unstack"](values)) if isinstance(values, SymbolicTensor) else list(values)


def freeze(value: Any, where: str) -> Any:
    """An attribute as a hashable Python value: lists become tuples, numpy and eager tensor values Python numbers."""
    if value is None or type(value) in (int, float, bool, str, bytes, DType, TensorShape):
        return value
    if isinstance(value, SymbolicTensor):
        if value.value is None:
            raise of_the_trace(
                TypeError(f"{where} must be known while the graph is built; got the symbolic tensor {value}")
            )
        value = value.value
    if isinstance(value, EagerTensor):
        value = value._array
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return freeze(value.tolist(), where)
    if isinstance(value, list | tuple | range):
        return tuple(freeze(item, where) for item in value)
    if isinstance(value, type) and issubclass(value, int | float | bool | str | np.generic):
        return as_dtype(value)
    return value


def integer_of(operation: str, name: str, value: Any) -> int:
    """An argument that has to be a Python integer, or a value that stands for one. Raises TypeError for another."""
    return int(checked(operation, name, freeze(value, f"{operation}: {name}"), KINDS["int"]))


def flag_of(operation: str, name: str, value: Any, default: Any = False) -> Any:
    """An argument that has to be True or False, or a value that stands for one; None is the default. Raises TypeError
    for another."""
    if value is None:
        return default
    return bool(checked(operation, name, freeze(value, f"{operation}: {name}"), KINDS["bool"], value))


install_dispatcher(dispatch)
