"""Tensors that a trace keeps because they came in an object with a TraceType of its own.

    class Batch:
        def __tf_tracing_type__(self, context):
            return BatchType()          # all batches share one trace ...

    total(Batch(x)), total(Batch(y))    # ... and with it the tensor of the first: worth a warning

A TraceType that holds the object or the tensor compares it, so that nothing is lost; so does one that says what stands
for the object (`placeholder_value`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import FunctionType
from typing import Any

from runtime import structures as nest
from runtime.function.code_names import names_in
from runtime.function.leaves import is_input
from runtime.function.trace_protocol import TraceType, Typed

__all__ = ["fixed_tensors"]


def fixed_tensors(arguments: Mapping[str, Any], called: Iterable[FunctionType]) -> list[tuple[str, Typed]]:
    """How they are reached, and the object that holds them: those that the functions `called` by the trace name."""
    found = [
        (name + path, typed)
        for name, value in arguments.items()
        for path, typed in nest.flatten_with_paths(value)
        if type(typed) is Typed and typed.has_value and _stands_for_itself(typed.type)
    ]
    if not found:
        return []
    named = frozenset().union(*(names_in(function.__code__).attributes for function in called))
    return [(f"{path}.{name}", typed) for path, typed in found for name in _tensors_of(typed) if name in named]


def _stands_for_itself(trace_type: TraceType) -> bool:
    return getattr(type(trace_type), "placeholder_value", None) is TraceType.placeholder_value


def _tensors_of(typed: Typed) -> list[str]:
    """The attributes of an object that are tensors, arrays or Variables which its TraceType does not hold."""
    compared = {id(value) for value in getattr(typed.type, "__dict__", {}).values()}
    if id(typed.value) in compared:
        return []
    own = getattr(typed.value, "__dict__", {})
    return [name for name, value in own.items() if is_input(value) and id(value) not in compared]
