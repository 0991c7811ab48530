"""How a call of an operation is carried out: operands become tensors of one dtype, then run at once or are recorded.

    add(x, 1)      x float32      ->  the literal becomes float32, as x says
    add(x, y)      float32, int32 ->  DtypeMismatchError that names both

The dtype of a group of operands is that of its tensors, which must agree; without tensors, of its ndarrays; without
those, what the Python literals (and weak symbolic tensors, which came from literals) have in common.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from runtime import promotion
from runtime.context import current_recorder
from runtime.dtypes import DType, as_dtype, bool_, float32, int32
from runtime.errors import (
    DtypeMismatchError,
    InvalidArgumentError,
    UnimplementedError,
    of_the_trace,
)
from runtime.ops.flow.core import operand_of
from runtime.ops.records.attributes import KINDS, checked
from runtime.ops.records.kernel_errors import RAW, as_ours, is_raw
from runtime.ops.records.record import REGISTRY, Group, Op, Operand, install_dispatcher
from runtime.shapes import TensorShape
from runtime.tensor.array_numbers import marked
from runtime.tensor.composites import HANDLERS, handler_of
from runtime.tensor.convert import adopt, as_operand, convert_to_tensor, tensor_within
from runtime.tensor.eager import EagerTensor, wrap
from runtime.tensor.group_dtypes import beside_literals, compared, group_dtype, is_strong, mismatch_class, named
from runtime.tensor.leaks import leak
from runtime.tensor.literals import any_leaf, literal_dtype
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
        found = group_dtype(op, [n for n, _ in entries], values)
        if found is None:
            continue
        dtype = found
        if op.elementwise and (dtype.is_integer or dtype.is_floating or (dtype.is_bool and promotion.is_on())):
            dtype = beside_literals(dtype, group, values)
            dtype = compared(dtype, values) if op.result is bool_ else dtype
        if dtype is float32 and float32 not in group.allowed and not any_leaf(values):
            # [] is float32 only where nothing says otherwise: here it is an empty list of integers, or of texts, ...
            dtype = int32 if int32 in group.allowed else min(group.allowed, key=lambda d: d.name)
        _check_allowed(op, group, dtype)
        for (n, i), value in zip(entries, values, strict=True):
            if not isinstance(value, Tensor) or value.dtype is not dtype:
                tensor = named(op, lambda v: _adopted(op, v, dtype, n), value)  # noqa: B023
                if isinstance(tensor, SymbolicTensor) and not any(map(is_strong, values)):
                    tensor.weak = not any(isinstance(v, np.ndarray | np.generic) for v in values)
                    tensor.of_bytes = type(value) is bytes
                if i is None:
                    operands[n] = tensor
                else:
                    operands[n][i] = tensor


def _adopted(op: Op, value: Any, dtype: DType, name: str) -> Any:
    if promotion.is_on() and (is_strong(value) or isinstance(value, np.ndarray | np.generic)):
        tensor = value if isinstance(value, Tensor) else convert_to_tensor(value)
        return tensor if tensor.dtype is dtype else REGISTRY["cast"](tensor, dtype)
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


_CONVERSIONS: Final = frozenset({"cast"})
"""Operations from dtype to dtype: of one that they do not take they have no way."""


def _check_allowed(op: Op, group: Group, dtype: DType) -> None:
    if dtype in group.allowed:
        return
    allowed = sorted(d.name for d in group.allowed)
    common = next(name for name in ("float32", "int32", *allowed) if name in allowed)
    remedy = "strings.as_string(x)" if common == "string" else f"cast(x, runtime.{common})"
    if dtype.family == "string":
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
