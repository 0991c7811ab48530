"""The rules of ONNX, one file per family; importing the package fills the table (runtime.exits.onnx.rules)."""

from runtime.exits.onnx.lowerings import (
    arithmetic,
    arrays,
    convolutions,
    create,
    elementwise,
    indices,
    lists,
    order,
    products,
    reductions,
    scatters,
    shapes,
    state,
)

__all__ = [
    "arithmetic", "arrays", "convolutions", "create", "elementwise", "indices", "lists", "order", "products",
    "reductions", "scatters", "shapes", "state",
]  # fmt: skip
