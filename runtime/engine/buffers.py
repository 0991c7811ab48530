"""Kernel calls on arrays, and the reuse of buffers: `v1 = add(v1, v2, out=v1)`.

A result is written into the buffer of an operand where that saves an allocation and nobody can tell: the operation is
a numpy ufunc, the operand dies here, the plan made its buffer itself (it is no input, constant or output), no view of
it is alive, and dtype and static shape are those of the result.

What a kernel returns becomes an ndarray of the exact dtype: kernels may return numpy scalars or a wider integer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from runtime.dtypes import DType, bfloat16
from runtime.engine.values import Storage, Value, is_python_number, is_scalar
from runtime.engine.views import is_view
from runtime.graph.operation import Operation
from runtime.graph.overflow import checked, may_leave
from runtime.ops.kernels.narrow import in_float32

if TYPE_CHECKING:
    from runtime.engine.emitter import Emitter

__all__ = ["emit_kernel", "kernel_call"]

REUSE_BYTES: Final = 4096
"""Buffers below this size are cheaper to allocate (numpy caches them) than to pass as `out`."""

_LITERALS: Final = frozenset({type(None), bool, int, str, bytes})


def emit_kernel(emitter: Emitter, operation: Operation) -> None:
    """Writes the statement that runs an operation by its kernel."""
    emitter.can_warn = emitter.can_warn or not operation.op.view or operation.op.elementwise
    function = checked(operation.op) if may_leave(operation) else None
    ufunc = None if function is not None else usable_ufunc(operation)
    if ufunc is not None and _takes_scalars(operation):
        _emit_scalar_call(emitter, operation, ufunc)
        return
    arrays = [emitter.array_of(t) for t in operation.inputs]
    if operation.op.outputs != 1:
        _emit_many(emitter, operation, kernel_call(emitter, operation, arrays))
    elif ufunc is not None and operation.outputs[0].shape.rank:
        _emit_ufunc(emitter, operation, ufunc, arrays)
    else:
        call = kernel_call(emitter, operation, arrays, function)
        storage = emitter.values[id(operation.inputs[0])].storage if is_view(operation) else None
        emitter.define(operation, exact(emitter, call, operation.outputs[0].dtype), storage=storage)


def kernel_call(
    emitter: Emitter, operation: Operation, arrays: Sequence[str], function: Callable[..., Any] | None = None
) -> str:
    """The call of the kernel, or of `function`, with the attributes that differ from their defaults."""
    op = operation.op
    arguments = list(arrays)
    for name, value in operation.attributes.items():
        if not _is_default(value, op.attributes[name]):
            arguments.append(f"{name}={_attribute(emitter, value)}")
    called = function or op.kernel
    if not op.narrow and _is_narrow(operation):
        called = in_float32(called)
    return f"{emitter.names.bind(called, op.name)}({', '.join(arguments)})"


def _is_narrow(operation: Operation) -> bool:
    """Whether bfloat16 is among the operands or the results."""
    return any(t.dtype is bfloat16 for t in (*operation.inputs, *operation.outputs))


def exact(emitter: Emitter, text: str, dtype: DType) -> str:
    """The expression as an ndarray of the dtype."""
    return f"{emitter.names.bind(np.asarray, 'asarray')}({text}, {emitter.names.bind(dtype.numpy, dtype.name)})"


def usable_ufunc(operation: Operation) -> np.ufunc | None:
    """The ufunc of the operation, if it is certain to give the result's dtype here."""
    op = operation.op
    ufunc = op.float_ufunc if operation.inputs and operation.inputs[0].dtype.is_floating else op.ufunc
    if ufunc is None or ufunc.nin != len(operation.inputs) or len(operation.outputs) != 1:
        return None
    if _is_narrow(operation) and not op.narrow:
        return None
    if any(not _is_default(v, op.attributes[k]) for k, v in operation.attributes.items()):
        return None
    dtypes = tuple(t.dtype.numpy for t in operation.inputs)
    return ufunc if _ufunc_dtype(ufunc, dtypes) == operation.outputs[0].dtype.numpy else None


