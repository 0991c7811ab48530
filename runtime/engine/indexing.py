"""`x[...]` with integers, slices, new axes and arrays as Python writes it, several times faster than the kernel.

    v3 = a0.item(v0)
    v4 = a0[v0:, None]
    v5 = a0[v1]                       # positions or a mask: a copy

An index that is out of range raises numpy's IndexError, in whose place the kernel's comes (`engine.failures`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from runtime.engine.values import is_python_number, is_scalar
from runtime.engine.views import is_view
from runtime.graph.operation import Operation
from runtime.ops.arrays.index import getitem
from runtime.ops.kernels.index_spec import ARRAY, AT
from runtime.tensor.symbolic import SymbolicTensor

if TYPE_CHECKING:
    from runtime.engine.emitter import Emitter

__all__ = ["emit_index", "has_plain_index", "index_text", "is_plain", "picks_element", "takes_element"]


def has_plain_index(operation: Operation) -> bool:
    """Whether the operation takes an element or a part by what `is_plain` allows."""
    if operation.op is not getitem:
        return False
    source, spec = operation.inputs[0], operation.attributes["spec"]
    return source.dtype.family != "string" and bool(spec) and is_plain(source, spec, operation.inputs[1:])


def is_plain(source: SymbolicTensor, spec: Sequence[Any], indices: Sequence[SymbolicTensor]) -> bool:
    """Whether an index has no "...", nothing that only the kernel's tests find out, and no text of a damaged file."""
    rank = source.shape.rank
    if rank is None or sum(part is not None for part in spec) > rank:
        return False
    steps = all(part[2] != AT for part in spec if isinstance(part, tuple))
    parts = [part for entry in spec for part in (entry if isinstance(entry, tuple) else (entry,))]
    waiting = [part for part in parts if part in (AT, ARRAY)]  # what stands for each operand
    known = all(part is None or type(part) is int or part in (AT, ARRAY) for part in parts)
    return steps and known and all(map(_is_known, waiting, indices))


def _is_known(part: str, index: SymbolicTensor) -> bool:
    """Whether an operand is certain to be the integer, or the array, that it stands for."""
    if part == ARRAY:
        return bool(index.shape.rank)
    return is_scalar(index) and index.dtype.is_integer


def takes_element(operation: Operation) -> bool:
    """Whether the result is a number of its own, and no view."""
    return has_plain_index(operation) and picks_element(operation.inputs[0], operation.attributes["spec"])


def picks_element(source: SymbolicTensor, spec: Sequence[Any]) -> bool:
    """Whether a plain index names one element: an integer for each axis."""
    integers = not any(part is None or part == ARRAY or isinstance(part, tuple) for part in spec)
    return len(spec) == source.shape.rank and integers


def emit_index(emitter: Emitter, operation: Operation) -> None:
    """Writes the statement."""
    source, spec = operation.inputs[0], operation.attributes["spec"]
    result = operation.outputs[0]
    array = emitter.array_of(source)
    element = picks_element(source, spec)
    number = element and is_python_number(result.dtype)
    index = index_text(emitter, spec, operation.inputs[1:])
    text = f"{array}.item({index})" if number else f"{array}[{index}]"
    storage = emitter.values[id(source)].storage if is_view(operation) and not element else None
    emitter.define(operation, text, scalar=element, storage=storage, owned=not element)
    emitter.values[id(result)].is_part = storage is not None


def index_text(emitter: Emitter, spec: Sequence[Any], operands: Sequence[SymbolicTensor]) -> str:
    """What stands between the brackets for a plain index."""
    given = iter(operands)

    def number(part: Any) -> str:
        if part == ARRAY:
            return emitter.array_of(next(given))
        return "" if part is None else emitter.scalar_of(next(given)) if part == AT else str(part)

    return ", ".join(
        _slice_text(*map(number, part)) if isinstance(part, tuple) else number(part) or "None" for part in spec
    )


def _slice_text(start: str, stop: str, step: str) -> str:
    return f"{start}:{stop}:{step}" if step else f"{start}:{stop}"
