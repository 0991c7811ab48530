"""`x[i]` with integers as Python writes it: what `for x in values` comes to, ten times faster than the kernel.

    v3 = a0[v0] if -4 <= v0 < 4 else getitem(a0, asarray(v0, int32), spec=("at",))[()]

An index that is out of range takes the kernel, whose error says so. Slices and new axes are the kernel's, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from runtime.engine.buffers import exact, kernel_call
from runtime.engine.ranges import range_of
from runtime.engine.values import is_python_number, is_scalar
from runtime.graph.operation import Operation
from runtime.ops.index import getitem
from runtime.ops.index_spec import AT
from runtime.tensor.symbolic import SymbolicTensor

if TYPE_CHECKING:
    from runtime.engine.emitter import Emitter

__all__ = ["emit_index", "has_plain_index", "range_tests", "takes_element", "takes_integers"]


def has_plain_index(operation: Operation) -> bool:
    """Whether the operation takes one element or one sub-array by integers alone."""
    if operation.op is not getitem:
        return False
    source, spec = operation.inputs[0], operation.attributes["spec"]
    rank = source.shape.rank
    if source.dtype.kind == "string" or rank is None or not 0 < len(spec) <= rank:
        return False
    return takes_integers(spec, operation.inputs[1:])


def takes_element(operation: Operation) -> bool:
    """Whether the result is a number of its own, and no view."""
    return has_plain_index(operation) and len(operation.attributes["spec"]) == operation.inputs[0].shape.rank


def takes_integers(spec: Sequence[Any], indices: Sequence[SymbolicTensor]) -> bool:
    """Whether an index has no other parts than integers."""
    plain = all(part == AT if isinstance(part, str) else type(part) is int for part in spec)
    return plain and all(map(is_scalar, indices))


def emit_index(emitter: Emitter, operation: Operation) -> None:
    """Writes the statement."""
    source, spec = operation.inputs[0], operation.attributes["spec"]
    result = operation.outputs[0]
    array = emitter.array_of(source)
    given = iter(operation.inputs[1:])
    indices = [emitter.scalar_of(next(given)) if part == AT else str(part) for part in spec]
    element = len(spec) == source.shape.rank
    number = element and is_python_number(result.dtype)
    text = f"{array}.item({', '.join(indices)})" if number else f"{array}[{', '.join(indices)}]"
    tests = range_tests(emitter, source, array, operation.inputs[1:], spec)
    if tests:
        text = f"{text} if {' and '.join(tests)} else {_by_kernel(emitter, operation, array, element)}"
    storage = None if element else emitter.values[id(source)].storage
    emitter.define(operation, text, scalar=element, storage=storage)


def range_tests(
    emitter: Emitter, source: SymbolicTensor, array: str, operands: Sequence[SymbolicTensor], spec: Sequence[Any]
) -> list[str]:
    """The tests that the integers of an index need: none for those that are in range for certain."""
    found = []
    given = iter(operands)
    for axis, part in enumerate(spec):
        tensor = next(given) if part == AT else None
        index = str(part) if tensor is None else emitter.scalar_of(tensor)
        least, greatest = (part, part) if tensor is None else range_of(emitter.values[id(tensor)])
        size = source.shape[axis]
        length = size if size is not None else f"len({array})" if axis == 0 else f"{array}.shape[{axis}]"
        if size is None or not (-size <= least and greatest < size):
            found.append(f"{index} < {length}" if least >= 0 else f"-{length} <= {index} < {length}")
    return found


def _by_kernel(emitter: Emitter, operation: Operation, array: str, element: bool) -> str:
    operands = [array]
    for tensor in operation.inputs[1:]:
        operands.append(exact(emitter, emitter.scalar_of(tensor), tensor.dtype))
    dtype = operation.outputs[0].dtype
    call = exact(emitter, kernel_call(emitter, operation, operands), dtype)
    if not element:
        return call
    return f"{call}.item()" if is_python_number(dtype) else f"{call}[()]"