@lru_cache(maxsize=4096)
def _ufunc_dtype(ufunc: np.ufunc, dtypes: tuple[np.dtype[Any], ...]) -> np.dtype[Any] | None:
    """The dtype of a ufunc's result; None where it is not an ordinary number."""
    if ufunc.nout != 1 or any(d.hasobject for d in dtypes):
        return None
    try:
        return ufunc.resolve_dtypes((*dtypes, None))[-1]
    except TypeError:
        return None


def _takes_scalars(operation: Operation) -> bool:
    """Whether a ufunc may be called on scalars. Python integers would make it compute in int64, so they do not."""
    tensors = (*operation.inputs, *operation.outputs)
    return all(is_scalar(t) for t in tensors) and all(t.dtype.is_floating for t in operation.inputs)


def _emit_scalar_call(emitter: Emitter, operation: Operation, ufunc: np.ufunc) -> None:
    scalars = [emitter.scalar_of(t) for t in operation.inputs]
    text = f"{emitter.names.bind(ufunc, operation.op.name)}({', '.join(scalars)})"
    result = operation.outputs[0].dtype
    emitter.define(operation, f"{text}.item()" if is_python_number(result) else text, scalar=True)


def _emit_ufunc(emitter: Emitter, operation: Operation, ufunc: np.ufunc, arrays: list[str]) -> None:
    reused = _reusable(emitter, operation)
    if reused is not None:
        arrays = [*arrays, f"out={reused.array}"]
    call = f"{emitter.names.bind(ufunc, operation.op.name)}({', '.join(arrays)})"
    emitter.define(operation, call, owned=True, prefer=reused)


def _reusable(emitter: Emitter, operation: Operation) -> Value | None:
    """An operand whose buffer the result may take."""
    result = operation.outputs[0]
    elements = result.shape.num_elements()
    if elements is None or elements * result.dtype.size < REUSE_BYTES:
        return None
    for tensor in operation.inputs:
        value = emitter.values[id(tensor)]
        same_type = tensor.dtype is result.dtype and tensor.shape.dims == result.shape.dims
        if same_type and value.exclusive and value in emitter.dying and value.array in value.registers:
            return value
    return None


def _emit_many(emitter: Emitter, operation: Operation, call: str) -> None:
    """An operation that returns a tuple: of no output, of several, or of one by chance."""
    registers = [emitter.register_for(t) for t in operation.outputs]
    if not registers:
        emitter.block.emit(call, operation)
        return
    emitter.block.emit(f"{', '.join(registers)}{',' if len(registers) == 1 else ''} = {call}", operation)
    for tensor, register in zip(operation.outputs, registers, strict=True):
        emitter.block.emit(f"{register} = {exact(emitter, register, tensor.dtype)}", operation)
        storage = Storage(False)
        if is_view(operation):
            storage = emitter.values[id(operation.inputs[0])].storage
        value = Value(tensor, emitter.block, storage, array=register, registers=(register,))
        emitter.values[id(tensor)] = value


def _is_default(value: Any, default: Any) -> bool:
    if type(value) is tuple and type(default) is tuple:
        return len(value) == len(default) and all(map(_is_default, value, default))
    return value is default or (type(value) is type(default) and type(value) in _LITERALS and value == default)


def _attribute(emitter: Emitter, value: Any) -> str:
    """An attribute as a literal where that is readable and exact, else as a constant."""
    if _is_literal(value):
        return repr(value)
    if isinstance(value, DType):
        return emitter.names.bind(value, f"{value.name}_type")
    return emitter.names.bind_constant(value)


def _is_literal(value: Any) -> bool:
    if type(value) is tuple:
        return len(value) <= 16 and all(type(v) in _LITERALS for v in value)
    return type(value) in _LITERALS and (not isinstance(value, str | bytes) or len(value) <= 80)
