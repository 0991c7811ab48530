"""`x[...]` with integers, slices and new axes as Python writes it, several times faster than the kernel.

    v3 = a0.item(v0)
    v4 = a0[v0:, None]

An index that is out of range raises numpy's IndexError, in whose place the kernel's comes (`engine.failures`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from runtime.engine.values import is_python_number, is_scalar
from runtime.graph.operation import Operation
from runtime.ops.index import getitem
from runtime.ops.index_spec import AT
from runtime.tensor.symbolic import SymbolicTensor

if TYPE_CHECKING:
    from runtime.engine.emitter import Emitter

__all__ = ["emit_index", "has_plain_index", "index_text", "is_plain", "picks_element", "takes_element"]


def has_plain_index(operation: Operation) -> bool:
    """Whether the operation takes one element or one sub-array by integers, slices and new axes alone."""
    if operation.op is not getitem:
        return False
    source, spec = operation.inputs[0], operation.attributes["spec"]
    return source.dtype.kind != "string" and bool(spec) and is_plain(source, spec, operation.inputs[1:])


def is_plain(source: SymbolicTensor, spec: Sequence[Any], indices: Sequence[SymbolicTensor]) -> bool:
    """Whether an index has no arrays and no "...", and nothing that only the kernel's tests find out."""
    rank = source.shape.rank
    if rank is None or sum(part is not None for part in spec) > rank:
        return False
    steps = all(part[2] != AT for part in spec if isinstance(part, tuple))
    integers = all(is_scalar(index) and index.dtype.is_integer for index in indices)
    return steps and integers and all(part == AT if isinstance(part, str) else True for part in spec)


def takes_element(operation: Operation) -> bool:
    """Whether the result is a number of its own, and no view."""
    return has_plain_index(operation) and picks_element(operation.inputs[0], operation.attributes["spec"])


def picks_element(source: SymbolicTensor, spec: Sequence[Any]) -> bool:
    """Whether a plain index names one element: an integer for each axis."""
    return len(spec) == source.shape.rank and not any(part is None or isinstance(part, tuple) for part in spec)


def emit_index(emitter: Emitter, operation: Operation) -> None:
    """Writes the statement."""
    source, spec = operation.inputs[0], operation.attributes["spec"]
    result = operation.outputs[0]
    array = emitter.array_of(source)
    element = picks_element(source, spec)
    number = element and is_python_number(result.dtype)
    index = index_text(emitter, spec, operation.inputs[1:])
    text = f"{array}.item({index})" if number else f"{array}[{index}]"
    storage = None if element else emitter.values[id(source)].storage
    emitter.define(operation, text, scalar=element, storage=storage)


def index_text(emitter: Emitter, spec: Sequence[Any], operands: Sequence[SymbolicTensor]) -> str:
    """What stands between the brackets for a plain index."""
    given = iter(operands)

    def number(part: Any) -> str:
        return "" if part is None else emitter.scalar_of(next(given)) if part == AT else str(part)

    return ", ".join(
        _slice_text(*map(number, part)) if isinstance(part, tuple) else number(part) or "None" for part in spec
    )


def _slice_text(start: str, stop: str, step: str) -> str:
    return f"{start}:{stop}:{step}" if step else f"{start}:{stop}"
