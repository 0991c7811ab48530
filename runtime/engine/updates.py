"""`x[...] = v` and `x[...] += v`, in place where nobody can tell: one element of a long array costs one element.

    v0[v1] = v2                                     # v0 is the plan's own and dies here: the result is v0
    v0[1:] = v3                                     # where the shapes are known to fit
    if v0[v1:].shape == v3.shape: v0[v1:] = v3      # where they are not; the kernel broadcasts, and has the errors

A tensor never changes, so `setitem` makes a new one. Its buffer may be that of the old one if the old one is read for
the last time, the plan made the buffer itself (it is no input, constant or output), and no list or other value of the
plan sees it. A few parts of it that are read later are copied before, instead of the whole:

    v3 = v3.copy()                                  # v3 was v0[:2]
    v0[1] = v2

Where the old one is needed, that is copied: `v3 = v0.copy("K")`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from runtime.dtypes import bfloat16, string, variant
from runtime.engine.buffers import exact, kernel_call
from runtime.engine.indexing import index_text, is_plain, picks_element
from runtime.engine.values import Storage, Value, is_scalar
from runtime.graph.operation import Operation
from runtime.ops.arrays.adjoints import add_item, add_to_item
from runtime.ops.arrays.item_update import setitem, write_item
from runtime.ops.kernels.index_spec import ARRAY, item_shape

if TYPE_CHECKING:
    from runtime.engine.emitter import Emitter

__all__ = ["emit_update", "is_update"]


_MOST_PARTS: Final = 4
"""So many views are copied rather than the whole array."""

IN_PLACE: Final = {setitem: write_item, add_item: add_to_item}
"""The operations, and what does the same in place."""


def is_update(operation: Operation) -> bool:
    """Whether the operation changes elements of what is certain to be an array, and its kernel is given that itself."""
    if operation.op not in IN_PLACE or not operation.inputs[0].shape.rank:
        return False
    return operation.op.narrow or operation.inputs[0].dtype is not bfloat16


def emit_update(emitter: Emitter, operation: Operation) -> None:
    """Writes the statement."""
    source = emitter.values[id(operation.inputs[0])]
    array = emitter.array(source)
    if not _may_write(emitter, operation, source):
        if _has_statement(operation) and _is_known_to_fit(operation):
            _write_to_copy(emitter, operation, source)
            return
        operands = [emitter.array_of(t) for t in operation.inputs]
        emitter.define(operation, exact(emitter, kernel_call(emitter, operation, operands), source.dtype), owned=True)
        return
    lines = _as_statement(emitter, operation, array) if _has_statement(operation) else []
    if not lines:
        lines = [_by_kernel(emitter, operation, [emitter.array_of(t) for t in operation.inputs])]
    for line in lines:
        emitter.block.emit(line, operation)
    result = operation.outputs[0]
    register = emitter.register_for(result, source)
    if register != array:
        emitter.block.emit(f"{register} = {array}", operation)
    value = Value(result, emitter.block, Storage(True), array=register, registers=(register,), root=True)
    emitter.values[id(result)] = value


def _write_to_copy(emitter: Emitter, operation: Operation, source: Value) -> None:
    """Writes a copy, with its elements where those of the original lie, and the statement that changes it."""
    dying, emitter.dying = emitter.dying, [v for v in emitter.dying if v is source]  # the others are read after it
    copied = emitter.define(operation, f'{emitter.array(source)}.copy("K")', owned=True)
    emitter.dying = dying
    (line,) = _as_statement(emitter, operation, copied)
    emitter.block.emit(line, operation)


def _may_write(emitter: Emitter, operation: Operation, source: Value) -> bool:
    """Whether the buffer of the first operand may become that of the result.

    What is written may be a view of it (`x[1:] = x[:-1]`), for numpy sees to that where the place is a plain one.
    """
    if source not in emitter.dying or source.array not in source.registers:
        return False
    ends_here = [v for v in emitter.dying if v.storage is source.storage]
    if ARRAY in operation.attributes["spec"] and len(ends_here) > 1:
        return False
    if not (source.root and source.storage.owned):
        return False
    others = source.storage.holders - len(ends_here)
    return not others or (others <= _MOST_PARTS and _copy_parts(emitter, operation, source.storage, others))


def _copy_parts(emitter: Emitter, operation: Operation, storage: Storage, count: int) -> bool:
    """Gives the views of a buffer that are read later memory of their own, if they are so many and can be found."""
    found = {id(v): v for v in emitter.values.values() if v.storage is storage and v not in emitter.dying}
    views = list(found.values())
    if len(views) != count:
        return False
    if not all(v.is_part and v.array in v.registers and v.block is emitter.block for v in views):
        return False
    for view in views:
        emitter.block.emit(f"{view.array} = {view.array}.copy()", operation)
        view.storage, view.root, view.is_part = Storage(True, holders=1), True, False
        storage.holders -= 1
    return True


def _has_statement(operation: Operation) -> bool:
    """Whether Python's own statement does it: only what is replaced, for numpy's numbers warn of sums that arrays
    take."""
    if operation.op is not setitem:
        return False
    source, value, *indices = operation.inputs
    spec = operation.attributes["spec"]
    if not spec or source.dtype is string or source.dtype is variant or not is_plain(source, spec, indices):
        return False
    return is_scalar(value) or not (picks_element(source, spec) or ARRAY in spec)


def _is_known_to_fit(operation: Operation) -> bool:
    """Whether the shapes say so: then the value has been found to fit when the operation was recorded."""
    source, value, *indices = operation.inputs
    place = item_shape(source.operand, *(t.operand for t in indices), spec=operation.attributes["spec"])
    return is_scalar(value) or (place.is_fully_defined() and value.shape.is_fully_defined())


def _as_statement(emitter: Emitter, operation: Operation, array: str) -> list[str]:
    """As Python writes it, where the shapes fit."""
    source, value, *operands = operation.inputs
    spec = operation.attributes["spec"]
    given = emitter.scalar_of(value) if is_scalar(value) else emitter.array_of(value)
    place = f"{array}[{index_text(emitter, spec, operands)}]"
    store = f"{place} = {given}"
    if picks_element(source, spec) or _is_known_to_fit(operation):
        return [store]
    arrays = [
        array,
        *(exact(emitter, emitter.scalar_of(t), t.dtype) if is_scalar(t) else given for t in operation.inputs[1:]),
    ]
    return [f"if {place}.shape == {given}.shape: {store}", f"else: {_by_kernel(emitter, operation, arrays)}"]


def _by_kernel(emitter: Emitter, operation: Operation, arrays: Sequence[str]) -> str:
    return kernel_call(emitter, operation, arrays, IN_PLACE[operation.op])
