"""The operations, by family. Importing the package fills the registry (`runtime.ops.record.REGISTRY`)."""

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
    linalg,
    lists,
    logic,
    memo,
    nn,
    numbers_in_text,
    numerics,
    order,
    output,
    python_call,
    raising,
    random,
    reduce,
    shape,
    state,
    strings,
    templates,
)

__all__ = [
    "arithmetic", "bitwise", "check", "compare", "control", "core", "create", "elementwise", "index", "item_update",
    "join", "linalg", "lists", "logic", "memo", "nn", "numbers_in_text", "numerics", "order", "output", "python_call",
    "raising", "random", "reduce", "shape", "state", "strings", "templates",
]  # fmt: skip
