"""Writes to Variables: checked here, then done at once or recorded.

    write(v, assign_add_variable, "assign_add", 1.0, None)

Errors name the variable, what it holds and what it was given; in a graph those that only the run can find name it too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from runtime.context import current_recorder
from runtime.dtypes import DType
from runtime.errors import DtypeMismatchError, InaccessibleTensorError, ShapeMismatchError
from runtime.graph.effects import touches
from runtime.graph.graph import Graph
from runtime.ops.flow import state
from runtime.ops.kernels.resource import mismatch
from runtime.ops.records.record import Op
from runtime.state.slices import IndexedSlices
from runtime.tensor.convert import as_operand, convert_to_tensor
from runtime.tensor.eager import EagerTensor, wrap
from runtime.tensor.indexing import spec_of
from runtime.tensor.symbolic import SymbolicTensor

if TYPE_CHECKING:
    from runtime.state.variable import Variable

__all__ = ["Slices", "advance", "note_writes", "scatter", "scatter_parts", "write", "write_part"]

Slices = IndexedSlices


def write(variable: Variable, op: Op, what: str, value: Any, name: str | None) -> Variable:
    """Carries out an assignment of a whole value."""
    if type(value) is EagerTensor and current_recorder() is None:
        array, memory = value._array, variable._present_memory()
        if array.dtype == memory.dtype.numpy and array.shape == memory.shape.dims and memory.dtype.is_numeric:
            op.run(cast(Any, (memory, array)), {"shape": None})
            return variable
    tensor = _converted(variable, what, value)
    if op is not state.assign_variable and not variable.dtype.is_numeric:
        raise DtypeMismatchError(f"{_shown(variable, what)}, which is no number")
    if not variable.shape.is_compatible_with(tensor.shape):
        raise ShapeMismatchError(mismatch(what, variable._memory.name, variable.shape, tensor.shape))
    return _carry_out(variable, op, [tensor], {"shape": variable.shape}, name or what)


def scatter(variable: Variable, how: str, slices: Slices, name: str | None) -> Variable:
    """Changes rows."""
    if not isinstance(slices, IndexedSlices):
        raise TypeError(f"scatter_{how} takes runtime.IndexedSlices(values, indices); got {slices!r}")
    return _scattered(variable, state.scatter_variable, how, slices.indices, slices.values, name)


def scatter_parts(variable: Variable, how: str, indices: Any, values: Any, name: str | None) -> Variable:
    """Changes parts at positions in several axes."""
    return _scattered(variable, state.scatter_nd_variable, how, indices, values, name)


def write_part(variable: Variable, key: Any, value: Any, name: str | None) -> Variable:
    """Sets the elements at an index."""
    spec, indices = spec_of(key)
    operands = [_converted(variable, "assign", value), *indices]
    attributes = {"shape": variable.shape, "spec": spec}
    return _carry_out(variable, state.setitem_variable, operands, attributes, name or "assign")


def _scattered(variable: Variable, op: Op, how: str, indices: Any, values: Any, name: str | None) -> Variable:
    what = f"scatter_{how}"
    if how != "update" and not variable.dtype.is_numeric:
        raise DtypeMismatchError(f"{_shown(variable, what)}, which is no number")
    if how == "div" and variable.dtype.is_integer:
        raise DtypeMismatchError(f"{_shown(variable, what)}, and integers are not divided")
    places = convert_to_tensor(indices)
    if not places.dtype.is_integer:
        raise DtypeMismatchError(f"{what}: indices are integers; got {places.dtype.name}")
    operands = [places, _converted(variable, what, values)]
    return _carry_out(variable, op, operands, {"shape": variable.shape, "how": how}, name or what)


def _carry_out(variable: Variable, op: Op, operands: list[Any], attributes: dict[str, Any], name: str) -> Variable:
    recorder: Any = current_recorder()
    if recorder is not None:
        handle = variable._handle(recorder)
        recorder.record(op, [handle, *operands], attributes, name)
        recorder.recording.tracing.aliases.write(handle, variable._memory.name, recorder)
    else:
        memory: Any = variable._present_memory()
        op.run([memory, *[t._array for t in operands]], attributes)
    return variable


def advance(variable: Variable, value: Any) -> Any:
    """Adds to a variable; returns its value before as a tensor. In one step: each of several threads gets another."""
    op, tensor = state.advance_variable, _converted(variable, "advance", value)
    attributes = {"dtype": variable.dtype, "shape": variable.shape}
    recorder: Any = current_recorder()
    if recorder is None:
        memory: Any = variable._present_memory()
        return wrap(op.run([memory, tensor._array], attributes), variable.dtype.numpy)
    handle = variable._handle(recorder)
    before = recorder.record(op, [handle, tensor], attributes, "advance")
    recorder.recording.tracing.aliases.write(handle, variable._memory.name, recorder)
    return before


def _shown(variable: Variable, what: str) -> str:
    return f"{what}: the variable {variable._memory.name!r} is {variable.dtype.name}"


def _converted(variable: Variable, what: str, value: Any) -> Any:
    """The value as a tensor of the variable's dtype. Raises DtypeMismatchError."""
    value = as_operand(value)
    try:
        return convert_to_tensor(value, variable.dtype)
    except InaccessibleTensorError:
        raise
    except (TypeError, ValueError) as error:
        found = getattr(value, "dtype", None)
        has = f"{_shown(variable, what)}, the value"
        if isinstance(found, DType):
            raise DtypeMismatchError(f"{has} is {found.name}; use runtime.cast(x, {variable.dtype.name!r})") from None
        raise DtypeMismatchError(f"{has} does not fit that: {error}") from None


def note_writes(source: Graph, given: Sequence[SymbolicTensor], graph: Graph) -> None:
    """Takes note of what the operations of `source` write, now a part of `graph`; `given`: its inputs there, among them
    what stands for arrays, which knows by itself."""
    found = touches(source)
    written = {key for o in source.operations if id(o) in found for key in found[id(o)].writes}
    for parameter, handle in zip(source.inputs, given, strict=True):
        if id(parameter) in written and isinstance(handle, SymbolicTensor):
            graph.recording.tracing.aliases.write(handle, f"{handle.op.name}:0", graph)
