"""The operations, by family. Importing the package fills the registry (`runtime.ops.records.record.REGISTRY`) with
those that most programs need; `runtime.ops.records.families` finds the others."""

from runtime.ops.arrays import create, index, item_update, join, padding, repeating, shape, sum_to
from runtime.ops.elementwise import (
    arithmetic,
    bitwise,
    compare,
    limits,
    logic,
    numerics,
)
from runtime.ops.elementwise import (
    functions as elementwise,
)
from runtime.ops.flow import check, control, core, memo, python_call, raising, state
from runtime.ops.linear import products as linalg
from runtime.ops.lists import lists, tensor_array
from runtime.ops.reductions import order, positions, reduce, scan
from runtime.ops.text import numbers_in_text, output, strings, templates

__all__ = [
    "arithmetic", "bitwise", "check", "compare", "control", "core", "create", "elementwise", "index", "item_update",
    "join", "limits", "linalg", "lists", "logic", "memo", "numbers_in_text", "numerics", "order", "output",
    "padding", "positions", "python_call", "raising", "reduce", "repeating", "scan", "shape", "state", "strings",
    "sum_to", "templates", "tensor_array",
]  # fmt: skip
