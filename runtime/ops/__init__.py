"""The operations, by family. Importing the package fills the registry (`runtime.ops.record.REGISTRY`) with those that
most programs need; `runtime.ops.families` finds the others."""

from runtime.ops import (
    arithmetic,
    bitwise,
    check,
    compare,
    control,
    core,
    create,
    elementwise,
    index,
    item_update,
    join,
    limits,
    linalg,
    lists,
    logic,
    memo,
    numbers_in_text,
    numerics,
    order,
    output,
    positions,
    python_call,
    raising,
    reduce,
    repeating,
    scan,
    shape,
    state,
    strings,
    sum_to,
    templates,
    tensor_array,
)

__all__ = [
    "arithmetic", "bitwise", "check", "compare", "control", "core", "create", "elementwise", "index", "item_update",
    "join", "limits", "linalg", "lists", "logic", "memo", "numbers_in_text", "numerics", "order", "output",
    "positions", "python_call", "raising", "reduce", "repeating", "scan", "shape", "state", "strings", "sum_to",
    "templates", "tensor_array",
]  # fmt: skip
